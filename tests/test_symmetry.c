/* Turning or mirroring the board, with the colours swapped where the game asks for it, changes
 * nothing: the fast rules must list the same moves, lead to the same positions and decide the
 * same results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/rng.h"
#include "game/game.h"
#include "game/registry.h"
#include "naive/naive.h"
#include "random_position.h"
#include "scale.h"

enum {
    PLAYED_POSITIONS = 1500, /* of each game and level in a usual run */
    CONSTRUCTED_POSITIONS = 1500,
    PERFT_EVERY = 50,
    PERFT_DEPTH = 3,
    OUTLINE_BYTES = GAME_POSITION_BYTES + GAME_MOVE_BYTES + 8,
    MAX_SYMMETRIES = 15,
};

/* First the rows and columns are reversed, then the diagonal is mirrored. */
struct symmetry {
    bool flips_rows;
    bool flips_columns;
    bool transposes;
    bool swaps_colours;
};

/* The game under test. */
struct subject {
    const struct game *fast;
    const struct naive_game *form; /* for its position text only */
    struct symmetry symmetry;
    char position[NAIVE_POSITION_BYTES]; /* being looked at */
};

/* A move and where it leads, in one line. */
struct outline {
    char text[OUTLINE_BYTES];
};

static void require(const struct subject *subject, bool is_so, const char *claim)
{
    const struct symmetry *symmetry = &subject->symmetry;
    if (!is_so) {
        fail_msg("%s %s\n  not so: %s\n  rows %d, columns %d, transposed %d, colours %d",
                 subject->fast->name, subject->position, claim, symmetry->flips_rows,
                 symmetry->flips_columns, symmetry->transposes, symmetry->swaps_colours);
    }
}

static int map_square(struct symmetry symmetry, int size, int square)
{
    int row = square / size;
    int column = square % size;
    row = symmetry.flips_rows ? size - 1 - row : row;
    column = symmetry.flips_columns ? size - 1 - column : column;
    return symmetry.transposes ? column * size + row : row * size + column;
}

static char swap_colour(char letter)
{
    static const char black[] = "XFSB";
    static const char white[] = "Ofsb";
    const char *found = strchr(black, letter);
    if (found) {
        return white[found - black];
    }
    found = strchr(white, letter);
    return found ? black[found - white] : letter;
}

static bool is_hop(const struct subject *subject) { return subject->form->apply_path; }

/* Black has the first turn in hop, so a position's counters have no mirror image when the
 * colours are swapped: such pairs are compared as if no turn had been used. */
static struct naive_position comparable(const struct subject *subject,
                                        struct naive_position position)
{
    if (is_hop(subject) && subject->symmetry.swaps_colours) {
        position.numbers[0] = position.to_move == 'b' ? 0 : 1;
        position.numbers[1] = 0;
    }
    return position;
}

static struct naive_position map_position(const struct subject *subject,
                                          struct naive_position position)
{
    struct naive_position mapped = position;
    bool swaps = subject->symmetry.swaps_colours;
    int size = subject->form->columns; /* these boards are square */
    for (int square = 0; square < size * size; square++) {
        char letter = position.cells[square];
        mapped.cells[map_square(subject->symmetry, size, square)] =
            swaps ? swap_colour(letter) : letter;
    }
    if (swaps) {
        mapped.to_move = naive_other(position.to_move);
        mapped.numbers[0] = position.numbers[1];
        mapped.numbers[1] = position.numbers[0];
    }
    return comparable(subject, mapped);
}

static struct move map_move(const struct subject *subject, struct move move)
{
    for (int i = 0; i < move.count; i++) {
        move.squares[i] =
            (uint8_t)map_square(subject->symmetry, subject->form->columns, move.squares[i]);
    }
    return move;
}

static struct state to_state(const struct subject *subject, const struct naive_position *position)
{
    char text[NAIVE_POSITION_BYTES];
    struct state state;
    naive_write(subject->form, position, text);
    assert_int_equal(subject->fast->read_position(text, &state, NULL), ERR_NONE);
    return state;
}

static struct naive_position from_state(const struct subject *subject, const struct state *state)
{
    char text[GAME_POSITION_BYTES];
    struct naive_position position;
    subject->fast->write_position(state, text);
    assert_true(naive_read(subject->form, text, &position));
    return position;
}

static struct naive_position play(const struct subject *subject, struct state state,
                                  const struct move *move)
{
    require(subject, !subject->fast->apply(&state, move, NULL), "the image of a move is legal");
    return from_state(subject, &state);
}

/* A listed path in hop is the smallest text among the shortest paths, so only its length is
 * kept by a symmetry. */
static struct outline outline_make(const struct subject *subject, const struct move *move,
                                   const struct naive_position *after)
{
    struct outline outline;
    char position[NAIVE_POSITION_BYTES];
    char text[GAME_MOVE_BYTES];
    naive_write(subject->form, after, position);
    game_write_move(subject->fast, move, text);
    if (is_hop(subject)) {
        snprintf(text, sizeof text, "%d squares", move->count);
    }
    snprintf(outline.text, sizeof outline.text, "%s to %s", text, position);
    return outline;
}

static int compare_outlines(const void *a, const void *b)
{
    return strcmp(((const struct outline *)a)->text, ((const struct outline *)b)->text);
}

static void check_same_moves(const struct subject *subject, const struct state *original,
                             const struct state *image)
{
    static struct outline here[GAME_MAX_MOVES], there[GAME_MAX_MOVES];
    static struct move moves[GAME_MAX_MOVES];
    size_t count = subject->fast->moves(original, moves);
    for (size_t i = 0; i < count; i++) {
        struct move mapped = map_move(subject, moves[i]);
        struct naive_position after = map_position(subject, play(subject, *original, &moves[i]));
        struct naive_position reply = comparable(subject, play(subject, *image, &mapped));
        require(subject, naive_equal(&after, &reply), "the image of a move leads to the image");
        here[i] = outline_make(subject, &mapped, &after);
    }
    require(subject, subject->fast->moves(image, moves) == count, "as many moves");
    for (size_t i = 0; i < count; i++) {
        struct naive_position after = comparable(subject, play(subject, *image, &moves[i]));
        there[i] = outline_make(subject, &moves[i], &after);
    }
    qsort(here, count, sizeof here[0], compare_outlines);
    qsort(there, count, sizeof there[0], compare_outlines);
    for (size_t i = 0; i < count; i++) {
        require(subject, strcmp(here[i].text, there[i].text) == 0, here[i].text);
    }
}

static void check_same_result(const struct subject *subject, const struct state *original,
                              const struct state *image)
{
    static const enum outcome swapped[] = {
        [OUTCOME_ONGOING] = OUTCOME_ONGOING,
        [OUTCOME_BLACK] = OUTCOME_WHITE,
        [OUTCOME_WHITE] = OUTCOME_BLACK,
        [OUTCOME_DRAW] = OUTCOME_DRAW,
    };
    struct result here = subject->fast->result(original);
    struct result there = subject->fast->result(image);
    bool swaps = subject->symmetry.swaps_colours;
    enum outcome expected = swaps ? swapped[here.outcome] : here.outcome;
    require(subject, there.outcome == expected, "the same outcome");
    require(subject, there.score[swaps ? 1 : 0] == here.score[0], "the same score for Black");
    require(subject, there.score[swaps ? 0 : 1] == here.score[1], "the same score for White");
    require(subject, strcmp(there.reason, here.reason) == 0, "the same reason");
}

/* The symmetries of the game besides doing nothing. Returns how many. */
static int list_symmetries(const char *game, struct symmetry out[MAX_SYMMETRIES])
{
    bool is_square = strcmp(game, "reversi") == 0 || strcmp(game, "othello") == 0;
    bool is_meichu = strcmp(game, "meichu") == 0;
    int count = 0;
    for (int bits = 1; bits <= MAX_SYMMETRIES; bits++) {
        struct symmetry symmetry = {bits & 1, bits & 2, bits & 4, bits & 8};
        /* Hop is played from left to right, meichu from bottom to top. */
        bool turns_players = is_meichu ? symmetry.flips_rows : symmetry.flips_columns;
        if (is_square || (!symmetry.transposes && turns_players == symmetry.swaps_colours)) {
            out[count++] = symmetry;
        }
    }
    return count;
}

static void check_position(struct subject *subject, struct naive_position position, bool with_perft)
{
    struct symmetry symmetries[MAX_SYMMETRIES];
    int count = list_symmetries(subject->fast->name, symmetries);
    naive_write(subject->form, &position, subject->position);
    for (int i = 0; i < count; i++) {
        subject->symmetry = symmetries[i];
        struct naive_position here = comparable(subject, position);
        struct naive_position there = map_position(subject, here);
        struct state original = to_state(subject, &here);
        struct state image = to_state(subject, &there);
        check_same_moves(subject, &original, &image);
        check_same_result(subject, &original, &image);
        if (with_perft) {
            require(subject,
                    subject->fast->perft(&original, PERFT_DEPTH) ==
                        subject->fast->perft(&image, PERFT_DEPTH),
                    "the same perft");
        }
    }
}

static void check_played_positions(struct subject *subject, struct rng *rng)
{
    static struct move moves[GAME_MAX_MOVES];
    struct state state = subject->fast->start();
    for (long left = scaled(PLAYED_POSITIONS); left > 0; left--) {
        check_position(subject, from_state(subject, &state), left % PERFT_EVERY == 0);
        size_t count = subject->fast->moves(&state, moves);
        if (count == 0) {
            state = subject->fast->start();
        } else {
            const struct move *move = &moves[rng_below(rng, count)];
            assert_int_equal(subject->fast->apply(&state, move, NULL), ERR_NONE);
        }
    }
}

static void check_constructed_positions(struct subject *subject, struct rng *rng)
{
    for (long left = scaled(CONSTRUCTED_POSITIONS); left > 0; left--) {
        check_position(subject, random_position(subject->form, rng), left % PERFT_EVERY == 0);
    }
}

static void symmetries_change_nothing(void **name)
{
    for (int level = CPU_BASELINE; level <= (int)cpu_best(); level++) {
        struct rng rng = rng_make(4);
        struct subject subject = {
            .fast = registry_find((enum cpu_level)level, *name, NULL),
            .form = naive_find(*name),
        };
        assert_non_null(subject.fast);
        check_played_positions(&subject, &rng);
        check_constructed_positions(&subject, &rng);
    }
}

#define TEST(name)                                                                     \
    {                                                                                  \
        name " symmetries change nothing", symmetries_change_nothing, NULL, NULL, name \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("hop"), TEST("hop-noloop"), TEST("reversi"), TEST("othello"), TEST("meichu"),
    };
    return cmocka_run_group_tests_name("symmetries of the boards", tests, NULL, NULL);
}
