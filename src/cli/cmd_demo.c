#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "cli/args.h"
#include "cli/board.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/sensible.h"
#include "game/registry.h"
#include "report/caption.h"

/* The seed whose tour is short and lets each side win something. */
enum { SEED = 48, DELAY_MS = 100, MAX_DELAY_MS = 60000, MAX_PLIES = 400, BOARD_BYTES = 1 << 16 };

struct stage {
    enum paint paint;
    int delay_ms;
    int max_plies;
    struct rng rng;
};

static const char show_cursor[] = "\033[0m\033[?25h";

/* A board reaches the terminal in one piece, without a cursor running over it. */
static void raise_curtain(enum paint paint)
{
    setvbuf(stdout, NULL, _IOFBF, BOARD_BYTES);
    if (paint != PAINT_PLAIN) {
        interrupt_writes(STDOUT_FILENO, show_cursor);
        fputs("\033[?25l", stdout);
    }
}

static void drop_curtain(enum paint paint)
{
    if (paint != PAINT_PLAIN) {
        interrupt_writes(STDOUT_FILENO, "");
        fputs(show_cursor, stdout);
    }
}

static void wait_ms(int ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000L};
    fflush(stdout);
    nanosleep(&left, NULL);
}

/* Draws over the last board on a terminal, below it elsewhere. */
static int draw_next(const struct game *game, const struct state *state, const struct move *last,
                     int lines_above, enum paint paint)
{
    if (paint != PAINT_PLAIN && lines_above) {
        printf("\033[%dA\033[J", lines_above);
    }
    int lines = board_draw(game, state, last, paint);
    if (paint == PAINT_PLAIN) {
        putchar('\n');
    }
    return lines;
}

static void play_game(const struct game *game, struct stage *stage)
{
    struct state state = game->start();
    int lines = draw_next(game, &state, NULL, 0, stage->paint);
    int plies = 0;
    for (; plies < stage->max_plies && !game_is_over(game, &state); plies++) {
        wait_ms(stage->delay_ms);
        struct move move = sensible_choose(game, &state, &stage->rng);
        game->apply(&state, &move, NULL);
        lines = draw_next(game, &state, &move, lines, stage->paint);
    }
    char turn[CAPTION_BYTES];
    caption_turn(game, &state, turn);
    printf("%s, %d moves: %s\n\n", game->name, plies, turn);
}

static void play_tour(enum cpu_level cpu, struct stage *stage)
{
    static const char *const tour[] = {"hop", "reversi", "meichu"};
    for (size_t i = 0; i < sizeof tour / sizeof tour[0]; i++) {
        const struct game *game = registry_find(cpu, tour[i], NULL);
        if (game) {
            play_game(game, stage);
        }
    }
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    enum paint paint = paint_choose(args_option(args, "color"));
    int64_t seed = SEED;
    int64_t delay_ms = paint == PAINT_PLAIN ? 0 : DELAY_MS;
    int64_t plies = MAX_PLIES;
    enum err err = args->count ? args_game(args, &game, why) : ERR_NONE;
    if (!err) {
        err = args_number(args, "seed", 0, INT64_MAX, &seed, why);
    }
    if (!err) {
        err = args_number(args, "delay", 0, MAX_DELAY_MS, &delay_ms, why);
    }
    if (!err) {
        err = args_number(args, "plies", 0, MAX_PLIES, &plies, why);
    }
    if (err) {
        return err;
    }
    struct stage stage = {paint, (int)delay_ms, (int)plies, rng_make((uint64_t)seed)};
    raise_curtain(paint);
    if (game) {
        play_game(game, &stage);
    } else {
        play_tour(args->cpu, &stage);
    }
    drop_curtain(paint);
    return ERR_NONE;
}

const struct command cmd_demo = {
    .name = "demo",
    .run = run,
    .summary = "watch a game between two simple players",
    .operands = "[GAME]",
    .details =
        "Two players who look one answer ahead play GAME, or one game each of hop, reversi\n"
        "and meichu. On a terminal the board is redrawn in place with the last move marked;\n"
        "elsewhere the boards follow one another. The same seed plays the same game.",
    .options = {{"seed", "N", "which game (48)"},
                {"delay", "MS", "milliseconds between moves (100 on a terminal, else 0)"},
                {"plies", "N", "stop after so many moves (400)"},
                {"color", "auto|always|never", "colours: on a terminal (auto), always, never"}},
    .examples = {{"plum demo", "a tour through three games"},
                 {"plum demo meichu --seed 7", "another game of meichu"},
                 {"plum demo reversi --delay 20", "fast"},
                 {"plum demo othello --plies 4", "the first four moves"}},
};
