/* How often the engine gives a result away near the end, against exact play.
 *
 *     bench_regret make GAME COUNT SEED empty LOW HIGH      endings with that many empty squares
 *     bench_regret make GAME COUNT SEED plies LOW HIGH      that many plies before the end of a
 * game bench_regret play FILE MS CORES FAILURES [COUNT]      COUNT: of each group, the first ones
 *
 * `make` prints endings of random games, in which the side to move has a choice. Those of `plies`
 * are in reach of the solver: a search of REACH_NODES decides them. The same arguments print the
 * same lines.
 *
 * `play` solves each position, lets the engine move with a limit of MS milliseconds as in a game,
 * one thread, an empty table, and solves the position after it. A result is given away when a win
 * becomes a draw or a loss, or a draw a loss. CORES positions are played at once. Prints a line for
 * each group; a line of FILE that begins with "# " gives a group its name, the others are a game
 * and a position.
 *
 * The moves that gave a result away are lines of FAILURES, in the same form, with the move, the
 * value before and the value after it: `play FAILURES` plays them again. Positions that the solver
 * gives up after the move are counted as not solved.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "engine/time_limit.h"
#include "game/registry.h"

enum {
    SOLVER_MB = 64,
    PLAYER_MB = 16,
    MAX_LINES = 4096,
    MAX_GROUPS = 16,
    MAX_CORES = 256,
    MAX_GAME_PLIES = 1024,
    LINE_BYTES = GAME_POSITION_BYTES + 128,
    REACH_NODES = 300000,
    NS_PER_MS = 1000000,
};

struct ending {
    const struct game *game;
    struct state state;
    int group;
    bool is_solved;
    int before; /* for the side that moves, a difference or 1, 0, -1 */
    int after;
    struct move move;
};

static struct ending endings[MAX_LINES];
static char groups[MAX_GROUPS][LINE_BYTES];
static int ending_count;
static int group_count;
static int limit_ms;
static atomic_int next_ending;

static void fail(const char *what, const char *where)
{
    fprintf(stderr, "bench_regret: %s: %s\n", what, where);
    exit(EXIT_FAILURE);
}

static long number(const char *text, long most)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (*end || value < 0 || value > most) {
        fail("not a number in its range", text);
    }
    return value;
}

static const struct game *find_game(const char *name)
{
    struct note note;
    const struct game *game = registry_find(cpu_best(), name, &note);
    if (!game) {
        fail(note.text, name);
    }
    return game;
}

static struct engine make_engine(int hash_mb)
{
    struct engine engine = {.thread_count = 0};
    struct note note;
    if (engine_init(&engine, hash_mb, 1, &note)) {
        fail(note.text, "engine");
    }
    return engine;
}

static int count_empty(const struct game *game, const struct state *state)
{
    char text[GAME_POSITION_BYTES];
    int empty = 0;
    game->write_position(state, text);
    for (const char *at = text; *at && *at != ' '; at++) {
        empty += *at == '.';
    }
    return empty;
}

static bool has_choice(const struct game *game, const struct state *state)
{
    struct move moves[GAME_MAX_MOVES];
    return !game_is_over(game, state) && game->moves(state, moves) > 1;
}

static bool is_in_reach(struct engine *engine, const struct game *game, const struct state *state)
{
    struct engine_report report;
    struct engine_limits limits = {.nodes = REACH_NODES};
    engine_clear(engine);
    engine_search(engine, &(struct engine_request){.game = game, .state = state, .limits = limits},
                  &report);
    return report.is_exact || report.score > ENGINE_WIN_BOUND || report.score < -ENGINE_WIN_BOUND;
}

/* A random game; returns how many positions it had. */
static int play_randomly(const struct game *game, struct rng *rng, struct state *positions)
{
    struct move moves[GAME_MAX_MOVES];
    int count = 1;
    positions[0] = game->start();
    while (count < MAX_GAME_PLIES && !game_is_over(game, &positions[count - 1])) {
        positions[count] = positions[count - 1];
        size_t choices = game->moves(&positions[count], moves);
        if (!choices || game->apply(&positions[count], &moves[rng_below(rng, choices)], NULL)) {
            fail("no move in a game that is not over", game->name);
        }
        count++;
    }
    return count;
}

static int find_ending(const struct game *game, const struct state *positions, int count,
                       bool is_by_empty, int wanted)
{
    if (!is_by_empty) {
        return count - 1 - wanted;
    }
    for (int i = 0; i < count; i++) {
        if (count_empty(game, &positions[i]) == wanted) {
            return i;
        }
    }
    return -1;
}

static void make(char **argv)
{
    static struct state positions[MAX_GAME_PLIES + 1];
    const struct game *game = find_game(argv[2]);
    long wanted = number(argv[3], MAX_LINES);
    struct rng rng = rng_make((uint64_t)number(argv[4], INT32_MAX));
    bool is_by_empty = strcmp(argv[5], "empty") == 0;
    long low = number(argv[6], MAX_GAME_PLIES);
    long high = number(argv[7], MAX_GAME_PLIES);
    struct engine engine = make_engine(PLAYER_MB);
    if ((!is_by_empty && strcmp(argv[5], "plies") != 0) || high < low) {
        fail("usage", "bench_regret make GAME COUNT SEED empty|plies LOW HIGH");
    }
    printf("# %s, %s to %s %s, %ld from seed %s\n", argv[2], argv[6], argv[7],
           is_by_empty ? "empty squares" : "plies before the end of a random game", wanted,
           argv[4]);
    for (long found = 0; found < wanted;) {
        int count = play_randomly(game, &rng, positions);
        int distance = (int)low + (int)rng_below(&rng, (uint64_t)(high - low + 1));
        int at = find_ending(game, positions, count, is_by_empty, distance);
        if (at < 0 || !has_choice(game, &positions[at]) ||
            (!is_by_empty && !is_in_reach(&engine, game, &positions[at]))) {
            continue;
        }
        char text[GAME_POSITION_BYTES];
        game->write_position(&positions[at], text);
        printf("%s; %s\n", argv[2], text);
        found++;
    }
    engine_free(&engine);
}

static void read_line(char *line, int *in_group, int most)
{
    struct note note;
    if (line[0] == '#' || group_count == 0) {
        if (group_count == MAX_GROUPS) {
            fail("too many groups", line);
        }
        memcpy(groups[group_count++], line[0] == '#' ? line + 2 : "all",
               line[0] == '#' ? strlen(line) - 1 : sizeof "all");
        *in_group = 0;
    }
    if (line[0] == '#' || ++*in_group > most) {
        return;
    }
    char *position = strchr(line, ';');
    if (!position || ending_count == MAX_LINES) {
        fail("not a line of game; position", line);
    }
    *position++ = '\0';
    position += strspn(position, " ");
    position[strcspn(position, ";")] = '\0';
    struct ending *ending = &endings[ending_count++];
    ending->game = find_game(line);
    ending->group = group_count - 1;
    if (game_read_position(ending->game, position, &ending->state, &note)) {
        fail(note.text, position);
    }
}

static void read_endings(const char *name, int most)
{
    char line[LINE_BYTES];
    int in_group = 0;
    FILE *file = fopen(name, "r");
    if (!file) {
        fail("cannot open the file", name);
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        read_line(line, &in_group, most);
    }
    fclose(file);
}

static int sign(int value) { return (value > 0) - (value < 0); }

/* The value for `side`, of a game that may be over. */
static bool solve_for(struct engine *solver, const struct game *game, const struct state *state,
                      enum side side, int *value)
{
    if (game_is_over(game, state)) {
        enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        enum outcome outcome = game->result(state).outcome;
        *value = outcome == OUTCOME_DRAW ? 0 : outcome == win ? 1 : -1;
        return true;
    }
    struct engine_solution solution;
    engine_clear(solver);
    bool is_solved = engine_solve(solver, &(struct engine_request){.game = game, .state = state},
                                  false, &solution);
    *value = !is_solved ? 0 : game->to_move(state) == side ? solution.value : -solution.value;
    return is_solved;
}

static void play_ending(struct engine *solver, struct engine *player, struct ending *ending)
{
    const struct game *game = ending->game;
    struct state state = ending->state;
    enum side side = game->to_move(&state);
    struct engine_report report;
    int64_t time_ns = time_limit_within((int64_t)limit_ms * NS_PER_MS);
    struct engine_limits limits = {.time_ns = time_ns, .early_ns = time_limit_early(time_ns)};
    if (!solve_for(solver, game, &state, side, &ending->before)) {
        return;
    }
    engine_clear(player);
    engine_search(player, &(struct engine_request){.game = game, .state = &state, .limits = limits},
                  &report);
    ending->move = report.move;
    if (game->apply(&state, &report.move, NULL)) {
        fail("illegal move", game->name);
    }
    ending->is_solved = solve_for(solver, game, &state, side, &ending->after);
}

static void *play_some(void *argument)
{
    struct engine solver = make_engine(SOLVER_MB);
    struct engine player = make_engine(PLAYER_MB);
    (void)argument;
    for (int i = atomic_fetch_add(&next_ending, 1); i < ending_count;
         i = atomic_fetch_add(&next_ending, 1)) {
        play_ending(&solver, &player, &endings[i]);
        if ((i + 1) % 100 == 0) {
            fprintf(stderr, "%d of %d\n", i + 1, ending_count);
        }
    }
    engine_free(&player);
    engine_free(&solver);
    return NULL;
}

static bool is_given_away(const struct ending *ending)
{
    return ending->is_solved && sign(ending->after) < sign(ending->before);
}

static void print_group(int group, FILE *failures)
{
    int count = 0;
    int solved = 0;
    int failed = 0;
    for (int i = 0; i < ending_count; i++) {
        const struct ending *ending = &endings[i];
        char position[GAME_POSITION_BYTES];
        char move[GAME_MOVE_BYTES];
        count += ending->group == group;
        solved += ending->group == group && ending->is_solved;
        if (ending->group != group || !is_given_away(ending)) {
            continue;
        }
        failed++;
        ending->game->write_position(&ending->state, position);
        game_write_move(ending->game, &ending->move, move);
        fprintf(failures, "%s; %s; %s; %+d; %+d\n", ending->game->name, position, move,
                ending->before, ending->after);
    }
    printf("%s: %d positions, %d not solved, %d results given away (%.2f %%)\n", groups[group],
           count, count - solved, failed, solved ? 100.0 * failed / solved : 0.0);
}

static void play(int argc, char **argv)
{
    static pthread_t ids[MAX_CORES];
    int64_t started_ns = clock_now_ns();
    limit_ms = (int)number(argv[3], 1000 * 1000);
    int cores = (int)number(argv[4], MAX_CORES);
    read_endings(argv[2], argc > 6 ? (int)number(argv[6], MAX_LINES) : MAX_LINES);
    FILE *failures = fopen(argv[5], "w");
    if (!failures) {
        fail("cannot write the file", argv[5]);
    }
    for (int i = 0; i < cores; i++) {
        if (pthread_create(&ids[i], NULL, play_some, NULL)) {
            fail("cannot start a thread", argv[4]);
        }
    }
    for (int i = 0; i < cores; i++) {
        pthread_join(ids[i], NULL);
    }
    for (int i = 0; i < group_count; i++) {
        print_group(i, failures);
    }
    printf("%d ms a move, %d at once, %.0f s\n", limit_ms, cores,
           (double)(clock_now_ns() - started_ns) / CLOCK_NS_PER_S);
    if (fclose(failures)) {
        fail("cannot write the file", argv[5]);
    }
}

int main(int argc, char **argv)
{
    if (argc == 8 && strcmp(argv[1], "make") == 0) {
        make(argv);
    } else if ((argc == 6 || argc == 7) && strcmp(argv[1], "play") == 0) {
        play(argc, argv);
    } else {
        fail("usage", "bench_regret make GAME COUNT SEED empty|plies LOW HIGH, or play FILE MS "
                      "CORES FAILURES [COUNT]");
    }
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
