#include "protocol/ugi.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "engine/time_limit.h"

enum {
    MAX_MS = 24 * 3600 * 1000,
    MOVES_TO_GO = 30,  /* that a clock for the whole game should last for */
    UNCLEAR_MS = 1000, /* where a limit was meant but none was understood */
};

/* Reads the words of a line one after the other. */
struct ugi_words {
    const char *at;
};

static const char spaces[] = " \t\r";

/* The next word's length, 0 at the end; *word is where it begins. */
static size_t next_word(struct ugi_words *words, const char **word)
{
    words->at += strspn(words->at, spaces);
    *word = words->at;
    size_t length = strcspn(words->at, spaces);
    words->at += length;
    return length;
}

static bool is_word(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && strncmp(word, text, length) == 0;
}

static enum err copy_word(const char *word, size_t length, const char *what, char *out, size_t room,
                          struct note *why)
{
    if (length == 0 || length >= room) {
        return note_fail(why, ERR_INPUT, length ? "%s is too long: '%.40s'" : "%s is missing", what,
                         word);
    }
    memcpy(out, word, length);
    out[length] = '\0';
    return ERR_NONE;
}

/* --- Commands, as an engine reads them --- */

static enum err read_option(struct ugi_words *words, struct ugi_command *out, struct note *why)
{
    const char *word = NULL;
    size_t length = next_word(words, &word);
    if (is_word(word, length, "name")) {
        length = next_word(words, &word);
    }
    enum err err = copy_word(word, length, "the option's name", out->name, sizeof out->name, why);
    if (err) {
        return err;
    }
    length = next_word(words, &word);
    if (is_word(word, length, "value")) {
        length = next_word(words, &word);
    }
    return copy_word(word, length, "the option's value", out->value, sizeof out->value, why);
}

/* Where the word `moves` begins, or the end. */
static const char *find_moves(const char *text)
{
    struct ugi_words words = {text};
    const char *word = NULL;
    for (size_t length = 0; (length = next_word(&words, &word));) {
        if (is_word(word, length, "moves")) {
            return word;
        }
    }
    return words.at;
}

/* The text between `fen` and `moves`, with single spaces. */
static enum err read_fen(const struct game *game, struct ugi_words *words, const char *end,
                         struct state *out, struct note *why)
{
    char text[GAME_POSITION_BYTES];
    size_t used = 0;
    while (words->at < end) {
        const char *word = NULL;
        size_t length = next_word(words, &word);
        if (length == 0 || word >= end) {
            break;
        }
        if (used + length + 2 > sizeof text) {
            return note_fail(why, ERR_INPUT, "the position is too long");
        }
        if (used > 0) {
            text[used++] = ' ';
        }
        memcpy(text + used, word, length);
        used += length;
    }
    text[used] = '\0';
    return game_read_position(game, text, out, why);
}

static enum err play_moves(const struct game *game, struct ugi_words *words, struct state *state,
                           struct note *why)
{
    const char *word = NULL;
    size_t length = 0;
    (void)next_word(words, &word); /* `moves` itself, or nothing */
    for (int i = 1; (length = next_word(words, &word)); i++) {
        char text[GAME_MOVE_BYTES];
        struct move move;
        enum err err = copy_word(word, length, "a move", text, sizeof text, why);
        if (err || (err = game_read_move(game, text, &move, why)) ||
            (err = game->apply(state, &move, why))) {
            note_prefix(why, "move %d", i);
            return err;
        }
    }
    return ERR_NONE;
}

static enum err read_position(const struct game *game, struct ugi_words *words, struct state *out,
                              struct note *why)
{
    const char *word = NULL;
    size_t length = next_word(words, &word);
    const char *moves = find_moves(words->at);
    struct state state = game->start();
    enum err err = ERR_NONE;
    if (is_word(word, length, "fen")) {
        err = read_fen(game, words, moves, &state, why);
    } else if (!is_word(word, length, "startpos") ||
               words->at + strspn(words->at, spaces) != moves) {
        err = note_fail(why, ERR_INPUT,
                        "a position is 'startpos' or 'fen POSITION', then 'moves MOVE ...'");
    }
    if (!err) {
        words->at = moves;
        err = play_moves(game, words, &state, why);
    }
    if (!err) {
        *out = state;
    }
    return err;
}

/* The number after `name`, cut to 0 … high. False: there is none, and the next word is not taken.
 */
static bool read_limit(struct ugi_words *words, const char *name, int64_t high, int64_t *limit,
                       struct note *remark)
{
    struct ugi_words ahead = *words;
    const char *word = NULL;
    char text[UGI_COMMAND_WORD_BYTES];
    size_t length = next_word(&ahead, &word);
    size_t sign = *word == '-';
    if (length == sign || strspn(word + sign, "0123456789") != length - sign) {
        note_set(remark, "'%s' is not followed by a number", name);
        return false;
    }
    if (copy_word(word, length, name, text, sizeof text, NULL) ||
        number_read(text, name, 0, high, limit, NULL)) {
        *limit = sign ? 0 : high;
        note_set(remark, "'%s' is cut to %" PRId64, name, *limit);
    }
    *words = ahead;
    return true;
}

/* Of several remarks the first is kept. */
static void read_go(struct ugi_words *words, struct ugi_go *out, struct note *remark)
{
    enum { DEPTH, NODES, MOVETIME, P1TIME, P2TIME, P1INC, P2INC, LIMITS };
    static const struct {
        const char *name;
        int64_t high;
    } rows[LIMITS] = {
        [DEPTH] = {"depth", INT_MAX},      [NODES] = {"nodes", INT64_MAX},
        [MOVETIME] = {"movetime", MAX_MS}, [P1TIME] = {"p1time", MAX_MS},
        [P2TIME] = {"p2time", MAX_MS},     [P1INC] = {"p1inc", MAX_MS},
        [P2INC] = {"p2inc", MAX_MS},
    };
    int64_t limits[LIMITS] = {0};
    bool has_limit = false;
    const char *word = NULL;
    size_t length = next_word(words, &word);
    bool is_infinite = length == 0;
    for (; length; length = next_word(words, &word)) {
        struct note said = {""};
        int i = 0;
        while (i < LIMITS && !is_word(word, length, rows[i].name)) {
            i++;
        }
        if (i == LIMITS && is_word(word, length, "infinite")) {
            is_infinite = true;
        } else if (i == LIMITS) {
            note_set(&said, "'go' does not know '%.*s'", length < 20 ? (int)length : 20, word);
        } else if (read_limit(words, rows[i].name, rows[i].high, &limits[i], &said)) {
            /* No time at all means "now", not "as long as you like". */
            limits[i] = limits[i] || i >= P1INC ? limits[i] : 1;
            has_limit |= i < P1INC;
        }
        *remark = *remark->text ? *remark : said;
    }
    if (!has_limit && !is_infinite) {
        struct note first = *remark;
        limits[MOVETIME] = UNCLEAR_MS;
        note_set(remark, "%.200s%sno limit is left, so it thinks for %d ms", first.text,
                 *first.text ? "; " : "", UNCLEAR_MS);
    }
    *out = (struct ugi_go){.is_infinite = is_infinite && !has_limit,
                           .depth = (int)limits[DEPTH],
                           .nodes = (uint64_t)limits[NODES],
                           .movetime_ms = limits[MOVETIME],
                           .time_ms = {limits[P1TIME], limits[P2TIME]},
                           .increment_ms = {limits[P1INC], limits[P2INC]}};
}

static enum err read_verb(const char *word, size_t length, enum ugi_verb *out, struct note *why)
{
    static const struct {
        const char *name;
        enum ugi_verb verb;
    } rows[] = {
        {"", UGI_NOTHING},           {"ugi", UGI_UGI},
        {"isready", UGI_ISREADY},    {"setoption", UGI_SETOPTION},
        {"uginewgame", UGI_NEWGAME}, {"position", UGI_POSITION},
        {"query", UGI_QUERY},        {"go", UGI_GO},
        {"stop", UGI_STOP},          {"quit", UGI_QUIT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (is_word(word, length, rows[i].name)) {
            *out = rows[i].verb;
            return ERR_NONE;
        }
    }
    return note_fail(why, ERR_INPUT, "unknown command '%.40s'", word);
}

enum ugi_verb ugi_verb(const char *line)
{
    struct ugi_words words = {line};
    const char *word = NULL;
    size_t length = next_word(&words, &word);
    enum ugi_verb verb = UGI_NOTHING;
    return read_verb(word, length, &verb, NULL) ? UGI_NOTHING : verb;
}

enum err ugi_read_command(const struct game *game, const char *line, struct ugi_command *out,
                          struct note *why)
{
    struct ugi_words words = {line};
    const char *word = NULL;
    size_t length = next_word(&words, &word);
    struct ugi_command command = {.verb = UGI_NOTHING};
    enum err err = read_verb(word, length, &command.verb, why);
    if (err) {
        return err;
    }
    switch (command.verb) {
    case UGI_SETOPTION:
        err = read_option(&words, &command, why);
        break;
    case UGI_POSITION:
        err = read_position(game, &words, &command.position, why);
        break;
    case UGI_QUERY:
        length = next_word(&words, &word);
        err = copy_word(word, length, "what to query", command.name, sizeof command.name, why);
        break;
    case UGI_GO:
        read_go(&words, &command.go, &command.remark);
        break;
    default:
        break;
    }
    if (!err) {
        *out = command;
    }
    return err;
}

int64_t ugi_think_ns(const struct ugi_go *go, enum side side)
{
    enum side owner = go->time_ms[side] ? side : side_other(side);
    int64_t clock_ms = go->time_ms[owner];
    if (go->movetime_ms) {
        return time_limit_of_movetime(go->movetime_ms * CLOCK_NS_PER_MS);
    }
    if (!clock_ms) {
        return 0;
    }
    int64_t ms = clock_ms / MOVES_TO_GO + go->increment_ms[owner] * 3 / 4;
    ms = ms < clock_ms ? ms : clock_ms;
    return time_limit_within((ms > 0 ? ms : 1) * CLOCK_NS_PER_MS);
}

/* --- Answers, as a judge reads them --- */

bool ugi_lines_feed(struct ugi_lines *lines, const char **bytes, size_t *count)
{
    while (*count) {
        char c = *(*bytes)++;
        --*count;
        if (c == '\n') {
            size_t kept = lines->used < UGI_ANSWER_BYTES ? lines->used : UGI_ANSWER_BYTES - 1;
            lines->is_too_long = kept < lines->used;
            lines->line[kept] = '\0';
            lines->used = 0;
            return true;
        }
        if (lines->used < UGI_ANSWER_BYTES - 1) {
            lines->line[lines->used] = c;
        }
        lines->used += lines->used < UGI_ANSWER_BYTES;
    }
    return false;
}

/* Copies the next word, cut to the room; "" at the end. */
static void take_word(struct ugi_words *words, char *out, size_t room)
{
    const char *word = NULL;
    size_t length = next_word(words, &word);
    size_t kept = length < room - 1 ? length : room - 1;
    memcpy(out, word, kept);
    out[kept] = '\0';
}

/* The next word as a number; 0 if it is not a number in the range. */
static int64_t take_number(struct ugi_words *words, int64_t low, int64_t high)
{
    char word[32];
    take_word(words, word, sizeof word);
    int64_t value = strtoll(word, NULL, 10);
    return value < low || value > high ? 0 : value;
}

static struct ugi_info read_info(struct ugi_words *words)
{
    enum { MAX_DEPTH = 999, MAX_SCORE = 99999 };
    struct ugi_info info = {.is_known = false};
    char key[16];
    do {
        take_word(words, key, sizeof key);
        if (strcmp(key, "depth") == 0) {
            info.depth = (int)take_number(words, 1, MAX_DEPTH);
            info.is_known = info.depth > 0;
        } else if (strcmp(key, "nodes") == 0) {
            info.nodes = (uint64_t)take_number(words, 0, INT64_MAX);
        } else if (strcmp(key, "cp") == 0) {
            info.score_hundredths = (int)take_number(words, -MAX_SCORE, MAX_SCORE);
        }
    } while (*key && strcmp(key, "pv") != 0 && strcmp(key, "string") != 0);
    return info;
}

struct ugi_answer ugi_read_answer(const char *line)
{
    static const struct {
        const char *word;
        enum ugi_answer_kind kind;
    } kinds[] = {{"ugiok", UGI_OK},
                 {"readyok", UGI_READY},
                 {"bestmove", UGI_BEST_MOVE},
                 {"response", UGI_RESPONSE},
                 {"info", UGI_INFO}};
    struct ugi_answer out = {.kind = UGI_OTHER};
    struct ugi_words words = {line};
    char first[16];
    take_word(&words, first, sizeof first);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(first, kinds[i].word) == 0) {
            out.kind = kinds[i].kind;
        }
    }
    if (out.kind == UGI_INFO) {
        out.info = read_info(&words);
    } else {
        take_word(&words, out.word, sizeof out.word);
        take_word(&words, out.second, sizeof out.second);
    }
    return out;
}
