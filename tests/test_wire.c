/* The bytes of the courses' TCP protocol. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "protocol/wire.h"
#include "rules_support.h"

enum { MAX_BYTES = 1 << 16, MAX_HEARD = 8 };

static const struct game *game_called(const char *name) { return find_game(cpu_best(), name); }

static size_t write_numbers(uint8_t *out, const int32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wire_write_number(out + 4 * i, numbers[i]);
    }
    return 4 * count;
}

/* What a connection said, in order. */
struct heard {
    size_t count;
    enum wire_event events[MAX_HEARD];
    struct wire_answer answers[MAX_HEARD];
    struct note why;
};

/* Gives the bytes in pieces of that size at most. */
static void listen(const uint8_t *bytes, size_t count, size_t piece, struct wire_reader *reader,
                   struct heard *heard)
{
    for (size_t at = 0; at < count; at += piece) {
        const uint8_t *rest = bytes + at;
        size_t left = count - at < piece ? count - at : piece;
        for (;;) {
            assert_in_range(heard->count, 0, MAX_HEARD - 1);
            enum wire_event event =
                wire_feed(reader, &rest, &left, &heard->answers[heard->count], &heard->why);
            if (event == WIRE_MORE) {
                assert_int_equal(left, 0);
                break;
            }
            heard->events[heard->count++] = event;
            if (event == WIRE_MALFORMED) {
                return;
            }
        }
    }
}

static void numbers_are_little_endian(void **state)
{
    (void)state;
    static const struct {
        int32_t number;
        uint8_t bytes[4];
    } cases[] = {
        {0, {0, 0, 0, 0}},           {1, {1, 0, 0, 0}},
        {-1, {255, 255, 255, 255}},  {0x12345678, {0x78, 0x56, 0x34, 0x12}},
        {INT32_MIN, {0, 0, 0, 128}}, {INT32_MAX, {255, 255, 255, 127}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[4];
        wire_write_number(bytes, cases[i].number);
        assert_memory_equal(bytes, cases[i].bytes, 4);
        assert_int_equal(wire_read_number(bytes), cases[i].number);
    }
}

static void a_board_is_code_id_cells_and_colour(void **state)
{
    (void)state;
    const struct game *reversi = game_called("reversi");
    struct state position;
    struct note why = {""};
    uint8_t bytes[WIRE_BOARD_BYTES];
    assert_int_equal(sizeof bytes, 268);
    assert_int_equal(
        game_read_position(
            reversi, "#......#/......../..XO..../......../......../......../......../#......# w",
            &position, &why),
        ERR_NONE);
    wire_write_board(reversi, &position, SIDE_WHITE, 7, bytes);
    assert_int_equal(wire_read_number(bytes), 1);
    assert_int_equal(wire_read_number(bytes + 4), 7);
    for (int square = 0; square < 64; square++) {
        bool is_corner = square == 0 || square == 7 || square == 56 || square == 63;
        int expected = is_corner ? -1 : square == 18 ? 1 : square == 19 ? 2 : 0;
        assert_int_equal(wire_read_number(bytes + 8 + 4 * square), expected);
    }
    assert_int_equal(wire_read_number(bytes + 264), 0);
    wire_write_board(reversi, &position, SIDE_BLACK, 7, bytes);
    assert_int_equal(wire_read_number(bytes + 264), 1);
}

static void the_agent_reads_what_the_judge_wrote(void **state)
{
    (void)state;
    const struct game *hop = game_called("hop");
    struct state start = hop->start();
    uint8_t bytes[WIRE_BOARD_BYTES];
    wire_write_board(hop, &start, SIDE_BLACK, 12345, bytes);
    struct wire_question question = wire_read_board(bytes);
    assert_int_equal(question.id, 12345);
    assert_int_equal(question.side, SIDE_BLACK);
    for (int square = 0; square < WIRE_CELLS; square++) {
        assert_int_equal(question.cells[square], cell_wire(hop->cell(&start, square)));
    }
}

static void the_judge_reads_what_the_agent_wrote(void **state)
{
    (void)state;
    const struct game *hop = game_called("hop");
    static struct heard heard;
    static struct wire_reader reader;
    uint8_t bytes[WIRE_ANSWER_BYTES];
    struct note why = {""};
    struct move move;
    struct move again;
    memset(&reader, 0, sizeof reader);
    heard.count = 0;
    reader.has_team = true;
    assert_int_equal(game_read_move(hop, "10-12-32", &move, &why), ERR_NONE);
    size_t count = wire_write_answer(hop, &move, 9, bytes);
    assert_int_equal(count, 8 + 3 * 8);
    listen(bytes, count, count, &reader, &heard);
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.answers[0].id, 9);
    assert_int_equal(wire_move(hop, &heard.answers[0], &again, &why), ERR_NONE);
    assert_int_equal(move_compare(&move, &again), 0);
    struct move pass = move_pass();
    assert_int_equal(wire_write_answer(hop, &pass, 9, bytes), 8);
}

static void bytes_may_come_in_any_pieces(void **state)
{
    (void)state;
    static const int32_t said[] = {5, 2, 1, 1, 0, 1, 2, 0, 2, 1, 3, 6, 6, 1, 4, 7, 7};
    static uint8_t bytes[MAX_BYTES];
    size_t count = write_numbers(bytes, said, sizeof said / sizeof *said);
    for (size_t piece = 1; piece <= count; piece++) {
        static struct heard heard;
        static struct wire_reader reader;
        memset(&reader, 0, sizeof reader);
        memset(&heard, 0, sizeof heard);
        listen(bytes, count, piece, &reader, &heard);
        assert_int_equal(heard.count, 5);
        assert_int_equal(heard.events[0], WIRE_TEAM);
        assert_int_equal(reader.team, 5);
        for (size_t i = 1; i < 5; i++) {
            assert_int_equal(heard.events[i], WIRE_ANSWER);
            assert_int_equal(heard.answers[i].id, i);
        }
        assert_int_equal(heard.answers[1].count, 2);
        assert_int_equal(heard.answers[1].pairs[1][0], 1);
        assert_int_equal(heard.answers[1].pairs[1][1], 2);
        assert_int_equal(heard.answers[2].count, 0);
        assert_int_equal(heard.answers[4].pairs[0][1], 7);
    }
}

static void half_an_answer_is_none(void **state)
{
    (void)state;
    static const int32_t said[] = {5, 1, 1, 3, 4};
    uint8_t bytes[64];
    size_t count = write_numbers(bytes, said, 5);
    for (size_t cut = 4; cut < count; cut++) {
        static struct heard heard;
        static struct wire_reader reader;
        memset(&reader, 0, sizeof reader);
        heard.count = 0;
        listen(bytes, cut, cut, &reader, &heard);
        assert_int_equal(heard.count, 1);
        assert_int_equal(heard.events[0], WIRE_TEAM);
    }
}

static void an_absurd_count_is_malformed(void **state)
{
    (void)state;
    static const struct {
        int32_t count;
        bool is_malformed;
    } cases[] = {{-1, true},         {INT32_MIN, true}, {1001, true}, {INT32_MAX, true},
                 {0x20202020, true}, {0, false},        {1, false},   {1000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static uint8_t bytes[MAX_BYTES];
        static struct heard heard;
        static struct wire_reader reader;
        int32_t said[] = {5, cases[i].count, 1};
        memset(bytes, 0, sizeof bytes);
        memset(&reader, 0, sizeof reader);
        memset(&heard, 0, sizeof heard);
        write_numbers(bytes, said, 3);
        size_t count = 12 + (cases[i].is_malformed ? 0 : 8 * (size_t)cases[i].count);
        listen(bytes, count, 4096, &reader, &heard);
        assert_int_equal(heard.count, 2);
        assert_int_equal(heard.events[1], cases[i].is_malformed ? WIRE_MALFORMED : WIRE_ANSWER);
        assert_int_equal(*heard.why.text != '\0', cases[i].is_malformed);
    }
}

static enum err to_move(const char *game, const struct wire_answer *answer, struct move *move,
                        struct note *why)
{
    *why = (struct note){""};
    enum err err = wire_move(game_called(game), answer, move, why);
    assert_int_equal(err != ERR_NONE, *why->text != '\0');
    return err;
}

static void answers_that_cannot_be_moves_have_a_reason(void **state)
{
    (void)state;
    static struct wire_answer answer;
    struct move move = {.kind = MOVE_PASS};
    struct note why;
    answer = (struct wire_answer){.count = 0};
    assert_int_equal(to_move("hop", &answer, &move, &why), ERR_NEGATIVE);
    assert_non_null(strstr(why.text, "0 squares"));
    answer.count = 1;
    assert_int_equal(to_move("hop", &answer, &move, &why), ERR_NEGATIVE);
    assert_int_equal(to_move("reversi", &answer, &move, &why), ERR_NONE);
    answer.count = 2;
    assert_int_equal(to_move("reversi", &answer, &move, &why), ERR_NEGATIVE);
    assert_int_equal(to_move("hop", &answer, &move, &why), ERR_NONE);
    answer.count = 100;
    assert_int_equal(to_move("hop", &answer, &move, &why), ERR_NONE);
    assert_int_equal(move.count, 100);
    answer.count = 101;
    assert_int_equal(to_move("hop", &answer, &move, &why), ERR_NEGATIVE);
    answer.count = 1000;
    assert_int_equal(to_move("hop", &answer, &move, &why), ERR_NEGATIVE);
}

static void squares_off_the_board_are_reported(void **state)
{
    (void)state;
    static const int32_t off[][2] = {{-1, 0}, {0, -1},        {8, 0},
                                     {0, 8},  {INT32_MIN, 3}, {3, INT32_MAX}};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        static struct wire_answer answer;
        struct move move = {.kind = MOVE_SKIP};
        struct note why;
        answer = (struct wire_answer){.count = 2};
        answer.pairs[1][0] = off[i][0];
        answer.pairs[1][1] = off[i][1];
        assert_int_equal(to_move("hop", &answer, &move, &why), ERR_NEGATIVE);
        assert_non_null(strstr(why.text, "number 2"));
        assert_int_equal(move.kind, MOVE_SKIP); /* untouched */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_little_endian),
        cmocka_unit_test(a_board_is_code_id_cells_and_colour),
        cmocka_unit_test(the_agent_reads_what_the_judge_wrote),
        cmocka_unit_test(the_judge_reads_what_the_agent_wrote),
        cmocka_unit_test(bytes_may_come_in_any_pieces),
        cmocka_unit_test(half_an_answer_is_none),
        cmocka_unit_test(an_absurd_count_is_malformed),
        cmocka_unit_test(answers_that_cannot_be_moves_have_a_reason),
        cmocka_unit_test(squares_off_the_board_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
