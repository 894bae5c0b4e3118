/* Thousands of games between players that do anything at any time. Whatever happens, the game
 * ends, its record replays (judge_table.c), and waking the judge too early changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/rng.h"
#include "fake_world.h"
#include "game/registry.h"
#include "judge_table.h"
#include "scale.h"

enum { GAMES = 2000 };

struct troublemaker {
    struct rng rng;
    uint64_t per_mille; /* of its answers are trouble */
};

static bool chance(struct troublemaker *t, uint64_t per_mille)
{
    return rng_below(&t->rng, 1000) < per_mille;
}

static int64_t up_to(struct troublemaker *t, int64_t most)
{
    return (int64_t)rng_below(&t->rng, (uint64_t)most + 1);
}

/* Often quick, sometimes at once, sometimes around a limit to the nanosecond. */
static int64_t any_delay(struct troublemaker *t, const struct player_view *view)
{
    int64_t usual_ns = view->limit_ns + FAKE_SECOND / 4;
    switch (rng_below(&t->rng, 40)) {
    case 0:
        return usual_ns - 1 + up_to(t, 2);
    case 1:
        return up_to(t, 2 * usual_ns);
    case 2:
        return up_to(t, 5 * usual_ns);
    case 3:
        return 4 * view->limit_ns + FAKE_SECOND / 4 - 1 + up_to(t, 2);
    default:
        return chance(t, 200) ? FAKE_AT_ONCE : up_to(t, FAKE_SECOND);
    }
}

static struct move any_move(struct troublemaker *t, const struct player_view *view)
{
    static struct move moves[GAME_MAX_MOVES];
    return moves[rng_below(&t->rng, view->game->moves(view->now, moves))];
}

static struct move garbage(struct troublemaker *t, const struct game *game)
{
    struct move move;
    uint8_t *bytes = (uint8_t *)&move;
    for (size_t i = 0; i < sizeof move; i++) {
        bytes[i] = (uint8_t)rng_next(&t->rng);
    }
    if (chance(t, 700)) { /* at least it looks like a move */
        move.kind = MOVE_PATH;
        move.count = (uint8_t)(1 + rng_below(&t->rng, 3));
        for (int i = 0; i < move.count; i++) {
            move.squares[i] = (uint8_t)rng_below(&t->rng, (uint64_t)(game->rows * game->columns));
        }
    }
    return move;
}

static struct player_event trouble(struct troublemaker *t, const struct game *game)
{
    struct player_event event = {.kind = PLAYER_FAULT, .why = {"trouble"}};
    switch (rng_below(&t->rng, 20)) {
    case 0:
        event.kind = PLAYER_RESIGNS;
        break;
    case 1:
        event.fault = FAULT_HOSTILE;
        break;
    case 2:
        event.fault = FAULT_MALFORMED;
        break;
    case 3:
    case 4:
        event.fault = FAULT_CRASHED;
        break;
    case 5:
        event.kind = chance(t, 500) ? PLAYER_READY : PLAYER_RESTARTS;
        break;
    case 6:
        event.kind = PLAYER_BID;
        event.bid = (struct bid){(int)rng_below(&t->rng, 4) - 1, (int64_t)rng_next(&t->rng)};
        break;
    case 7:
    case 8:
    case 9:
        event.fault = FAULT_INVALID;
        break;
    default:
        event.kind = PLAYER_MOVE;
        event.move = garbage(t, game);
        break;
    }
    return event;
}

static struct player_event sensible(struct troublemaker *t, enum fake_question question,
                                    const struct player_view *view)
{
    struct player_event event = {.kind = PLAYER_READY};
    if (question == FAKE_BID) {
        event.kind = PLAYER_BID;
        event.bid = (struct bid){(int)rng_below(&t->rng, 2), up_to(t, 10) * 20 - 30};
    } else if (question == FAKE_MOVE) {
        event.kind = PLAYER_MOVE;
        event.move = any_move(t, view);
        event.thought = (struct thought){
            .is_known = chance(t, 300),
            .depth = (int)up_to(t, 999),
            .score_hundredths = (int)up_to(t, 200000) - 100000,
            .nodes = rng_next(&t->rng) >> 1,
        };
    }
    return event;
}

static void make_trouble(struct fake_player *player, enum fake_question question,
                         const struct player_view *view)
{
    struct troublemaker *t = player->thoughts;
    int64_t delay_ns = any_delay(t, view);
    if (chance(t, t->per_mille / 4)) {
        struct player_event event = trouble(t, view->game);
        fake_say(player, any_delay(t, view), event);
    }
    if (!chance(t, t->per_mille)) {
        fake_answer(player, delay_ns, sensible(t, question, view));
    } else if (!chance(t, 300)) { /* else it is silent */
        fake_answer(player, delay_ns, trouble(t, view->game));
    }
}

static struct judge_rules any_rules(const struct game *game, struct rng *rng)
{
    struct judge_rules rules = table_rules(game->name, "start");
    struct move moves[GAME_MAX_MOVES];
    rules.seed = rng_next(rng);
    rules.has_auction = game->auction && rng_below(rng, 2);
    if (!rules.has_auction) {
        for (uint64_t plies = rng_below(rng, 30); plies; plies--) {
            struct state next = rules.start;
            size_t count = game->moves(&next, moves);
            assert_int_equal(game->apply(&next, &moves[rng_below(rng, count)], NULL), ERR_NONE);
            rules.start = game_is_over(game, &next) ? rules.start : next;
        }
    }
    if (rng_below(rng, 4) == 0) {
        rules.game_limit_ns = 200 * FAKE_SECOND;
    }
    return rules;
}

static void play(struct table *table, const struct judge_rules *rules, uint64_t seed, bool is_hasty)
{
    static const uint64_t per_mille[] = {0, 3, 30, 300};
    struct rng rng = rng_make(seed);
    struct troublemaker makers[2];
    for (int i = 0; i < 2; i++) {
        makers[i] = (struct troublemaker){rng_make(rng_next(&rng)), per_mille[rng_below(&rng, 4)]};
    }
    fake_mind *minds[2] = {make_trouble, make_trouble};
    void *thoughts[2] = {&makers[0], &makers[1]};
    table_init(table, rules, minds, thoughts);
    table->is_hasty = is_hasty;
    table_play(table);
}

static void any_game_ends_and_replays(void **state)
{
    (void)state;
    static struct table table;
    static struct table again;
    const struct game *game = NULL;
    struct rng rng = rng_make(20260131);
    long forfeits = 0;
    long plies = 0;
    for (size_t index = 0; (game = registry_at(cpu_best(), index)); index++) {
        for (long i = 0; i < scaled(GAMES); i++) {
            uint64_t seed = rng_next(&rng);
            struct judge_rules rules = any_rules(game, &rng);
            play(&table, &rules, seed, false);
            play(&again, &rules, seed, true);
            assert_string_equal(table.log, again.log);
            forfeits += table.judge.verdict.is_forfeit;
            plies += (long)table.judge.move_count;
            table_free(&table);
            table_free(&again);
        }
    }
    /* The players were neither too tame nor too wild to be a test. */
    assert_true(forfeits > scaled(GAMES));
    assert_true(plies > 50 * scaled(GAMES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_game_ends_and_replays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
