/* Sources of a class, compared: what counts as the same, and what does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "course/likeness.h"

enum { TEXT_BYTES = 1 << 15, LINES = 60 };

/* A program of random statements; the same seed gives the same structure. `style` changes names,
 * numbers, spaces and comments only. */
static const char *write_program(uint64_t seed, int style, char out[TEXT_BYTES])
{
    struct rng rng = rng_make(seed);
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < LINES; i++) {
        char line[256];
        char name[32];
        snprintf(name, sizeof name, style ? "other_name_%d" : "n%d", i);
        switch (rng_below(&rng, 5)) {
        case 0:
            snprintf(line, sizeof line, "for (int %s = %d; %s < 8; %s++) {", name, style, name,
                     name);
            break;
        case 1:
            snprintf(line, sizeof line, "if (%s[%d] > %s(%s)) {", name, i + style, name, name);
            break;
        case 2:
            snprintf(line, sizeof line, "}");
            break;
        case 3:
            snprintf(line, sizeof line, "return %s * (%s - %d);", name, name, style);
            break;
        default:
            snprintf(line, sizeof line, "%s += f(%s, \"%s\");", name, name, name);
        }
        used += (size_t)snprintf(out + used, TEXT_BYTES - used,
                                 style ? "\t\t%s // a comment %d\n" : "%s\n", line, i);
    }
    return out;
}

static void add(struct likeness *likeness, int program, const char *text)
{
    struct note why;
    assert_int_equal(likeness_add(likeness, program, text, false, &why), ERR_NONE);
}

/* The pairs in words: "0-1 100". */
static void expect_pairs(struct likeness *likeness, int programs, const char *words)
{
    struct likeness_pair *pairs = NULL;
    size_t count = 0;
    struct note why;
    char text[256] = "";
    assert_int_equal(likeness_find(likeness, programs, &pairs, &count, &why), ERR_NONE);
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%d-%d %.0f", i ? ", " : "",
                 pairs[i].program[0], pairs[i].program[1], likeness_percent(&pairs[i]));
    }
    assert_string_equal(text, words);
    free(pairs);
    likeness_free(likeness);
}

static void names_numbers_spaces_and_comments_do_not_matter(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    add(&likeness, 0, write_program(1, 0, text));
    add(&likeness, 1, write_program(2, 0, text));
    add(&likeness, 2, write_program(1, 1, text));
    expect_pairs(&likeness, 3, "0-2 100");
}

static void other_programs_are_not_alike(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    for (int i = 0; i < 5; i++) {
        add(&likeness, i, write_program((uint64_t)i + 1, 0, text));
    }
    expect_pairs(&likeness, 5, "");
}

static void a_template_does_not_count(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    add(&likeness, LIKENESS_TEMPLATE, write_program(1, 0, text));
    add(&likeness, 0, write_program(1, 1, text));
    add(&likeness, 1, write_program(1, 0, text));
    expect_pairs(&likeness, 2, "");
}

static void code_that_most_of_a_class_has_does_not_count(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    for (int i = 0; i < LIKENESS_CLASS; i++) {
        add(&likeness, i, write_program(1, i % 2, text));
        add(&likeness, i, write_program(i < 2 ? 9 : (uint64_t)i + 10, 0, text));
    }
    expect_pairs(&likeness, LIKENESS_CLASS, "0-1 100");
}

static void a_part_is_a_share_of_the_smaller_one(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    add(&likeness, 0, write_program(1, 0, text));
    add(&likeness, 1, write_program(1, 1, text));
    add(&likeness, 1, write_program(2, 1, text));
    add(&likeness, 1, write_program(3, 1, text));
    expect_pairs(&likeness, 2, "0-1 100");
}

static void a_few_lines_are_not_compared(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    add(&likeness, 0, "int main(void) { return 0; }\nint f(int a) { return a + a * a - a / 2; }");
    add(&likeness, 1, "int main(void) { return 0; }\nint f(int a) { return a + a * a - a / 2; }");
    expect_pairs(&likeness, 2, "");
}

static void a_text_that_ends_anywhere_is_read_to_its_end(void **state)
{
    (void)state;
    static const char text[] =
        "x = \"a\\\"b\" /* c */ + '\\'' // d\n\"\"\"e\"\"\" 1.5e3 \xe6\xa2\x85";
    for (size_t length = 0; length < sizeof text; length++) {
        for (int is_python = 0; is_python < 2; is_python++) {
            struct likeness likeness = {0};
            struct note why;
            char *part = strndup(text, length);
            assert_int_equal(likeness_add(&likeness, 0, part, is_python, &why), ERR_NONE);
            likeness_free(&likeness);
            free(part);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_numbers_spaces_and_comments_do_not_matter),
        cmocka_unit_test(other_programs_are_not_alike),
        cmocka_unit_test(a_template_does_not_count),
        cmocka_unit_test(code_that_most_of_a_class_has_does_not_count),
        cmocka_unit_test(a_part_is_a_share_of_the_smaller_one),
        cmocka_unit_test(a_few_lines_are_not_compared),
        cmocka_unit_test(a_text_that_ends_anywhere_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
