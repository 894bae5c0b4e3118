/* What a UGI program answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "protocol/ugi.h"

static void lines_may_come_in_any_pieces(void **state)
{
    (void)state;
    static const char said[] = "ugiok\n\nid name x y\r\nbestmove 10-12\nunfinished";
    static const char *const lines[] = {"ugiok", "", "id name x y\r", "bestmove 10-12"};
    for (size_t piece = 1; piece < sizeof said; piece++) {
        struct ugi_lines reader = {0};
        size_t found = 0;
        for (size_t at = 0; at < sizeof said - 1; at += piece) {
            const char *bytes = said + at;
            size_t count = sizeof said - 1 - at < piece ? sizeof said - 1 - at : piece;
            while (ugi_lines_feed(&reader, &bytes, &count)) {
                assert_in_range(found, 0, 3);
                assert_string_equal(reader.line, lines[found++]);
                assert_false(reader.is_too_long);
            }
            assert_int_equal(count, 0);
        }
        assert_int_equal(found, 4);
    }
}

/* A line of `length` letters, and an empty one. */
static bool is_too_long(size_t length)
{
    static struct ugi_lines reader;
    char *line = malloc(length + 2);
    assert_non_null(line);
    memset(line, 'x', length);
    memcpy(line + length, "\n\n", 2);
    const char *bytes = line;
    size_t count = length + 2;
    assert_true(ugi_lines_feed(&reader, &bytes, &count));
    bool was_too_long = reader.is_too_long;
    assert_int_equal(strlen(reader.line), was_too_long ? UGI_ANSWER_BYTES - 1 : length);
    assert_true(ugi_lines_feed(&reader, &bytes, &count));
    assert_string_equal(reader.line, "");
    assert_false(reader.is_too_long);
    free(line);
    return was_too_long;
}

static void a_line_has_a_maximum_length(void **state)
{
    (void)state;
    assert_false(is_too_long(1));
    assert_false(is_too_long(UGI_ANSWER_BYTES - 1));
    assert_true(is_too_long(UGI_ANSWER_BYTES));
    assert_true(is_too_long(UGI_ANSWER_BYTES + 1));
    assert_true(is_too_long(3 * UGI_ANSWER_BYTES));
}

struct line_case {
    const char *line;
    enum ugi_answer_kind kind;
    const char *word;
    const char *second;
};

static void the_first_word_gives_the_kind(void **state)
{
    (void)state;
    static const struct line_case cases[] = {
        {"ugiok", UGI_OK, "", ""},
        {"ugiok\r", UGI_OK, "", ""},
        {" readyok ", UGI_READY, "", ""},
        {"bestmove 10-12-32", UGI_BEST_MOVE, "10-12-32", ""},
        {"bestmove\t23\r", UGI_BEST_MOVE, "23", ""},
        {"bestmove 23 ponder 34", UGI_BEST_MOVE, "23", "ponder"},
        {"bestmove", UGI_BEST_MOVE, "", ""},
        {"response true", UGI_RESPONSE, "true", ""},
        {"response 0 -5", UGI_RESPONSE, "0", "-5"},
        {"response 0 123456789012345678", UGI_RESPONSE, "0", "123456789012345"},
        {"id name bestmove 23", UGI_OTHER, "name", "bestmove"},
        {"bestmoves 23", UGI_OTHER, "23", ""},
        {"bestmovebestmovebestmove 23", UGI_OTHER, "23", ""},
        {"", UGI_OTHER, "", ""},
        {" \t ", UGI_OTHER, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ugi_answer line = ugi_read_answer(cases[i].line);
        assert_int_equal(line.kind, cases[i].kind);
        assert_string_equal(line.word, cases[i].word);
        assert_string_equal(line.second, cases[i].second);
        assert_false(line.info.is_known);
    }
}

static void a_path_that_is_too_long_stays_too_long(void **state)
{
    (void)state;
    char line[2000] = "bestmove 10";
    size_t length = strlen(line);
    for (int i = 1; i < 100; i++) {
        length += (size_t)snprintf(line + length, sizeof line - length, i % 2 ? "-12" : "-10");
    }
    struct ugi_answer longest = ugi_read_answer(line);
    assert_int_equal(strlen(longest.word), 299);
    snprintf(line + length, sizeof line - length, "-10");
    struct ugi_answer longer = ugi_read_answer(line);
    assert_int_equal(strlen(longer.word), 300);
}

struct info_case {
    const char *line;
    struct ugi_info thought;
};

static void an_info_line_has_depth_score_and_nodes(void **state)
{
    (void)state;
    static const struct info_case cases[] = {
        {"info depth 12 score cp -34 nodes 5678 pv 10-12 depth 3", {true, 12, -34, 5678}},
        {"info nodes 5678 score cp +34 depth 12", {true, 12, 34, 5678}},
        {"info depth 12\r", {true, 12, 0, 0}},
        {"info string depth 12", {false, 0, 0, 0}},
        {"info depth", {false, 0, 0, 0}},
        {"info depth x", {false, 0, 0, 0}},
        {"info depth -3 nodes -4", {false, 0, 0, 0}},
        {"info depth 1000 nodes 99999999999999999999999", {false, 0, 0, INT64_MAX}},
        {"info depth 999 score cp 100000", {true, 999, 0, 0}},
        {"info depth 2 score cp -99999", {true, 2, -99999, 0}},
        {"info", {false, 0, 0, 0}},
        {"info  seldepth 7  depth  5  multipv 1", {true, 5, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ugi_answer line = ugi_read_answer(cases[i].line);
        const struct ugi_info *expected = &cases[i].thought;
        assert_int_equal(line.kind, UGI_INFO);
        if (line.info.is_known != expected->is_known || line.info.depth != expected->depth ||
            line.info.score_hundredths != expected->score_hundredths ||
            line.info.nodes != expected->nodes) {
            fail_msg("%s: %d %d %d %llu", cases[i].line, line.info.is_known, line.info.depth,
                     line.info.score_hundredths, (unsigned long long)line.info.nodes);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_may_come_in_any_pieces),
        cmocka_unit_test(a_line_has_a_maximum_length),
        cmocka_unit_test(the_first_word_gives_the_kind),
        cmocka_unit_test(a_path_that_is_too_long_stays_too_long),
        cmocka_unit_test(an_info_line_has_depth_score_and_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
