#include "app/python_imports.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "player/player_spec.h"
#include "sandbox/run_program.h"

enum { LONGEST_NAME = 60, MOST_NAMES = 20, CPU_S = 3, WALL_S = 60, MEMORY_MIB = 512 };

/* Prints "missing NAME" for each module, or "failed NAME" with the name of an exception. The limit
 * is set here as well, because a sandbox that is off has none. */
static const char script[] =
    "import ast, importlib.util, os, resource, sys\n"
    "def names(path):\n"
    "    with open(path, 'rb') as file:\n"
    "        tree = ast.parse(file.read(4 << 20))\n"
    "    for node in tree.body:\n"
    "        if isinstance(node, ast.Import):\n"
    "            yield from (alias.name.split('.')[0] for alias in node.names)\n"
    "        elif isinstance(node, ast.ImportFrom) and node.level == 0:\n"
    "            yield node.module.split('.')[0]\n"
    "def is_installed(name):\n"
    "    try:\n"
    "        return importlib.util.find_spec(name) is not None\n"
    "    except ValueError:\n" /* a module without a specification, such as __main__ */
    "        return True\n"
    "def check(path, own):\n"
    "    files, seen = [path], set()\n"
    "    while files:\n"
    "        file = files.pop()\n"
    "        for name in names(file) if os.path.isfile(file) else ():\n"
    "            if name in own and name not in seen:\n"
    "                files.append(name + '.py')\n"
    "            elif name not in seen and not is_installed(name):\n"
    "                print('missing', name, flush=True)\n"
    "            seen.add(name)\n"
    "limit = int(sys.argv[2]) << 20\n"
    "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
    "try:\n"
    "    check(sys.argv[1], {entry.split('.')[0] for entry in os.listdir('.')})\n"
    "except (MemoryError, RecursionError) as error:\n"
    "    print('failed', type(error).__name__, flush=True)\n"
    "except Exception:\n" /* it is not Python, or it cannot be read */
    "    pass\n"
    "os._exit(0)\n"; /* without freeing a large tree */

struct import_search {
    const struct roster *roster;
    const struct sandbox *sandbox;
    const struct python_imports_sink *sink;
};

/* One program. */
struct import_source {
    const char *team;
    const char *path;
};

static bool is_source(const char *word)
{
    size_t length = strlen(word);
    return length > 3 && strcmp(word + length - 3, ".py") == 0;
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
    if (!word || (strcmp(word, "python") != 0 && strcmp(word, "python3") != 0)) {
        return NULL;
    }
    while ((word = strtok_r(NULL, " \t", &rest)) && !is_source(word)) {
    }
    return word ? strdup(word) : NULL;
}

static const char *interpreter_of(const struct import_search *search)
{
    return *search->roster->python ? search->roster->python : "python3";
}

static void report_missing(const struct import_search *search, const struct import_source *source,
                           const char *name)
{
    struct note sentence;
    note_set(&sentence,
             "team %s: %.100s imports the module %s, which %.60s does not have; install it for "
             "that Python, or choose another with python in the roster",
             source->team, source->path, name, interpreter_of(search));
    search->sink->on_missing(search->sink->owner, sentence.text);
}

static void report_unknown(const struct import_search *search, const struct import_source *source,
                           const char *reason)
{
    struct note sentence;
    note_set(&sentence, "team %s: %.100s is not checked for missing modules: %.120s", source->team,
             source->path, reason);
    search->sink->on_missing(search->sink->owner, sentence.text);
}

/* The lines of the output. What a source has for a name is not trusted. */
static void take_lines(const struct import_search *search, const struct import_source *source,
                       const char *output)
{
    int count = 0;
    for (const char *line = output; *line; line += *line == '\n') {
        size_t length = strcspn(line, "\r\n");
        char raw[LONGEST_NAME + 1] = "";
        char name[LONGEST_NAME + 1] = "";
        char word[8] = "";
        int used = 0;
        if (sscanf(line, "%7[a-z] %n", word, &used) == 1 && (size_t)used < length) {
            snprintf(raw, sizeof raw, "%.*s", (int)(length - (size_t)used), line + used);
            utf8_clean(raw, name, sizeof name);
        }
        if (*name && strcmp(word, "failed") == 0) {
            struct note reason;
            note_set(&reason, "Python cannot parse it: %s; the limit of memory is %d MiB", name,
                     MEMORY_MIB);
            report_unknown(search, source, reason.text);
        } else if (*name && strcmp(word, "missing") == 0 && count++ < MOST_NAMES) {
            report_missing(search, source, name);
        }
        line += length;
        line += *line == '\r';
    }
    if (count > MOST_NAMES) {
        struct note more;
        note_set(&more, "team %s: %.100s imports %d more modules that %.60s does not have",
                 source->team, source->path, count - MOST_NAMES, interpreter_of(search));
        search->sink->on_missing(search->sink->owner, more.text);
    }
}

static void take_result(const struct import_search *search, const struct import_source *source,
                        const struct run_program_result *result)
{
    struct note reason = {""};
    if (result->is_out_of_time) {
        note_set(&reason, "Python needs more than %d s of processor time to parse it", CPU_S);
    } else if (result->exit.how == PROCESS_OUT_OF_MEMORY) {
        note_set(&reason, "Python needs more than %d MiB of memory to parse it", MEMORY_MIB);
    } else if (result->exit.how != PROCESS_EXITED) {
        note_set(&reason, "Python cannot parse it: %.80s", result->exit.sentence);
    }
    if (*reason.text) {
        report_unknown(search, source, reason.text);
    } else {
        take_lines(search, source, result->output);
    }
}

/* For the caller to free; NULL: no memory. */
static char *make_command(const char *const *words)
{
    char *command = NULL;
    char word[16384];
    size_t size = 0;
    FILE *out = open_memstream(&command, &size);
    for (; out && *words; words++) {
        fprintf(out, "%s ", shell_word(*words, word, sizeof word));
    }
    if (!out || fclose(out) != 0) {
        free(command);
        return NULL;
    }
    return command;
}

/* In its folder, which is all that the sandbox shows of the class. */
static void search_source(const struct import_search *search, const struct import_source *source)
{
    char folder[PATH_MAX] = ".";
    char memory[16];
    const char *slash = strrchr(source->path, '/');
    struct run_program_result result = {0};
    struct note why;
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - source->path + 1), source->path);
    }
    snprintf(memory, sizeof memory, "%d", MEMORY_MIB);
    const char *const words[] = {interpreter_of(search),
                                 "-I", /* without the current folder and the environment */
                                 "-c",
                                 script,
                                 slash ? slash + 1 : source->path,
                                 memory,
                                 NULL};
    char *command = make_command(words);
    const struct run_program_spec spec = {.command = command,
                                          .folder = folder,
                                          .sandbox = search->sandbox,
                                          .cpu_ns = CPU_S * CLOCK_NS_PER_S,
                                          .wall_ns = WALL_S * CLOCK_NS_PER_S};
    if (!command) {
        report_unknown(search, source, "no memory for a command");
    } else if (run_program(&spec, &result, &why)) {
        report_unknown(search, source, why.text);
    } else {
        take_result(search, source, &result);
        run_program_result_free(&result);
    }
    free(command);
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

enum err python_imports_check(const struct roster *roster, const char *path,
                              const struct python_imports_sink *sink, struct note *why)
{
    struct sandbox_limits limits = sandbox_limits_default();
    struct sandbox sandbox = {.mode = SANDBOX_OFF};
    const struct import_search search = {roster, &sandbox, sink};
    struct note missing = {""};
    int total = count_sources(roster);
    int done = 0;
    int back = -1;
    limits.memory_bytes = (int64_t)MEMORY_MIB << 20;
    enum err err = folder_enter_of(path, &back, why);
    for (int i = 0; i < roster->team_count && !err; i++) {
        char *program = find_source(roster, &roster->teams[i]);
        const struct import_source source = {roster->teams[i].id, program};
        if (program && done == 0 &&
            sandbox_probe(roster->sandbox, &limits, NULL, &sandbox, &missing)) {
            report_unknown(&search, &source, missing.text);
            free(program);
            break; /* `plum tournament run` ends with this reason */
        }
        if (program && sink->on_program) {
            sink->on_program(sink->owner, done, total);
        }
        if (program) {
            done++;
            search_source(&search, &source);
        }
        free(program);
    }
    return folder_return(back, err, why);
}
