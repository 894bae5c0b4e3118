#include "rules_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <strings.h>

#include <cmocka.h>

#include "game/registry.h"

enum { RESULT_BYTES = 32, LIST_BYTES = GAME_MAX_MOVES * 16 };

static const struct note empty_note;

const struct game *find_game(enum cpu_level level, const char *name)
{
    struct note why = empty_note;
    const struct game *game = registry_find(level, name, &why);
    if (!game) {
        fail_msg("%s: %s", name, why.text);
    }
    return game;
}

struct state read_state(const struct game *game, const char *position)
{
    struct state state;
    struct note why = empty_note;
    if (game_read_position(game, position, &state, &why)) {
        fail_msg("%s '%s' was not read: %s", game->name, position, why.text);
    }
    return state;
}

bool mentions(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (; *text; text++) {
        if (strncasecmp(text, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Copies the next space-separated word and returns what follows; NULL when there is none. */
static const char *next_word(const char *text, char *out, size_t out_bytes)
{
    text += strspn(text, " ");
    size_t length = strcspn(text, " ");
    if (length == 0) {
        return NULL;
    }
    assert_true(length < out_bytes);
    memcpy(out, text, length);
    out[length] = '\0';
    return text + length;
}

void expect_note(const struct note *note, const char *words, const char *claim)
{
    enum { SHORTEST_SENTENCE = 12 };
    char word[64];
    if (strlen(note->text) < SHORTEST_SENTENCE || !strchr(note->text, ' ')) {
        fail_msg("%s: the note is no sentence: '%s'", claim, note->text);
    }
    while ((words = next_word(words, word, sizeof word))) {
        if (!mentions(note->text, word)) {
            fail_msg("%s: the note does not mention '%s': %s", claim, word, note->text);
        }
    }
}

static enum err try_move(const struct game *game, struct state *state, const char *text,
                         struct note *why)
{
    struct move move;
    enum err err = game_read_move(game, text, &move, why);
    return err ? err : game->apply(state, &move, why);
}

static void expect_same_state(const struct game *game, const struct state *state,
                              const char *position)
{
    char text[GAME_POSITION_BYTES];
    game->write_position(state, text);
    assert_string_equal(text, position);
    struct state expected = read_state(game, position);
    assert_memory_equal(state, &expected, sizeof expected);
    assert_true(game->key(state) == game->key(&expected));
}

static void play(const struct game *game, enum cpu_level level, const char *from, const char *moves,
                 const char *to)
{
    struct state state = read_state(game, from);
    char text[GAME_MOVE_BYTES];
    if (strcmp(from, "start") != 0) {
        expect_same_state(game, &state, from);
    }
    while ((moves = next_word(moves, text, sizeof text))) {
        struct note why = empty_note;
        if (try_move(game, &state, text, &why)) {
            fail_msg("%s (%s) '%s': %s was refused: %s", game->name, cpu_name(level), from, text,
                     why.text);
        }
        assert_string_equal(why.text, "");
    }
    expect_same_state(game, &state, to);
}

void expect_play(const char *game, const char *from, const char *moves, const char *to)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        play(find_game(level, game), level, from, moves, to);
    }
}

static void refuse(const struct game *game, const char *position, const struct move *move,
                   const char *words, const char *claim)
{
    struct state state = read_state(game, position);
    struct state before = state;
    struct note why = empty_note;
    if (game->apply(&state, move, &why) != ERR_NEGATIVE) {
        fail_msg("%s was not refused", claim);
    }
    expect_note(&why, words, claim);
    assert_memory_equal(&state, &before, sizeof state);
}

void expect_refused(const char *game_name, const char *position, const char *move_text,
                    const char *words)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, game_name);
        char claim[GAME_MOVE_BYTES + GAME_POSITION_BYTES + 64];
        snprintf(claim, sizeof claim, "%s (%s) '%s': %.*s", game->name, cpu_name(level), position,
                 GAME_MOVE_BYTES, move_text);
        struct move move;
        struct note why = empty_note;
        enum err err = game_read_move(game, move_text, &move, &why);
        if (err == ERR_NONE) {
            refuse(game, position, &move, words, claim);
        } else {
            assert_int_equal(err, ERR_NEGATIVE);
            expect_note(&why, words, claim);
        }
    }
}

void expect_bytes_refused(const char *game_name, const char *position, const struct move *move)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, game_name);
        char claim[GAME_POSITION_BYTES + 96];
        snprintf(claim, sizeof claim, "%s (%s) '%s': kind %d with %d squares", game->name,
                 cpu_name(level), position, move->kind, move->count);
        refuse(game, position, move, "", claim);
    }
}

static void list_moves(const struct game *game, const struct state *state, char out[LIST_BYTES])
{
    static struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    assert_int_equal(count, game->perft(state, 1));
    char *end = out;
    *end = '\0';
    for (size_t i = 0; i < count; i++) {
        char text[GAME_MOVE_BYTES];
        game_write_move(game, &moves[i], text);
        assert_true(end + strlen(text) + 2 < out + LIST_BYTES);
        end += snprintf(end, (size_t)(out + LIST_BYTES - end), "%s%s", i ? " " : "", text);
    }
}

void expect_moves(const char *game_name, const char *position, const char *moves)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, game_name);
        struct state state = read_state(game, position);
        char list[LIST_BYTES];
        list_moves(game, &state, list);
        assert_string_equal(list, moves);
    }
}

static void expect_in_list(const char *game_name, const char *position, const char *move,
                           bool is_listed)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, game_name);
        struct state state = read_state(game, position);
        char list[LIST_BYTES];
        list_moves(game, &state, list);
        bool found = false;
        char word[GAME_MOVE_BYTES];
        for (const char *rest = list; (rest = next_word(rest, word, sizeof word));) {
            found |= strcmp(word, move) == 0;
        }
        if (found != is_listed) {
            fail_msg("%s (%s) '%s': %s is %slisted: %s", game->name, cpu_name(level), position,
                     move, found ? "" : "not ", list);
        }
    }
}

void expect_listed(const char *game, const char *position, const char *move)
{
    expect_in_list(game, position, move, true);
}

void expect_unlisted(const char *game, const char *position, const char *move)
{
    expect_in_list(game, position, move, false);
}

static void write_result(const struct result *result, char out[RESULT_BYTES])
{
    static const char *const words[] = {"ongoing", "black", "white", "draw"};
    if (result->outcome == OUTCOME_ONGOING) {
        snprintf(out, RESULT_BYTES, "%s", words[OUTCOME_ONGOING]);
        return;
    }
    snprintf(out, RESULT_BYTES, "%s %d %d", words[result->outcome], result->score[SIDE_BLACK],
             result->score[SIDE_WHITE]);
}

static void expect_nothing_goes_on(const struct game *game, const char *position)
{
    struct state state = read_state(game, position);
    char list[LIST_BYTES];
    list_moves(game, &state, list);
    assert_string_equal(list, "");
    struct move pass = move_pass();
    struct move skip = move_skip();
    refuse(game, position, &pass, "", "a pass after the end");
    refuse(game, position, &skip, "", "a skip after the end");
}

static bool is_reason_of(const struct game *game, const char *word)
{
    for (const struct game_reason *reason = game->reasons; reason->word; reason++) {
        if (strcmp(reason->word, word) == 0) {
            return true;
        }
    }
    return false;
}

void expect_result(const char *game_name, const char *position, const char *expected)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, game_name);
        struct state state = read_state(game, position);
        struct result result = game->result(&state);
        char text[RESULT_BYTES];
        write_result(&result, text);
        assert_string_equal(text, expected);
        bool is_over = result.outcome != OUTCOME_ONGOING;
        assert_int_equal(game_is_over(game, &state), is_over);
        if (!is_over) {
            assert_string_equal(result.reason, "");
        } else {
            assert_true(is_reason_of(game, result.reason));
            expect_nothing_goes_on(game, position);
        }
    }
}

void expect_reason(const char *game_name, const char *position, const char *reason)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, game_name);
        struct state state = read_state(game, position);
        assert_string_equal(game->result(&state).reason, reason);
    }
}
