#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/board.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/opinion.h"
#include "cli/play_auction.h"
#include "cli/play_game.h"
#include "cli/engine_args.h"
#include "cli/terminal.h"
#include "cli/typed_move.h"
#include "engine/level.h"

enum {
    NEWS_LINES = 6,
    LINE_COLUMNS = 80,
    DEFAULT_LEVEL = 5,
    DEFAULT_TIME_S = 2,
    HINT_NODES = 100000,
};

static const int64_t longest_time_ns = 86400 * CLOCK_NS_PER_S;

/* A person, an engine, and what lies between them. */
struct session {
    struct terminal_input input;
    struct play_game play;
    struct engine engine;
    int64_t time_ns; /* for the engine's move */
    uint64_t seed;
    struct note news[NEWS_LINES]; /* what happened last since the person was asked */
    size_t news_count;            /* all of it */
    struct note saved;            /* where the game was saved last */
    int64_t asked_ns;
    bool has_board; /* one was drawn */
    bool is_done;
};

static enum side to_move(const struct session *s) { return s->play.game->to_move(&s->play.now); }

/* A side that has nothing left passes a hundred times: only the end of it is told. */
static struct note *add_news(struct session *s) { return &s->news[s->news_count++ % NEWS_LINES]; }

static void tell_news(struct session *s)
{
    size_t first = s->news_count > NEWS_LINES ? s->news_count - NEWS_LINES : 0;
    if (first) {
        puts("...");
    }
    for (size_t i = first; i < s->news_count; i++) {
        puts(s->news[i % NEWS_LINES].text);
    }
    s->news_count = 0;
}

/* --- Showing --- */

/* On a screen each board takes the place of the last one. */
static void show_board(struct session *s)
{
    fputs(s->input.is_screen && s->has_board ? "\033[H\033[2J" : "\n", stdout);
    s->has_board = true;
    board_draw(s->play.game, &s->play.now, play_game_last(&s->play), s->input.paint);
    putchar('\n');
}

static void list_moves(const struct game *game, const struct move *moves, size_t count)
{
    int column = 0;
    for (size_t i = 0; i < count; i++) {
        char text[GAME_MOVE_BYTES];
        game_write_move(game, &moves[i], text);
        int width = (int)strlen(text);
        bool is_full = column && column + 1 + width > LINE_COLUMNS;
        printf("%s%s", is_full ? "\n" : column ? " " : "", text);
        column = is_full ? width : column + (column ? 1 : 0) + width;
    }
    putchar('\n');
}

static void show_end(const struct session *s)
{
    struct result result = play_game_result(&s->play);
    int yours = result.score[s->play.person];
    int ours = result.score[side_other(s->play.person)];
    if (result.outcome == OUTCOME_DRAW) {
        printf("A draw, %d to %d (%s).\n", yours, ours, result.reason);
    } else if ((result.outcome == OUTCOME_BLACK) == (s->play.person == SIDE_BLACK)) {
        printf("You win, %d to %d (%s).\n", yours, ours, result.reason);
    } else {
        printf("Plum wins, %d to %d (%s).\n", ours, yours, result.reason);
    }
}

/* --- The engine --- */

static struct engine_report think(struct session *s, const struct engine_limits *limits)
{
    struct engine_report report;
    if (s->input.is_screen) {
        fputs("Plum is thinking\xe2\x80\xa6", stdout);
        fflush(stdout);
    }
    engine_search(&s->engine, s->play.game, &s->play.now, limits, NULL, NULL, NULL, &report);
    if (s->input.is_screen) {
        fputs("\r\033[K", stdout);
    }
    return report;
}

static size_t count_moves(const struct session *s)
{
    struct move moves[GAME_MAX_MOVES];
    return s->play.game->moves(&s->play.now, moves);
}

static void let_engine_play(struct session *s)
{
    struct engine_limits limits = {
        .level = s->play.level, .time_ns = s->time_ns, .seed = s->seed + s->play.count};
    bool has_choice = count_moves(s) > 1;
    struct engine_report report = think(s, &limits);
    struct annotation facts = {.has_time = true,
                          .has_depth = true,
                          .has_score = true,
                          .has_nodes = true,
                          .time_ns = report.time_ns,
                          .depth = report.depth,
                          .score_hundredths = report.score,
                          .nodes = (int64_t)report.nodes};
    char move[GAME_MOVE_BYTES];
    char opinion[OPINION_BYTES];
    game_write_move(s->play.game, &report.move, move);
    opinion_write(s->play.game, &report, opinion);
    if (has_choice) {
        note_set(add_news(s), "Plum plays %.100s. It looked %d move%s ahead and %s.", move,
                 report.depth, report.depth == 1 ? "" : "s", opinion);
    } else {
        note_set(add_news(s), "Plum plays %.100s, the only move it has.", move);
    }
    play_game_add(&s->play, &report.move, &facts);
}

/* --- What a person can say --- */

static void say_moves(struct session *s, const char *square)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = 0;
    struct note why;
    if (!*square) {
        count = s->play.game->moves(&s->play.now, moves);
    } else if (typed_move_from(s->play.game, &s->play.now, square, moves, &count, &why)) {
        printf("%s\n", why.text);
        return;
    }
    if (count) {
        list_moves(s->play.game, moves, count);
    } else {
        puts(*square ? "No legal move begins there." : "The game is over.");
    }
}

static void play_move(struct session *s, const char *text)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = 0;
    struct note why;
    const struct game *game = s->play.game;
    if (play_game_is_over(&s->play)) {
        puts("The game is over.");
    } else if (game->path_min > 1 &&
               !typed_move_from(game, &s->play.now, text, moves, &count, &why)) {
        say_moves(s, text);
    } else if (typed_move_read(game, &s->play.now, text, moves, &count, &why)) {
        printf("%s\n", why.text);
    } else if (count > 1) {
        printf("There are %zu ways; type one of them:\n", count);
        list_moves(game, moves, count);
    } else {
        struct annotation facts = {.has_time = true, .time_ns = clock_now_ns() - s->asked_ns};
        play_game_add(&s->play, &moves[0], &facts);
    }
}

static void say_hint(struct session *s, const char *rest)
{
    (void)rest;
    if (play_game_is_over(&s->play)) {
        puts("The game is over.");
        return;
    }
    struct engine_limits limits = {.nodes = HINT_NODES, .time_ns = s->time_ns};
    struct engine_report report = think(s, &limits);
    engine_clear(&s->engine); /* a weak opponent must not learn from it */
    char move[GAME_MOVE_BYTES];
    game_write_move(s->play.game, &report.move, move);
    printf("Plum would play %s.\n", move);
}

static void undo(struct session *s, const char *rest)
{
    (void)rest;
    if (!play_game_undo(&s->play)) {
        puts("There is nothing to take back.");
    }
}

static void draw_again(struct session *s, const char *rest)
{
    (void)rest;
    show_board(s);
}

/* Only what was saved in this session may be saved again. */
static void save(struct session *s, const char *path)
{
    struct note why;
    if (!*path) {
        puts("Say where: save FILE");
    } else if (strcmp(path, s->saved.text) != 0 && access(path, F_OK) == 0) {
        printf("%s is there already; choose another name.\n", path);
    } else if (play_game_save(&s->play, path, &why)) {
        printf("%s\n", why.text);
    } else {
        note_set(&s->saved, "%s", path);
        printf("Saved in %s.\n", path);
    }
}

static void resign(struct session *s, const char *rest)
{
    (void)rest;
    if (play_game_is_over(&s->play)) {
        puts("The game is over.");
    } else {
        s->play.is_resigned = true;
    }
}

static void quit(struct session *s, const char *rest)
{
    (void)rest;
    s->is_done = true;
}

static void say_help(struct session *s, const char *rest);

static const struct word {
    const char *name;
    const char *usage;
    const char *meaning;
    void (*say)(struct session *, const char *rest);
} words[] = {
    {"?", "? [SQUARE]", "your legal moves, or those that begin on a square", say_moves},
    {"hint", "hint", "what Plum would play", say_hint},
    {"undo", "undo", "take your last move back", undo},
    {"board", "board", "draw the board again", draw_again},
    {"save", "save FILE", "write the game so far as a game record", save},
    {"resign", "resign", "give up", resign},
    {"quit", "quit", "leave; so does the end of the input", quit},
    {"help", "help", "this list", say_help},
};

enum { WORDS = sizeof words / sizeof words[0] };

static void say_help(struct session *s, const char *rest)
{
    (void)rest;
    bool is_path = s->play.game->path_max > 2;
    printf("  %-12s%s\n",
           is_path                      ? "10-12-32"
           : s->play.game->path_min > 1 ? "74-64"
                                        : "23",
           "play: squares by row and column");
    if (is_path) {
        printf("  %-12s%s\n", "10 32", "start and end will do where there is only one way");
    }
    for (int i = 0; i < WORDS; i++) {
        printf("  %-12s%s\n", words[i].usage, words[i].meaning);
    }
}

static void refuse_word(const char *typed)
{
    const char *names[WORDS + 1] = {NULL};
    for (int i = 0; i < WORDS; i++) {
        names[i] = words[i].name;
    }
    const char *near = args_suggest(typed, names);
    printf("'%.40s' means nothing here%s%s%s help lists what does.\n", typed,
           near ? "; did you mean " : ";", near ? near : "", near ? "?" : "");
}

static void obey(struct session *s, char *line)
{
    if (*line >= '0' && *line <= '9') {
        play_move(s, line);
        return;
    }
    if (*line == '?') {
        say_moves(s, line + 1);
        return;
    }
    const char *rest = terminal_split(line);
    for (int i = 0; i < WORDS; i++) {
        if (strcmp(line, words[i].name) == 0) {
            words[i].say(s, rest);
            return;
        }
    }
    refuse_word(line);
}

/* --- The game --- */

/* Until the person has moved, taken something back, resigned or left. */
static void let_person_play(struct session *s)
{
    size_t plies = s->play.count;
    bool is_over = play_game_is_over(&s->play);
    char prompt[64];
    char line[TERMINAL_LINE_BYTES];
    show_board(s);
    tell_news(s);
    if (is_over) {
        show_end(s);
    }
    snprintf(prompt, sizeof prompt, "%s, your move: ", side_title(s->play.person));
    s->asked_ns = clock_now_ns();
    while (!s->is_done && s->play.count == plies && play_game_is_over(&s->play) == is_over) {
        if (!terminal_ask(&s->input, is_over ? "save, undo or quit: " : prompt, line)) {
            s->is_done = true;
        } else if (*line) {
            obey(s, line);
        }
    }
}

static bool must_pass(const struct session *s)
{
    struct state after = s->play.now;
    struct move pass = move_pass();
    return s->play.game->apply(&after, &pass, NULL) == ERR_NONE;
}

static void pass_turn(struct session *s)
{
    struct move pass = move_pass();
    note_set(add_news(s), "%s no move and must pass.",
             to_move(s) == s->play.person ? "You have" : "Plum has");
    play_game_add(&s->play, &pass, &(struct annotation){.has_time = false});
}

static void play_on(struct session *s)
{
    while (!s->is_done) {
        if (play_game_is_over(&s->play)) {
            let_person_play(s);
        } else if (must_pass(s)) {
            pass_turn(s);
        } else if (to_move(s) == s->play.person) {
            let_person_play(s);
        } else {
            let_engine_play(s);
        }
    }
    puts("Goodbye.");
}

/* --- The command line --- */

static enum err read_strength(const struct args *args, struct session *s, struct note *why)
{
    int64_t level = DEFAULT_LEVEL;
    int64_t seed = clock_now_ns();
    const char *time = args_option(args, "time-limit");
    s->time_ns = DEFAULT_TIME_S * CLOCK_NS_PER_S;
    enum err err = args_number(args, "level", 1, ENGINE_MAX_LEVEL, &level, why);
    if (!err) {
        err = args_number(args, "seed", 0, INT64_MAX, &seed, why);
    }
    if (!err && time) {
        err = number_read_seconds(time, "--time-limit", CLOCK_NS_PER_MS, longest_time_ns,
                                  &s->time_ns, why);
    }
    s->play.level = (int)level;
    s->seed = (uint64_t)seed;
    return err;
}

static enum err read_start(const struct args *args, struct session *s, struct note *why)
{
    const char *text = args_option(args, "start");
    const char *side = args_option(args, "side");
    struct state start;
    enum err err = game_read_position(s->play.game, text ? text : "start", &start, why);
    if (err) {
        note_prefix(why, "--start");
        return err;
    }
    play_game_begin(&s->play, side && strcmp(side, "white") == 0 ? SIDE_WHITE : SIDE_BLACK, &start);
    return ERR_NONE;
}

static enum err read_command_line(const struct args *args, struct session *s, struct note *why)
{
    enum err err = args_game(args, &s->play.game, why);
    if (!err) {
        err = read_strength(args, s, why);
    }
    if (!err) {
        err = read_start(args, s, why);
    }
    s->input = terminal_input_open(paint_choose(args_option(args, "color")));
    return err;
}

/* Who chooses a colour or a position does not bid for one. */
static bool wants_auction(const struct args *args, const struct game *game)
{
    return game->auction && !args_option(args, "side") && !args_option(args, "start");
}

static enum err run(const struct args *args, struct note *why)
{
    struct session *s = calloc(1, sizeof *s);
    if (!s) {
        note_set(why, "no memory for a game");
        return ERR_ENVIRONMENT;
    }
    enum err err = read_command_line(args, s, why);
    if (!err) {
        err = engine_args_start(args, &s->engine, why);
    }
    if (!err) {
        interrupt_writes(STDOUT_FILENO, "\n");
        printf("Plum plays %s at level %d (%s); help lists what you can say.\n", s->play.game->name,
               s->play.level, level_words(s->play.level)->name);
        s->is_done =
            wants_auction(args, s->play.game) && !play_auction(&s->input, s->seed, &s->play);
        play_on(s);
        engine_free(&s->engine);
    }
    free(s);
    return err;
}

const struct command cmd_play = {
    .name = "play",
    .run = run,
    .summary = "play against our engine on the terminal",
    .operands = "GAME",
    .details =
        "You type moves by their squares, and hint, undo, save, resign or quit; ? lists the\n"
        "legal moves and help all that can be said. The engine says what it played and what it\n"
        "thinks of the position. In meichu you bid for a colour first.\n"
        "\n"
        "When the input is no terminal, lines are read from it and shown.",
    .options = {{"level", "1..10", "how strong the engine is (5); plum levels lists them"},
                {"side", "black|white", "your colour (black); in meichu: no auction"},
                {"start", "POSITION", "where to begin; in meichu: no auction"},
                {"time-limit", "SECONDS", "for the engine's move (2)"},
                {"seed", "N", "of the engine's errors and of lots (by the clock)"},
                ENGINE_ARGS_OPTIONS,
                {"color", "auto|always|never", "colours: on a terminal (auto), always, never"}},
    .examples = {{"plum play reversi", "a game as Black"},
                 {"plum play hop --side white --level 3", "against a weaker engine"},
                 {"plum play meichu --level 10 --time-limit 10", "bid, and meet our best"}},
};
