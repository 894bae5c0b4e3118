/* Game records as text: what is written can be read, what is read can be written, and what
 * is neither is refused with the number of its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "judge/record.h"
#include "game/registry.h"
#include "judge/record_reader.h"
#include "judge/record_turns.h"
#include "record_support.h"

static const char full_text[] = "[Game \"hop\"]\n"
                                "[Event \"class of 2026\"]\n"
                                "[Round \"3\"]\n"
                                "[Date \"2026-01-31\"]\n"
                                "[Black \"alice\"]\n"
                                "[White \"bob\"]\n"
                                "[Result \"1-0\"]\n"
                                "[Score \"5-3\"]\n"
                                "[Reason \"all-home\"]\n"
                                "[Seed \"42\"]\n"
                                "[TimeLimit \"5.000\"]\n"
                                "[Grace \"0.250\"]\n"
                                "[Sandbox \"strict\"]\n"
                                "[Start \"start\"]\n"
                                "[Bids \"0 5, 0 40, tie 0\"]\n"
                                "[Annotator \"carol\"]\n"
                                "[Table \"7\"]\n"
                                "\n"
                                "1. b 10-12-32 {t=0.431 d=14 s=+0.52 n=1234567}\n"
                                "2. w skip {t=5.251 fault=late}\n"
                                "3. b 00-01\n"
                                "{w t=0.002 fault=malformed}\n"
                                "\n";

static struct games read_all(const char *text)
{
    struct games games;
    struct note why = {""};
    if (games_read(&games, text, &why)) {
        fail_msg("refused: %s\n%s", why.text, text);
    }
    return games;
}

static void assert_rewritten(const char *text, const char *expected)
{
    struct games games = read_all(text);
    assert_int_equal(games.count, 1);
    char *written = record_to_text(&games.records[0]);
    assert_string_equal(written, expected);
    free(written);
    games_free(&games);
}

static void assert_round_trip(const char *text) { assert_rewritten(text, text); }

static void assert_refused(const char *text, const char *words)
{
    struct games games;
    struct note why = {""};
    assert_int_equal(games_read(&games, text, &why), ERR_INPUT);
    if (!strstr(why.text, words)) {
        fail_msg("'%s' does not say '%s'", why.text, words);
    }
    games_free(&games);
}

/* `before`, `count` times `c`, `behind`, in memory to be freed. */
static char *stretched(const char *before, char c, size_t count, const char *behind)
{
    size_t start = strlen(before);
    size_t end = strlen(behind) + 1;
    char *text = malloc(start + count + end);
    assert_non_null(text);
    memcpy(text, before, start);
    memset(text + start, c, count);
    memcpy(text + start + count, behind, end);
    return text;
}

static void a_full_record_round_trips_exactly(void **state)
{
    (void)state;
    assert_round_trip(full_text);
}

static void a_record_is_read_as_data(void **state)
{
    (void)state;
    struct games games = read_all(full_text);
    const struct record *r = &games.records[0];
    assert_string_equal(record_tag(r, RECORD_GAME), "hop");
    assert_string_equal(record_tag(r, RECORD_BIDS), "0 5, 0 40, tie 0");
    assert_int_equal(r->other_tag_count, 2);
    assert_string_equal(record_words(r, r->other_tags[1].value), "7");
    assert_int_equal(r->ply_count, 3);
    assert_int_equal(r->plies[0].number, 1);
    assert_int_equal(r->plies[0].side, SIDE_BLACK);
    assert_int_equal(r->plies[0].line, 19);
    assert_string_equal(record_words(r, r->plies[0].move), "10-12-32");
    const struct annotation *facts = &r->plies[0].facts;
    assert_true(facts->has_time && facts->has_depth && facts->has_score && facts->has_nodes);
    assert_false(facts->has_fault);
    assert_int_equal(facts->time_ns, 431000000);
    assert_int_equal(facts->depth, 14);
    assert_int_equal(facts->score_hundredths, 52);
    assert_int_equal(facts->nodes, 1234567);
    assert_true(r->plies[1].facts.has_fault);
    assert_int_equal(r->plies[1].facts.fault, FAULT_LATE);
    assert_null(record_words(r, r->plies[2].comment));
    assert_true(r->is_closed);
    assert_int_equal(r->closing.side, SIDE_WHITE);
    assert_int_equal(r->closing.facts.fault, FAULT_MALFORMED);
    games_free(&games);
}

static void an_absent_tag_is_not_an_empty_tag(void **state)
{
    (void)state;
    struct games games = read_all("[Game \"hop\"]\n[Event \"\"]\n\n\n");
    assert_string_equal(record_tag(&games.records[0], RECORD_EVENT), "");
    assert_null(record_tag(&games.records[0], RECORD_ROUND));
    games_free(&games);
    assert_round_trip("[Game \"hop\"]\n[Event \"\"]\n\n\n");
}

static void tags_in_any_order_are_written_in_the_fixed_one(void **state)
{
    (void)state;
    assert_rewritten("[Zeal \"z\"]\n[Result \"*\"]\n[Black \"b\"]\n[Game \"hop\"]\n\n\n",
                     "[Game \"hop\"]\n[Black \"b\"]\n[Result \"*\"]\n[Zeal \"z\"]\n\n\n");
}

static void several_tags_may_share_a_line(void **state)
{
    (void)state;
    assert_rewritten("[Game \"hop\"] [Result \"*\"]\n1. b 10-11\n",
                     "[Game \"hop\"]\n[Result \"*\"]\n\n1. b 10-11\n\n");
}

static void quotes_and_backslashes_are_escaped(void **state)
{
    (void)state;
    const char *text = "[Game \"hop\"]\n[Black \"C:\\\\agents\\\\\\\"best\\\"]\"]\n\n\n";
    struct games games = read_all(text);
    assert_string_equal(record_tag(&games.records[0], RECORD_BLACK), "C:\\agents\\\"best\"]");
    games_free(&games);
    assert_round_trip(text);
}

static void any_utf8_is_a_fine_name(void **state)
{
    (void)state;
    assert_round_trip("[Game \"hop\"]\n[Black \"交大 \xf0\x9f\x90\x87 Ünal\"]\n\n\n");
}

static void foreign_line_ends_marks_and_spaces_are_accepted(void **state)
{
    (void)state;
    const char *expected = "[Game \"hop\"]\n[Result \"*\"]\n\n1. b 10-11 {t=1}\n2. w 12-13\n\n";
    assert_rewritten(
        "[Game \"hop\"]\r\n[Result \"*\"]\r\n\r\n1. b 10-11 {t=1}\r\n2. w 12-13\r\n\r\n", expected);
    assert_rewritten("\xef\xbb\xbf[Game \"hop\"]\n[Result \"*\"]\n\n1. b 10-11 {t=1}\n2. w 12-13",
                     expected);
    assert_rewritten(
        "\n\n  [Game \"hop\"]  \n[  Result\t\"*\" ]\n\n\n\n 1.  b  10-11{t=1}\t\n\n2.w "
        "12-13 \n\n\n\n",
        expected);
}

static void empty_lines_between_tags_and_plies_may_be_missing(void **state)
{
    (void)state;
    struct games games = read_all("[Game \"a\"]\n1. b 10\n[Game \"b\"]\n1. b 11\n2. w 12\n");
    assert_int_equal(games.count, 2);
    assert_int_equal(games.records[0].ply_count, 1);
    assert_int_equal(games.records[1].ply_count, 2);
    games_free(&games);
}

static void games_follow_one_another(void **state)
{
    (void)state;
    char text[2 * sizeof full_text + 64];
    snprintf(text, sizeof text, "%s[Game \"none\"]\n\n\n%s", full_text, full_text);
    struct games games = read_all(text);
    assert_int_equal(games.count, 3);
    char written[sizeof text] = "";
    size_t length = 0;
    for (size_t i = 0; i < games.count; i++) {
        char *one = record_to_text(&games.records[i]);
        length += (size_t)snprintf(written + length, sizeof written - length, "%s", one);
        free(one);
    }
    assert_string_equal(written, text);
    assert_int_equal(games.records[1].ply_count, 0);
    games_free(&games);
}

static void a_file_without_games_is_empty(void **state)
{
    (void)state;
    const char *const texts[] = {"\n", "\xef\xbb\xbf", "\r\n \n\t\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct games games = read_all(texts[i]);
        assert_int_equal(games.count, 0);
        games_free(&games);
    }
}

static void braces_are_kept_word_for_word(void **state)
{
    (void)state;
    assert_round_trip("[Game \"hop\"]\n\n1. b 10-11 {  t=00.1  s=1.5 depth2=x,y pv=10-12  }\n"
                      "2. w 12-13 {}\n{w s=-0.05 why=\"x\"}\n\n");
}

static void a_closing_line_may_have_only_a_side(void **state)
{
    (void)state;
    assert_round_trip("[Game \"hop\"]\n\n{b}\n\n");
    assert_rewritten("[Game \"hop\"]\n\n{b }\n", "[Game \"hop\"]\n\n{b}\n\n");
}

static void the_records_of_a_file_round_trip_exactly(void **state)
{
    (void)state;
    char text[1 << 14];
    FILE *file = fopen(RECORDS "/good.txt", "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    assert_true(feof(file));
    fclose(file);
    text[length] = '\0';
    struct games games = read_all(text);
    const char *at = text;
    for (size_t i = 0; i < games.count; i++) {
        char *written = record_to_text(&games.records[i]);
        assert_memory_equal(written, at, strlen(written));
        at += strlen(written);
        free(written);
    }
    assert_string_equal(at, "");
    games_free(&games);
}

static void a_judge_builds_the_same_text(void **state)
{
    (void)state;
    struct record record = {0};
    struct note why = {""};
    char words[ANNOTATION_BYTES];
    struct annotation facts = {.has_time = true,
                               .time_ns = 431000000,
                               .has_depth = true,
                               .depth = 14,
                               .has_score = true,
                               .score_hundredths = -5,
                               .has_nodes = true,
                               .nodes = 1234567,
                               .has_fault = true,
                               .fault = FAULT_LATE};
    assert_int_equal(record_add_tag(&record, "Result", "1-0", &why), ERR_NONE);
    assert_int_equal(record_add_tag(&record, "Game", "meichu", &why), ERR_NONE);
    annotation_write(&facts, words);
    assert_int_equal(record_add_ply(&record, 1, SIDE_BLACK, "74-64", words, &why), ERR_NONE);
    assert_int_equal(record_add_ply(&record, 2, SIDE_WHITE, "14-24", NULL, &why), ERR_NONE);
    facts = (struct annotation){.has_fault = true, .fault = FAULT_INVALID};
    annotation_write(&facts, words);
    assert_int_equal(record_close(&record, SIDE_WHITE, words, &why), ERR_NONE);
    char *text = record_to_text(&record);
    assert_string_equal(text, "[Game \"meichu\"]\n[Result \"1-0\"]\n\n"
                              "1. b 74-64 {t=0.431 d=14 s=-0.05 n=1234567 fault=late}\n"
                              "2. w 14-24\n{w fault=invalid}\n\n");
    assert_round_trip(text);
    free(text);
    record_free(&record);
}

static void facts_survive_their_text(void **state)
{
    (void)state;
    static const struct {
        struct annotation facts;
        const char *text;
    } cases[] = {
        {{0}, ""},
        {{.has_time = true, .time_ns = 0}, "t=0.000"},
        {{.has_time = true, .time_ns = 1}, "t=0.000000001"},
        {{.has_time = true, .time_ns = 5250400000}, "t=5.2504"},
        {{.has_time = true, .time_ns = 120000000000}, "t=120.000"},
        {{.has_time = true, .time_ns = INT64_MAX}, "t=9223372036.854775807"},
        {{.has_depth = true, .depth = 0}, "d=0"},
        {{.has_score = true, .score_hundredths = 0}, "s=+0.00"},
        {{.has_score = true, .score_hundredths = -1234}, "s=-12.34"},
        {{.has_score = true, .score_hundredths = INT64_MAX}, "s=+92233720368547758.07"},
        {{.has_nodes = true, .nodes = INT64_MAX}, "n=9223372036854775807"},
        {{.has_fault = true, .fault = FAULT_HOSTILE}, "fault=hostile"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[ANNOTATION_BYTES];
        struct annotation again = {0};
        struct note why;
        annotation_write(&cases[i].facts, text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(annotation_read(text, &again, &why), ERR_NONE);
        assert_memory_equal(&again, &cases[i].facts, sizeof again);
    }
}

static void malformed_facts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *words;
    } cases[] = {
        {"late", "key=value"},       {"=5", "key=value"},         {"t=", "key=value"},
        {"t=1 t=2", "duplicate"},    {"t=-1", "seconds"},         {"t=1.", "seconds"},
        {"t=.5", "seconds"},         {"t=1.2.3", "seconds"},      {"t=1.0000000001", "seconds"},
        {"t=9223372037", "seconds"}, {"t=1e3", "seconds"},        {"d=-1", "depth"},
        {"d=1001", "depth"},         {"s=", "key=value"},         {"s=+", "score"},
        {"s=+-1", "score"},          {"s=0.123", "score"},        {"n=-1", "nodes"},
        {"n=1.5", "nodes"},          {"fault=lazy", "late, inv"}, {"T=1", "lower-case"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct annotation facts = {.has_depth = true, .depth = 77};
        struct note why = {""};
        assert_int_equal(annotation_read(cases[i].text, &facts, &why), ERR_INPUT);
        assert_non_null(strstr(why.text, cases[i].words));
        assert_int_equal(facts.depth, 77);
    }
}

static void malformed_text_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *words;
    } cases[] = {
        {"hello\n", "line 1: a line is a tag"},
        {"\n\n1. b 23\n", "line 3: a game begins with its tags"},
        {"{w fault=late}\n", "line 1: a game begins with its tags"},
        {"[Game \"hop\"]\n\n1. b 10-11\nx\n", "line 4: a line is a tag"},
        {"[Game \"hop\"\n", "line 1: a tag has the form"},
        {"[Game hop]\n", "line 1: a tag has the form"},
        {"[Game]\n", "line 1: a tag has the form"},
        {"[]\n", "line 1: a tag has the form"},
        {"[Game \"hop\"] x\n", "line 1: a tag has the form"},
        {"[ \"hop\"]\n", "line 1: a tag's name"},
        {"[Ga-me \"hop\"]\n", "line 1: a tag's name"},
        {"[Game \"hop]\n", "line 1: the value of a tag has no closing quote"},
        {"[Game \"hop\\\"]\n", "line 1: the value of a tag has no closing quote"},
        {"[Game \"C:\\x\"]\n", "line 1: a backslash"},
        {"[Game \"hop\\\n", "line 1: a backslash"},
        {"[Game \"hop\"]\n[Game \"hop\"]\n", "line 2: duplicate tag Game"},
        {"[Game \"hop\"]\n[Mine \"1\"]\n[Mine \"2\"]\n", "line 3: duplicate tag Mine"},
        {"[Game \"h\"]\n\n1 b 10-11\n", "line 3: a ply begins with its number"},
        {"[Game \"h\"]\n\n0. b 10-11\n", "line 3: a ply begins with its number"},
        {"[Game \"h\"]\n\n01. b 10-11\n", "line 3: a ply begins with its number"},
        {"[Game \"h\"]\n\n10000. b 10-11\n", "line 3: a ply begins with its number"},
        {"[Game \"h\"]\n\n99999999999999. b 1\n", "line 3: a ply begins with its number"},
        {"[Game \"h\"]\n\n1. x 10-11\n", "line 3: the side must be b or w"},
        {"[Game \"h\"]\n\n1.\n", "line 3: the side must be b or w"},
        {"[Game \"h\"]\n\n1. b\n", "line 3: a space and a move are expected"},
        {"[Game \"h\"]\n\n1. black 10\n", "line 3: a space and a move are expected"},
        {"[Game \"h\"]\n\n1. b {t=1}\n", "line 3: a move is one word"},
        {"[Game \"h\"]\n\n1. b 10}11\n", "line 3: a move is one word"},
        {"[Game \"h\"]\n\n1. b 10-11 12\n", "line 3: only braces can follow"},
        {"[Game \"h\"]\n\n1. b 10-11 {t=1\n", "line 3: the closing brace is missing"},
        {"[Game \"h\"]\n\n1. b 10-11 {t=1} x\n", "line 3: the closing brace is missing"},
        {"[Game \"h\"]\n\n1. b 10-11 {t=1} {d=1}\n", "line 3: there is a brace within"},
        {"[Game \"h\"]\n\n1. b 10-11 {t}\n", "line 3: words in braces"},
        {"[Game \"h\"]\n\n1. b 10-11 {fault=slow}\n", "line 3: 'fault=' needs"},
        {"[Game \"h\"]\n\n{}\n", "line 3: the side must be b or w"},
        {"[Game \"h\"]\n\n{\n", "line 3: the closing brace is missing"},
        {"[Game \"h\"]\n\n{wt=1}\n", "line 3: a space is expected after the side"},
        {"[Game \"h\"]\n\n{w t=x}\n", "line 3: 't=' needs"},
        {"[Game \"h\"]\n\n{w}\n{w}\n", "line 4: nothing can follow"},
        {"[Game \"h\"]\n\n{w}\n1. b 10\n", "line 4: nothing can follow"},
        {"[Game \"\xff\"]\n", "line 1: byte 8, 0xff, is not valid UTF-8"},
        {"[Game \"h\"]\r\n\r\n1. b \xc3\x28\r\n", "line 3: byte 6, 0xc3, is not valid UTF-8"},
        {"[Game \"\x1b[31m\"]\n", "line 1: byte 8, 0x1b, is not valid UTF-8"},
        {"[Game \"h\"]\n\xef\xbb\xbf\n", "line 2: a line is a tag"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(cases[i].text, cases[i].words);
    }
}

static void a_zero_byte_is_refused(void **state)
{
    (void)state;
    static const char text[] = "[Game \"h\"]\n\n1. b 10\0 {t=1}\n";
    struct games games;
    struct note why = {""};
    assert_int_equal(games_read_bytes(&games, text, sizeof text - 1, &why), ERR_INPUT);
    assert_non_null(strstr(why.text, "line 3: byte 8, 0x00"));
    games_free(&games);
}

static void games_before_a_malformed_one_are_read(void **state)
{
    (void)state;
    struct games games;
    struct note why;
    assert_int_equal(games_read(&games, "[Game \"a\"]\n\n1. b 10\n\n[Game \"b\"]\n\n1. b\n", &why),
                     ERR_INPUT);
    assert_int_equal(games.count, 1);
    assert_int_equal(games.records[1].ply_count, 0);
    assert_null(record_tag(&games.records[1], RECORD_GAME));
    games_free(&games);
}

static void every_field_has_a_maximum_length(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        const char *behind;
        size_t longest;
        const char *words;
    } cases[] = {
        {"[Game \"", "\"]\n\n\n", RECORD_VALUE_BYTES - 1, "line 1: the value of a tag is longer"},
        {"[", " \"x\"]\n\n\n", RECORD_NAME_BYTES - 1, "line 1: the name of a tag is longer"},
        {"[Game \"h\"]\n\n1. b ", "\n\n", GAME_MOVE_BYTES - 1, "line 3: the move is longer"},
        {"[Game \"h\"]\n\n1. b x {k=", "}\n\n", ANNOTATION_BYTES - 3,
         "line 3: the text in braces is"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = stretched(cases[i].before, 'k', cases[i].longest, cases[i].behind);
        assert_round_trip(text);
        free(text);
        text = stretched(cases[i].before, 'k', cases[i].longest + 1, cases[i].behind);
        assert_refused(text, cases[i].words);
        free(text);
    }
    size_t blanks = RECORD_LINE_BYTES - 1 - strlen("[Game \"h\"]");
    char *text = stretched("[Game \"h\"]", ' ', blanks, "\n\n\n");
    assert_rewritten(text, "[Game \"h\"]\n\n\n");
    free(text);
    text = stretched("[Game \"h\"]", ' ', blanks + 1, "\n\n\n");
    assert_refused(text, "line 1: the line is longer");
    free(text);
}

static void the_longest_of_everything_fits_a_line(void **state)
{
    (void)state;
    char name[RECORD_NAME_BYTES] = "";
    char value[RECORD_VALUE_BYTES] = "";
    char move[GAME_MOVE_BYTES] = "";
    char comment[ANNOTATION_BYTES] = "";
    struct record record = {0};
    struct note why;
    memset(name, 'N', sizeof name - 1);
    memset(value, '"', sizeof value - 1);
    memset(move, '1', sizeof move - 1);
    memset(comment, 'k', sizeof comment - 1);
    comment[1] = '=';
    assert_int_equal(record_add_tag(&record, name, value, &why), ERR_NONE);
    assert_int_equal(record_add_ply(&record, RECORD_MAX_NUMBER, SIDE_WHITE, move, comment, &why),
                     ERR_NONE);
    assert_int_equal(record_close(&record, SIDE_BLACK, comment, &why), ERR_NONE);
    char *text = record_to_text(&record);
    assert_round_trip(text);
    free(text);
    record_free(&record);
}

static void a_game_has_a_maximum_of_plies_and_tags(void **state)
{
    (void)state;
    struct record record = {0};
    struct note why = {""};
    char name[] = "Ta";
    for (int i = 0; i < RECORD_MAX_OTHER_TAGS; i++) {
        name[1] = (char)('a' + i);
        assert_int_equal(record_add_tag(&record, name, "x", &why), ERR_NONE);
    }
    assert_int_equal(record_add_tag(&record, "Last", "x", &why), ERR_INPUT);
    assert_non_null(strstr(why.text, "at most 16"));
    assert_int_equal(record_add_tag(&record, "Game", "x", &why), ERR_NONE);
    for (int i = 0; i < RECORD_MAX_PLIES; i++) {
        assert_int_equal(record_add_ply(&record, i + 1, SIDE_BLACK, "10", "t=1", &why), ERR_NONE);
    }
    assert_int_equal(record_add_ply(&record, 1, SIDE_BLACK, "10", "t=1", &why), ERR_INPUT);
    assert_non_null(strstr(why.text, "at most 1100 plies"));
    char *text = record_to_text(&record);
    assert_round_trip(text);
    free(text);
    record_free(&record);
}

static void text_that_cannot_be_written_cannot_be_added(void **state)
{
    (void)state;
    struct record record = {0};
    struct note why;
    assert_int_equal(record_add_tag(&record, "Game", "hop", &why), ERR_NONE);
    char *before = record_to_text(&record);
    assert_int_equal(record_add_tag(&record, "", "x", &why), ERR_INPUT);
    assert_int_equal(record_add_tag(&record, "A b", "x", &why), ERR_INPUT);
    assert_int_equal(record_add_tag(&record, "Black", "a\nb", &why), ERR_INPUT);
    assert_int_equal(record_add_tag(&record, "Black", "\xed\xa0\x80", &why), ERR_INPUT);
    assert_int_equal(record_add_tag(&record, "Game", "othello", &why), ERR_INPUT);
    assert_int_equal(record_add_ply(&record, 0, SIDE_BLACK, "10", NULL, &why), ERR_INPUT);
    assert_int_equal(record_add_ply(&record, 1, SIDE_BLACK, "", NULL, &why), ERR_INPUT);
    assert_int_equal(record_add_ply(&record, 1, SIDE_BLACK, "1 2", NULL, &why), ERR_INPUT);
    assert_int_equal(record_add_ply(&record, 1, SIDE_BLACK, "10", "t=1}", &why), ERR_INPUT);
    assert_int_equal(record_add_ply(&record, 1, SIDE_BLACK, "10", "slow", &why), ERR_INPUT);
    assert_int_equal(record_add_ply(&record, 1, SIDE_BLACK, "10", "k=\x01", &why), ERR_INPUT);
    assert_int_equal(record_close(&record, SIDE_BLACK, "{", &why), ERR_INPUT);
    char *behind = record_to_text(&record);
    assert_string_equal(behind, before);
    free(before);
    free(behind);
    record_free(&record);
}

static void a_record_is_used_again_without_traces(void **state)
{
    (void)state;
    char text[2 * sizeof full_text];
    snprintf(text, sizeof text, "%s[Game \"none\"]\n\n\n", full_text);
    FILE *file = fmemopen(text, strlen(text), "r");
    struct record_reader reader = record_reader_make(file);
    struct record record = {0};
    struct note why;
    bool is_found = false;
    assert_int_equal(record_reader_next(&reader, &record, &is_found, &why), ERR_NONE);
    assert_true(is_found);
    assert_int_equal(record_reader_next(&reader, &record, &is_found, &why), ERR_NONE);
    assert_true(is_found);
    char *second = record_to_text(&record);
    assert_string_equal(second, "[Game \"none\"]\n\n\n");
    assert_int_equal(record_reader_next(&reader, &record, &is_found, &why), ERR_NONE);
    assert_false(is_found);
    free(second);
    record_free(&record);
    fclose(file);
}

static void a_file_error_is_an_error_of_the_environment(void **state)
{
    (void)state;
    struct record record = {0};
    struct note why = {""};
    bool is_found = false;
    FILE *folder = fopen("/", "r");
    assert_non_null(folder);
    struct record_reader reader = record_reader_make(folder);
    assert_int_equal(record_reader_next(&reader, &record, &is_found, &why), ERR_ENVIRONMENT);
    fclose(folder);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(record_write(&record, full, &why), ERR_ENVIRONMENT);
    assert_non_null(strstr(why.text, "could not be written"));
    fclose(full);
    record_free(&record);
}

static void moves_of_the_judge_are_counted_without_forced_passes(void **state)
{
    (void)state;
    static const char text[] = "[Black \"1. b 2 {fault=late}\"]\n\n"
                               "1. b 33 {t=0.431 d=14}\n"
                               "2. w 34 {t=5.260 fault=late}\n"
                               "3. b pass\n"
                               "4. w 35 {fault=crashed}\n"
                               "5. b 36 {t=0.1}\n"
                               "{w t=1.002 fault=malformed}\n";
    struct record_turns turns[2];
    record_count_turns(text, registry_find(CPU_BASELINE, "reversi", NULL), turns);
    assert_int_equal(turns[SIDE_BLACK].judged, 0);
    assert_int_equal(turns[SIDE_BLACK].turns, 2);
    assert_int_equal(turns[SIDE_WHITE].judged, 2);
    assert_int_equal(turns[SIDE_WHITE].turns, 2);
    /* In MeiChu a late move counts: it is the side's own. */
    record_count_turns(text, registry_find(CPU_BASELINE, "meichu", NULL), turns);
    assert_int_equal(turns[SIDE_WHITE].judged, 1);
    struct note words;
    record_describe_turns(registry_find(CPU_BASELINE, "meichu", NULL), &turns[SIDE_WHITE], "its",
                          &words);
    assert_string_equal(words.text, "the judge played 1 of its 2 moves");
    record_describe_turns(registry_find(CPU_BASELINE, "hop", NULL), &turns[SIDE_WHITE], "your",
                          &words);
    assert_string_equal(words.text, "the judge skipped 1 of your 2 turns");
    record_count_turns("1.", registry_find(CPU_BASELINE, "meichu", NULL), turns);
    record_count_turns("7", registry_find(CPU_BASELINE, "meichu", NULL), turns);
    record_count_turns("1. b", registry_find(CPU_BASELINE, "meichu", NULL), turns);
    assert_int_equal(turns[SIDE_BLACK].turns + turns[SIDE_WHITE].turns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_record_round_trips_exactly),
        cmocka_unit_test(a_record_is_read_as_data),
        cmocka_unit_test(moves_of_the_judge_are_counted_without_forced_passes),
        cmocka_unit_test(an_absent_tag_is_not_an_empty_tag),
        cmocka_unit_test(tags_in_any_order_are_written_in_the_fixed_one),
        cmocka_unit_test(several_tags_may_share_a_line),
        cmocka_unit_test(quotes_and_backslashes_are_escaped),
        cmocka_unit_test(any_utf8_is_a_fine_name),
        cmocka_unit_test(foreign_line_ends_marks_and_spaces_are_accepted),
        cmocka_unit_test(empty_lines_between_tags_and_plies_may_be_missing),
        cmocka_unit_test(games_follow_one_another),
        cmocka_unit_test(a_file_without_games_is_empty),
        cmocka_unit_test(braces_are_kept_word_for_word),
        cmocka_unit_test(a_closing_line_may_have_only_a_side),
        cmocka_unit_test(the_records_of_a_file_round_trip_exactly),
        cmocka_unit_test(a_judge_builds_the_same_text),
        cmocka_unit_test(facts_survive_their_text),
        cmocka_unit_test(malformed_facts_are_refused),
        cmocka_unit_test(malformed_text_is_refused_with_its_line),
        cmocka_unit_test(a_zero_byte_is_refused),
        cmocka_unit_test(games_before_a_malformed_one_are_read),
        cmocka_unit_test(every_field_has_a_maximum_length),
        cmocka_unit_test(the_longest_of_everything_fits_a_line),
        cmocka_unit_test(a_game_has_a_maximum_of_plies_and_tags),
        cmocka_unit_test(text_that_cannot_be_written_cannot_be_added),
        cmocka_unit_test(a_record_is_used_again_without_traces),
        cmocka_unit_test(a_file_error_is_an_error_of_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
