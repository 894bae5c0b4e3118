/* The parts of the arena that need no network. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "play/tournament_session.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "random_tournament.h"
#include "web/address_share.h"
#include "web/api.h"
#include "web/live.h"
#include "web/live_view.h"
#include "web/origin_check.h"
#include "web/search_worker.h"
#include "web/token_bucket.h"
#include "web/web_server.h"

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
    assert_false(origin_check_origin("http:x://localhost:8080", "localhost:8080"));
    assert_true(origin_check_site(NULL));
    assert_true(origin_check_site("same-origin"));
    assert_true(origin_check_site("none"));
    assert_false(origin_check_site("same-site"));
    assert_false(origin_check_site("cross-site"));
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

static void the_last_ones_are_for_addresses_that_have_none(void **unused)
{
    (void)unused;
    static struct address_share share = {.most = 10, .most_each = 5, .reserve = 3};
    for (int i = 0; i < 5; i++) {
        assert_true(address_share_take(&share, 1));
    }
    assert_false(address_share_take(&share, 1));
    assert_true(address_share_take(&share, 2));
    assert_true(address_share_take(&share, 2));
    assert_false(address_share_has_room(&share, 2));
    for (uint64_t address = 3; address <= 5; address++) {
        assert_true(address_share_take(&share, address));
        assert_false(address_share_take(&share, address));
    }
    assert_false(address_share_has_room(&share, 6));
    assert_int_equal(atomic_load(&share.total), 10);
    address_share_give(&share, 4);
    assert_false(address_share_has_room(&share, 2));
    assert_true(address_share_has_room(&share, 4));
    for (int i = 0; i < 5; i++) {
        address_share_give(&share, 1);
    }
    address_share_give(&share, 1); /* it has none: nothing happens */
    assert_int_equal(atomic_load(&share.total), 4);
    assert_int_equal(share.holder_count, 3);
}

static uint64_t key_of(const char *text)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1) {
        return address_share_key((const struct sockaddr *)&four);
    }
    assert_int_equal(inet_pton(AF_INET6, text, &six.sin6_addr), 1);
    return address_share_key((const struct sockaddr *)&six);
}

static void an_address_of_ipv6_is_its_network(void **unused)
{
    (void)unused;
    assert_true(key_of("2001:db8:1:2::1") == key_of("2001:db8:1:2:ffff::9"));
    assert_true(key_of("2001:db8:1:2::1") != key_of("2001:db8:1:3::1"));
    assert_true(key_of("10.0.0.1") != key_of("10.0.0.2"));
    /* On a socket of IPv6 all addresses of IPv4 have the same first half. */
    assert_true(key_of("::ffff:10.0.0.1") == key_of("10.0.0.1"));
    assert_true(key_of("::ffff:10.0.0.1") != key_of("::ffff:10.0.0.2"));
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

static enum err position_after(const char *moves, struct note *why)
{
    struct api_query query = {0};
    const struct game *game = NULL;
    struct state state;
    assert_true(api_query_add(&query, "game", "hop"));
    assert_true(api_query_add(&query, "moves", moves));
    return api_query_position(&query, CPU_BASELINE, &game, &state, why);
}

static void moves_without_end_are_refused(void **unused)
{
    (void)unused;
    static char moves[16384];
    struct note why = {""};
    memset(moves, '1', GAME_MOVE_BYTES);
    assert_int_equal(position_after(moves, &why), ERR_INPUT);
    assert_string_equal(why.text, "move 1 is longer than any move");

    /* Back and forth, past the end of the game. */
    static const char *const there_and_back[] = {"20-21", "17-16", "21-20", "16-17"};
    size_t used = 0;
    for (int i = 0; i <= API_MAX_PLIES; i++) {
        used += (size_t)snprintf(moves + used, sizeof moves - used, "%s ", there_and_back[i % 4]);
    }
    assert_int_equal(position_after(moves, &why), ERR_NEGATIVE);
    assert_non_null(strstr(why.text, "move 401, '20-21'"));
}

/* --- The queue of searches. --- */

static sem_t has_begun;
static sem_t may_end;
static uint64_t done_for[SEARCH_WORKER_MAX_JOBS + 1];
static size_t done_count;

static enum err write_when_allowed(const struct api_context *context, const struct api_query *query,
                                   FILE *out, struct note *why)
{
    (void)context;
    (void)query;
    (void)why;
    sem_post(&has_begun);
    sem_wait(&may_end);
    fputs("{}", out);
    return ERR_NONE;
}

static void note_done(void *owner)
{
    const struct search_worker_job *job = owner;
    done_for[done_count++] = job->client;
}

static void clients_take_turns_in_a_queue_that_can_be_full(void **unused)
{
    (void)unused;
    enum { RUNNING = 1, CLIENTS = SEARCH_WORKER_MAX_JOBS / SEARCH_WORKER_MAX_JOBS_EACH };
    static const struct api_endpoint slow = {.name = "slow", .write = write_when_allowed};
    static struct search_worker_job jobs[RUNNING + SEARCH_WORKER_MAX_JOBS + 1];
    struct search_worker *worker = NULL;
    struct note why = {""};
    sem_init(&has_begun, 0, 0);
    sem_init(&may_end, 0, 0);
    assert_int_equal(search_worker_start(CPU_BASELINE, &worker, &why), ERR_NONE);
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        uint64_t client = i < RUNNING ? 1 : 1 + (i - RUNNING) / SEARCH_WORKER_MAX_JOBS_EACH;
        jobs[i] = (struct search_worker_job){
            .client = client, .endpoint = &slow, .on_done = note_done, .owner = &jobs[i]};
    }
    assert_int_equal(search_worker_add(worker, &jobs[0]), SEARCH_WORKER_TAKEN);
    sem_wait(&has_begun);
    for (size_t i = RUNNING; i < RUNNING + SEARCH_WORKER_MAX_JOBS; i++) {
        assert_int_equal(search_worker_add(worker, &jobs[i]), SEARCH_WORKER_TAKEN);
    }
    struct search_worker_job *last = &jobs[RUNNING + SEARCH_WORKER_MAX_JOBS];
    assert_int_equal(search_worker_add(worker, last), SEARCH_WORKER_IS_FULL);
    last->client = 1;
    assert_int_equal(search_worker_add(worker, last), SEARCH_WORKER_SHARE_IS_FULL);

    sem_post(&may_end);
    for (size_t i = 0; i < SEARCH_WORKER_MAX_JOBS; i++) {
        sem_wait(&has_begun);
        sem_post(&may_end);
    }
    search_worker_stop(worker);
    assert_int_equal(search_worker_add(worker, last), SEARCH_WORKER_IS_FULL);
    search_worker_free(worker);
    assert_int_equal(done_count, RUNNING + SEARCH_WORKER_MAX_JOBS);
    assert_int_equal(done_for[0], 1);
    for (size_t i = 0; i < SEARCH_WORKER_MAX_JOBS; i++) {
        /* Client 1 had the turn before, so it is the last in every round. */
        assert_int_equal(done_for[RUNNING + i], i % CLIENTS + 2 > CLIENTS ? 1 : i % CLIENTS + 2);
    }
    for (size_t i = 0; i < RUNNING + SEARCH_WORKER_MAX_JOBS; i++) {
        assert_int_equal(jobs[i].err, ERR_NONE);
        assert_string_equal(jobs[i].text, "{}");
        free(jobs[i].text);
    }
    sem_destroy(&may_end);
    sem_destroy(&has_begun);
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

static void an_anonymous_view_shows_neither_reasons_nor_the_order_of_the_roster(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        const char *text;
        const char *shown;
    } cases[] = {
        {"start", "0 2 start", "2 1 start"},
        {"start", "0 3 start", ""},
        {"start", "x", ""},
        {"ply", "1. b 33", "1. b 33"},
        {"over", "1-0 5-3 late", "1-0 5-3 late"},
        {"annul", "Ada's power failed", ""},
        {"created", "class.ini", ""},
    };
    int order[] = {2, 0, 1};
    struct live_view view = {.order = order, .order_count = 3, .is_anonymous = true};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[LIVE_VIEW_TEXT_BYTES];
        live_view_write_text(&view, cases[i].kind, cases[i].text, text, sizeof text);
        assert_string_equal(text, cases[i].shown);
    }
    view.is_anonymous = false;
    char text[LIVE_VIEW_TEXT_BYTES];
    live_view_write_text(&view, "annul", "Ada's power failed", text, sizeof text);
    assert_string_equal(text, "Ada's power failed");
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
    *game = (struct tournament_game){
        .number = number,
        .round = game->round,
        .pairing = game->pairing,
        .team = {game->team[0], game->team[1]},
        .summary.colour = {game->summary.colour[0], game->summary.colour[1]}};
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

/* --- A server. --- */

enum { ANSWER_BYTES = 65536 };

/* Sends a request and reads until the server closes; the answer lasts until the next. */
static const char *ask(const struct web_server *server, const char *address, const char *line,
                       const char *body)
{
    static char answer[ANSWER_BYTES];
    char request[1024];
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    bool is_four = inet_pton(AF_INET, address, &four.sin_addr) == 1;
    four.sin_port = six.sin6_port = htons((uint16_t)web_server_port(server));
    assert_true(is_four || inet_pton(AF_INET6, address, &six.sin6_addr) == 1);
    int socket_fd = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    assert_true(socket_fd >= 0);
    assert_int_equal(is_four ? connect(socket_fd, (struct sockaddr *)&four, sizeof four)
                             : connect(socket_fd, (struct sockaddr *)&six, sizeof six),
                     0);
    int length = snprintf(request, sizeof request,
                          "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                          "Content-Length: %zu\r\n\r\n%s",
                          line, strlen(body), body);
    assert_int_equal(send(socket_fd, request, (size_t)length, MSG_NOSIGNAL), length);
    size_t used = 0;
    ssize_t got = 0;
    while ((got = recv(socket_fd, answer + used, sizeof answer - 1 - used, 0)) > 0) {
        used += (size_t)got;
    }
    answer[used] = '\0';
    close(socket_fd);
    return answer;
}

static void expect_answer(const struct web_server *server, const char *line, int status,
                          const char *sentence)
{
    char first[32];
    const char *answer = ask(server, "127.0.0.1", line, "");
    snprintf(first, sizeof first, "HTTP/1.1 %d ", status);
    if (strncmp(answer, first, strlen(first)) != 0 || !strstr(answer, sentence)) {
        fail_msg("%s: %.500s", line, answer);
    }
}

static void a_wrong_request_is_refused_with_a_reason(void **unused)
{
    (void)unused;
    char path[FOLDER_SCRATCH_BYTES + 16];
    char new_database[FOLDER_SCRATCH_BYTES + 16];
    struct tournament_file file = {0};
    static struct roster_problems problems; /* large */
    struct web_server *server = NULL;
    struct note why = {""};
    snprintf(path, sizeof path, "%s/new.ini", scratch.path);
    snprintf(new_database, sizeof new_database, "%s/new.db", scratch.path);
    assert_true(file_write(path, "w", roster, strlen(roster)));
    assert_int_equal(tournament_session_create(&file, path, NULL, CPU_BASELINE, &problems, &why),
                     ERR_NONE);
    tournament_file_close(&file);
    const char *databases[] = {new_database, NULL};
    const char *hosts[] = {NULL};
    const struct web_server_options options = {
        .address = "127.0.0.1", .cpu = CPU_BASELINE, .databases = databases, .hosts = hosts};
    if (web_server_start(&options, &server, &why)) {
        fail_msg("%s", why.text);
    }
    expect_answer(server, "GET /api/v1/tournament/record?game=1", 422,
                  "game 1 has no record: it was not played yet");
    expect_answer(server, "GET /api/v1/tournament/record?game=99", 422,
                  "there is no game 99; the last one is 30");
    expect_answer(server, "GET /api/v1/tournament/record?game=1&game=2", 400, "\"error\"");
    expect_answer(server, "POST /api/v1/tournament/record?game=1", 405, "send this request by GET");
    expect_answer(server, "GET /api/v1/tournaments/2", 404, "there is no such tournament");
    expect_answer(server, "GET /api/v1/nothing", 404, "there is no such endpoint");
    expect_answer(server, "POST /api/v1/record", 400, "the body is empty");
    assert_int_equal(web_server_spectators(server), 0);
    web_server_stop(server);
}

static bool machine_has_ipv6(void)
{
    const struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int socket_fd = socket(AF_INET6, SOCK_STREAM, 0);
    bool has_it = socket_fd >= 0 && bind(socket_fd, (const struct sockaddr *)&six, sizeof six) == 0;
    if (socket_fd >= 0) {
        close(socket_fd);
    }
    return has_it;
}

static void a_server_on_ipv6_answers(void **unused)
{
    (void)unused;
    const char *none[] = {NULL};
    const struct web_server_options options = {
        .address = "::1", .cpu = CPU_BASELINE, .databases = none, .hosts = none};
    struct web_server *server = NULL;
    struct note why = {""};
    if (!machine_has_ipv6()) {
        print_message("skipped: this machine has no IPv6 address ::1\n");
        skip();
    }
    if (web_server_start(&options, &server, &why)) {
        fail_msg("%s", why.text);
    }
    const char *answer = ask(server, "::1", "GET /api/v1/games", "");
    assert_ptr_equal(strstr(answer, "HTTP/1.1 200 "), answer);
    web_server_stop(server);
}

/* --- Many clients. --- */

enum { CROWD = 4100, CROWD_FILES = 9000 /* both ends are in this process */ };

struct crowd {
    int sockets[CROWD];
    int count;
};

static int connect_from(const struct web_server *server, const char *address)
{
    const struct timeval patience = {.tv_sec = 60};
    struct sockaddr_in from = {.sin_family = AF_INET};
    struct sockaddr_in to = {.sin_family = AF_INET};
    int on = 1;
    to.sin_port = htons((uint16_t)web_server_port(server));
    assert_int_equal(inet_pton(AF_INET, address, &from.sin_addr), 1);
    assert_int_equal(inet_pton(AF_INET, "127.0.0.1", &to.sin_addr), 1);
    int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(socket_fd >= 0);
    setsockopt(socket_fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    setsockopt(socket_fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(bind(socket_fd, (struct sockaddr *)&from, sizeof from), 0);
    assert_int_equal(connect(socket_fd, (struct sockaddr *)&to, sizeof to), 0);
    return socket_fd;
}

/* The status of the answer; 0: the connection was ended without one. */
static int read_status(int socket_fd)
{
    char start[sizeof "HTTP/1.1 200"] = "";
    ssize_t got = recv(socket_fd, start, sizeof start - 1, MSG_WAITALL);
    return got == (ssize_t)sizeof start - 1 ? (int)strtol(start + sizeof "HTTP/1.1", NULL, 10) : 0;
}

static int join_crowd(struct crowd *crowd, const struct web_server *server, const char *address,
                      const char *request)
{
    int socket_fd = connect_from(server, address);
    ssize_t sent = send(socket_fd, request, strlen(request), MSG_NOSIGNAL);
    (void)sent; /* a connection that is refused may be closed already */
    assert_true(crowd->count < CROWD);
    crowd->sockets[crowd->count++] = socket_fd;
    return socket_fd;
}

static int ask_from(struct crowd *crowd, const struct web_server *server, const char *address,
                    const char *path)
{
    char request[256];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    return read_status(join_crowd(crowd, server, address, request));
}

static void leave_crowd(struct crowd *crowd)
{
    while (crowd->count) {
        close(crowd->sockets[--crowd->count]);
    }
}

static void watch_from_a_few_addresses(struct crowd *crowd, const struct web_server *server)
{
    static const char events[] = "/api/v1/tournament/events?after=999999";
    static const char *const greedy[] = {"127.0.0.2", "127.0.0.3"};
    for (size_t i = 0; i < sizeof greedy / sizeof greedy[0]; i++) {
        for (int k = 0; k < LIVE_MAX_STREAMS_EACH; k++) {
            assert_int_equal(ask_from(crowd, server, greedy[i], events), 200);
        }
        assert_int_equal(ask_from(crowd, server, greedy[i], events), 503);
    }
    assert_int_equal(web_server_spectators(server), 2 * LIVE_MAX_STREAMS_EACH);
    assert_int_equal(ask_from(crowd, server, "127.0.0.4", events), 200);
}

/* Half-sent requests and answered ones, until a connection is refused; returns how many were
 * answered. They expire, but not the streams. */
static int connect_until_refused(struct crowd *crowd, const struct web_server *server,
                                 const char *address)
{
    for (int answered = 0;; answered++) {
        join_crowd(crowd, server, address, "GET / HTTP/1.1\r\nHost: local");
        if (ask_from(crowd, server, address, "/") != 200) {
            return answered;
        }
    }
}

static void connect_from_a_few_addresses(struct crowd *crowd, const struct web_server *server)
{
    connect_until_refused(crowd, server, "127.0.0.2");                  /* 1500 */
    connect_until_refused(crowd, server, "127.0.0.3");                  /* 1500 */
    assert_true(connect_until_refused(crowd, server, "127.0.0.5") > 1); /* up to the reserve */
    assert_int_equal(ask_from(crowd, server, "127.0.0.6", "/"), 200);
    assert_int_equal(ask_from(crowd, server, "127.0.0.6", "/"), 0);
    assert_int_equal(ask_from(crowd, server, "127.0.0.7", "/"), 200);
}

static void a_few_addresses_cannot_take_all_connections_and_streams(void **unused)
{
    (void)unused;
    static struct crowd crowd;
    struct rlimit files = {0};
    const char *databases[] = {database, NULL};
    const char *none[] = {NULL};
    const struct web_server_options options = {
        .address = "127.0.0.1", .cpu = CPU_BASELINE, .databases = databases, .hosts = none};
    struct web_server *server = NULL;
    struct note why = {""};
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    if (files.rlim_max < CROWD_FILES) {
        print_message("skipped: a process may open only %llu files here\n",
                      (unsigned long long)files.rlim_max);
        skip();
    }
    if (web_server_start(&options, &server, &why)) {
        fail_msg("%s", why.text);
    }
    watch_from_a_few_addresses(&crowd, server);
    connect_from_a_few_addresses(&crowd, server);
    leave_crowd(&crowd);
    web_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_anonymous_view_shows_neither_reasons_nor_the_order_of_the_roster),
        cmocka_unit_test(an_address_or_localhost_is_a_host_we_answer_to),
        cmocka_unit_test(a_name_must_have_been_given),
        cmocka_unit_test(only_our_own_pages_may_ask),
        cmocka_unit_test(a_bucket_empties_and_fills_again),
        cmocka_unit_test(the_last_ones_are_for_addresses_that_have_none),
        cmocka_unit_test(an_address_of_ipv6_is_its_network),
        cmocka_unit_test(a_query_refuses_a_field_twice),
        cmocka_unit_test(a_path_of_any_bytes_is_refused_or_answered),
        cmocka_unit_test(moves_without_end_are_refused),
        cmocka_unit_test(clients_take_turns_in_a_queue_that_can_be_full),
        cmocka_unit_test(a_finished_game_is_read_alone),
        cmocka_unit_test(moves_and_starts_read_nothing_and_decisions_everything),
        cmocka_unit_test(a_wrong_request_is_refused_with_a_reason),
        cmocka_unit_test(a_server_on_ipv6_answers),
        cmocka_unit_test(a_few_addresses_cannot_take_all_connections_and_streams),
    };
    return cmocka_run_group_tests(tests, make_tournament, remove_tournament);
}
