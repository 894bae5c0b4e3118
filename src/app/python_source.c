#include "app/python_source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "sandbox/run_program.h"

enum { LONGEST_LINE = 300, CPU_S = 3, WALL_S = 60, MEMORY_MIB = 512 };

/* Prints "error TEXT" for each file that cannot be parsed, "missing NAME" for each module, "failed
 * NAME" with the name of an exception. The limit is set here as well, because a sandbox that is off
 * has none. */
static const char script[] =
    "import ast, importlib.util, os, re, resource, sys\n"
    "MOST = 4 << 20\n"
    "def say(*words):\n"
    "    os.write(1, (' '.join(words) + '\\n').encode('utf-8', 'replace'))\n"
    /* The encoding that its first lines declare, or None. */
    "def declared(data):\n"
    "    for line in data.split(b'\\n', 2)[:2]:\n"
    "        found = re.match(rb'[ \\t\\f]*#.*?coding[:=][ \\t]*([-\\w.]+)', line)\n"
    "        if found:\n"
    "            return found.group(1).decode()\n"
    "def wrong_bytes(data):\n"
    "    encoding = declared(data)\n"
    "    try:\n"
    "        if b'\\0' in data:\n"
    "            return 0, 'it contains null bytes, as UTF-16 does: save it as UTF-8'\n"
    "        data.decode(encoding or 'utf-8')\n"
    "    except UnicodeDecodeError as wrong:\n"
    "        line = data.count(b'\\n', 0, wrong.start) + 1\n"
    "        if encoding:\n"
    "            return line, 'it is not in the encoding that it declares, ' + encoding\n"
    "        return line, ('it is not UTF-8, and no encoding is declared: save it as UTF-8, or '\n"
    "                      'declare it in the first line, as in # -*- coding: big5 -*-')\n"
    "    except LookupError:\n"
    "        return 1, 'it declares an encoding that is not known, ' + encoding\n"
    "    return None\n"
    "def parse(path):\n"
    "    with open(path, 'rb') as file:\n"
    "        data = file.read(MOST + 1)\n"
    "    if len(data) > MOST:\n"
    "        say('failed', 'more than 4 MiB')\n"
    "        return None\n"
    "    problem = wrong_bytes(data)\n" /* the parser overlooks some in comments, a start does not
                                         */
    "    try:\n"
    "        tree = None if problem else ast.parse(data, path)\n"
    "        tree and compile(tree, path, 'exec', dont_inherit=True)\n"
    "    except (SyntaxError, ValueError) as error:\n"
    "        problem = getattr(error, 'lineno', 0), getattr(error, 'msg', None) or str(error)\n"
    "    if problem:\n"
    "        place = ', line %d: ' % problem[0] if problem[0] else ': '\n"
    "        say('error', path + place + problem[1])\n"
    "    return None if problem else tree\n"
    "def names(path):\n"
    "    tree = parse(path)\n"
    "    for node in tree.body if tree else ():\n"
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
    "                say('missing', name)\n"
    "            seen.add(name)\n"
    "limit = int(sys.argv[2]) << 20\n"
    "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
    "try:\n"
    "    check(sys.argv[1], {entry.split('.')[0] for entry in os.listdir('.')})\n"
    "except (MemoryError, RecursionError) as error:\n"
    "    say('failed', type(error).__name__)\n"
    "except Exception:\n" /* it cannot be read */
    "    pass\n"
    "os._exit(0)\n"; /* without freeing a large tree */

static void take_missing(struct python_source *out, const char *name)
{
    int number = out->missing_count++;
    if (number < PYTHON_SOURCE_MAX_NAMES) {
        snprintf(out->missing[number], PYTHON_SOURCE_NAME_BYTES, "%.*s",
                 PYTHON_SOURCE_NAME_BYTES - 1, name);
    }
}

/* What a source has for a name is not trusted. */
static void take_line(struct python_source *out, const char *line, size_t length)
{
    char raw[LONGEST_LINE + 1] = "";
    char text[LONGEST_LINE + 1] = "";
    char word[8] = "";
    int used = 0;
    if (sscanf(line, "%7[a-z] %n", word, &used) == 1 && (size_t)used < length) {
        snprintf(raw, sizeof raw, "%.*s", (int)(length - (size_t)used), line + used);
        utf8_clean(raw, text, sizeof text);
    }
    if (*text && strcmp(word, "failed") == 0) {
        note_set(&out->unknown, "Python cannot parse it: %.100s; the limit of memory is %d MiB",
                 text, MEMORY_MIB);
    } else if (*text && strcmp(word, "error") == 0 && !*out->error.text) {
        note_set(&out->error, "%s", text);
    } else if (*text && strcmp(word, "missing") == 0) {
        take_missing(out, text);
    }
}

static void take_result(struct python_source *out, const struct run_program_result *result)
{
    if (result->is_out_of_time) {
        note_set(&out->unknown, "Python needs more than %d s of processor time to parse it", CPU_S);
    } else if (result->exit.how == PROCESS_OUT_OF_MEMORY) {
        note_set(&out->unknown, "Python needs more than %d MiB of memory to parse it", MEMORY_MIB);
    } else if (result->exit.how != PROCESS_EXITED) {
        note_set(&out->unknown, "Python cannot parse it: %.80s", result->exit.sentence);
    }
    for (const char *line = result->output; !*out->unknown.text && *line; line += *line != '\0') {
        size_t length = strcspn(line, "\r\n");
        take_line(out, line, length);
        line += length;
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
void python_source_examine(const char *path, const char *interpreter, const struct sandbox *sandbox,
                           struct python_source *out)
{
    char folder[PATH_MAX] = ".";
    char memory[16];
    const char *slash = strrchr(path, '/');
    struct run_program_result result = {0};
    struct sandbox limited = *sandbox;
    *out = (struct python_source){.missing_count = 0};
    limited.limits = sandbox_limits_default();
    limited.limits.memory_bytes = (int64_t)MEMORY_MIB << 20;
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
    }
    snprintf(memory, sizeof memory, "%d", MEMORY_MIB);
    const char *const words[] = {
        interpreter, "-I", /* without the current folder and the environment */
        "-Wignore",  "-c", script, slash ? slash + 1 : path, memory, NULL};
    char *command = make_command(words);
    const struct run_program_spec spec = {.command = command,
                                          .folder = folder,
                                          .sandbox = &limited,
                                          .cpu_ns = CPU_S * CLOCK_NS_PER_S,
                                          .wall_ns = WALL_S * CLOCK_NS_PER_S};
    if (!command) {
        note_set(&out->unknown, "no memory for a command");
    } else if (!run_program(&spec, &result, &out->unknown)) {
        take_result(out, &result);
        run_program_result_free(&result);
    }
    free(command);
}
