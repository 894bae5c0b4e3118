#include "course/compiler.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* A source of this size in memory and on the disk was made to be so. */
static const struct run_program_limits limits = {.cpu_s = 120,
                                                 .wall_s = 300,
                                                 .memory_bytes = (uint64_t)6 << 30,
                                                 .file_bytes = (uint64_t)1 << 30};

/* The disk is full for us when less than this is free. */
enum { MIN_FREE_BYTES = 16 << 20, MIN_FREE_FILES = 16 };

/* Needs about as much memory as a hand-in that uses much of the library. */
static const char probe_source[] =
    "#ifdef __cplusplus\n#include <algorithm>\n#include <iostream>\n#include <map>\n"
    "#include <random>\n#include <string>\n#include <vector>\n"
    "int main()\n{\n    std::map<std::string, std::vector<int>> m;\n    m[\"a\"].push_back(1);\n"
    "    std::sort(m[\"a\"].begin(), m[\"a\"].end());\n"
    "    std::cout << m.size();\n}\n"
    "#else\n#include <stdio.h>\nint main(void) { return puts(\"a\") < 0; }\n#endif\n";

/* The line that may mean a shortage; NULL: there is none. *length: of the line. */
static const char *find_hint(const char *messages, size_t *length)
{
    static const int errors[] = {ENOSPC, EDQUOT, ENOMEM, EMFILE, ENFILE, EAGAIN};
    static const char *const others[] = {"out of memory", "Killed", "Bus error"};
    enum { ERRORS = sizeof errors / sizeof errors[0], OTHERS = sizeof others / sizeof others[0] };
    for (size_t i = 0; i < ERRORS + OTHERS; i++) {
        const char *at = strstr(messages, i < ERRORS ? strerror(errors[i]) : others[i - ERRORS]);
        if (at) {
            const char *line = at;
            while (line > messages && line[-1] != '\n') {
                line--;
            }
            *length = strcspn(line, "\n");
            return line;
        }
    }
    return NULL;
}

static bool has_room(const char *folder)
{
    struct statvfs about;
    return statvfs(folder, &about) != 0 ||
           ((uint64_t)about.f_bavail * about.f_frsize >= MIN_FREE_BYTES &&
            (about.f_files == 0 || about.f_favail >= MIN_FREE_FILES));
}

static bool writes_probe(const char *path)
{
    FILE *file = fopen(path, "we");
    bool is_written = file && fputs(probe_source, file) >= 0;
    return file && fclose(file) == 0 && is_written;
}

/* Compiles and links where the failed command does. ERR_ENVIRONMENT: that is not possible here. */
static enum err probe(const struct compiler *compiler, const char *scratch, const char *output,
                      struct note *why)
{
    char source[PATH_MAX];
    char program[PATH_MAX];
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(output, '/');
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - output + 1), output);
    }
    bool is_cpp = strcmp(compiler->name, "g++") == 0;
    snprintf(source, sizeof source, "%s/probe.%s", scratch, is_cpp ? "cpp" : "c");
    snprintf(program, sizeof program, "%s.probe", output);
    if (!has_room(scratch) || !has_room(folder) || !writes_probe(source)) {
        return ERR_ENVIRONMENT;
    }
    const char *const words[] = {compiler->name, "-O2", "-pthread", source, "-o", program, NULL};
    struct run_program_result result = {0};
    enum err err = run_program_limited(words, &limits, &result, why);
    if (!err && !result.is_success) {
        err = ERR_ENVIRONMENT;
    }
    run_program_result_free(&result);
    unlink(program);
    unlink(source);
    return err;
}

enum err compiler_run(const struct compiler *compiler, const char *const *words,
                      struct compiler_place *place, const char *output,
                      struct run_program_result *out, struct note *why)
{
    size_t length = 0;
    enum err err = run_program_limited(words, &limits, out, why);
    if (err == ERR_ENVIRONMENT && strstr(why->text, strerror(ENOENT))) {
        struct note reason = *why;
        note_set(why, "%.100s; it comes with: apt-get install %s", reason.text, compiler->packages);
    }
    const char *hint = err || out->is_success ? NULL : find_hint(out->output, &length);
    if (!hint || place->is_proven) {
        return err;
    }
    err = probe(compiler, place->scratch, output, why);
    place->is_proven = !err;
    if (err == ERR_ENVIRONMENT) {
        note_set(why, "%s fails on this machine: %.*s", compiler->name,
                 (int)(length < 200 ? length : 200), hint);
    }
    run_program_result_free(out);
    return err ? err : run_program_limited(words, &limits, out, why); /* it may be over by now */
}
