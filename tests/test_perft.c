/* Counts of move sequences on every processor level, from the file named on the command line or
 * from perft.txt, which says how such a file is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "game/registry.h"
#include "rules_support.h"

struct perft_line {
    char *game;
    char *position;
    char *counts;
};

/* Cuts "game; position; counts" in place. */
static struct perft_line cut(char *text)
{
    static const char separator[] = "; ";
    char *first = strstr(text, separator);
    assert_non_null(first);
    char *second = strstr(first + 1, separator);
    assert_non_null(second);
    *first = *second = '\0';
    size_t skipped = strlen(separator);
    return (struct perft_line){text, first + skipped, second + skipped};
}

/* Returns how many counts are wrong. */
static int check(const struct perft_line *line, enum cpu_level level)
{
    const struct game *game = find_game(level, line->game);
    struct state state = read_state(game, line->position);
    int wrong = 0;
    int depth = 0;
    char *at = line->counts;
    while (*at && *at != '\n') {
        char *end = NULL;
        uint64_t expected = strtoull(at, &end, 10);
        assert_ptr_not_equal(end, at);
        at = end;
        uint64_t counted = game->perft(&state, ++depth);
        if (counted != expected) {
            print_error("%s (%s) '%s' depth %d: %llu instead of %llu\n", line->game,
                        cpu_name(level), line->position, depth, (unsigned long long)counted,
                        (unsigned long long)expected);
            wrong++;
        }
    }
    assert_true(depth > 0);
    return wrong;
}

static void perft_counts_are_those_of_the_file(void **path)
{
    FILE *file = fopen(*path, "r");
    assert_non_null(file);
    char *text = NULL;
    size_t bytes = 0;
    int lines = 0;
    int wrong = 0;
    while (getline(&text, &bytes, file) > 0) {
        if (text[0] == '#' || text[0] == '\n') {
            continue;
        }
        struct perft_line line = cut(text);
        lines++;
        for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
            wrong += check(&line, level);
        }
    }
    free(text);
    fclose(file);
    assert_true(lines > 0);
    assert_int_equal(wrong, 0);
}

static void perft_of_depth_0_is_1(void **unused)
{
    (void)unused;
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = NULL;
        for (size_t i = 0; (game = registry_at(level, i)); i++) {
            struct state start = game->start();
            assert_int_equal(game->perft(&start, 0), 1);
        }
    }
}

int main(int argc, char **argv)
{
    static char everyday[] = TESTS_DIR "/perft.txt";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(perft_counts_are_those_of_the_file,
                                  argc > 1 ? argv[1] : everyday),
        cmocka_unit_test(perft_of_depth_0_is_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
