#include "app/python_source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "sandbox/run_program.h"

enum { LONGEST_LINE = 300, CPU_S = 3, WALL_S = 60, MEMORY_MIB = 512 };

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
    const struct embedded_file *script = embedded_find("src/app/python_source.py");
    const char *const words[] = {
        interpreter, "-I", /* without the current folder and the environment */
        "-Wignore",  "-c", script->bytes, slash ? slash + 1 : path, memory, NULL};
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
