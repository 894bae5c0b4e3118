/* selfplay: games of the engine against itself, as samples for fit.py.
 *
 * usage: selfplay GAME NODES SECONDS SEED FILE
 *
 * A game begins with random moves, which are not written. In hop and MeiChu pieces are then taken
 * away from every third opening, so that the samples know what it means to be behind and how games
 * end, and of openings that a short search thinks decided most are left out. In reversi and othello
 * some sides are greedy (greedy.h), in the opening and in some games for longer. Then the engine
 * plays on about NODES nodes a move. A game of hop or MeiChu is over as soon as a search has proved
 * who wins; the last squares of reversi and othello are played without error.
 *
 * Left out are positions in which the engine captures, passes or sees a forced end: the search
 * answers there, not the evaluation. Every fiftieth game is marked as held back. The program stops
 * with the game in which the seconds are over. One process uses one core: start several with
 * different seeds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "game/look.h"
#include "game/registry.h"
#include "greedy.h"
#include "random_plies.h"
#include "sample.h"
#include "view.h"

enum {
    HASH_MB = 2,
    MOST_PLIES = 512,
    HELD_BACK_ONE_IN = 50,

    MOST_RANDOM_PLIES = 16,
    BUDGETS_FROM = 10, /* every second game with an auction starts with less money */
    BUDGETS_STEP = 140,
    BUDGETS_APART = 10,
    TAKEN_ONE_IN = 3, /* openings lose pieces */
    MOST_TAKEN_PERCENT = 80,
    OPENING_NODES = 200,
    DECIDED = 2, /* times the scale of scores */
    DECIDED_KEPT_ONE_IN = 4,

    LEAST_PREFIX = 6, /* reversi and othello */
    SHORT_PREFIX = 14,
    LONG_PREFIX = 36,
    LONG_ONE_IN = 4,
    GREEDY_ONE_IN = 3, /* sides, in the opening */
    LEAST_GREEDY_PLIES = 2,
    MORE_GREEDY_PLIES = 3,
    STAYING_ONE_IN = 2,  /* of them afterwards … */
    STAYING_PLIES = 40,  /* … for this many plies at most */
    SOLVED_SQUARES = 12, /* empty, from which on play is exact */
    LOPSIDED = 6,        /* times as many discs in all as one side has */
};

/* How much of `later` is decided after this ply. */
static const double LATER_SHARE = 0.9;

struct playing {
    struct engine engine;
    const struct game *game;
    const struct view *view;
    uint64_t nodes;
    struct rng rng;
    bool is_greedy[2]; /* by side */
    int greedy_plies;
};

/* A ply that was played. */
struct ply {
    struct state state;
    bool is_kept;
    bool has_score;
    int score; /* for the side to move */
};

struct choice {
    struct move move;
    bool has_score;
    int score;
    bool is_proved; /* who wins */
};

static int count_empty(const struct game *game, const struct state *state)
{
    int count = 0;
    for (int square = 0; square < game->rows * game->columns; square++) {
        count += game->cell(state, square).piece == PIECE_NONE;
    }
    return count;
}

static int count_men(const struct game *game, const struct state *state)
{
    int count = 0;
    for (int square = 0; square < game->rows * game->columns; square++) {
        count += look_piece(game, game->cell(state, square).piece)->role == ROLE_MAN;
    }
    return count;
}

static bool counts_discs(const struct playing *p) { return p->view->scale <= 0; }

static struct choice best_move(struct playing *p, const struct state *state)
{
    struct engine_limits limits = {.nodes = p->nodes / 2 + rng_below(&p->rng, p->nodes)};
    struct engine_report report;
    struct engine_solution solution;
    if (counts_discs(p) && count_empty(p->game, state) <= SOLVED_SQUARES &&
        engine_solve(&p->engine, &(struct engine_request){.game = p->game, .state = state}, false,
                     &solution)) {
        return (struct choice){solution.moves[0], true, 100 * solution.value, false};
    }
    engine_search(&p->engine,
                  &(struct engine_request){.game = p->game, .state = state, .limits = limits},
                  &report);
    bool is_proved = report.score > ENGINE_WIN_BOUND || report.score < -ENGINE_WIN_BOUND;
    return (struct choice){report.move, true, report.score, is_proved};
}

static struct choice choose(struct playing *p, const struct state *state)
{
    return p->is_greedy[p->game->to_move(state)]
               ? (struct choice){.move = greedy_move(p->game, state, p->greedy_plies, &p->rng)}
               : best_move(p, state);
}

static bool take_forced_pass(const struct game *game, struct state *state)
{
    struct move pass = move_pass();
    return game->apply(state, &pass, NULL) == ERR_NONE;
}

static void draw_greed(struct playing *p)
{
    for (int side = 0; side < 2; side++) {
        p->is_greedy[side] = counts_discs(p) && rng_below(&p->rng, GREEDY_ONE_IN) == 0;
    }
    p->greedy_plies = LEAST_GREEDY_PLIES + (int)rng_below(&p->rng, MORE_GREEDY_PLIES);
}

/* At most one side continues to be greedy. */
static void end_greed(struct playing *p)
{
    bool stays = p->is_greedy[0] != p->is_greedy[1] && rng_below(&p->rng, STAYING_ONE_IN) == 0;
    for (int side = 0; side < 2; side++) {
        p->is_greedy[side] = p->is_greedy[side] && stays;
    }
}

/* Every second move on average is random, and always the last one. */
static bool open_with_discs(struct playing *p, struct state *state)
{
    uint64_t longest = rng_below(&p->rng, LONG_ONE_IN) ? SHORT_PREFIX : LONG_PREFIX;
    uint64_t plies = LEAST_PREFIX + rng_below(&p->rng, longest - LEAST_PREFIX + 1);
    *state = p->game->start();
    draw_greed(p);
    for (uint64_t i = 0; i < plies && !game_is_over(p->game, state); i++) {
        if (take_forced_pass(p->game, state)) {
            continue;
        }
        if (i + 1 == plies || rng_below(&p->rng, 2)) {
            (void)!random_plies(p->game, &p->rng, 1, state);
        } else {
            struct choice choice = choose(p, state);
            (void)!p->game->apply(state, &choice.move, NULL);
        }
    }
    end_greed(p);
    return !game_is_over(p->game, state);
}

static bool take_pieces(const struct game *game, struct rng *rng, struct state *state)
{
    char text[GAME_POSITION_BYTES];
    uint64_t percent = rng_below(rng, MOST_TAKEN_PERCENT);
    game->write_position(state, text);
    for (char *cell = text; *cell != ' '; cell++) {
        bool is_piece = strchr("XOSsBb", *cell);
        *cell = is_piece && rng_below(rng, 100) < percent ? '.' : *cell;
    }
    return game->read_position(text, state, NULL) == ERR_NONE;
}

static struct state start(const struct game *game, struct rng *rng)
{
    if (!game->start_with || rng_below(rng, 2)) {
        return game->start();
    }
    int budget = BUDGETS_FROM + (int)rng_below(rng, BUDGETS_STEP);
    int other = budget + (int)rng_below(rng, 2 * BUDGETS_APART + 1) - BUDGETS_APART;
    return game->start_with((int[2]){budget, other});
}

static bool is_decided(struct playing *p, const struct state *state)
{
    struct engine_limits limits = {.nodes = OPENING_NODES};
    struct engine_report report;
    engine_search(&p->engine,
                  &(struct engine_request){.game = p->game, .state = state, .limits = limits},
                  &report);
    return abs(report.score) > DECIDED * p->view->scale;
}

static bool open_with_pieces(struct playing *p, struct state *state)
{
    *state = start(p->game, &p->rng);
    return random_plies(p->game, &p->rng, (int)rng_below(&p->rng, MOST_RANDOM_PLIES), state) &&
           (rng_below(&p->rng, TAKEN_ONE_IN) || take_pieces(p->game, &p->rng, state)) &&
           !game_is_over(p->game, state) &&
           (rng_below(&p->rng, DECIDED_KEPT_ONE_IN) == 0 || !is_decided(p, state));
}

static bool is_lopsided(const struct sample *sample)
{
    int discs[3] = {0};
    for (int i = 0; i < SAMPLE_CELLS; i++) {
        discs[sample->cells[i]]++;
    }
    int both = discs[1] + discs[2];
    return both > LOPSIDED * discs[1] || both > LOPSIDED * discs[2];
}

static bool is_quiet(const struct playing *p, const struct choice *choice,
                     const struct state *before, const struct state *after)
{
    return choice->move.kind == MOVE_PATH && !choice->is_proved &&
           (counts_discs(p) || count_men(p->game, before) == count_men(p->game, after));
}

/* Plays to the end, or until the winner is proved. Returns the number of plies; *black_result is
 * the difference in discs, or 1, 0 or -1. */
static int play(struct playing *p, struct state state, struct ply *plies, int *black_result)
{
    int count = 0;
    while (!game_is_over(p->game, &state)) {
        if (counts_discs(p) && take_forced_pass(p->game, &state)) {
            continue;
        }
        struct choice choice = count < STAYING_PLIES ? choose(p, &state) : best_move(p, &state);
        struct state before = state;
        if (p->game->apply(&state, &choice.move, NULL) || count == MOST_PLIES) {
            fprintf(stderr, "selfplay: the engine made an illegal move or the game has no end\n");
            exit(1);
        }
        plies[count++] = (struct ply){.state = before,
                                      .is_kept = is_quiet(p, &choice, &before, &state),
                                      .has_score = choice.has_score,
                                      .score = choice.score};
        if (choice.is_proved && !counts_discs(p)) {
            bool mover_wins = choice.score > 0;
            *black_result = mover_wins == (p->game->to_move(&before) == SIDE_BLACK) ? 1 : -1;
            return count;
        }
    }
    struct result result = p->game->result(&state);
    *black_result = counts_discs(p)
                        ? result.score[SIDE_BLACK]
                        : (result.outcome == OUTCOME_BLACK) - (result.outcome == OUTCOME_WHITE);
    return count;
}

/* A score in the units of `later`. */
static double later_units(const struct view *view, int score)
{
    return view->scale > 0 ? SAMPLE_WIN * tanh(score / view->scale / 2) : score;
}

/* Writes the samples; returns how many. */
static long write_game(const struct playing *p, const struct ply *plies, int count,
                       int black_result, bool is_held_back, FILE *file)
{
    long written = 0;
    double black_later = (counts_discs(p) ? 100 : SAMPLE_WIN) * (double)black_result;
    for (int i = count - 1; i >= 0; i--) {
        const struct ply *ply = &plies[i];
        int sign = p->game->to_move(&ply->state) == SIDE_BLACK ? 1 : -1;
        struct sample sample = view_of(p->view, p->game, &ply->state);
        if (ply->has_score && !(counts_discs(p) && is_lopsided(&sample))) {
            black_later = LATER_SHARE * black_later +
                          (1 - LATER_SHARE) * sign * later_units(p->view, ply->score);
        }
        sample.is_held_back = is_held_back;
        sample.result = (int8_t)(sign * black_result);
        sample.score = (int16_t)ply->score;
        sample.later = (int16_t)lround(sign * black_later);
        if (ply->is_kept) {
            written += (long)fwrite(&sample, sizeof sample, 1, file);
        }
    }
    return written;
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: selfplay GAME NODES SECONDS SEED FILE\n");
        return 2;
    }
    struct note why = {""};
    struct playing p = {.game = registry_find(CPU_BASELINE, argv[1], &why),
                        .view = view_find(argv[1]),
                        .nodes = strtoull(argv[2], NULL, 10),
                        .rng = rng_make(strtoull(argv[4], NULL, 10))};
    FILE *file = fopen(argv[5], "wb");
    if (!p.game || !p.view || !file || !p.nodes || engine_init(&p.engine, HASH_MB, 1, &why)) {
        fprintf(stderr, "selfplay: cannot start: %s%s\n", why.text, file ? "" : argv[5]);
        return 2;
    }
    int64_t end_ns = clock_now_ns() + strtol(argv[3], NULL, 10) * CLOCK_NS_PER_S;
    static struct ply plies[MOST_PLIES];
    long games = 0;
    long played = 0;
    long written = 0;
    for (; clock_now_ns() < end_ns && !ferror(file); games++) {
        struct state state;
        int black_result = 0;
        while (!(counts_discs(&p) ? open_with_discs(&p, &state) : open_with_pieces(&p, &state))) {
        }
        engine_clear(&p.engine);
        int count = play(&p, state, plies, &black_result);
        bool is_held_back = games % HELD_BACK_ONE_IN == HELD_BACK_ONE_IN - 1;
        played += count;
        written += write_game(&p, plies, count, black_result, is_held_back, file);
    }
    engine_free(&p.engine);
    printf("%s: %ld games, %ld plies, %ld samples\n", argv[1], games, played, written);
    return fclose(file) ? 3 : 0;
}
