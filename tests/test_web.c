/* The parts of the arena that need no network. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "web/api.h"
#include "web/origin_check.h"
#include "web/token_bucket.h"

static void an_address_or_localhost_is_a_host_we_answer_to(void **unused)
{
    (void)unused;
    const char *const none[] = {NULL};
    static const char *const good[] = {"127.0.0.1",  "127.0.0.1:8080", "localhost",  "LOCALHOST:1",
                                       "[::1]:8080", "[::1]",          "10.1.2.3:80"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(origin_check_host(good[i], none));
    }
    static const char *const bad[] = {
        "evil.example", "localhost.evil.example", "127.0.0.1.evil",   "",           ":8080", "[::1",
        "[::1]x",       "localhost:80:80",        "localhost:123456", "127.0.0.1:x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(origin_check_host(bad[i], none));
    }
    assert_false(origin_check_host(NULL, none));
}

static void a_name_must_have_been_given(void **unused)
{
    (void)unused;
    const char *const names[] = {"arena", "plum.example.org", NULL};
    assert_true(origin_check_host("plum.example.org:8080", names));
    assert_true(origin_check_host("ARENA", names));
    assert_false(origin_check_host("example.org", names));
}

static void only_our_own_pages_may_ask(void **unused)
{
    (void)unused;
    assert_true(origin_check_origin(NULL, "localhost:8080"));
    assert_true(origin_check_origin("http://localhost:8080", "localhost:8080"));
    assert_true(origin_check_origin("https://plum.example.org", "plum.example.org"));
    assert_false(origin_check_origin("http://localhost:8081", "localhost:8080"));
    assert_false(origin_check_origin("http://evil.example", "localhost:8080"));
    assert_false(origin_check_origin("null", "localhost:8080"));
    assert_false(origin_check_origin("ftp://localhost:8080", "localhost:8080"));
}

static void a_bucket_empties_and_fills_again(void **unused)
{
    (void)unused;
    static struct token_buckets buckets;
    int64_t now = CLOCK_NS_PER_S;
    for (int i = 0; i < TOKEN_BUCKET_MAX; i++) {
        assert_true(token_bucket_take(&buckets, 7, now));
    }
    assert_false(token_bucket_take(&buckets, 7, now));
    assert_true(token_bucket_take(&buckets, 8, now));
    assert_true(token_bucket_take(&buckets, 7, now + CLOCK_NS_PER_S / TOKEN_BUCKET_PER_S * 2));
    assert_true(token_bucket_take(&buckets, 7, now + CLOCK_NS_PER_S / TOKEN_BUCKET_PER_S * 2));
    assert_false(token_bucket_take(&buckets, 7, now + CLOCK_NS_PER_S / TOKEN_BUCKET_PER_S * 2));
}

static void a_query_refuses_a_field_twice(void **unused)
{
    (void)unused;
    struct api_query query = {0};
    assert_true(api_query_add(&query, "game", "hop"));
    assert_false(api_query_add(&query, "game", "meichu"));
    assert_string_equal(api_query_get(&query, "game"), "hop");
    assert_null(api_query_get(&query, "position"));
}

static char *answer_to(const char *what, const char *path, enum err wanted)
{
    struct api_query query = {0};
    struct api_context context = {.cpu = CPU_BASELINE};
    struct note why = {""};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(api_query_add(&query, "game", "hop"));
    assert_true(api_query_add(&query, "path", path));
    assert_int_equal(api_find(what)->write(&context, &query, out, &why), wanted);
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
        cmocka_unit_test(a_bucket_empties_and_fills_again),
        cmocka_unit_test(a_query_refuses_a_field_twice),
        cmocka_unit_test(a_path_of_any_bytes_is_refused_or_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
