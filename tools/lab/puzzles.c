/* puzzles: makes the set of puzzles of a game, from games of the engine against itself.
 *
 * usage: puzzles GAME [--count N] [--seed N] >src/games/FOLDER/puzzles/GAME.txt
 *
 * Games between levels 4 to 7, drawn for each side, begin with random plies. At most one position
 * of a game becomes a puzzle (tools/lab/puzzle.h), at most a third of all puzzles are from the last
 * 20 plies of their games, and at most two fifths have the same level. The same seed writes the
 * same bytes. Positions that the opening left unequal are as good as any.
 *
 * A line of the file, sorted by level:
 *
 *     LEVEL KIND GAME LEFT MOVE POSITION
 *
 * KIND is proved or confirmed, GAME the number of the game, LEFT the plies that it still had.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "game/registry.h"
#include "puzzle.h"
#include "random_plies.h"

enum {
    OPENING_PLIES = 6,
    FIRST_PLY = 4, /* after the opening */
    MAX_PLIES = 512,
    SCREEN_NODES = 2000,
    MAX_PUZZLES = 1000,
    LATE_PLIES = 20,
    LOWEST_LEVEL = 4,
    LEVELS = 4,
};

struct puzzle_line {
    int level;
    char text[GAME_MOVE_BYTES + GAME_POSITION_BYTES + 64];
};

struct puzzle_set {
    const struct game *game;
    struct engine engine;
    long count;
    uint64_t seed;
    long found;
    long late;
    long by_level[ENGINE_MAX_LEVEL + 1];
    struct puzzle_line lines[MAX_PUZZLES];
};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "puzzles: %s: %s\n", what, why);
    exit(2);
}

/* The positions of a game, and how many. */
static int play_game(struct puzzle_set *set, struct rng *rng, struct state *states)
{
    const struct game *game = set->game;
    int levels[2];
    for (int side = 0; side < 2; side++) {
        levels[side] = LOWEST_LEVEL + (int)rng_below(rng, LEVELS);
    }
    do {
        states[0] = game->start();
    } while (!random_plies(game, rng, OPENING_PLIES, &states[0]));
    int plies = 0;
    while (plies + 1 < MAX_PLIES && !game_is_over(game, &states[plies])) {
        struct engine_report report;
        struct engine_limits limits = {.level = levels[plies % 2], .seed = rng_next(rng)};
        engine_search(
            &set->engine,
            &(struct engine_request){.game = game, .state = &states[plies], .limits = limits},
            &report);
        states[plies + 1] = game_after(game, &states[plies], &report.move);
        plies++;
    }
    return plies;
}

static void shuffle(struct rng *rng, int *list, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)rng_below(rng, (uint64_t)i + 1);
        int kept = list[i];
        list[i] = list[j];
        list[j] = kept;
    }
}

static bool add(struct puzzle_set *set, const struct state *state, long number, int left)
{
    struct move move;
    char move_text[GAME_MOVE_BYTES];
    char position[GAME_POSITION_BYTES];
    bool is_late = left <= LATE_PLIES;
    if (is_late && 3 * (set->late + 1) > set->count) {
        return false;
    }
    if (!puzzle_is_likely(&set->engine, set->game, state, SCREEN_NODES, &move)) {
        return false;
    }
    enum puzzle_kind kind = puzzle_examine(&set->engine, set->game, state, &move);
    int level = kind ? puzzle_level(&set->engine, set->game, state, &move) : 0;
    if (!kind || 5 * (set->by_level[level] + 1) > 2 * set->count) {
        return false;
    }
    struct puzzle_line *line = &set->lines[set->found++];
    game_write_move(set->game, &move, move_text);
    set->game->write_position(state, position);
    line->level = level;
    snprintf(line->text, sizeof line->text, "%d %s %ld %d %s %s", level, puzzle_kind_name(kind),
             number, left, move_text, position);
    set->by_level[level]++;
    set->late += is_late;
    fprintf(stderr, "%ld of %ld: %s\n", set->found, set->count, line->text);
    return true;
}

static void search_game(struct puzzle_set *set, long number)
{
    static struct state states[MAX_PLIES];
    int order[MAX_PLIES];
    struct rng rng = rng_make(hash_pair(set->seed, (uint64_t)number));
    int plies = play_game(set, &rng, states);
    int count = 0;
    for (int ply = FIRST_PLY; ply < plies; ply++) {
        order[count++] = ply;
    }
    shuffle(&rng, order, count);
    for (int i = 0; i < count; i++) {
        if (add(set, &states[order[i]], number, plies - order[i])) {
            return;
        }
    }
}

/* By level; of one level in the order in which they were found. */
static void print(const struct puzzle_set *set)
{
    printf("# %ld puzzles of %s: tools/lab/puzzles.c, seed %" PRIu64 ", margin %d, nodes %d\n",
           set->found, set->game->name, set->seed, puzzle_margin(set->game), PUZZLE_NODES);
    for (int level = 1; level <= ENGINE_MAX_LEVEL; level++) {
        for (long i = 0; i < set->found; i++) {
            if (set->lines[i].level == level) {
                puts(set->lines[i].text);
            }
        }
    }
}

static long number(const char *text, long least, long most)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) {
        fail(text, "not a number in the range that puzzles.c allows");
    }
    return value;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"count", required_argument, NULL, 'c'},
                                            {"seed", required_argument, NULL, 's'},
                                            {NULL, 0, NULL, 0}};
    static struct puzzle_set set = {.count = 100, .seed = 1};
    struct note why = {""};
    for (int option = 0; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'c') {
            set.count = number(optarg, 1, MAX_PUZZLES);
        } else if (option == 's') {
            set.seed = (uint64_t)number(optarg, 0, INT32_MAX);
        } else {
            return 2;
        }
    }
    if (optind + 1 != argc) {
        fail("usage", "puzzles GAME [--count N] [--seed N]");
    }
    set.game = registry_find(CPU_BASELINE, argv[optind], &why);
    if (!set.game) {
        fail(argv[optind], why.text);
    }
    if (engine_init(&set.engine, PUZZLE_HASH_MB, 1, &why)) {
        fail("engine", why.text);
    }
    for (long game = 1; set.found < set.count; game++) {
        search_game(&set, game);
    }
    print(&set);
    engine_free(&set.engine);
    return 0;
}
