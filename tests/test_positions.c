/* Text from outside: what is not a position or a move is refused, with the place, and
 * nothing is written. Also what a judge asks of every game: cells for the wire, faults,
 * replacements. */
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

enum { LONG_BYTES = 100000 };

static const char *const all_games[] = {"hop", "hop-noloop", "reversi", "othello", "meichu"};
enum { GAMES = sizeof all_games / sizeof all_games[0] };

/* A row of eight empty squares, and of nine. */
#define E8 "......../"
#define E9 "........./"

static bool is_filled_with(const void *memory, unsigned char byte, size_t bytes)
{
    for (const unsigned char *at = memory; bytes > 0; at++, bytes--) {
        if (*at != byte) {
            return false;
        }
    }
    return true;
}

static void expect_malformed(const char *game_name, const char *position, const char *words)
{
    enum { UNTOUCHED = 0xa5 };
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, game_name);
        struct state state;
        struct note why = {""};
        memset(&state, UNTOUCHED, sizeof state);
        char claim[256];
        snprintf(claim, sizeof claim, "%s (%s) '%.150s'", game_name, cpu_name(level), position);
        if (game_read_position(game, position, &state, &why) != ERR_INPUT) {
            fail_msg("%s was not refused", claim);
        }
        expect_note(&why, words, claim);
        assert_true(is_filled_with(&state, UNTOUCHED, sizeof state));
        assert_int_equal(game->read_position(position, &state, NULL), ERR_INPUT);
    }
}

static void both_hops_malformed(const char *position, const char *words)
{
    expect_malformed("hop", position, words);
    expect_malformed("hop-noloop", position, words);
}

/* The text is a position and is written as it was read. */
static void expect_position(const char *game, const char *position)
{
    expect_play(game, position, "", position);
}

/* --- Boards --- */

static void board_of_the_wrong_size_is_malformed(void **unused)
{
    (void)unused;
    both_hops_malformed(E8 E8 E8 "......./" E8 E8 E8 "........ b 0 0", "row 3");
    both_hops_malformed(E8 E8 E8 E8 "........./" E8 E8 "........ b 0 0", "row 4");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 "........ b 0 0", "7 8");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 E8 "........ b 0 0", "8");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "......... b 0 0", "row 7");
    both_hops_malformed("/" E8 E8 E8 E8 E8 E8 "........ b 0 0", "row 0");
    expect_malformed("reversi", "#......#/" E8 E8 E8 E8 E8 "#......# b", "7 8");
    expect_malformed("othello", E8 E8 E8 E8 E8 E8 E8 "....... b", "row 7");
    expect_malformed("meichu", E8 E9 E9 E9 E9 E9 E9 E9 "......... b 9 9", "row 0");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 "......... b 9 9", "8 9");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 ".......... b 9 9", "row 8");
}

static void position_of_another_game_is_malformed(void **unused)
{
    (void)unused;
    char text[GAME_POSITION_BYTES];
    for (int i = 0; i < GAMES; i++) {
        const struct game *game = find_game(CPU_BASELINE, all_games[i]);
        struct state start = game->start();
        game->write_position(&start, text);
        for (int j = 0; j < GAMES; j++) {
            bool both_hop = i < 2 && j < 2;
            if (i != j && !both_hop) {
                expect_malformed(all_games[j], text, "");
            }
        }
    }
}

static void unknown_letter_is_malformed(void **unused)
{
    (void)unused;
    both_hops_malformed(E8 E8 ".....x../" E8 E8 E8 E8 "........ b 0 0", "row 2 column 5");
    both_hops_malformed("#......./" E8 E8 E8 E8 E8 E8 "........ b 0 0", "row 0 column 0");
    expect_malformed("reversi", "#......#/" E8 E8 E8 "......1./" E8 E8 "#......# b",
                     "row 4 column 6");
    expect_malformed("othello", "#......#/" E8 E8 E8 E8 E8 E8 "#......# b", "00 #");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "........X b 9 9", "row 8 column 8");
}

static void bytes_beyond_ascii_are_malformed(void **unused)
{
    (void)unused;
    both_hops_malformed(E8 ".\xff....../" E8 E8 E8 E8 E8 "........ b 0 0", "row 1 column 1");
    both_hops_malformed(E8 ".\xc3\xa9...../" E8 E8 E8 E8 E8 "........ b 0 0", "row 1 column 1");
    both_hops_malformed(E8 "\x01......./" E8 E8 E8 E8 E8 "........ b 0 0", "row 1 column 0");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........\xc2\xa0"
                                             "b 0 0",
                        "");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b 0 \xd9\xa1", "");
    expect_malformed("reversi", "#......#/" E8 E8 E8 E8 E8 E8 "#......# \xce\xb2", "");
    expect_malformed("meichu", "\x80" E9 E9 E9 E9 E9 E9 E9 E9 "......... b 9 9", "row 0 column 0");
}

static void note_about_a_letter_is_plain_ascii(void **unused)
{
    (void)unused;
    for (int byte = 1; byte < 256; byte++) {
        char board[] = E8 "......../" E8 E8 E8 E8 E8 "........ b";
        board[10] = (char)byte;
        for (int i = 0; i < GAMES; i++) {
            const struct game *game = find_game(CPU_BASELINE, all_games[i]);
            struct state state;
            struct note why = {""};
            if (game->read_position(board, &state, &why)) {
                for (const char *at = why.text; *at; at++) {
                    assert_in_range((unsigned char)*at, ' ', '~');
                }
            }
        }
    }
}

/* --- Pieces --- */

static void hop_ten_pieces_of_a_side_are_malformed(void **unused)
{
    (void)unused;
    both_hops_malformed("XXXXXXXX/XX....../" E8 E8 E8 E8 E8 "......O. b 0 0", "black 10 9");
    both_hops_malformed("OOOOOOOO/......X./" E8 E8 E8 E8 "OO....../OOOOOOOO w 1 0", "white 18 9");
}

static void reversi_disc_on_a_corner_is_malformed(void **unused)
{
    (void)unused;
    expect_malformed("reversi", "X......#/" E8 E8 E8 E8 E8 E8 "#......# b", "corner 00");
    expect_malformed("reversi", "#......O/" E8 E8 E8 E8 E8 E8 "#......# b", "corner 07");
    expect_malformed("reversi", "#......#/" E8 E8 E8 E8 E8 E8 "X......# b", "corner 70");
    expect_malformed("reversi", "#......#/" E8 E8 E8 E8 E8 E8 "#......X b", "corner 77");
}

static void reversi_missing_hole_is_malformed(void **unused)
{
    (void)unused;
    expect_malformed("reversi", ".......#/" E8 E8 E8 E8 E8 E8 "#......# b", "corner 00");
    expect_malformed("reversi", "#......#/" E8 E8 E8 E8 E8 E8 "#....... b", "corner 77");
}

static void reversi_hole_elsewhere_is_malformed(void **unused)
{
    (void)unused;
    expect_malformed("reversi", "#......#/" E8 E8 "...#..../" E8 E8 E8 "#......# b", "33");
    expect_malformed("reversi", "##.....#/" E8 E8 E8 E8 E8 E8 "#......# b", "01");
}

static void meichu_two_flags_of_a_side_are_malformed(void **unused)
{
    (void)unused;
    expect_malformed("meichu", "F......../" E9 E9 E9 E9 E9 E9 E9 "........F b 9 9", "black flag");
    expect_malformed("meichu", "f......../" E9 E9 E9 E9 E9 E9 E9 "........f b 9 9", "white flag");
}

static void meichu_six_soldiers_of_a_side_are_malformed(void **unused)
{
    (void)unused;
    expect_malformed("meichu", "SSS.SSS../" E9 E9 E9 E9 E9 E9 E9 "F.......f b 9 9",
                     "black soldier 5");
    expect_malformed("meichu", "sss.sss../" E9 E9 E9 E9 E9 E9 E9 "F.......f b 9 9",
                     "white soldier 5");
}

static void meichu_thirteen_barriers_of_a_side_are_malformed(void **unused)
{
    (void)unused;
    expect_malformed("meichu", "BBBBBBBBB/BBBB...../" E9 E9 E9 E9 E9 E9 "F.......f b 9 9",
                     "black barrier 12");
    expect_malformed("meichu", "bbbbbbbbb/bbbb...../" E9 E9 E9 E9 E9 E9 "F.......f b 9 9",
                     "white barrier 12");
}

/* --- The other fields --- */

static void side_other_than_b_or_w_is_malformed(void **unused)
{
    (void)unused;
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........", "side");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ ", "side");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ B 0 0", "side");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ x 0 0", "side");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ bw 0 0", "side");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ 0 0", "side");
    expect_malformed("reversi", "#......#/" E8 E8 E8 E8 E8 E8 "#......#", "side");
    expect_malformed("othello", E8 E8 E8 E8 E8 E8 E8 "........ black", "side");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "......... W 9 9", "side");
}

static void missing_number_is_malformed(void **unused)
{
    (void)unused;
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b", "black");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b 0", "white");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "......... b", "black budget");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "......... b 9", "white budget");
}

static void number_over_its_limit_is_malformed(void **unused)
{
    (void)unused;
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b 201 201", "201");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ w 201 200", "201");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b 0 99999999999999999999", "white");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b 4294967296 4294967296", "black");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "......... b 1000 0", "black 1000");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "......... b 0 1000", "white 1000");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "......... b 0 18446744073709551616",
                     "white");
}

static void number_with_a_sign_leading_zero_or_junk_is_malformed(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"-1",  "+1", "-0", "00", "01",  "007", "1.0", "1e2",
                                      "0x1", "1,", "a",  "1a", "\t1", "1\n", "--1", "1-"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[GAME_POSITION_BYTES];
        snprintf(text, sizeof text, "%s b %s 1", E8 E8 E8 E8 E8 E8 E8 "........", bad[i]);
        both_hops_malformed(text, "black");
        snprintf(text, sizeof text, "%s b 1 %s", E8 E8 E8 E8 E8 E8 E8 "........", bad[i]);
        both_hops_malformed(text, "white");
        snprintf(text, sizeof text, "%s b %s 1", E9 E9 E9 E9 E9 E9 E9 E9 ".........", bad[i]);
        expect_malformed("meichu", text, "black");
        snprintf(text, sizeof text, "%s b 1 %s", E9 E9 E9 E9 E9 E9 E9 E9 ".........", bad[i]);
        expect_malformed("meichu", text, "white");
    }
}

static void hop_counters_that_do_not_fit_the_side_to_move_are_malformed(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"b 1 0", "b 0 1", "b 200 199", "w 0 0",
                                      "w 0 1", "w 2 0", "w 200 200", "w 5 5"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[GAME_POSITION_BYTES];
        snprintf(text, sizeof text, "%s %s", E8 E8 E8 E8 E8 E8 E8 "........", bad[i]);
        both_hops_malformed(text, "black white");
    }
}

static void spaces_in_the_wrong_place_are_malformed(void **unused)
{
    (void)unused;
    both_hops_malformed(" " E8 E8 E8 E8 E8 E8 E8 "........ b 0 0", "row 0");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........  b 0 0", "side");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b  0 0", "black");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b 0  0", "white");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b 0 0 ", "after");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........\tb 0 0", "");
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b 0 0\n", "");
    both_hops_malformed(E8 " " E8 E8 E8 E8 E8 E8 "........ b 0 0", "row 1");
    expect_malformed("reversi", "#......#/" E8 E8 E8 E8 E8 E8 "#......# b ", "");
    expect_malformed("othello", E8 E8 E8 E8 E8 E8 E8 "........  b", "side");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "......... b 9 9 ", "after");
}

static void further_fields_are_malformed(void **unused)
{
    (void)unused;
    both_hops_malformed(E8 E8 E8 E8 E8 E8 E8 "........ b 0 0 0", "after");
    expect_malformed("reversi", "#......#/" E8 E8 E8 E8 E8 E8 "#......# b 0", "after");
    expect_malformed("othello", E8 E8 E8 E8 E8 E8 E8 "........ b b", "after");
    expect_malformed("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "......... b 9 9 9", "after");
}

static void empty_and_almost_start_are_malformed(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"", " ", "/", "start ", " start", "START", "starts", "star"};
    for (int i = 0; i < GAMES; i++) {
        for (size_t j = 0; j < sizeof bad / sizeof bad[0]; j++) {
            expect_malformed(all_games[i], bad[j], "");
        }
    }
}

static void every_cut_of_a_position_is_malformed(void **unused)
{
    (void)unused;
    for (int i = 0; i < GAMES; i++) {
        const struct game *game = find_game(CPU_BASELINE, all_games[i]);
        struct state start = game->start();
        char text[GAME_POSITION_BYTES];
        game->write_position(&start, text);
        size_t shortest = strcspn(text, " ") + 2;
        bool has_numbers = text[shortest] == ' ';
        for (size_t length = 0; length < (has_numbers ? shortest + 3 : shortest); length++) {
            char cut[GAME_POSITION_BYTES];
            memcpy(cut, text, length);
            cut[length] = '\0';
            expect_malformed(all_games[i], cut, "");
        }
    }
}

static void very_long_text_is_malformed(void **unused)
{
    (void)unused;
    char *text = malloc(LONG_BYTES + 1);
    assert_non_null(text);
    for (int i = 0; i < GAMES; i++) {
        const struct game *game = find_game(CPU_BASELINE, all_games[i]);
        for (const char *letter = "X.#/ 9bS\xff"; *letter; letter++) {
            memset(text, *letter, LONG_BYTES);
            text[LONG_BYTES] = '\0';
            expect_malformed(all_games[i], text, "");
            struct state start = game->start();
            char position[GAME_POSITION_BYTES];
            game->write_position(&start, position);
            memcpy(text, position, strlen(position));
            expect_malformed(all_games[i], text, "");
        }
    }
    free(text);
}

/* --- Extremes that are valid --- */

static void boards_without_pieces_are_positions(void **unused)
{
    (void)unused;
    expect_position("hop", E8 E8 E8 E8 E8 E8 E8 "........ b 0 0");
    expect_position("hop-noloop", E8 E8 E8 E8 E8 E8 E8 "........ w 1 0");
    expect_position("reversi", "#......#/" E8 E8 E8 E8 E8 E8 "#......# w");
    expect_position("othello", E8 E8 E8 E8 E8 E8 E8 "........ w");
    expect_position("meichu", E9 E9 E9 E9 E9 E9 E9 E9 "......... w 0 0");
}

static void full_sets_of_pieces_are_positions(void **unused)
{
    (void)unused;
    expect_position("hop", "XXXXXXXX/X......./" E8 E8 E8 E8 ".......O/OOOOOOOO b 7 7");
    expect_position("reversi",
                    "#XXXXXX#/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/#XXXXXX# b");
    expect_position("othello",
                    "OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO w");
    expect_position("meichu", "SSSSSF.../BBBBBBBBB/BBB....../" E9 E9 E9 "bbb....../bbbbbbbbb/"
                              "sssssf... b 150 150");
}

static void hop_counters_up_to_200_are_positions(void **unused)
{
    (void)unused;
    static const char *const good[] = {"b 0 0",     "w 1 0",     "b 9 9",    "w 10 9",
                                       "b 199 199", "w 200 199", "b 200 200"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char text[GAME_POSITION_BYTES];
        snprintf(text, sizeof text, "%s %s", E8 "..X...../" E8 E8 E8 E8 E8 ".....O..", good[i]);
        expect_position("hop", text);
        expect_position("hop-noloop", text);
    }
}

static void meichu_budgets_from_0_to_999_are_positions(void **unused)
{
    (void)unused;
    static const char *const good[] = {"b 0 0", "w 999 999", "b 0 999", "w 999 0", "b 10 100"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char text[GAME_POSITION_BYTES];
        snprintf(text, sizeof text, "%s %s", "F.......f/" E9 E9 E9 E9 E9 E9 E9 "S.......s",
                 good[i]);
        expect_position("meichu", text);
    }
}

static void start_is_a_position_of_every_game(void **unused)
{
    (void)unused;
    for (int i = 0; i < GAMES; i++) {
        const struct game *game = find_game(CPU_BASELINE, all_games[i]);
        struct state read = read_state(game, "start");
        struct state start = game->start();
        assert_memory_equal(&read, &start, sizeof start);
        assert_int_equal(game->to_move(&start), SIDE_BLACK);
    }
}

/* --- Moves --- */

static void expect_unreadable_move(const char *game_name, const char *text, enum err expected)
{
    enum { UNTOUCHED = 0xa5 };
    const struct game *game = find_game(CPU_BASELINE, game_name);
    struct move move;
    struct note why = {""};
    memset(&move, UNTOUCHED, sizeof move);
    char claim[128];
    snprintf(claim, sizeof claim, "%s '%.80s'", game_name, text);
    enum err err = game_read_move(game, text, &move, &why);
    if (err != expected) {
        fail_msg("%s: %d instead of %d", claim, err, expected);
    }
    expect_note(&why, "", claim);
    assert_true(is_filled_with(&move, UNTOUCHED, sizeof move));
    assert_int_equal(game_read_move(game, text, &move, NULL), expected);
}

static void move_that_cannot_be_read_is_malformed(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"",      "2",        "-",         "-22",    "22 23", "2a",
                                      "a2",    "222",      "22 ",       " 22",    "22\n",  "+2",
                                      "PASS",  "pass ",    "Pass",      "skips",  "start", "resign",
                                      "22_23", "\xff\xff", "2\xc2\xad", "pass-22"};
    for (int i = 0; i < GAMES; i++) {
        for (size_t j = 0; j < sizeof bad / sizeof bad[0]; j++) {
            expect_unreadable_move(all_games[i], bad[j], ERR_INPUT);
        }
    }
}

static void path_that_cannot_be_read_is_malformed(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"22-",   "22--23", "22-2",   "22-23 ",  "22-23\n",
                                      "22-+3", "22-2a",  "22- 23", "22-pass", "22-\xff\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect_unreadable_move("hop", bad[i], ERR_INPUT);
        expect_unreadable_move("hop-noloop", bad[i], ERR_INPUT);
        expect_unreadable_move("meichu", bad[i], ERR_INPUT);
    }
}

static void skip_is_a_word_of_hop_only(void **unused)
{
    (void)unused;
    for (int i = 0; i < GAMES; i++) {
        const struct game *game = find_game(CPU_BASELINE, all_games[i]);
        assert_int_equal(game->is_move_skippable, i < 2);
    }
    expect_unreadable_move("reversi", "skip", ERR_INPUT);
    expect_unreadable_move("othello", "skip", ERR_INPUT);
    expect_unreadable_move("meichu", "skip", ERR_INPUT);
}

static void squares_off_the_board_are_refused(void **unused)
{
    (void)unused;
    expect_unreadable_move("hop", "22-82", ERR_NEGATIVE);
    expect_unreadable_move("hop-noloop", "08-07", ERR_NEGATIVE);
    expect_unreadable_move("reversi", "99", ERR_NEGATIVE);
    expect_unreadable_move("othello", "80", ERR_NEGATIVE);
    expect_unreadable_move("meichu", "88-89", ERR_NEGATIVE);
    expect_unreadable_move("meichu", "90-88", ERR_NEGATIVE);
}

static void too_many_squares_are_refused(void **unused)
{
    (void)unused;
    char *text = malloc(LONG_BYTES + 1);
    assert_non_null(text);
    for (int i = 0; i < LONG_BYTES; i++) {
        text[i] = i % 3 == 2 ? '-' : '2';
    }
    text[LONG_BYTES - LONG_BYTES % 3 - 1] = '\0';
    for (int i = 0; i < GAMES; i++) {
        expect_unreadable_move(all_games[i], text, ERR_NEGATIVE);
    }
    text[3 * (GAME_MAX_PATH + 1) - 1] = '\0';
    expect_unreadable_move("hop", text, ERR_NEGATIVE);
    expect_unreadable_move("reversi", "22-23", ERR_NEGATIVE);
    expect_unreadable_move("meichu", "22-23-24", ERR_NEGATIVE);
    free(text);
}

static void very_long_junk_is_not_a_move(void **unused)
{
    (void)unused;
    char *text = malloc(LONG_BYTES + 1);
    assert_non_null(text);
    text[LONG_BYTES] = '\0';
    for (const char *letter = "2-p \xff"; *letter; letter++) {
        memset(text, *letter, LONG_BYTES);
        for (int i = 0; i < GAMES; i++) {
            expect_unreadable_move(all_games[i], text, ERR_INPUT);
        }
    }
    free(text);
}

static void moves_are_written_as_they_are_read(void **unused)
{
    (void)unused;
    static const char *const texts[][2] = {
        {"hop", "10-12-32"}, {"hop", "skip"},   {"hop", "pass"},     {"hop-noloop", "00-77"},
        {"reversi", "23"},   {"othello", "07"}, {"meichu", "74-64"}, {"meichu", "88-80"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct game *game = find_game(CPU_BASELINE, texts[i][0]);
        struct move move;
        struct note why;
        assert_int_equal(game_read_move(game, texts[i][1], &move, &why), ERR_NONE);
        char text[GAME_MOVE_BYTES];
        game_write_move(game, &move, text);
        assert_string_equal(text, texts[i][1]);
    }
}

static void moves_are_ordered_as_their_texts_are(void **unused)
{
    (void)unused;
    static const char *const sorted[] = {"00-01", "00-02-22", "00-10",       "10-12", "10-12-32",
                                         "10-20", "12-10",    "12-10-12-14", "pass",  "skip"};
    const struct game *game = find_game(CPU_BASELINE, "hop");
    int count = sizeof sorted / sizeof sorted[0];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            struct move a;
            struct move b;
            assert_int_equal(game_read_move(game, sorted[i], &a, NULL), ERR_NONE);
            assert_int_equal(game_read_move(game, sorted[j], &b, NULL), ERR_NONE);
            int order = move_compare(&a, &b);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
    }
}

/* --- What a judge asks --- */

static void expect_wire(const char *game_name, const char *position, const char *cells)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, game_name);
        struct state state = read_state(game, position);
        for (int square = 0; square < game->rows * game->columns; square++) {
            static const char names[] = "-012";
            assert_int_equal(names[cell_wire(game->cell(&state, square)) + 1], cells[square]);
        }
    }
}

static void wire_cells_are_0_empty_1_black_2_white(void **unused)
{
    (void)unused;
    static const char hop_cells[] = "10000000"
                                    "01000002"
                                    "10100020"
                                    "01000202"
                                    "10100020"
                                    "01000202"
                                    "10000020"
                                    "00000002";
    expect_wire("hop", "start", hop_cells);
    expect_wire("hop-noloop", "start", hop_cells);
    expect_wire("othello", "start",
                "0000000000000000000000000002100000012000000000000000000000000000");
    expect_wire("meichu", "start",
                "002222200"
                "020222020"
                "020020020"
                "002222200"
                "000000000"
                "001111100"
                "010010010"
                "010111010"
                "001111100");
}

static void wire_cell_of_a_reversi_corner_is_minus_1(void **unused)
{
    (void)unused;
    expect_wire("reversi", "#X....O#/" E8 E8 "...XO.../...OX.../" E8 E8 "#......# w",
                "-100002-"
                "00000000"
                "00000000"
                "00012000"
                "00021000"
                "00000000"
                "00000000"
                "-000000-");
}

static void faults_have_the_penalties_of_the_rules(void **unused)
{
    (void)unused;
    static const enum penalty replaced[FAULT_KINDS] = {
        [FAULT_LATE] = PENALTY_REPLACE,
        [FAULT_INVALID] = PENALTY_REPLACE,
        [FAULT_CRASHED] = PENALTY_REPLACE_FOREVER,
        [FAULT_MALFORMED] = PENALTY_LOSS,
        [FAULT_HOSTILE] = PENALTY_LOSS,
    };
    static const enum penalty strict[FAULT_KINDS] = {
        [FAULT_LATE] = PENALTY_NOTE,    [FAULT_INVALID] = PENALTY_LOSS,
        [FAULT_CRASHED] = PENALTY_LOSS, [FAULT_MALFORMED] = PENALTY_LOSS,
        [FAULT_HOSTILE] = PENALTY_LOSS,
    };
    for (int i = 0; i < GAMES; i++) {
        const struct game *game = find_game(CPU_BASELINE, all_games[i]);
        bool is_meichu = strcmp(game->name, "meichu") == 0;
        assert_memory_equal(game->penalties, is_meichu ? strict : replaced, sizeof strict);
    }
}

static void faults_have_the_names_of_game_records(void **unused)
{
    (void)unused;
    static const char *const names[FAULT_KINDS] = {"late", "invalid", "crashed", "malformed",
                                                   "hostile"};
    for (int fault = 0; fault < FAULT_KINDS; fault++) {
        assert_string_equal(fault_name((enum fault)fault), names[fault]);
    }
}

static void time_limits_are_5_seconds_and_30_with_120_at_most_in_meichu(void **unused)
{
    (void)unused;
    for (int i = 0; i < GAMES; i++) {
        const struct game *game = find_game(CPU_BASELINE, all_games[i]);
        bool is_meichu = strcmp(game->name, "meichu") == 0;
        assert_true(game->time_limit_s == (is_meichu ? 30 : 5));
        assert_true(game->hard_limit_s == (is_meichu ? 120 : 0));
    }
}

/* What the judge plays instead of a faulty move. */
static void expect_replacement(const char *game_name, const char *position, const char *expected)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, game_name);
        struct state state = read_state(game, position);
        struct move move = game->replacement(&state);
        char text[GAME_MOVE_BYTES];
        game_write_move(game, &move, text);
        assert_string_equal(text, expected);
        assert_int_equal(game->apply(&state, &move, NULL), ERR_NONE);
    }
}

static void hop_replaces_a_faulty_move_by_a_skip(void **unused)
{
    (void)unused;
    expect_replacement("hop", "start", "skip");
    expect_replacement("hop-noloop", "start", "skip");
}

static void reversi_replaces_a_faulty_move_by_the_first_legal_square(void **unused)
{
    (void)unused;
    expect_replacement("reversi", "start", "11");
    expect_replacement("reversi",
                       "#......#/.XXX..../......../......../......../......../......../#......# w",
                       "14");
    expect_replacement("reversi",
                       "#......#/..O...../..X...../......../......../......../......../#......# b",
                       "02");
    expect_replacement("othello", "start", "23");
    expect_replacement("othello",
                       ".OX...../......../......../......../......../......../......../........ b",
                       "00");
}

static void unknown_game_is_named_and_the_games_are_listed(void **unused)
{
    (void)unused;
    struct note why = {""};
    assert_null(registry_find(CPU_BASELINE, "chess", &why));
    expect_note(&why, "chess hop hop-noloop meichu reversi othello", "chess");
    assert_null(registry_find(CPU_BASELINE, "", NULL));
    assert_null(registry_find(CPU_BASELINE, "Hop", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(board_of_the_wrong_size_is_malformed),
        cmocka_unit_test(position_of_another_game_is_malformed),
        cmocka_unit_test(unknown_letter_is_malformed),
        cmocka_unit_test(bytes_beyond_ascii_are_malformed),
        cmocka_unit_test(note_about_a_letter_is_plain_ascii),
        cmocka_unit_test(hop_ten_pieces_of_a_side_are_malformed),
        cmocka_unit_test(reversi_disc_on_a_corner_is_malformed),
        cmocka_unit_test(reversi_missing_hole_is_malformed),
        cmocka_unit_test(reversi_hole_elsewhere_is_malformed),
        cmocka_unit_test(meichu_two_flags_of_a_side_are_malformed),
        cmocka_unit_test(meichu_six_soldiers_of_a_side_are_malformed),
        cmocka_unit_test(meichu_thirteen_barriers_of_a_side_are_malformed),
        cmocka_unit_test(side_other_than_b_or_w_is_malformed),
        cmocka_unit_test(missing_number_is_malformed),
        cmocka_unit_test(number_over_its_limit_is_malformed),
        cmocka_unit_test(number_with_a_sign_leading_zero_or_junk_is_malformed),
        cmocka_unit_test(hop_counters_that_do_not_fit_the_side_to_move_are_malformed),
        cmocka_unit_test(spaces_in_the_wrong_place_are_malformed),
        cmocka_unit_test(further_fields_are_malformed),
        cmocka_unit_test(empty_and_almost_start_are_malformed),
        cmocka_unit_test(every_cut_of_a_position_is_malformed),
        cmocka_unit_test(very_long_text_is_malformed),
        cmocka_unit_test(boards_without_pieces_are_positions),
        cmocka_unit_test(full_sets_of_pieces_are_positions),
        cmocka_unit_test(hop_counters_up_to_200_are_positions),
        cmocka_unit_test(meichu_budgets_from_0_to_999_are_positions),
        cmocka_unit_test(start_is_a_position_of_every_game),
        cmocka_unit_test(move_that_cannot_be_read_is_malformed),
        cmocka_unit_test(path_that_cannot_be_read_is_malformed),
        cmocka_unit_test(skip_is_a_word_of_hop_only),
        cmocka_unit_test(squares_off_the_board_are_refused),
        cmocka_unit_test(too_many_squares_are_refused),
        cmocka_unit_test(very_long_junk_is_not_a_move),
        cmocka_unit_test(moves_are_written_as_they_are_read),
        cmocka_unit_test(moves_are_ordered_as_their_texts_are),
        cmocka_unit_test(wire_cells_are_0_empty_1_black_2_white),
        cmocka_unit_test(wire_cell_of_a_reversi_corner_is_minus_1),
        cmocka_unit_test(faults_have_the_penalties_of_the_rules),
        cmocka_unit_test(faults_have_the_names_of_game_records),
        cmocka_unit_test(time_limits_are_5_seconds_and_30_with_120_at_most_in_meichu),
        cmocka_unit_test(hop_replaces_a_faulty_move_by_a_skip),
        cmocka_unit_test(reversi_replaces_a_faulty_move_by_the_first_legal_square),
        cmocka_unit_test(unknown_game_is_named_and_the_games_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
