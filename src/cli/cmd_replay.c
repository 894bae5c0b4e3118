/* cmd_replay: replay. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#include "base/file.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "judge/record_reader.h"
#include "judge/replay.h"
#include "report/json_game.h"

struct replay_session {
    enum cpu_level cpu;
    bool is_json;
    struct json json;
    int64_t at; /* the ply whose position is asked for; -1: none */
    size_t games;
    size_t failures;
    enum err worst;
};

static const char *tag_or(const struct record *record, enum record_tag tag, const char *absent)
{
    const char *value = record_tag(record, tag);
    return value && *value ? value : absent;
}

static void print_summary(const struct replay_session *session, const struct record *record,
                          enum err err)
{
    printf("%zu  %s  %s - %s  %zu %s  %s  %s  %s\n", session->games,
           tag_or(record, RECORD_GAME, "?"), tag_or(record, RECORD_BLACK, "?"),
           tag_or(record, RECORD_WHITE, "?"), record->ply_count,
           record->ply_count == 1 ? "ply" : "plies", tag_or(record, RECORD_RESULT, "?"),
           tag_or(record, RECORD_REASON, "-"), err ? "failed" : "ok");
}

static void print_position(const struct replay_session *session, const struct replay *replay)
{
    char text[GAME_POSITION_BYTES];
    if ((uint64_t)session->at < replay->state_count) {
        replay->game->write_position(&replay->states[session->at], text);
        puts(text);
    }
}

/* What is wrong with the game goes to stderr and into the session. */
static void replay_game(struct replay_session *session, const struct record *record,
                        struct replay *replay)
{
    struct note failure = {""};
    enum err err = replay_run(session->cpu, record, replay, &failure);
    if (!err && session->at > (int64_t)record->ply_count) {
        err = note_fail(&failure, ERR_INPUT,
                        "it has %zu plies, so there is no position after ply %lld",
                        record->ply_count, (long long)session->at);
    }
    session->games++;
    if (err) {
        fprintf(stderr, "plum replay: game %zu: %s\n", session->games, failure.text);
        session->failures++;
        session->worst = err > session->worst ? err : session->worst;
    }
    if (session->is_json) {
        json_game_record(&session->json, session->games, record, replay, session->at,
                         err ? failure.text : NULL);
    } else if (session->at >= 0) {
        print_position(session, replay);
    } else {
        print_summary(session, record, err);
    }
}

static void print_end(struct replay_session *session)
{
    if (session->is_json) {
        json_end(&session->json);
        putchar('\n');
    } else if (session->at < 0 && session->games > 1) {
        printf("%zu games, %zu ok, %zu failed\n", session->games,
               session->games - session->failures, session->failures);
    }
}

static enum err replay_file(struct replay_session *session, FILE *file, const char *name,
                            struct note *why)
{
    struct record_reader reader = record_reader_make(file);
    struct record record = {0};
    struct replay replay = {0};
    bool is_found = true;
    enum err err = ERR_NONE;
    if (session->is_json) {
        session->json = json_make(stdout, JSON_LINE);
        json_begin_array(&session->json, NULL);
    }
    while (!err && is_found) {
        err = record_reader_next(&reader, &record, &is_found, why);
        if (err) {
            note_prefix(why, "%.60s", name);
        } else if (is_found) {
            replay_game(session, &record, &replay);
        }
    }
    print_end(session);
    if (!err && !session->games) {
        err = note_fail(why, ERR_INPUT, "%.60s contains no game", name);
    }
    replay_free(&replay);
    record_free(&record);
    return err;
}

static enum err open_file(const char *name, FILE **out, struct note *why)
{
    struct stat about;
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
    if (!file) {
        return file_refuse(name, errno, why);
    }
    if (file != stdin && fstat(fileno(file), &about) == 0 && S_ISDIR(about.st_mode)) {
        fclose(file);
        return file_refuse(name, EISDIR, why);
    }
    *out = file;
    return ERR_NONE;
}

static enum err run_replay(const struct args *args, struct note *why)
{
    const char *name = args->values[0];
    FILE *file = NULL;
    struct replay_session session = {
        .cpu = args->cpu, .is_json = args_option(args, "json") != NULL, .at = -1};
    enum err err = ARGS_FIELDS(args, why, {"at", ARGS_INT64, &session.at, 0, RECORD_MAX_PLIES});
    if (err || (err = open_file(name, &file, why))) {
        return err;
    }
    err = replay_file(&session, file, strcmp(name, "-") == 0 ? "standard input" : name, why);
    if (file != stdin) {
        fclose(file);
    }
    return err > session.worst ? err : session.worst;
}

const struct command cmd_replay = {
    .name = "replay",
    .run = run_replay,
    .summary = "replay game records and check them",
    .operands = "FILE",
    .options = {{"at", "PLY", "print only the position after PLY plies"},
                {"json", NULL,
                 "an array of {\"number\", \"ok\", \"error\", \"game\", \"result\", "
                 "\"tags\", \"start\", \"plies\", \"closing\"}"}},
};
