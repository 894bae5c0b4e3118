/* web: the parts of the match_runner that need no network. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "web/answer.h"
#include "web/guard.h"
#include "web/json_text.h"
#include "web/rate.h"

static void an_address_or_localhost_is_a_host_we_answer_to(void **unused)
{
    (void)unused;
    const char *const none[] = {NULL};
    static const char *const good[] = {"127.0.0.1",  "127.0.0.1:8080", "localhost",  "LOCALHOST:1",
                                       "[::1]:8080", "[::1]",          "10.1.2.3:80"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(guard_knows_host(good[i], none));
    }
    static const char *const bad[] = {
        "evil.example", "localhost.evil.example", "127.0.0.1.evil",   "",           ":8080", "[::1",
        "[::1]x",       "localhost:80:80",        "localhost:123456", "127.0.0.1:x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(guard_knows_host(bad[i], none));
    }
    assert_false(guard_knows_host(NULL, none));
}

static void a_name_must_have_been_given(void **unused)
{
    (void)unused;
    const char *const names[] = {"arena", "plum.example.org", NULL};
    assert_true(guard_knows_host("plum.example.org:8080", names));
    assert_true(guard_knows_host("ARENA", names));
    assert_false(guard_knows_host("example.org", names));
}

static void only_our_own_pages_may_ask(void **unused)
{
    (void)unused;
    assert_true(guard_knows_origin(NULL, "localhost:8080"));
    assert_true(guard_knows_origin("http://localhost:8080", "localhost:8080"));
    assert_true(guard_knows_origin("https://plum.example.org", "plum.example.org"));
    assert_false(guard_knows_origin("http://localhost:8081", "localhost:8080"));
    assert_false(guard_knows_origin("http://evil.example", "localhost:8080"));
    assert_false(guard_knows_origin("null", "localhost:8080"));
    assert_false(guard_knows_origin("ftp://localhost:8080", "localhost:8080"));
}

static void a_purse_empties_and_fills_again(void **unused)
{
    (void)unused;
    static struct rate rate;
    int64_t now = CLOCK_NS_PER_S;
    for (int i = 0; i < RATE_BRIM; i++) {
        assert_true(rate_take(&rate, 7, now));
    }
    assert_false(rate_take(&rate, 7, now));
    assert_true(rate_take(&rate, 8, now));
    assert_true(rate_take(&rate, 7, now + CLOCK_NS_PER_S / RATE_PER_S * 2));
    assert_true(rate_take(&rate, 7, now + CLOCK_NS_PER_S / RATE_PER_S * 2));
    assert_false(rate_take(&rate, 7, now + CLOCK_NS_PER_S / RATE_PER_S * 2));
}

static char *string_of(const char *text)
{
    char *out = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&out, &size);
    json_text_string(file, text);
    fclose(file);
    return out;
}

static void json_holds_any_text(void **unused)
{
    (void)unused;
    static const char *const pairs[][2] = {
        {"plain", "\"plain\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"</script>", "\"\\u003c/script\\u003e\""},
        {"line\nend\t", "\"line\\u000aend\\u0009\""},
        {"pl\xc3\xbcm", "\"pl\xc3\xbcm\""},
        {"bad \xff byte", "\"bad ? byte\""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char *text = string_of(pairs[i][0]);
        assert_string_equal(text, pairs[i][1]);
        free(text);
    }
}

static void a_question_refuses_a_field_twice(void **unused)
{
    (void)unused;
    struct question question = {0};
    assert_true(question_add(&question, "game", "hop"));
    assert_false(question_add(&question, "game", "meichu"));
    assert_string_equal(question_get(&question, "game"), "hop");
    assert_null(question_get(&question, "position"));
}

static char *answer_to(const char *what, const char *path, enum err wanted)
{
    struct question question = {0};
    struct answerer answerer = {.cpu = CPU_BASELINE};
    struct note why = {""};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(question_add(&question, "game", "hop"));
    assert_true(question_add(&question, "path", path));
    assert_int_equal(answer_find(what)->write(&answerer, &question, out, &why), wanted);
    fclose(out);
    return text;
}

static void a_path_of_any_bytes_is_refused_or_answered(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"2", "22-", "22-2", "2x", "88", "22 24", "-", "22--24"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        free(answer_to("next", bad[i], ERR_INPUT));
    }
    char *text = answer_to("next", "22", ERR_NONE);
    assert_non_null(strstr(text, "\"is_move\":false"));
    assert_non_null(strstr(text, "\"square\":\"23\""));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_or_localhost_is_a_host_we_answer_to),
        cmocka_unit_test(a_name_must_have_been_given),
        cmocka_unit_test(only_our_own_pages_may_ask),
        cmocka_unit_test(a_purse_empties_and_fills_again),
        cmocka_unit_test(json_holds_any_text),
        cmocka_unit_test(a_question_refuses_a_field_twice),
        cmocka_unit_test(a_path_of_any_bytes_is_refused_or_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
