#include "web/question.h"

#include <string.h>

#include "base/number.h"
#include "game/registry.h"

bool question_add(struct question *question, const char *name, const char *value)
{
    if (question->count == QUESTION_MAX_FIELDS || question_get(question, name)) {
        return false;
    }
    question->fields[question->count].name = name;
    question->fields[question->count++].value = value;
    return true;
}

const char *question_get(const struct question *question, const char *name)
{
    for (size_t i = 0; i < question->count; i++) {
        if (strcmp(question->fields[i].name, name) == 0) {
            return question->fields[i].value;
        }
    }
    return NULL;
}

enum err question_number(const struct question *question, const char *name, int64_t low,
                         int64_t high, int64_t *out, struct note *why)
{
    const char *text = question_get(question, name);
    return text ? number_read(text, name, low, high, out, why) : ERR_NONE;
}

static enum err play_one(const struct game *game, const char *text, size_t length, int ply,
                         struct state *state, struct note *why)
{
    char word[GAME_MOVE_BYTES];
    struct move move;
    if (length >= sizeof word) {
        note_set(why, "move %d is too long to be one", ply);
        return ERR_INPUT;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    enum err err = game_read_move(game, word, &move, why);
    if (!err) {
        err = game->apply(state, &move, why);
    }
    if (err) {
        note_prefix(why, "move %d, '%.40s'", ply, word);
    }
    return err;
}

/* Moves stand between single blanks. */
static enum err play_moves(const struct game *game, const char *text, struct state *state,
                           struct note *why)
{
    for (int ply = 1; *text; ply++) {
        size_t length = strcspn(text, " ");
        if (ply > QUESTION_MAX_PLIES) {
            note_set(why, "more than %d moves at once", QUESTION_MAX_PLIES);
            return ERR_INPUT;
        }
        enum err err = play_one(game, text, length, ply, state, why);
        if (err) {
            return err;
        }
        text += length;
        text += *text == ' ';
    }
    return ERR_NONE;
}

enum err question_position(const struct question *question, enum cpu_level cpu,
                           const struct game **game, struct state *out, struct note *why)
{
    const char *name = question_get(question, "game");
    const char *position = question_get(question, "position");
    const char *moves = question_get(question, "moves");
    struct state state;
    if (!name) {
        note_set(why, "the field 'game' is missing");
        return ERR_INPUT;
    }
    const struct game *found = registry_find(cpu, name, why);
    if (!found) {
        return ERR_INPUT;
    }
    enum err err = game_read_position(found, position ? position : "start", &state, why);
    if (!err && moves) {
        err = play_moves(found, moves, &state, why);
    }
    if (!err) {
        *game = found;
        *out = state;
    }
    return err;
}
