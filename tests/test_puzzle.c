/* The sets of puzzles of the games: their form, and proofs of some of them. */
#include <glob.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "game/registry.h"
#include "puzzle.h"

enum { FEWEST = 100, LATE_PLIES = 20, MAX_LINES = 1000, LINE_BYTES = 1024 };

struct puzzle_entry {
    int level;
    char kind[16];
    long number; /* of the game that it is from */
    int left;    /* plies that the game still had */
    struct move move;
    struct state state;
};

struct puzzle_file {
    const struct game *game;
    size_t count;
    struct puzzle_entry entries[MAX_LINES];
};

static void read_line(const struct game *game, const char *line, struct puzzle_entry *out)
{
    char move[GAME_MOVE_BYTES];
    int begin = 0;
    struct note why = {""};
    int fields = sscanf(line, "%d %15s %ld %d %299s %n", &out->level, out->kind, &out->number,
                        &out->left, move, &begin);
    assert_int_equal(fields, 5);
    char position[LINE_BYTES];
    snprintf(position, sizeof position, "%s", line + begin);
    position[strcspn(position, "\n")] = '\0';
    assert_int_equal(game->read_position(position, &out->state, &why), ERR_NONE);
    assert_int_equal(game_read_move(game, move, &out->move, &why), ERR_NONE);
    assert_true(game_is_legal(game, &out->state, &out->move));
}

/* src/games/FOLDER/puzzles/GAME.txt */
static void read_file(const char *path, struct puzzle_file *out)
{
    char name[64];
    char line[LINE_BYTES];
    struct note why = {""};
    snprintf(name, sizeof name, "%s", strrchr(path, '/') + 1);
    *strchr(name, '.') = '\0';
    out->game = registry_find(CPU_BASELINE, name, &why);
    out->count = 0;
    assert_non_null(out->game);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] != '#') {
            assert_true(out->count < MAX_LINES);
            read_line(out->game, line, &out->entries[out->count++]);
        }
    }
    fclose(file);
}

static void for_each_set(void (*check)(const struct puzzle_file *set))
{
    static struct puzzle_file set;
    glob_t found;
    assert_int_equal(glob(PLUM_GAMES "/*/puzzles/*.txt", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        read_file(found.gl_pathv[i], &set);
        check(&set);
    }
    globfree(&found);
}

static void check_form(const struct puzzle_file *set)
{
    size_t late = 0;
    assert_true(set->count >= FEWEST);
    for (size_t i = 0; i < set->count; i++) {
        const struct puzzle_entry *entry = &set->entries[i];
        late += entry->left <= LATE_PLIES;
        assert_in_range(entry->level, i ? set->entries[i - 1].level : 1, ENGINE_MAX_LEVEL);
        for (size_t j = 0; j < i; j++) {
            assert_true(set->entries[j].number != entry->number);
        }
    }
    assert_true(3 * late <= set->count);
}

static void a_set_has_a_hundred_puzzles_of_as_many_games_and_at_most_a_third_are_late(void **state)
{
    (void)state;
    for_each_set(check_form);
}

/* The level is not compared: it changes with the levels, the solution does not. */
static void prove(struct engine *engine, const struct game *game, const struct puzzle_entry *entry,
                  enum puzzle_kind kind)
{
    struct move best = entry->move;
    assert_true(kind == PUZZLE_PROVED
                    ? puzzle_is_proved(engine, game, &entry->state, &entry->move)
                    : puzzle_is_likely(engine, game, &entry->state, PUZZLE_MORE_NODES, &best));
    struct state wanted = game_after(game, &entry->state, &entry->move);
    struct state found = game_after(game, &entry->state, &best);
    assert_memory_equal(&found, &wanted, sizeof found);
}

/* The first of each kind in a set. */
static void check_some(const struct puzzle_file *set)
{
    struct engine engine = {0};
    struct note why = {""};
    assert_int_equal(engine_init(&engine, PUZZLE_HASH_MB, 1, &why), ERR_NONE);
    for (enum puzzle_kind kind = PUZZLE_PROVED; kind <= PUZZLE_CONFIRMED; kind++) {
        size_t at = 0;
        while (at < set->count && strcmp(set->entries[at].kind, puzzle_kind_name(kind)) != 0) {
            at++;
        }
        if (at < set->count) {
            prove(&engine, set->game, &set->entries[at], kind);
        }
    }
    engine_free(&engine);
}

static void the_first_puzzle_of_each_kind_is_proved_again(void **state)
{
    (void)state;
    for_each_set(check_some);
}

static void the_start_of_a_game_is_not_a_puzzle(void **state)
{
    (void)state;
    struct engine engine = {0};
    struct note why = {""};
    struct move move;
    const struct game *game = registry_at(CPU_BASELINE, 0);
    struct state start = game->start();
    assert_int_equal(engine_init(&engine, PUZZLE_HASH_MB, 1, &why), ERR_NONE);
    assert_int_equal(puzzle_examine(&engine, game, &start, &move), PUZZLE_NONE);
    engine_free(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_has_a_hundred_puzzles_of_as_many_games_and_at_most_a_third_are_late),
        cmocka_unit_test(the_first_puzzle_of_each_kind_is_proved_again),
        cmocka_unit_test(the_start_of_a_game_is_not_a_puzzle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
