/* Bids and moves among whatever else a MeiChu program prints. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "protocol/template_text.h"

enum { WORDS_BYTES = 512 };

/* What was found, in words: "bid 0 5; move 6 4 5 4; ". */
static void listen(struct template_text *text, const char *bytes, size_t count,
                   char words[WORDS_BYTES])
{
    while (count) {
        struct template_phrase phrase = template_feed(text, &bytes, &count);
        size_t used = strlen(words);
        const int64_t *n = phrase.numbers;
        if (phrase.kind == TEMPLATE_BID) {
            snprintf(words + used, WORDS_BYTES - used, "bid %" PRId64 " %" PRId64 "; ", n[0], n[1]);
        } else if (phrase.kind == TEMPLATE_MOVE) {
            snprintf(words + used, WORDS_BYTES - used,
                     "move %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "; ", n[0], n[1], n[2],
                     n[3]);
        } else if (phrase.kind == TEMPLATE_BAD_BID || phrase.kind == TEMPLATE_BAD_MOVE) {
            snprintf(words + used, WORDS_BYTES - used, "bad %s '%s'; ",
                     phrase.kind == TEMPLATE_BAD_BID ? "bid" : "move", phrase.line);
        } else if (phrase.kind == TEMPLATE_NEAR_BID) {
            snprintf(words + used, WORDS_BYTES - used, "nearly bid %" PRId64 " %" PRId64 " '%s'; ",
                     n[0], n[1], phrase.line);
        } else if (phrase.kind == TEMPLATE_NEAR_MOVE) {
            snprintf(words + used, WORDS_BYTES - used,
                     "nearly move %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " '%s'; ", n[0],
                     n[1], n[2], n[3], phrase.line);
        } else {
            assert_int_equal(count, 0);
        }
    }
}

/* However the bytes are cut in two. */
static void expect_bytes(const char *bytes, size_t count, const char *expected)
{
    for (size_t cut = 0; cut <= count; cut++) {
        struct template_text text = {0};
        char words[WORDS_BYTES] = "";
        listen(&text, bytes, cut, words);
        listen(&text, bytes + cut, count - cut, words);
        assert_string_equal(words, expected);
    }
    struct template_text text = {0};
    char words[WORDS_BYTES] = "";
    for (size_t i = 0; i < count; i++) {
        listen(&text, bytes + i, 1, words);
    }
    assert_string_equal(words, expected);
}

static void expect(const char *printed, const char *expected)
{
    expect_bytes(printed, strlen(printed), expected);
}

static void the_python_forms_are_found(void **state)
{
    (void)state;
    expect("My bid:  0 5\n", "bid 0 5; ");
    expect("My move : [6, 4, 5, 4]\n", "move 6 4 5 4; ");
    expect("My move : (6, 4, 5, 4)\n", "move 6 4 5 4; ");
    expect("My move : [6 4 5 4]\n", "move 6 4 5 4; ");
}

static void the_cpp_forms_are_found(void **state)
{
    (void)state;
    expect("My bid: 1 140\r\n", "bid 1 140; ");
    expect("Move (6, 4) to (5, 4).\n", "move 6 4 5 4; ");
}

static void the_phrases_of_our_own_agent_are_found(void **state)
{
    (void)state;
    const struct game game = {.rows = 9, .columns = 9};
    const struct move move = {.kind = MOVE_PATH, .count = 2, .squares = {6 * 9 + 4, 5 * 9 + 4}};
    char text[TEMPLATE_INPUT_BYTES];
    template_print_bid(&(struct bid){1, -12}, text);
    expect(text, "bid 1 -12; ");
    template_print_move(&game, &move, text);
    expect(text, "move 6 4 5 4; ");
}

static void any_spelling_of_four_integers_is_a_move(void **state)
{
    (void)state;
    static const char *const spellings[] = {
        "[8, 2, 5, 2]",
        "(8, 2, 5, 2)",
        "[8 2 5 2]",
        "[ 8  2  5  2 ]",
        "  [ 8 ,2,\t5 , 2]",
        "[np.int64(8), np.int64(2), np.int64(5), np.int64(2)]",
        "(np.int64(8), np.int64(2), np.int64(5), np.int64(2))",
        "[np.int32(8) np.int32(2) np.int32(5) np.int32(2)]",
        "[np.int64(8), 2, np.uint8(5), 2]",
        "[numpy.int64(8), int64(2), int_(5), np.int16( 2 )]",
        "array([8, 2, 5, 2])",
        "np.array([8, 2, 5, 2])",
        "array([8, 2, 5, 2], dtype=int32)",
        "array([8, 2, 5, 2], dtype=np.int64)",
        "[array([8, 2]), array([5, 2])]",
        "[array(8), array(2), array(5), array(2)]",
        "tensor([8, 2, 5, 2])",
        "[[8, 2], [5, 2]]",
        "((8, 2), (5, 2))",
        "[(8, 2), (5, 2)]",
        "[[8 2]\n [5 2]]",
        "[[8, 2],\r\n [5, 2]]",
        "Move(begin_x=8, begin_y=2, end_x=5, end_y=2)",
        "deque([8, 2, 5, 2], maxlen=None)",
    };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        char printed[128];
        snprintf(printed, sizeof printed, "My move : %s", spellings[i]);
        expect(printed, "move 8 2 5 2; ");
    }
    /* Without brackets the end of the line is the end of the move. */
    expect("My move : 8 2 5 2\n", "move 8 2 5 2; ");
    expect("My move : 8, 2, 5, 2 \r\n", "move 8 2 5 2; ");
    expect("My move : (8, 2), (5, 2)\n", "move 8 2 5 2; ");
    expect("My move : np.int64(8) np.int64(2) np.int64(5) np.int64(2)\n", "move 8 2 5 2; ");
    expect("My move :\n[8, 2, 5, 2]\n", "move 8 2 5 2; ");
}

static void any_spelling_of_a_bid_is_a_bid(void **state)
{
    (void)state;
    expect("My bid:  (0, 5)", "bid 0 5; ");
    expect("My bid:  [1 140]\n", "bid 1 140; ");
    expect("My bid:  (np.int64(1), np.int64(-7))\n", "bid 1 -7; ");
    expect("My bid:  np.int64(0) np.int32(5)\n", "bid 0 5; ");
    expect("My bid: 0, 5\n", "bid 0 5; ");
    expect("My bid: 0\n5\n", "bid 0 5; ");
}

static void a_remark_with_the_numbers_of_an_answer_is_nearly_one(void **state)
{
    (void)state;
    static const char *const moves[] = {
        "my move is [8, 2, 5, 2]",
        "My move is [8, 2, 5, 2]",
        "MOVE: 8 2 5 2",
        "Enter the move : my move is [np.int64(8), np.int64(2), np.int64(5), np.int64(2)]",
        "Move (8, 2) to 5, 2",
        "I move from (8.0, 2.0) to (5.0, 2.0).",
        "[8, 2, 5, 2]",
        "(8, 2, 5, 2)",
        "8 2 5 2",
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        char printed[128];
        char expected[160];
        snprintf(printed, sizeof printed, "Budgets: 148 150\n%s\r\n", moves[i]);
        snprintf(expected, sizeof expected, "nearly move 8 2 5 2 '%s'; ", moves[i]);
        expect(printed, expected);
    }
    expect("my bid: 0 5\n", "nearly bid 0 5 'my bid: 0 5'; ");
    expect("I bid 140 for colour 1.\n", "nearly bid 140 1 'I bid 140 for colour 1.'; ");
    static const char *const remarks[] = {
        "0 1 2 3 4 5 6 7 8",
        "move 3 of 4",
        "Round 3: 5 soldiers, 12 barriers, budget 150",
        "pieces 5 5, barriers 12 12",
        "move x1 x2 x3 x4",
        "my moves : 8 2 5 2 1",
        "[148 150]",
        "moved 148 150 149 151",
        "the bidding is over",
        "0 5",
    };
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        char printed[128];
        snprintf(printed, sizeof printed, "%s\n", remarks[i]);
        expect(printed, "");
    }
}

static void a_line_that_only_begins_as_an_answer_is_bad(void **state)
{
    (void)state;
    expect("My bid:  black five\n", "bad bid 'My bid:  black five'; ");
    expect("My move : None\r\n", "bad move 'My move : None'; ");
    expect("My move : [6, 4]\n", "bad move 'My move : [6, 4]'; ");
    expect("My move : [6.0, 4.0, 5.0, 4.0]\n", "bad move 'My move : [6.0, 4.0, 5.0, 4.0]'; ");
    expect("\033[1mMy move : \033[0m[6, 4, 5, 4]\n",
           "bad move '\033[1mMy move : \033[0m[6, 4, 5, 4]'; ");
    /* The next line is judged by itself. */
    expect("My move : None\nMy move : [6, 4, 5, 4]\n", "bad move 'My move : None'; move 6 4 5 4; ");
    /* One that may still continue is bad once it does not. */
    expect("My move : [6, 4, 5, 4\nthinking\n", "bad move 'My move : [6, 4, 5, 4 thinking'; ");
    /* No answer, or one that may still come. */
    expect("My move is good\nMy bidding: high\n", "");
    expect("My bid:\n 0 5\n", "bid 0 5; ");
    expect("My move : [6, 4,\n 5, 4]\n", "move 6 4 5 4; ");
}

static void a_move_is_complete_with_its_bracket(void **state)
{
    (void)state;
    expect("My move : [6, 4, 5, 4]", "move 6 4 5 4; ");
    expect("Move (6, 4) to (5, 4)", "move 6 4 5 4; ");
}

static void a_price_is_a_whole_number(void **state)
{
    (void)state;
    expect("My bid: 0 1e+30\n", "bad bid 'My bid: 0 1e+30'; ");
    expect("My bid: 0 1E+30\n", "bad bid 'My bid: 0 1E+30'; ");
    expect("My bid: 0 7.9\n", "bad bid 'My bid: 0 7.9'; ");
    expect("My bid: 0 1,000\n", "bad bid 'My bid: 0 1,000'; ");
    expect("My bid: 0 12abc\n", "bad bid 'My bid: 0 12abc'; ");
    expect("My bid: 0 5 6\n", "bad bid 'My bid: 0 5 6'; ");
    expect("My bid: (0, 7.9)\n", "bad bid 'My bid: (0, 7.9)'; ");
    expect("My bid: 0, 7,\n", "bid 0 7; ");
}

static void a_bid_is_complete_when_something_follows(void **state)
{
    (void)state;
    expect("My bid:  0 5", "");
    expect("My bid:  0 5 ", "");
    expect("My bid:  0 5 Enter the opponent's bid: ", "bid 0 5; ");
    expect("My bid:  0 5 \n", "bid 0 5; ");
    expect("My bid:  0 5Enter the opponent's bid: ", "bid 0 5; ");
    expect("My bid:  0 -12\n", "bid 0 -12; ");
    expect("My bid:  -1 -5\n", "bid -1 -5; ");
    expect("My bid:  0\t5\n", "bid 0 5; ");
}

static void prompts_have_no_line_end(void **state)
{
    (void)state;
    expect("My bid: 0 5\nEnter the opponent's bid: Enter the opponent's move: "
           "Move (6, 4) to (5, 4).\nEnter the opponent's move: Move (5, 4) to (4, 4).\n",
           "bid 0 5; move 6 4 5 4; move 5 4 4 4; ");
    expect("Enter the move : My move : [6, 4, 5, 4]\nEnter the move : ", "move 6 4 5 4; ");
    expect("My bid: 0 5My move : [6, 4, 5, 4]", "bid 0 5; move 6 4 5 4; ");
    expect("My bid: 0 5My bid: 1 6\n", "bid 0 5; bid 1 6; ");
    expect("MMMy bid: 0 5MMove (6, 4) to (5, 4)", "bid 0 5; move 6 4 5 4; ");
}

static void boards_and_remarks_in_any_encoding_are_passed_over(void **state)
{
    (void)state;
    static const char big5[] = "\xa9\xf1\xa6\xe2 My \xa4\xe9 M\nMy bid:  1 7\n\xb6\xc2\xa4\xe8"
                               "\xff\xfe\0\0Move (\xa4\x40) My move : [6, 4, 5, 4]\xa1\x43";
    expect_bytes(big5, sizeof big5 - 1, "bid 1 7; move 6 4 5 4; ");
    expect("\xe6\x88\x91\xe6\x96\xb9 My move : [0, 0, 8, 8] \xe7\xb5\x90\xe6\x9d\x9f",
           "move 0 0 8 8; ");
    expect("  0 1 2 3 4 5 6 7 8\n0 . . s b f b s . .\n1 . b . s b s . b .\n"
           "My move : [8, 2, 7, 2]\nBudget: 148 150\nBLACK wins!\n",
           "move 8 2 7 2; ");
}

static void a_remark_that_looks_similar_hides_no_answer(void **state)
{
    (void)state;
    static const char *const remarks[] = {
        "My bid:  5\n",
        "My bid is 0 5\n",
        "my bid: 0 5\n",
        "My  bid- 0 5\n",
        "My bid: 05\n",
        "My moves : [6, 4, 5, 4]\n",
        "Move (6, 4)\n",
        "Move (6, 4) to 5, 4\n",
        "Move (6 4) to (5 4)\n",
        "Moved (6, 4) to (5, 4)\n",
        "move (6, 4) to (5, 4)\n",
        "Move (a, b) to (c, d)\n",
    };
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        char then[128];
        snprintf(then, sizeof then, "%.*sMy move : [6, 4, 5, 4]", (int)strcspn(remarks[i], "\n"),
                 remarks[i]);
        expect(then, "move 6 4 5 4; ");
        snprintf(then, sizeof then, "%.*sMy bid: 0 5\n", (int)strcspn(remarks[i], "\n"),
                 remarks[i]);
        expect(then, "bid 0 5; ");
    }
}

static void answers_that_are_almost_right_are_bad(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "My bid: five 5",
        "My bid: 0; 5",
        "My bid: np.int64 0 5",
        "My move : [6, 4, 5]",
        "My move : [6, 4, 5, 4, 3]",
        "My move : []",
        "My move : None",
        "My move : [6 4 5]",
        "My move : (6, 4) to (5, 4)",
        "My move : 6 4 5 4 3",
        "My move : int64(6)",
        "My move : [a6, b4, c5, d4]",
        "My move : [6. 4. 5. 4.]",
        "My move : [6, 4], dtype=int64, [5, 4]",
        "My move : [[[[[[[[[6, 4, 5, 4]]]]]]]]]",
        "My move : [6, 4, 5, 4)",
        "My move : [-, 4, 5, 4]",
        "My move : [--6, 4, 5, 4]",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char printed[128];
        char expected[128];
        snprintf(printed, sizeof printed, "%s\n", lines[i]);
        snprintf(expected, sizeof expected, "bad %s '%s'; ",
                 strstr(lines[i], "bid") ? "bid" : "move", lines[i]);
        expect(printed, expected);
        /* The right one may follow on the same line. */
        snprintf(printed, sizeof printed, "%sMy move : [6, 4, 5, 4]\n", lines[i]);
        expect(printed, "move 6 4 5 4; ");
    }
}

static void any_number_of_spaces_is_accepted(void **state)
{
    (void)state;
    expect("My move :[6,4,5,4]", "move 6 4 5 4; ");
    expect("My  move:  [ 6 , 4 ,\n 5 , 4 ]", "move 6 4 5 4; ");
    expect("Move(6,4)to(5,4)", "move 6 4 5 4; ");
    char printed[2048] = "My move : [6,";
    memset(printed + strlen(printed), ' ', 1500);
    snprintf(printed + 1500, sizeof printed - 1500, "4, 5, 4]");
    struct template_text text = {0};
    char words[WORDS_BYTES] = "";
    listen(&text, printed, strlen(printed), words);
    assert_string_equal(words, "move 6 4 5 4; ");
}

static void absurd_numbers_stay_absurd(void **state)
{
    (void)state;
    struct template_text text = {0};
    const char *bytes = "My bid: 0 99999999999999999999999999999999\n";
    size_t count = strlen(bytes);
    struct template_phrase phrase = template_feed(&text, &bytes, &count);
    assert_int_equal(phrase.kind, TEMPLATE_BID);
    assert_true(phrase.numbers[1] >= 1000000000);
    bytes = "My bid: 0 -99999999999999999999999999999999\n";
    count = strlen(bytes);
    phrase = template_feed(&text, &bytes, &count);
    assert_true(phrase.numbers[1] <= -1000000000);
    expect("My move : [6, 4, 500, -4]", "move 6 4 500 -4; ");
}

static void every_phrase_of_a_long_talk_is_found(void **state)
{
    (void)state;
    struct template_text text = {0};
    char words[WORDS_BYTES] = "";
    char line[64];
    for (int i = 0; i < 1000; i++) {
        snprintf(line, sizeof line, "Enter the move : My move : [%d, %d, %d, %d]\n", i % 9,
                 i / 9 % 9, i / 81 % 9, 1);
        words[0] = '\0';
        listen(&text, line, strlen(line), words);
        char expected[64];
        snprintf(expected, sizeof expected, "move %d %d %d 1; ", i % 9, i / 9 % 9, i / 81 % 9);
        assert_string_equal(words, expected);
    }
}

static void each_number_of_the_auction_has_its_own_line(void **state)
{
    (void)state;
    char text[TEMPLATE_INPUT_BYTES];
    template_write_bid(&(struct bid){1, 7}, false, SIDE_BLACK, text);
    assert_string_equal(text, "1\n7\n");
    template_write_bid(&(struct bid){0, 3}, true, SIDE_WHITE, text);
    assert_string_equal(text, "0\n3\n1\n");
    template_write_bid(&(struct bid){0, 141}, false, SIDE_BLACK, text);
    assert_string_equal(text, "0\n140\n");
    template_write_bid(&(struct bid){1, INT64_MIN}, true, SIDE_WHITE, text);
    assert_string_equal(text, "1\n-9223372036854775808\n1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_python_forms_are_found),
        cmocka_unit_test(the_cpp_forms_are_found),
        cmocka_unit_test(the_phrases_of_our_own_agent_are_found),
        cmocka_unit_test(any_spelling_of_four_integers_is_a_move),
        cmocka_unit_test(any_spelling_of_a_bid_is_a_bid),
        cmocka_unit_test(a_remark_with_the_numbers_of_an_answer_is_nearly_one),
        cmocka_unit_test(a_line_that_only_begins_as_an_answer_is_bad),
        cmocka_unit_test(a_move_is_complete_with_its_bracket),
        cmocka_unit_test(a_price_is_a_whole_number),
        cmocka_unit_test(a_bid_is_complete_when_something_follows),
        cmocka_unit_test(prompts_have_no_line_end),
        cmocka_unit_test(boards_and_remarks_in_any_encoding_are_passed_over),
        cmocka_unit_test(a_remark_that_looks_similar_hides_no_answer),
        cmocka_unit_test(answers_that_are_almost_right_are_bad),
        cmocka_unit_test(any_number_of_spaces_is_accepted),
        cmocka_unit_test(absurd_numbers_stay_absurd),
        cmocka_unit_test(every_phrase_of_a_long_talk_is_found),
        cmocka_unit_test(each_number_of_the_auction_has_its_own_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
