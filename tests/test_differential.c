/* The fast rules against the naive ones: every game, every processor level, random games and
 * random positions. A difference is printed with the position, the move and both answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/rng.h"
#include "game/game.h"
#include "game/registry.h"
#include "keyset.h"
#include "naive/naive.h"
#include "random_position.h"
#include "report/caption.h"
#include "scale.h"

enum {
    /* Positions compared in one game's random playouts, and constructed ones, in a usual run. */
    PLAYED_POSITIONS = 20000,
    CONSTRUCTED_POSITIONS = 20000,
    PERFT_EVERY = 40,
    MAX_PLIES = 400,
    LONG_PATH = 110, /* more squares than a move may have */
    PATH_TEXT_BYTES = 3 * LONG_PATH + 8,
};

struct duel {
    const struct naive_game *naive;
    const struct game *fast[CPU_LEVELS];
    int levels;
    struct keyset keys[CPU_LEVELS];
    struct naive_list list; /* the moves of the position being compared */
    struct rng rng;
};

static struct duel duel_make(const char *name, uint64_t seed)
{
    struct duel duel = {.naive = naive_find(name), .rng = rng_make(seed)};
    assert_non_null(duel.naive);
    for (int level = CPU_BASELINE; level <= (int)cpu_best(); level++) {
        duel.fast[duel.levels] = registry_find((enum cpu_level)level, name, NULL);
        assert_non_null(duel.fast[duel.levels]);
        duel.levels++;
    }
    return duel;
}

static void duel_free(struct duel *duel)
{
    naive_list_free(&duel->list);
    for (int level = 0; level < duel->levels; level++) {
        keyset_free(&duel->keys[level]);
    }
}

static int below(struct duel *duel, int bound)
{
    return (int)rng_below(&duel->rng, (uint64_t)bound);
}

static void fail_with(const struct duel *duel, int level, const char *position, const char *move,
                      const char *fast, const char *naive)
{
    fprintf(stderr,
            "%s, %s variant\n  position  %s\n  move      %s\n  fast      %s\n  naive     %s\n",
            duel->naive->name, cpu_name((enum cpu_level)level), position, move, fast, naive);
    fail();
}

static struct state read_state(const struct duel *duel, int level, const char *text)
{
    struct state state;
    memset(&state, 0xa5, sizeof state);
    struct note why = {""};
    if (duel->fast[level]->read_position(text, &state, &why)) {
        fail_with(duel, level, text, "", why.text, "a valid position");
    }
    return state;
}

static void compare_board(const struct duel *duel, int level, const struct naive_position *position,
                          const char *text, const struct state *state)
{
    const struct game *fast = duel->fast[level];
    char again[GAME_POSITION_BYTES];
    fast->write_position(state, again);
    if (strcmp(again, text) != 0) {
        fail_with(duel, level, text, "", again, text);
    }
    assert_int_equal(fast->to_move(state), position->to_move == 'b' ? SIDE_BLACK : SIDE_WHITE);
    for (int square = 0; square < fast->rows * fast->columns; square++) {
        assert_int_equal(caption_letter(fast, fast->cell(state, square)), position->cells[square]);
    }
}

static void compare_result(const struct duel *duel, int level,
                           const struct naive_position *position, const char *text,
                           const struct state *state)
{
    static const char *const outcomes[] = {
        [OUTCOME_ONGOING] = "ongoing",
        [OUTCOME_BLACK] = "black",
        [OUTCOME_WHITE] = "white",
        [OUTCOME_DRAW] = "draw",
    };
    struct result fast = duel->fast[level]->result(state);
    struct naive_result naive = naive_result(duel->naive, position);
    char fast_text[64], naive_text[64];
    snprintf(fast_text, sizeof fast_text, "%s %d %d", outcomes[fast.outcome], fast.score[0],
             fast.score[1]);
    snprintf(naive_text, sizeof naive_text, "%s %d %d", naive.outcome, naive.score[0],
             naive.score[1]);
    if (strcmp(fast_text, naive_text) != 0) {
        fail_with(duel, level, text, "", fast_text, naive_text);
    }
    assert_int_equal(fast.outcome == OUTCOME_ONGOING, fast.reason[0] == '\0');
    assert_int_equal(fast.outcome != OUTCOME_ONGOING, game_is_over(duel->fast[level], state));
}

/* Plays the move at this level and compares what comes out with what the naive rules say;
 * `after` is NULL for a move that they refuse. */
static void compare_apply(const struct duel *duel, int level, const char *text,
                          const struct state *state, const struct move *move, const char *move_text,
                          const struct naive_position *after)
{
    const struct game *fast = duel->fast[level];
    char naive_text[NAIVE_POSITION_BYTES] = "refused";
    char fast_text[GAME_POSITION_BYTES] = "refused";
    struct note why = {""};
    struct state next = *state;
    enum err err = fast->apply(&next, move, &why);
    if (after) {
        naive_write(duel->naive, after, naive_text);
    }
    if (!err) {
        fast->write_position(&next, fast_text);
    }
    if (strcmp(fast_text, naive_text) != 0) {
        fail_with(duel, level, text, move_text, err ? why.text : fast_text, naive_text);
    }
    if (err) {
        assert_int_equal(err, ERR_NEGATIVE);
        assert_string_not_equal(why.text, "");
        assert_memory_equal(&next, state, sizeof next);
    } else {
        struct state reread = read_state(duel, level, fast_text);
        assert_memory_equal(&next, &reread, sizeof next);
    }
}

static void print_texts(const char *title, const struct game *game, const struct move *moves,
                        size_t count)
{
    char text[GAME_MOVE_BYTES];
    fprintf(stderr, "%s:", title);
    for (size_t i = 0; i < count; i++) {
        game_write_move(game, &moves[i], text);
        fprintf(stderr, " %s", text);
    }
    fprintf(stderr, "\n");
}

static void print_list(const char *title, const struct naive_list *list)
{
    fprintf(stderr, "%s:", title);
    for (size_t i = 0; i < list->count; i++) {
        fprintf(stderr, " %s", list->moves[i].text);
    }
    fprintf(stderr, "\n");
}

static void compare_legal_moves(const struct duel *duel, int level, const char *text,
                                const struct state *state)
{
    const struct game *fast = duel->fast[level];
    struct move moves[GAME_MAX_MOVES];
    size_t count = fast->moves(state, moves);
    bool is_same = count == duel->list.count;
    for (size_t i = 0; i < count && is_same; i++) {
        char move_text[GAME_MOVE_BYTES];
        game_write_move(fast, &moves[i], move_text);
        is_same = strcmp(move_text, duel->list.moves[i].text) == 0;
    }
    if (!is_same) {
        print_texts("fast", fast, moves, count);
        print_list("naive", &duel->list);
        fail_with(duel, level, text, "", "other moves", "other moves");
    }
    for (size_t i = 0; i < count; i++) {
        compare_apply(duel, level, text, state, &moves[i], duel->list.moves[i].text,
                      &duel->list.moves[i].after);
    }
}

/* Leaves the position's naive moves in duel->list. */
static void compare_position(struct duel *duel, const struct naive_position *position)
{
    char text[NAIVE_POSITION_BYTES];
    struct naive_position reread;
    naive_write(duel->naive, position, text);
    assert_true(naive_read(duel->naive, text, &reread));
    assert_true(naive_equal(position, &reread));
    naive_moves(duel->naive, position, &duel->list);
    for (int level = 0; level < duel->levels; level++) {
        struct state state = read_state(duel, level, text);
        compare_board(duel, level, position, text, &state);
        compare_result(duel, level, position, text, &state);
        compare_legal_moves(duel, level, text, &state);
        keyset_add(&duel->keys[level], duel->fast[level]->key(&state), text);
    }
}

static void compare_perft(struct duel *duel, const struct naive_position *position)
{
    char text[NAIVE_POSITION_BYTES];
    naive_write(duel->naive, position, text);
    for (int depth = 0; depth <= 2; depth++) {
        uint64_t naive = naive_perft(duel->naive->name, text, depth);
        for (int level = 0; level < duel->levels; level++) {
            struct state state = read_state(duel, level, text);
            uint64_t fast = duel->fast[level]->perft(&state, depth);
            if (fast != naive) {
                char fast_text[40], naive_text[40];
                snprintf(fast_text, sizeof fast_text, "perft %d: %ju", depth, (uintmax_t)fast);
                snprintf(naive_text, sizeof naive_text, "perft %d: %ju", depth, (uintmax_t)naive);
                fail_with(duel, level, text, "", fast_text, naive_text);
            }
        }
    }
}

/* Whether both refuse the move text, or both accept it and agree on what follows. Returns
 * whether they accept it. */
static bool compare_move_text(const struct duel *duel, const struct naive_position *position,
                              const char *move_text)
{
    char text[NAIVE_POSITION_BYTES];
    naive_write(duel->naive, position, text);
    struct naive_position after;
    bool is_valid = naive_apply(duel->naive, position, move_text, &after);
    for (int level = 0; level < duel->levels; level++) {
        struct state state = read_state(duel, level, text);
        struct move move;
        struct note why = {""};
        if (!game_read_move(duel->fast[level], move_text, &move, &why)) {
            compare_apply(duel, level, text, &state, &move, move_text, is_valid ? &after : NULL);
        } else if (is_valid) {
            fail_with(duel, level, text, move_text, why.text, "accepted");
        }
    }
    return is_valid;
}

/* A move as hostile bytes might spell it: any kind, any count, squares off the board. */
static void compare_raw_move(struct duel *duel, const struct naive_position *position)
{
    const struct game *game = duel->fast[0];
    struct move move = {.kind = MOVE_PATH, .count = (uint8_t)below(duel, 5)};
    if (below(duel, 8) == 0) {
        move.count = (uint8_t)below(duel, 256);
    }
    if (below(duel, 8) == 0) {
        move.kind = (uint8_t)(MOVE_SKIP + 1 + below(duel, 250));
    }
    bool has_text = move.kind == MOVE_PATH && move.count <= game->path_max && move.count > 0;
    for (int i = 0; i < GAME_MAX_PATH; i++) {
        int squares = game->rows * game->columns;
        move.squares[i] = (uint8_t)below(duel, below(duel, 16) ? squares : 256);
        has_text = has_text && (i >= move.count || move.squares[i] < squares);
    }
    char move_text[GAME_MOVE_BYTES];
    if (has_text) {
        game_write_move(game, &move, move_text);
    } else {
        snprintf(move_text, sizeof move_text, "kind %d, count %d, squares %d %d …", move.kind,
                 move.count, move.squares[0], move.squares[1]);
    }
    char text[NAIVE_POSITION_BYTES];
    naive_write(duel->naive, position, text);
    struct naive_position after;
    bool is_valid = has_text && naive_apply(duel->naive, position, move_text, &after);
    for (int level = 0; level < duel->levels; level++) {
        struct state state = read_state(duel, level, text);
        compare_apply(duel, level, text, &state, &move, move_text, is_valid ? &after : NULL);
    }
}

/* A listed move with one digit or the length changed: nearly right, so most rules matter. */
static void compare_distorted_move(struct duel *duel, const struct naive_position *position)
{
    if (duel->list.count == 0) {
        return;
    }
    char text[NAIVE_MOVE_BYTES + 4];
    snprintf(text, sizeof text, "%s", duel->list.moves[below(duel, (int)duel->list.count)].text);
    size_t length = strlen(text);
    if (below(duel, 4) == 0) {
        snprintf(text + length, sizeof text - length, "-%d%d", below(duel, 9), below(duel, 9));
    } else {
        text[below(duel, (int)length)] = (char)('0' + below(duel, 10));
    }
    compare_move_text(duel, position, text);
}

static void compare_words(const struct duel *duel, const struct naive_position *position)
{
    static const char *const words[] = {"pass", "skip", "", "-", "00", "00-00", "resign"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        compare_move_text(duel, position, words[i]);
    }
}

/* The listed path to a position is no longer than any other one, nor later in the alphabet. */
static void check_listed_path_is_best(const struct duel *duel,
                                      const struct naive_position *position, const char *path)
{
    struct naive_position after;
    assert_true(naive_apply(duel->naive, position, path, &after));
    for (size_t i = 0; i < duel->list.count; i++) {
        const char *listed = duel->list.moves[i].text;
        if (naive_equal(&duel->list.moves[i].after, &after)) {
            assert_true(strlen(listed) <= strlen(path));
            assert_true(strlen(listed) < strlen(path) || strcmp(listed, path) <= 0);
            return;
        }
    }
    fail_with(duel, 0, "", path, "", "valid, but its result is not listed");
}

/* Lengthens the path by one hop in a random direction. Returns false where there is none. */
static bool extend_path(struct duel *duel, const struct naive_position *position,
                        char path[PATH_TEXT_BYTES])
{
    static const int steps[4][2] = {{-2, 0}, {0, -2}, {0, 2}, {2, 0}};
    size_t length = strlen(path);
    int first = below(duel, 4);
    for (int i = 0; i < 4; i++) {
        const int *step = steps[(first + i) % 4];
        int row = path[length - 2] - '0' + step[0];
        int column = path[length - 1] - '0' + step[1];
        if (row >= 0 && row < 8 && column >= 0 && column < 8) {
            snprintf(path + length, PATH_TEXT_BYTES - length, "-%d%d", row, column);
            if (compare_move_text(duel, position, path)) {
                return true;
            }
        }
    }
    path[length] = '\0';
    return false;
}

/* Wanders about with one piece that can move in hop, far beyond the shortest path. Leaves a
 * valid path, or "" when the piece cannot hop. */
static void wander(struct duel *duel, const struct naive_position *position,
                   char path[PATH_TEXT_BYTES])
{
    int limit = below(duel, 16) ? 1 + below(duel, 10) : LONG_PATH;
    int hops = 0;
    snprintf(path, PATH_TEXT_BYTES, "%.2s",
             duel->list.moves[below(duel, (int)duel->list.count)].text);
    while (hops < limit && extend_path(duel, position, path)) {
        hops++;
    }
    if (hops == 0) {
        path[0] = '\0';
    }
}

static void compare_odd_moves(struct duel *duel, const struct naive_position *position)
{
    compare_raw_move(duel, position);
    compare_distorted_move(duel, position);
    if (below(duel, 16) == 0) {
        compare_words(duel, position);
    }
    bool can_move = duel->list.count > 0 && strcmp(duel->list.moves[0].text, "pass") != 0;
    if (duel->naive->apply_path && can_move) {
        char path[PATH_TEXT_BYTES];
        wander(duel, position, path);
        if (path[0]) {
            check_listed_path_is_best(duel, position, path);
        }
    }
}

/* One letter of the text replaced, removed or doubled: both read it or both refuse it. */
static void compare_distorted_text(struct duel *duel, const struct naive_position *position)
{
    static const char letters[] = ".XO#FSBfsb/ bw0129-";
    char text[NAIVE_POSITION_BYTES + 1];
    naive_write(duel->naive, position, text);
    int at = below(duel, (int)strlen(text));
    switch (below(duel, 8)) {
    case 0:
        memmove(text + at, text + at + 1, strlen(text + at));
        break;
    case 1:
        memmove(text + at + 1, text + at, strlen(text + at) + 1);
        break;
    default:
        text[at] = letters[below(duel, (int)sizeof letters - 1)];
    }
    struct naive_position distorted;
    bool is_valid = naive_read(duel->naive, text, &distorted);
    for (int level = 0; level < duel->levels; level++) {
        struct note why = {""};
        struct state state;
        bool is_read = !duel->fast[level]->read_position(text, &state, &why);
        if (is_read != is_valid) {
            fail_with(duel, level, text, "", is_read ? "accepted" : why.text,
                      is_valid ? "accepted" : "refused");
        }
    }
    if (is_valid && distorted.numbers[0] <= RANDOM_MAX_BUDGET &&
        distorted.numbers[1] <= RANDOM_MAX_BUDGET) {
        compare_position(duel, &distorted);
    }
}

static void compare_fully(struct duel *duel, const struct naive_position *position)
{
    compare_position(duel, position);
    compare_odd_moves(duel, position);
    if (below(duel, PERFT_EVERY) == 0) {
        compare_perft(duel, position);
    }
}

/* A listed move; in hop now and then a skip. */
static struct naive_position play_on(struct duel *duel, const struct naive_position *position)
{
    struct naive_position after;
    if (duel->naive->apply_path && below(duel, 32) == 0) {
        assert_true(naive_apply(duel->naive, position, "skip", &after));
        return after;
    }
    return duel->list.moves[below(duel, (int)duel->list.count)].after;
}

/* Returns how many positions were compared, the last one with the game over included. */
static long compare_playout(struct duel *duel, struct naive_position position, int plies)
{
    compare_fully(duel, &position);
    long compared = 1;
    while (compared <= plies && duel->list.count > 0) {
        position = play_on(duel, &position);
        compare_fully(duel, &position);
        compared++;
    }
    return compared;
}

static void check_keys(struct duel *duel)
{
    for (int level = 0; level < duel->levels; level++) {
        struct keyset_entry clash[2];
        if (keyset_has_clash(&duel->keys[level], clash)) {
            fprintf(stderr, "%016jx %s\n%016jx %s\n", (uintmax_t)clash[0].key, clash[0].text,
                    (uintmax_t)clash[1].key, clash[1].text);
            fail();
        }
    }
}

static void compare_random_games(void **name)
{
    struct duel duel = duel_make(*name, 1);
    struct naive_position start;
    assert_true(naive_read(duel.naive, "start", &start));
    for (long left = scaled(PLAYED_POSITIONS); left > 0;) {
        left -= compare_playout(&duel, start, MAX_PLIES);
    }
    check_keys(&duel);
    duel_free(&duel);
}

static void compare_random_positions(void **name)
{
    enum { PLIES = 3 };
    struct duel duel = duel_make(*name, 2);
    for (long left = scaled(CONSTRUCTED_POSITIONS); left > 0;) {
        struct naive_position position = random_position(duel.naive, &duel.rng);
        compare_distorted_text(&duel, &position);
        left -= compare_playout(&duel, position, PLIES);
    }
    check_keys(&duel);
    duel_free(&duel);
}

static void compare_start(void **name)
{
    struct duel duel = duel_make(*name, 3);
    struct naive_position start;
    assert_true(naive_read(duel.naive, "start", &start));
    for (int level = 0; level < duel.levels; level++) {
        struct state fast = duel.fast[level]->start();
        struct state read = read_state(&duel, level, duel.naive->start);
        assert_memory_equal(&fast, &read, sizeof fast);
    }
    compare_fully(&duel, &start);
    duel_free(&duel);
}

/* Found by simulated annealing over whole boards with the naive rules: 802 and 342 moves, paths
 * of 26 and 16 squares. */
static void compare_extremes(void **state)
{
    static const char *const extremes[][2] = {
        {"hop", "...O.O../..X.X.O./...O.X../..O.X.O./...X.X../..X.X.O./..XO.O../........ b 0 0"},
        {"hop", "......../.OXX.X../..X...X./.X...X../X...X.../.O...O../O.O.O.O./.O...O.. b 0 0"},
        {"hop-noloop",
         "......../......../..O.O.O./.X.X.O.O/..O.O.X./.X.X.X.O/.XX.O.X./........ b 0 0"},
        {"hop-noloop",
         ".X...O../X.X.X.O./......../X.O.X.X./...O..../X..O..O./..XO.O../.O...... b 0 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
        struct duel duel = duel_make(extremes[i][0], 5);
        struct naive_position position;
        assert_true(naive_read(duel.naive, extremes[i][1], &position));
        compare_fully(&duel, &position);
        compare_perft(&duel, &position);
        duel_free(&duel);
    }
}

/* Every game of the program has a naive version: a new one without it fails here. */
int main(void)
{
    static const struct {
        const char *what;
        CMUnitTestFunction compare;
    } kinds[] = {{"start", compare_start},
                 {"random games", compare_random_games},
                 {"random positions", compare_random_positions}};
    enum { KINDS = sizeof kinds / sizeof kinds[0], MAX_TESTS = 100 };
    static char titles[MAX_TESTS][64];
    struct CMUnitTest tests[MAX_TESTS] = {cmocka_unit_test(compare_extremes)};
    size_t count = 1;
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)); i++) {
        for (size_t kind = 0; kind < KINDS && count < MAX_TESTS; kind++, count++) {
            snprintf(titles[count], sizeof titles[count], "%s %s", game->name, kinds[kind].what);
            tests[count] = (struct CMUnitTest){titles[count], kinds[kind].compare, NULL, NULL,
                                               (void *)(uintptr_t)game->name};
        }
    }
    return _cmocka_run_group_tests("fast rules agree with naive rules", tests, count, NULL, NULL);
}
