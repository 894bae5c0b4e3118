#include "app/game_sessions.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sandbox/sandbox.h"

enum { LOG_WANTED_MS = 5000 }; /* after this time without a request the logs are not copied */

enum command_kind { COMMAND_START, COMMAND_ACT };

struct session_command {
    enum command_kind kind;
    int64_t id; /* the session may be gone when the command is read */
    struct session_action action;
};

/* The person at a page: answers come from the queue of commands. */
struct page_player {
    struct player player;
    struct game_session *session;
};

struct game_sessions {
    struct game_sessions_options options;
    struct match_runner *runner; /* this and the handles are the thread's */
    uv_async_t wake;
    uv_timer_t timer;
    uv_prepare_t settled;
    pthread_t id;

    pthread_mutex_t lock; /* guards everything below it, and the sessions */
    bool is_ending;
    bool has_news;
    void *owner;
    void (*on_change)(void *owner);
    int64_t last_id;
    struct game_session *list[GAME_SESSIONS_MAX_KEPT]; /* NULL: a free place */
    struct session_command commands[GAME_SESSIONS_MAX_COMMANDS];
    size_t command_count;
};

/* --- The person --- */

/* With the lock. */
static void change(struct game_session *session)
{
    session->version++;
    session->sessions->has_news = true;
}

static void expect(struct player *player, enum seat_wait wait)
{
    struct page_player *self = (struct page_player *)player;
    struct game_session *session = self->session;
    pthread_mutex_lock(&session->sessions->lock);
    session->wait = wait;
    if (wait == SEAT_BIDS) {
        session->phase = SESSION_BIDDING;
    }
    change(session);
    pthread_mutex_unlock(&session->sessions->lock);
}

static void page_begin(struct player *player, const struct player_view *view)
{
    (void)view;
    player_report_now(player, (struct player_event){.kind = PLAYER_READY});
}

static void page_ask_bid(struct player *player, const struct player_view *view)
{
    (void)view;
    expect(player, SEAT_BIDS);
}

static int64_t page_ask_move(struct player *player, const struct player_view *view)
{
    (void)view;
    expect(player, SEAT_MOVES);
    return clock_now_ns();
}

static void page_forget(struct player *player) { expect(player, SEAT_WAITS_FOR_NOTHING); }

static void page_close(struct player *player)
{
    player_report_now(player, (struct player_event){.kind = PLAYER_CLOSED});
}

static const struct player_class page_class = {
    .begin = page_begin,
    .ask_bid = page_ask_bid,
    .ask_move = page_ask_move,
    .forget = page_forget,
    .close = page_close,
    .free = player_free,
};

/* --- The thread --- */

static struct player *make_person(struct match_run *run, int seat, struct note *why)
{
    struct page_player *self = player_new(sizeof *self, &page_class, run->names[seat], why);
    if (!self) {
        return NULL;
    }
    self->session = run->sink.owner;
    return &self->player;
}

static struct game_session *find(struct game_sessions *sessions, int64_t id)
{
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        if (sessions->list[i] && sessions->list[i]->id == id) {
            return sessions->list[i];
        }
    }
    return NULL;
}

static void on_game_event(void *owner, const struct game_event *event)
{
    struct game_session *session = owner;
    pthread_mutex_lock(&session->sessions->lock);
    game_session_receive(session, event);
    change(session);
    pthread_mutex_unlock(&session->sessions->lock);
}

/* With the lock: nothing of it is left running. */
static void finish(struct game_session *session, const struct note *why)
{
    session->is_running = false;
    session->judge = NULL;
    session->asked = -1;
    session->wait = SEAT_WAITS_FOR_NOTHING;
    if (session->phase != SESSION_OVER && session->phase != SESSION_ENDED) {
        session->phase = SESSION_ENDED;
        session->why = *why;
    }
    change(session);
}

static void on_match_done(struct match_run *run, enum err err, const struct note *why)
{
    struct game_session *session = run->sink.owner;
    (void)err;
    match_free(run->match);
    pthread_mutex_lock(&session->sessions->lock);
    run->match = NULL;
    finish(session, why);
    pthread_mutex_unlock(&session->sessions->lock);
}

/* Abandons a game, unless it is over; its programs end either way. */
static void end_game(struct game_session *session, const char *why)
{
    pthread_mutex_lock(&session->sessions->lock);
    session->judge = NULL;
    session->asked = -1;
    session->wait = SEAT_WAITS_FOR_NOTHING;
    if (session->phase != SESSION_OVER && session->phase != SESSION_ENDED) {
        session->phase = SESSION_ENDED;
        note_set(&session->why, "%s", why);
    }
    change(session);
    pthread_mutex_unlock(&session->sessions->lock);
    if (session->run.match) {
        match_stop(session->run.match);
    }
}

static void start_game(struct game_session *session)
{
    struct note why = session->why;
    bool is_ended = session->phase == SESSION_ENDED; /* before it began */
    if (is_ended || match_runner_start(session->sessions->runner, &session->run, &why)) {
        pthread_mutex_lock(&session->sessions->lock);
        finish(session, &why);
        pthread_mutex_unlock(&session->sessions->lock);
    }
}

/* The answer may have become late after it was put into the queue. */
static void act(struct game_session *session, const struct session_action *action)
{
    const struct judge *judge = session->judge;
    struct player *person = NULL;
    for (int i = 0; i < 2; i++) {
        person = session->seats[i].kind == SEAT_PERSON ? session->run.players[i] : person;
    }
    if (action->kind == SESSION_STOP) {
        /* A game that ended a moment ago has its result, and its programs are ending. */
        if (!session->has_resigned && (!judge || judge->phase != JUDGE_DONE)) {
            end_game(session, "it was ended in the page");
        }
    } else if (!person) {
        if (action->kind == SESSION_RESIGN) {
            end_game(session, "its player resigned before it began");
        }
    } else if (action->kind == SESSION_BID) {
        player_report_now(person, (struct player_event){.kind = PLAYER_BID, .bid = action->bid});
    } else if (action->kind == SESSION_RESIGN) {
        session->has_resigned = true;
        player_report_now(person, (struct player_event){.kind = PLAYER_RESIGNS});
    } else if (judge && (int64_t)judge->move_count == action->ply) {
        player_report_now(person, (struct player_event){.kind = PLAYER_MOVE, .move = action->move});
    }
}

/* `*session` is NULL unless its game runs: a game that is over may be freed when the lock is
 * released. */
static bool take_command(struct game_sessions *sessions, struct session_command *out,
                         struct game_session **session)
{
    pthread_mutex_lock(&sessions->lock);
    bool is_taken = sessions->command_count > 0;
    if (is_taken) {
        *out = sessions->commands[0];
        sessions->command_count--;
        memmove(sessions->commands, sessions->commands + 1,
                sessions->command_count * sizeof sessions->commands[0]);
        *session = find(sessions, out->id);
        if (*session && !(*session)->is_running) {
            *session = NULL;
        }
    }
    pthread_mutex_unlock(&sessions->lock);
    return is_taken;
}

/* What runs now. The thread alone ends games, so the list stays valid without the lock. */
static size_t list_running(struct game_sessions *sessions,
                           struct game_session *out[GAME_SESSIONS_MAX_RUNNING])
{
    size_t count = 0;
    pthread_mutex_lock(&sessions->lock);
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        if (sessions->list[i] && sessions->list[i]->is_running) {
            out[count++] = sessions->list[i];
        }
    }
    pthread_mutex_unlock(&sessions->lock);
    return count;
}

/* One in a turn of the loop: pages can send them without an end. */
static void on_wake(uv_async_t *wake)
{
    struct game_sessions *sessions = wake->data;
    struct session_command command;
    struct game_session *session = NULL;
    if (!take_command(sessions, &command, &session)) {
        return;
    }
    if (session && command.kind == COMMAND_START) {
        start_game(session);
    } else if (session) {
        act(session, &command.action);
    }
    uv_async_send(wake);
}

static bool is_ending(struct game_sessions *sessions)
{
    pthread_mutex_lock(&sessions->lock);
    bool is_ending = sessions->is_ending;
    pthread_mutex_unlock(&sessions->lock);
    return is_ending;
}

static void notify(struct game_sessions *sessions)
{
    pthread_mutex_lock(&sessions->lock);
    void *owner = sessions->owner;
    void (*on_change)(void *owner) = sessions->on_change;
    sessions->has_news = false;
    pthread_mutex_unlock(&sessions->lock);
    if (on_change) {
        on_change(owner);
    }
}

static void close_all(struct game_sessions *sessions)
{
    uv_close((uv_handle_t *)&sessions->wake, NULL);
    uv_close((uv_handle_t *)&sessions->timer, NULL);
    uv_close((uv_handle_t *)&sessions->settled, NULL);
    match_runner_close(sessions->runner);
}

/* Before the loop waits: every judge has done its work. */
static void on_settled(uv_prepare_t *settled)
{
    struct game_sessions *sessions = settled->data;
    struct game_session *running[GAME_SESSIONS_MAX_RUNNING];
    size_t count = list_running(sessions, running);
    pthread_mutex_lock(&sessions->lock);
    for (size_t i = 0; i < count; i++) {
        sessions->has_news |= game_session_update_turn(running[i]);
    }
    bool has_news = sessions->has_news;
    pthread_mutex_unlock(&sessions->lock);
    if (has_news) {
        notify(sessions);
    }
    if (count == 0 && is_ending(sessions)) {
        close_all(sessions);
    }
}

static void look_after(struct game_session *session, int64_t now_ns)
{
    struct game_sessions *sessions = session->sessions;
    pthread_mutex_lock(&sessions->lock);
    bool is_away = now_ns - session->seen_ns > sessions->options.away_ns;
    if (now_ns - session->log_wanted_ns < LOG_WANTED_MS * CLOCK_NS_PER_MS) {
        game_session_copy_logs(session);
    }
    bool is_ended = session->phase == SESSION_ENDED;
    pthread_mutex_unlock(&sessions->lock);
    if (is_away && !is_ended) {
        end_game(session, "its page was closed");
    }
}

static void on_tick(uv_timer_t *timer)
{
    struct game_sessions *sessions = timer->data;
    struct game_session *running[GAME_SESSIONS_MAX_RUNNING];
    size_t count = list_running(sessions, running);
    bool must_end = is_ending(sessions);
    for (size_t i = 0; i < count; i++) {
        look_after(running[i], clock_now_ns());
        if (must_end) {
            end_game(running[i], "the server was stopped");
        }
    }
    notify(sessions);
}

static void *serve(void *argument)
{
    struct game_sessions *sessions = argument;
    match_runner_finish(sessions->runner);
    return NULL;
}

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

static void open_handles(struct game_sessions *sessions)
{
    uv_loop_t *loop = match_runner_loop(sessions->runner);
    uv_async_init(loop, &sessions->wake, on_wake);
    uv_timer_init(loop, &sessions->timer);
    uv_prepare_init(loop, &sessions->settled);
    sessions->wake.data = sessions->timer.data = sessions->settled.data = sessions;
    uv_timer_start(&sessions->timer, on_tick, GAME_SESSIONS_TICK_MS, GAME_SESSIONS_TICK_MS);
    uv_prepare_start(&sessions->settled, on_settled);
}

enum err game_sessions_start(const struct game_sessions_options *options,
                             struct game_sessions **out, struct note *why)
{
    struct game_sessions *sessions = calloc(1, sizeof *sessions);
    if (!sessions) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for the games of agents");
    }
    sessions->options = *options;
    pthread_mutex_init(&sessions->lock, NULL);
    const struct match_runner_setup setup = {
        .cpu_level = options->cpu_level,
        .sandbox = options->sandbox,
        .python = options->python,
        .slots = GAME_SESSIONS_MAX_RUNNING,
        .has_tcp = has_tcp(options),
        .sink = options->remarks,
    };
    enum err err = match_runner_open(&sessions->runner, &setup, why);
    if (err) {
        game_sessions_free(sessions);
        return err;
    }
    open_handles(sessions);
    int error = pthread_create(&sessions->id, NULL, serve, sessions);
    if (error) {
        close_all(sessions);
        match_runner_finish(sessions->runner);
        game_sessions_free(sessions);
        return note_fail(why, ERR_ENVIRONMENT, "cannot start a thread: %s", strerror(error));
    }
    *out = sessions;
    return ERR_NONE;
}

void game_sessions_listen(struct game_sessions *sessions, void *owner,
                          void (*on_change)(void *owner))
{
    pthread_mutex_lock(&sessions->lock);
    sessions->owner = owner;
    sessions->on_change = on_change;
    pthread_mutex_unlock(&sessions->lock);
}

void game_sessions_stop(struct game_sessions *sessions)
{
    pthread_mutex_lock(&sessions->lock);
    sessions->is_ending = true;
    uv_async_send(&sessions->wake);
    pthread_mutex_unlock(&sessions->lock);
    pthread_join(sessions->id, NULL);
}

void game_sessions_free(struct game_sessions *sessions)
{
    if (!sessions) {
        return;
    }
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        game_session_free(sessions->list[i]);
    }
    pthread_mutex_destroy(&sessions->lock);
    free(sessions);
}

const struct game_sessions_options *game_sessions_options(const struct game_sessions *sessions)
{
    return &sessions->options;
}

/* --- New games --- */

/* Without network namespaces all tcp programs connect to one port, where those of one team cannot
 * be told apart. */
static bool shares_port(const struct game_sessions *sessions, const struct player_spec *spec)
{
    return spec && spec->kind == PLAYER_TCP &&
           !(sessions->options.sandbox->features & SANDBOX_NAMESPACES);
}

static bool is_team(const struct player_spec *spec, int team)
{
    return spec && spec->kind == PLAYER_TCP && spec->team == team;
}

static bool is_team_playing(const struct game_sessions *sessions, int team)
{
    bool is_playing = false;
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        const struct game_session *other = sessions->list[i];
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
    if (wanted->number < 0 || (size_t)wanted->number >= sessions->options.agent_count) {
        return note_fail(why, ERR_INPUT, "there is no agent %d", wanted->number + 1);
    }
    const struct game_agent *agent = &sessions->options.agents[wanted->number];
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

static void set_up_run(struct game_session *session, const struct session_wish *wish, int slot)
{
    struct match_options *match = &session->run.options;
    const struct sandbox *sandbox = session->sessions->options.sandbox;
    match->rules = judge_rules_usual(wish->game);
    match->rules.has_auction = wish->game->auction != NULL;
    session->has_start = !wish->game->auction;
    session->start = session->now = match->rules.start;
    session->colour[1] = SIDE_WHITE;
    clock_write_today(session->date);
    match->date = session->date;
    match->games = 1;
    match->keeps_records = true;
    match->sandbox = sandbox ? sandbox_level(sandbox) : NULL;
    match->seed = (uint64_t)clock_unix_ms();
    session->run.first_slot = slot;
    session->run.make_player = make_person;
    session->run.sink = (struct game_sink){session, on_game_event};
    session->run.on_done = on_match_done;
    for (int i = 0; i < 2; i++) {
        session->run.specs[i] = session->seats[i].spec;
        session->run.names[i] = session->seats[i].name;
        match->rules.is_untimed[i] = session->seats[i].kind == SEAT_PERSON && !wish->is_timed;
    }
}

/* A slot of the runner that no game uses; -1: none. */
static int free_slot(const struct game_sessions *sessions)
{
    bool is_used[GAME_SESSIONS_MAX_RUNNING] = {false};
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        const struct game_session *session = sessions->list[i];
        if (session && session->is_running) {
            is_used[session->run.first_slot] = true;
        }
    }
    for (int slot = 0; slot < GAME_SESSIONS_MAX_RUNNING; slot++) {
        if (!is_used[slot]) {
            return slot;
        }
    }
    return -1;
}

/* A place for another session: a free one, or that of the oldest that is over. */
static struct game_session **free_place(struct game_sessions *sessions)
{
    struct game_session **oldest = NULL;
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        struct game_session **place = &sessions->list[i];
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

static enum err add_command(struct game_sessions *sessions, const struct session_command *command,
                            struct note *why)
{
    if (sessions->command_count == GAME_SESSIONS_MAX_COMMANDS) {
        return note_fail(why, ERR_ENVIRONMENT, "too many requests are waiting; try again");
    }
    sessions->commands[sessions->command_count++] = *command;
    uv_async_send(&sessions->wake);
    return ERR_NONE;
}

/* With the lock. */
static enum err admit(struct game_sessions *sessions, const struct session_wish *wish,
                      struct game_session *session, struct note *why)
{
    int slot = free_slot(sessions);
    if (sessions->is_ending || slot < 0) {
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
    session->id = sessions->last_id + 1;
    enum err err = add_command(
        sessions, &(struct session_command){.kind = COMMAND_START, .id = session->id}, why);
    if (err) {
        return err;
    }
    sessions->last_id++;
    session->sessions = sessions;
    session->is_running = true;
    session->asked = -1;
    session->seen_ns = clock_now_ns();
    session->log_wanted_ns = session->seen_ns - LOG_WANTED_MS * CLOCK_NS_PER_MS;
    set_up_run(session, wish, slot);
    *free_place(sessions) = session;
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
    pthread_mutex_lock(&sessions->lock);
    err = admit(sessions, wish, session, why);
    if (!err) {
        *id = session->id;
        memcpy(tokens[0], session->seats[0].token, sizeof tokens[0]);
        memcpy(tokens[1], session->seats[1].token, sizeof tokens[1]);
    } else {
        free(session);
    }
    pthread_mutex_unlock(&sessions->lock);
    return err;
}

/* --- What pages ask for --- */

bool game_sessions_visit(struct game_sessions *sessions, int64_t id)
{
    pthread_mutex_lock(&sessions->lock);
    struct game_session *session = find(sessions, id);
    if (session) {
        session->seen_ns = clock_now_ns();
    }
    pthread_mutex_unlock(&sessions->lock);
    return session;
}

int64_t game_sessions_version(struct game_sessions *sessions, int64_t id)
{
    pthread_mutex_lock(&sessions->lock);
    const struct game_session *session = find(sessions, id);
    int64_t version = session ? session->version : -1;
    pthread_mutex_unlock(&sessions->lock);
    return version;
}

int game_sessions_seat(struct game_sessions *sessions, int64_t id, const char *token)
{
    pthread_mutex_lock(&sessions->lock);
    const struct game_session *session = find(sessions, id);
    int seat = session ? game_session_seat(session, token) : -1;
    pthread_mutex_unlock(&sessions->lock);
    return seat;
}

const struct game *game_sessions_game(struct game_sessions *sessions, int64_t id)
{
    pthread_mutex_lock(&sessions->lock);
    const struct game_session *session = find(sessions, id);
    const struct game *game = session ? session->run.options.rules.game : NULL;
    pthread_mutex_unlock(&sessions->lock);
    return game;
}

void game_sessions_write_list(struct game_sessions *sessions, FILE *out)
{
    struct json json = json_make(out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "sessions");
    pthread_mutex_lock(&sessions->lock);
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        if (sessions->list[i]) {
            game_session_write_head(sessions->list[i], &json);
        }
    }
    pthread_mutex_unlock(&sessions->lock);
    json_end(&json);
    json_end(&json);
}

bool game_sessions_write(struct game_sessions *sessions, int64_t id, size_t from, FILE *out)
{
    struct json json = json_make(out, JSON_COMPACT);
    pthread_mutex_lock(&sessions->lock);
    const struct game_session *session = find(sessions, id);
    if (session) {
        game_session_write(session, &json, from, clock_now_ns());
    }
    pthread_mutex_unlock(&sessions->lock);
    return session;
}

bool game_sessions_write_log(struct game_sessions *sessions, int64_t id, FILE *out)
{
    struct json json = json_make(out, JSON_COMPACT);
    pthread_mutex_lock(&sessions->lock);
    struct game_session *session = find(sessions, id);
    if (session) {
        session->log_wanted_ns = clock_now_ns();
        game_session_write_log(session, &json);
    }
    pthread_mutex_unlock(&sessions->lock);
    return session;
}

enum err game_sessions_act(struct game_sessions *sessions, int64_t id, int seat,
                           const struct session_action *action, struct note *why)
{
    pthread_mutex_lock(&sessions->lock);
    struct game_session *session = find(sessions, id);
    enum err err = ERR_NEGATIVE;
    if (session) {
        err = game_session_check(session, seat, action, why);
    } else {
        note_set(why, "there is no such game");
    }
    if (!err && session->is_running) {
        err = add_command(
            sessions, &(struct session_command){.kind = COMMAND_ACT, .id = id, .action = *action},
            why);
    }
    if (!err) {
        session->wait = SEAT_WAITS_FOR_NOTHING; /* the same request again is refused */
        change(session);
    }
    pthread_mutex_unlock(&sessions->lock);
    return err;
}
