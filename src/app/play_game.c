#include "app/play_game.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "engine/bid.h"
#include "game/look.h"
#include "judge/recorder.h"

void play_game_begin(struct play_game *play, enum side person, const struct state *start)
{
    play->person = person;
    play->start = *start;
    play->now = *start;
}

struct auction_outcome play_game_auction(struct play_game *play, struct bid yours, uint64_t seed)
{
    struct bid bids[2] = {yours, engine_bid(play->game)};
    int lot = -1;
    struct auction_outcome outcome = play->game->auction(bids, lot);
    if (outcome.needs_lot) {
        lot = (int)game_draw_lot(seed);
        outcome = play->game->auction(bids, lot);
    }
    struct state start = play->game->start_with(outcome.budget);
    play->has_auction = true;
    play->bids = (struct bids){{bids[0], bids[1]}, lot};
    play_game_begin(play, outcome.colour[0], &start);
    return outcome;
}

void play_game_add(struct play_game *play, const struct move *move, const struct annotation *facts)
{
    assert(play->count < JUDGE_MAX_PLIES);
    play->plies[play->count++] = (struct play_ply){play->now, *move, *facts};
    enum err err = play->game->apply(&play->now, move, NULL);
    assert(!err);
    (void)err;
}

bool play_game_undo(struct play_game *play)
{
    if (play->is_resigned) {
        play->is_resigned = false;
        return true;
    }
    for (size_t i = play->count; i > 0; i--) {
        const struct play_ply *ply = &play->plies[i - 1];
        if (ply->move.kind == MOVE_PATH && play->game->to_move(&ply->before) == play->person) {
            play->now = ply->before;
            play->count = i - 1;
            return true;
        }
    }
    return false;
}

bool play_game_is_over(const struct play_game *play)
{
    return play->is_resigned || game_is_over(play->game, &play->now);
}

struct result play_game_result(const struct play_game *play)
{
    return play->is_resigned
               ? judge_forfeit_result(play->game, &play->now, play->person, "resigned")
               : play->game->result(&play->now);
}

const struct move *play_game_last(const struct play_game *play)
{
    return play->count ? &play->plies[play->count - 1].move : NULL;
}

/* --- The record --- */

static enum err add_tags(struct record *record, const struct play_game *play, struct note *why)
{
    char date[CLOCK_DATE_BYTES];
    char engine[32];
    clock_write_today(date);
    snprintf(engine, sizeof engine, "builtin:%d", play->level);
    const struct recorder_labels labels = {.date = date};
    struct recorder_game game = {
        .game = play->game,
        .result = play_game_result(play),
        .start = play->has_auction ? NULL : &play->start,
        .bids = play->has_auction ? &play->bids : NULL,
    };
    game.names[play->person] = "human";
    game.names[side_other(play->person)] = engine;
    return recorder_add_tags(record, &game, &labels, why);
}

static enum err add_plies(struct record *record, const struct play_game *play, struct note *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < play->count; i++) {
        const struct play_ply *ply = &play->plies[i];
        err = recorder_add_move(record, play->game, (int)i + 1, play->game->to_move(&ply->before),
                                &ply->move, &ply->facts, why);
    }
    return err;
}

static enum err write_record(const struct record *record, const char *path, struct note *why)
{
    struct atomic_file file = {0};
    enum err err = atomic_file_open(&file, path, why);
    err = err ? err : record_write(record, file.stream, why);
    err = err ? err : atomic_file_commit(&file, why);
    atomic_file_discard(&file);
    return err;
}

enum err play_game_save(const struct play_game *play, const char *path, struct note *why)
{
    struct record record = {0};
    enum err err = add_tags(&record, play, why);
    if (err || (err = add_plies(&record, play, why))) {
        goto out;
    }
    err = write_record(&record, path, why);
out:
    record_free(&record);
    return err;
}

/* --- The engine's opinion --- */

void play_game_opinion(const struct game *game, const struct engine_report *report,
                       char out[PLAY_OPINION_BYTES])
{
    enum { EVEN = 25 };
    int size = abs(report->score);
    const char *direction = report->score > 0 ? "ahead" : "behind";
    if (size > ENGINE_WIN_BOUND) {
        snprintf(out, PLAY_OPINION_BYTES, "sees that it %s in %d",
                 report->score > 0 ? "wins" : "loses", ENGINE_WIN - size);
    } else if (report->is_exact && size == 0) {
        snprintf(out, PLAY_OPINION_BYTES, "has seen the end: a draw");
    } else if (report->is_exact) {
        snprintf(out, PLAY_OPINION_BYTES, "has seen the end: %d %s %s", size / 100,
                 game->look->unit, direction);
    } else if (size < EVEN) {
        snprintf(out, PLAY_OPINION_BYTES, "finds the game even");
    } else {
        snprintf(out, PLAY_OPINION_BYTES, "sees itself %d.%d %s %s", size / 100, size % 100 / 10,
                 game->look->unit, direction);
    }
}

/* --- Moves as people type them --- */

static bool is_between(char c) { return strchr(" \t-,;:>()", c) != NULL; }

/* The digits, two for each square. */
static enum err read_squares(const struct game *game, const char *text, struct move *out,
                             struct note *why)
{
    struct move move = {.kind = MOVE_PATH};
    int row = -1;
    for (const char *at = text; *at; at++) {
        int digit = *at - '0';
        if (is_between(*at)) {
            continue;
        }
        if (digit < 0 || digit > 9 || move.count == GAME_MAX_PATH) {
            return note_fail(why, ERR_INPUT,
                             "a move is at most %d squares, each a row and a column: %s",
                             GAME_MAX_PATH, game->path_min > 1 ? "10-12" : "23");
        }
        if (row < 0) {
            row = digit;
            continue;
        }
        if (row >= game->rows || digit >= game->columns) {
            return note_fail(why, ERR_INPUT,
                             "square %d%d is off the board: rows are 0 to %d, columns 0 to %d", row,
                             digit, game->rows - 1, game->columns - 1);
        }
        move.squares[move.count++] = (uint8_t)(row * game->columns + digit);
        row = -1;
    }
    if (row >= 0 || move.count == 0) {
        return note_fail(why, ERR_INPUT, "a square is two digits, its row and its column");
    }
    *out = move;
    return ERR_NONE;
}

static bool has_ends_of(const struct move *move, const struct move *wanted)
{
    return move->kind == MOVE_PATH && move->squares[0] == wanted->squares[0] &&
           move->squares[move->count - 1] == wanted->squares[wanted->count - 1];
}

static size_t keep_from(struct move *moves, size_t count, int square)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (moves[i].kind == MOVE_PATH && moves[i].squares[0] == square) {
            moves[kept++] = moves[i];
        }
    }
    return kept;
}

enum err play_game_read_move(const struct game *game, const struct state *state, const char *text,
                             struct move *out, size_t *count, struct note *why)
{
    struct move typed;
    struct state after = *state;
    enum err err = read_squares(game, text, &typed, why);
    if (err) {
        return err;
    }
    err = game->apply(&after, &typed, why);
    if (!err) {
        out[0] = typed;
        *count = 1;
        return ERR_NONE;
    }
    size_t legal = typed.count == 2 ? game->moves(state, out) : 0;
    size_t found = 0;
    for (size_t i = 0; i < legal; i++) {
        if (has_ends_of(&out[i], &typed)) {
            out[found++] = out[i];
        }
    }
    *count = found;
    return found ? ERR_NONE : err;
}

enum err play_game_moves_from(const struct game *game, const struct state *state, const char *text,
                              struct move *out, size_t *count, struct note *why)
{
    struct move typed;
    enum err err = read_squares(game, text, &typed, why);
    if (!err && typed.count != 1) {
        err = note_fail(why, ERR_INPUT, "name one square to see the moves from there");
    }
    if (err) {
        return err;
    }
    *count = keep_from(out, game->moves(state, out), typed.squares[0]);
    return ERR_NONE;
}
