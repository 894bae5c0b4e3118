#include "report/json_game.h"

#include "base/clock.h"
#include "engine/bid.h"
#include "engine/level.h"
#include "report/caption.h"

enum { BID_PAYMENT_STEP = 20 };

/* --- Games and levels. --- */

/* Like the board in a position: whose target region each square is. */
static void write_zones(struct json *json, const struct game *game)
{
    static const char letters[] = {[ZONE_NONE] = '.', [ZONE_BLACK] = 'X', [ZONE_WHITE] = 'O'};
    char text[GAME_POSITION_BYTES];
    size_t used = 0;
    for (int square = 0; square < game->rows * game->columns; square++) {
        if (square && square % game->columns == 0) {
            text[used++] = '/';
        }
        text[used++] = letters[game->zone ? game->zone(square) : ZONE_NONE];
    }
    text[used] = '\0';
    json_string(json, "zones", text);
}

static void write_phrases(struct json *json, const char *name, const struct game_reason *list)
{
    json_begin_object(json, name);
    for (; list->word; list++) {
        json_string(json, list->word, list->phrase);
    }
    json_end(json);
}

void json_game_phrases(struct json *json, const struct game *game)
{
    write_phrases(json, "endings", game->reasons);
    write_phrases(json, "losses", caption_losses);
}

void json_game_info(struct json *json, const struct game *game)
{
    char position[GAME_POSITION_BYTES];
    struct state start = game->start();
    game->write_position(&start, position);
    json_begin_object(json, NULL);
    json_string(json, "name", game->name);
    json_string(json, "summary", game->summary);
    json_integer(json, "rows", game->rows);
    json_integer(json, "columns", game->columns);
    json_fixed(json, "time_limit_s", game->time_limit_s, 3);
    json_bool(json, "auction", game->auction);
    write_zones(json, game);
    json_string(json, "start", position);
    json_game_phrases(json, game);
    json_end(json);
}

void json_game_level(struct json *json, int level)
{
    const struct level_words *words = level_words(level);
    json_begin_object(json, NULL);
    json_integer(json, "level", level);
    json_string(json, "name", words->name);
    json_string(json, "sentence", words->sentence);
    json_end(json);
}

static void write_chance(struct json *json, const struct game *game, enum side colour, int payment)
{
    json_fixed(json, side_name(colour), bid_chance(game, colour, payment) / 1000.0, 3);
}

void json_game_bid(struct json *json, const struct game *game)
{
    struct bid bid = engine_bid(game);
    json_begin_object(json, NULL);
    json_integer(json, "colour", bid.colour);
    json_integer(json, "price", bid.price);
    json_integer(json, "break_even", bid_break_even(game));
    json_begin_array(json, "chances");
    for (int payment = 0; payment <= bid_max_payment(game); payment += BID_PAYMENT_STEP) {
        json_begin_object(json, NULL);
        json_integer(json, "payment", payment);
        write_chance(json, game, SIDE_BLACK, payment);
        write_chance(json, game, SIDE_WHITE, payment);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

/* --- Positions and searches. --- */

void json_game_moves(struct json *json, const char *name, const struct game *game,
                     const struct move *moves, size_t count)
{
    char text[GAME_MOVE_BYTES];
    json_begin_array(json, name);
    for (size_t i = 0; i < count; i++) {
        game_write_move(game, &moves[i], text);
        json_string(json, NULL, text);
    }
    json_end(json);
}

void json_game_result(struct json *json, struct result result)
{
    json_begin_object(json, "result");
    json_string(json, "outcome", outcome_name(result.outcome));
    json_integer(json, "black", result.score[SIDE_BLACK]);
    json_integer(json, "white", result.score[SIDE_WHITE]);
    json_string(json, "reason", result.reason);
    json_end(json);
}

void json_game_position(struct json *json, const struct game *game, const struct state *state)
{
    struct move moves[GAME_MAX_MOVES];
    char text[GAME_POSITION_BYTES];
    char turn[CAPTION_BYTES];
    char status[GAME_STATUS_BYTES];
    game->write_position(state, text);
    game->status(state, status);
    caption_turn(game, state, turn);
    json_begin_object(json, NULL);
    json_string(json, "game", game->name);
    json_string(json, "position", text);
    json_string(json, "to_move", side_name(game->to_move(state)));
    json_string(json, "turn", turn);
    json_string(json, "status", status);
    json_bool(json, "over", game_is_over(game, state));
    json_game_result(json, game->result(state));
    json_game_moves(json, "moves", game, moves, game->moves(state, moves));
    json_end(json);
}

void json_game_search(struct json *json, const struct game *game,
                      const struct engine_report *report)
{
    char text[GAME_MOVE_BYTES];
    game_write_move(game, &report->move, text);
    json_begin_object(json, NULL);
    json_string(json, "move", text);
    json_integer(json, "score", report->score);
    json_integer(json, "depth", report->depth);
    json_bool(json, "exact", report->is_exact);
    json_integer(json, "nodes", (int64_t)report->nodes);
    json_integer(json, "time_ms", report->time_ns / CLOCK_NS_PER_MS);
    json_game_moves(json, "line", game, report->line.moves, (size_t)report->line.count);
    json_end(json);
}

/* --- Records. --- */

static void write_tags(struct json *json, const struct record *record)
{
    json_begin_object(json, "tags");
    for (int tag = 0; tag < RECORD_TAGS; tag++) {
        const char *value = record_tag(record, (enum record_tag)tag);
        if (value) {
            json_string(json, record_tag_name((enum record_tag)tag), value);
        }
    }
    for (size_t i = 0; i < record->other_tag_count; i++) {
        json_string(json, record_words(record, record->other_tags[i].name),
                    record_words(record, record->other_tags[i].value));
    }
    json_end(json);
}

static void write_annotation(struct json *json, const struct annotation *facts)
{
    const struct {
        const char *name;
        bool is_known;
        int64_t value;
    } numbers[] = {
        {"time_ns", facts->has_time, facts->time_ns},
        {"depth", facts->has_depth, facts->depth},
        {"score", facts->has_score, facts->score_hundredths},
        {"nodes", facts->has_nodes, facts->nodes},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].is_known) {
            json_integer(json, numbers[i].name, numbers[i].value);
        }
    }
    if (facts->has_fault) {
        json_string(json, "fault", fault_name(facts->fault));
    }
}

void json_game_ply(struct json *json, size_t number, enum side side, const char *move,
                   const char *position, const struct annotation *facts)
{
    json_begin_object(json, NULL);
    json_integer(json, "number", (int64_t)number);
    json_string(json, "side", side_name(side));
    json_string(json, "move", move);
    json_string(json, "position", position);
    write_annotation(json, facts);
    json_end(json);
}

/* The position after that many plies; NULL where the record could not be played so far. */
static const char *position_after(const struct replay *replay, size_t plies,
                                  char out[GAME_POSITION_BYTES])
{
    if (!replay->game || plies >= replay->state_count) {
        return NULL;
    }
    replay->game->write_position(&replay->states[plies], out);
    return out;
}

static void write_plies(struct json *json, const struct record *record, const struct replay *replay)
{
    char text[GAME_POSITION_BYTES];
    json_begin_array(json, "plies");
    for (size_t i = 0; i < record->ply_count; i++) {
        const struct record_turn *turn = &record->plies[i];
        json_game_ply(json, i + 1, turn->side, record_words(record, turn->move),
                      position_after(replay, i + 1, text), &turn->facts);
    }
    json_end(json);
}

static void write_closing(struct json *json, const struct record *record)
{
    if (!record->is_closed) {
        json_null(json, "closing");
        return;
    }
    json_begin_object(json, "closing");
    json_string(json, "side", side_name(record->closing.side));
    write_annotation(json, &record->closing.facts);
    json_end(json);
}

void json_game_record(struct json *json, size_t number, const struct record *record,
                      const struct replay *replay, int64_t at, const char *error)
{
    char text[GAME_POSITION_BYTES];
    json_begin_object(json, NULL);
    json_integer(json, "number", (int64_t)number);
    json_bool(json, "ok", !error);
    json_string(json, "error", error);
    json_string(json, "game", record_tag(record, RECORD_GAME));
    json_string(json, "result", record_tag(record, RECORD_RESULT));
    write_tags(json, record);
    json_string(json, "start", position_after(replay, 0, text));
    if (at >= 0) {
        json_string(json, "position", position_after(replay, (size_t)at, text));
    }
    write_plies(json, record, replay);
    write_closing(json, record);
    json_end(json);
}

/* --- Faults. --- */

void json_game_fault_counts(struct json *json, const char *name, const int64_t counts[FAULT_KINDS])
{
    json_begin_object(json, name);
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        if (counts[kind]) {
            json_integer(json, fault_name((enum fault)kind), counts[kind]);
        }
    }
    json_end(json);
}

void json_game_fault(struct json *json, const char *name, const struct game_fault *fault,
                     const struct json_fault_frame *frame)
{
    const struct {
        const char *name;
        const char *text;
    } texts[] = {
        {"team", frame->team},
        {"side", frame->side},
        {"opponent", frame->opponent},
        {"position", frame->hides_position ? NULL : fault->position},
        {"why", frame->hides_why ? NULL : fault->why.text},
        {"stderr", frame->errors},
        {"stdout", frame->output},
    };
    json_begin_object(json, name);
    json_string(json, "kind", fault_name(fault->kind));
    if (frame->game) {
        json_integer(json, "game", frame->game);
    }
    json_integer(json, "ply", fault->ply + 1);
    json_integer_or_null(json, "time_ms", fault->time_ms >= 0, fault->time_ms);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i].text) {
            json_string(json, texts[i].name, texts[i].text);
        }
    }
    json_end(json);
}
