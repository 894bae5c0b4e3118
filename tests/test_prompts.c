/* Prompts on standard error, distinguished from other output of a program there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sandbox/output_log.h"

/* A program's prompts and its log so far. */
struct talk {
    struct output_prompts prompts;
    struct output_log log;
};

static void hear(struct talk *talk, const char *text)
{
    output_prompts_add(&talk->prompts, text, strlen(text), &talk->log);
}

static void answer(struct talk *talk) { output_prompts_answer(&talk->prompts, &talk->log); }

/* Ends the talk. */
static void assert_log(struct talk *talk, const char *wanted)
{
    char text[4096];
    output_prompts_flush(&talk->prompts, &talk->log);
    (void)output_log_copy(&talk->log, text, sizeof text);
    output_log_free(&talk->log);
    assert_string_equal(text, wanted);
}

static void a_prompt_is_in_the_log_once(void **state)
{
    (void)state;
    struct talk talk = {0};
    for (int i = 0; i < 3; i++) {
        hear(&talk, "Enter the move : ");
        answer(&talk);
    }
    hear(&talk, "Enter the colour : ");
    answer(&talk);
    hear(&talk, "Enter the colour : Enter the move : Enter the move : ");
    answer(&talk);
    assert_log(&talk, "Enter the move : \nEnter the colour : \n");
}

static void a_prompt_may_come_after_lines_and_in_pieces(void **state)
{
    (void)state;
    struct talk talk = {0};
    hear(&talk, "depth 3\ndepth 4\nEnter ");
    hear(&talk, "a move : ");
    answer(&talk);
    hear(&talk, "Enter a move : ");
    answer(&talk);
    assert_log(&talk, "depth 3\ndepth 4\nEnter a move : \n");
}

static void prompts_that_come_late_are_in_the_log_once(void **state)
{
    (void)state;
    struct talk talk = {0};
    answer(&talk);
    answer(&talk);
    hear(&talk, "Move : Move : ");
    answer(&talk);
    for (int i = 0; i < 3; i++) {
        answer(&talk);
        hear(&talk, "Move : ");
        hear(&talk, "Mo");
        hear(&talk, "ve : thinking\n");
    }
    assert_log(&talk, "Move : \nMove : thinking\nMove : thinking\nMove : thinking\n");
}

static void a_prompt_is_distinguished_from_a_longer_one(void **state)
{
    (void)state;
    struct talk talk = {0};
    hear(&talk, "Move");
    answer(&talk);
    hear(&talk, "Move : ");
    answer(&talk);
    hear(&talk, "Move : Move");
    answer(&talk);
    assert_log(&talk, "Move\n : \n");
}

static void text_before_more_text_is_kept(void **state)
{
    (void)state;
    struct talk talk = {0};
    for (int i = 0; i < 2; i++) {
        hear(&talk, "depth: ");
        hear(&talk, "5");
        hear(&talk, "\n");
        answer(&talk);
    }
    hear(&talk, "Enter : ");
    answer(&talk);
    hear(&talk, "Enter : ValueError\n");
    hear(&talk, "the end");
    assert_log(&talk, "depth: 5\ndepth: 5\nEnter : \nEnter : ValueError\nthe end");
}

static void long_texts_are_not_prompts(void **state)
{
    (void)state;
    struct talk talk = {0};
    char text[OUTPUT_PROMPT_BYTES + 2];
    char wanted[2 * sizeof text];
    memset(text, 'x', sizeof text);
    text[OUTPUT_PROMPT_BYTES + 1] = '\0';
    for (int i = 0; i < 2; i++) {
        hear(&talk, text);
        answer(&talk);
    }
    snprintf(wanted, sizeof wanted, "%s%s", text, text);
    assert_log(&talk, wanted);
}

static void only_a_few_prompts_are_remembered(void **state)
{
    (void)state;
    struct talk talk = {0};
    char text[32];
    for (int i = 0; i <= OUTPUT_PROMPTS_MAX; i++) {
        snprintf(text, sizeof text, "%c : ", 'a' + i);
        hear(&talk, text);
        answer(&talk);
    }
    hear(&talk, "a : ");
    answer(&talk);
    hear(&talk, text);
    assert_log(&talk, "a : \nb : \nc : \nd : \ne : \nf : \ng : \nh : \ni : \ni : ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prompt_is_in_the_log_once),
        cmocka_unit_test(a_prompt_may_come_after_lines_and_in_pieces),
        cmocka_unit_test(prompts_that_come_late_are_in_the_log_once),
        cmocka_unit_test(a_prompt_is_distinguished_from_a_longer_one),
        cmocka_unit_test(text_before_more_text_is_kept),
        cmocka_unit_test(long_texts_are_not_prompts),
        cmocka_unit_test(only_a_few_prompts_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
