/* The parts of the arena that need no network. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/folder.h"
#include "random_tournament.h"
#include "web/api.h"
#include "web/live_view.h"
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

/* --- The live view of a tournament. --- */

static const char roster[] = "[tournament]\nname = Live\ngame = reversi\nseed = 3\n"
                             "[team 1]\nplayer = random\n[team 2]\nplayer = random\n"
                             "[team 3]\nplayer = random\n[team 4]\nplayer = random\n"
                             "[team 5]\nplayer = random\n[team 6]\nplayer = random\n";

static struct folder_scratch scratch;
static char database[FOLDER_SCRATCH_BYTES + 16];

static int make_tournament(void **unused)
{
    struct note why;
    (void)unused;
    assert_int_equal(folder_scratch_make(&scratch, &why), ERR_NONE);
    snprintf(database, sizeof database, "%s/t.db", scratch.path);
    random_tournament(database, roster, 7);
    return 0;
}

static int remove_tournament(void **unused)
{
    (void)unused;
    folder_scratch_remove(&scratch);
    return 0;
}

static char *view_text(const struct live_view *view)
{
    char *text = NULL;
    size_t size = 0;
    struct note why;
    struct live_view_extent extent = {0};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(live_view_write(view, out, &extent, &why), ERR_NONE);
    fclose(out);
    return text;
}

static int64_t rows_of_refresh(struct live_view *view, struct store *store)
{
    struct note why = {""};
    int64_t before = store_rows_read(store);
    if (live_view_refresh(view, store, CPU_BASELINE, &why)) {
        fail_msg("%s", why.text);
    }
    return store_rows_read(store) - before;
}

/* As if the game was not over when the view was loaded. */
static void forget_game(struct live_view *view, int number)
{
    struct tournament_game *game = &view->tournament.games[number];
    *game = (struct tournament_game){.number = number,
                                     .round = game->round,
                                     .pairing = game->pairing,
                                     .team = {game->team[0], game->team[1]}};
    view->tournament.open_games++;
}

static void a_finished_game_is_read_alone(void **unused)
{
    (void)unused;
    struct store *store = NULL;
    struct live_view view = {0};
    struct note why;
    assert_int_equal(store_open(database, STORE_READ, &store, &why), ERR_NONE);
    int64_t all = rows_of_refresh(&view, store);
    char *wanted = view_text(&view);
    assert_true(all >= 15 + 30); /* pairings and games */
    assert_int_equal(rows_of_refresh(&view, store), 0);
    for (int number = 0; number < 30; number += 7) {
        forget_game(&view, number);
        live_view_add(&view, &(struct store_event){
                                 .id = number + 1, .kind = "over", .game = number, .text = "1-0"});
        int64_t rows = rows_of_refresh(&view, store);
        assert_in_range(rows, 1, 1 + 2 * FAULT_KINDS);
        char *text = view_text(&view);
        assert_string_equal(text, wanted);
        free(text);
    }
    free(wanted);
    live_view_free(&view);
    store_close(store);
}

static void moves_and_starts_read_nothing_and_decisions_everything(void **unused)
{
    (void)unused;
    static const char *const quiet[] = {"run", "start", "ply", "stopped", "remark"};
    struct store *store = NULL;
    struct live_view view = {0};
    struct note why;
    assert_int_equal(store_open(database, STORE_READ, &store, &why), ERR_NONE);
    int64_t all = rows_of_refresh(&view, store);
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++) {
        live_view_add(&view, &(struct store_event){.kind = quiet[i], .game = 0, .text = "0 1 x"});
        assert_int_equal(rows_of_refresh(&view, store), 0);
    }
    live_view_add(&view, &(struct store_event){.kind = "annul", .game = 0, .text = "why"});
    assert_int_equal(rows_of_refresh(&view, store), all);
    live_view_free(&view);
    store_close(store);
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
        cmocka_unit_test(a_finished_game_is_read_alone),
        cmocka_unit_test(moves_and_starts_read_nothing_and_decisions_everything),
    };
    return cmocka_run_group_tests(tests, make_tournament, remove_tournament);
}
