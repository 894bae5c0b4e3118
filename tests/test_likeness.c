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
#include "course/likeness_page.h"

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

/* The groups in words: "0-1 100", "0-1-2 60..100 same", "(0-1 100)" within another. */
static void write_groups(const struct likeness_result *result, char *text, size_t room)
{
    text[0] = '\0';
    for (int i = 0; i < result->group_count; i++) {
        const struct likeness_group *group = &result->groups[i];
        bool is_inner = group->within >= 0;
        size_t used = strlen(text);
        used +=
            (size_t)snprintf(text + used, room - used, "%s%s", i ? ", " : "", is_inner ? "(" : "");
        for (int j = 0; j < group->count; j++) {
            used += (size_t)snprintf(text + used, room - used, "%s%d", j ? "-" : "",
                                     result->members[group->first + (size_t)j]);
        }
        used += (size_t)snprintf(text + used, room - used, " %.0f", group->lowest);
        if (group->highest > group->lowest) {
            used += (size_t)snprintf(text + used, room - used, "..%.0f", group->highest);
        }
        snprintf(text + used, room - used, "%s%s", group->is_same ? " same" : "",
                 is_inner ? ")" : "");
    }
}

static void expect_groups(struct likeness *likeness, int programs, const char *words)
{
    struct likeness_result result = {0};
    struct note why;
    char text[256];
    assert_int_equal(likeness_find(likeness, programs, &result, &why), ERR_NONE);
    write_groups(&result, text, sizeof text);
    assert_string_equal(text, words);
    likeness_result_free(&result);
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
    expect_groups(&likeness, 3, "0-2 100 same");
}

static void other_programs_are_not_alike(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    for (int i = 0; i < 5; i++) {
        add(&likeness, i, write_program((uint64_t)i + 1, 0, text));
    }
    expect_groups(&likeness, 5, "");
}

static void a_template_does_not_count(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    add(&likeness, LIKENESS_TEMPLATE, write_program(1, 0, text));
    add(&likeness, 0, write_program(1, 1, text));
    add(&likeness, 1, write_program(1, 0, text));
    expect_groups(&likeness, 2, "");
}

static void add_own(struct likeness *likeness, int program, uint64_t seed)
{
    char text[TEXT_BYTES];
    add(likeness, program, write_program(seed, 0, text));
}

static void what_most_of_a_class_has_is_a_group(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    for (int i = 0; i < 6; i++) {
        if (i < 4) {
            add(&likeness, i, write_program(1, i % 2, text));
        } else {
            add_own(&likeness, i, (uint64_t)i + 10);
        }
    }
    expect_groups(&likeness, 6, "0-1-2-3 100 same");
}

static void a_copy_in_a_class_with_code_of_a_lecture_is_named(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    for (int i = 0; i < 6; i++) {
        add(&likeness, i, write_program(1, i % 2, text));
        add(&likeness, i, write_program(2, i % 2, text));
        add_own(&likeness, i, i == 2 || i == 4 ? 9 : (uint64_t)i + 10);
    }
    struct likeness_result result = {0};
    struct note why;
    assert_int_equal(likeness_find(&likeness, 6, &result, &why), ERR_NONE);
    assert_int_equal(result.group_count, 2);
    assert_int_equal(result.groups[0].count, 6);
    assert_in_range((int)result.groups[0].lowest, 55, 80);
    assert_int_equal(result.groups[1].within, 0);
    assert_int_equal(result.groups[1].count, 2);
    assert_int_equal(result.members[result.groups[1].first], 2);
    assert_int_equal(result.members[result.groups[1].first + 1], 4);
    assert_int_equal((int)result.groups[1].lowest, 100);
    likeness_result_free(&result);
    likeness_free(&likeness);
}

static void alike_pairs_of_a_chain_are_one_group(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    char text[TEXT_BYTES];
    for (int i = 0; i < 3; i++) {
        add(&likeness, i, write_program((uint64_t)i + 1, 0, text));
        add(&likeness, i, write_program((uint64_t)i + 2, 1, text));
    }
    struct likeness_result result = {0};
    struct note why;
    assert_int_equal(likeness_find(&likeness, 3, &result, &why), ERR_NONE);
    assert_int_equal(result.group_count, 1);
    assert_int_equal(result.groups[0].count, 3);
    likeness_result_free(&result);
    likeness_free(&likeness);
}

/* --- Side by side --- */

static void add_source(struct likeness_source *source, const char *name, const char *text)
{
    source->files[source->count++] = (struct likeness_file){strdup(name), strdup(text), false};
}

static const char template_text[] =
    "int given(int a) { for (int i = 0; i < a; i++) { a += f(a, i); } return a - 1; }\n";
static const char shared_text[] =
    "while (x > 3) {\n  x = g(x) * 2 - h[x];\n  if (!x) { break; }\n  s = \"<script>\";\n}\n";

static void lines_of_a_passage_and_of_the_template_are_marked(void **state)
{
    (void)state;
    static struct likeness_source sources[2];
    static const int expected[2][9] = {{-1, 1, 1, 1, 1, 1, 0, 0, 0}, {0, 1, 1, 1, 1, 1, 0, -1, 0}};
    struct likeness likeness = {0};
    struct likeness_result result = {0};
    struct likeness_match match = {0};
    struct note why;
    char text[2][1024];
    snprintf(text[0], sizeof text[0], "%s%sint a;\n", template_text, shared_text);
    snprintf(text[1], sizeof text[1], "goto end;\n%schar *b = c;\n", shared_text);
    add_source(&sources[0], "a.c", text[0]);
    add_source(&sources[1], "b.c", text[1]);
    sources[1].files[0].text[strlen(text[1]) - 1] = '\0';
    add_source(&sources[1], "c.c", template_text);
    add(&likeness, LIKENESS_TEMPLATE, template_text);
    assert_int_equal(likeness_find(&likeness, 2, &result, &why), ERR_NONE);
    assert_int_equal(likeness_match_find(&likeness, &sources[0], &sources[1], &match, &why),
                     ERR_NONE);
    assert_int_equal(match.passages, 1);
    assert_int_equal(match.line_count[0], 8);
    assert_int_equal(match.line_count[1], 9);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < match.line_count[side]; i++) {
            assert_int_equal(match.lines[side][i], expected[side][i]);
        }
    }
    char *page = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);
    likeness_page_begin(out, "<b>");
    likeness_page_pair(out, 1, "<i>", (const char *const[]){"A & B", "\"C\""},
                       (const struct likeness_source *const[]){&sources[0], &sources[1]}, &match);
    likeness_page_end(out, 2);
    fclose(out);
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "<b>"));
    assert_null(strstr(page, "B & "));
    assert_non_null(
        strstr(page, "<span class=\"t1\"><i>    5</i>   s = &quot;&lt;script&gt;&quot;;"));
    assert_non_null(strstr(page, "<a id=\"p1-0-1\" href=\"#p1-1-1\">1</a>"));
    assert_non_null(strstr(page, "<a id=\"p1-1-1\" href=\"#p1-0-1\">1</a>"));
    assert_non_null(strstr(page, "<span class=\"kit\"><i>    1</i> int given"));
    assert_non_null(strstr(page, "2 more pairs are not shown"));
    free(page);
    likeness_match_free(&match);
    likeness_source_free(&sources[0]);
    likeness_source_free(&sources[1]);
    likeness_result_free(&result);
    likeness_free(&likeness);
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
    expect_groups(&likeness, 2, "0-1 100");
}

static void a_few_lines_are_not_compared(void **state)
{
    (void)state;
    struct likeness likeness = {0};
    add(&likeness, 0, "int main(void) { return 0; }\nint f(int a) { return a + a * a - a / 2; }");
    add(&likeness, 1, "int main(void) { return 0; }\nint f(int a) { return a + a * a - a / 2; }");
    expect_groups(&likeness, 2, "");
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
        cmocka_unit_test(what_most_of_a_class_has_is_a_group),
        cmocka_unit_test(a_copy_in_a_class_with_code_of_a_lecture_is_named),
        cmocka_unit_test(alike_pairs_of_a_chain_are_one_group),
        cmocka_unit_test(lines_of_a_passage_and_of_the_template_are_marked),
        cmocka_unit_test(a_part_is_a_share_of_the_smaller_one),
        cmocka_unit_test(a_few_lines_are_not_compared),
        cmocka_unit_test(a_text_that_ends_anywhere_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
