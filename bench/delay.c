/* How long a turn of the judge's loop takes while a program does what it can to make it long, next
 * to the same with a program that does nothing. A timer of another game is due every millisecond;
 * its delay is what that game and every clock would suffer.
 *
 * usage: bench_delay                  prints the delays for each kind of program, in milliseconds
 *        bench_delay program KIND     is such a program
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "play/match_runner.h"
#include "base/clock.h"
#include "game/registry.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_job.h"

enum { ROUNDS = 3, ROUND_MS = 1000, MOST_TICKS = ROUNDS * ROUND_MS + 1 };

static void fail(const char *what)
{
    fprintf(stderr, "bench_delay: %s\n", what);
    exit(EXIT_FAILURE);
}

/* --- Programs --- */

static void write_files(void)
{
    int files[2] = {open("one", O_WRONLY | O_CREAT, 0600), open("other", O_WRONLY | O_CREAT, 0600)};
    for (int i = 0;; i++) {
        (void)!pwrite(files[i % 2], "x", 1, 0);
    }
}

static void write_output(int descriptor)
{
    static char bytes[1 << 16];
    for (;;) {
        (void)!write(descriptor, bytes, sizeof bytes);
    }
}

static void connect_again(void)
{
    enum { KEPT = 16 };
    int kept[KEPT] = {0};
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(8888), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (int i = 0;; i++) {
        int line = socket(AF_INET, SOCK_STREAM, 0);
        if (line >= 0 && connect(line, (const struct sockaddr *)&address, sizeof address) == 0) {
            (void)!send(line, "\7", 1, MSG_NOSIGNAL);
        }
        if (i >= KEPT) {
            close(kept[i % KEPT]);
        }
        kept[i % KEPT] = line;
    }
}

static void be_program(const char *kind)
{
    if (strcmp(kind, "files") == 0) {
        write_files();
    } else if (strcmp(kind, "output") == 0) {
        write_output(STDOUT_FILENO);
    } else if (strcmp(kind, "errors") == 0) {
        write_output(STDERR_FILENO);
    } else if (strcmp(kind, "connections") == 0) {
        connect_again();
    }
    for (;;) {
        sleep(1000);
    }
}

/* --- The judge --- */

struct delay_game {
    struct match_run run;
    uv_timer_t other;
    int64_t end_ns;
    int64_t last_ns;
    double delays_ms[MOST_TICKS];
    int count;
};

static void on_tick(uv_timer_t *timer)
{
    struct delay_game *game = timer->data;
    int64_t now_ns = clock_now_ns();
    if (game->count < MOST_TICKS) {
        game->delays_ms[game->count++] = (double)(now_ns - game->last_ns) / 1e6;
    }
    game->last_ns = now_ns;
    if (now_ns > game->end_ns) {
        uv_timer_stop(timer);
        match_stop(game->run.match);
    }
}

static void on_done(struct match_run *run, enum err err, const struct note *why)
{
    struct delay_game *game = (struct delay_game *)run;
    if (err != ERR_INTERRUPTED) {
        fail(err ? why->text : "the game was over too soon");
    }
    match_free(run->match);
    uv_close((uv_handle_t *)&game->other, NULL);
    match_runner_close(run->runner);
}

static void measure(const struct sandbox *sandbox, const char *kind, const char *player,
                    struct delay_game *game)
{
    struct player_spec specs[2];
    struct note why = {""};
    char text[PATH_MAX + 64];
    char own[PATH_MAX] = "";
    const struct game *reversi = registry_find(cpu_best(), "reversi", &why);
    const struct match_runner_setup setup = {.sandbox = sandbox, .slots = 1, .has_tcp = true};
    (void)!readlink("/proc/self/exe", own, sizeof own - 1);
    snprintf(text, sizeof text, "%s:%s program %s", player, own, kind);
    game->run =
        (struct match_run){.options = {.rules.judge = judge_rules_usual(reversi), .games = 1},
                           .specs = {&specs[0], &specs[1]},
                           .on_done = on_done};
    struct judge_rules *limits = &game->run.options.rules.judge;
    limits->startup_ns = limits->limit_ns = 600 * CLOCK_NS_PER_S;
    if (player_spec_read(text, reversi, &specs[0], &why) ||
        player_spec_read("random", reversi, &specs[1], &why) ||
        match_runner_open(&game->run.runner, &setup, &why)) {
        fail(why.text);
    }
    uv_timer_init(match_runner_loop(game->run.runner), &game->other);
    game->other.data = game;
    game->last_ns = clock_now_ns();
    game->end_ns = game->last_ns + ROUND_MS * CLOCK_NS_PER_MS;
    if (match_runner_start(game->run.runner, &game->run, &why)) {
        fail(why.text);
    }
    uv_timer_start(&game->other, on_tick, 1, 1);
    match_runner_finish(game->run.runner);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *kind;
        const char *player;
    } kinds[] = {{"nothing", "file:7"},
                 {"files", "file:7"},
                 {"output", "ugi"},
                 {"errors", "ugi"},
                 {"connections", "tcp:7"}};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    static struct delay_game games[KINDS];
    struct sandbox sandbox;
    struct note missing;
    if (argc > 1 && strcmp(argv[1], SANDBOX_CHILD) == 0) {
        sandbox_child_main(argc, argv);
    }
    if (argc > 2) {
        be_program(argv[2]);
    }
    struct sandbox_limits limits = sandbox_limits_default();
    limits.output_bytes = INT64_MAX;
    if (sandbox_probe(SANDBOX_AUTO, &limits, NULL, &sandbox, &missing)) {
        fail(missing.text);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < KINDS; i++) {
            measure(&sandbox, kinds[i].kind, kinds[i].player, &games[i]);
        }
    }
    printf("ms between two turns of another game  median   99.9 %%  longest\n");
    for (int i = 0; i < KINDS; i++) {
        struct delay_game *game = &games[i];
        qsort(game->delays_ms, (size_t)game->count, sizeof game->delays_ms[0], compare);
        printf("next to %-7s that floods %-11s %7.1f %8.1f %8.1f\n", kinds[i].player, kinds[i].kind,
               game->delays_ms[game->count / 2], game->delays_ms[(int)(0.999 * game->count)],
               game->delays_ms[game->count - 1]);
    }
    return EXIT_SUCCESS;
}
