#include "puzzle.h"

#include <string.h>

#include "game/about.h"

enum { FEWEST_MOVES = 3 };

const char *puzzle_kind_name(enum puzzle_kind kind)
{
    static const char *const names[] = {"none", "proved", "confirmed"};
    return names[kind];
}

int puzzle_margin(const struct game *game)
{
    return game->about && game->about->margin ? game->about->margin : PUZZLE_MARGIN;
}

static void look(struct engine *engine, const struct game *game, const struct state *state,
                 uint64_t nodes, struct engine_analysis *out)
{
    engine_clear(engine);
    engine_analyze(
        engine, &(struct engine_request){.game = game, .state = state, .limits = {.nodes = nodes}},
        2, out);
}

bool puzzle_is_likely(struct engine *engine, const struct game *game, const struct state *state,
                      uint64_t nodes, struct move *best)
{
    struct engine_analysis analysis;
    int margin = puzzle_margin(game);
    look(engine, game, state, nodes, &analysis);
    if (analysis.count < 2) {
        return false;
    }
    int first = analysis.choices[0].score;
    int second = analysis.choices[1].score;
    *best = analysis.choices[0].move;
    return first - second >= margin && first >= -margin && second <= margin;
}

/* 1, 0 or -1 for the side that has just moved; false: not solved. */
static bool solve_after(struct engine *engine, const struct game *game, const struct state *after,
                        int *value)
{
    struct result result = game->result(after);
    if (result.outcome != OUTCOME_ONGOING) {
        enum outcome loss = game->to_move(after) == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        *value = result.outcome == OUTCOME_DRAW ? 0 : result.outcome == loss ? -1 : 1;
        return true;
    }
    static _Thread_local struct engine_solution solution; /* larger than a stack should hold */
    if (!engine_solve(engine, &(struct engine_request){.game = game, .state = after}, false,
                      &solution)) {
        return false;
    }
    *value = solution.value < 0 ? 1 : solution.value > 0 ? -1 : 0;
    return true;
}

static bool leads_to_same(const struct game *game, const struct state *state, const struct move *a,
                          const struct move *b)
{
    struct state after_a = game_after(game, state, a);
    struct state after_b = game_after(game, state, b);
    return memcmp(&after_a, &after_b, sizeof after_a) == 0;
}

bool puzzle_is_proved(struct engine *engine, const struct game *game, const struct state *state,
                      const struct move *move)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    engine_clear(engine);
    for (size_t i = 0; i < count; i++) {
        struct state after = game_after(game, state, &moves[i]);
        int value = 0;
        if (!solve_after(engine, game, &after, &value) ||
            (value > 0) != leads_to_same(game, state, &moves[i], move)) {
            return false;
        }
    }
    return count > 0;
}

static bool is_decided(const struct engine_report *report)
{
    return report->is_exact || report->score > ENGINE_WIN_BOUND ||
           report->score < -ENGINE_WIN_BOUND;
}

/* Whether the solver is worth a try: a win, and the next best move is known not to win. */
static bool is_close_to_proof(struct engine *engine, const struct game *game,
                              const struct state *state)
{
    struct engine_analysis analysis;
    look(engine, game, state, PUZZLE_NODES, &analysis);
    return analysis.count == 2 && is_decided(&analysis.choices[0]) &&
           is_decided(&analysis.choices[1]) && analysis.choices[0].score > 0 &&
           analysis.choices[1].score <= 0;
}

enum puzzle_kind puzzle_examine(struct engine *engine, const struct game *game,
                                const struct state *state, struct move *best)
{
    struct move moves[GAME_MAX_MOVES];
    struct move again;
    if (game->moves(state, moves) < FEWEST_MOVES ||
        !puzzle_is_likely(engine, game, state, PUZZLE_NODES, best)) {
        return PUZZLE_NONE;
    }
    if (is_close_to_proof(engine, game, state) && puzzle_is_proved(engine, game, state, best)) {
        return PUZZLE_PROVED;
    }
    bool is_confirmed = puzzle_is_likely(engine, game, state, PUZZLE_MORE_NODES, &again);
    return is_confirmed && leads_to_same(game, state, best, &again) ? PUZZLE_CONFIRMED
                                                                    : PUZZLE_NONE;
}

int puzzle_level(struct engine *engine, const struct game *game, const struct state *state,
                 const struct move *move)
{
    struct engine_report report;
    for (int level = 1; level < ENGINE_MAX_LEVEL; level++) {
        bool is_found = true;
        for (uint64_t seed = 1; is_found && seed <= PUZZLE_SEEDS; seed++) {
            struct engine_limits limits = {.level = level, .seed = seed};
            engine_clear(engine);
            engine_search(engine,
                          &(struct engine_request){.game = game, .state = state, .limits = limits},
                          &report);
            is_found = leads_to_same(game, state, &report.move, move);
        }
        if (is_found) {
            return level;
        }
    }
    return ENGINE_MAX_LEVEL;
}
