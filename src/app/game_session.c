#include "app/game_session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/array.h"
#include "base/clock.h"
#include "judge/recorder.h"
#include "report/json_game.h"

bool game_session_draw_token(char out[GAME_SESSION_TOKEN_BYTES])
{
    unsigned char bytes[(GAME_SESSION_TOKEN_BYTES - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

/* Takes the same time for every wrong token. */
static bool is_token(const char *token, const char *given)
{
    bool has_length = strlen(given) == GAME_SESSION_TOKEN_BYTES - 1;
    int difference = has_length ? 0 : 1;
    for (size_t i = 0; has_length && i < GAME_SESSION_TOKEN_BYTES - 1; i++) {
        difference |= (unsigned char)token[i] ^ (unsigned char)given[i];
    }
    return difference == 0;
}

int game_session_seat(const struct game_session *session, const char *token)
{
    int seat = -1;
    for (int i = 0; i < 2; i++) {
        seat = is_token(session->seats[i].token, token) ? i : seat;
    }
    return seat;
}

enum err game_session_check(const struct game_session *session, int seat,
                            const struct session_action *action, struct note *why)
{
    if (action->kind == SESSION_STOP) {
        return ERR_NONE;
    }
    if (session->seats[seat].kind != SEAT_PERSON) {
        return note_fail(why, ERR_NEGATIVE, "no person plays this side");
    }
    if (session->phase == SESSION_OVER || session->phase == SESSION_ENDED) {
        return note_fail(why, ERR_NEGATIVE, "the game is over");
    }
    if (action->kind == SESSION_BID && session->wait != SEAT_BIDS) {
        return note_fail(why, ERR_NEGATIVE, "no bid is expected now");
    }
    if (action->kind != SESSION_MOVE) {
        return ERR_NONE;
    }
    if (session->wait != SEAT_MOVES) {
        return note_fail(why, ERR_NEGATIVE, "it is not your turn");
    }
    if (action->ply != (int64_t)session->ply_count) {
        return note_fail(why, ERR_NEGATIVE, "the game has continued: %zu plies were played",
                         session->ply_count);
    }
    if (action->move.kind == MOVE_SKIP) {
        return note_fail(why, ERR_NEGATIVE, "a skip is not a move: only the judge skips a turn");
    }
    struct state after = session->now;
    return session->rules.game->apply(&after, &action->move, why);
}

void game_session_free(struct game_session *session)
{
    if (!session) {
        return;
    }
    for (size_t i = 0; i < session->ply_count; i++) {
        free(session->plies[i]);
    }
    for (size_t i = 0; i < session->kept_faults; i++) {
        free(session->faults[i]);
    }
    for (int i = 0; i < 2; i++) {
        free(session->seats[i].errors);
        free(session->seats[i].output);
    }
    free(session->plies);
    free(session->faults);
    finished_game_free(&session->finished);
    free(session);
}

/* --- What happens in the game. --- */

/* Takes `text`. Without memory it is not shown; nothing else depends on it. */
static void add_text(char ***list, size_t *count, size_t *capacity, char *text)
{
    char **longer = text ? array_reserve(*list, capacity, *count + 1, sizeof **list) : NULL;
    if (!longer) {
        free(text);
        return;
    }
    *list = longer;
    longer[(*count)++] = text;
}

static void begin_play(struct game_session *session, const struct judge *judge)
{
    session->phase = SESSION_PLAYING;
    session->has_start = true;
    session->start = judge->start;
    session->now = judge->start;
    memcpy(session->colour, judge->colour, sizeof session->colour);
    session->has_bids = judge->rules.has_auction;
    session->bids = (struct bids){{judge->bids[0], judge->bids[1]}, judge->lot};
}

static void add_ply(struct game_session *session, const struct judge *judge,
                    const struct judge_ply *ply)
{
    const struct game *game = judge->rules.game;
    const struct annotation facts = recorder_annotation(ply);
    char move[GAME_MOVE_BYTES];
    char position[GAME_POSITION_BYTES];
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    session->now = judge->state;
    if (!out) {
        return;
    }
    game_write_move(game, &ply->move, move);
    game->write_position(&judge->state, position);
    struct json json = json_make(out, JSON_COMPACT);
    json_game_ply(&json, judge->move_count, ply->side, move, position, &facts);
    fclose(out);
    add_text(&session->plies, &session->ply_count, &session->ply_capacity, text);
}

static void add_fault(struct game_session *session, const struct game_fault *fault)
{
    char *text = NULL;
    size_t size = 0;
    session->fault_count[fault->player][fault->kind]++;
    FILE *out =
        session->kept_faults < GAME_SESSION_KEPT_FAULTS ? open_memstream(&text, &size) : NULL;
    if (!out) {
        return;
    }
    struct json json = json_make(out, JSON_COMPACT);
    json_game_fault(
        &json, NULL, fault,
        &(struct json_fault_frame){
            .team = session->seats[fault->player].name,
            .side = session->has_start ? side_name(session->colour[fault->player]) : NULL,
        });
    fclose(out);
    add_text(&session->faults, &session->kept_faults, &session->fault_capacity, text);
}

static void keep_stream(char **kept, const struct player *player, player_stream_fn *stream)
{
    char *text = player_read_stream(player, stream);
    if (text) {
        free(*kept);
        *kept = text;
    }
}

void game_session_copy_logs(struct game_session *session, int seat, const struct player *player)
{
    if (player) {
        keep_stream(&session->seats[seat].errors, player, player->class->log);
        keep_stream(&session->seats[seat].output, player, player->class->output);
    }
}

void game_session_receive(struct game_session *session, const struct game_event *event)
{
    session->judge = event->judge ? event->judge : session->judge;
    switch (event->kind) {
    case GAME_EVENT_START:
        begin_play(session, session->judge);
        break;
    case GAME_EVENT_PLY:
        add_ply(session, session->judge, event->ply);
        break;
    case GAME_EVENT_FAULT:
        add_fault(session, event->fault);
        break;
    case GAME_EVENT_PLAYER_CLOSED:
        game_session_copy_logs(session, event->player, event->closed);
        session->person = event->closed == session->person ? NULL : session->person;
        break;
    default:
        break;
    }
}

/* Nothing is expected of the players any more. */
static void end_turns(struct game_session *session)
{
    session->judge = NULL;
    session->asked = -1;
    session->wait = SEAT_WAITS_FOR_NOTHING;
}

void game_session_finish(struct game_session *session, const struct finished_game *take_game)
{
    end_turns(session);
    session->phase = SESSION_OVER;
    session->finished = *take_game;
    for (int i = 0; i < 2; i++) {
        session->colour[i] = take_game->summary.colour[i];
        session->thinking_ns[i] = take_game->summary.thinking_ms[i] * CLOCK_NS_PER_MS;
    }
}

void game_session_abandon(struct game_session *session, const char *why)
{
    end_turns(session);
    if (session->phase != SESSION_OVER && session->phase != SESSION_ENDED) {
        session->phase = SESSION_ENDED;
        note_set(&session->why, "%s", why);
    }
}

bool game_session_update_turn(struct game_session *session)
{
    const struct judge *judge = session->judge;
    if (!judge || (judge->asked == session->asked && judge->asked_ns == session->asked_ns)) {
        return false;
    }
    session->asked = judge->asked;
    session->asked_ns = judge->asked_ns;
    memcpy(session->thinking_ns, judge->thinking_ns, sizeof session->thinking_ns);
    session->version++;
    return true;
}

/* --- JSON. --- */

static void write_seat(const struct game_session *session, int seat, struct json *json)
{
    static const char *const kinds[] = {
        [SEAT_PERSON] = "person", [SEAT_ENGINE] = "engine", [SEAT_AGENT] = "agent"};
    const struct game_seat *one = &session->seats[seat];
    json_begin_object(json, NULL);
    json_string(json, "kind", kinds[one->kind]);
    json_string(json, "name", one->name);
    json_integer_or_null(json, "level", one->kind == SEAT_ENGINE, one->level);
    json_string(json, "side", session->has_start ? side_name(session->colour[seat]) : NULL);
    json_integer(json, "thinking_ms", session->thinking_ns[seat] / CLOCK_NS_PER_MS);
    json_game_fault_counts(json, "faults", session->fault_count[seat]);
    json_end(json);
}

static void write_players(const struct game_session *session, struct json *json)
{
    json_begin_array(json, "players");
    write_seat(session, 0, json);
    write_seat(session, 1, json);
    json_end(json);
}

static void write_turn(const struct game_session *session, struct json *json, int64_t now_ns)
{
    const struct judge_rules *rules = &session->rules;
    if (session->asked < 0) {
        json_null(json, "turn");
        return;
    }
    int64_t used_ns = now_ns > session->asked_ns ? now_ns - session->asked_ns : 0;
    json_begin_object(json, "turn");
    json_integer(json, "player", session->asked + 1);
    json_integer(json, "time_ms", used_ns / CLOCK_NS_PER_MS);
    json_integer_or_null(json, "limit_ms", !rules->is_untimed[session->asked],
                         rules->limit_ns / CLOCK_NS_PER_MS);
    json_end(json);
}

static void write_list(struct json *json, const char *name, char *const *list, size_t from,
                       size_t count)
{
    json_begin_array(json, name);
    for (size_t i = from; i < count; i++) {
        json_copy(json, NULL, list[i], strlen(list[i]));
    }
    json_end(json);
}

static const char *const phases[] = {
    [SESSION_STARTING] = "starting", [SESSION_BIDDING] = "bidding", [SESSION_PLAYING] = "playing",
    [SESSION_OVER] = "over",         [SESSION_ENDED] = "ended",
};

void game_session_write_head(const struct game_session *session, struct json *json)
{
    json_begin_object(json, NULL);
    json_integer(json, "id", session->id);
    json_string(json, "game", session->rules.game->name);
    json_string(json, "phase", phases[session->phase]);
    json_bool(json, "running", session->is_running);
    write_players(session, json);
    json_integer(json, "ply_count", (int64_t)session->ply_count);
    json_end(json);
}

void game_session_write(const struct game_session *session, struct json *json, size_t from,
                        int64_t now_ns)
{
    static const char *const waits[] = {
        [SEAT_WAITS_FOR_NOTHING] = NULL, [SEAT_BIDS] = "bid", [SEAT_MOVES] = "move"};
    const struct game *game = session->rules.game;
    char bids[BIDS_BYTES];
    char start[GAME_POSITION_BYTES];
    bids_write(&session->bids, bids);
    if (session->has_start) {
        game->write_position(&session->start, start);
    }
    json_begin_object(json, NULL);
    json_integer(json, "id", session->id);
    json_integer(json, "version", session->version);
    json_string(json, "game", game->name);
    json_string(json, "phase", phases[session->phase]);
    json_string(json, "why", session->phase == SESSION_ENDED ? session->why.text : NULL);
    json_bool(json, "running", session->is_running);
    write_players(session, json);
    json_string(json, "start", session->has_start ? start : NULL);
    json_string(json, "bids", session->has_bids ? bids : NULL);
    write_turn(session, json, now_ns);
    json_string(json, "expects", waits[session->wait]);
    json_integer(json, "ply_count", (int64_t)session->ply_count);
    write_list(json, "plies", session->plies, from, session->ply_count);
    write_list(json, "faults", session->faults, 0, session->kept_faults);
    if (session->phase == SESSION_OVER) {
        json_game_result(json, game_summary_result(&session->finished.summary));
    } else {
        json_null(json, "result");
    }
    json_bool(json, "forfeit",
              session->phase == SESSION_OVER && session->finished.summary.is_forfeit);
    json_string(json, "record", session->finished.record);
    json_end(json);
}

void game_session_write_log(const struct game_session *session, struct json *json)
{
    json_begin_object(json, NULL);
    json_begin_array(json, "players");
    for (int i = 0; i < 2; i++) {
        const struct game_seat *seat = &session->seats[i];
        json_begin_object(json, NULL);
        json_string(json, "name", seat->name);
        json_string(json, "stderr", seat->errors ? seat->errors : "");
        json_string(json, "stdout", seat->output ? seat->output : "");
        json_end(json);
    }
    json_end(json);
    json_end(json);
}
