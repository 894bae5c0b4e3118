#include "course/compiler.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/shell_word.h"
#include "sandbox/sandbox_programs.h"

#define SYSTEM_PATH "/usr/bin:/bin:/usr/local/bin"
static const char path_variable[] = "PATH=" SYSTEM_PATH;

struct compiler_limits compiler_limits_default(void)
{
    return (struct compiler_limits){
        .cpu_ns = 60 * CLOCK_NS_PER_S,
        .wall_ns = 300 * CLOCK_NS_PER_S,
        .memory_bytes = INT64_C(2) << 30,
        .file_bytes = INT64_C(256) << 20,
        .message_bytes = INT64_C(64) << 20,
    };
}

/* --- The place. --- */

static enum err refuse(const char *path, struct note *why)
{
    note_set(why, "cannot write %.200s: %s", path, strerror(errno));
    return ERR_ENVIRONMENT;
}

/* Without namespaces the sandbox's user reaches the folders by their path. */
static bool is_other_user(const struct compiler_place *place)
{
    return (place->sandbox.features & SANDBOX_OTHER_USER) &&
           !(place->sandbox.features & SANDBOX_NAMESPACES);
}

/* Whether all users may enter it and what it is in. */
static bool is_open_to_all(const char *path)
{
    char part[PATH_MAX];
    struct stat folder;
    size_t length = strlen(path);
    snprintf(part, sizeof part, "%s", path);
    while (length > 0 && length < sizeof part) {
        part[length] = '\0';
        if (stat(part, &folder) != 0 || !(folder.st_mode & S_IXOTH)) {
            return false;
        }
        length = (size_t)(strrchr(part, '/') - part);
    }
    return length == 0;
}

static enum err make_folder(struct compiler_place *place, struct note *why)
{
    enum { ENTER = 0711 };
    enum err err = folder_scratch_make(&place->folder, why);
    if (err || !is_other_user(place)) {
        return err;
    }
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", place->folder.path);
    *strrchr(parent, '/') = '\0';
    if (!is_open_to_all(parent)) { /* TMPDIR, closed like the home folder that it is in */
        folder_scratch_remove(&place->folder);
        err = folder_scratch_make_in(&place->folder, "/tmp", getpid(), why);
    }
    return err || chmod(place->folder.path, ENTER) == 0 ? err : refuse(place->folder.path, why);
}

enum err compiler_place_make(struct compiler_place *place, const struct compiler_options *options,
                             struct note *why)
{
    *place = (struct compiler_place){
        .sandbox = *options->sandbox,
        .limits = options->limits ? *options->limits : compiler_limits_default(),
        .path = options->path ? options->path : SYSTEM_PATH,
        .stop = options->stop,
    };
    place->sandbox.limits = sandbox_limits_default();
    place->sandbox.limits.memory_bytes = place->limits.memory_bytes;
    place->sandbox.limits.disk_bytes = place->limits.file_bytes;
    place->sandbox.limits.output_bytes = place->limits.message_bytes;
    place->end_ns = clock_now_ns() + place->limits.wall_ns;
    enum err err = make_folder(place, why);
    if (err) {
        return err;
    }
    snprintf(place->input, sizeof place->input, "%s/input", place->folder.path);
    snprintf(place->sources, sizeof place->sources, "%s/sources", place->input);
    snprintf(place->output, sizeof place->output, "%s/output", place->folder.path);
    if (mkdir(place->input, 0755) != 0 || mkdir(place->sources, 0755) != 0 ||
        mkdir(place->output, 0700) != 0) {
        return refuse(place->folder.path, why);
    }
    return ERR_NONE;
}

void compiler_place_remove(struct compiler_place *place) { folder_scratch_remove(&place->folder); }

/* --- One command. --- */

/* The arguments are in a file, where no shell sees them: they contain the names of the sources. */
static enum err write_words(const char *path, const char *const *words, struct note *why)
{
    FILE *out = fopen(path, "we");
    if (!out) {
        return refuse(path, why);
    }
    for (; *words; words++) {
        for (const char *at = *words; *at; at++) {
            fprintf(out, "\\%c", *at);
        }
        fputc('\n', out);
    }
    bool is_written = !ferror(out);
    return fclose(out) == 0 && is_written ? ERR_NONE : refuse(path, why);
}

static enum err run_once(const struct compiler_place *place, const struct compiler *compiler,
                         const char *const *words, struct run_program_result *out, struct note *why)
{
    char program[PATH_MAX];
    char arguments[COMPILER_PATH_BYTES + 32];
    char quoted[2][4 * PATH_MAX];
    char command[sizeof quoted + 2];
    char temporary[COMPILER_PATH_BYTES + 32];
    if (!sandbox_programs_find_in_path(place->path, compiler->name, program)) {
        note_set(why, "there is no %s in %.150s; it comes with: apt-get install %s", compiler->name,
                 place->path, compiler->packages);
        return ERR_ENVIRONMENT;
    }
    snprintf(arguments, sizeof arguments, "@%s/words", place->sources);
    enum err err = write_words(arguments + 1, words, why);
    if (err) {
        return err;
    }
    snprintf(command, sizeof command, "%s %s", shell_word(program, quoted[0], sizeof quoted[0]),
             shell_word(arguments, quoted[1], sizeof quoted[1]));
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", place->output);
    int64_t left_ns = place->end_ns - clock_now_ns();
    /* The messages are read by source_repair and by this file: in English. */
    const char *const environment[] = {
        path_variable, "LC_ALL=C.UTF-8", "LANGUAGE=", "LD_LIBRARY_PATH=", temporary, NULL};
    const struct run_program_spec spec = {
        .command = command,
        .folder = place->input,
        .private_folder = place->output,
        .environment = environment,
        .sandbox = &place->sandbox,
        .cpu_ns = place->limits.cpu_ns,
        .wall_ns = left_ns > 0 ? left_ns : 1,
        .stop = place->stop,
    };
    err = run_program(&spec, out, why);
    if (err == ERR_ENVIRONMENT) {
        note_prefix(why, "%s", compiler->name);
    }
    return err;
}

/* --- Whose failure it is. --- */

/* The disk is full for us when less than this is free. */
enum { MIN_FREE_BYTES = 16 << 20, MIN_FREE_FILES = 16 };

enum { LINE_BYTES = 120 }; /* how much of a line of the compiler is quoted */

/* Needs about as much memory as a program that uses much of the library. */
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
    static const char *const others[] = {
        "out of memory", "memory exhausted",         "Killed",
        "Bus error",     "File size limit exceeded", "error while loading shared libraries"};
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

/* The last line, without its end; *end becomes its start. */
static size_t last_line(const char *text, size_t *end)
{
    while (*end && text[*end - 1] == '\n') {
        --*end;
    }
    size_t length = 0;
    while (*end && text[*end - 1] != '\n') {
        --*end;
        length++;
    }
    return length;
}

static bool begins(const char *line, size_t length, const char *start)
{
    return length >= strlen(start) && strncmp(line, start, strlen(start)) == 0;
}

/* Whether the compiler's driver reports that a part of it could not run or was ended. Its report
 * is at the end; what quotes a source has a line number after the name of a file. */
static bool driver_failed(const struct compiler *compiler, const char *messages, const char **line,
                          size_t *length, bool *is_certain)
{
    static const char *const reasons[] = {
        "fatal error: cannot execute ",
        "fatal error: Killed signal terminated program ",
        "internal compiler error: CPU time limit exceeded signal terminated program ",
        "internal compiler error: Terminated signal terminated program ",
        "internal compiler error: Hangup signal terminated program ",
    };
    size_t end = strlen(messages);
    size_t size = last_line(messages, &end);
    if (begins(messages + end, size, "See <")) {
        size = last_line(messages, &end);
    }
    if (!begins(messages + end, size, "compilation terminated.") &&
        !begins(messages + end, size, "Please submit ")) {
        return false;
    }
    size = last_line(messages, &end);
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        char start[128];
        snprintf(start, sizeof start, "%s: %s", compiler->name, reasons[i]);
        if (begins(messages + end, size, start)) {
            *line = messages + end;
            *length = size;
            size_t name = strcspn(messages + end + strlen(start), " :\n");
            *is_certain = i > 0 && strlen(start) + name >= size; /* only a name follows */
            return i == 0 || *is_certain;
        }
    }
    return false;
}

/* The loader's line is all there is: the part of the compiler that reads the source never ran. */
static bool loader_failed(const char *messages, const char **line, size_t *length)
{
    *line = messages;
    *length = strcspn(messages, "\n");
    return strstr(messages, ": error while loading shared libraries: ") &&
           !messages[*length + (messages[*length] == '\n')];
}

/* Set by the kernel or by us: nothing that a source prints can look like it. */
static bool was_stopped(const struct run_program_result *result)
{
    return result->is_out_of_time || result->exit.how == PROCESS_OUT_OF_MEMORY ||
           result->exit.how == PROCESS_OUT_OF_DISK || result->exit.how == PROCESS_FLOODED;
}

/* Whether it looks like a failure that no source can cause; `reason` becomes why, for a person.
 * Not certain: a source can print the same. */
static bool is_machine_failure(const struct compiler *compiler,
                               const struct run_program_result *result, struct note *reason,
                               bool *is_certain)
{
    const char *line = NULL;
    size_t length = 0;
    *is_certain = false;
    if (run_program_succeeded(result) || was_stopped(result)) {
        return false;
    }
    if (result->exit.how == PROCESS_SIGNALLED) {
        note_set(reason, "%s was ended by a signal that plum did not send: %s", compiler->name,
                 strsignal(result->exit.code));
        *is_certain = true;
        return true;
    }
    if (driver_failed(compiler, result->output, &line, &length, is_certain) ||
        loader_failed(result->output, &line, &length)) {
        note_set(reason, "%s fails on this machine: %.*s", compiler->name,
                 (int)(length < LINE_BYTES ? length : LINE_BYTES), line);
        return true;
    }
    return false;
}

static bool has_room(const char *folder)
{
    struct statvfs about;
    return statvfs(folder, &about) != 0 ||
           ((uint64_t)about.f_bavail * about.f_frsize >= MIN_FREE_BYTES &&
            (about.f_files == 0 || about.f_favail >= MIN_FREE_FILES));
}

/* Compiles and links where the failed command does. ERR_ENVIRONMENT: that is not possible here. */
static enum err probe_machine(const struct compiler_place *place, const struct compiler *compiler,
                              struct note *why)
{
    char source[COMPILER_PATH_BYTES + 32];
    char program[COMPILER_PATH_BYTES + 32];
    bool is_cpp = strcmp(compiler->name, "g++") == 0;
    snprintf(source, sizeof source, "%s/probe.%s", place->sources, is_cpp ? "cpp" : "c");
    snprintf(program, sizeof program, "%s/probe", place->output);
    if (!has_room(place->folder.path) ||
        !file_write(source, "we", probe_source, strlen(probe_source))) {
        return ERR_ENVIRONMENT;
    }
    const char *const words[] = {"-O2", "-pthread", source, "-o", program, NULL};
    struct run_program_result result = {0};
    enum err err = run_once(place, compiler, words, &result, why);
    if (!err && !run_program_succeeded(&result)) {
        err = ERR_ENVIRONMENT;
    }
    run_program_result_free(&result);
    unlink(program);
    unlink(source);
    return err;
}

/* Twice, where the first failure looks like one of this machine's: it may be over by then. A source
 * can print some of the driver's lines (`#line 1 "gcc: fatal error: cannot execute ..."`): then the
 * machine is blamed only where it cannot compile a source of our own. */
static enum err run_twice(const struct compiler_place *place, const struct compiler *compiler,
                          const char *const *words, struct run_program_result *out,
                          struct note *why)
{
    struct note reason = {""};
    bool is_certain = false;
    enum err err = run_once(place, compiler, words, out, why);
    if (err || !is_machine_failure(compiler, out, &reason, &is_certain)) {
        return err;
    }
    run_program_result_free(out);
    err = run_once(place, compiler, words, out, why);
    if (err || !is_machine_failure(compiler, out, &reason, &is_certain)) {
        return err;
    }
    err = is_certain ? ERR_ENVIRONMENT : probe_machine(place, compiler, why);
    if (err == ERR_ENVIRONMENT) {
        note_set(why, "%.160s (twice): check the free memory and the limits of this shell (ulimit)",
                 reason.text);
    }
    if (err) {
        run_program_result_free(out);
    }
    return err;
}

/* What a compiler prints can come from the source (`#pragma GCC error "No space left on device"`),
 * so its text does not decide: where it names a shortage, a source of our own is compiled in the
 * same place. If that fails as well, the machine is short of something. */
enum err compiler_run(struct compiler_place *place, const struct compiler *compiler,
                      const char *const *words, struct run_program_result *out, struct note *why)
{
    size_t length = 0;
    enum err err = run_twice(place, compiler, words, out, why);
    const char *hint = err || run_program_succeeded(out) || was_stopped(out)
                           ? NULL
                           : find_hint(out->output, &length);
    if (!hint || place->is_proven) {
        return err;
    }
    err = probe_machine(place, compiler, why);
    place->is_proven = !err;
    if (err == ERR_ENVIRONMENT) {
        note_set(why, "%s fails on this machine: %.*s", compiler->name,
                 (int)(length < LINE_BYTES ? length : LINE_BYTES), hint);
    }
    run_program_result_free(out);
    return err ? err : run_twice(place, compiler, words, out, why); /* it may be over by now */
}

/* Where there are no cgroups, a part of the compiler reports the limit itself, in a line that
 * begins with its name. What quotes a source begins with the name of a file, or with spaces. */
static bool reports(const struct compiler_place *place, const struct run_program_result *result,
                    const char *phrase)
{
    static const char *const parts[] = {
        "cc1", "gcc: ", "g++: ", "collect2: ", "/usr/bin/ld: ", "virtual memory exhausted: "};
    const char *line = result->output;
    for (; place->sandbox.mode != SANDBOX_OFF && *line; line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        const char *found = memmem(line, length, phrase, strlen(phrase));
        for (size_t i = 0; found && i < sizeof parts / sizeof parts[0]; i++) {
            if (begins(line, length, parts[i])) {
                return true;
            }
        }
        line += length;
    }
    return false;
}

bool compiler_reached_limit(const struct compiler_place *place,
                            const struct run_program_result *result, struct note *out)
{
    const struct compiler_limits *limits = &place->limits;
    if (run_program_succeeded(result)) {
        return false;
    }
    if (result->is_out_of_time) {
        note_set(out,
                 "the compiler needs more than %" PRId64 " s of processor time, or %" PRId64
                 " s for the whole program",
                 limits->cpu_ns / CLOCK_NS_PER_S, limits->wall_ns / CLOCK_NS_PER_S);
    } else if (result->exit.how == PROCESS_OUT_OF_MEMORY ||
               reports(place, result, "out of memory") ||
               reports(place, result, "memory exhausted")) {
        note_set(out, "the compiler needs more than %" PRId64 " MiB of memory",
                 limits->memory_bytes >> 20);
    } else if (result->exit.how == PROCESS_OUT_OF_DISK ||
               reports(place, result, "File size limit exceeded")) {
        note_set(out, "the compiler writes more than %" PRId64 " MiB of files",
                 limits->file_bytes >> 20);
    } else if (result->exit.how == PROCESS_FLOODED) {
        note_set(out, "the compiler prints more than %" PRId64 " MiB", limits->message_bytes >> 20);
    } else {
        return false;
    }
    return true;
}
