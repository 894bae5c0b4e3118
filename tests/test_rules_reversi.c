/* The rules of reversi (without corners) and othello, sentence by sentence. X is Black, O is White.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game/registry.h"
#include "rules_support.h"

static const char all_of_the_centre[] = "11 12 13 14 15 16 21 22 23 24 25 26 31 32 33 34 35 36 "
                                        "41 42 43 44 45 46 51 52 53 54 55 56 61 62 63 64 65 66";

/* --- Holes --- */

static void reversi_starts_empty_with_black_to_move(void **unused)
{
    (void)unused;
    expect_play("reversi", "start", "",
                "#......#/......../......../......../......../......../......../#......# b");
    expect_result("reversi", "start", "ongoing");
}

static void reversi_corners_are_holes(void **unused)
{
    (void)unused;
    const struct game *game = find_game(CPU_BASELINE, "reversi");
    struct state state = game->start();
    for (int square = 0; square < 64; square++) {
        bool is_corner = square == 0 || square == 7 || square == 56 || square == 63;
        assert_int_equal(game->cell(&state, square).piece, is_corner ? PIECE_HOLE : PIECE_NONE);
    }
}

static void reversi_corners_are_never_occupied(void **unused)
{
    (void)unused;
    expect_refused("reversi",
                   "#OX....#/......../......../......../......../......../......../#......# b",
                   "00", "00");
    expect_refused("reversi",
                   "#....OX#/......../......../......../......../......../......../#......# w",
                   "07", "07");
    expect_refused("reversi",
                   "#......#/......../......../......../......../..X...../.O....../#......# b",
                   "70", "70");
    expect_refused("reversi",
                   "#......#/......../......../......../......../.....X../......O./#......# b",
                   "77", "77");
}

static void reversi_line_stops_at_a_hole_as_at_the_edge(void **unused)
{
    (void)unused;
    expect_refused("reversi",
                   "#OOO...#/......../......../......../......../......../......../#......# b",
                   "04", "04");
    expect_play("reversi",
                "#......#/.O....../..O...../...O..../......../......../......../#......# b", "44",
                "#......#/.O....../..O...../...O..../....X.../......../......../#......# w");
    expect_play("reversi",
                "#......#/...O..../...O..../......../......../......../......../#......# b", "33",
                "#......#/...O..../...O..../...X..../......../......../......../#......# w");
}

static void reversi_squares_next_to_a_corner_are_never_flipped(void **unused)
{
    (void)unused;
    expect_refused("reversi",
                   "#O.....#/XXX...../.X....../......../......../......../......../#......# b",
                   "02", "02");
    expect_refused("reversi",
                   "#X.....#/OXX...../.X....../......../......../......../......../#......# b",
                   "20", "20");
    expect_refused("reversi",
                   "#......#/......../......../......../......../......../.....OOX/#.....O# w",
                   "57", "57");
}

/* --- Placements --- */

static void reversi_every_empty_central_square_is_legal_even_without_flips(void **unused)
{
    (void)unused;
    expect_moves("reversi", "start", all_of_the_centre);
    expect_play("reversi", "start", "11 66 16 61",
                "#......#/.X....X./......../......../......../......../.O....O./#......# b");
}

static void reversi_border_square_is_legal_only_with_a_flip(void **unused)
{
    (void)unused;
    static const char before[] =
        "#......#/..O...../..X...../......../......../......../......../#......# b";
    expect_play("reversi", before, "02",
                "#.X....#/..X...../..X...../......../......../......../......../#......# w");
    expect_refused("reversi", before, "03", "03");
    expect_refused("reversi", before, "75", "75");
    expect_unlisted("reversi", before, "01");
    expect_unlisted("reversi", before, "03");
    expect_listed("reversi", before, "02");
}

static void reversi_occupied_square_is_refused(void **unused)
{
    (void)unused;
    expect_refused("reversi",
                   "#......#/......../......../...XOX../......../......../......../#......# b",
                   "33", "33");
    expect_refused("reversi",
                   "#......#/......../......../...XOX../......../......../......../#......# b",
                   "34", "34");
}

static void reversi_central_placement_flips_what_it_encloses(void **unused)
{
    (void)unused;
    expect_play("reversi",
                "#......#/......../......../....OX../......../......../......../#......# b", "33",
                "#......#/......../......../...XXX../......../......../......../#......# w");
    expect_play("reversi",
                "#......#/......../......../......../...X..../...O..../......../#......# w", "33",
                "#......#/......../......../...O..../...O..../...O..../......../#......# b");
}

static void reversi_placement_flips_in_all_eight_directions(void **unused)
{
    (void)unused;
    expect_play("reversi",
                "#......#/.X.X.X../..OOO.../.XO.OX../..OOO.../.X.X.X../......../#......# b", "33",
                "#......#/.X.X.X../..XXX.../.XXXXX../..XXX.../.X.X.X../......../#......# w");
}

static void reversi_placement_flips_a_whole_line(void **unused)
{
    (void)unused;
    expect_play("reversi",
                "#......#/......../......../XOOOOOO./......../......../......../#......# b", "37",
                "#......#/......../......../XXXXXXXX/......../......../......../#......# w");
    expect_play("reversi",
                "#.X....#/..O...../..O...../..O...../..O...../..O...../..O...../#......# b", "72",
                "#.X....#/..X...../..X...../..X...../..X...../..X...../..X...../#.X....# w");
    expect_play("reversi",
                "#......#/......../......../.O....../..O...../...O..../....O.../#....X.# b", "20",
                "#......#/......../X......./.X....../..X...../...X..../....X.../#....X.# w");
    expect_play("reversi",
                "#......#/.O....../X......./......../......../......../......../#......# b", "02",
                "#.X....#/.X....../X......./......../......../......../......../#......# w");
}

static void reversi_line_with_a_gap_is_not_enclosed(void **unused)
{
    (void)unused;
    expect_play("reversi",
                "#......#/......../......../....O.X./......../......../......../#......# b", "33",
                "#......#/......../......../...XO.X./......../......../......../#......# w");
    expect_play("reversi",
                "#......#/......../......../....OOOO/......../......../......../#......# b", "33",
                "#......#/......../......../...XOOOO/......../......../......../#......# w");
}

static void reversi_flips_reach_only_to_the_nearest_own_piece(void **unused)
{
    (void)unused;
    expect_play("reversi",
                "#......#/......../......../....OXOX/......../......../......../#......# b", "33",
                "#......#/......../......../...XXXOX/......../......../......../#......# w");
}

static void reversi_flipped_pieces_enclose_nothing_themselves(void **unused)
{
    (void)unused;
    expect_play("reversi",
                "#......#/......../......../....OX../....O.../....X.../......../#......# b", "33",
                "#......#/......../......../...XXX../....O.../....X.../......../#......# w");
}

static void reversi_no_line_goes_round_the_edge_of_the_board(void **unused)
{
    (void)unused;
    expect_play("reversi",
                "#......#/......../......../......OO/OX....../......../......../#......# b", "35",
                "#......#/......../......../.....XOO/OX....../......../......../#......# w");
    expect_refused("reversi",
                   "#......#/......../OX....../......../......../......../......../#......# b",
                   "17", "17");
}

/* --- Passing and the end --- */

static void reversi_side_with_a_legal_move_must_take_one(void **unused)
{
    (void)unused;
    expect_refused("reversi", "start", "pass", "pass");
    expect_refused("reversi",
                   "#.O....#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# w",
                   "pass", "pass");
}

static void reversi_side_without_a_legal_move_is_skipped(void **unused)
{
    (void)unused;
    expect_moves("reversi",
                 "#.O....#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# b",
                 "pass");
    expect_moves("reversi",
                 "#.O....#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# w",
                 "20 57 72");
    expect_play("reversi",
                "#.O....#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# b", "pass",
                "#.O....#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# w");
    expect_refused("reversi",
                   "#.O....#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# b",
                   "01", "01");
}

static void reversi_is_over_when_neither_side_has_a_legal_move(void **unused)
{
    (void)unused;
    expect_result("reversi",
                  "#......#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# b",
                  "black 36 -36");
    expect_result("reversi",
                  "#......#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# w",
                  "black 36 -36");
    expect_refused("reversi",
                   "#......#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# b",
                   "01", "over");
}

static void reversi_colour_that_has_vanished_still_plays_in_the_centre(void **unused)
{
    (void)unused;
    expect_moves("reversi",
                 "#......#/.XX...../......../......../......../......../......../#......# w",
                 "13 14 15 16 21 22 23 24 25 26 31 32 33 34 35 36 "
                 "41 42 43 44 45 46 51 52 53 54 55 56 61 62 63 64 65 66");
    expect_play(
        "reversi", "#......#/......../......../....OX../......../......../......../#......# b",
        "33 66", "#......#/......../......../...XXX../......../......../......O./#......# b");
    expect_result("reversi",
                  "#......#/......../......../...XXX../......../......../......../#......# w",
                  "ongoing");
}

static void reversi_has_no_skip(void **unused)
{
    (void)unused;
    struct move skip = move_skip();
    expect_bytes_refused("reversi", "start", &skip);
    expect_bytes_refused("othello", "start", &skip);
}

static void reversi_bytes_that_are_not_a_move_are_refused(void **unused)
{
    (void)unused;
    static const char *const games[] = {"reversi", "othello"};
    for (int i = 0; i < 2; i++) {
        for (int square = 64; square < 256; square++) {
            struct move off = {.kind = MOVE_PATH, .count = 1, .squares = {(uint8_t)square}};
            expect_bytes_refused(games[i], "start", &off);
        }
        struct move none = {.kind = MOVE_PATH};
        struct move two = {.kind = MOVE_PATH, .count = 2, .squares = {19, 18}};
        struct move unknown = {.kind = MOVE_SKIP + 1, .count = 1, .squares = {19}};
        expect_bytes_refused(games[i], "start", &none);
        expect_bytes_refused(games[i], "start", &two);
        expect_bytes_refused(games[i], "start", &unknown);
        expect_refused(games[i], "start", "23-24", "1");
        expect_refused(games[i], "start", "81", "81");
    }
}

/* --- The score --- */

static void reversi_score_is_own_pieces_minus_the_others(void **unused)
{
    (void)unused;
    expect_result("reversi",
                  "#XXXXXX#/XXXXXXXX/XXXXXXXX/XXXXXXXX/XOOOOOOO/OOOOOOOO/OOOOOOOO/#OOOOOO# b",
                  "black 2 -2");
    expect_result("reversi",
                  "#OOXXXX#/XXXXXXXX/XXXXXXXX/XXXXXXXX/OOOOOOOO/OOOOOOOO/OOOOOOOO/#OOOOOO# w",
                  "white -4 4");
}

static void reversi_tie_is_a_draw(void **unused)
{
    (void)unused;
    expect_result("reversi",
                  "#XXXXXX#/XXXXXXXX/XXXXXXXX/XXXXXXXX/OOOOOOOO/OOOOOOOO/OOOOOOOO/#OOOOOO# b",
                  "draw 0 0");
}

static void reversi_empty_squares_count_for_neither_side(void **unused)
{
    (void)unused;
    expect_result("reversi",
                  "#......#/.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./.XXXXXX./#......# b",
                  "black 36 -36");
}

/* --- Othello --- */

static void othello_starts_with_four_centre_discs_and_black_to_move(void **unused)
{
    (void)unused;
    expect_play("othello", "start", "",
                "......../......../......../...OX.../...XO.../......../......../........ b");
}

static void othello_every_placement_needs_a_flip(void **unused)
{
    (void)unused;
    expect_moves("othello", "start", "23 32 45 54");
    expect_refused("othello", "start", "24", "24");
    expect_refused("othello", "start", "11", "11");
    expect_refused("othello", "start", "33", "33");
}

static void othello_corners_are_squares_like_any_other(void **unused)
{
    (void)unused;
    expect_play("othello",
                ".OX...../......../......../......../......../......../......../........ b", "00",
                "XXX...../......../......../......../......../......../......../........ w");
    expect_play("othello",
                "XOO...../......../......../......../......../......../......../........ b", "03",
                "XXXX..../......../......../......../......../......../......../........ w");
    expect_play("othello",
                "......../......../......../......../......../.....O../......O./.......X b", "44",
                "......../......../......../......../....X.../.....X../......X./.......X w");
}

static void othello_side_without_a_legal_move_is_skipped(void **unused)
{
    (void)unused;
    expect_moves("othello",
                 "OX....../......../......../......../......../......../......../........ b",
                 "pass");
    expect_moves("othello",
                 "OX....../......../......../......../......../......../......../........ w", "02");
    expect_play(
        "othello", "OX....../......../......../......../......../......../......../........ b",
        "pass 02", "OOO...../......../......../......../......../......../......../........ b");
    expect_refused("othello", "start", "pass", "pass");
}

static void othello_is_over_when_a_colour_has_vanished(void **unused)
{
    (void)unused;
    expect_result("othello",
                  "OOO...../......../......../......../......../......../......../........ b",
                  "white -64 64");
    expect_play("othello", "start", "54 35 24 55 46 53 64 45 42",
                "......../......../....X.../...XXX../..XXXXX./...XXX../....X.../........ w");
    expect_result("othello",
                  "......../......../....X.../...XXX../..XXXXX./...XXX../....X.../........ w",
                  "black 64 -64");
}

static void othello_empty_squares_at_the_end_count_for_the_winner(void **unused)
{
    (void)unused;
    expect_result("othello",
                  "X......X/......../......../......../......../......../......../.......O b",
                  "black 62 -62");
    expect_result("othello",
                  "X......./......../......../......../......../......../......../O......O b",
                  "white -62 62");
    expect_result("othello",
                  "X......./......../......../......../......../......../......../.......O b",
                  "draw 0 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reversi_starts_empty_with_black_to_move),
        cmocka_unit_test(reversi_corners_are_holes),
        cmocka_unit_test(reversi_corners_are_never_occupied),
        cmocka_unit_test(reversi_line_stops_at_a_hole_as_at_the_edge),
        cmocka_unit_test(reversi_squares_next_to_a_corner_are_never_flipped),
        cmocka_unit_test(reversi_every_empty_central_square_is_legal_even_without_flips),
        cmocka_unit_test(reversi_border_square_is_legal_only_with_a_flip),
        cmocka_unit_test(reversi_occupied_square_is_refused),
        cmocka_unit_test(reversi_central_placement_flips_what_it_encloses),
        cmocka_unit_test(reversi_placement_flips_in_all_eight_directions),
        cmocka_unit_test(reversi_placement_flips_a_whole_line),
        cmocka_unit_test(reversi_line_with_a_gap_is_not_enclosed),
        cmocka_unit_test(reversi_flips_reach_only_to_the_nearest_own_piece),
        cmocka_unit_test(reversi_flipped_pieces_enclose_nothing_themselves),
        cmocka_unit_test(reversi_no_line_goes_round_the_edge_of_the_board),
        cmocka_unit_test(reversi_side_with_a_legal_move_must_take_one),
        cmocka_unit_test(reversi_side_without_a_legal_move_is_skipped),
        cmocka_unit_test(reversi_is_over_when_neither_side_has_a_legal_move),
        cmocka_unit_test(reversi_colour_that_has_vanished_still_plays_in_the_centre),
        cmocka_unit_test(reversi_has_no_skip),
        cmocka_unit_test(reversi_bytes_that_are_not_a_move_are_refused),
        cmocka_unit_test(reversi_score_is_own_pieces_minus_the_others),
        cmocka_unit_test(reversi_tie_is_a_draw),
        cmocka_unit_test(reversi_empty_squares_count_for_neither_side),
        cmocka_unit_test(othello_starts_with_four_centre_discs_and_black_to_move),
        cmocka_unit_test(othello_every_placement_needs_a_flip),
        cmocka_unit_test(othello_corners_are_squares_like_any_other),
        cmocka_unit_test(othello_side_without_a_legal_move_is_skipped),
        cmocka_unit_test(othello_is_over_when_a_colour_has_vanished),
        cmocka_unit_test(othello_empty_squares_at_the_end_count_for_the_winner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
