/* The two text files of the file protocol. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "protocol/file_text.h"
#include "rules_support.h"

static const struct game *game_called(const char *name) { return find_game(cpu_best(), name); }

/* A copy of the exact size, so that a sanitizer sees a read past its end. */
static enum file_answer read_bytes(const char *game, int index, const char *text, size_t length,
                                   struct move *out, struct note *why)
{
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    *why = (struct note){""};
    *out = (struct move){.kind = MOVE_SKIP};
    enum file_answer answer = file_read_move(game_called(game), index, copy, length, out, why);
    assert_int_equal(answer == FILE_INVALID, *why->text != '\0');
    assert_int_equal(answer == FILE_MOVE, out->kind == MOVE_PATH);
    free(copy);
    return answer;
}

static enum file_answer read_text(int index, const char *text, struct move *out, struct note *why)
{
    return read_bytes("hop-noloop", index, text, strlen(text), out, why);
}

static void the_state_file_is_as_documented(void **state)
{
    (void)state;
    const struct game *hop = game_called("hop-noloop");
    char text[FILE_STATE_BYTES];
    struct state start = hop->start();
    file_write_state(hop, &start, SIDE_WHITE, 3, text);
    assert_string_equal(text, "move 3\ncolor 2\nboard\n"
                              "1 0 0 0 0 0 0 0\n"
                              "0 1 0 0 0 0 0 2\n"
                              "1 0 1 0 0 0 2 0\n"
                              "0 1 0 0 0 2 0 2\n"
                              "1 0 1 0 0 0 2 0\n"
                              "0 1 0 0 0 2 0 2\n"
                              "1 0 0 0 0 0 2 0\n"
                              "0 0 0 0 0 0 0 2\n"
                              "end\n");
    file_write_state(game_called("reversi"), &(struct state){{0}}, SIDE_BLACK, 200, text);
    assert_memory_equal(text, "move 200\ncolor 1\n", 17);
    assert_non_null(strstr(text, "\n-1 0 0 0 0 0 0 -1\n"));
}

static void the_agent_reads_what_the_judge_wrote(void **state)
{
    (void)state;
    const struct game *hop = game_called("hop-noloop");
    char text[FILE_STATE_BYTES];
    struct state start = hop->start();
    struct file_question question;
    struct note why = {""};
    file_write_state(hop, &start, SIDE_WHITE, 3, text);
    for (size_t length = 0; length < strlen(text) - 1; length++) {
        assert_false(file_is_complete(text, length));
    }
    assert_true(file_is_complete(text, strlen(text)));
    assert_int_equal(file_read_state(hop, text, strlen(text), &question, &why), ERR_NONE);
    assert_int_equal(question.index, 3);
    assert_int_equal(question.side, SIDE_WHITE);
    for (int square = 0; square < 64; square++) {
        assert_int_equal(question.cells[square], cell_wire(hop->cell(&start, square)));
    }
    static const char stop[] = "move 0\nend\n";
    assert_int_equal(file_read_state(hop, stop, strlen(stop), &question, &why), ERR_NONE);
    assert_int_equal(question.index, 0);
}

static void the_judge_reads_what_the_agent_wrote(void **state)
{
    (void)state;
    const struct game *hop = game_called("hop");
    char text[FILE_ANSWER_BYTES];
    struct move longest = {.kind = MOVE_PATH, .count = GAME_MAX_PATH};
    struct move again;
    struct note why;
    for (int i = 0; i < GAME_MAX_PATH; i++) {
        longest.squares[i] = (uint8_t)(i % 64);
    }
    file_write_move(hop, &longest, 12, text);
    assert_int_equal(read_bytes("hop", 12, text, strlen(text), &again, &why), FILE_MOVE);
    assert_int_equal(move_compare(&longest, &again), 0);
    struct move pass = move_pass();
    file_write_move(hop, &pass, 12, text);
    assert_string_equal(text, "move 12\nend\n");
}

static void a_matching_index_that_ends_in_end_is_the_answer(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "move 1\n1 0\n1 2\n3 2\nend\n",           "move 1\n1 0\n1 2\n3 2\nend",
        "move 1\r\n1 0\r\n1 2\r\n3 2\r\nend\r\n", "  move  1 \n\t1  0\n1 2 \n 3 2\n end \n\n \n",
        "move 01\n1 00\n1 2\n3 2\nend\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct move move;
        struct note why;
        assert_int_equal(read_text(1, texts[i], &move, &why), FILE_MOVE);
        assert_int_equal(move.count, 3);
        assert_memory_equal(move.squares, ((uint8_t[]){8, 10, 26}), 3);
    }
}

static void a_file_that_is_not_complete_is_not_yet_an_answer(void **state)
{
    (void)state;
    static const char text[] = "move 1\n1 0\n1 2\nend";
    struct move move;
    struct note why;
    for (size_t length = 0; length < strlen(text); length++) {
        assert_int_equal(read_bytes("hop-noloop", 1, text, length, &move, &why), FILE_NOT_YET);
    }
    assert_int_equal(read_bytes("hop-noloop", 1, text, strlen(text), &move, &why), FILE_MOVE);
    assert_int_equal(read_text(1, "", &move, &why), FILE_NOT_YET);
    assert_int_equal(read_text(1, "rubbish\n", &move, &why), FILE_NOT_YET);
    assert_int_equal(read_text(1, "move 1\n1 0\n1 2\nsend\n", &move, &why), FILE_NOT_YET);
    assert_int_equal(read_text(1, "move 1\n1 0\n1 2 end\n", &move, &why), FILE_NOT_YET);
}

static void an_older_answer_is_not_yet_one(void **state)
{
    (void)state;
    struct move move;
    struct note why;
    assert_int_equal(read_text(3, "move 2\n1 0\n1 2\nend\n", &move, &why), FILE_NOT_YET);
    assert_int_equal(read_text(3, "move 0\nend\n", &move, &why), FILE_NOT_YET);
    assert_int_equal(read_text(3, "move -7\nend\n", &move, &why), FILE_NOT_YET);
    assert_int_equal(read_text(3, "move 3\n1 0\n1 2\nend\n", &move, &why), FILE_MOVE);
}

static void an_unreadable_file_is_invalid(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *words;
    } cases[] = {
        {"move 2\n1 0\n1 2\nend\n", "question 2"},
        {"move 99999999999999999999\nend\n", "only 1 has been asked"},
        {"end\n", "does not begin"},
        {"1 0\n1 2\nend\n", "does not begin"},
        {"move\nend\n", "does not begin"},
        {"move one\nend\n", "does not begin"},
        {"move 1 1 0\nend\n", "does not begin"},
        {"move 1\n1\nend\n", "ROW COLUMN"},
        {"move 1\n1 0 2\nend\n", "ROW COLUMN"},
        {"move 1\n1,0\nend\n", "ROW COLUMN"},
        {"move 1\n1 x\nend\n", "ROW COLUMN"},
        {"move 1\n8 0\nend\n", "(8, 0)"},
        {"move 1\n0 -1\nend\n", "(0, -1)"},
        {"move 1\n0 8\nend\n", "(0, 8)"},
        {"move 1\n99999999999999999999 0\nend\n", "square (99999999999999999999, 0) of"},
        {"move 1\nend\n1 0\nend\n", "follows"},
        {"move 1\nending\n1 0\nend\n", "follows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct move move;
        struct note why;
        assert_int_equal(read_text(1, cases[i].text, &move, &why), FILE_INVALID);
        if (!strstr(why.text, cases[i].words)) {
            fail_msg("'%s' does not say '%s'", why.text, cases[i].words);
        }
    }
}

static void an_empty_path_is_for_the_rules_to_refuse(void **state)
{
    (void)state;
    struct move move;
    struct note why;
    assert_int_equal(read_text(1, "move 1\nend\n", &move, &why), FILE_MOVE);
    assert_int_equal(move.count, 0);
    struct state start = game_called("hop-noloop")->start();
    assert_int_equal(game_called("hop-noloop")->apply(&start, &move, &why), ERR_NEGATIVE);
}

static void a_path_has_a_maximum_length(void **state)
{
    (void)state;
    char text[FILE_MOVE_BYTES] = "move 1\n";
    struct move move;
    struct note why;
    size_t length = strlen(text);
    for (int i = 0; i < 100; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "1 0\n");
    }
    snprintf(text + length, sizeof text - length, "end\n");
    assert_int_equal(read_text(1, text, &move, &why), FILE_MOVE);
    assert_int_equal(move.count, 100);
    snprintf(text + length, sizeof text - length, "1 0\nend\n");
    assert_int_equal(read_text(1, text, &move, &why), FILE_INVALID);
    assert_int_equal(read_bytes("reversi", 1, "move 1\n2 2\n3 3\nend", 18, &move, &why),
                     FILE_INVALID);
}

static void a_file_has_a_maximum_length(void **state)
{
    (void)state;
    char *text = malloc(FILE_MOVE_BYTES);
    struct move move;
    struct note why;
    assert_non_null(text);
    memset(text, '\n', FILE_MOVE_BYTES);
    memcpy(text, "move 1\n1 0\nend", 14);
    assert_int_equal(read_bytes("hop", 1, text, FILE_MOVE_BYTES - 1, &move, &why), FILE_MOVE);
    assert_int_equal(read_bytes("hop", 1, text, FILE_MOVE_BYTES, &move, &why), FILE_INVALID);
    free(text);
}

static void zero_bytes_are_not_spaces(void **state)
{
    (void)state;
    struct move move;
    struct note why;
    assert_int_equal(read_bytes("hop", 1, "move 1\n1 0\nend\0\0", 16, &move, &why), FILE_NOT_YET);
    assert_int_equal(read_bytes("hop", 1, "move 1\n1\0000\nend\n", 15, &move, &why), FILE_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_file_is_as_documented),
        cmocka_unit_test(the_agent_reads_what_the_judge_wrote),
        cmocka_unit_test(the_judge_reads_what_the_agent_wrote),
        cmocka_unit_test(a_matching_index_that_ends_in_end_is_the_answer),
        cmocka_unit_test(a_file_that_is_not_complete_is_not_yet_an_answer),
        cmocka_unit_test(an_older_answer_is_not_yet_one),
        cmocka_unit_test(an_unreadable_file_is_invalid),
        cmocka_unit_test(an_empty_path_is_for_the_rules_to_refuse),
        cmocka_unit_test(a_path_has_a_maximum_length),
        cmocka_unit_test(a_file_has_a_maximum_length),
        cmocka_unit_test(zero_bytes_are_not_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
