/* The naive rules against the published counts of move sequences, so that they can be trusted
 * to judge the fast ones. With the argument `long`: one ply deeper, which takes half a minute. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "naive/naive.h"

enum { MAX_DEPTH = 9 };

struct counts {
    const char *game;
    int quick_depth;
    uint64_t by_depth[MAX_DEPTH + 1]; /* 0: not known */
};

static const struct counts hop = {"hop", 4, {1, 31, 961, 32150, 1076646, 36214782}};
static const struct counts noloop = {"hop-noloop", 4, {1, 31, 961, 31282, 1019276, 33329549}};
static const struct counts reversi = {"reversi", 4, {1, 36, 1260, 42896, 1419432, 45679608}};
static const struct counts meichu = {"meichu", 4, {1, 32, 1024, 30976, 936930, 28017807}};
static const struct counts othello = {
    "othello", 8, {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288}};

static void counts_agree_near_the_start(void **state)
{
    const struct counts *counts = *state;
    for (int depth = 0; depth <= counts->quick_depth; depth++) {
        assert_int_equal(naive_perft(counts->game, "start", depth), counts->by_depth[depth]);
    }
}

static void counts_agree_one_ply_deeper(void **state)
{
    const struct counts *counts = *state;
    int depth = counts->quick_depth + 1;
    assert_int_equal(naive_perft(counts->game, "start", depth), counts->by_depth[depth]);
}

#define ROW(title, test, counts)                                \
    {                                                           \
        title, test, NULL, NULL, (void *)(uintptr_t) & (counts) \
    }
#define ROWS(test)                                                                         \
    ROW("hop", test, hop), ROW("hop-noloop", test, noloop), ROW("reversi", test, reversi), \
        ROW("othello", test, othello), ROW("meichu", test, meichu)

int main(int argc, char **argv)
{
    const struct CMUnitTest quick[] = {ROWS(counts_agree_near_the_start)};
    const struct CMUnitTest slow[] = {ROWS(counts_agree_one_ply_deeper)};
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        return cmocka_run_group_tests_name("naive perft, deepest", slow, NULL, NULL);
    }
    return cmocka_run_group_tests_name("naive perft", quick, NULL, NULL);
}
