/* openings: a file of openings for matches, as an engine judges them.
 *
 * usage: openings GAME BUILD.so COUNT SEED >FILE
 *
 * A line is a position; no two are the same. The first lines, with "# ", say how they were made.
 * The same arguments and the same build give the same file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/registry.h"
#include "opening.h"

enum { MOST_OPENINGS = 10000 };

static char lines[MOST_OPENINGS][GAME_POSITION_BYTES];

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_tt_cutoff(const char *text, long count)
{
    for (long i = 0; i < count; i++) {
        if (strcmp(lines[i], text) == 0) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    long count = argc == 5 ? strtol(argv[3], NULL, 10) : 0;
    if (count < 1 || count > MOST_OPENINGS) {
        fprintf(stderr, "usage: openings GAME BUILD.so COUNT SEED >FILE (COUNT at most %d)\n",
                MOST_OPENINGS);
        return 2;
    }
    struct note why = {""};
    const struct game *game = registry_find(CPU_BASELINE, argv[1], &why);
    struct versus judge = versus_load(argv[2], argv[1]);
    if (!game || judge.is_sparring) {
        fprintf(stderr, "openings: %s\n",
                game ? "the sparring partner has no scores; name a BUILD.so" : why.text);
        return 2;
    }
    struct rng rng = rng_make(strtoull(argv[4], NULL, 10));
    printf("# %ld openings of %s: %d to %d random plies from seed %s, then a score within %d\n"
           "# hundredths of 0 in a search of %d nodes by %s.\n",
           count, argv[1], OPENING_PLIES, OPENING_PLIES + OPENING_PLIES_MORE - 1, argv[4],
           OPENING_BALANCED, OPENING_NODES, name_of(argv[2]));
    for (long i = 0; i < count;) {
        struct state state = opening_draw(game, &judge, &rng);
        game->write_position(&state, lines[i]);
        if (!is_tt_cutoff(lines[i], i)) {
            puts(lines[i++]);
        }
    }
    return fflush(stdout) == 0 ? 0 : 3;
}
