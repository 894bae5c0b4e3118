#include "app/selfplay.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
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

/* Whether it is game number `index` of this run. */
static enum err compare(const struct record *record, const struct selfplay_options *options,
                        int index, struct note *why)
{
    const struct match_options *match = &options->match;
    const char *difference = NULL;
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, match_game_seed(match->seed, index));
    if (!has_tag(record, RECORD_GAME, match->rules.game->name) ||
        !has_tag(record, RECORD_BLACK, options->player.text) ||
        !has_tag(record, RECORD_WHITE, options->player.text) ||
        !has_tag(record, RECORD_SEED, seed)) {
        difference = "another game, player or seed";
    } else if (!has_opening(record, match, index)) {
        difference = "another opening; give the same --openings";
    }
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

static enum err open_file(const struct selfplay_options *options, FILE **out, int *games,
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

/* --- Playing. --- */

struct selfplay_run {
    const struct selfplay_options *options;
    FILE *file;
    enum err err; /* of a record that could not be written */
    struct note why;
};

static void on_game_event(void *owner, const struct game_event *event)
{
    struct selfplay_run *run = owner;
    const struct selfplay_options *options = run->options;
    if (event->kind != GAME_EVENT_OVER) {
        return;
    }
    run->err = record_append(&event->finished->record, run->file, options->path, &run->why);
    if (run->err) {
        match_stop(event->match);
    }
    if (options->on_progress) {
        int played = match_score(event->match)->games;
        options->on_progress(options->owner, options->match.from + played, played);
    }
}

/* The games must not depend on the load of the machine: a late player is waited for. */
static void set_limits(struct judge_rules *rules)
{
    const int64_t patience_ns = 3600 * CLOCK_NS_PER_S;
    rules->limit_ns = (int64_t)(rules->game->time_limit_s * 1e9);
    rules->grace_ns = patience_ns;
    rules->startup_ns = patience_ns;
    rules->hard_limit_ns = patience_ns;
    rules->game_limit_ns = 24 * patience_ns;
}

static enum err play(struct selfplay_run *run, int *played, struct note *why)
{
    const struct selfplay_options *options = run->options;
    const struct game_sink sink = {run, on_game_event};
    struct match *match = NULL;
    const struct match_runner_options runner = {.match = options->match,
                                                .specs = {&options->player, &options->player},
                                                .cpu_level = options->cpu};
    enum err err = match_runner_run(&runner, &sink, &match, why);
    *played = match ? match_score(match)->games : 0;
    match_free(match);
    if (run->err) {
        *why = run->why;
        return run->err;
    }
    return err;
}

enum err selfplay_run(struct selfplay_options *options, int *played, struct note *why)
{
    struct selfplay_run run = {.options = options};
    char date[CLOCK_DATE_BYTES];
    clock_write_today(date);
    options->match.date = date;
    options->match.keeps_records = true;
    set_limits(&options->match.rules);
    *played = 0;
    enum err err = open_file(options, &run.file, &options->match.from, why);
    if (err) {
        return err;
    }
    if (options->match.from < options->match.games) {
        err = play(&run, played, why);
    }
    if (fclose(run.file) && !err) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %m", options->path);
    }
    return err;
}
