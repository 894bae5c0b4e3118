#include "course/agent_source.h"

#include <string.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "course/source_parts.h"

/* Where the protocol has none. */
#define NO_TEAM "1"

struct agent_language {
    const char *name;
    const char *ending;
    const char *template;
    const char *clients[2]; /* through TCP, through files */
    const char *own_client; /* the same from a file next to the agent */
    const char *team;       /* the line that defines it */
    const char *client_team;
};

static const struct agent_language languages[] = {
    {"cpp",
     ".cpp",
     "clients/agent/agent.cpp",
     {"clients/cpp/STcpClient.h", "clients/cpp/FileClient.h"},
     "clients/agent/client.hpp",
     "static const int TEAM = @TEAM@; // the number by which the judge knows us\n",
     "idTeam = TEAM"},
    {"python",
     ".py",
     "clients/agent/agent.py",
     {"clients/python/STcpClient.py", "clients/python/FileClient.py"},
     "clients/agent/client.py",
     "TEAM = @TEAM@  # the number by which the judge knows us\n",
     "idTeam = TEAM"},
};

static const struct agent_language *find_language(const char *name, struct note *why)
{
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        if (strcmp(languages[i].name, name) == 0) {
            return &languages[i];
        }
    }
    note_set(why, "the language must be cpp or python, not '%.40s'", name);
    return NULL;
}

bool agent_source_has_team(const struct game *game)
{
    return source_parts_protocol(game) != PROTOCOL_TEMPLATE;
}

static const char *client_of(const struct agent_source *source,
                             const struct agent_language *language)
{
    return language->clients[source_parts_protocol(source->game) == PROTOCOL_FILE];
}

static void define_words(struct source_parts *parts, const struct agent_source *source,
                         const struct agent_language *language)
{
    const char *client = client_of(source, language);
    const char *file = strrchr(client, '/') + 1;
    const char *note = source->game->assignment.wire_note;
    bool has_team = agent_source_has_team(source->game);
    char text[32];
    snprintf(text, sizeof text, "%g", (double)source->limit_ns / (double)CLOCK_NS_PER_S);
    source_parts_define(parts, "@LIMIT@", text);
    source_parts_define(parts, "@TEAM_CONSTANT@",
                        has_team && !source->has_client_file ? language->team : "");
    source_parts_define(parts, "idTeam = -1",
                        source->has_client_file ? "idTeam = @TEAM@" : language->client_team);
    source_parts_define(parts, "@CELLS@", note ? note : "");
    source_parts_define(parts, "@PLAY@", has_team ? "boards" : "template");
    source_parts_define(parts, "@CLIENT@", source->has_client_file ? language->own_client : client);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(file, "."), file);
    source_parts_define(parts, "@CLIENT_NAME@", text);
}

enum err agent_source_make(const struct agent_source *source, const char *name, struct kit *out,
                           struct note *why)
{
    const struct agent_language *language = find_language(source->language, why);
    struct kit kit = {.file_count = 0};
    if (!language) {
        return ERR_INPUT;
    }
    if (!source->game->assignment.has_agent_source) {
        return note_fail(why, ERR_INPUT, "there is no agent for %.40s as one file",
                         source->game->name);
    }
    enum err err = source_parts_define_game(&kit.parts, source->game,
                                            source->team ? source->team : NO_TEAM, why);
    if (err) {
        return err;
    }
    const char *client = client_of(source, language);
    define_words(&kit.parts, source, language);
    kit_add(&kit, name, language->ending, embedded_find(language->template)->bytes, 0);
    if (source->has_client_file && agent_source_has_team(source->game)) {
        kit_add(&kit, strrchr(client, '/') + 1, "", embedded_find(client)->bytes, 0);
    }
    *out = kit;
    return ERR_NONE;
}

enum err agent_source_save(const struct agent_source *source, const char *path, struct note *why)
{
    struct kit kit;
    enum err err = agent_source_make(source, "agent", &kit, why);
    return err ? err : kit_write_file(&kit, 0, path, why);
}
