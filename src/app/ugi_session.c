#include "app/ugi_session.h"

#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "engine/bid.h"
#include "engine/time_limit.h"
#include "protocol/ugi.h"

struct ugi_session {
    FILE *in;
    FILE *out;
    const struct game *game;
    struct engine engine;
    int64_t hash_mb;
    int64_t threads;
    struct ugi_settings settings;
    int64_t seed;
    struct state position;
    bool is_position_old; /* the last one that was sent was refused */

    bool is_thinking; /* a thread was started and not yet joined */
    pthread_t thinker;
    struct engine_limits limits;
    bool is_endless; /* the answer has to wait for `stop` */
    atomic_bool stop;
    sem_t stopped; /* posted when `stop` was set, for a search or for none */
};

static __attribute__((format(printf, 2, 3))) void send_line(const struct ugi_session *session,
                                                            const char *format, ...);

/* One whole line at a time: both threads write. */
static void send_line(const struct ugi_session *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    flockfile(session->out);
    vfprintf(session->out, format, arguments);
    fputc('\n', session->out);
    fflush(session->out);
    funlockfile(session->out);
    va_end(arguments);
}

/* The note may quote the input: nothing in it may look like another line of the protocol. */
static void send_note(const struct ugi_session *session, struct note note)
{
    for (char *at = note.text; *at; at++) {
        *at = *at >= ' ' && *at <= '~' ? *at : '?';
    }
    send_line(session, "info string %s", note.text);
}

static void send_depth(void *context, const struct engine_report *report)
{
    const struct ugi_session *session = context;
    int64_t ms = report->time_ns / CLOCK_NS_PER_MS;
    uint64_t speed = report->nodes * 1000 / (uint64_t)(ms > 0 ? ms : 1);
    flockfile(session->out);
    fprintf(session->out,
            "info depth %d score cp %d nodes %" PRIu64 " nps %" PRIu64 " time %" PRId64 " pv",
            report->depth, report->score, report->nodes, speed, ms);
    for (int i = 0; i < report->line.count; i++) {
        char text[GAME_MOVE_BYTES];
        game_write_move(session->game, &report->line.moves[i], text);
        fprintf(session->out, " %s", text);
    }
    fputc('\n', session->out);
    fflush(session->out);
    funlockfile(session->out);
}

static void wait_for_stop(struct ugi_session *session)
{
    while (!atomic_load(&session->stop)) {
        sem_wait(&session->stopped);
    }
}

static void *think(void *argument)
{
    struct ugi_session *session = argument;
    struct engine_report report;
    char text[GAME_MOVE_BYTES];
    engine_search(&session->engine,
                  &(struct engine_request){.game = session->game,
                                           .state = &session->position,
                                           .limits = session->limits,
                                           .stop = &session->stop,
                                           .on_depth = send_depth,
                                           .context = session},
                  &report);
    if (session->is_endless) {
        wait_for_stop(session);
    }
    game_write_move(session->game, &report.move, text);
    send_line(session, "bestmove %s", text);
    return NULL;
}

static void wait_for_answer(struct ugi_session *session)
{
    if (session->is_thinking) {
        pthread_join(session->thinker, NULL);
        session->is_thinking = false;
    }
}

static void stop_thinking(struct ugi_session *session)
{
    atomic_store(&session->stop, true);
    sem_post(&session->stopped);
    wait_for_answer(session);
}

/* Whatever happens, a `bestmove` follows. */
static void start_thinking(struct ugi_session *session, const struct ugi_go *go)
{
    if (session->is_position_old) {
        send_line(session,
                  "info string the last position was refused: this is about the one before it");
    }
    if (game_is_over(session->game, &session->position)) {
        send_line(session, "info string the game is over");
        send_line(session, "bestmove none");
        return;
    }
    enum side side = session->game->to_move(&session->position);
    uint64_t budget = (uint64_t)session->settings.nodes;
    bool is_within = go->nodes && (!budget || go->nodes < budget);
    session->limits = (struct engine_limits){.depth = go->depth,
                                             .nodes = is_within ? go->nodes : budget,
                                             .time_ns = ugi_think_ns(go, side),
                                             .level = (int)session->settings.level,
                                             .seed = (uint64_t)session->seed};
    if (!go->movetime_ms) {
        session->limits.early_ns = time_limit_early(session->limits.time_ns);
    }
    bool has_end = session->limits.depth || session->limits.nodes || session->limits.time_ns;
    session->is_endless = go->is_infinite || !has_end;
    atomic_store(&session->stop, false);
    int error = pthread_create(&session->thinker, NULL, think, session);
    session->is_thinking = !error;
    if (error) {
        send_line(session, "info string cannot start a thread, so it does not think long: %s",
                  strerror(error));
        session->limits.depth = 1;
        session->is_endless = false;
        think(session);
    }
}

static void introduce(const struct ugi_session *session)
{
    send_line(session, "id name Plum " PLUM_VERSION " (%s)", session->game->name);
    send_line(session, "id author the authors of Plum");
    send_line(session, "option name Hash type spin default %d min 1 max %d", ENGINE_DEFAULT_HASH_MB,
              ENGINE_MAX_HASH_MB);
    send_line(session, "option name Threads type spin default 1 min 1 max %d", ENGINE_MAX_THREADS);
    send_line(session, "option name Level type spin default %d min 1 max %d", ENGINE_MAX_LEVEL,
              ENGINE_MAX_LEVEL);
    send_line(session, "option name Seed type spin default 0 min 0 max %" PRId64, INT64_MAX);
    send_line(session, "ugiok");
}

/* Replaces the engine. Memory may not suffice for both, so the old one is freed first; without
 * memory for the new one the old one is made again, empty. */
static enum err resize(struct ugi_session *session, int64_t hash_mb, int64_t threads,
                       struct note *why)
{
    engine_free(&session->engine);
    enum err err = engine_init(&session->engine, (int)hash_mb, (int)threads, why);
    if (!err) {
        session->hash_mb = hash_mb;
        session->threads = threads;
        return ERR_NONE;
    }
    struct note refusal = *why;
    if (!engine_init(&session->engine, (int)session->hash_mb, (int)session->threads, why)) {
        note_set(why, "%.200s; it stays at Hash %" PRId64 ", Threads %" PRId64, refusal.text,
                 session->hash_mb, session->threads);
    }
    return err;
}

/* False if there was not even memory for the engine as it was before. */
static bool has_engine(const struct ugi_session *session) { return session->engine.tt.count; }

static enum err set_option(struct ugi_session *session, const char *name, const char *value,
                           struct note *why)
{
    int64_t hash_mb = session->hash_mb;
    int64_t threads = session->threads;
    const struct {
        const char *name;
        int64_t low, high;
        int64_t *number;
    } rows[] = {
        {"Hash", 1, ENGINE_MAX_HASH_MB, &hash_mb},
        {"Threads", 1, ENGINE_MAX_THREADS, &threads},
        {"Level", 1, ENGINE_MAX_LEVEL, &session->settings.level},
        {"Seed", 0, INT64_MAX, &session->seed},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            enum err err = number_read(value, name, rows[i].low, rows[i].high, rows[i].number, why);
            bool is_same = hash_mb == session->hash_mb && threads == session->threads;
            return err || is_same ? err : resize(session, hash_mb, threads, why);
        }
    }
    return note_fail(why, ERR_INPUT, "there is no option '%s'", name);
}

static enum err answer_query(const struct ugi_session *session, const char *what, struct note *why)
{
    static const char *const results[] = {[OUTCOME_ONGOING] = "none",
                                          [OUTCOME_BLACK] = "p1win",
                                          [OUTCOME_WHITE] = "p2win",
                                          [OUTCOME_DRAW] = "draw"};
    const struct game *game = session->game;
    enum outcome outcome = game->result(&session->position).outcome;
    if (strcmp(what, "p1turn") == 0) {
        send_line(session, "response %s",
                  game->to_move(&session->position) == SIDE_BLACK ? "true" : "false");
    } else if (strcmp(what, "gameover") == 0) {
        send_line(session, "response %s", outcome != OUTCOME_ONGOING ? "true" : "false");
    } else if (strcmp(what, "result") == 0) {
        send_line(session, "response %s", results[outcome]);
    } else if (strcmp(what, "bid") == 0 && game->auction) {
        struct bid bid = engine_bid(game);
        send_line(session, "response %d %" PRId64, bid.colour, bid.price);
    } else {
        return note_fail(why, ERR_INPUT, "'query' knows p1turn, gameover, result%s, not '%s'",
                         game->auction ? ", bid" : "", what);
    }
    return ERR_NONE;
}

/* Whether the command leaves a running search alone. */
static bool keeps_search(enum ugi_verb verb)
{
    return verb == UGI_NOTHING || verb == UGI_ISREADY || verb == UGI_UGI || verb == UGI_QUERY;
}

static enum err execute(struct ugi_session *session, const struct ugi_command *command,
                        struct note *why)
{
    if (!keeps_search(command->verb)) {
        stop_thinking(session);
    }
    switch (command->verb) {
    case UGI_UGI:
        introduce(session);
        break;
    case UGI_ISREADY:
        send_line(session, "readyok");
        break;
    case UGI_SETOPTION:
        return set_option(session, command->name, command->value, why);
    case UGI_NEWGAME:
        engine_clear(&session->engine);
        break;
    case UGI_POSITION:
        session->position = command->position;
        break;
    case UGI_QUERY:
        return answer_query(session, command->name, why);
    case UGI_GO:
        if (*command->remark.text) {
            send_note(session, command->remark);
        }
        start_thinking(session, &command->go);
        break;
    default:
        break;
    }
    return ERR_NONE;
}

/* A line of input without its newline, with spaces for NULs, cut if it is too long. */
struct ugi_input {
    char *text; /* UGI_COMMAND_BYTES bytes */
    bool is_cut;
    bool had_nul;
};

/* False at the end. */
static bool read_line(FILE *in, struct ugi_input *line)
{
    size_t used = 0;
    int c = 0;
    line->is_cut = false;
    line->had_nul = false;
    while ((c = getc(in)) != EOF && c != '\n') {
        line->had_nul |= c == '\0';
        if (used + 1 < UGI_COMMAND_BYTES) {
            line->text[used++] = c ? (char)c : ' ';
        } else {
            line->is_cut = true;
        }
    }
    line->text[used] = '\0';
    return c != EOF || used > 0;
}

static enum err read_command(struct ugi_session *session, const struct ugi_input *line,
                             struct ugi_command *out, struct note *why)
{
    enum err err = ERR_INPUT;
    if (line->had_nul) {
        send_line(session, "info string a NUL in a line is read as a space");
    }
    if (line->is_cut) {
        note_set(why, "a line has at most %d bytes", UGI_COMMAND_BYTES - 1);
    } else {
        err = ugi_read_command(session->game, line->text, out, why);
    }
    if (ugi_verb(line->text) == UGI_POSITION) {
        session->is_position_old = err;
    }
    return err;
}

/* Fails when there is no engine left to continue with. */
static enum err answer_lines(struct ugi_session *session, struct ugi_input *line, struct note *why)
{
    while (read_line(session->in, line)) {
        struct note note = {""};
        struct ugi_command command = {0};
        enum err err = read_command(session, line, &command, &note);
        if (!err && command.verb == UGI_QUIT) {
            stop_thinking(session);
            return ERR_NONE;
        }
        err = err ? err : execute(session, &command, &note);
        if (!has_engine(session)) {
            *why = note;
            return err;
        }
        if (err) {
            send_note(session, note);
        }
    }
    if (session->is_endless) {
        stop_thinking(session);
    }
    wait_for_answer(session);
    return ERR_NONE;
}

enum err ugi_session_run(FILE *in, FILE *out, const struct game *game, struct engine engine,
                         struct ugi_settings settings, struct note *why)
{
    struct ugi_session session = {.in = in,
                                  .out = out,
                                  .game = game,
                                  .engine = engine,
                                  .hash_mb =
                                      (int64_t)(engine.tt.count * sizeof(struct tt_line) >> 20),
                                  .threads = engine.thread_count,
                                  .settings = settings,
                                  .position = game->start()};
    struct ugi_input line = {.text = malloc(UGI_COMMAND_BYTES)};
    enum err err = ERR_NONE;
    sem_init(&session.stopped, 0, 0);
    if (line.text) {
        err = answer_lines(&session, &line, why);
    } else {
        err = note_fail(why, ERR_ENVIRONMENT, "there is not enough memory for a line of input");
    }
    free(line.text);
    sem_destroy(&session.stopped);
    engine_free(&session.engine);
    return err;
}
