#include "course/blunders.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_LOSS = 100 };

static int loss_of(const struct blunder *blunder) { return blunder->before - blunder->after; }

static void keep(struct blunders *blunders, const struct blunder *found)
{
    size_t at = blunders->count;
    while (at > 0 && loss_of(&blunders->list[at - 1]) < loss_of(found)) {
        at--;
    }
    if (at == BLUNDERS_MAX) {
        return;
    }
    blunders->count += blunders->count < BLUNDERS_MAX;
    for (size_t i = blunders->count - 1; i > at; i--) {
        blunders->list[i] = blunders->list[i - 1];
    }
    blunders->list[at] = *found;
}

/* A position with its value for the side to move. */
struct position_value {
    int score;
    struct move best;
};

/* Won or lost is worth more than any number of pieces, but not more than that: a longer way to
 * the same end is not a blunder. */
static int bounded(int score)
{
    enum { DECIDED = 10000 };
    return score > DECIDED ? DECIDED : score < -DECIDED ? -DECIDED : score;
}

static struct position_value evaluate(struct engine *engine, const struct game *game,
                                      const struct state *state, uint64_t nodes)
{
    struct result result = game->result(state);
    if (result.outcome != OUTCOME_ONGOING) {
        enum outcome win = game->to_move(state) == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        int score = result.outcome == OUTCOME_DRAW ? 0 : result.outcome == win ? 1 : -1;
        return (struct position_value){.score = bounded(score * ENGINE_WIN)};
    }
    struct engine_report report;
    struct engine_limits limits = {.nodes = nodes};
    engine_search(engine, &(struct engine_request){.game = game, .state = state, .limits = limits},
                  &report);
    return (struct position_value){bounded(report.score), report.move};
}

void blunders_add(struct blunders *blunders, struct engine *engine, const struct record *record,
                  const struct replay *replay, enum side side, int game, uint64_t nodes)
{
    const struct game *rules = replay->game;
    engine_clear(engine);
    for (size_t i = 0; i < record->ply_count; i++) {
        const struct record_turn *turn = &record->plies[i];
        const char *move = record_words(record, turn->move);
        if (turn->side != side || turn->facts.has_fault || strcmp(move, "pass") == 0 ||
            strcmp(move, "skip") == 0) {
            continue;
        }
        struct position_value before = evaluate(engine, rules, &replay->states[i], nodes);
        struct position_value after = evaluate(engine, rules, &replay->states[i + 1], nodes);
        struct blunder found = {.game = game,
                                .ply = i,
                                .position = replay->states[i],
                                .before = before.score,
                                .after = -after.score};
        game_write_move(rules, &before.best, found.better);
        snprintf(found.move, sizeof found.move, "%s", move);
        if (strcmp(found.move, found.better) != 0 && loss_of(&found) >= LEAST_LOSS) {
            keep(blunders, &found);
        }
    }
}
