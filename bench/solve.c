/* How fast ends are solved exactly, on one thread.
 *
 *     bench_solve FILE
 *
 * A line of FILE is a game, a position and its value, with a semicolon in between; a line that
 * begins with # gives its group a name. Prints for each group the processor time and the nodes of
 * a fresh solver: in all, of the median and of the slowest position. For reversi and othello also
 * what it takes to know the winner alone. A wrong value ends the run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/engine.h"
#include "game/registry.h"

enum { HASH_MB = 256, MAX_GROUP = 512, LINE_BYTES = 256 };

struct group {
    char name[LINE_BYTES];
    int count;
    double seconds[MAX_GROUP];
    uint64_t nodes;
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

static void print_group(struct group *group)
{
    double sum = 0;
    if (group->count == 0) {
        return;
    }
    qsort(group->seconds, (size_t)group->count, sizeof group->seconds[0], compare);
    for (int i = 0; i < group->count; i++) {
        sum += group->seconds[i];
    }
    printf("%-32s %4d positions %8.2f s  median %6.3f  slowest %6.3f  %8.1f million nodes\n",
           group->name, group->count, sum, group->seconds[group->count / 2],
           group->seconds[group->count - 1], 1e-6 * (double)group->nodes);
    fflush(stdout);
}

static void fail(const char *what, const char *where)
{
    fprintf(stderr, "bench_solve: %s: %s\n", what, where);
    exit(EXIT_FAILURE);
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
    engine_clear(engine);
    double start = cpu_seconds();
    if (!engine_solve(engine, game, &state, false, NULL, &solution) ||
        solution.value != strtol(value, NULL, 10)) {
        fail("wrong value", position);
    }
    group->seconds[group->count++] = cpu_seconds() - start;
    group->nodes += solution.nodes;
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
            group = (struct group){.count = 0};
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
