/* Prompts on standard error, told from what else a program writes there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "player/prompts.h"

static bool hear(struct prompts *prompts, const char *text)
{
    return prompts_hear(prompts, text, strlen(text));
}

static void a_prompt_is_known_once_it_was_answered(void **state)
{
    (void)state;
    struct prompts prompts = {0};
    assert_false(hear(&prompts, "Enter the move : "));
    assert_true(prompts_answer(&prompts));
    for (int i = 0; i < 3; i++) {
        assert_true(hear(&prompts, "Enter the move : "));
        assert_false(prompts_answer(&prompts));
    }
    assert_false(hear(&prompts, "Enter the colour : "));
    assert_true(prompts_answer(&prompts));
    assert_true(hear(&prompts, "Enter the colour : Enter the move : Enter the move : "));
}

static void a_prompt_may_come_after_lines_and_in_pieces(void **state)
{
    (void)state;
    struct prompts prompts = {0};
    assert_false(hear(&prompts, "depth 3\ndepth 4\nEnter "));
    assert_false(hear(&prompts, "a move : "));
    assert_true(prompts_answer(&prompts));
    assert_true(hear(&prompts, "Enter a move : "));
}

static void a_prompt_that_another_begins_with_is_told_from_it(void **state)
{
    (void)state;
    struct prompts prompts = {0};
    assert_false(hear(&prompts, "Move"));
    assert_true(prompts_answer(&prompts));
    assert_false(hear(&prompts, "Move : "));
    assert_true(prompts_answer(&prompts));
    assert_true(hear(&prompts, "Move : Move"));
}

static void what_is_written_before_more_is_no_prompt(void **state)
{
    (void)state;
    struct prompts prompts = {0};
    for (int i = 0; i < 3; i++) {
        assert_false(hear(&prompts, "depth: "));
        assert_false(hear(&prompts, "5"));
        assert_false(hear(&prompts, "\n"));
        assert_false(prompts_answer(&prompts));
    }
    assert_false(hear(&prompts, "Enter : "));
    assert_true(prompts_answer(&prompts));
    assert_false(hear(&prompts, "Enter : ValueError\n"));
}

static void only_a_few_short_texts_are_remembered(void **state)
{
    (void)state;
    struct prompts prompts = {0};
    char text[PROMPT_BYTES + 2];
    memset(text, 'x', sizeof text);
    text[PROMPT_BYTES + 1] = '\0';
    for (int i = 0; i < 2; i++) {
        assert_false(hear(&prompts, text));
        assert_false(prompts_answer(&prompts));
    }
    assert_false(hear(&prompts, text + 1));
    assert_true(prompts_answer(&prompts));
    for (int i = 1; i <= PROMPTS_MAX; i++) {
        snprintf(text, sizeof text, "%d : ", i);
        assert_false(hear(&prompts, text));
        assert_int_equal(prompts_answer(&prompts), i < PROMPTS_MAX);
    }
    assert_true(hear(&prompts, "1 : "));
    assert_false(hear(&prompts, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prompt_is_known_once_it_was_answered),
        cmocka_unit_test(a_prompt_may_come_after_lines_and_in_pieces),
        cmocka_unit_test(a_prompt_that_another_begins_with_is_told_from_it),
        cmocka_unit_test(what_is_written_before_more_is_no_prompt),
        cmocka_unit_test(only_a_few_short_texts_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
