/* cmd_play: play. */
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
#include "app/play_game.h"
#include "cli/engine_args.h"
#include "cli/terminal.h"
#include "engine/level.h"
#include "report/caption.h"

enum {
    NEWS_LINES = 6,
    LINE_COLUMNS = 80,
    DEFAULT_LEVEL = 5,
    DEFAULT_TIME_S = 2,
    HINT_NODES = 100000,
};

static const int64_t longest_time_ns = 86400 * CLOCK_NS_PER_S;

struct play_session {
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

static enum side to_move(const struct play_session *s)
{
    return s->play.game->to_move(&s->play.now);
}

/* A side without moves passes up to a hundred times: only the last lines are shown. */
static struct note *add_news(struct play_session *s)
{
    return &s->news[s->news_count++ % NEWS_LINES];
}

static void show_news(struct play_session *s)
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

/* --- The auction --- */

static bool read_colour(const char *word, int *out)
{
    static const char *const names[2][3] = {{"black", "b", "0"}, {"white", "w", "1"}};
    for (int colour = 0; colour < 2; colour++) {
        for (int i = 0; i < 3; i++) {
            if (strcmp(word, names[colour][i]) == 0) {
                *out = colour;
                return true;
            }
        }
    }
    return false;
}

static bool read_bid(char *line, struct bid *out)
{
    struct bid bid;
    const char *price = terminal_split(line);
    if (!read_colour(line, &bid.colour) ||
        number_read(price, "the price", INT32_MIN, INT32_MAX, &bid.price, NULL)) {
        puts("A bid is a colour, black or white, and a whole number.");
        return false;
    }
    *out = bid;
    return true;
}

static bool ask_bid(const struct terminal_input *input, struct bid *out)
{
    char line[TERMINAL_LINE_BYTES];
    do {
        if (!terminal_ask(input, "Your bid, such as black 5: ", line) ||
            strcmp(line, "quit") == 0) {
            return false;
        }
    } while (!read_bid(line, out));
    return true;
}

static void explain_auction(const struct play_game *play, const struct auction_outcome *outcome)
{
    const struct bid *yours = &play->bids.bids[0];
    const struct bid *ours = &play->bids.bids[1];
    enum side person = outcome->colour[0];
    enum side engine = outcome->colour[1];
    printf("Plum's bid was %s %lld.\n", side_name((enum side)ours->colour), (long long)ours->price);
    if (yours->colour != ours->colour) {
        puts("Each gets the colour of its bid and pays nothing.");
    } else {
        bool is_yours = (int)person == yours->colour;
        printf("Both want %s. %s %s it and %s %d: the lower price plus 1.\n",
               side_title((enum side)yours->colour),
               play->bids.lot >= 0 ? "The prices are equal, and by lot" : "By the higher price",
               is_yours ? "you get" : "Plum gets", is_yours ? "pay" : "pays",
               abs(outcome->budget[0] - outcome->budget[1]));
    }
    printf("You are %s with a budget of %d, Plum is %s with %d.\n", side_title(person),
           outcome->budget[person], side_title(engine), outcome->budget[engine]);
}

/* False: the person left. */
static bool hold_auction(struct play_session *s)
{
    struct bid yours;
    puts("Before the game each side bids for a colour, once and in secret. If both want the\n"
         "same one, the higher price gets it and pays the lower price plus 1 out of its\n"
         "budget. Prices above 140 count as 140.");
    if (!ask_bid(&s->input, &yours)) {
        return false;
    }
    struct auction_outcome outcome = play_game_auction(&s->play, yours, s->seed);
    explain_auction(&s->play, &outcome);
    return true;
}

/* --- Showing --- */

/* On a screen each board takes the place of the last one. */
static void show_board(struct play_session *s)
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

static void show_end(const struct play_session *s)
{
    struct result result = play_game_result(&s->play);
    int yours = result.score[s->play.person];
    int ours = result.score[side_other(s->play.person)];
    char ending[CAPTION_BYTES];
    caption_ending(s->play.game, result.outcome, result.reason, ending);
    if (result.outcome == OUTCOME_DRAW) {
        printf("A draw, %d to %d (%s).\n", yours, ours, ending);
    } else if ((result.outcome == OUTCOME_BLACK) == (s->play.person == SIDE_BLACK)) {
        printf("You win, %d to %d (%s).\n", yours, ours, ending);
    } else {
        printf("Plum wins, %d to %d (%s).\n", ours, yours, ending);
    }
}

/* --- The engine --- */

static struct engine_report think(struct play_session *s, const struct engine_limits *limits)
{
    struct engine_report report;
    if (s->input.is_screen) {
        fputs("Plum is thinking\xe2\x80\xa6", stdout);
        fflush(stdout);
    }
    engine_search(
        &s->engine,
        &(struct engine_request){.game = s->play.game, .state = &s->play.now, .limits = *limits},
        &report);
    if (s->input.is_screen) {
        fputs("\r\033[K", stdout);
    }
    return report;
}

static size_t count_moves(const struct play_session *s)
{
    struct move moves[GAME_MAX_MOVES];
    return s->play.game->moves(&s->play.now, moves);
}

static void let_engine_play(struct play_session *s)
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
    char opinion[PLAY_OPINION_BYTES];
    game_write_move(s->play.game, &report.move, move);
    play_game_opinion(s->play.game, &report, opinion);
    if (has_choice) {
        note_set(add_news(s), "Plum plays %.100s. It looked %d move%s ahead and %s.", move,
                 report.depth, report.depth == 1 ? "" : "s", opinion);
    } else {
        note_set(add_news(s), "Plum plays %.100s, the only move it has.", move);
    }
    play_game_add(&s->play, &report.move, &facts);
}

/* --- What a person can type --- */

static void list_legal(struct play_session *s, const char *square)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = 0;
    struct note why;
    if (!*square) {
        count = s->play.game->moves(&s->play.now, moves);
    } else if (play_game_moves_from(s->play.game, &s->play.now, square, moves, &count, &why)) {
        printf("%s\n", why.text);
        return;
    }
    if (count) {
        list_moves(s->play.game, moves, count);
    } else {
        puts(*square ? "No legal move begins there." : "The game is over.");
    }
}

static void play_move(struct play_session *s, const char *text)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = 0;
    struct note why;
    const struct game *game = s->play.game;
    if (play_game_is_over(&s->play)) {
        puts("The game is over.");
    } else if (game->path_min > 1 &&
               !play_game_moves_from(game, &s->play.now, text, moves, &count, &why)) {
        list_legal(s, text);
    } else if (play_game_read_move(game, &s->play.now, text, moves, &count, &why)) {
        printf("%s\n", why.text);
    } else if (count > 1) {
        printf("There are %zu ways; type one of them:\n", count);
        list_moves(game, moves, count);
    } else {
        struct annotation facts = {.has_time = true, .time_ns = clock_now_ns() - s->asked_ns};
        play_game_add(&s->play, &moves[0], &facts);
    }
}

static void give_hint(struct play_session *s, const char *rest)
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

static void undo(struct play_session *s, const char *rest)
{
    (void)rest;
    if (!play_game_undo(&s->play)) {
        puts("There is no move to take back.");
    }
}

static void draw_again(struct play_session *s, const char *rest)
{
    (void)rest;
    show_board(s);
}

/* Only a file that was saved in this session is overwritten. */
static void save(struct play_session *s, const char *path)
{
    struct note why;
    if (!*path) {
        puts("The file is missing: save FILE");
    } else if (strcmp(path, s->saved.text) != 0 && access(path, F_OK) == 0) {
        printf("%s exists already; choose another name.\n", path);
    } else if (play_game_save(&s->play, path, &why)) {
        printf("%s\n", why.text);
    } else {
        note_set(&s->saved, "%s", path);
        printf("Saved in %s.\n", path);
    }
}

static void resign(struct play_session *s, const char *rest)
{
    (void)rest;
    if (play_game_is_over(&s->play)) {
        puts("The game is over.");
    } else {
        s->play.is_resigned = true;
    }
}

static void quit(struct play_session *s, const char *rest)
{
    (void)rest;
    s->is_done = true;
}

static void print_help(struct play_session *s, const char *rest);

static const struct play_word {
    const char *name;
    const char *usage;
    const char *meaning;
    void (*run)(struct play_session *, const char *rest);
} words[] = {
    {"?", "? [SQUARE]", "your legal moves, or those that begin on a square", list_legal},
    {"hint", "hint", "what Plum would play", give_hint},
    {"undo", "undo", "take your last move back", undo},
    {"board", "board", "draw the board again", draw_again},
    {"save", "save FILE", "write the game so far as a game record", save},
    {"resign", "resign", "give up", resign},
    {"quit", "quit", "leave; so does the end of the input", quit},
    {"help", "help", "this list", print_help},
};

enum { WORDS = sizeof words / sizeof words[0] };

static void print_help(struct play_session *s, const char *rest)
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
    printf("'%.40s' is not a command%s%s%s help lists them.\n", typed,
           near ? "; did you mean " : ";", near ? near : "", near ? "?" : "");
}

static void obey(struct play_session *s, char *line)
{
    if (*line >= '0' && *line <= '9') {
        play_move(s, line);
        return;
    }
    if (*line == '?') {
        list_legal(s, line + 1);
        return;
    }
    const char *rest = terminal_split(line);
    for (int i = 0; i < WORDS; i++) {
        if (strcmp(line, words[i].name) == 0) {
            words[i].run(s, rest);
            return;
        }
    }
    refuse_word(line);
}

/* --- The game --- */

/* Until the person has moved, taken something back, resigned or left. */
static void let_person_play(struct play_session *s)
{
    size_t plies = s->play.count;
    bool is_over = play_game_is_over(&s->play);
    char prompt[64];
    char line[TERMINAL_LINE_BYTES];
    show_board(s);
    show_news(s);
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

static void pass_turn(struct play_session *s)
{
    struct move pass = move_pass();
    note_set(add_news(s), "%s no move and must pass.",
             to_move(s) == s->play.person ? "You have" : "Plum has");
    play_game_add(&s->play, &pass, &(struct annotation){.has_time = false});
}

static void play_on(struct play_session *s)
{
    while (!s->is_done) {
        if (play_game_is_over(&s->play)) {
            let_person_play(s);
        } else if (game_must_pass(s->play.game, &s->play.now)) {
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

static enum err read_command_line(const struct args *args, struct play_session *s, struct note *why)
{
    const char *text = "start";
    const char *side = "black";
    struct state start;
    s->play.level = DEFAULT_LEVEL;
    s->seed = (uint64_t)clock_now_ns();
    s->time_ns = DEFAULT_TIME_S * CLOCK_NS_PER_S;
    enum err err = args_game(args, &s->play.game, why);
    if (err || (err = ARGS_FIELDS(
                    args, why, {"level", ARGS_INT, &s->play.level, 1, ENGINE_MAX_LEVEL},
                    {"seed", ARGS_UINT64, &s->seed, 0, INT64_MAX},
                    {"time-limit", ARGS_SECONDS, &s->time_ns, CLOCK_NS_PER_MS, longest_time_ns},
                    {"start", ARGS_TEXT, &text, 0, 0}, {"side", ARGS_TEXT, &side, 0, 0}))) {
        return err;
    }
    err = game_read_position(s->play.game, text, &start, why);
    if (err) {
        note_prefix(why, "--start");
        return err;
    }
    play_game_begin(&s->play, strcmp(side, "white") == 0 ? SIDE_WHITE : SIDE_BLACK, &start);
    s->input = terminal_input_open(paint_choose(args_option(args, "color")));
    return ERR_NONE;
}

/* A person that chooses a colour or a position does not bid. */
static bool wants_auction(const struct args *args, const struct game *game)
{
    return game->auction && !args_option(args, "side") && !args_option(args, "start");
}

static enum err run_play(const struct args *args, struct note *why)
{
    static struct play_session session; /* too large for the stack */
    struct play_session *s = &session;
    enum err err = read_command_line(args, s, why);
    if (!err && !(err = engine_args_start(args, &s->engine, why))) {
        interrupt_writes(STDOUT_FILENO, "\n");
        printf("Plum plays %s at level %d (%s); help lists what you can type.\n",
               s->play.game->name, s->play.level, level_words(s->play.level)->name);
        s->is_done = wants_auction(args, s->play.game) && !hold_auction(s);
        play_on(s);
        engine_free(&s->engine);
    }
    return err;
}

const struct command cmd_play = {
    .name = "play",
    .run = run_play,
    .summary = "play against the engine on the terminal",
    .operands = "GAME",
    .options = {{"level", "1..10", "strength of the engine (5); plum levels lists them"},
                {"side", "black|white", "your colour (black); in @auction@: no auction"},
                {"start", "POSITION", "the position to begin with; in @auction@: no auction"},
                {"time-limit", "SECONDS", "for the engine's move (2)"},
                {"seed", "N", "seed of the engine's errors and of lots (from the clock)"},
                ENGINE_ARGS_OPTIONS,
                {"color", "auto|always|never", "colours: on a terminal (auto), always, never"}},
};
