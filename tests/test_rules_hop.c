/* The rules of hop and hop-noloop, sentence by sentence. X is Black, O is White. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "game/registry.h"
#include "games/hop/state.h"
#include "rules_support.h"

static const char start[] =
    "X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O b 0 0";

/* What both editions share. */
static const char *const editions[] = {"hop", "hop-noloop"};
enum { EDITIONS = sizeof editions / sizeof editions[0] };

static void both_play(const char *from, const char *moves, const char *to)
{
    for (int i = 0; i < EDITIONS; i++) {
        expect_play(editions[i], from, moves, to);
    }
}

static void both_refuse(const char *position, const char *move, const char *words)
{
    for (int i = 0; i < EDITIONS; i++) {
        expect_refused(editions[i], position, move, words);
    }
}

static void both_list(const char *position, const char *moves)
{
    for (int i = 0; i < EDITIONS; i++) {
        expect_moves(editions[i], position, moves);
    }
}

static void both_result(const char *position, const char *result)
{
    for (int i = 0; i < EDITIONS; i++) {
        expect_result(editions[i], position, result);
    }
}

/* --- The board --- */

static void hop_starts_with_the_published_board_and_black_to_move(void **unused)
{
    (void)unused;
    both_play("start", "", start);
    both_result("start", "ongoing");
}

static void hop_start_is_symmetric_under_a_half_turn_with_colours_swapped(void **unused)
{
    (void)unused;
    const struct game *game = find_game(CPU_BASELINE, "hop");
    struct state state = game->start();
    for (int square = 0; square < 64; square++) {
        struct cell here = game->cell(&state, square);
        struct cell there = game->cell(&state, 63 - square);
        assert_int_equal(here.piece, there.piece);
        assert_true(here.piece == PIECE_NONE || here.side != there.side);
    }
}

static void hop_each_side_starts_with_nine_pieces(void **unused)
{
    (void)unused;
    const struct game *game = find_game(CPU_BASELINE, "hop");
    struct state state = game->start();
    int count[2] = {0};
    for (int square = 0; square < 64; square++) {
        struct cell cell = game->cell(&state, square);
        if (cell.piece != PIECE_NONE) {
            assert_int_equal(cell.piece, HOP_MAN);
            count[cell.side]++;
        }
    }
    assert_int_equal(count[SIDE_BLACK], 9);
    assert_int_equal(count[SIDE_WHITE], 9);
}

static void hop_targets_are_columns_6_and_7_for_black_and_0_and_1_for_white(void **unused)
{
    (void)unused;
    static const enum zone by_column[8] = {ZONE_WHITE, ZONE_WHITE, ZONE_NONE,  ZONE_NONE,
                                           ZONE_NONE,  ZONE_NONE,  ZONE_BLACK, ZONE_BLACK};
    for (int i = 0; i < EDITIONS; i++) {
        const struct game *game = find_game(CPU_BASELINE, editions[i]);
        for (int square = 0; square < 64; square++) {
            assert_int_equal(game->zone(square), by_column[square % 8]);
        }
    }
}

/* --- Steps --- */

static void hop_step_goes_to_every_orthogonally_adjacent_empty_square(void **unused)
{
    (void)unused;
    both_list("......../......../......../...X..../......../......../......../.......O b 0 0",
              "33-23 33-32 33-34 33-43");
    both_list("X......./......../......../......../......../......../......../.......O b 0 0",
              "00-01 00-10");
    both_list("X......./......../......../......../......../......../......../.......O w 1 0",
              "77-67 77-76");
    both_play("......../......../......../...X..../......../......../......../.......O b 0 0",
              "33-23 77-76",
              "......../......../...X..../......../......../......../......../......O. b 1 1");
}

static void hop_step_needs_an_empty_square(void **unused)
{
    (void)unused;
    both_refuse("......../......../......../..OXX.../......../......../......../........ b 0 0",
                "33-34", "34");
    both_refuse("......../......../......../..OXX.../......../......../......../........ b 0 0",
                "33-32", "32");
}

static void hop_step_ends_the_move(void **unused)
{
    (void)unused;
    both_refuse("......../......../......../...X..../......../......../......../.......O b 0 0",
                "33-34-35", "34");
}

static void hop_a_piece_cannot_stay_where_it_is(void **unused)
{
    (void)unused;
    both_refuse("......../......../......../...X..../......../......../......../.......O b 0 0",
                "33-33", "33");
}

static void hop_never_diagonal(void **unused)
{
    (void)unused;
    both_refuse("......../......../......../...X..../......../......../......../.......O b 0 0",
                "33-44", "44");
    both_refuse("......../......../......../...X..../......../......../......../.......O b 0 0",
                "33-22", "22");
    both_refuse("......../......../......../...X..../....O.../......../......../........ b 0 0",
                "33-55", "55");
    both_refuse("......../......../......../...XO.../......../......../......../........ b 0 0",
                "33-45", "45");
}

static void hop_no_move_goes_round_the_edge_of_the_board(void **unused)
{
    (void)unused;
    both_refuse("......../.......X/..X...../......../......../......../......../.......O b 0 0",
                "17-20", "20");
    both_refuse("......../......XO/..X...../......../......../......../......../........ b 0 0",
                "16-20", "20");
    both_refuse("......../......../......../......../......../.....O../.X....../O....... b 0 0",
                "61-77", "77");
    both_list(".......O/.....OOX/.......O/.......O/......../......../......../...X.... b 0 0",
              "73-63 73-72 73-74");
    both_list(".......O/.....OOX/O......O/.......O/......../......../......../...X.... b 0 0",
              "73-63 73-72 73-74");
}

/* --- Hops --- */

static void hop_goes_over_a_piece_of_either_colour(void **unused)
{
    (void)unused;
    both_play("......../......../......../...XX.../......../......../......../.......O b 0 0",
              "33-35",
              "......../......../......../....XX../......../......../......../.......O w 1 0");
    both_play("......../......../......../...XO.../......../......../......../.......O b 0 0",
              "33-35",
              "......../......../......../.....X../......../......../......../.......O w 1 0");
    both_play("......../......../......../...X..../...O..../......../......../.......O w 1 0",
              "43-23",
              "......../......../...O..../......../......../......../......../.......O b 1 1");
}

static void hop_goes_in_all_four_directions(void **unused)
{
    (void)unused;
    both_list("......../......../...O..../..OXO.../...O..../......../......../........ b 0 0",
              "33-13 33-31 33-35 33-53");
}

static void hop_needs_a_piece_to_hop_over(void **unused)
{
    (void)unused;
    both_refuse("......../......../......../...X..../......../......../......../.......O b 0 0",
                "33-35", "34");
    both_refuse("......../......../......../...X..../......../......../......../.......O b 0 0",
                "33-73", "73");
}

static void hop_needs_an_empty_square_directly_after_the_piece(void **unused)
{
    (void)unused;
    both_refuse("......../......../......../...XXO../......../......../......../........ b 0 0",
                "33-35", "35");
    both_refuse("......../......../......../...XOX../......../......../......../........ b 0 0",
                "33-35", "35");
    both_refuse("......../......../......../...XOO../......../......../......../........ b 0 0",
                "33-36", "36");
    both_refuse("......../......../..X...../......../......XO/......../......../........ b 0 0",
                "46-48", "48");
}

static void hop_may_be_followed_by_any_number_of_hops_of_the_same_piece(void **unused)
{
    (void)unused;
    both_play("XX....../..O...../...X..../....O.../......../....X.../......../.......O b 4 4",
              "00-02-22-24-44-64",
              ".X....../......../...X..../......../......../....X.../....X.../.......O w 5 4");
    both_play("......../......../......../...XX.X./......../......../......../.......O b 0 0",
              "33-35",
              "......../......../......../....XXX./......../......../......../.......O w 1 0");
    both_play("......../......../......../...XX.X./......../......../......../.......O b 0 0",
              "33-35-37",
              "......../......../......../....X.XX/......../......../......../.......O w 1 0");
}

static void hop_steps_and_hops_do_not_mix_in_one_move(void **unused)
{
    (void)unused;
    both_refuse("......../......../......../...XX.../......../......../......../.......O b 0 0",
                "33-35-36", "36");
    both_refuse("......../......../......../...X.X../......../......../......../.......O b 0 0",
                "33-34-36", "34");
}

/* --- Captures --- */

static void hop_enemy_piece_hopped_over_leaves_the_board(void **unused)
{
    (void)unused;
    both_play("......../......../......../XO.O..../......../......../......../.......O b 0 0",
              "30-32",
              "......../......../......../..XO..../......../......../......../.......O w 1 0");
    both_play("......../......../......../XO.O..../......../......../......../.......O b 0 0",
              "30-32-34",
              "......../......../......../....X.../......../......../......../.......O w 1 0");
}

static void hop_capture_removes_the_piece_at_once(void **unused)
{
    (void)unused;
    expect_refused("hop",
                   "......../......../..XO..../......../......../......../......../.......O b 0 0",
                   "22-24-22", "23");
    expect_refused("hop",
                   "......../......../..XO..../..X.X.../...X..../......../......../.......O b 0 0",
                   "22-24-44-42-22-24", "23");
    both_list("......../......../..XO..../......../......../......../......../..X....O b 0 0",
              "22-12 22-21 22-24 22-32 72-62 72-71 72-73");
}

static void hop_own_piece_hopped_over_stays(void **unused)
{
    (void)unused;
    both_play("......../......../......../XX.X..../......../......../......../.......O b 0 0",
              "30-32-34",
              "......../......../......../.X.XX.../......../......../......../.......O w 1 0");
    both_play("X......./......../....O.../......../......OO/......../......../........ w 1 0",
              "47-45",
              "X......./......../....O.../......../.....OO./......../......../........ b 1 1");
}

static void hop_square_left_is_empty_for_the_rest_of_the_move(void **unused)
{
    (void)unused;
    expect_play("hop",
                "......../......../..XO..../..X.X.../...X..../......../......../.......O b 0 0",
                "22-24-44-42-22",
                "......../......../..X...../..X.X.../...X..../......../......../.......O w 1 0");
    expect_play("hop",
                "......../..X...../..XX..../..X...../......../......../......../.......O b 0 0",
                "22-24-22-42",
                "......../..X...../...X..../..X...../..X...../......../......../.......O w 1 0");
}

/* --- Loops --- */

static void hop_loop_without_capture_leaves_the_board_as_it_was(void **unused)
{
    (void)unused;
    expect_play("hop",
                "......../......../..XX..../......../......../......../......../.......O b 7 7",
                "22-24-22",
                "......../......../..XX..../......../......../......../......../.......O w 8 7");
    expect_play("hop",
                "......../......../..XX..../..X.X.../...X..../......../......../.......O b 7 7",
                "22-24-44-42-22",
                "......../......../..XX..../..X.X.../...X..../......../......../.......O w 8 7");
}

static void hop_noloop_refuses_returning_to_the_start(void **unused)
{
    (void)unused;
    expect_refused("hop-noloop",
                   "......../......../..XX..../......../......../......../......../.......O b 0 0",
                   "22-24-22", "22");
    expect_refused("hop-noloop",
                   "......../......../..XO..../..X.X.../...X..../......../......../.......O b 0 0",
                   "22-24-44-42-22", "22");
    expect_refused("hop-noloop",
                   "......../..X...../..XX..../..X...../......../......../......../.......O b 0 0",
                   "22-24-22-42", "22");
}

static void hop_noloop_refuses_any_square_twice(void **unused)
{
    (void)unused;
    expect_refused("hop-noloop",
                   "......../......../..XX.X../......../......../......../......../.......O b 0 0",
                   "22-24-26-24", "24");
    expect_refused("hop-noloop",
                   "......../......../XX.X..../..X.X.../...X..../......../......../.......O b 0 0",
                   "20-22-24-44-42-22", "22");
    expect_play("hop",
                "......../......../..XX.X../......../......../......../......../.......O b 0 0",
                "22-24-26-24",
                "......../......../...XXX../......../......../......../......../.......O w 1 0");
}

static void hop_noloop_lists_what_hop_lists_without_the_loops(void **unused)
{
    (void)unused;
    expect_moves("hop",
                 "......../......../..XX..../......../......../......../......../.......O b 0 0",
                 "22-12 22-21 22-24 22-24-22 22-32 23-13 23-21 23-24 23-33");
    expect_moves("hop-noloop",
                 "......../......../..XX..../......../......../......../......../.......O b 0 0",
                 "22-12 22-21 22-24 22-32 23-13 23-21 23-24 23-33");
}

/* "22-24-22-24-…" with this many hops. */
static const char *there_and_back(int hops, char out[3 * GAME_MAX_PATH + 3])
{
    memcpy(out, "22", sizeof "22");
    for (int i = 1; i <= hops; i++) {
        memcpy(out + 3 * i - 1, i % 2 ? "-24" : "-22", sizeof "-24");
    }
    return out;
}

static void hop_100_hops_are_refused_99_accepted(void **unused)
{
    (void)unused;
    char path[3 * GAME_MAX_PATH + 3];
    static const char before[] =
        "......../......../..XX..../......../......../......../......../.......O b 0 0";
    expect_play("hop", before, there_and_back(98, path),
                "......../......../..XX..../......../......../......../......../.......O w 1 0");
    expect_play("hop", before, there_and_back(99, path),
                "......../......../...XX.../......../......../......../......../.......O w 1 0");
    expect_refused("hop", before, there_and_back(100, path), "100");
}

/* --- One move for each result --- */

static void hop_any_valid_path_to_a_result_is_accepted(void **unused)
{
    (void)unused;
    static const char before[] =
        "......../......../..XX..../..X.X.../...X..../......../......../.......O b 0 0";
    static const char after[] =
        "......../......../...X..../..X.X.../...XX.../......../......../.......O w 1 0";
    both_play(before, "22-24-44", after);
    both_play(before, "22-42-44", after);
    expect_play("hop", before, "22-24-22-42-44", after);
}

static void hop_lists_the_shortest_path_to_a_result(void **unused)
{
    (void)unused;
    static const char before[] =
        "...X.X../..X...X./..XX.X../......../......../......../......../.......O b 0 0";
    static const char after[] =
        "...X.X../..X...X./...X.XX./......../......../......../......../.......O w 1 0";
    for (int i = 0; i < EDITIONS; i++) {
        expect_listed(editions[i], before, "22-24-26");
        expect_unlisted(editions[i], before, "22-02-04-06-26");
    }
    both_play(before, "22-24-26", after);
    both_play(before, "22-02-04-06-26", after);
}

static void hop_lists_the_smallest_text_among_equally_short_paths(void **unused)
{
    (void)unused;
    static const char before[] =
        "......../......../..XX..../..X.X.../...X..../......../......../.......O b 0 0";
    for (int i = 0; i < EDITIONS; i++) {
        expect_listed(editions[i], before, "22-24-44");
        expect_unlisted(editions[i], before, "22-42-44");
    }
}

static void hop_loops_of_different_pieces_are_one_move(void **unused)
{
    (void)unused;
    static const char before[] =
        "......../......../..XX..../......../......../......../......../.......O b 0 0";
    static const char after[] =
        "......../......../..XX..../......../......../......../......../.......O w 1 0";
    expect_play("hop", before, "22-24-22", after);
    expect_play("hop", before, "23-21-23", after);
    expect_listed("hop", before, "22-24-22");
    expect_unlisted("hop", before, "23-21-23");
}

static void hop_capturing_loops_of_different_pieces_are_one_move(void **unused)
{
    (void)unused;
    static const char before[] =
        "......../...XX.../..XO.X../..X.X.../...X..../......../......O./........ b 9 9";
    static const char after[] =
        "......../...XX.../..X..X../..X.X.../...X..../......../......O./........ w 10 9";
    expect_play("hop", before, "13-33-35-15-13", after);
    expect_play("hop", before, "13-15-35-33-13", after);
    expect_play("hop", before, "22-24-44-42-22", after);
    expect_play("hop", before, "22-42-44-24-22", after);
    expect_listed("hop", before, "13-15-35-33-13");
    expect_unlisted("hop", before, "13-33-35-15-13");
    expect_unlisted("hop", before, "22-24-44-42-22");
    expect_unlisted("hop", before, "22-42-44-24-22");
}

static void hop_same_square_reached_with_different_captures_is_two_moves(void **unused)
{
    (void)unused;
    static const char before[] =
        "......../......../..XO..../..X.X.../...X..../......../......../.......O b 0 0";
    both_play(before, "22-24-44",
              "......../......../......../..X.X.../...XX.../......../......../.......O w 1 0");
    both_play(before, "22-42-44",
              "......../......../...O..../..X.X.../...XX.../......../......../.......O w 1 0");
    for (int i = 0; i < EDITIONS; i++) {
        expect_listed(editions[i], before, "22-24-44");
        expect_listed(editions[i], before, "22-42-44");
    }
}

/* --- Skips and passes --- */

static void hop_skip_uses_a_move_and_leaves_the_board(void **unused)
{
    (void)unused;
    both_play("......../......../..X...../......../......../.....O../......../........ b 3 3",
              "skip",
              "......../......../..X...../......../......../.....O../......../........ w 4 3");
    both_play("......../......../..X...../......../......../.....O../......../........ w 4 3",
              "skip",
              "......../......../..X...../......../......../.....O../......../........ b 4 4");
}

static void hop_skip_is_never_listed(void **unused)
{
    (void)unused;
    both_list("X......./......../......../......../......../......../......../.......O b 0 0",
              "00-01 00-10");
    both_list("......../......../......../......../......../......../......../.......O b 0 0",
              "pass");
}

static void hop_empty_list_and_single_square_are_invalid(void **unused)
{
    (void)unused;
    both_refuse("start", "22", "22");
    struct move none = {.kind = MOVE_PATH};
    struct move one = {.kind = MOVE_PATH, .count = 1, .squares = {18}};
    for (int i = 0; i < EDITIONS; i++) {
        expect_bytes_refused(editions[i], "start", &none);
        expect_bytes_refused(editions[i], "start", &one);
    }
}

static void hop_off_the_board_is_invalid(void **unused)
{
    (void)unused;
    both_refuse("start", "22-82", "82");
    both_refuse("start", "22-28", "28");
    both_refuse("start", "92-22", "92");
    for (int square = 64; square < 256; square++) {
        struct move to = {.kind = MOVE_PATH, .count = 2, .squares = {63, (uint8_t)square}};
        struct move from = {.kind = MOVE_PATH, .count = 2, .squares = {(uint8_t)square, 63}};
        for (int i = 0; i < EDITIONS; i++) {
            expect_bytes_refused(
                editions[i],
                "......../......../..X...../......../....O.../......../......../.......X b 0 0",
                &to);
            expect_bytes_refused(
                editions[i],
                "......../......../..X...../......../....O.../......../......../.......X b 0 0",
                &from);
        }
    }
}

static void hop_piece_of_the_other_side_cannot_be_moved(void **unused)
{
    (void)unused;
    both_refuse("......../......../..X...../......../......../.....O../......../........ b 0 0",
                "55-54", "55");
    both_refuse("......../......../..X...../......../......../.....O../......../........ w 1 0",
                "22-23", "22");
}

static void hop_empty_square_cannot_be_moved(void **unused)
{
    (void)unused;
    both_refuse("......../......../..X...../......../......../.....O../......../........ b 0 0",
                "33-34", "33");
}

static void hop_bytes_that_are_not_a_move_are_refused(void **unused)
{
    (void)unused;
    for (int i = 0; i < EDITIONS; i++) {
        for (int count = GAME_MAX_PATH + 1; count < 256; count++) {
            struct move endless = {.kind = MOVE_PATH, .count = (uint8_t)count};
            expect_bytes_refused(editions[i], "start", &endless);
        }
        struct move unknown = {.kind = MOVE_SKIP + 1, .count = 2, .squares = {9, 10}};
        expect_bytes_refused(editions[i], "start", &unknown);
    }
}

static void hop_side_without_pieces_passes_and_uses_a_move(void **unused)
{
    (void)unused;
    both_list("......../......../......../...O..../......../.....O../......../........ b 5 5",
              "pass");
    both_play("......../......../......../...O..../......../.....O../......../........ b 5 5",
              "pass 55-45 pass",
              "......../......../......../...O..../.....O../......../......../........ w 7 6");
    both_list("......../......../......../...X..../......../......../......../........ w 6 5",
              "pass");
}

static void hop_side_without_a_valid_move_passes_and_uses_a_move(void **unused)
{
    (void)unused;
    both_list("XOO...../O......./O......./......../......../......../......../........ b 5 5",
              "pass");
    both_play("XOO...../O......./O......./......../......../......../......../........ b 5 5",
              "pass",
              "XOO...../O......./O......./......../......../......../......../........ w 6 5");
    both_refuse("XOO...../O......./O......./......../......../......../......../........ b 5 5",
                "00-01", "01");
}

static void hop_side_with_a_valid_move_cannot_pass(void **unused)
{
    (void)unused;
    both_refuse("start", "pass", "pass");
    both_refuse("XO....../O......./O......./......../......../.....O../......../........ b 5 5",
                "pass", "pass");
}

/* --- The end --- */

static void hop_ends_at_once_when_the_mover_is_all_home(void **unused)
{
    (void)unused;
    both_play("......X./......../......../...O..../......../.....X../......../........ b 10 10",
              "55-56",
              "......X./......../......../...O..../......../......X./......../........ w 11 10");
    both_result("......X./......../......../...O..../......../.....X../......../........ b 10 10",
                "ongoing");
    both_result("......X./......../......../...O..../......../......X./......../........ w 11 10",
                "black 2 0");
    both_play("......../..O...../..X...../......../......../......../......../O....... w 3 2",
              "12-11",
              "......../.O....../..X...../......../......../......../......../O....... b 3 3");
    both_result("......../.O....../..X...../......../......../......../......../O....... b 3 3",
                "white 0 2");
    expect_reason("hop",
                  "......../.O....../..X...../......../......../......../......../O....... b 3 3",
                  "all-home");
}

static void hop_capture_can_send_the_opponent_home_and_end_the_game(void **unused)
{
    (void)unused;
    both_play("......../......../..X...../OO....../....XO../......../......../........ b 0 0",
              "44-46",
              "......../......../..X...../OO....../......X./......../......../........ w 1 0");
    both_result("......../......../..X...../OO....../....XO../......../......../........ b 0 0",
                "ongoing");
    both_result("......../......../..X...../OO....../......X./......../......../........ w 1 0",
                "white 1 2");
    expect_reason("hop",
                  "......../......../..X...../OO....../......X./......../......../........ w 1 0",
                  "all-home");
}

static void hop_does_not_end_in_the_middle_of_a_move(void **unused)
{
    (void)unused;
    both_play("......../......../......../...O..../....XO../......O./.....O../........ b 0 0",
              "44-46-66-64",
              "......../......../......../...O..../......../......../....X.../........ w 1 0");
    both_result("......../......../......../...O..../......../......../....X.../........ w 1 0",
                "ongoing");
    both_result("......../......../......../...O..../......X./......O./.....O../........ w 1 0",
                "black 1 0");
}

static void hop_side_without_pieces_is_not_all_home(void **unused)
{
    (void)unused;
    both_play("......../......../..X...../......../....XO../......../......../........ b 0 0",
              "44-46 pass 22-23",
              "......../......../...X..../......../......X./......../......../........ w 2 1");
    both_result("......../......../..X...../......../......X./......../......../........ w 1 0",
                "ongoing");
    both_result("......../......../...X..../......../......X./......../......../........ w 2 1",
                "ongoing");
    both_result("......../......../......../......../......../......../......../........ b 0 0",
                "ongoing");
}

static void hop_ends_when_both_sides_have_used_200_moves(void **unused)
{
    (void)unused;
    both_result("......../......../..X...../......../......../.....O../......../........ b 199 199",
                "ongoing");
    both_play("......../......../..X...../......../......../.....O../......../........ b 199 199",
              "22-23 55-45",
              "......../......../...X..../......../.....O../......../......../........ b 200 200");
    both_result("......../......../...X..../......../......../.....O../......../........ w 200 199",
                "ongoing");
    both_result("......../......../...X..../......../.....O../......../......../........ b 200 200",
                "draw 0 0");
}

static void hop_skips_and_passes_count_towards_the_200(void **unused)
{
    (void)unused;
    both_play("......../......../..X...../......../......../.....O../......../........ b 199 199",
              "skip skip",
              "......../......../..X...../......../......../.....O../......../........ b 200 200");
    both_play("......../......../......../......../......../.....O../......../........ b 199 199",
              "pass 55-54",
              "......../......../......../......../......../....O.../......../........ b 200 200");
    both_result("......../......../......../......../......../....O.../......../........ b 200 200",
                "draw 0 0");
}

static void hop_no_move_is_accepted_after_the_end(void **unused)
{
    (void)unused;
    both_refuse("......../......../..X...../......../......../.....O../......../........ b 200 200",
                "22-23", "over");
    both_refuse("......X./......../......../......../......../.....O../......../........ w 9 8",
                "55-54", "over");
    both_list("......../......../..X...../......../......../.....O../......../........ b 200 200",
              "");
}

/* --- The score --- */

static void hop_score_counts_own_pieces_on_the_own_target(void **unused)
{
    (void)unused;
    both_result(".O....X./.......X/..X...../......../....O.../O......./......../......X. b 200 200",
                "black 3 2");
    both_result("X.....O./.X....../......../......../....O.../.....X../......../.......O b 200 200",
                "draw 0 0");
}

static void hop_higher_score_wins_whichever_side_ended_the_game(void **unused)
{
    (void)unused;
    both_play("OO....../......../......../...O..../......../.....X../......../........ b 8 8",
              "55-56",
              "OO....../......../......../...O..../......../......X./......../........ w 9 8");
    both_result("OO....../......../......../...O..../......../......X./......../........ w 9 8",
                "white 1 2");
}

static void hop_equal_scores_are_a_draw(void **unused)
{
    (void)unused;
    both_result(".O....X./......../..XX..../......../......../.....O../......../........ b 200 200",
                "draw 1 1");
    both_result(".O....X./......../......../......../......../.....O../......../........ w 9 8",
                "draw 1 1");
}

static void hop_scores_of_a_running_game_are_those_on_the_board(void **unused)
{
    (void)unused;
    for (int i = 0; i < EDITIONS; i++) {
        const struct game *game = find_game(CPU_BASELINE, editions[i]);
        struct state state = read_state(
            game, ".O....X./.......X/..X...../......../....O.../......../......../........ b 5 5");
        struct result result = game->result(&state);
        assert_int_equal(result.outcome, OUTCOME_ONGOING);
        assert_int_equal(result.score[SIDE_BLACK], 2);
        assert_int_equal(result.score[SIDE_WHITE], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hop_starts_with_the_published_board_and_black_to_move),
        cmocka_unit_test(hop_start_is_symmetric_under_a_half_turn_with_colours_swapped),
        cmocka_unit_test(hop_each_side_starts_with_nine_pieces),
        cmocka_unit_test(hop_targets_are_columns_6_and_7_for_black_and_0_and_1_for_white),
        cmocka_unit_test(hop_step_goes_to_every_orthogonally_adjacent_empty_square),
        cmocka_unit_test(hop_step_needs_an_empty_square),
        cmocka_unit_test(hop_step_ends_the_move),
        cmocka_unit_test(hop_a_piece_cannot_stay_where_it_is),
        cmocka_unit_test(hop_never_diagonal),
        cmocka_unit_test(hop_no_move_goes_round_the_edge_of_the_board),
        cmocka_unit_test(hop_goes_over_a_piece_of_either_colour),
        cmocka_unit_test(hop_goes_in_all_four_directions),
        cmocka_unit_test(hop_needs_a_piece_to_hop_over),
        cmocka_unit_test(hop_needs_an_empty_square_directly_after_the_piece),
        cmocka_unit_test(hop_may_be_followed_by_any_number_of_hops_of_the_same_piece),
        cmocka_unit_test(hop_steps_and_hops_do_not_mix_in_one_move),
        cmocka_unit_test(hop_enemy_piece_hopped_over_leaves_the_board),
        cmocka_unit_test(hop_capture_removes_the_piece_at_once),
        cmocka_unit_test(hop_own_piece_hopped_over_stays),
        cmocka_unit_test(hop_square_left_is_empty_for_the_rest_of_the_move),
        cmocka_unit_test(hop_loop_without_capture_leaves_the_board_as_it_was),
        cmocka_unit_test(hop_noloop_refuses_returning_to_the_start),
        cmocka_unit_test(hop_noloop_refuses_any_square_twice),
        cmocka_unit_test(hop_noloop_lists_what_hop_lists_without_the_loops),
        cmocka_unit_test(hop_100_hops_are_refused_99_accepted),
        cmocka_unit_test(hop_any_valid_path_to_a_result_is_accepted),
        cmocka_unit_test(hop_lists_the_shortest_path_to_a_result),
        cmocka_unit_test(hop_lists_the_smallest_text_among_equally_short_paths),
        cmocka_unit_test(hop_loops_of_different_pieces_are_one_move),
        cmocka_unit_test(hop_capturing_loops_of_different_pieces_are_one_move),
        cmocka_unit_test(hop_same_square_reached_with_different_captures_is_two_moves),
        cmocka_unit_test(hop_skip_uses_a_move_and_leaves_the_board),
        cmocka_unit_test(hop_skip_is_never_listed),
        cmocka_unit_test(hop_empty_list_and_single_square_are_invalid),
        cmocka_unit_test(hop_off_the_board_is_invalid),
        cmocka_unit_test(hop_piece_of_the_other_side_cannot_be_moved),
        cmocka_unit_test(hop_empty_square_cannot_be_moved),
        cmocka_unit_test(hop_bytes_that_are_not_a_move_are_refused),
        cmocka_unit_test(hop_side_without_pieces_passes_and_uses_a_move),
        cmocka_unit_test(hop_side_without_a_valid_move_passes_and_uses_a_move),
        cmocka_unit_test(hop_side_with_a_valid_move_cannot_pass),
        cmocka_unit_test(hop_ends_at_once_when_the_mover_is_all_home),
        cmocka_unit_test(hop_capture_can_send_the_opponent_home_and_end_the_game),
        cmocka_unit_test(hop_does_not_end_in_the_middle_of_a_move),
        cmocka_unit_test(hop_side_without_pieces_is_not_all_home),
        cmocka_unit_test(hop_ends_when_both_sides_have_used_200_moves),
        cmocka_unit_test(hop_skips_and_passes_count_towards_the_200),
        cmocka_unit_test(hop_no_move_is_accepted_after_the_end),
        cmocka_unit_test(hop_score_counts_own_pieces_on_the_own_target),
        cmocka_unit_test(hop_higher_score_wins_whichever_side_ended_the_game),
        cmocka_unit_test(hop_equal_scores_are_a_draw),
        cmocka_unit_test(hop_scores_of_a_running_game_are_those_on_the_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
