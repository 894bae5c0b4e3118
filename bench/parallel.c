/* How much sooner several threads are done than one.
 *
 *     bench_parallel solve FILE [OPTION=VALUE…]         exact values of the positions in FILE
 *     bench_parallel ends GAME [OPTION=VALUE…]          of positions from random play
 *     bench_parallel depth GAME [OPTION=VALUE…]         a search of such positions to a depth
 *     bench_parallel values GAME [OPTION=VALUE…]        whether one thread and several agree
 *
 *     threads=1,2,4   numbers of threads; the first one is what the others are compared with
 *     repeat=3        runs of each; the median of their times counts
 *     hash=256        MiB
 *     count=20        positions from random play, or the first ones of FILE
 *     side=5          positions for the independent solves
 *     empty=26        empty squares of the positions for ends; the third of every four has one less
 *     last=30         for values: as many positions of each number of empty squares from empty to
 *                     last
 *     seconds=60      for values: what one thread has not solved after this time does not count
 *     nodes=1000      only the first eight plies are random, then both sides search this many nodes
 *                     a move; such positions have fewer moves and are solved sooner
 *     depth=12        for depth
 *     seed=1          for random play
 *
 * A line of FILE is as for bench_solve, or a number, a position of othello, its value, and moves
 * with their values (01:+30), with semicolons in between. A wrong value or move ends the run.
 *
 * `values` solves positions with one thread each, as many at once as the last number of threads,
 * then each of them with that many threads. Different values end the run.
 *
 * Reports each run on standard error. Prints for each number of threads the time, the nodes, both
 * compared with the first number, and for `solve` the efficiency: independent solves of the same
 * positions with one thread each, that many side by side, take side_s seconds; then it is side_s /
 * (threads * seconds).
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "game/registry.h"

enum {
    MAX_POSITIONS = 512,
    LINE_BYTES = 512,
    MAX_RUNS = 32,
    MAX_REPEAT = 15,
    MAX_THREADS = 256,
    RANDOM_PLIES = 8
};

struct problem {
    const struct game *game;
    struct state state;
    bool has_value; /* known before the first run */
    int value;
    char moves[LINE_BYTES]; /* with their values, or "" */
};

struct job {
    const char *what; /* solve, ends, depth or values */
    int threads[MAX_RUNS];
    int run_count;
    int repeat;
    int hash_mb;
    int count;
    int side;
    int empty;
    int last; /* 0: only `empty` */
    int seconds;
    int nodes; /* 0: all plies are random */
    int depth;
    uint64_t seed;
    int problem_count;
    struct problem problems[MAX_POSITIONS];
};

struct cost {
    double seconds;
    uint64_t nodes;
};

static void fail(const char *what, const char *where)
{
    fprintf(stderr, "bench_parallel: %s: %s\n", what, where);
    exit(EXIT_FAILURE);
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

/* Cuts `text` at the next semicolon; returns what follows without its leading spaces, or NULL. */
static char *next_field(char *text)
{
    char *end = text ? strchr(text, ';') : NULL;
    if (!end) {
        return NULL;
    }
    *end = '\0';
    return end + 1 + strspn(end + 1, " ");
}

static void read_file(struct job *job, const char *name)
{
    char line[LINE_BYTES];
    struct note note;
    FILE *file = fopen(name, "r");
    if (!file) {
        fail("cannot open the file", name);
    }
    while (fgets(line, sizeof line, file) && job->problem_count < MAX_POSITIONS) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#') {
            continue;
        }
        struct problem *problem = &job->problems[job->problem_count++];
        bool is_numbered = line[0] >= '0' && line[0] <= '9';
        char *position = next_field(line);
        char *value = next_field(position);
        char *moves = next_field(value);
        if (!value) {
            fail("not a line of game; position; value", line);
        }
        problem->game = find_game(is_numbered ? "othello" : line);
        problem->has_value = true;
        problem->value = (int)strtol(value, NULL, 10);
        memcpy(problem->moves, moves ? moves : "", moves ? strlen(moves) + 1 : 1);
        if (game_read_position(problem->game, position, &problem->state, &note)) {
            fail(note.text, position);
        }
    }
    fclose(file);
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

/* The next move of a game that positions are taken from; false: there is none. */
static bool choose_move(const struct job *job, struct engine *engine, const struct problem *problem,
                        int ply, struct rng *rng, struct move *out)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = problem->game->moves(&problem->state, moves);
    if (count && job->nodes && ply >= RANDOM_PLIES) {
        struct engine_report report;
        engine_search(engine,
                      &(struct engine_request){.game = problem->game,
                                               .state = &problem->state,
                                               .limits = {.nodes = (uint64_t)job->nodes}},
                      &report);
        *out = report.move;
    } else if (count) {
        *out = moves[rng_below(rng, count)];
    }
    return count > 0;
}

/* Plays until few squares are empty, or a number of plies; false: the game ended. */
static bool play_opening(const struct job *job, struct engine *engine, struct problem *problem,
                         struct rng *rng)
{
    const struct game *game = problem->game;
    struct move move;
    bool is_end = job->depth == 0;
    int kinds = job->last - job->empty + 1;
    int empty = job->last ? job->empty + job->problem_count * kinds / job->count
                          : job->empty - (job->problem_count % 4 == 2);
    int plies = 8 + (int)rng_below(rng, 16);
    problem->state = game->start();
    for (int ply = 0; is_end ? count_empty(game, &problem->state) > empty : ply < plies; ply++) {
        if (!choose_move(job, engine, problem, ply, rng, &move) ||
            game->apply(&problem->state, &move, NULL)) {
            return false;
        }
    }
    return !game_is_over(game, &problem->state);
}

static void make_positions(struct job *job, const char *name)
{
    struct rng rng = rng_make(job->seed);
    const struct game *game = find_game(name);
    struct engine engine;
    struct note note;
    if (engine_init(&engine, 1, 1, &note)) {
        fail(note.text, "no engine for the positions");
    }
    for (; job->problem_count < job->count; job->problem_count++) {
        struct problem *problem = &job->problems[job->problem_count];
        problem->game = game;
        while (!play_opening(job, &engine, problem, &rng)) {
        }
    }
    engine_free(&engine);
}

/* The first solution of a problem sets the value that later ones must have. */
static void check(struct problem *problem, const struct engine_solution *solution)
{
    char position[GAME_POSITION_BYTES];
    char move[GAME_MOVE_BYTES];
    char wanted[GAME_MOVE_BYTES + 16];
    problem->game->write_position(&problem->state, position);
    if (!problem->has_value) {
        problem->has_value = true;
        problem->value = solution->value;
    }
    if (solution->value != problem->value) {
        fail("wrong value", position);
    }
    game_write_move(problem->game, &solution->moves[0], move);
    snprintf(wanted, sizeof wanted, "%s:%+d", move, problem->value);
    if (problem->moves[0] && !strstr(problem->moves, wanted)) {
        fail("wrong move", position);
    }
}

static struct cost measure_one(const struct job *job, struct engine *engine,
                               struct problem *problem)
{
    struct cost cost;
    engine_clear(engine);
    int64_t started_ns = clock_now_ns();
    if (job->depth > 0) {
        struct engine_limits limits = {.depth = job->depth};
        struct engine_report report;
        engine_search(engine,
                      &(struct engine_request){
                          .game = problem->game, .state = &problem->state, .limits = limits},
                      &report);
        cost.nodes = report.nodes;
    } else {
        struct engine_solution solution;
        if (!engine_solve(engine,
                          &(struct engine_request){.game = problem->game, .state = &problem->state},
                          false, &solution)) {
            fail("not solved", problem->game->name);
        }
        check(problem, &solution);
        cost.nodes = solution.nodes;
    }
    cost.seconds = (double)(clock_now_ns() - started_ns) / CLOCK_NS_PER_S;
    return cost;
}

static struct cost measure(const struct job *job, struct problem *problems, int count, int threads)
{
    struct engine engine;
    struct note note;
    struct cost sum = {0};
    if (engine_init(&engine, job->hash_mb, threads, &note)) {
        fail(note.text, "threads or hash");
    }
    for (int i = 0; i < count; i++) {
        struct cost cost = measure_one(job, &engine, &problems[i]);
        sum.seconds += cost.seconds;
        sum.nodes += cost.nodes;
    }
    engine_free(&engine);
    return sum;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One of the independent solves. */
struct solve_alone {
    const struct job *job;
    struct problem *problems; /* of its own */
    struct cost cost;
};

static void *run_side(void *argument)
{
    struct solve_alone *side = argument;
    side->cost = measure(side->job, side->problems, side->job->side, 1);
    return NULL;
}

/* The mean time of `count` solves side by side, one thread each. */
static double measure_sides(const struct job *job, int count)
{
    static struct solve_alone sides[MAX_THREADS];
    static pthread_t ids[MAX_THREADS];
    double sum = 0;
    for (int i = 0; i < count; i++) {
        size_t bytes = (size_t)job->problem_count * sizeof job->problems[0];
        sides[i] = (struct solve_alone){.job = job, .problems = malloc(bytes)};
        if (!sides[i].problems) {
            fail("not enough memory", "side by side");
        }
        memcpy(sides[i].problems, job->problems, bytes);
    }
    for (int i = 0; i < count; i++) {
        if (pthread_create(&ids[i], NULL, run_side, &sides[i])) {
            fail("cannot start a thread", "side by side");
        }
    }
    for (int i = 0; i < count; i++) {
        pthread_join(ids[i], NULL);
        sum += sides[i].cost.seconds;
        free(sides[i].problems);
    }
    return sum / count;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], compare);
    return values[count / 2];
}

/* Solves with one thread each, at once, with an end. */
struct value_queue {
    struct job *job;
    atomic_int next;
    atomic_bool is_over; /* what is left takes too long */
};

static void *find_values(void *argument)
{
    struct value_queue *queue = argument;
    struct job *job = queue->job;
    struct engine engine;
    struct note note;
    if (engine_init(&engine, job->hash_mb, 1, &note)) {
        fail(note.text, "hash");
    }
    for (int i = atomic_fetch_add(&queue->next, 1); i < job->problem_count;
         i = atomic_fetch_add(&queue->next, 1)) {
        struct problem *problem = &job->problems[i];
        struct engine_solution solution;
        struct engine_request request = {
            .game = problem->game, .state = &problem->state, .stop = &queue->is_over};
        engine_clear(&engine);
        if (!engine_solve(&engine, &request, false, &solution)) {
            continue;
        }
        problem->has_value = true;
        problem->value = solution.value;
        fprintf(stderr, "one thread: %d empty, %+d, %.1f Mnodes, %.1f s\n",
                count_empty(problem->game, &problem->state), solution.value,
                1e-6 * (double)solution.nodes, (double)solution.time_ns / CLOCK_NS_PER_S);
    }
    engine_free(&engine);
    return NULL;
}

static void solve_alone(struct job *job, int at_once)
{
    static pthread_t ids[MAX_THREADS];
    struct value_queue queue = {.job = job};
    int64_t end_ns = clock_now_ns() + job->seconds * CLOCK_NS_PER_S;
    for (int i = 0; i < at_once; i++) {
        if (pthread_create(&ids[i], NULL, find_values, &queue)) {
            fail("cannot start a thread", "values");
        }
    }
    while (atomic_load(&queue.next) < job->problem_count + at_once && clock_now_ns() < end_ns) {
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    }
    atomic_store(&queue.is_over, true);
    for (int i = 0; i < at_once; i++) {
        pthread_join(ids[i], NULL);
    }
}

static void compare_values(struct job *job)
{
    int threads = job->threads[job->run_count - 1];
    int equal = 0;
    struct engine engine;
    struct note note;
    solve_alone(job, threads);
    if (engine_init(&engine, job->hash_mb, threads, &note)) {
        fail(note.text, "threads or hash");
    }
    for (int i = 0; i < job->problem_count; i++) {
        struct problem *problem = &job->problems[i];
        if (problem->has_value) {
            struct cost cost = measure_one(job, &engine, problem);
            equal++;
            fprintf(stderr, "%d threads: %d empty, %+d, %.1f Mnodes, %.1f s\n", threads,
                    count_empty(problem->game, &problem->state), problem->value,
                    1e-6 * (double)cost.nodes, cost.seconds);
        }
    }
    engine_free(&engine);
    printf("%d positions: 1 and %d threads find equal values; %d more were not solved in %d s\n",
           equal, threads, job->problem_count - equal, job->seconds);
}

/* Rounds go over all numbers of threads, so that a busy machine disturbs them alike. */
static void run_job(struct job *job)
{
    static double seconds[MAX_RUNS][MAX_REPEAT];
    static double nodes[MAX_RUNS][MAX_REPEAT];
    static double ratios[MAX_RUNS][MAX_REPEAT];
    bool has_sides = job->side > 0 && job->depth == 0;
    for (int k = 0; k < job->repeat; k++) {
        for (int i = 0; i < job->run_count; i++) {
            struct cost cost = measure(job, job->problems, job->problem_count, job->threads[i]);
            seconds[i][k] = cost.seconds;
            fprintf(stderr, "round %d: %d threads, %.2f s, %.1f Mnodes\n", k + 1, job->threads[i],
                    cost.seconds, 1e-6 * (double)cost.nodes);
            nodes[i][k] = (double)cost.nodes;
            if (has_sides) {
                double alone = measure(job, job->problems, job->side, 1).seconds;
                ratios[i][k] = measure_sides(job, job->threads[i]) / alone;
                fprintf(stderr, "round %d: %d side by side take %.2f times as long as one\n", k + 1,
                        job->threads[i], ratios[i][k]);
            }
        }
    }
    printf("%s, %d positions, median of %d\n", job->what, job->problem_count, job->repeat);
    printf("threads  seconds  of first  Mnodes  of first%s\n",
           has_sides ? "  speed-up  machine's  efficiency" : "");
    double first_s = median(seconds[0], job->repeat);
    double first_nodes = median(nodes[0], job->repeat);
    for (int i = 0; i < job->run_count; i++) {
        double here_s = median(seconds[i], job->repeat);
        double here_nodes = median(nodes[i], job->repeat);
        printf("%7d %8.2f %9.3f %7.1f %9.3f", job->threads[i], here_s, here_s / first_s,
               1e-6 * here_nodes, here_nodes / first_nodes);
        if (has_sides) {
            double machine = job->threads[i] / median(ratios[i], job->repeat);
            printf(" %9.2f %10.2f %11.3f", first_s / here_s, machine, first_s / here_s / machine);
        }
        printf("\n");
    }
}

static void read_threads(struct job *job, const char *text)
{
    char *end = NULL;
    job->run_count = 0;
    do {
        long count = strtol(text, &end, 10);
        if (count < 1 || count > MAX_THREADS || job->run_count == MAX_RUNS) {
            fail("not a list of numbers of threads", text);
        }
        job->threads[job->run_count++] = (int)count;
        text = end + 1;
    } while (*end == ',');
}

static void read_option(struct job *job, const char *option)
{
    const struct {
        const char *name;
        int *value;
        int most;
    } rows[] = {{"repeat=", &job->repeat, MAX_REPEAT},
                {"hash=", &job->hash_mb, TT_MAX_MB},
                {"count=", &job->count, MAX_POSITIONS},
                {"side=", &job->side, MAX_POSITIONS},
                {"empty=", &job->empty, 60},
                {"last=", &job->last, 60},
                {"seconds=", &job->seconds, 3600},
                {"nodes=", &job->nodes, 1000000},
                {"depth=", &job->depth, ENGINE_MAX_DEPTH}};
    if (strncmp(option, "threads=", 8) == 0) {
        read_threads(job, option + 8);
        return;
    }
    if (strncmp(option, "seed=", 5) == 0) {
        job->seed = strtoul(option + 5, NULL, 10);
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t length = strlen(rows[i].name);
        if (strncmp(option, rows[i].name, length) == 0) {
            long value = strtol(option + length, NULL, 10);
            if (value < 0 || value > rows[i].most) {
                fail("out of range", option);
            }
            *rows[i].value = (int)value;
            return;
        }
    }
    fail("unknown option", option);
}

int main(int argc, char **argv)
{
    static struct job job = {.threads = {1, 2},
                             .run_count = 2,
                             .repeat = 3,
                             .hash_mb = 256,
                             .count = 20,
                             .empty = 20,
                             .seconds = 60,
                             .seed = 1};
    if (argc < 3) {
        fail("usage", "bench_parallel solve|ends|depth|values FILE|GAME [OPTION=VALUE...]");
    }
    job.what = argv[1];
    bool is_file = strcmp(job.what, "solve") == 0;
    bool is_depth = strcmp(job.what, "depth") == 0;
    bool is_values = strcmp(job.what, "values") == 0;
    job.depth = is_depth ? 10 : 0;
    job.count = is_file ? MAX_POSITIONS : job.count;
    for (int i = 3; i < argc; i++) {
        read_option(&job, argv[i]);
    }
    if (!is_depth) {
        job.depth = 0;
    }
    if (job.last && job.last < job.empty) {
        fail("out of range", "last is less than empty");
    }
    if (is_file) {
        read_file(&job, argv[2]);
        job.problem_count = job.problem_count < job.count ? job.problem_count : job.count;
    } else {
        make_positions(&job, argv[2]);
    }
    job.side = job.side < job.problem_count ? job.side : job.problem_count;
    if (is_values) {
        compare_values(&job);
    } else {
        run_job(&job);
    }
    return EXIT_SUCCESS;
}
