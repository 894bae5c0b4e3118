#include "app/roster_python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/python_source.h"
#include "play/command_words.h"
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
    return strcmp(word, "python") == 0 || strcmp(word, "python3") == 0;
}

/* The program of a team, if it is one in Python that the roster's interpreter runs. The caller
 * frees it; NULL: none. */
static char *find_source(const struct roster *roster, const struct roster_team *team)
{
    struct player_spec spec;
    struct command_words words;
    size_t at = 0;
    if (team->no_program[0]) {
        return NULL;
    }
    if (team->source[0]) {
        command_words_split(team->source, &words);
        return words.count == 1 && command_words_is_python(words.list[0]) ? strdup(words.list[0])
                                                                          : NULL;
    }
    if (player_spec_read(team->player, roster->game, &spec, NULL) ||
        !player_spec_is_program(&spec)) {
        return NULL;
    }
    command_words_read(spec.command, &words);
    if (words.count < 2 || !is_python(words.list[0])) {
        return words.count > 1 && is_python(words.list[1]) ? find_launched(words.list[0]) : NULL;
    }
    while (++at < words.count && !command_words_is_python(words.list[at])) {
    }
    return at < words.count ? strdup(words.list[at]) : NULL;
}

static const char *interpreter_of(const struct roster_search *search)
{
    return *search->roster->rules.python ? search->roster->rules.python : "python3";
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
            is_over =
                sandbox_probe(roster->rules.sandbox, &limits, NULL, &sandbox, &source.unknown) != 0;
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
