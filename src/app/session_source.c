#include "app/session_source.h"

#include <stdio.h>

#include "app/page_player.h"
#include "base/clock.h"
#include "sandbox/sandbox.h"

/* --- The list --- */

void session_source_lock(struct game_session *session)
{
    pthread_mutex_lock(&session->source->lock);
}

void session_source_unlock_changed(struct game_session *session)
{
    session->version++;
    session->source->has_news = true;
    pthread_mutex_unlock(&session->source->lock);
}

struct game_session *session_source_find(const struct session_source *s, int64_t id)
{
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        if (s->list[i] && s->list[i]->id == id) {
            return s->list[i];
        }
    }
    return NULL;
}

/* What runs now. The pool's thread alone ends games, so the list stays valid without the lock. */
static size_t list_running(struct session_source *s,
                           struct game_session *out[GAME_SESSIONS_MAX_RUNNING])
{
    size_t count = 0;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        if (s->list[i] && s->list[i]->is_running) {
            out[count++] = s->list[i];
        }
    }
    pthread_mutex_unlock(&s->lock);
    return count;
}

/* A game that is played keeps its place in the list, which is its number for the pool. */
static struct game_session *session_of(void *owner, const struct tournament_work *work)
{
    const struct session_source *s = owner;
    return s->list[work->pairing];
}

/* --- A game --- */

static struct player *make_player(void *owner, const struct tournament_work *work, int seat,
                                  struct note *why)
{
    return page_player_make(session_of(owner, work), seat, why);
}

/* The oldest one that has not begun. */
static bool next(void *owner, struct tournament_work *out)
{
    struct session_source *s = owner;
    int oldest = -1;
    pthread_mutex_lock(&s->lock);
    for (int i = 0; i < GAME_SESSIONS_MAX_KEPT; i++) {
        const struct game_session *session = s->list[i];
        if (session && session->is_running && !session->has_begun &&
            (oldest < 0 || session->id < s->list[oldest]->id)) {
            oldest = i;
        }
    }
    if (oldest >= 0) {
        s->list[oldest]->work = (struct tournament_work){.pairing = oldest, .to = 1};
        s->list[oldest]->has_begun = true;
        *out = s->list[oldest]->work;
    }
    pthread_mutex_unlock(&s->lock);
    return oldest >= 0;
}

static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    const struct session_source *s = owner;
    const struct game_session *session = session_of(owner, work);
    out->task = (struct pairing_task){
        .rules = {.judge = session->rules, .is_selfplay = true},
        .seed = (uint64_t)clock_unix_ms(),
        .date = session->date,
        .sandbox = s->options.sandbox ? sandbox_level(s->options.sandbox) : NULL,
        .specs = {session->seats[0].spec, session->seats[1].spec},
        .names = {session->seats[0].name, session->seats[1].name},
        .is_final = true,
    };
    if (s->options.python) {
        snprintf(out->task.rules.python, sizeof out->task.rules.python, "%s", s->options.python);
    }
}

static void on_event(void *owner, const struct pool_place *place, const struct game_event *event)
{
    struct game_session *session = session_of(owner, place->work);
    session_source_lock(session);
    game_session_receive(session, event);
    session_source_unlock_changed(session);
}

static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct game_session *session = session_of(owner, work);
    (void)machine;
    session_source_lock(session);
    game_session_finish(session, take_game);
    session_source_unlock_changed(session);
}

/* Abandons a game, unless it is over; its programs end either way. */
static void end_game(struct game_session *session, const char *why)
{
    session_source_lock(session);
    game_session_abandon(session, why);
    session->is_running = session->has_begun;
    session_source_unlock_changed(session);
    if (session->has_begun) {
        pool_end(session->source->pool, &session->work);
    }
}

/* Nothing of it is left running. */
static void on_done(void *owner, const struct tournament_work *work, enum err err,
                    const struct note *why)
{
    struct game_session *session = session_of(owner, work);
    session_source_lock(session);
    game_session_abandon(session, err ? why->text : "");
    session->is_running = false;
    session_source_unlock_changed(session);
}

/* --- Commands --- */

/* The answer may have become late after it was put into the mailbox. */
static void act(struct game_session *session, const struct session_action *action)
{
    const struct judge *judge = session->judge;
    struct player *person = session->person;
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

/* NULL: the game is over, and may be freed when the lock is released. */
static struct game_session *find_running(struct session_source *s, int64_t id)
{
    pthread_mutex_lock(&s->lock);
    struct game_session *session = session_source_find(s, id);
    bool is_running = session && session->is_running;
    pthread_mutex_unlock(&s->lock);
    return is_running ? session : NULL;
}

static void end_all(struct session_source *s)
{
    struct game_session *running[GAME_SESSIONS_MAX_RUNNING];
    size_t count = list_running(s, running);
    struct note why = {"the server was stopped"};
    for (size_t i = 0; i < count; i++) {
        end_game(running[i], why.text);
    }
    pool_stop(s->pool, ERR_NONE, &why);
}

/* One in a turn of the loop: pages can send them without an end. */
static bool on_wake(void *owner)
{
    struct session_source *s = owner;
    struct session_command command;
    bool is_found = mailbox_take(&s->commands, &command);
    if (is_found) {
        struct game_session *session = find_running(s, command.id);
        if (session) {
            act(session, &command.action);
        }
    } else if (mailbox_is_closed(&s->commands)) {
        end_all(s);
    }
    return is_found;
}

static bool is_over(void *owner, bool is_stopping)
{
    (void)owner;
    return is_stopping;
}

/* --- Time --- */

static void notify(struct session_source *s)
{
    pthread_mutex_lock(&s->lock);
    void *owner = s->owner;
    void (*on_change)(void *owner) = s->on_change;
    s->has_news = false;
    pthread_mutex_unlock(&s->lock);
    if (on_change) {
        on_change(owner);
    }
}

static void on_settled(void *owner)
{
    struct session_source *s = owner;
    struct game_session *running[GAME_SESSIONS_MAX_RUNNING];
    size_t count = list_running(s, running);
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < count; i++) {
        s->has_news |= game_session_update_turn(running[i]);
    }
    bool has_news = s->has_news;
    pthread_mutex_unlock(&s->lock);
    if (has_news) {
        notify(s);
    }
}

static void look_after(struct game_session *session, int64_t now_ns)
{
    struct session_source *s = session->source;
    pthread_mutex_lock(&s->lock);
    bool is_away = now_ns - session->seen_ns > s->options.away_ns;
    if (now_ns - session->log_wanted_ns < SESSION_SOURCE_LOG_WANTED_MS * CLOCK_NS_PER_MS) {
        for (int i = 0; i < 2 && session->has_begun; i++) {
            game_session_copy_logs(session, i, pool_player(s->pool, &session->work, i));
        }
    }
    bool is_ended = session->phase == SESSION_ENDED;
    pthread_mutex_unlock(&s->lock);
    if (is_away && !is_ended) {
        end_game(session, "its page was closed");
    }
}

static void on_tick(void *owner)
{
    struct session_source *s = owner;
    struct game_session *running[GAME_SESSIONS_MAX_RUNNING];
    size_t count = list_running(s, running);
    for (size_t i = 0; i < count; i++) {
        look_after(running[i], clock_now_ns());
    }
    notify(s);
}

static void on_remark(void *owner, const char *sentence)
{
    const struct session_source *s = owner;
    game_sink_send(&s->options.remarks,
                   &(struct game_event){.kind = GAME_EVENT_REMARK, .remark = sentence});
}

const struct pool_source session_source_calls = {
    .next = next,
    .describe = describe,
    .make_player = make_player,
    .on_event = on_event,
    .on_game = on_game,
    .on_done = on_done,
    .is_over = is_over,
    .on_wake = on_wake,
    .on_tick = on_tick,
    .on_settled = on_settled,
    .on_remark = on_remark,
};
