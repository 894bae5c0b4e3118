/* How our stand-alone agent interprets bare boards: it counts moves and notices new games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/rng.h"
#include "game/registry.h"
#include "app/agent.h"
#include "protocol/file_text.h"
#include "protocol/wire.h"
#include "scale.h"

/* How a series of games goes; turns are lost in percent. */
struct habits {
    unsigned own_lost_turns; /* not among the first: before its first move an agent cannot
                                distinguish starts */
    unsigned other_lost_turns;
    bool changes_colour;
};

/* The board as it comes over the wire, which is that of the state file. */
static void board_of(const struct game *game, const struct state *state, enum side side,
                     int cells[WIRE_CELLS])
{
    uint8_t bytes[WIRE_BOARD_BYTES];
    char text[FILE_STATE_BYTES];
    struct file_question read;
    struct note why = {""};
    wire_write_board(game, state, side, 3, bytes);
    struct wire_question heard = wire_read_board(bytes);
    file_write_state(game, state, side, 3, text);
    assert_true(file_is_complete(text, strlen(text)));
    assert_int_equal(file_read_state(game, text, strlen(text), &read, &why), ERR_NONE);
    assert_int_equal(heard.id, read.index);
    assert_int_equal(heard.side, side);
    assert_int_equal(read.side, side);
    assert_memory_equal(heard.cells, read.cells, sizeof heard.cells);
    memcpy(cells, heard.cells, sizeof heard.cells);
}

static struct move any_move(const struct game *game, const struct state *state, struct rng *rng)
{
    struct move moves[GAME_MAX_MOVES];
    return moves[rng_below(rng, game->moves(state, moves))];
}

static bool must_pass(const struct game *game, const struct state *state)
{
    struct move moves[GAME_MAX_MOVES];
    return game->moves(state, moves) == 1 && moves[0].kind == MOVE_PASS;
}

static struct state recall(const struct agent_memory *memory, const struct game *game,
                           const struct state *truth, enum side side)
{
    int cells[WIRE_CELLS];
    struct state found;
    struct note why = {""};
    board_of(game, truth, side, cells);
    if (agent_recall(memory, game, cells, side, &found, &why)) {
        fail_msg("%s: %s", game->name, why.text);
    }
    return found;
}

static void assert_same(const struct game *game, const struct state *found,
                        const struct state *truth)
{
    char is[GAME_POSITION_BYTES];
    char should_be[GAME_POSITION_BYTES];
    game->write_position(found, is);
    game->write_position(truth, should_be);
    assert_string_equal(is, should_be);
}

/* One game in which the agent's moves are random. The agent is not asked when it has to pass; what
 * it recalls after that has the right board, but it cannot know how many turns have gone by. */
static void play_game(const struct game *game, struct agent_memory *memory, enum side side,
                      const struct habits *habits, struct rng *rng)
{
    enum { FIRST_PLIES = 12 };
    struct state state = game->start();
    bool was_passed = false;
    for (int ply = 0; !game_is_over(game, &state); ply++) {
        bool is_ours = game->to_move(&state) == side;
        unsigned lost_turns = !is_ours            ? habits->other_lost_turns
                              : ply < FIRST_PLIES ? 0
                                                  : habits->own_lost_turns;
        struct move move = any_move(game, &state, rng);
        if (is_ours && must_pass(game, &state)) {
            was_passed = true;
        } else if (is_ours) {
            struct state found = recall(memory, game, &state, side);
            if (!was_passed) {
                assert_same(game, &found, &state);
            }
            *memory = (struct agent_memory){true, found, move};
        }
        if (rng_below(rng, 100) < lost_turns) {
            move = game->replacement(&state);
        }
        assert_int_equal(game->apply(&state, &move, NULL), ERR_NONE);
    }
}

static void play_series(const struct habits *habits, uint64_t seed)
{
    static const char *const names[] = {"hop", "hop-noloop", "reversi", "othello"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct game *game = registry_find(cpu_best(), names[i], NULL);
        struct rng rng = rng_make(seed + i);
        for (int series = 0; series < scaled(20); series++) {
            struct agent_memory memory = {.has_board = false};
            enum side side = series % 2 ? SIDE_WHITE : SIDE_BLACK;
            for (int games = 0; games < 3; games++) {
                play_game(game, &memory, side, habits, &rng);
                side = habits->changes_colour ? side_other(side) : side;
            }
        }
    }
}

static void every_position_is_recalled_when_colours_change(void **state)
{
    (void)state;
    play_series(&(struct habits){.changes_colour = true}, 1);
}

static void every_position_is_recalled_when_colours_stay(void **state)
{
    (void)state;
    play_series(&(struct habits){.changes_colour = false}, 2);
}

static void the_other_sides_lost_turns_are_counted(void **state)
{
    (void)state;
    play_series(&(struct habits){.other_lost_turns = 30, .changes_colour = true}, 3);
    play_series(&(struct habits){.other_lost_turns = 100}, 4);
}

static void our_own_later_lost_turns_are_counted(void **state)
{
    (void)state;
    play_series(&(struct habits){.own_lost_turns = 10, .changes_colour = true}, 5);
    play_series(&(struct habits){.own_lost_turns = 10}, 6);
}

static const struct game *hop(void) { return registry_find(cpu_best(), "hop", NULL); }

static struct state position(const char *text)
{
    struct state state;
    struct note why = {""};
    if (game_read_position(hop(), text, &state, &why)) {
        fail_msg("%s", why.text);
    }
    return state;
}

#define TWO_MEN "......../......../......../..X...../......../......../.....O../........ "

static void a_repeated_position_is_not_a_new_game(void **state)
{
    (void)state;
    static const char *const plies[] = {"22-23", "35-34", "23-22", "34-35"};
    struct agent_memory memory = {.has_board = false};
    struct state truth = hop()->start();
    for (size_t i = 0; i < sizeof plies / sizeof plies[0]; i++) {
        struct move move;
        assert_int_equal(game_read_move(hop(), plies[i], &move, NULL), ERR_NONE);
        if (i % 2 == 0) {
            memory = (struct agent_memory){true, recall(&memory, hop(), &truth, SIDE_BLACK), move};
        }
        assert_int_equal(hop()->apply(&truth, &move, NULL), ERR_NONE);
    }
    struct state start_again = position("X......./.X.....O/X.X...O./.X...O.O/X.X...O./"
                                        ".X...O.O/X.....O./.......O b 2 2");
    assert_same(hop(), &truth, &start_again);
    struct state found = recall(&memory, hop(), &truth, SIDE_BLACK);
    assert_same(hop(), &found, &start_again);
}

/* One step of each side before the start. */
#define NEAR_START "X......./.X.....O/X..X..O./.X..O..O/X.X...O./.X...O.O/X.....O./.......O "

static void after_the_last_move_a_new_game_begins(void **state)
{
    (void)state;
    struct agent_memory memory = {true, position(NEAR_START "b 199 199"), {.count = 0}};
    assert_int_equal(game_read_move(hop(), "23-22", &memory.answer, NULL), ERR_NONE);
    struct state start = hop()->start();
    struct state found = recall(&memory, hop(), &start, SIDE_BLACK);
    assert_same(hop(), &found, &start);
}

static void a_game_without_captures_can_be_followed_by_another(void **state)
{
    (void)state;
    struct agent_memory memory = {
        true,
        position("....X.../.X.....O/X.X...O./.X...O.O/X.X...O./.X.O.O../X.....O./.......O b 9 9"),
        {.count = 0}};
    assert_int_equal(game_read_move(hop(), "04-05", &memory.answer, NULL), ERR_NONE);
    struct state start = hop()->start();
    struct state found = recall(&memory, hop(), &start, SIDE_BLACK);
    assert_same(hop(), &found, &start);
}

static void an_unexplained_board_counts_on(void **state)
{
    (void)state;
    struct agent_memory memory = {true, position(TWO_MEN "b 70 70"), {.count = 0}};
    assert_int_equal(game_read_move(hop(), "32-33", &memory.answer, NULL), ERR_NONE);
    struct state elsewhere =
        position("X......./......../......../......../......../......../......../.......O b 71 71");
    struct state found = recall(&memory, hop(), &elsewhere, SIDE_BLACK);
    assert_same(hop(), &found, &elsewhere);
}

static void men_that_came_back_mean_a_new_game(void **state)
{
    (void)state;
    struct agent_memory memory = {true, position(TWO_MEN "w 71 70"), {.count = 0}};
    assert_int_equal(game_read_move(hop(), "65-64", &memory.answer, NULL), ERR_NONE);
    struct state opening =
        position("X......./.X.....O/X..X..O./.X...O.O/X.X..O../.X..O..O/X.....O./.......O w 1 0");
    struct state found = recall(&memory, hop(), &opening, SIDE_WHITE);
    assert_same(hop(), &found, &opening);
}

static void a_board_that_cannot_be_is_refused(void **state)
{
    (void)state;
    struct agent_memory memory = {.has_board = false};
    struct state found;
    struct note why = {""};
    int cells[WIRE_CELLS] = {7};
    assert_int_equal(agent_recall(&memory, hop(), cells, SIDE_BLACK, &found, &why), ERR_INPUT);
    assert_non_null(strstr(why.text, "'?'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_position_is_recalled_when_colours_change),
        cmocka_unit_test(every_position_is_recalled_when_colours_stay),
        cmocka_unit_test(the_other_sides_lost_turns_are_counted),
        cmocka_unit_test(our_own_later_lost_turns_are_counted),
        cmocka_unit_test(a_repeated_position_is_not_a_new_game),
        cmocka_unit_test(after_the_last_move_a_new_game_begins),
        cmocka_unit_test(a_game_without_captures_can_be_followed_by_another),
        cmocka_unit_test(an_unexplained_board_counts_on),
        cmocka_unit_test(men_that_came_back_mean_a_new_game),
        cmocka_unit_test(a_board_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
