#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/json_out.h"
#include "cli/thinking.h"

enum { MAX_TIME_MS = 24 * 3600 * 1000 };

static const char erase_line[] = "\r\033[K";

/* Beside the search: shows how long it takes already, and ends it when its time is over. */
struct minder {
    int64_t started_ns;
    int64_t limit_ns; /* 0: none */
    bool is_watched;  /* by a person, on stderr */
    atomic_bool stop;
    sem_t is_solved;
    pthread_t thread;
};

/* False when it comes to an end before. */
static bool passes(sem_t *end, int64_t ns)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    int64_t sum_ns = until.tv_nsec + ns;
    until.tv_sec += sum_ns / CLOCK_NS_PER_S;
    until.tv_nsec = sum_ns % CLOCK_NS_PER_S;
    return sem_timedwait(end, &until) != 0;
}

static void show_elapsed(const struct minder *minder, int64_t elapsed_ns)
{
    int64_t limit_s = minder->limit_ns / CLOCK_NS_PER_S;
    fprintf(stderr, "%ssolving for %" PRId64 " s", erase_line, elapsed_ns / CLOCK_NS_PER_S);
    if (limit_s) {
        fprintf(stderr, " of %" PRId64, limit_s);
    }
}

static void *mind(void *argument)
{
    const int64_t tick_ns = CLOCK_NS_PER_S / 10;
    struct minder *minder = argument;
    bool is_shown = false;
    int64_t wait_ns = tick_ns;
    do {
        int64_t elapsed_ns = clock_now_ns() - minder->started_ns;
        int64_t left_ns = minder->limit_ns ? minder->limit_ns - elapsed_ns : INT64_MAX;
        if (left_ns <= 0) {
            atomic_store(&minder->stop, true);
        }
        if (minder->is_watched && elapsed_ns >= CLOCK_NS_PER_S) {
            interrupt_writes(STDERR_FILENO, erase_line);
            show_elapsed(minder, elapsed_ns);
            is_shown = true;
        }
        wait_ns = left_ns > 0 && left_ns < tick_ns ? left_ns : tick_ns;
    } while (passes(&minder->is_solved, wait_ns));
    if (is_shown) {
        interrupt_writes(STDERR_FILENO, "");
        fputs(erase_line, stderr);
    }
    return NULL;
}

/* With a minder where one is needed. */
static enum err solve(struct engine *engine, const struct game *game, const struct state *state,
                      bool all, int64_t time_ms, struct engine_solution *out, struct note *why)
{
    struct minder minder = {.started_ns = clock_now_ns(),
                            .limit_ns = time_ms * CLOCK_NS_PER_MS,
                            .is_watched = isatty(STDERR_FILENO)};
    bool is_minded = minder.is_watched || time_ms;
    sem_init(&minder.is_solved, 0, 0);
    int error = is_minded ? pthread_create(&minder.thread, NULL, mind, &minder) : 0;
    if (error) {
        note_set(why, "cannot start a thread: %s", strerror(error));
        sem_destroy(&minder.is_solved);
        return ERR_ENVIRONMENT;
    }
    bool is_solved = engine_solve(engine, game, state, all, &minder.stop, out);
    if (is_minded) {
        sem_post(&minder.is_solved);
        pthread_join(minder.thread, NULL);
    }
    sem_destroy(&minder.is_solved);
    if (atomic_load(&minder.stop)) {
        note_set(why,
                 "not solved within %" PRId64 " ms; give it more --time, "
                 "or a position nearer to its end",
                 time_ms);
        return ERR_NEGATIVE;
    }
    if (!is_solved && out->nodes) {
        note_set(why,
                 "not solved with %.0f million positions; it is too far from the end of the game",
                 (double)out->nodes / 1e6);
        return ERR_NEGATIVE;
    }
    if (!is_solved) {
        note_set(why, "this position is too far from the end of the game to be solved");
        return ERR_NEGATIVE;
    }
    return ERR_NONE;
}

static enum err print_json(const struct game *game, const struct engine_solution *solution,
                           struct note *why)
{
    char text[GAME_MOVE_BYTES];
    json_t *moves = json_array();
    for (size_t i = 0; i < solution->count; i++) {
        game_write_move(game, &solution->moves[i], text);
        moves = json_out_append(moves, json_string(text));
    }
    return json_out_take(json_pack("{s:i, s:o, s:I, s:I}", "value", solution->value, "moves", moves,
                                   "nodes", (json_int_t)solution->nodes, "time_ms",
                                   (json_int_t)(solution->time_ns / CLOCK_NS_PER_MS)),
                         why);
}

static void print_plain(const struct game *game, const struct engine_solution *solution)
{
    char text[GAME_MOVE_BYTES];
    printf("%+d", solution->value);
    for (size_t i = 0; i < solution->count; i++) {
        game_write_move(game, &solution->moves[i], text);
        printf(" %s", text);
    }
    double seconds = (double)solution->time_ns / (double)CLOCK_NS_PER_S;
    printf("\n");
    fprintf(stderr, "%" PRIu64 " nodes in %.3f s (%.2f million/s)\n", solution->nodes, seconds,
            seconds > 0 ? (double)solution->nodes * 1e-6 / seconds : 0);
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    struct engine engine = {0};
    int64_t time_ms = 0;
    enum err err = args_position(args, &game, &state, why);
    if (!err) {
        err = args_number(args, "time", 1, MAX_TIME_MS, &time_ms, why);
    }
    if (!err) {
        err = thinking_needs_move(game, &state, why);
    }
    if (!err) {
        err = thinking_start(args, &engine, why);
    }
    if (err) {
        return err;
    }
    struct engine_solution solution;
    err = solve(&engine, game, &state, args_option(args, "all"), time_ms, &solution, why);
    engine_free(&engine);
    if (err) {
        return err;
    }
    if (args_option(args, "json")) {
        return print_json(game, &solution, why);
    }
    print_plain(game, &solution);
    return ERR_NONE;
}

const struct command cmd_solve = {
    .name = "solve",
    .run = run,
    .summary = "the exact value of a position",
    .operands = "GAME POSITION",
    .details =
        "Prints the final difference for the side to move when both play perfectly, and a move\n"
        "that reaches it: discs in reversi and othello, men at home in hop, in meichu 1 for a\n"
        "win, -1 for a loss and 0 for a draw. Reversi and othello take about three times as long\n"
        "for each more empty square: 20 are seconds, 26 minutes, and more than 30 are beyond\n"
        "anybody's patience: --time ends it. Hop and meichu give up after 100 million positions\n"
        "and say so. Hop is looked through to its move limit, because men can be brought home\n"
        "until then: five moves left to each side with full armies, more with few men. Meichu can\n"
        "be solved when somebody wins by force, or when both are nearly out of money and few\n"
        "barriers stand: own ones pay for moves.",
    .options = {{"all", NULL, "every optimal move"},
                {"time", "MS", "give up after so many milliseconds (never)"},
                THINKING_OPTIONS,
                {"json", NULL, "{\"value\", \"moves\": [...], \"nodes\", \"time_ms\"}"}},
    .examples = {{"plum solve othello "
                  "'O..OOOOX/.OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/...OOOOX/....O..X/........ b'",
                  "+38 10"}},
};
