/* The JSON writer: everything it can be given becomes valid JSON. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/rng.h"
#include "json_check.h"

struct output {
    char *text;
    size_t size;
    struct json json;
};

static struct output *begin(struct output *output, enum json_style style)
{
    *output = (struct output){0};
    FILE *out = open_memstream(&output->text, &output->size);
    assert_non_null(out);
    output->json = json_make(out, style);
    return output;
}

static void expect(struct output *output, const char *wanted)
{
    fclose(output->json.out);
    assert_string_equal(output->text, wanted);
    assert_true(json_check(output->text));
    free(output->text);
}

static void write_example(struct json *json)
{
    json_begin_object(json, NULL);
    json_integer(json, "a", 1);
    json_begin_array(json, "b");
    json_integer(json, NULL, 2);
    json_bool(json, NULL, true);
    json_null(json, NULL);
    json_end(json);
    json_begin_object(json, "c");
    json_end(json);
    json_begin_array(json, "d");
    json_end(json);
    json_end(json);
}

static void a_value_has_the_form_of_its_style(void **unused)
{
    (void)unused;
    struct output output;
    write_example(&begin(&output, JSON_LINE)->json);
    expect(&output, "{\"a\": 1, \"b\": [2, true, null], \"c\": {}, \"d\": []}");
    write_example(&begin(&output, JSON_COMPACT)->json);
    expect(&output, "{\"a\":1,\"b\":[2,true,null],\"c\":{},\"d\":[]}");
    write_example(&begin(&output, JSON_INDENTED)->json);
    expect(&output,
           "{\n \"a\": 1,\n \"b\": [\n  2,\n  true,\n  null\n ],\n \"c\": {},\n \"d\": []\n}");
}

static void a_string_holds_any_text(void **unused)
{
    (void)unused;
    static const char *const pairs[][2] = {
        {"plain", "\"plain\""},
        {"", "\"\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"</script>&", "\"\\u003c/script\\u003e\\u0026\""},
        {"line\nend\t", "\"line\\nend\\t\""},
        {"\x01\x1b\x7f", "\"\\u0001\\u001b\\u007f\""},
        {"pl\xc3\xbcm \xe5\xad\x97 \xf0\x9f\x8e\xb2",
         "\"pl\xc3\xbcm \xe5\xad\x97 \xf0\x9f\x8e\xb2\""},
        {"turn \xe2\x80\xae back", "\"turn \\u202e back\""},
        {"c1 \xc2\x85", "\"c1 \\u0085\""},
        {"bad \xff byte", "\"bad ? byte\""},
        {"overlong \xc0\xaf", "\"overlong ??\""},
        {"surrogate \xed\xa0\x80", "\"surrogate ???\""},
        {"cut \xe5\xad", "\"cut ??\""},
        {NULL, "null"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct output output;
        json_string(&begin(&output, JSON_LINE)->json, NULL, pairs[i][0]);
        expect(&output, pairs[i][1]);
    }
}

static void an_integer_has_all_64_bits(void **unused)
{
    (void)unused;
    struct output output;
    json_integer(&begin(&output, JSON_LINE)->json, NULL, INT64_MAX);
    expect(&output, "9223372036854775807");
    json_integer(&begin(&output, JSON_LINE)->json, NULL, INT64_MIN);
    expect(&output, "-9223372036854775808");
    json_integer_or_null(&begin(&output, JSON_LINE)->json, NULL, false, 5);
    expect(&output, "null");
}

static void a_fixed_point_number_has_no_more_digits_than_asked_for(void **unused)
{
    (void)unused;
    const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {60, 2, "60.0"},
        {0.5, 3, "0.5"},
        {-1.23456, 3, "-1.235"},
        {-0.0001, 2, "0.0"},
        {1e300 * 1e300, 3, "null"},
        {(double)NAN, 3, "null"},
        {0.123456789, 9, "0.123456789"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct output output;
        json_fixed(&begin(&output, JSON_LINE)->json, NULL, cases[i].value, cases[i].decimals);
        expect(&output, cases[i].text);
    }
    struct output output;
    json_fixed(&begin(&output, JSON_LINE)->json, NULL, 1.7976931348623157e308, 9);
    fclose(output.json.out);
    assert_true(json_check(output.text));
    assert_int_equal(output.size, 309 + 2);
    free(output.text);
}

static void members_that_were_written_before_can_be_put_into_an_object(void **unused)
{
    (void)unused;
    struct output members;
    struct output output;
    begin(&members, JSON_COMPACT);
    members.json = json_make_members(members.json.out, JSON_COMPACT);
    json_integer(&members.json, "b", 2);
    json_string(&members.json, "c", "d");
    fclose(members.json.out);
    struct json *json = &begin(&output, JSON_COMPACT)->json;
    json_begin_object(json, NULL);
    json_copy_members(json, members.text, members.size);
    json_copy_members(json, "", 0);
    json_copy(json, "e", "[1]", 3);
    json_end(json);
    expect(&output, "{\"b\":2,\"c\":\"d\",\"e\":[1]}");
    free(members.text);
}

static void random_values(struct json *json, struct rng *rng, int depth)
{
    for (uint64_t count = rng_below(rng, 5); count > 0; count--) {
        char text[12] = "";
        const char *name = json->is_array[json->depth] ? NULL : text;
        for (size_t i = 0; i + 1 < sizeof text; i++) {
            text[i] = (char)(1 + rng_below(rng, 255));
        }
        switch (rng_below(rng, depth ? 6 : 4)) {
        case 0:
            json_string(json, name, text);
            break;
        case 1:
            json_integer(json, name, (int64_t)rng_next(rng));
            break;
        case 2:
            json_fixed(json, name, (double)(int64_t)rng_next(rng) / 1e9, 3);
            break;
        case 3:
            json_bool(json, name, rng_below(rng, 2));
            break;
        case 4:
            json_begin_array(json, name);
            random_values(json, rng, depth - 1);
            json_end(json);
            break;
        default:
            json_begin_object(json, name);
            random_values(json, rng, depth - 1);
            json_end(json);
        }
    }
}

static void all_output_is_valid_json(void **unused)
{
    (void)unused;
    struct rng rng = rng_make(3);
    for (int i = 0; i < 2000; i++) {
        struct output output;
        struct json *json = &begin(&output, (enum json_style)(i % 3))->json;
        json_begin_array(json, NULL);
        random_values(json, &rng, 5);
        json_end(json);
        fclose(json->out);
        assert_int_equal(strlen(output.text), output.size);
        if (!json_check(output.text)) {
            fail_msg("%s", output.text);
        }
        free(output.text);
    }
}

/* Our own bugs end the program also where it is optimised and released. */
static void an_end_without_a_beginning_is_our_own_bug(void **unused)
{
    (void)unused;
    struct output output;
    struct json *json = &begin(&output, JSON_LINE)->json;
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        const struct rlimit none = {0};
        setrlimit(RLIMIT_CORE, &none);
        close(STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        json_end(json);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    json_null(json, NULL);
    expect(&output, "null");
}

static void the_check_refuses_what_is_not_json(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {
        "",        "{",   "[1,]", "{\"a\"}", "{\"a\":}", "01",        "1.",  "\"\n\"",
        "\"\\x\"", "nul", "1 2",  "[1 2]",   "{1:2}",    "\"\\u12\"", "- 1", "\"a"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(json_check(wrong[i]));
    }
    assert_true(json_check(" [1, -0.5e+3, \"\\u00e9\\n\", {\"a\": null}] "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_has_the_form_of_its_style),
        cmocka_unit_test(a_string_holds_any_text),
        cmocka_unit_test(an_integer_has_all_64_bits),
        cmocka_unit_test(a_fixed_point_number_has_no_more_digits_than_asked_for),
        cmocka_unit_test(members_that_were_written_before_can_be_put_into_an_object),
        cmocka_unit_test(all_output_is_valid_json),
        cmocka_unit_test(an_end_without_a_beginning_is_our_own_bug),
        cmocka_unit_test(the_check_refuses_what_is_not_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
