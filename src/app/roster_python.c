#include "app/roster_python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/python_source.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/utf8.h"
#include "course/intake.h"
#include "player/player_spec.h"

enum { LAUNCHER_BYTES = 4096 };

struct roster_search {
    const struct roster *roster;
    const struct sandbox *sandbox;
    const struct roster_python_sink *sink;
};

static bool is_source(const char *word)
{
    size_t length = strlen(word);
    return length > 3 && strcmp(word + length - 3, ".py") == 0;
}

/* The source that a launcher of `init` names, seen from here. The caller frees it; NULL: none. */
static char *find_launched(const char *launcher)
{
    static const char mark[] = "\n" INTAKE_LAUNCHER_SOURCE;
    const char *slash = strrchr(launcher, '/');
    bool is_launcher = slash && strcmp(slash + 1, INTAKE_AGENT) == 0;
    size_t size = 0;
    char *path = NULL;
    char *script = is_launcher ? file_read_head(launcher, LAUNCHER_BYTES, &size) : NULL;
    char *source = script ? memmem(script, size, mark, strlen(mark)) : NULL;
    char *end = source ? memchr(source + 1, '\n', size - (size_t)(source + 1 - script)) : NULL;
    if (end) {
        source += strlen(mark);
        if (asprintf(&path, "%.*s%.*s", (int)(slash + 1 - launcher), launcher, (int)(end - source),
                     source) < 0) {
            path = NULL;
        }
    }
    free(script);
    return path;
}

static bool is_python(const char *word)
{
    return word && (strcmp(word, "python") == 0 || strcmp(word, "python3") == 0);
}

/* The program of a team, if it is one in Python that the roster's interpreter runs. A command is a
 * line for the shell, so this sees only what is plain. The caller frees it; NULL: none. */
static char *find_source(const struct roster *roster, const struct roster_team *team)
{
    struct player_spec spec;
    char room[PLAYER_TEXT_BYTES];
    char *rest = NULL;
    if (team->no_program[0]) {
        return NULL;
    }
    if (team->source[0]) {
        return !strpbrk(team->source, " \t") && is_source(team->source) ? strdup(team->source)
                                                                        : NULL;
    }
    if (player_spec_read(team->player, roster->game, &spec, NULL) ||
        !player_spec_is_program(&spec) || strpbrk(spec.command, "'\"$`\\&|;<>()*?[]#~=")) {
        return NULL;
    }
    snprintf(room, sizeof room, "%s", spec.command);
    char *word = strtok_r(room, " \t", &rest);
    const char *launcher = word;
    if (!is_python(word)) {
        return is_python(strtok_r(NULL, " \t", &rest)) ? find_launched(launcher) : NULL;
    }
    while ((word = strtok_r(NULL, " \t", &rest)) && !is_source(word)) {
    }
    return word ? strdup(word) : NULL;
}

static const char *interpreter_of(const struct roster_search *search)
{
    return *search->roster->python ? search->roster->python : "python3";
}

static void report(const struct roster_search *search, const struct roster_team *team,
                   const char *path, const struct python_source *source)
{
    const char *interpreter = interpreter_of(search);
    char shown[PLAYER_TEXT_BYTES];
    struct note sentence;
    utf8_clean(path, shown, sizeof shown);
    if (*source->unknown.text) {
        note_set(&sentence, "team %s: %.100s is not checked: %.200s", team->id, shown,
                 source->unknown.text);
        search->sink->on_finding(search->sink->owner, sentence.text);
    }
    if (*source->error.text) {
        note_set(&sentence, "team %s cannot play: %.60s cannot parse %.100s: %s", team->id,
                 interpreter, shown, source->error.text);
        search->sink->on_finding(search->sink->owner, sentence.text);
    }
    for (int i = 0; i < source->missing_count && i < PYTHON_SOURCE_MAX_NAMES; i++) {
        note_set(&sentence,
                 "team %s: %.100s imports the module %s, which %.60s does not have; install it for "
                 "that Python, or choose another with python in the roster",
                 team->id, shown, source->missing[i], interpreter);
        search->sink->on_finding(search->sink->owner, sentence.text);
    }
    if (source->missing_count > PYTHON_SOURCE_MAX_NAMES) {
        note_set(&sentence, "team %s: %.100s imports %d more modules that %.60s does not have",
                 team->id, shown, source->missing_count - PYTHON_SOURCE_MAX_NAMES, interpreter);
        search->sink->on_finding(search->sink->owner, sentence.text);
    }
}

static int count_sources(const struct roster *roster)
{
    int count = 0;
    for (int i = 0; i < roster->team_count; i++) {
        char *program = find_source(roster, &roster->teams[i]);
        count += program != NULL;
        free(program);
    }
    return count;
}

enum err roster_python_check(const struct roster *roster, const char *path,
                             const struct roster_python_sink *sink, struct note *why)
{
    struct sandbox_limits limits = sandbox_limits_default();
    struct sandbox sandbox = {.mode = SANDBOX_OFF};
    const struct roster_search search = {roster, &sandbox, sink};
    int done = 0;
    bool is_over = false;
    int back = -1;
    enum err err = folder_enter_of(path, &back, why);
    int total = err ? 0 : count_sources(roster);
    for (int i = 0; i < roster->team_count && !err && !is_over; i++) {
        const struct roster_team *team = &roster->teams[i];
        struct python_source source = {.missing_count = 0};
        char *program = find_source(roster, team);
        if (program && done == 0) {
            /* `plum tournament run` ends with this reason */
            is_over = sandbox_probe(roster->sandbox, &limits, NULL, &sandbox, &source.unknown) != 0;
        }
        if (program && sink->on_program) {
            sink->on_program(sink->owner, done, total);
        }
        if (program && !is_over) {
            python_source_examine(program, interpreter_of(&search), &sandbox, &source);
        }
        if (program) {
            report(&search, team, program, &source);
            done++;
        }
        free(program);
    }
    return folder_return(back, err, why);
}
