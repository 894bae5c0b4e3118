#include "app/openings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static enum err add(struct openings *openings, size_t *capacity, const struct state *state,
                    struct note *why)
{
    if (openings->count == OPENINGS_MAX) {
        return note_fail(why, ERR_INPUT, "more than %d positions", OPENINGS_MAX);
    }
    struct state *states =
        array_reserve(openings->states, capacity, openings->count + 1, sizeof *states);
    if (!states) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %zu positions", openings->count + 1);
    }
    openings->states = states;
    openings->states[openings->count++] = *state;
    return ERR_NONE;
}

static enum err read_line(const struct game *game, const char *line, struct state *out,
                          struct note *why)
{
    enum err err = game_read_position(game, line, out, why);
    if (!err && game_is_over(game, out)) {
        return note_fail(why, ERR_INPUT, "the game is over in this position");
    }
    return err;
}

/* "#......#/…" is a position. */
static bool is_comment(const char *line)
{
    return line[0] == '#' && (line[1] == ' ' || line[1] == '\t' || line[1] == '\0');
}

enum err openings_read(const struct game *game, const char *path, struct openings *out,
                       struct note *why)
{
    struct openings openings = {NULL, 0};
    size_t capacity = 0;
    char *line = NULL;
    size_t room = 0;
    enum err err = ERR_NONE;
    FILE *file = fopen(path, "r");
    if (!file) {
        return note_fail(why, ERR_INPUT, "cannot read %.200s: %s", path, strerror(errno));
    }
    for (int number = 1; !err && getline(&line, &room, file) > 0; number++) {
        struct state state;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' || is_comment(line)) {
            continue;
        }
        err = read_line(game, line, &state, why);
        if (err || (err = add(&openings, &capacity, &state, why))) {
            note_prefix(why, "%.100s, line %d", path, number);
        }
    }
    if (!err && ferror(file)) {
        err = note_fail(why, ERR_INPUT, "cannot read %.200s: %s", path, strerror(errno));
    }
    if (!err && openings.count == 0) {
        err = note_fail(why, ERR_INPUT, "%.200s holds no position", path);
    }
    free(line);
    fclose(file);
    if (err) {
        openings_free(&openings);
        return err;
    }
    *out = openings;
    return ERR_NONE;
}

void openings_free(struct openings *openings)
{
    free(openings->states);
    *openings = (struct openings){NULL, 0};
}
