#include "app/game_agent.h"

#include <string.h>

#include "app/command_words.h"
#include "base/utf8.h"
#include "game/registry.h"

static size_t count_spaces(const char *text)
{
    size_t count = 0;
    for (; *text; text++) {
        count += *text == ' ';
    }
    return count;
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
    size_t columns = 0;
    if (name[utf8_fit(name, SIZE_MAX, &columns)]) {
        return note_fail(why, ERR_INPUT, "the name of '%.60s' must be printable UTF-8", text);
    }
    if (columns == count_spaces(name)) {
        return note_fail(why, ERR_INPUT, "the name of '%.60s' has no visible character", text);
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
    strcpy(out->name, name);
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
