#include "course/build.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/folder.h"
#include "sandbox/run_program.h"
#include "course/source_repair.h"
#include "course/source_tree.h"

enum {
    MAX_SOURCES = 64,
    MAX_WORDS = MAX_SOURCES + 32,
    PATH_BYTES = FOLDER_SCRATCH_BYTES + 64, /* of a file in the scratch folder */
};

static const char compat_folder[] = "clients/compat/";

struct compiler {
    const char *name;
    const char *packages; /* the Debian packages that contain it */
};

/* Where a build runs. */
struct compiler_place {
    const char *scratch;     /* a folder */
    bool is_proven;          /* our own source has been compiled there */
    const atomic_bool *stop; /* true: the compiler is ended; NULL: never */
};

/* How a source can be compiled: first as the courses do, then with more and more of what Visual
 * Studio accepts. More is not there at first because its names could clash with the program's. */
struct build_attempt {
    const char *standard;
    bool is_for_windows; /* in Visual Studio's dialect, with the headers of clients/compat */
    int more_headers;    /* how many of `more_headers` are also included */
    const char *words;   /* for a person */
};

struct build_language {
    struct compiler compiler;
    const char *name;    /* as gcc's -x has it */
    const char *endings; /* of file names, in lower case */
    const struct build_attempt *attempts;
    int attempt_count;
};

static const struct build_attempt c_attempts[] = {
    {"-std=gnu17", false, 0, "gcc -std=gnu17 -O3"},
    {"-std=gnu17", true, 0, "a Windows program in GNU C17"},
    {"-std=gnu17", true, 1, "a Windows program in GNU C17 with more standard headers"},
};
static const struct build_attempt cpp_attempts[] = {
    {"-std=c++14", false, 0, "g++ -std=c++14 -O3"},
    {"-std=gnu++14", true, 0, "a Windows program in GNU C++14"},
    {"-std=gnu++14", true, 1, "a Windows program in GNU C++14 with more standard headers"},
    {"-std=gnu++14", true, 2, "a Windows program in GNU C++14 with the whole standard library"},
    {"-std=gnu++20", true, 1, "a Windows program in GNU C++20 with more standard headers"},
};
enum { MAX_ATTEMPTS = 5 };

/* What Visual Studio's own headers include, in files of clients/compat. */
static const char *const more_headers[] = {"compat_common.h", "compat_library.h"};
enum { MORE_HEADERS = sizeof more_headers / sizeof more_headers[0] };

static const struct build_language c = {{"gcc", "gcc libc6-dev"}, "c", " .c ", c_attempts, 3};
static const struct build_language cpp = {
    {"g++", "g++"}, "c++", " .cpp .cc .cxx .c++ ", cpp_attempts, 5};

/* One build under way. */
struct build {
    struct folder_scratch folder;
    struct source_tree trees[2]; /* by is_for_windows */
    struct compiler_place place;
    const char *dialect; /* of the last source that was not compiled as the courses do */
    FILE *messages;
};

/* A command line that grows. */
struct build_command {
    const char *list[MAX_WORDS];
    size_t count;
};

/* Up to NULL. */
static void add_all(struct build_command *words, const char *const *more)
{
    for (; *more; more++) {
        assert(words->count + 1 < MAX_WORDS);
        words->list[words->count++] = *more;
    }
}

#define ADD_WORDS(words, ...) add_all((words), (const char *const[]){__VA_ARGS__, NULL})

/* --- What there is to compile. --- */

/* NULL: not a source. */
static const struct build_language *language_of(const char *source)
{
    const char *dot = strrchr(source, '.');
    char ending[16];
    if (!dot || snprintf(ending, sizeof ending, " %s ", dot) >= (int)sizeof ending) {
        return NULL;
    }
    return strcasestr(c.endings, ending) ? &c : strcasestr(cpp.endings, ending) ? &cpp : NULL;
}

static enum err check_sources(const char *const *sources, size_t count, struct note *why)
{
    if (count > MAX_SOURCES) {
        note_set(why, "more than %d sources", MAX_SOURCES);
        return ERR_INPUT;
    }
    for (size_t i = 0; i < count; i++) {
        const char *dot = strrchr(sources[i], '.');
        if (dot && strcasecmp(dot, ".py") == 0) {
            note_set(why, "%.100s: Python is not built, run it as it is", sources[i]);
            return ERR_INPUT;
        }
        if (!language_of(sources[i])) {
            note_set(why, "%.100s is not a source: give the .c or .cpp files", sources[i]);
            return ERR_INPUT;
        }
    }
    return ERR_NONE;
}

static bool is_same_file(const char *a, const struct stat *b)
{
    struct stat about;
    return stat(a, &about) == 0 && about.st_dev == b->st_dev && about.st_ino == b->st_ino;
}

static enum err refuse_write(const char *path, struct note *why)
{
    note_set(why, "cannot write %.100s: %s", path, strerror(errno));
    return ERR_ENVIRONMENT;
}

static enum err check_folder(const char *agent, struct note *why)
{
    const char *slash = strrchr(agent, '/');
    char folder[PATH_MAX] = ".";
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - agent + 1), agent);
    }
    return access(folder, W_OK) == 0 ? ERR_NONE : refuse_write(agent, why);
}

static enum err check_agent(const char *agent, const char *const *sources, size_t count,
                            struct note *why)
{
    struct stat about;
    if (stat(agent, &about) != 0) {
        return check_folder(agent, why);
    }
    if (S_ISDIR(about.st_mode)) {
        note_set(why, "%.100s is a folder: name the file that the agent becomes", agent);
        return ERR_INPUT;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_same_file(sources[i], &about)) {
            note_set(why, "the agent would overwrite the source %.100s", sources[i]);
            return ERR_INPUT;
        }
    }
    return ERR_NONE;
}

/* --- The headers of clients/compat, as files. --- */

static enum err write_header(const struct build *build, const struct embedded_file *file,
                             struct note *why)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/compat/%s", build->folder.path,
             file->name + strlen(compat_folder));
    return file_write(path, "wxe", file->bytes, file->size) ? ERR_NONE : refuse_write(path, why);
}

static enum err write_headers(const struct build *build, struct note *why)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/compat", build->folder.path);
    if (mkdir(path, 0700) != 0) {
        return refuse_write(path, why);
    }
    for (const struct embedded_file *file = embedded_files; file->name; file++) {
        if (strncmp(file->name, compat_folder, strlen(compat_folder)) == 0) {
            enum err err = write_header(build, file, why);
            if (err) {
                return err;
            }
        }
    }
    return ERR_NONE;
}

/* --- The compiler. --- */

/* More than any honest source needs. */
static struct run_program_limits compiler_limits(const struct compiler_place *place)
{
    return (struct run_program_limits){.cpu_s = 120,
                                       .wall_s = 300,
                                       .memory_bytes = (uint64_t)6 << 30,
                                       .file_bytes = (uint64_t)1 << 30,
                                       .temporary = place->scratch,
                                       .stop = place->stop};
}

/* The disk is full for us when less than this is free. */
enum { MIN_FREE_BYTES = 16 << 20, MIN_FREE_FILES = 16 };

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
    static const char *const others[] = {"out of memory", "Killed", "Bus error",
                                         "error while loading shared libraries"};
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
                          size_t *length)
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
        bool is_it = begins(messages + end, size, start);
        for (size_t j = strlen(start); is_it && i > 0 && j < size; j++) {
            is_it = messages[end + j] != ':' && messages[end + j] != ' '; /* only a name */
        }
        if (is_it) {
            *line = messages + end;
            *length = size;
            return true;
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

/* Whether it failed in a way that no source can cause; `reason` becomes why, for a person. */
static bool is_machine_failure(const struct compiler *compiler,
                               const struct run_program_result *result, struct note *reason)
{
    const char *line = NULL;
    size_t length = 0;
    if (result->is_success || result->is_out_of_time) {
        return false;
    }
    if (result->signal) {
        note_set(reason, "%s was ended by a signal that plum did not send: %s", compiler->name,
                 strsignal(result->signal));
        return true;
    }
    if (driver_failed(compiler, result->output, &line, &length) ||
        loader_failed(result->output, &line, &length)) {
        note_set(reason, "%s fails on this machine: %.*s", compiler->name,
                 (int)(length < 200 ? length : 200), line);
        return true;
    }
    return false;
}

/* Twice, where the first failure is this machine's: it may be over by then. */
static enum err run_twice(const struct compiler *compiler, const char *const *words,
                          const struct compiler_place *place, struct run_program_result *out,
                          struct note *why)
{
    const struct run_program_limits limits = compiler_limits(place);
    struct note reason = {""};
    enum err err = run_program_limited(words, &limits, out, why);
    if (err || !is_machine_failure(compiler, out, &reason)) {
        return err;
    }
    run_program_result_free(out);
    err = run_program_limited(words, &limits, out, why);
    if (!err && is_machine_failure(compiler, out, &reason)) {
        run_program_result_free(out);
        note_set(why, "%.220s (twice): check the free memory and the limits of this shell (ulimit)",
                 reason.text);
        err = ERR_ENVIRONMENT;
    }
    return err;
}

static bool has_room(const char *folder)
{
    struct statvfs about;
    return statvfs(folder, &about) != 0 ||
           ((uint64_t)about.f_bavail * about.f_frsize >= MIN_FREE_BYTES &&
            (about.f_files == 0 || about.f_favail >= MIN_FREE_FILES));
}

/* Compiles and links where the failed command does. ERR_ENVIRONMENT: that is not possible here. */
static enum err probe_machine(const struct compiler *compiler, const struct compiler_place *place,
                              const char *output, struct note *why)
{
    const char *scratch = place->scratch;
    const struct run_program_limits limits = compiler_limits(place);
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
    if (!has_room(scratch) || !has_room(folder) ||
        !file_write(source, "we", probe_source, strlen(probe_source))) {
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

/* `words` is the command, which ends with NULL; `output` the file that it writes. ERR_ENVIRONMENT:
 * there is no such compiler, or this machine is short of memory, disk, processes or descriptors.
 *
 * What a compiler prints can come from the source (`#pragma GCC error "No space left on device"`),
 * so its text does not decide: where it names a shortage, a source of our own is compiled in the
 * same places. If that fails as well, the machine is short of something. No source can
 * cause a driver or a part of it to be ended by a signal, or a part not to be loaded: such a
 * command is run once more. */
static enum err run_compiler(const struct compiler *compiler, const char *const *words,
                             struct compiler_place *place, const char *output,
                             struct run_program_result *out, struct note *why)
{
    size_t length = 0;
    enum err err = run_twice(compiler, words, place, out, why);
    if (err == ERR_ENVIRONMENT && strstr(why->text, strerror(ENOENT))) {
        struct note reason = *why;
        note_set(why, "%.100s; it comes with: apt-get install %s", reason.text, compiler->packages);
    }
    const char *hint = err || out->is_success ? NULL : find_hint(out->output, &length);
    if (!hint || place->is_proven) {
        return err;
    }
    err = probe_machine(compiler, place, output, why);
    place->is_proven = !err;
    if (err == ERR_ENVIRONMENT) {
        note_set(why, "%s fails on this machine: %.*s", compiler->name,
                 (int)(length < 200 ? length : 200), hint);
    }
    run_program_result_free(out);
    return err ? err : run_twice(compiler, words, place, out, why); /* it may be over by now */
}

static int count_errors(const char *messages)
{
    int count = 0;
    for (const char *at = messages; (at = strstr(at, "error: ")); at++) {
        count++;
    }
    return count;
}

static enum err compile_once(struct build *build, size_t index,
                             const struct build_language *language,
                             const struct build_attempt *attempt, struct run_program_result *out,
                             struct note *why)
{
    const char *folder = build->folder.path;
    const struct source_tree *tree = &build->trees[attempt->is_for_windows];
    char compat[PATH_BYTES], prelude[PATH_BYTES], more[MORE_HEADERS][PATH_BYTES];
    char object[PATH_BYTES];
    char source[PATH_MAX], text[PATH_MAX], map[2 * PATH_MAX], text_map[2 * PATH_MAX];
    snprintf(compat, sizeof compat, "-I%s/compat", folder);
    snprintf(prelude, sizeof prelude, "%s/compat/compat_prelude.h", folder);
    snprintf(object, sizeof object, "%s/%zu.o", folder, index);
    source_tree_path(tree, index, source, sizeof source);
    snprintf(map, sizeof map, "-ffile-prefix-map=%s=%s", source, tree->files[index].name);
    source_tree_text_path(tree, index, text, sizeof text);
    snprintf(text_map, sizeof text_map, "-ffile-prefix-map=%s=%s", text, tree->files[index].name);

    struct build_command words = {0};
    ADD_WORDS(&words, language->compiler.name, attempt->standard, "-O3", "-pthread", map, text_map,
              "-fdiagnostics-column-unit=byte");
    if (attempt->is_for_windows) {
        ADD_WORDS(&words, compat, "-include", prelude);
    }
    for (int i = 0; i < attempt->more_headers; i++) {
        snprintf(more[i], PATH_BYTES, "%s/compat/%s", folder, more_headers[i]);
        ADD_WORDS(&words, "-include", more[i]);
    }
    if (language == &c && !attempt->more_headers) {
        ADD_WORDS(&words, "-Werror=implicit-function-declaration");
    } else if (language == &cpp && attempt->is_for_windows) {
        ADD_WORDS(&words, "-fpermissive");
    }
    ADD_WORDS(&words, "-x", language->name, "-c", source, "-o", object);
    return run_compiler(&language->compiler, words.list, &build->place, object, out, why);
}

/* Repairs what only the compiler's messages reveal, as long as that helps. */
static enum err compile_repaired(struct build *build, size_t index,
                                 const struct build_language *language,
                                 const struct build_attempt *attempt,
                                 struct run_program_result *out, struct note *why)
{
    enum { MOST_ROUNDS = 8 };
    const struct source_tree *tree = &build->trees[1];
    enum err err = compile_once(build, index, language, attempt, out, why);
    for (int i = 0; !err && attempt->is_for_windows && !out->is_success && !out->is_out_of_time &&
                    i < MOST_ROUNDS && source_repair(tree, out->output) > 0;
         i++) {
        run_program_result_free(out);
        err = compile_once(build, index, language, attempt, out, why);
    }
    return err;
}

/* The error of the course's own command is worth knowing even if another one succeeds. */
static void report_fallback(const struct build *build, size_t index,
                            const struct build_language *language, const struct build_attempt *used,
                            const char *messages)
{
    const struct source_tree *tree = &build->trees[0];
    const char *error = strstr(messages, "error: ");
    char line[512] = "";
    if (error) {
        const char *start = error;
        while (start > messages && start[-1] != '\n') {
            start--;
        }
        snprintf(line, sizeof line, "%.*s", (int)strcspn(start, "\n"), start);
    }
    fprintf(build->messages,
            "%s: compiled as %s, because '%s' refuses it: ", tree->files[index].name, used->words,
            language->attempts[0].words);
    source_tree_print(tree, line, build->messages);
    fputs("\n", build->messages);
}

/* What Visual Studio accepts and gcc does not, where no rewriting is safe. */
static void advise(const struct build *build, const char *messages)
{
    static const struct {
        const char *error;
        const char *advice;
    } list[] = {
        {"explicit specialization in non-namespace scope",
         "a 'template <>' inside a class is Visual Studio's own: move it after the class"},
        {"was not declared in this scope",
         "a variable of a 'for' ends with its loop: declare it before the loop if it is used after "
         "it; a function or type needs its #include"},
        {"use of enum",
         "an 'enum' must have its values, or a type (enum E : int;), before its use"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (strstr(messages, list[i].error)) {
            fprintf(build->messages, "hint: %s\n", list[i].advice);
        }
    }
}

/* How little a failed attempt reveals: a missing header hides all other errors. */
static int badness(const char *messages)
{
    enum { HIDDEN = 1000 };
    return count_errors(messages) + (strstr(messages, "fatal error: ") ? HIDDEN : 0);
}

/* Where all attempts fail, the shortest list of errors is the helpful one. */
static enum err compile(struct build *build, size_t index, struct note *why)
{
    const char *name = build->trees[0].files[index].name;
    const struct build_language *language = language_of(name);
    const struct build_attempt *attempts = language->attempts;
    struct run_program_result results[MAX_ATTEMPTS] = {0};
    enum err err = ERR_NONE;
    int best = 0;
    bool is_out_of_time = false;
    for (int i = 0;
         !err && !is_out_of_time && i < language->attempt_count && !results[best].is_success; i++) {
        err = compile_repaired(build, index, language, &attempts[i], &results[i], why);
        is_out_of_time = !err && results[i].is_out_of_time;
        if (!err &&
            (results[i].is_success || badness(results[i].output) < badness(results[best].output))) {
            best = i;
        }
    }
    if (!err && results[best].is_success && best > 0) {
        report_fallback(build, index, language, &attempts[best], results[0].output);
        build->dialect = attempts[best].words;
    }
    if (!err) {
        source_tree_print(&build->trees[attempts[best].is_for_windows], results[best].output,
                          build->messages);
    }
    if (!err && !results[best].is_success) {
        advise(build, results[best].output);
        note_set(why, "%.100s does not compile%s", name,
                 is_out_of_time ? ": the compiler needs too much time for it" : "");
        err = ERR_NEGATIVE;
    }
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        run_program_result_free(&results[i]);
    }
    return err;
}

static enum err link_agent(struct build *build, const char *agent, struct note *why)
{
    char objects[MAX_SOURCES][PATH_BYTES];
    const struct build_language *language = &c;
    for (size_t i = 0; i < build->trees[0].given; i++) {
        if (language_of(build->trees[0].files[i].name) == &cpp) {
            language = &cpp;
        }
    }
    struct build_command words = {0};
    ADD_WORDS(&words, language->compiler.name, "-pthread", "-o", agent);
    for (size_t i = 0; i < build->trees[0].given; i++) {
        snprintf(objects[i], sizeof objects[i], "%s/%zu.o", build->folder.path, i);
        ADD_WORDS(&words, objects[i]);
    }
    ADD_WORDS(&words, "-lm");
    struct run_program_result result = {0};
    enum err err =
        run_compiler(&language->compiler, words.list, &build->place, agent, &result, why);
    if (!err) {
        source_tree_print(&build->trees[0], result.output, build->messages);
        if (!result.is_success) {
            note_set(why, "the parts do not link into %.100s", agent);
            err = ERR_NEGATIVE;
        }
    }
    run_program_result_free(&result);
    return err;
}

static enum err copy_sources(struct build *build, const char *const *sources, size_t count,
                             struct note *why)
{
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < 2; i++) {
        build->trees[i].folder = build->folder.path;
        build->trees[i].is_for_windows = i;
        err = source_tree_copy(&build->trees[i], sources, count, why);
    }
    return err;
}

static enum err build_in_folder(struct build *build, const char *const *sources, size_t count,
                                const char *agent, struct note *why)
{
    build->place.scratch = build->folder.path;
    enum err err = write_headers(build, why);
    if (!err) {
        err = copy_sources(build, sources, count, why);
    }
    for (size_t i = 0; !err && i < count; i++) {
        err = compile(build, i, why);
    }
    return err ? err : link_agent(build, agent, why);
}

enum err build_agent(const char *const *sources, size_t count, const char *agent,
                     const atomic_bool *stop, char **messages, const char **dialect,
                     struct note *why)
{
    *messages = NULL;
    if (dialect) {
        *dialect = NULL;
    }
    enum err err = check_sources(sources, count, why);
    if (!err) {
        err = check_agent(agent, sources, count, why);
    }
    if (err) {
        return err;
    }
    size_t size = 0;
    struct build *build = calloc(1, sizeof *build);
    if (!build || !(build->messages = open_memstream(messages, &size))) {
        free(build);
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    build->place.stop = stop;
    mode_t before = build_loosen_umask();
    err = folder_scratch_make(&build->folder, why);
    if (!err) {
        err = build_in_folder(build, sources, count, agent, why);
    }
    umask(before);
    if (dialect && !err) {
        *dialect = build->dialect;
    }
    fclose(build->messages);
    source_tree_free(&build->trees[0]);
    source_tree_free(&build->trees[1]);
    folder_scratch_remove(&build->folder);
    free(build);
    return err;
}

mode_t build_loosen_umask(void)
{
    enum { READ_AND_ENTER = 055 }; /* for the group and all others */
    mode_t before = umask(077);
    umask(geteuid() == 0 ? before & ~(mode_t)READ_AND_ENTER : before);
    return before;
}
