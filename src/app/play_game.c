#include "app/play_game.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "engine/bid.h"
#include "game/game.h"
#include "judge/record.h"

void play_game_begin(struct play_game *play, enum side person, const struct state *start)
{
    play->person = person;
    play->start = *start;
    play->now = *start;
}

struct auction_outcome play_game_auction(struct play_game *play, struct bid yours, uint64_t seed)
{
    struct bid bids[2] = {yours, engine_bid()};
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
    struct result result = play->game->result(&play->now);
    enum side won = side_other(play->person);
    if (!play->is_resigned) {
        return result;
    }
    if (result.score[won] <= result.score[play->person]) {
        result.score[won] = result.score[play->person] + 1;
    }
    result.outcome = won == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    result.reason = "resigned";
    return result;
}

const struct move *play_game_last(const struct play_game *play)
{
    return play->count ? &play->plies[play->count - 1].move : NULL;
}

/* --- The record --- */

static enum err add_tag(struct record *record, enum record_tag tag, const char *value,
                        struct note *why)
{
    return record_add_tag(record, record_tag_name(tag), value, why);
}

static enum err add_players(struct record *record, const struct play_game *play, struct note *why)
{
    static const enum record_tag tags[2] = {RECORD_BLACK, RECORD_WHITE};
    char engine[32];
    snprintf(engine, sizeof engine, "builtin:%d", play->level);
    enum err err = add_tag(record, tags[play->person], "human", why);
    return err ? err : add_tag(record, tags[side_other(play->person)], engine, why);
}

static enum err add_result(struct record *record, const struct play_game *play, struct note *why)
{
    static const char *const words[] = {[OUTCOME_ONGOING] = "*",
                                        [OUTCOME_BLACK] = "1-0",
                                        [OUTCOME_WHITE] = "0-1",
                                        [OUTCOME_DRAW] = "1/2-1/2"};
    struct result result = play_game_result(play);
    char score[32];
    snprintf(score, sizeof score, "%d-%d", result.score[0], result.score[1]);
    enum err err = add_tag(record, RECORD_RESULT, words[result.outcome], why);
    if (!err) {
        err = add_tag(record, RECORD_SCORE, score, why);
    }
    if (!err && *result.reason) {
        err = add_tag(record, RECORD_REASON, result.reason, why);
    }
    return err;
}

/* The position or the bids that the game began with, unless it began as usual. */
static enum err add_start(struct record *record, const struct play_game *play, struct note *why)
{
    struct state usual = play->game->start();
    char text[GAME_POSITION_BYTES];
    if (play->has_auction) {
        char bids[BIDS_BYTES];
        bids_write(&play->bids, bids);
        return add_tag(record, RECORD_BIDS, bids, why);
    }
    if (memcmp(&usual, &play->start, sizeof usual) == 0) {
        return ERR_NONE;
    }
    play->game->write_position(&play->start, text);
    return add_tag(record, RECORD_START, text, why);
}

static enum err add_tags(struct record *record, const struct play_game *play, struct note *why)
{
    char date[CLOCK_DATE_BYTES];
    clock_write_today(date);
    enum err err = add_tag(record, RECORD_GAME, play->game->name, why);
    if (err || (err = add_tag(record, RECORD_DATE, date, why)) ||
        (err = add_players(record, play, why)) || (err = add_result(record, play, why))) {
        return err;
    }
    return add_start(record, play, why);
}

static enum err add_plies(struct record *record, const struct play_game *play, struct note *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < play->count; i++) {
        const struct play_ply *ply = &play->plies[i];
        char move[GAME_MOVE_BYTES];
        char comment[ANNOTATION_BYTES];
        game_write_move(play->game, &ply->move, move);
        annotation_write(&ply->facts, comment);
        err = record_add_ply(record, (int)i + 1, play->game->to_move(&ply->before), move,
                             *comment ? comment : NULL, why);
    }
    return err;
}

static enum err write_record(const struct record *record, const char *path, struct note *why)
{
    struct atomic_file file = {0};
    enum err err = atomic_file_open(&file, path, why);
    if (!err) {
        err = record_write(record, file.stream, why);
    }
    if (!err) {
        err = atomic_file_commit(&file, why);
    }
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

/* What the game counts, and a score is measured in. */
static const char *unit_of(const struct game *game)
{
    struct state start = game->start();
    for (int square = 0; square < game->rows * game->columns; square++) {
        switch (game->cell(&start, square).piece) {
        case PIECE_MAN:
            return "men";
        case PIECE_SOLDIER:
            return "soldiers";
        default:
            break;
        }
    }
    return "discs";
}

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
        snprintf(out, PLAY_OPINION_BYTES, "has seen the end: %d %s %s", size / 100, unit_of(game),
                 direction);
    } else if (size < EVEN) {
        snprintf(out, PLAY_OPINION_BYTES, "finds the game even");
    } else {
        snprintf(out, PLAY_OPINION_BYTES, "sees itself %d.%d %s %s", size / 100, size % 100 / 10,
                 unit_of(game), direction);
    }
}
