/* The rules of MeiChu, sentence by sentence. Upper case is Black: F flag, S soldier, B barrier. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game/registry.h"
#include "games/meichu/state.h"
#include "rules_support.h"

/* A board where everything of interest happens on row 4. */
#define ON_ROW_4(row) \
    "f.......s/........./........./........./" row "/........./........./........./F........"

/* --- The board --- */

static void meichu_starts_with_the_published_board_and_150_each(void **unused)
{
    (void)unused;
    expect_play("meichu", "start", "",
                "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./"
                "..BBBBB../.B..S..B./.B.SBS.B./..SBFBS.. b 150 150");
    expect_result("meichu", "start", "ongoing");
}

static void meichu_each_side_has_one_flag_five_soldiers_and_twelve_barriers(void **unused)
{
    (void)unused;
    const struct game *game = find_game(CPU_BASELINE, "meichu");
    struct state state = game->start();
    int count[MEICHU_BARRIER + 1][2] = {{0}};
    for (int square = 0; square < 81; square++) {
        struct cell cell = game->cell(&state, square);
        if (cell.piece != PIECE_NONE) {
            count[cell.piece][cell.side]++;
        }
    }
    for (int side = SIDE_BLACK; side <= SIDE_WHITE; side++) {
        assert_int_equal(count[MEICHU_FLAG][side], 1);
        assert_int_equal(count[MEICHU_SOLDIER][side], 5);
        assert_int_equal(count[MEICHU_BARRIER][side], 12);
    }
}

static void meichu_only_soldiers_move(void **unused)
{
    (void)unused;
    expect_refused(
        "meichu",
        "....f..../........./s......../........./....B..../........./S......../........./....F.... "
        "b 20 20",
        "84-83", "84");
    expect_refused(
        "meichu",
        "....f..../........./s......../........./....B..../........./S......../........./....F.... "
        "b 20 20",
        "44-34", "44");
    expect_refused(
        "meichu",
        "....f..../........./s......../........./....B..../........./S......../........./....F.... "
        "b 20 20",
        "50-40", "50");
}

static void meichu_soldier_of_the_other_side_cannot_be_moved(void **unused)
{
    (void)unused;
    expect_refused(
        "meichu",
        "....f..../........./s......../........./........./........./S......../........./....F.... "
        "b 20 20",
        "20-21", "20");
    expect_refused(
        "meichu",
        "....f..../........./s......../........./........./........./S......../........./....F.... "
        "w 20 20",
        "60-61", "60");
}

/* --- Moves --- */

static void meichu_soldier_moves_any_distance_along_a_row_or_column(void **unused)
{
    (void)unused;
    expect_moves("meichu", ON_ROW_4("....S....") " b 20 20",
                 "44-04 44-14 44-24 44-34 44-40 44-41 44-42 44-43 "
                 "44-45 44-46 44-47 44-48 44-54 44-64 44-74 44-84");
    expect_play(
        "meichu", ON_ROW_4("....S....") " b 20 20", "44-48 08-38",
        "f......../........./........./........s/........S/........./........./........./F........ "
        "b 15 16");
}

static void meichu_soldier_moves_neither_diagonally_nor_nowhere(void **unused)
{
    (void)unused;
    expect_refused("meichu", ON_ROW_4("....S....") " b 20 20", "44-55", "55");
    expect_refused("meichu", ON_ROW_4("....S....") " b 20 20", "44-26", "26");
    expect_refused("meichu", ON_ROW_4("....S....") " b 20 20", "44-65", "65");
    expect_refused("meichu", ON_ROW_4("....S....") " b 20 20", "44-44", "44");
    expect_refused("meichu", ON_ROW_4("....S....") " b 20 20", "44-49", "49");
}

static void meichu_soldier_passes_only_over_empty_squares(void **unused)
{
    (void)unused;
    expect_refused("meichu", ON_ROW_4("....S.B..") " b 20 20", "44-47", "46");
    expect_refused("meichu", ON_ROW_4("....S.b..") " b 20 20", "44-47", "46");
    expect_refused("meichu", ON_ROW_4("....S.s..") " b 20 20", "44-48", "46");
    expect_refused(
        "meichu",
        "........s/........./....f..../........./....S..../........./........./........./F........ "
        "b 20 20",
        "44-14", "24");
    expect_refused(
        "meichu",
        "........s/........./....f..../........./....S..../........./....S..../........./F........ "
        "b 20 20",
        "44-74", "64");
}

static void meichu_soldier_captures_an_enemy_soldier(void **unused)
{
    (void)unused;
    expect_play("meichu", ON_ROW_4("....S.s..") " b 20 20", "44-46",
                ON_ROW_4("......S..") " w 17 20");
    expect_play(
        "meichu",
        "f......../........./........./........./....S.s../........./........./........./F.......S "
        "w 20 20",
        "46-44",
        "f......../........./........./........./....s..../........./........./........./F.......S "
        "b 20 17");
}

static void meichu_soldier_captures_the_enemy_flag(void **unused)
{
    (void)unused;
    expect_play(
        "meichu",
        "....f...s/........./........./........./....S..../........./........./........./F........ "
        "b 20 20",
        "44-04",
        "....S...s/........./........./........./........./........./........./........./F........ "
        "w 15 20");
    expect_play(
        "meichu",
        "f......../........./........./........./....s...S/........./........./........./....F.... "
        "w 20 20",
        "44-84",
        "f......../........./........./........./........S/........./........./........./....s.... "
        "b 20 15");
}

static void meichu_soldier_removes_any_barrier(void **unused)
{
    (void)unused;
    expect_play("meichu", ON_ROW_4("....S.b..") " b 20 20", "44-46",
                ON_ROW_4("......S..") " w 14 20");
    expect_play("meichu", ON_ROW_4("....S.B..") " b 20 20", "44-46",
                ON_ROW_4("......S..") " w 20 20");
    expect_play(
        "meichu",
        "f.......s/........B/........./........./....S..../........./........./........./F........ "
        "w 20 20",
        "08-18",
        "f......../........s/........./........./....S..../........./........./........./F........ "
        "b 20 15");
    expect_play(
        "meichu",
        "f.......s/........./........b/........./....S..../........./........./........./F........ "
        "w 20 20",
        "08-28",
        "f......../........./........s/........./....S..../........./........./........./F........ "
        "b 20 20");
}

static void meichu_soldier_never_takes_an_own_soldier_or_the_own_flag(void **unused)
{
    (void)unused;
    expect_refused(
        "meichu",
        "f.......s/........./........./........./....S.S../........./........./........./....F.... "
        "b 20 20",
        "44-46", "46");
    expect_refused(
        "meichu",
        "f.......s/........./........./........./....S.S../........./........./........./....F.... "
        "b 20 20",
        "44-84", "84");
    expect_refused(
        "meichu",
        "f.......s/........./........./........./....S..../........./........./........./....F.... "
        "w 20 20",
        "08-00", "00");
    expect_moves(
        "meichu",
        "f.......s/........./........./........./....SS.../....F..../........./........./......... "
        "b 2 20",
        "44-34 44-43 45-35 45-46 45-55");
}

/* --- Costs --- */

static void meichu_move_costs_one_plus_the_distance(void **unused)
{
    (void)unused;
    expect_play("meichu", ON_ROW_4("....S....") " b 20 20", "44-45",
                ON_ROW_4(".....S...") " w 18 20");
    expect_play(
        "meichu", ON_ROW_4("....S....") " b 20 20", "44-04",
        "f...S...s/........./........./........./........./........./........./........./F........ "
        "w 15 20");
    expect_play(
        "meichu", ON_ROW_4("....S....") " w 20 20", "08-88",
        "f......../........./........./........./....S..../........./........./........./F.......s "
        "b 20 11");
}

static void meichu_enemy_barrier_costs_three_more(void **unused)
{
    (void)unused;
    expect_play("meichu", ON_ROW_4("....Sb...") " b 20 20", "44-45",
                ON_ROW_4(".....S...") " w 15 20");
    expect_play("meichu", ON_ROW_4("....S...b") " b 20 20", "44-48",
                ON_ROW_4("........S") " w 12 20");
}

static void meichu_own_barrier_gives_three_back(void **unused)
{
    (void)unused;
    expect_play("meichu", ON_ROW_4("....SB...") " b 20 20", "44-45",
                ON_ROW_4(".....S...") " w 21 20");
    expect_play("meichu", ON_ROW_4("....S...B") " b 20 20", "44-48",
                ON_ROW_4("........S") " w 18 20");
}

static void meichu_own_barrier_can_bring_more_than_150(void **unused)
{
    (void)unused;
    expect_play("meichu", ON_ROW_4("....SB...") " b 150 150", "44-45",
                ON_ROW_4(".....S...") " w 151 150");
}

static void meichu_captures_cost_nothing_extra(void **unused)
{
    (void)unused;
    expect_play("meichu", ON_ROW_4("....Ss...") " b 20 20", "44-45",
                ON_ROW_4(".....S...") " w 18 20");
    expect_play(
        "meichu",
        "........s/........./........./........./....Sf.../........./........./........./F........ "
        "b 2 20",
        "44-45",
        "........s/........./........./........./.....S.../........./........./........./F........ "
        "w 0 20");
}

static void meichu_budget_must_cover_the_cost(void **unused)
{
    (void)unused;
    expect_moves("meichu", ON_ROW_4("....S....") " b 2 20", "44-34 44-43 44-45 44-54");
    expect_play("meichu", ON_ROW_4("....S....") " b 3 20", "44-46",
                ON_ROW_4("......S..") " w 0 20");
    expect_refused("meichu", ON_ROW_4("....S....") " b 3 20", "44-47", "47");
}

static void meichu_enemy_barrier_needs_the_whole_cost(void **unused)
{
    (void)unused;
    expect_play("meichu", ON_ROW_4("....Sb...") " b 5 20", "44-45",
                ON_ROW_4(".....S...") " w 0 20");
    expect_refused("meichu", ON_ROW_4("....Sb...") " b 4 20", "44-45", "45");
    expect_unlisted("meichu", ON_ROW_4("....Sb...") " b 4 20", "44-45");
}

static void meichu_own_barrier_needs_the_full_price_before_the_refund(void **unused)
{
    (void)unused;
    expect_play("meichu", ON_ROW_4("....S..B.") " b 4 20", "44-47",
                ON_ROW_4(".......S.") " w 3 20");
    expect_refused("meichu", ON_ROW_4("....S..B.") " b 3 20", "44-47", "47");
    expect_unlisted("meichu", ON_ROW_4("....S..B.") " b 3 20", "44-47");
    expect_refused("meichu", ON_ROW_4("....SB...") " b 1 20", "44-45", "45");
}

/* --- Passing --- */

static void meichu_side_that_can_move_must_move(void **unused)
{
    (void)unused;
    expect_refused("meichu", "start", "pass", "pass");
    expect_refused("meichu", ON_ROW_4("....S....") " b 2 20", "pass", "pass");
}

static void meichu_side_with_a_budget_of_0_or_1_passes(void **unused)
{
    (void)unused;
    expect_moves("meichu", ON_ROW_4("....S....") " b 0 20", "pass");
    expect_moves("meichu", ON_ROW_4("....S....") " b 1 20", "pass");
    expect_moves("meichu", ON_ROW_4("....S....") " w 20 1", "pass");
    expect_refused("meichu", ON_ROW_4("....S....") " b 1 20", "44-45", "45");
}

static void meichu_side_with_money_but_no_legal_move_passes(void **unused)
{
    (void)unused;
    expect_moves(
        "meichu",
        "Sb..f...s/b......../........./........./........./........./........./........./F........ "
        "b 4 20",
        "pass");
    expect_play(
        "meichu",
        "Sb..f...s/b......../........./........./........./........./........./........./F........ "
        "b 4 20",
        "pass",
        "Sb..f...s/b......../........./........./........./........./........./........./F........ "
        "w 4 20");
    expect_moves(
        "meichu",
        "Sb..f...s/b......../........./........./........./........./........./........./F........ "
        "b 5 20",
        "00-01 00-10");
}

static void meichu_other_side_continues_until_it_cannot_move(void **unused)
{
    (void)unused;
    expect_play(
        "meichu", ON_ROW_4("....S....") " w 1 5", "08-18 pass 18-38",
        "f......../........./........./........s/....S..../........./........./........./F........ "
        "b 1 0");
    expect_result(
        "meichu",
        "f......../........s/........./........./....S..../........./........./........./F........ "
        "b 1 3",
        "ongoing");
    expect_result(
        "meichu",
        "f......../........./........./........s/....S..../........./........./........./F........ "
        "b 1 0",
        "draw 0 0");
}

/* --- The end --- */

static void meichu_ends_at_once_when_a_flag_is_taken(void **unused)
{
    (void)unused;
    expect_result(
        "meichu",
        "....S...s/........./........./........./........./........./........./........./F........ "
        "w 15 20",
        "black 1 0");
    expect_result(
        "meichu",
        "f......../........./........./........./........S/........./........./........./....s.... "
        "b 20 15",
        "white 0 1");
    expect_refused(
        "meichu",
        "....S...s/........./........./........./........./........./........./........./F........ "
        "w 15 20",
        "08-18", "over");
}

static void meichu_taker_of_the_flag_wins_with_any_other_pieces(void **unused)
{
    (void)unused;
    expect_result(
        "meichu",
        "....S.sss/........./........./........./........./........./bb......./........./F........ "
        "w 15 20",
        "black 1 0");
}

static void meichu_ends_when_a_side_has_no_soldier_left(void **unused)
{
    (void)unused;
    expect_play(
        "meichu",
        "f......../........./........./........./....S.s../........./bb......./........./F........ "
        "b 20 20",
        "44-46",
        "f......../........./........./........./......S../........./bb......./........./F........ "
        "w 17 20");
    expect_result(
        "meichu",
        "f......../........./........./........./......S../........./bb......./........./F........ "
        "w 17 20",
        "black 1 0");
    expect_result(
        "meichu",
        "f......../........./........./........./B.....s../........./........./........./F........ "
        "b 17 20",
        "white 0 1");
}

static void meichu_ends_when_neither_side_can_move(void **unused)
{
    (void)unused;
    expect_result("meichu", ON_ROW_4("....S....") " b 1 0", "draw 0 0");
    expect_result("meichu", ON_ROW_4("....S....") " w 1 2", "ongoing");
    expect_result(
        "meichu",
        "Sb..f...s/b......../........./........./........./........./........./........./F........ "
        "b 4 1",
        "white 0 1");
}

static void meichu_more_soldiers_win_when_neither_side_can_move(void **unused)
{
    (void)unused;
    expect_result(
        "meichu",
        "f.......s/........./........./........./....SS.../........./bb......./........./F........ "
        "b 1 1",
        "black 1 0");
    expect_result(
        "meichu",
        "f.....sss/........./........./........./....SS.../........./........./.......B./F........ "
        "w 0 0",
        "white 0 1");
}

static void meichu_more_barriers_decide_between_equal_soldiers(void **unused)
{
    (void)unused;
    expect_result(
        "meichu",
        "f.......s/........./........./........./....S..../........./b......../......BB./F........ "
        "b 1 1",
        "black 1 0");
    expect_result(
        "meichu",
        "f.......s/........./........./........./....S..../........./bb......./.......B./F........ "
        "b 1 1",
        "white 0 1");
}

static void meichu_equal_soldiers_and_barriers_are_a_draw(void **unused)
{
    (void)unused;
    expect_result(
        "meichu",
        "f.......s/........./........./........./....S..../........./b......../.......B./F........ "
        "b 1 1",
        "draw 0 0");
}

static void meichu_money_decides_nothing(void **unused)
{
    (void)unused;
    expect_result(
        "meichu",
        "Sb..f..../b......../........./........./........./........./......B../.......B./F.......s "
        "b 4 0",
        "draw 0 0");
}

static void meichu_bytes_that_are_not_a_move_are_refused(void **unused)
{
    (void)unused;
    for (int square = 81; square < 256; square++) {
        struct move to = {.kind = MOVE_PATH, .count = 2, .squares = {58, (uint8_t)square}};
        struct move from = {.kind = MOVE_PATH, .count = 2, .squares = {(uint8_t)square, 58}};
        expect_bytes_refused("meichu", "start", &to);
        expect_bytes_refused("meichu", "start", &from);
    }
    struct move skip = move_skip();
    struct move one = {.kind = MOVE_PATH, .count = 1, .squares = {58}};
    struct move three = {.kind = MOVE_PATH, .count = 3, .squares = {58, 57, 56}};
    struct move unknown = {.kind = MOVE_SKIP + 1, .count = 2, .squares = {58, 57}};
    expect_bytes_refused("meichu", "start", &skip);
    expect_bytes_refused("meichu", "start", &one);
    expect_bytes_refused("meichu", "start", &three);
    expect_bytes_refused("meichu", "start", &unknown);
    expect_play("meichu", "start", "64-63",
                "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./"
                "..BBBBB../.B.S...B./.B.SBS.B./..SBFBS.. w 148 150");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meichu_starts_with_the_published_board_and_150_each),
        cmocka_unit_test(meichu_each_side_has_one_flag_five_soldiers_and_twelve_barriers),
        cmocka_unit_test(meichu_only_soldiers_move),
        cmocka_unit_test(meichu_soldier_of_the_other_side_cannot_be_moved),
        cmocka_unit_test(meichu_soldier_moves_any_distance_along_a_row_or_column),
        cmocka_unit_test(meichu_soldier_moves_neither_diagonally_nor_nowhere),
        cmocka_unit_test(meichu_soldier_passes_only_over_empty_squares),
        cmocka_unit_test(meichu_soldier_captures_an_enemy_soldier),
        cmocka_unit_test(meichu_soldier_captures_the_enemy_flag),
        cmocka_unit_test(meichu_soldier_removes_any_barrier),
        cmocka_unit_test(meichu_soldier_never_takes_an_own_soldier_or_the_own_flag),
        cmocka_unit_test(meichu_move_costs_one_plus_the_distance),
        cmocka_unit_test(meichu_enemy_barrier_costs_three_more),
        cmocka_unit_test(meichu_own_barrier_gives_three_back),
        cmocka_unit_test(meichu_own_barrier_can_bring_more_than_150),
        cmocka_unit_test(meichu_captures_cost_nothing_extra),
        cmocka_unit_test(meichu_budget_must_cover_the_cost),
        cmocka_unit_test(meichu_enemy_barrier_needs_the_whole_cost),
        cmocka_unit_test(meichu_own_barrier_needs_the_full_price_before_the_refund),
        cmocka_unit_test(meichu_side_that_can_move_must_move),
        cmocka_unit_test(meichu_side_with_a_budget_of_0_or_1_passes),
        cmocka_unit_test(meichu_side_with_money_but_no_legal_move_passes),
        cmocka_unit_test(meichu_other_side_continues_until_it_cannot_move),
        cmocka_unit_test(meichu_ends_at_once_when_a_flag_is_taken),
        cmocka_unit_test(meichu_taker_of_the_flag_wins_with_any_other_pieces),
        cmocka_unit_test(meichu_ends_when_a_side_has_no_soldier_left),
        cmocka_unit_test(meichu_ends_when_neither_side_can_move),
        cmocka_unit_test(meichu_more_soldiers_win_when_neither_side_can_move),
        cmocka_unit_test(meichu_more_barriers_decide_between_equal_soldiers),
        cmocka_unit_test(meichu_equal_soldiers_and_barriers_are_a_draw),
        cmocka_unit_test(meichu_money_decides_nothing),
        cmocka_unit_test(meichu_bytes_that_are_not_a_move_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
