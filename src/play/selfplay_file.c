#include "play/selfplay_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/record_reader.h"
#include "judge/replay.h"
#include "tournament/selfplay_record.h"

/* Whether it is game number `index` of this run. */
static enum err compare(const struct record *record, const struct selfplay_options *options,
                        int index, struct note *why)
{
    const char *difference =
        selfplay_record_difference(record, &options->match, options->player.text, index);
    if (!difference) {
        return ERR_NONE;
    }
    return note_fail(why, ERR_INPUT, "line %d: game %d is not of this run: %s",
                     record->tags[RECORD_GAME].line, index + 1, difference);
}

static bool begins_record(const char *text)
{
    return strncmp(text, "[Game ", strlen("[Game ")) == 0;
}

/* Where line number `line` begins, if a record begins there and none after it; else -1. */
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
        return note_fail(why, ERR_INPUT, "line %d is not part of a game of this run: %.200s", line,
                         damage->text);
    }
    if (ftruncate(fileno(file), at)) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot cut off an unfinished record: %s",
                         strerror(errno));
    }
    return ERR_NONE;
}

/* Counts the games and cuts the file after the last whole one. */
static enum err count_games(FILE *file, const struct selfplay_options *options, int *games,
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
            broken = replay_run(options->cpu, &record, &replay, &damage);
        }
        if (!broken && is_found) {
            err = compare(&record, options, *games, why);
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

/* Adds the empty line after the last record if only that is missing. */
static enum err end_last_record(FILE *file, struct note *why)
{
    enum { ENDS = 2 }; /* of its last line, and of the empty one */
    int missing = fseek(file, -ENDS, SEEK_END) == 0 ? ENDS : 0;
    for (int c = 0; missing && (c = getc(file)) != EOF;) {
        missing = c == '\n' ? missing - 1 : ENDS;
    }
    fseek(file, 0, SEEK_END);
    while (missing-- > 0) {
        putc('\n', file);
    }
    if (fflush(file)) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot end the last record: %s", strerror(errno));
    }
    return ERR_NONE;
}

/* The kernel releases the lock when the file is closed or the process ends. */
static enum err lock(FILE *file, struct note *why)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(file), F_OFD_SETLK, &whole) == 0) {
        return ERR_NONE;
    }
    if (errno == EAGAIN || errno == EACCES) {
        note_set(why,
                 "another plum selfplay is writing this file; wait for it, or use another file");
    } else {
        note_set(why, "cannot lock this file: %s", strerror(errno));
    }
    return ERR_ENVIRONMENT;
}

enum err selfplay_file_open(const struct selfplay_options *options, FILE **out, int *games,
                            struct note *why)
{
    const char *path = options->path;
    FILE *file = fopen(path, "a+e");
    if (!file) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(errno));
    }
    struct stat status;
    if (fstat(fileno(file), &status) || !S_ISREG(status.st_mode)) {
        note_set(why, "%.200s is not a regular file: the games in it cannot be read", path);
        fclose(file);
        return ERR_INPUT;
    }
    enum err err = lock(file, why);
    if (err || (err = count_games(file, options, games, why)) ||
        (err = end_last_record(file, why))) {
        note_prefix(why, "%.100s", path);
        fclose(file);
        return err;
    }
    *out = file;
    return ERR_NONE;
}
