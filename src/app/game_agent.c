#include "app/game_agent.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "play/command_words.h"
#include "base/utf8.h"
#include "game/registry.h"

/* Printable characters without a picture: spaces of all widths, and what only joins or formats. */
static bool is_blank(uint32_t character)
{
    static const struct {
        uint32_t first;
        uint32_t last;
    } blanks[] = {
        {0x20, 0x20},     {0xa0, 0xa0},     {0xad, 0xad},     {0x34f, 0x34f},     {0x61c, 0x61c},
        {0x115f, 0x1160}, {0x1680, 0x1680}, {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x2000, 0x200f},
        {0x2028, 0x202f}, {0x205f, 0x206f}, {0x2800, 0x2800}, {0x3000, 0x3000},   {0x3164, 0x3164},
        {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
        if (character >= blanks[i].first && character <= blanks[i].last) {
            return true;
        }
    }
    return false;
}

/* `name` is well-formed. */
static bool has_visible(const char *name)
{
    uint32_t character = 0;
    for (size_t length; (length = utf8_decode(name, &character)) > 0 && *name; name += length) {
        if (!is_blank(character) && utf8_columns(name) > 0) {
            return true;
        }
    }
    return false;
}

enum err game_agent_read(const char *text, enum cpu_level level, struct game_agent *out,
                         struct note *why)
{
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    char name[GAME_AGENT_NAME_BYTES] = "";
    if (length == 0 || length >= sizeof name) {
        return note_fail(why, ERR_INPUT,
                         "'%.60s' must be a name of at most %d bytes and a player: NAME=PLAYER",
                         text, GAME_AGENT_NAME_BYTES - 1);
    }
    memcpy(name, text, length);
    if (name[utf8_fit(name, SIZE_MAX, NULL)]) {
        return note_fail(why, ERR_INPUT, "the name of '%.60s' must be printable UTF-8", text);
    }
    if (!has_visible(name)) {
        return note_fail(why, ERR_INPUT, "the name of '%.60s' has no visible character", text);
    }
    if (strcasecmp(name, "human") == 0 || strcasecmp(name, "you") == 0) {
        return note_fail(why, ERR_INPUT, "'%s' is what the person is called; give another name",
                         name);
    }
    const struct game *game = registry_at(level, 0);
    struct note refusal = {.text = ""}; /* one game may refuse a player that another one takes */
    enum err err = ERR_INPUT;
    for (size_t i = 0; err && game; game = registry_at(level, ++i)) {
        err = player_spec_read(equals + 1, game, &out->spec, &refusal);
    }
    if (!err && out->spec.kind == PLAYER_HUMAN) {
        err = note_fail(&refusal, ERR_INPUT, "a person plays in the page, not as an agent");
    }
    if (err) {
        return note_fail(why, err, "%s: %s", name, refusal.text);
    }
    snprintf(out->name, sizeof out->name, "%s", name);
    return ERR_NONE;
}

enum err game_agent_check_files(const struct game_agent *agent, struct note *why)
{
    struct command_words words = {.count = 0};
    struct note missing;
    if (player_spec_is_program(&agent->spec)) {
        command_words_read(agent->spec.command, &words);
    }
    for (size_t i = 0; i < words.count; i++) {
        if (command_words_is_missing(&words, i, &missing)) {
            return note_fail(why, ERR_INPUT,
                             "%s: %s; write the command as it runs in the current folder",
                             agent->name, missing.text);
        }
    }
    return ERR_NONE;
}

bool game_agent_plays(const struct game_agent *agent, const struct game *game)
{
    struct player_spec spec;
    return player_spec_read(agent->spec.text, game, &spec, NULL) == ERR_NONE;
}
