#include "engine_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "game/registry.h"

enum { SMALL_TABLE_MB = 4 };

struct engine make_engine(void)
{
    struct engine engine = {0};
    struct note why;
    assert_int_equal(engine_init(&engine, SMALL_TABLE_MB, 1, &why), ERR_NONE);
    return engine;
}

struct engine_report search(struct engine *engine, const struct game *game,
                            const struct state *state, struct engine_limits limits)
{
    struct engine_report report;
    engine_search(engine, &(struct engine_request){.game = game, .state = state, .limits = limits},
                  &report);
    return report;
}

struct state play(const struct game *game, const struct state *state, const struct move *move)
{
    struct state next = *state;
    struct note why = {""};
    if (game->apply(&next, move, &why)) {
        fail_msg("%s: %s", game->name, why.text);
    }
    return next;
}

static bool try_opening(const struct game *game, struct rng *rng, int plies, struct state *out)
{
    struct move moves[GAME_MAX_MOVES];
    *out = game->start();
    for (int i = 0; i < plies; i++) {
        size_t count = game->moves(out, moves);
        if (count == 0) {
            return false;
        }
        *out = play(game, out, &moves[rng_below(rng, count)]);
    }
    return !game_is_over(game, out);
}

struct state random_opening(const struct game *game, struct rng *rng, int plies)
{
    enum { TRIES = 1000 };
    struct state state;
    for (int i = 1; !try_opening(game, rng, plies, &state); i++) {
        plies -= i % TRIES == 0;
    }
    return state;
}

static int empty_squares(const struct game *game, const struct state *state)
{
    int count = 0;
    for (int square = 0; square < game->rows * game->columns; square++) {
        count += game->cell(state, square).piece == PIECE_NONE;
    }
    return count;
}

struct state random_end(const struct game *game, struct rng *rng, int empty)
{
    for (;;) {
        struct state state = random_opening(game, rng, 4);
        struct move moves[GAME_MAX_MOVES];
        size_t count = 0;
        while (empty_squares(game, &state) > empty && (count = game->moves(&state, moves))) {
            state = play(game, &state, &moves[rng_below(rng, count)]);
        }
        if (!game_is_over(game, &state)) {
            return state;
        }
    }
}

struct engine_report think(const char *name, const char *position, struct engine_limits limits)
{
    struct note why = {""};
    const struct game *game = registry_find(cpu_best(), name, &why);
    struct state state;
    struct engine_report report;
    if (!game || game_read_position(game, position, &state, &why)) {
        fail_msg("%s: %s", name, why.text);
    }
    struct engine engine = make_engine();
    engine_search(&engine,
                  &(struct engine_request){.game = game, .state = &state, .limits = limits},
                  &report);
    engine_free(&engine);
    play(game, &state, &report.move);
    return report;
}

void expect_best_move(const char *name, const char *position, int depth, const char *move)
{
    const struct game *game = registry_find(cpu_best(), name, NULL);
    struct engine_report report = think(name, position, (struct engine_limits){.depth = depth});
    char text[GAME_MOVE_BYTES];
    game_write_move(game, &report.move, text);
    if (strcmp(text, move) != 0) {
        fail_msg("%s: %s at depth %d instead of %s in %s", name, text, depth, move, position);
    }
}

void expect_decided(const char *name, const char *position, int depth, int plies)
{
    struct engine_report report = think(name, position, (struct engine_limits){.depth = depth});
    int wanted = plies > 0 ? ENGINE_WIN - plies : -ENGINE_WIN - plies;
    if (report.score != wanted) {
        fail_msg("%s: score %d instead of %d in %s", name, report.score, wanted, position);
    }
}
