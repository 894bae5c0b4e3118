/* How fast ends are solved exactly, on one thread.
 *
 *     bench_solve FILE
 *
 * A line of FILE is a game, a position and its value, with a semicolon in between; a line that
 * begins with # gives its group a name. Prints for each group the processor time and the nodes of
 * a fresh solver: in all, of the median and of the slowest position; then the same for knowing
 * the winner alone. A wrong value ends the run. Where the program has a variant for AVX2, that is
 * what is measured.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cpu.h"
#include "engine/engine.h"
#include "game/registry.h"
#include "games/reversi/engine_solve.h"
#include "games/reversi/state.h"

enum { HASH_MB = 256, MAX_GROUP = 512, LINE_BYTES = 256 };

struct costs {
    double seconds[MAX_GROUP];
    uint64_t nodes;
};

struct group {
    char name[LINE_BYTES];
    int count;
    struct costs value;
    struct costs winner;
};

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_costs(const char *what, struct costs *costs, int count)
{
    double sum = 0;
    qsort(costs->seconds, (size_t)count, sizeof costs->seconds[0], compare);
    for (int i = 0; i < count; i++) {
        sum += costs->seconds[i];
    }
    printf("  %-6s %8.2f s  median %6.3f  slowest %6.3f  %8.1f million nodes\n", what, sum,
           costs->seconds[count / 2], costs->seconds[count - 1], 1e-6 * (double)costs->nodes);
    fflush(stdout);
}

static void print_group(struct group *group)
{
    if (group->count > 0) {
        printf("%s: %d positions\n", group->name, group->count);
        print_costs("value", &group->value, group->count);
        print_costs("winner", &group->winner, group->count);
    }
}

static void fail(const char *what, const char *where)
{
    fprintf(stderr, "bench_solve: %s: %s\n", what, where);
    exit(EXIT_FAILURE);
}

/* Who wins, found by the solver alone; returns its nodes. */
static uint64_t find_winner(struct engine *engine, const struct game *game,
                            const struct state *state, int value)
{
    static const struct reversi_variant reversi = {
        .holes = REVERSI_CORNERS, .free_squares = REVERSI_CENTRE, .squares = 60};
    static const struct reversi_variant othello = {.winner_takes_empty = true, .squares = 64};
    struct reversi_state s = reversi_unpack(state);
    struct search search = {.tt = &engine->tt, .nodes_left = UINT64_MAX, .deadline_ns = INT64_MAX};
    engine_clear(engine);
    struct search_thread thread = search_thread_start(&search, 0, false);
    int sign = reversi_solve(&thread, strcmp(game->name, "othello") == 0 ? &othello : &reversi,
                             s.discs[s.to_move], s.discs[s.to_move ^ 1], -1, 1);
    if ((sign > 0) != (value > 0) || (sign < 0) != (value < 0)) {
        fail("wrong winner", game->name);
    }
    return thread.nodes;
}

static void solve_line(struct engine *engine, struct group *group, char *line)
{
    struct note note;
    struct state state;
    struct engine_solution solution;
    char *position = strchr(line, ';');
    char *value = position ? strchr(position + 1, ';') : NULL;
    if (!value || group->count == MAX_GROUP) {
        fail("not a line of game; position; value", line);
    }
    *position++ = *value++ = '\0';
    position += strspn(position, " ");
    const struct game *game = registry_find(cpu_best(), line, &note);
    if (!game || game_read_position(game, position, &state, &note)) {
        fail(note.text, position);
    }
    double start = cpu_seconds();
    engine_clear(engine);
    if (!engine_solve(engine, &(struct engine_request){.game = game, .state = &state}, false,
                      &solution) ||
        solution.value != strtol(value, NULL, 10)) {
        fail("wrong value", position);
    }
    double middle = cpu_seconds();
    group->winner.nodes += find_winner(engine, game, &state, solution.value);
    group->value.nodes += solution.nodes;
    group->value.seconds[group->count] = middle - start;
    group->winner.seconds[group->count++] = cpu_seconds() - middle;
}

int main(int argc, char **argv)
{
    char line[LINE_BYTES];
    struct note note;
    struct engine engine = {.thread_count = 0};
    static struct group group;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file || engine_init(&engine, HASH_MB, 1, &note)) {
        fail("usage", "bench_solve FILE");
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#') {
            print_group(&group);
            memset(&group, 0, sizeof group);
            memcpy(group.name, line + 2, strlen(line + 1));
        } else {
            solve_line(&engine, &group, line);
        }
    }
    print_group(&group);
    engine_free(&engine);
    fclose(file);
    return EXIT_SUCCESS;
}
