#include "course/agent_source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "course/source_parts.h"

/* Where the protocol has none. */
#define NO_TEAM "1"

struct agent_language {
    const char *name;
    const char *template;
    const char *clients[2]; /* through TCP, through files */
    const char *team;       /* the line that defines it */
    const char *client_team;
};

static const struct agent_language languages[] = {
    {"cpp",
     "clients/agent/agent.cpp",
     {"clients/cpp/STcpClient.h", "clients/cpp/FileClient.h"},
     "static const int TEAM = @TEAM@; // the number by which the judge knows us\n",
     "idTeam = TEAM"},
    {"python",
     "clients/agent/agent.py",
     {"clients/python/STcpClient.py", "clients/python/FileClient.py"},
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

static void define_words(struct source_parts *parts, const struct agent_source *source,
                         const struct agent_language *language)
{
    bool is_by_files = source_parts_protocol(source->game) == PROTOCOL_FILE;
    const char *note = source->game->assignment.wire_note;
    bool has_team = agent_source_has_team(source->game);
    char limit[32];
    snprintf(limit, sizeof limit, "%g", (double)source->limit_ns / (double)CLOCK_NS_PER_S);
    source_parts_define(parts, "@LIMIT@", limit);
    source_parts_define(parts, "@TEAM_CONSTANT@", has_team ? language->team : "");
    source_parts_define(parts, "idTeam = -1", language->client_team);
    source_parts_define(parts, "@CELLS@", note ? note : "");
    source_parts_define(parts, "@PLAY@", has_team ? "boards" : "template");
    source_parts_define(parts, "@CLIENT@", language->clients[is_by_files]);
}

enum err agent_source_write(const struct agent_source *source, FILE *out, struct note *why)
{
    const struct agent_language *language = find_language(source->language, why);
    struct source_parts parts = {0};
    if (!language) {
        return ERR_INPUT;
    }
    if (!source->game->assignment.has_agent_source) {
        return note_fail(why, ERR_INPUT, "there is no agent for %.40s as one file",
                         source->game->name);
    }
    enum err err =
        source_parts_define_game(&parts, source->game, source->team ? source->team : NO_TEAM, why);
    if (err) {
        return err;
    }
    define_words(&parts, source, language);
    source_parts_write(&parts, embedded_find(language->template)->bytes, out);
    return ERR_NONE;
}

enum err agent_source_save(const struct agent_source *source, const char *path, struct note *why)
{
    FILE *file = fopen(path, "wxe");
    if (!file && errno == EEXIST) {
        return note_fail(why, ERR_INPUT, "%.200s exists; choose another name", path);
    }
    if (!file) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(errno));
    }
    enum err err = agent_source_write(source, file, why);
    bool is_written = !ferror(file);
    if ((fclose(file) != 0 || !is_written) && !err) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(errno));
    }
    if (err) {
        unlink(path);
    }
    return err;
}
