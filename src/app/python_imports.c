#include "app/python_imports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "player/player_spec.h"
#include "sandbox/run_program.h"

enum { OWN_WORDS = 4, LONGEST_NAME = 60, WALL_S = 60 };

/* Prints "missing N NAME" for the file with that number. Each file has a process of its own: one
 * that is too much for the parser ends only that process. */
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
    "def check(number, path):\n"
    "    folder = os.path.dirname(path) or '.'\n"
    "    own = {entry.split('.')[0] for entry in os.listdir(folder)}\n"
    "    files, seen = [path], set()\n"
    "    while files:\n"
    "        file = files.pop()\n"
    "        for name in names(file) if os.path.isfile(file) else ():\n"
    "            if name in own and name not in seen:\n"
    "                files.append(os.path.join(folder, name + '.py'))\n"
    "            elif name not in seen and not is_installed(name):\n"
    "                print('missing', number, name, flush=True)\n"
    "            seen.add(name)\n"
    "for number, path in enumerate(sys.argv[1:]):\n"
    "    child = os.fork()\n"
    "    if child == 0:\n"
    "        resource.setrlimit(resource.RLIMIT_CPU, (5, 5))\n"
    "        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
    "        try:\n"
    "            check(number, path)\n"
    "        except BaseException:\n" /* it is not Python, or it cannot be read */
    "            pass\n"
    "        os._exit(0)\n"
    "    os.waitpid(child, 0)\n";

struct import_search {
    const struct roster *roster;
    const char **words; /* of the command; the sources from OWN_WORDS on */
    int *teams;         /* of each source */
    int count;
    void *owner;
    void (*on_missing)(void *owner, const char *sentence);
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

/* A line of the output. What a source has for a name is not trusted. */
static void take_line(const struct import_search *search, const char *line)
{
    int number = 0;
    int used = 0;
    char raw[LONGEST_NAME + 1] = "";
    char name[LONGEST_NAME + 1] = "";
    struct note sentence;
    /* NOLINTNEXTLINE(cert-err34-c): nine digits fit */
    if (sscanf(line, "missing %9d %n", &number, &used) != 1 || !used || number < 0 ||
        number >= search->count) {
        return;
    }
    const struct roster *roster = search->roster;
    snprintf(raw, sizeof raw, "%.*s", (int)strcspn(line + used, "\r\n"), line + used);
    utf8_clean(raw, name, sizeof name);
    note_set(&sentence,
             "team %s: %.100s imports the module %s, which %.60s does not have; install it for "
             "that Python, or choose another with python in the roster",
             roster->teams[search->teams[number]].id, search->words[OWN_WORDS + number], name,
             search->words[0]);
    search->on_missing(search->owner, sentence.text);
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

/* Outside a sandbox: the sources may be anywhere. */
static void run_script(const struct import_search *search)
{
    const struct sandbox_limits limits = sandbox_limits_default();
    struct sandbox off;
    struct run_program_result result = {0};
    char *command = make_command(search->words);
    struct run_program_spec spec = {
        .command = command, .sandbox = &off, .wall_ns = WALL_S * CLOCK_NS_PER_S};
    if (!command || sandbox_probe(SANDBOX_OFF, &limits, NULL, &off, NULL) ||
        run_program(&spec, &result, NULL)) {
        free(command);
        return;
    }
    free(command);
    for (const char *line = result.output; line && *line; line = line ? line + 1 : NULL) {
        take_line(search, line);
        line = strchr(line, '\n');
    }
    run_program_result_free(&result);
}

static void search_all(struct import_search *search)
{
    const struct roster *roster = search->roster;
    search->words[0] = *roster->python ? roster->python : "python3";
    search->words[1] = "-I"; /* without the current folder and the variables of the environment */
    search->words[2] = "-c";
    search->words[3] = script;
    for (int i = 0; i < roster->team_count; i++) {
        char *source = find_source(roster, &roster->teams[i]);
        if (source) {
            search->teams[search->count] = i;
            search->words[OWN_WORDS + search->count++] = source;
        }
    }
    if (search->count) {
        run_script(search);
    }
    for (int i = 0; i < search->count; i++) {
        free((char *)search->words[OWN_WORDS + i]);
    }
}

enum err python_imports_check(const struct roster *roster, const char *path, void *owner,
                              void (*on_missing)(void *owner, const char *sentence),
                              struct note *why)
{
    size_t count = (size_t)roster->team_count;
    struct import_search search = {
        .roster = roster, .owner = owner, .on_missing = on_missing, .count = 0};
    int back = -1;
    enum err err = folder_enter_of(path, &back, why);
    search.words = calloc(OWN_WORDS + count + 1, sizeof *search.words);
    search.teams = calloc(count + 1, sizeof *search.teams);
    if (!err && (!search.words || !search.teams)) {
        note_set(why, "no memory for the sources of %d teams", roster->team_count);
        err = ERR_ENVIRONMENT;
    }
    if (!err) {
        search_all(&search);
    }
    free(search.words);
    free(search.teams);
    return folder_return(back, err, why);
}
