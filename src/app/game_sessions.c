#include "app/game_sessions.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "app/session_source.h"
#include "base/clock.h"
#include "sandbox/sandbox.h"

struct game_sessions {
    struct session_source source;
    pthread_t id;    /* of the pool's thread */
    int64_t last_id; /* of a session; under the lock of the source */
};

/* --- Beginning and end --- */

static bool has_tcp(const struct game_sessions_options *options)
{
    for (size_t i = 0; i < options->agent_count; i++) {
        if (options->agents[i].spec.kind == PLAYER_TCP) {
            return true;
        }
    }
    return false;
}

static void wake_pool(void *owner)
{
    const struct game_sessions *sessions = owner;
    pool_wake(sessions->source.pool);
}

static enum err open_pool(struct game_sessions *sessions, struct note *why)
{
    const struct game_sessions_options *options = &sessions->source.options;
    const struct pool_options pool = {
        .source = &session_source_calls,
        .owner = &sessions->source,
        .setup = {.cpu_level = options->cpu_level,
                  .sandbox = options->sandbox,
                  .has_tcp = has_tcp(options)},
        .slots = GAME_SESSIONS_MAX_RUNNING,
        .tick_ms = GAME_SESSIONS_TICK_MS,
        .leaves_signals = true,
        .outlives_failures = true,
    };
    return pool_open(&sessions->source.pool, &pool, why);
}

static void *serve(void *argument)
{
    struct game_sessions *sessions = argument;
    struct note ignored;
    (void)!pool_run(sessions->source.pool, &ignored);
    return NULL;
}

enum err game_sessions_start(const struct game_sessions_options *options,
                             struct game_sessions **out, struct note *why)
{
    struct game_sessions *sessions = calloc(1, sizeof *sessions);
    if (!sessions) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for the games of agents");
    }
    sessions->source.options = *options;
    pthread_mutex_init(&sessions->source.lock, NULL);
    enum err err = mailbox_init(&sessions->source.commands, GAME_SESSIONS_MAX_COMMANDS,
                                sizeof(struct session_command), sessions, wake_pool, why);
    err = err ? err : open_pool(sessions, why);
    int error = err ? 0 : pthread_create(&sessions->id, NULL, serve, sessions);
    if (error) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot start a thread: %s", strerror(error));
    }
    if (err) {
        game_sessions_free(sessions);
    } else {
        *out = sessions;
    }
    return err;
}

void game_sessions_listen(struct game_sessions *sessions, void *owner,
                          void (*on_change)(void *owner))
{
    pthread_mutex_lock(&sessions->source.lock);
    sessions->source.owner = owner;
    sessions->source.on_change = on_change;
    pthread_mutex_unlock(&sessions->source.lock);
}

void game_sessions_stop(struct game_sessions *sessions)
{
    mailbox_close(&sessions->source.commands);
    pool_wake(sessions->source.pool);
    pthread_join(sessions->id, NULL);
}

void game_sessions_free(struct game_sessions *sessions)
{
    if (!sessions) {
        return;
    }
    pool_free(sessions->source.pool);
    mailbox_free(&sessions->source.commands);
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        game_session_free(sessions->source.list[i]);
    }
    pthread_mutex_destroy(&sessions->source.lock);
    free(sessions);
}

const struct game_sessions_options *game_sessions_options(const struct game_sessions *sessions)
{
    return &sessions->source.options;
}

/* --- New games --- */

/* Without network namespaces all tcp programs connect to one port, where those of one team cannot
 * be told apart. */
static bool shares_port(const struct game_sessions *sessions, const struct player_spec *spec)
{
    return spec && spec->kind == PLAYER_TCP &&
           !(sessions->source.options.sandbox->features & SANDBOX_NAMESPACES);
}

static bool is_team(const struct player_spec *spec, int team)
{
    return spec && spec->kind == PLAYER_TCP && spec->team == team;
}

static bool is_team_playing(const struct game_sessions *sessions, int team)
{
    bool is_playing = false;
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        const struct game_session *other = sessions->source.list[i];
        is_playing |= other && other->is_running &&
                      (is_team(other->seats[0].spec, team) || is_team(other->seats[1].spec, team));
    }
    return is_playing;
}

static enum err fill_seat(const struct game_sessions *sessions, const struct session_wish *wish,
                          int number, struct game_seat *seat, struct note *why)
{
    const struct seat_wish *wanted = &wish->seats[number];
    char text[32];
    *seat = (struct game_seat){.kind = wanted->kind};
    switch (wanted->kind) {
    case SEAT_PERSON:
        snprintf(seat->name, sizeof seat->name, "%s", "human");
        return ERR_NONE;
    case SEAT_ENGINE:
        snprintf(text, sizeof text, "builtin:%d", wanted->number);
        snprintf(seat->name, sizeof seat->name, "%s", text);
        seat->level = wanted->number;
        seat->spec = &seat->engine;
        return player_spec_read(text, wish->game, &seat->engine, why);
    case SEAT_AGENT:
        break;
    }
    if (wanted->number < 0 || (size_t)wanted->number >= sessions->source.options.agent_count) {
        return note_fail(why, ERR_INPUT, "there is no agent %d", wanted->number + 1);
    }
    const struct game_agent *agent = &sessions->source.options.agents[wanted->number];
    if (!game_agent_plays(agent, wish->game)) {
        return note_fail(why, ERR_NEGATIVE, "%s does not play %s", agent->name, wish->game->name);
    }
    snprintf(seat->name, sizeof seat->name, "%s", agent->name);
    seat->spec = &agent->spec;
    return ERR_NONE;
}

static enum err check_wish(const struct session_wish *wish, struct note *why)
{
    bool has_agent = wish->seats[0].kind == SEAT_AGENT || wish->seats[1].kind == SEAT_AGENT;
    if (!has_agent) {
        return note_fail(why, ERR_INPUT,
                         "one of the players must be an agent; the page plays all other games");
    }
    return ERR_NONE;
}

static int count_running(const struct game_sessions *sessions)
{
    int count = 0;
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        count += sessions->source.list[i] && sessions->source.list[i]->is_running;
    }
    return count;
}

/* A place for another session: a free one, or that of the oldest that is over. */
static struct game_session **free_place(struct session_source *source)
{
    struct game_session **oldest = NULL;
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        struct game_session **place = &source->list[i];
        if (!*place) {
            return place;
        }
        if (!(*place)->is_running && (!oldest || (*place)->id < (*oldest)->id)) {
            oldest = place;
        }
    }
    game_session_free(*oldest);
    *oldest = NULL;
    return oldest;
}

static void set_up(struct game_session *session, struct session_source *source,
                   const struct session_wish *wish)
{
    session->source = source;
    session->is_running = true;
    session->asked = -1;
    session->seen_ns = clock_now_ns();
    session->log_wanted_ns = session->seen_ns - SESSION_SOURCE_LOG_WANTED_MS * CLOCK_NS_PER_MS;
    session->rules = judge_rules_usual(wish->game);
    session->rules.has_auction = wish->game->auction != NULL;
    session->has_start = !wish->game->auction;
    session->start = session->now = session->rules.start;
    session->colour[1] = SIDE_WHITE;
    clock_write_today(session->date);
    for (int i = 0; i < 2; i++) {
        session->rules.is_untimed[i] = session->seats[i].kind == SEAT_PERSON && !wish->is_timed;
    }
}

/* With the lock. */
static enum err admit(struct game_sessions *sessions, const struct session_wish *wish,
                      struct game_session *session, struct note *why)
{
    if (mailbox_is_closed(&sessions->source.commands) ||
        count_running(sessions) == GAME_SESSIONS_MAX_RUNNING) {
        return note_fail(why, ERR_ENVIRONMENT,
                         "%d games with agents are running, the most there can be; end one, or "
                         "wait a minute after you closed its page",
                         GAME_SESSIONS_MAX_RUNNING);
    }
    const struct player_spec *specs[2] = {session->seats[0].spec, session->seats[1].spec};
    if (shares_port(sessions, specs[0]) && is_team(specs[1], specs[0]->team)) {
        return note_fail(why, ERR_NEGATIVE,
                         "both players send team number %d; without network namespaces they "
                         "cannot play each other",
                         specs[0]->team);
    }
    for (int i = 0; i < 2; i++) {
        if (shares_port(sessions, specs[i]) && is_team_playing(sessions, specs[i]->team)) {
            return note_fail(why, ERR_ENVIRONMENT,
                             "team %d is playing already; without network namespaces a team can "
                             "play one game at a time",
                             specs[i]->team);
        }
    }
    session->id = ++sessions->last_id;
    set_up(session, &sessions->source, wish);
    *free_place(&sessions->source) = session;
    pool_wake(sessions->source.pool);
    return ERR_NONE;
}

enum err game_sessions_create(struct game_sessions *sessions, const struct session_wish *wish,
                              int64_t *id, char tokens[2][GAME_SESSION_TOKEN_BYTES],
                              struct note *why)
{
    struct game_session *session = calloc(1, sizeof *session);
    if (!session) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for another game");
    }
    enum err err = check_wish(wish, why);
    for (int i = 0; !err && i < 2; i++) {
        err = fill_seat(sessions, wish, i, &session->seats[i], why);
        if (!err && !game_session_draw_token(session->seats[i].token)) {
            err = note_fail(why, ERR_ENVIRONMENT, "this system gives no random numbers");
        }
    }
    if (err) {
        free(session);
        return err;
    }
    pthread_mutex_lock(&sessions->source.lock);
    err = admit(sessions, wish, session, why);
    if (!err) {
        *id = session->id;
        memcpy(tokens[0], session->seats[0].token, sizeof tokens[0]);
        memcpy(tokens[1], session->seats[1].token, sizeof tokens[1]);
    } else {
        free(session);
    }
    pthread_mutex_unlock(&sessions->source.lock);
    return err;
}

/* --- What pages ask for --- */

bool game_sessions_visit(struct game_sessions *sessions, int64_t id)
{
    pthread_mutex_lock(&sessions->source.lock);
    struct game_session *session = session_source_find(&sessions->source, id);
    if (session) {
        session->seen_ns = clock_now_ns();
    }
    pthread_mutex_unlock(&sessions->source.lock);
    return session;
}

int64_t game_sessions_version(struct game_sessions *sessions, int64_t id)
{
    pthread_mutex_lock(&sessions->source.lock);
    const struct game_session *session = session_source_find(&sessions->source, id);
    int64_t version = session ? session->version : -1;
    pthread_mutex_unlock(&sessions->source.lock);
    return version;
}

int game_sessions_seat(struct game_sessions *sessions, int64_t id, const char *token)
{
    pthread_mutex_lock(&sessions->source.lock);
    const struct game_session *session = session_source_find(&sessions->source, id);
    int seat = session ? game_session_seat(session, token) : -1;
    pthread_mutex_unlock(&sessions->source.lock);
    return seat;
}

const struct game *game_sessions_game(struct game_sessions *sessions, int64_t id)
{
    pthread_mutex_lock(&sessions->source.lock);
    const struct game_session *session = session_source_find(&sessions->source, id);
    const struct game *game = session ? session->rules.game : NULL;
    pthread_mutex_unlock(&sessions->source.lock);
    return game;
}

void game_sessions_write_list(struct game_sessions *sessions, FILE *out)
{
    struct json json = json_make(out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "sessions");
    pthread_mutex_lock(&sessions->source.lock);
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        if (sessions->source.list[i]) {
            game_session_write_head(sessions->source.list[i], &json);
        }
    }
    pthread_mutex_unlock(&sessions->source.lock);
    json_end(&json);
    json_end(&json);
}

bool game_sessions_write(struct game_sessions *sessions, int64_t id, size_t from, FILE *out)
{
    struct json json = json_make(out, JSON_COMPACT);
    pthread_mutex_lock(&sessions->source.lock);
    const struct game_session *session = session_source_find(&sessions->source, id);
    if (session) {
        game_session_write(session, &json, from, clock_now_ns());
    }
    pthread_mutex_unlock(&sessions->source.lock);
    return session;
}

bool game_sessions_write_log(struct game_sessions *sessions, int64_t id, FILE *out)
{
    struct json json = json_make(out, JSON_COMPACT);
    pthread_mutex_lock(&sessions->source.lock);
    struct game_session *session = session_source_find(&sessions->source, id);
    if (session) {
        session->log_wanted_ns = clock_now_ns();
        game_session_write_log(session, &json);
    }
    pthread_mutex_unlock(&sessions->source.lock);
    return session;
}

enum err game_sessions_act(struct game_sessions *sessions, int64_t id, int seat,
                           const struct session_action *action, struct note *why)
{
    pthread_mutex_lock(&sessions->source.lock);
    struct game_session *session = session_source_find(&sessions->source, id);
    enum err err = ERR_NEGATIVE;
    if (session) {
        err = game_session_check(session, seat, action, why);
    } else {
        note_set(why, "there is no such game");
    }
    const struct session_command command = {id, *action};
    if (!err && session->is_running && !mailbox_put(&sessions->source.commands, &command)) {
        err = note_fail(why, ERR_ENVIRONMENT, "too many requests are waiting; try again");
    }
    if (err) {
        pthread_mutex_unlock(&sessions->source.lock);
    } else {
        session->wait = SEAT_WAITS_FOR_NOTHING; /* the same request again is refused */
        session_source_unlock_changed(session);
    }
    return err;
}
