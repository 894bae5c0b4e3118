#include "app/selfplay_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/record_reader.h"
#include "judge/replay.h"

static bool has_tag(const struct record *record, enum record_tag tag, const char *wanted)
{
    const char *value = record_tag(record, tag);
    return value && strcmp(value, wanted) == 0;
}

/* Whether the game began where game number `index` of this match does. */
static bool has_opening(const struct record *record, const struct match_options *match, int index)
{
    char wanted[GAME_POSITION_BYTES];
    char usual[GAME_POSITION_BYTES];
    struct state opening = match_opening(match, index);
    struct state start = match->rules.game->start();
    match->rules.game->write_position(&opening, wanted);
    match->rules.game->write_position(&start, usual);
    const char *found = record_tag(record, RECORD_START);
    return strcmp(found ? found : usual, wanted) == 0;
}

/* Whether it is game number `index` of these terms. */
static enum err compare(const struct record *record, const struct selfplay_terms *terms, int index,
                        struct note *why)
{
    const struct match_options *match = terms->match;
    const char *difference = NULL;
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, match_game_seed(match->seed, index));
    if (!has_tag(record, RECORD_GAME, match->rules.game->name) ||
        !has_tag(record, RECORD_BLACK, terms->player) ||
        !has_tag(record, RECORD_WHITE, terms->player) || !has_tag(record, RECORD_SEED, seed)) {
        difference = "another game, player or seed";
    } else if (!has_opening(record, match, index)) {
        difference = "another opening; give the same --openings";
    }
    if (!difference) {
        return ERR_NONE;
    }
    note_set(why, "line %d: game %d is not of this run: %s", record->tags[RECORD_GAME].line,
             index + 1, difference);
    return ERR_INPUT;
}

static bool begins_record(const char *text)
{
    return strncmp(text, "[Game ", strlen("[Game ")) == 0;
}

/* Where line number `line` begins, if a record begins there and none behind it; else -1. */
static long last_record_at(FILE *file, int line)
{
    char *text = NULL;
    size_t room = 0;
    long found = -1;
    rewind(file);
    for (int number = 1;; number++) {
        long at = ftell(file);
        if (getline(&text, &room, file) < 0) {
            break;
        }
        if (number == line && begins_record(text)) {
            found = at;
        } else if (number > line && begins_record(text)) {
            found = -1;
            break;
        }
    }
    free(text);
    return found;
}

static enum err cut_off(FILE *file, int line, const struct note *damage, struct note *why)
{
    long at = last_record_at(file, line);
    if (at < 0) {
        note_set(why, "what is at line %d is no game of this run: %.200s", line, damage->text);
        return ERR_INPUT;
    }
    if (ftruncate(fileno(file), at)) {
        note_set(why, "cannot cut off an unfinished record: %s", strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

/* Counts the games and leaves the file's end behind the last whole one. */
static enum err count_games(FILE *file, const struct selfplay_terms *terms, int *games,
                            struct note *why)
{
    struct record_reader reader = record_reader_make(file);
    struct record record = {0};
    struct replay replay = {0};
    struct note damage;
    bool is_found = true;
    int begin = 1; /* the line on which the record begins that is being read */
    enum err err = ERR_NONE;
    enum err broken = ERR_NONE;
    *games = 0;
    while (!err && !broken && is_found) {
        broken = record_reader_next(&reader, &record, &is_found, &damage);
        if (!broken && is_found) {
            begin = record.tags[RECORD_GAME].line;
            broken = replay_run(terms->cpu, &record, &replay, &damage);
        }
        if (!broken && is_found) {
            err = compare(&record, terms, *games, why);
            *games += !err;
            begin = reader.line;
        }
    }
    if (broken == ERR_ENVIRONMENT) {
        *why = damage;
        err = broken;
    } else if (broken) {
        err = cut_off(file, begin, &damage, why);
    }
    record_free(&record);
    replay_free(&replay);
    return err;
}

/* A last record that lacks nothing but the blank line behind it gets that. */
static enum err end_last_record(FILE *file, struct note *why)
{
    enum { ENDS = 2 }; /* of its last line, and of the blank one */
    int missing = fseek(file, -ENDS, SEEK_END) == 0 ? ENDS : 0;
    for (int c = 0; missing && (c = getc(file)) != EOF;) {
        missing = c == '\n' ? missing - 1 : ENDS;
    }
    fseek(file, 0, SEEK_END);
    while (missing-- > 0) {
        putc('\n', file);
    }
    if (fflush(file)) {
        note_set(why, "cannot end the last record: %s", strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

/* The kernel drops the lock when the file is closed or we die. */
static enum err lock(FILE *file, struct note *why)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(file), F_OFD_SETLK, &whole) == 0) {
        return ERR_NONE;
    }
    if (errno == EAGAIN || errno == EACCES) {
        note_set(why, "another plum selfplay is writing this file; wait for it, or take another");
    } else {
        note_set(why, "cannot lock this file: %s", strerror(errno));
    }
    return ERR_ENVIRONMENT;
}

enum err selfplay_file_open(const char *path, const struct selfplay_terms *terms, FILE **out,
                            int *games, struct note *why)
{
    FILE *file = fopen(path, "a+e");
    if (!file) {
        note_set(why, "cannot write %.200s: %s", path, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    struct stat status;
    if (fstat(fileno(file), &status) || !S_ISREG(status.st_mode)) {
        note_set(why, "%.200s is no ordinary file, so that nothing can be read back", path);
        fclose(file);
        return ERR_INPUT;
    }
    enum err err = lock(file, why);
    if (!err) {
        err = count_games(file, terms, games, why);
    }
    if (!err) {
        err = end_last_record(file, why);
    }
    if (err) {
        note_prefix(why, "%.100s", path);
        fclose(file);
        return err;
    }
    *out = file;
    return ERR_NONE;
}
