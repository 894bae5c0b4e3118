#include "course/agent_source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "course/source_parts.h"

struct agent_language {
    const char *name;
    const char *template;
    const char *evaluation; /* below the game's kit: without it there is no agent */
    const char *clients[2]; /* through TCP, through files */
    const char *team;       /* the line that defines it */
    const char *client_team;
};

static const struct agent_language languages[] = {
    {"cpp",
     "clients/agent/agent.cpp",
     "evaluate.hpp",
     {"clients/cpp/STcpClient.h", "clients/cpp/FileClient.h"},
     "static const int TEAM = @TEAM@; // the number by which the judge knows us\n",
     "idTeam = TEAM"},
    {"python",
     "clients/agent/agent.py",
     "evaluate.py",
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

static void define_words(struct source_parts *parts, const struct agent_source *source,
                         const struct agent_language *language)
{
    unsigned protocol = source_parts_protocol(source->game);
    const char *note = source->game->assignment.wire_note;
    bool has_team = protocol != PROTOCOL_TEMPLATE;
    char limit[32];
    snprintf(limit, sizeof limit, "%g", (double)source->limit_ns / (double)CLOCK_NS_PER_S);
    source_parts_define(parts, "@LIMIT@", limit);
    source_parts_define(parts, "@TEAM_CONSTANT@", has_team ? language->team : "");
    source_parts_define(parts, "idTeam = -1", language->client_team);
    source_parts_define(parts, "@CELLS@", note ? note : "");
    source_parts_define(parts, "@PLAY@", has_team ? "boards" : "template");
    source_parts_define(parts, "@CLIENT@", language->clients[protocol == PROTOCOL_FILE]);
}

enum err agent_source_write(const struct agent_source *source, FILE *out, struct note *why)
{
    const struct agent_language *language = find_language(source->language, why);
    struct source_parts parts = {0};
    if (!language) {
        return ERR_INPUT;
    }
    if (source_parts_protocol(source->game)) {
        enum err err = source_parts_define_game(&parts, source->game, source->team, why);
        if (err) {
            return err;
        }
    }
    char path[SOURCE_PARTS_WORD_BYTES];
    snprintf(path, sizeof path, "src/games/%s/kit/%s", source->game->assignment.kit,
             language->evaluation);
    if (!embedded_find(path)) {
        return note_fail(why, ERR_INPUT, "there is no agent for %.40s as one file in %s",
                         source->game->name, language->name);
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
