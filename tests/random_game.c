#include "random_game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "judge/bids.h"

enum { TURNS_PER_FAULT = 120 };

static void add_tag(struct record *out, const char *name, const char *value)
{
    struct note why = {""};
    if (record_add_tag(out, name, value, &why)) {
        fail_msg("%s", why.text);
    }
}

static struct state begin(const struct game *game, struct rng *rng, struct record *out)
{
    add_tag(out, "Game", game->name);
    add_tag(out, "Black", "a \"random\" player");
    add_tag(out, "White", "another\\one");
    if (!game->auction) {
        return game->start();
    }
    struct bids bids = {.lot = -1};
    for (int player = 0; player < 2; player++) {
        bids.bids[player] =
            (struct bid){(int)rng_below(rng, 2), (int64_t)rng_below(rng, 8) * 25 - 25};
    }
    if (game->auction(bids.bids, -1).needs_lot) {
        bids.lot = (int)rng_below(rng, 2);
    }
    struct state state;
    struct note why = {""};
    char text[BIDS_BYTES];
    assert_int_equal(bids_settle(game, &bids, &state, &why), ERR_NONE);
    bids_write(&bids, text);
    add_tag(out, "Bids", text);
    return state;
}

static void add_facts(struct rng *rng, struct annotation *facts)
{
    facts->has_time = rng_below(rng, 4) > 0;
    facts->time_ns = (int64_t)rng_below(rng, 5000000000);
    facts->has_depth = rng_below(rng, 2);
    facts->depth = (int64_t)rng_below(rng, 40);
    facts->has_score = facts->has_depth;
    facts->score_hundredths = (int64_t)rng_below(rng, 2000) - 1000;
    facts->has_nodes = facts->has_depth;
    facts->nodes = (int64_t)rng_below(rng, 1000000000);
}

static struct move any_move(const struct game *game, const struct state *state, struct rng *rng)
{
    static struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    return moves[rng_below(rng, count)];
}

static void end(const struct game *game, const struct state *state, struct record *out,
                bool is_lost)
{
    struct result result = game->result(state);
    char score[32];
    if (is_lost) {
        enum side loser = out->closing.side;
        enum side winner = side_other(loser);
        result.outcome = winner == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        result.reason = fault_name(out->closing.facts.fault);
        if (result.score[winner] <= result.score[loser]) {
            result.score[winner] = result.score[loser] + 1;
        }
    }
    snprintf(score, sizeof score, "%d-%d", result.score[0], result.score[1]);
    add_tag(out, "Result",
            result.outcome == OUTCOME_BLACK   ? "1-0"
            : result.outcome == OUTCOME_WHITE ? "0-1"
                                              : "1/2-1/2");
    add_tag(out, "Score", score);
    add_tag(out, "Reason", result.reason);
}

/* One turn of the side to move. Returns whether its fault ended the game. */
static bool take_turn(const struct game *game, struct state *state, struct rng *rng,
                      bool is_gone[2], struct record *out)
{
    enum side side = game->to_move(state);
    struct move move = any_move(game, state, rng);
    struct annotation facts = {.has_time = false};
    struct note why = {""};
    char words[ANNOTATION_BYTES];
    char text[GAME_MOVE_BYTES];
    add_facts(rng, &facts);
    /* A side that has to pass is not asked and cannot make a fault. */
    if (move.kind != MOVE_PASS && !is_gone[side] && rng_below(rng, TURNS_PER_FAULT) == 0) {
        facts.has_fault = true;
        facts.fault = (enum fault)rng_below(rng, FAULT_KINDS);
        enum penalty penalty = game->penalties[facts.fault];
        if (penalty == PENALTY_LOSS) {
            annotation_write(&facts, words);
            assert_int_equal(record_close(out, side, words, &why), ERR_NONE);
            return true;
        }
        is_gone[side] = penalty == PENALTY_REPLACE_FOREVER;
        move = penalty == PENALTY_REPLACE ? game->replacement(state) : move;
    }
    move = is_gone[side] ? game->replacement(state) : move;
    annotation_write(&facts, words);
    game_write_move(game, &move, text);
    assert_int_equal(
        record_add_ply(out, (int)out->ply_count + 1, side, text, *words ? words : NULL, &why),
        ERR_NONE);
    assert_int_equal(game->apply(state, &move, &why), ERR_NONE);
    return false;
}

void random_game(const struct game *game, struct rng *rng, struct record *out)
{
    record_clear(out);
    struct state state = begin(game, rng, out);
    bool is_gone[2] = {false, false};
    bool is_lost = false;
    while (!is_lost && !game_is_over(game, &state)) {
        is_lost = take_turn(game, &state, rng, is_gone, out);
    }
    end(game, &state, out, is_lost);
}
