#include "web/session_hub.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "game/registry.h"
#include "sandbox/sandbox.h"

static const char agents_path[] = "agents";
static const char sessions_path[] = "sessions";

bool session_hub_has(const char *path)
{
    size_t length = sizeof sessions_path - 1;
    return strcmp(path, agents_path) == 0 ||
           (strncmp(path, sessions_path, length) == 0 && (!path[length] || path[length] == '/'));
}

/* --- Waiting requests --- */

/* In the thread of the games. A suspended connection cannot end, so it may be resumed without the
 * lock; with the lock, the server's thread and this one could wait for each other. */
static void on_change(void *owner)
{
    struct session_hub *hub = owner;
    struct MHD_Connection *resumed[SESSION_HUB_MAX_WAITING];
    size_t count = 0;
    int64_t now_ns = clock_now_ns();
    pthread_mutex_lock(&hub->lock);
    for (size_t i = 0; i < hub->waiting;) {
        const struct session_waiter *one = &hub->waiters[i];
        if (hub->is_ending || now_ns >= one->until_ns ||
            game_sessions_version(hub->sessions, one->id) != one->after) {
            resumed[count++] = one->connection;
            hub->waiters[i] = hub->waiters[--hub->waiting];
        } else {
            i++;
        }
    }
    pthread_mutex_unlock(&hub->lock);
    for (size_t i = 0; i < count; i++) {
        MHD_resume_connection(resumed[i]);
    }
}

void session_hub_init(struct session_hub *hub, struct game_sessions *sessions, const char *secret)
{
    hub->sessions = sessions;
    hub->secret = secret;
    pthread_mutex_init(&hub->lock, NULL);
}

void session_hub_listen(struct session_hub *hub)
{
    game_sessions_listen(hub->sessions, hub, on_change);
}

void session_hub_stop(struct session_hub *hub)
{
    if (!hub->sessions) {
        return;
    }
    pthread_mutex_lock(&hub->lock);
    hub->is_ending = true;
    pthread_mutex_unlock(&hub->lock);
    on_change(hub);
}

void session_hub_free(struct session_hub *hub)
{
    if (hub->sessions) {
        pthread_mutex_destroy(&hub->lock);
    }
}

/* Whether the request has to wait; then its connection is suspended. */
static bool is_waiting(struct session_hub *hub, struct MHD_Connection *connection, int64_t id,
                       int64_t after)
{
    pthread_mutex_lock(&hub->lock);
    bool must_wait = !hub->is_ending && hub->waiting < SESSION_HUB_MAX_WAITING &&
                     game_sessions_version(hub->sessions, id) == after;
    if (must_wait) {
        MHD_suspend_connection(connection);
        hub->waiters[hub->waiting++] = (struct session_waiter){
            connection, id, after, clock_now_ns() + SESSION_HUB_WAIT_MS * CLOCK_NS_PER_MS};
    }
    pthread_mutex_unlock(&hub->lock);
    return must_wait;
}

/* --- Answers --- */

static void refuse(struct session_answer *out, unsigned status, const char *why)
{
    out->status = status;
    note_set(&out->why, "%s", why);
}

static void refuse_err(struct session_answer *out, enum err err)
{
    out->status = err == ERR_INPUT      ? MHD_HTTP_BAD_REQUEST
                  : err == ERR_NEGATIVE ? MHD_HTTP_UNPROCESSABLE_CONTENT
                                        : MHD_HTTP_SERVICE_UNAVAILABLE;
}

static FILE *begin(struct session_answer *out)
{
    FILE *stream = open_memstream(&out->text, &out->size);
    out->status = MHD_HTTP_OK;
    if (!stream) {
        out->text = NULL;
        refuse(out, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory for the answer");
    }
    return stream;
}

static void refuse_missing(struct session_answer *out)
{
    free(out->text);
    out->text = NULL;
    refuse(out, MHD_HTTP_NOT_FOUND, "the server does not have this game any more");
}

static void list_agents(struct session_hub *hub, struct session_answer *out)
{
    const struct game_sessions_options *options = game_sessions_options(hub->sessions);
    FILE *stream = begin(out);
    if (!stream) {
        return;
    }
    struct json json = json_make(stream, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "agents");
    for (size_t i = 0; i < options->agent_count; i++) {
        const struct game *game = NULL;
        json_begin_object(&json, NULL);
        json_integer(&json, "id", (int64_t)i + 1);
        json_string(&json, "name", options->agents[i].name);
        json_begin_array(&json, "games");
        for (size_t at = 0; (game = registry_at(options->cpu_level, at)); at++) {
            if (game_agent_plays(&options->agents[i], game)) {
                json_string(&json, NULL, game->name);
            }
        }
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_string(&json, "sandbox", options->sandbox ? sandbox_level(options->sandbox) : NULL);
    json_integer(&json, "max_running", GAME_SESSIONS_MAX_RUNNING);
    json_end(&json);
    fclose(stream);
}

static void list_sessions(struct session_hub *hub, struct session_answer *out)
{
    FILE *stream = begin(out);
    if (stream) {
        game_sessions_write_list(hub->sessions, stream);
        fclose(stream);
    }
}

/* "person", "engine:5", "agent:1" */
static enum err read_seat(const struct api_query *query, const char *field, struct seat_wish *out,
                          struct note *why)
{
    static const char engine[] = "engine:";
    static const char agent[] = "agent:";
    const char *text = api_query_get(query, field);
    int64_t number = 0;
    enum err err = ERR_NONE;
    if (text && strcmp(text, "person") == 0) {
        *out = (struct seat_wish){SEAT_PERSON, 0};
    } else if (text && strncmp(text, engine, sizeof engine - 1) == 0) {
        err = number_read(text + sizeof engine - 1, "the level", 1, 10, &number, why);
        *out = (struct seat_wish){SEAT_ENGINE, (int)number};
    } else if (text && strncmp(text, agent, sizeof agent - 1) == 0) {
        err = number_read(text + sizeof agent - 1, "the agent", 1, GAME_SESSIONS_MAX_AGENTS,
                          &number, why);
        *out = (struct seat_wish){SEAT_AGENT, (int)number - 1};
    } else {
        err = note_fail(why, ERR_INPUT, "the field '%s' must be person, engine:LEVEL or agent:ID",
                        field);
    }
    return err;
}

static void create(struct session_hub *hub, const struct api_query *query,
                   struct session_answer *out)
{
    struct session_wish wish = {0};
    struct state start;
    int64_t is_timed = 0;
    int64_t id = 0;
    char tokens[2][GAME_SESSION_TOKEN_BYTES];
    enum cpu_level cpu = game_sessions_options(hub->sessions)->cpu_level;
    enum err err = api_query_position(query, cpu, &wish.game, &start, &out->why);
    err = err ? err : read_seat(query, "first", &wish.seats[0], &out->why);
    err = err ? err : read_seat(query, "second", &wish.seats[1], &out->why);
    err = err ? err : api_query_number(query, "timed", 0, 1, &is_timed, &out->why);
    wish.is_timed = is_timed;
    err = err ? err : game_sessions_create(hub->sessions, &wish, &id, tokens, &out->why);
    if (err) {
        refuse_err(out, err);
        return;
    }
    FILE *stream = begin(out);
    if (!stream) {
        return;
    }
    struct json json = json_make(stream, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_integer(&json, "id", id);
    json_begin_array(&json, "tokens");
    json_string(&json, NULL, tokens[0]);
    json_string(&json, NULL, tokens[1]);
    json_end(&json);
    json_end(&json);
    fclose(stream);
}

static void send_state(struct session_hub *hub, const struct session_request *request, int64_t id,
                       struct session_answer *out)
{
    int64_t after = -1;
    int64_t from = 0;
    enum err err = api_query_number(request->query, "after", 0, INT64_MAX, &after, &out->why);
    err =
        err ? err : api_query_number(request->query, "from", 0, JUDGE_MAX_PLIES, &from, &out->why);
    if (err) {
        refuse_err(out, err);
    } else if (!request->connection || after < 0 ||
               !is_waiting(hub, request->connection, id, after)) {
        FILE *stream = begin(out);
        bool is_found = stream && game_sessions_write(hub->sessions, id, (size_t)from, stream);
        if (stream) {
            fclose(stream);
        }
        if (stream && !is_found) {
            refuse_missing(out);
        }
    }
}

static void send_log(struct session_hub *hub, int64_t id, struct session_answer *out)
{
    FILE *stream = begin(out);
    if (!stream) {
        return;
    }
    bool is_found = game_sessions_write_log(hub->sessions, id, stream);
    fclose(stream);
    if (!is_found) {
        refuse_missing(out);
    }
}

/* --- Actions --- */

static enum err read_bid(const struct api_query *query, struct session_action *out,
                         struct note *why)
{
    int64_t colour = -1;
    if (!api_query_get(query, "colour") || !api_query_get(query, "price")) {
        return note_fail(why, ERR_INPUT, "a bid needs the fields 'colour' and 'price'");
    }
    enum err err = api_query_number(query, "colour", 0, 1, &colour, why);
    err = err ? err : api_query_number(query, "price", -999, 999, &out->bid.price, why);
    out->bid.colour = (int)colour;
    return err;
}

static enum err read_ply(const struct api_query *query, const struct game *game,
                         struct session_action *out, struct note *why)
{
    const char *move = api_query_get(query, "move");
    if (!move || !api_query_get(query, "ply")) {
        return note_fail(why, ERR_INPUT, "a move needs the fields 'move' and 'ply'");
    }
    enum err err = api_query_number(query, "ply", 0, JUDGE_MAX_PLIES, &out->ply, why);
    return err ? err : game_read_move(game, move, &out->move, why);
}

static const struct action_endpoint {
    const char *path;
    enum session_action_kind kind;
    const char *fields[3];
} actions[] = {
    {"/move", SESSION_MOVE, {"move", "ply"}},
    {"/bid", SESSION_BID, {"colour", "price"}},
    {"/resign", SESSION_RESIGN, {NULL}},
    {"/stop", SESSION_STOP, {NULL}},
};

static void act(struct session_hub *hub, const struct session_request *request, int64_t id,
                const struct action_endpoint *endpoint, struct session_answer *out)
{
    struct session_action action = {.kind = endpoint->kind};
    int seat = game_sessions_seat(hub->sessions, id, request->token ? request->token : "");
    if (seat < 0) {
        refuse(out, MHD_HTTP_FORBIDDEN, "this needs the token of a side, in the header Plum-Token");
        return;
    }
    enum err err = api_query_check(request->query, endpoint->path + 1, endpoint->fields, &out->why);
    if (!err && endpoint->kind == SESSION_BID) {
        err = read_bid(request->query, &action, &out->why);
    } else if (!err && endpoint->kind == SESSION_MOVE) {
        const struct game *game = game_sessions_game(hub->sessions, id);
        err = game ? read_ply(request->query, game, &action, &out->why) : ERR_NEGATIVE;
    }
    err = err ? err : game_sessions_act(hub->sessions, id, seat, &action, &out->why);
    FILE *stream = err ? NULL : begin(out);
    if (err) {
        refuse_err(out, err);
    } else if (stream) {
        fputs("{\"accepted\":true}", stream);
        fclose(stream);
    }
}

/* --- Requests --- */

/* Takes the same time for every wrong secret of the right length. */
static bool is_secret(const char *secret, const char *authorization)
{
    static const char bearer[] = "Bearer ";
    if (!authorization || strncmp(authorization, bearer, sizeof bearer - 1) != 0 ||
        strlen(authorization) - (sizeof bearer - 1) != strlen(secret)) {
        return false;
    }
    int difference = 0;
    for (size_t i = 0; secret[i]; i++) {
        difference |= secret[i] ^ authorization[sizeof bearer - 1 + i];
    }
    return difference == 0;
}

/* False: it was refused. */
static bool is_allowed(const struct session_hub *hub, const struct session_request *request,
                       struct session_answer *out)
{
    if (!hub->sessions) {
        refuse(out, MHD_HTTP_NOT_FOUND,
               "the server has no agents; start plum serve with --agent NAME=PLAYER");
    } else if (!is_secret(hub->secret, request->authorization)) {
        refuse(out, MHD_HTTP_UNAUTHORIZED,
               "this needs the key in the address that plum serve printed at its start");
    } else if (request->is_post && !request->origin) {
        refuse(out, MHD_HTTP_FORBIDDEN, "this request needs the header Origin, as a page sends it");
    } else {
        return true;
    }
    return false;
}

static bool has_method(const struct session_request *request, bool is_post,
                       struct session_answer *out)
{
    if (request->is_post == is_post) {
        return true;
    }
    refuse(out, MHD_HTTP_METHOD_NOT_ALLOWED,
           is_post ? "send this request by POST" : "send this request by GET");
    return false;
}

static bool has_fields(const struct session_request *request, const char *name,
                       const char *const *fields, struct session_answer *out)
{
    enum err err = api_query_check(request->query, name, fields, &out->why);
    if (err) {
        refuse_err(out, err);
    }
    return !err;
}

/* `rest` is what follows "sessions/". */
static void answer_one(struct session_hub *hub, const struct session_request *request,
                       const char *rest, struct session_answer *out)
{
    static const char *const state_fields[] = {"after", "from", NULL};
    static const char *const none[] = {NULL};
    char *part = NULL;
    int64_t id = *rest >= '1' && *rest <= '9' ? strtoll(rest, &part, 10) : 0;
    if (!part || !game_sessions_visit(hub->sessions, id)) {
        refuse_missing(out);
    } else if (!*part) {
        if (has_method(request, false, out) && has_fields(request, "session", state_fields, out)) {
            send_state(hub, request, id, out);
        }
    } else if (strcmp(part, "/log") == 0) {
        if (has_method(request, false, out) && has_fields(request, "log", none, out)) {
            send_log(hub, id, out);
        }
    } else {
        size_t at = 0;
        while (at < sizeof actions / sizeof actions[0] && strcmp(part, actions[at].path) != 0) {
            at++;
        }
        if (at == sizeof actions / sizeof actions[0]) {
            refuse(out, MHD_HTTP_NOT_FOUND, "a session has /log, /move, /bid, /resign and /stop");
        } else if (has_method(request, true, out)) {
            act(hub, request, id, &actions[at], out);
        }
    }
}

void session_hub_answer(struct session_hub *hub, const struct session_request *request,
                        struct session_answer *out)
{
    static const char *const create_fields[] = {"game", "first", "second", "timed", NULL};
    static const char *const none[] = {NULL};
    *out = (struct session_answer){0};
    if (!is_allowed(hub, request, out)) {
        return;
    }
    if (strcmp(request->path, agents_path) == 0) {
        if (has_method(request, false, out) && has_fields(request, agents_path, none, out)) {
            list_agents(hub, out);
        }
    } else if (strcmp(request->path, sessions_path) == 0 && !request->is_post) {
        if (has_fields(request, sessions_path, none, out)) {
            list_sessions(hub, out);
        }
    } else if (strcmp(request->path, sessions_path) == 0) {
        if (has_fields(request, sessions_path, create_fields, out)) {
            create(hub, request->query, out);
        }
    } else {
        answer_one(hub, request, request->path + sizeof sessions_path, out);
    }
}
