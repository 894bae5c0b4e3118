#include "course/build.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/embedded.h"
#include "base/file.h"
#include "sandbox/run_program.h"
#include "course/source_repair.h"
#include "course/source_tree.h"
#include "course/submission.h"

enum {
    MAX_SOURCES = 64,
    MAX_WORDS = MAX_SOURCES + 32,
    PATH_BYTES = COMPILER_PATH_BYTES + 64, /* of a file of a build */
};

static const char compat_folder[] = "clients/compat/";

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
    const char *name; /* as gcc's -x has it */
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

static const struct build_language c = {{"gcc", "gcc libc6-dev"}, "c", c_attempts, 3};
static const struct build_language cpp = {{"g++", "g++"}, "c++", cpp_attempts, 5};

/* One build under way. */
struct build {
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
    const char *name = submission_language_name(source);
    return strcmp(name, "C") == 0 ? &c : strcmp(name, "C++") == 0 ? &cpp : NULL;
}

static enum err check_sources(const char *const *sources, size_t count, struct note *why)
{
    if (count > MAX_SOURCES) {
        note_set(why, "more than %d sources", MAX_SOURCES);
        return ERR_INPUT;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(submission_language_name(sources[i]), "Python") == 0) {
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
    snprintf(path, sizeof path, "%s/compat/%s", build->place.sources,
             file->name + strlen(compat_folder));
    return file_write(path, "wxe", file->bytes, file->size) ? ERR_NONE : refuse_write(path, why);
}

static enum err write_headers(const struct build *build, struct note *why)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/compat", build->place.sources);
    if (mkdir(path, 0755) != 0) {
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

/* --- Compiling. --- */

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
    const char *folder = build->place.sources;
    const struct source_tree *tree = &build->trees[attempt->is_for_windows];
    char compat[PATH_BYTES], prelude[PATH_BYTES], more[MORE_HEADERS][PATH_BYTES];
    char object[PATH_BYTES];
    char source[PATH_MAX], text[PATH_MAX], map[2 * PATH_MAX], text_map[2 * PATH_MAX];
    snprintf(compat, sizeof compat, "-I%s/compat", folder);
    snprintf(prelude, sizeof prelude, "%s/compat/compat_prelude.h", folder);
    snprintf(object, sizeof object, "%s/%zu.o", build->place.output, index);
    source_tree_path(tree, index, source, sizeof source);
    snprintf(map, sizeof map, "-ffile-prefix-map=%s=%s", source, tree->files[index].name);
    source_tree_text_path(tree, index, text, sizeof text);
    snprintf(text_map, sizeof text_map, "-ffile-prefix-map=%s=%s", text, tree->files[index].name);

    struct build_command words = {0};
    ADD_WORDS(&words, attempt->standard, "-O3", "-pthread", map, text_map,
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
    return compiler_run(&build->place, &language->compiler, words.list, out, why);
}

/* Repairs what only the compiler's messages reveal, as long as that helps. */
static enum err compile_repaired(struct build *build, size_t index,
                                 const struct build_language *language,
                                 const struct build_attempt *attempt,
                                 struct run_program_result *out, struct note *why)
{
    enum { MOST_ROUNDS = 8 };
    const struct source_tree *tree = &build->trees[1];
    struct note limit;
    enum err err = compile_once(build, index, language, attempt, out, why);
    for (int i = 0; !err && attempt->is_for_windows && !run_program_succeeded(out) &&
                    !compiler_reached_limit(&build->place, out, &limit) && i < MOST_ROUNDS &&
                    source_repair(tree, out->output) > 0;
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
        {": No such file or directory",
         "a header that is not installed must be in the program's folder (plum build --folder)"},
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

/* Where all attempts fail, the shortest list of errors is the helpful one; where one reaches a
 * limit, that is the reason. */
static enum err compile(struct build *build, size_t index, struct note *why)
{
    const char *name = build->trees[0].files[index].name;
    const struct build_language *language = language_of(name);
    const struct build_attempt *attempts = language->attempts;
    struct run_program_result results[MAX_ATTEMPTS] = {0};
    struct note limit = {""};
    enum err err = ERR_NONE;
    int best = 0;
    bool is_over = false;
    for (int i = 0; !err && !is_over && i < language->attempt_count; i++) {
        err = compile_repaired(build, index, language, &attempts[i], &results[i], why);
        if (err) {
            note_prefix(why, "%.80s", name);
            goto out;
        }
        is_over = run_program_succeeded(&results[i]) ||
                  compiler_reached_limit(&build->place, &results[i], &limit);
        if (is_over || badness(results[i].output) < badness(results[best].output)) {
            best = i;
        }
    }
    bool is_compiled = run_program_succeeded(&results[best]);
    if (is_compiled && best > 0) {
        report_fallback(build, index, language, &attempts[best], results[0].output);
        build->dialect = attempts[best].words;
    }
    source_tree_print(&build->trees[attempts[best].is_for_windows], results[best].output,
                      build->messages);
    if (!is_compiled) {
        advise(build, results[best].output);
        note_set(why, "%.100s does not compile%s%s", name, *limit.text ? ": " : "", limit.text);
        err = ERR_NEGATIVE;
    }
out:
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        run_program_result_free(&results[i]);
    }
    return err;
}

/* --- The agent. --- */

/* A name that is a link is replaced, as a linker does: where it leads is not what the user named.
 */
static void remove_link(const char *agent)
{
    struct stat about;
    if (lstat(agent, &about) == 0 && S_ISLNK(about.st_mode) &&
        (stat(agent, &about) != 0 || S_ISREG(about.st_mode))) {
        (void)unlink(agent);
    }
}

static enum err copy_bytes(FILE *in, const char *agent, struct note *why)
{
    enum { EXECUTABLE = 0777 };
    struct atomic_file out;
    char chunk[1 << 16];
    remove_link(agent);
    enum err err = atomic_file_open(&out, agent, why);
    if (err) {
        return err;
    }
    for (size_t size; (size = fread(chunk, 1, sizeof chunk, in)) > 0;) {
        (void)fwrite(chunk, 1, size, out.stream);
    }
    mode_t mask = umask(0);
    umask(mask);
    if (ferror(in) || (*out.temporary && fchmod(fileno(out.stream), EXECUTABLE & ~mask) != 0)) {
        err = refuse_write(agent, why);
        atomic_file_discard(&out);
        return err;
    }
    return atomic_file_commit(&out, why);
}

/* The folder is the compiler's: what is there under the agent's name need not be a file. */
static enum err take_agent(const struct build *build, const char *program, const char *agent,
                           struct note *why)
{
    struct stat about;
    int descriptor = open(program, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_file = descriptor >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
                   about.st_size <= build->place.limits.file_bytes;
    FILE *in = is_file ? fdopen(descriptor, "r") : NULL;
    if (!in) {
        note_set(why, "the linker has written no program");
        if (descriptor >= 0) {
            close(descriptor);
        }
        return ERR_ENVIRONMENT;
    }
    enum err err = copy_bytes(in, agent, why);
    fclose(in);
    return err;
}

static enum err link_agent(struct build *build, const char *agent, struct note *why)
{
    char objects[MAX_SOURCES][PATH_BYTES];
    char program[PATH_BYTES];
    const struct build_language *language = &c;
    for (size_t i = 0; i < build->trees[0].given; i++) {
        if (language_of(build->trees[0].files[i].name) == &cpp) {
            language = &cpp;
        }
    }
    struct build_command words = {0};
    snprintf(program, sizeof program, "%s/agent", build->place.output);
    ADD_WORDS(&words, "-pthread", "-o", program);
    for (size_t i = 0; i < build->trees[0].given; i++) {
        snprintf(objects[i], sizeof objects[i], "%s/%zu.o", build->place.output, i);
        ADD_WORDS(&words, objects[i]);
    }
    ADD_WORDS(&words, "-lm");
    struct run_program_result result = {0};
    struct note limit = {""};
    enum err err = compiler_run(&build->place, &language->compiler, words.list, &result, why);
    if (err) {
        note_prefix(why, "%.80s", agent);
        return err;
    }
    source_tree_print(&build->trees[0], result.output, build->messages);
    if (run_program_succeeded(&result)) {
        err = take_agent(build, program, agent, why);
    } else {
        bool is_limit = compiler_reached_limit(&build->place, &result, &limit);
        note_set(why, "the parts do not link into %.100s%s%s", agent, is_limit ? ": " : "",
                 limit.text);
        err = ERR_NEGATIVE;
    }
    run_program_result_free(&result);
    return err;
}

static enum err copy_sources(struct build *build, const char *folder, const char *const *sources,
                             size_t count, struct note *why)
{
    enum err err = ERR_NONE;
    struct note limit;
    for (int i = 0; !err && i < 2; i++) {
        build->trees[i].folder = build->place.sources;
        build->trees[i].is_for_windows = i;
        build->trees[i].end_ns = build->place.end_ns;
        build->trees[i].stop = build->place.stop;
        err = source_tree_copy(&build->trees[i], folder, sources, count, why);
    }
    if (err == ERR_NEGATIVE) {
        limit = *why;
        note_set(why, "%.250s; the limit for the whole program is %" PRId64 " s", limit.text,
                 build->place.limits.wall_ns / CLOCK_NS_PER_S);
    }
    return err;
}

static enum err build_in_place(struct build *build, const char *const *sources, size_t count,
                               const char *agent, const struct build_options *options,
                               struct note *why)
{
    enum err err = compiler_place_make(&build->place, &options->compiler, why);
    if (err || (err = write_headers(build, why)) ||
        (err = copy_sources(build, options->folder, sources, count, why))) {
        return err;
    }
    if (options->refused && options->refused == build->trees[0].checksum) {
        return note_fail(why, ERR_NEGATIVE, "%.100s does not compile", sources[0]);
    }
    for (size_t i = 0; !err && i < count; i++) {
        err = compile(build, i, why);
    }
    return err ? err : link_agent(build, agent, why);
}

enum err build_agent(const char *const *sources, size_t count, const char *agent,
                     const struct build_options *options, struct build_result *out,
                     struct note *why)
{
    *out = (struct build_result){.messages = NULL};
    enum err err = check_sources(sources, count, why);
    if (!err) {
        err = check_agent(agent, sources, count, why);
    }
    if (err) {
        return err;
    }
    size_t size = 0;
    struct build *build = calloc(1, sizeof *build);
    if (!build || !(build->messages = open_memstream(&out->messages, &size))) {
        free(build);
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    mode_t before = build_loosen_umask();
    err = build_in_place(build, sources, count, agent, options, why);
    umask(before);
    out->dialect = build->dialect;
    out->checksum = build->trees[0].checksum;
    fclose(build->messages);
    source_tree_free(&build->trees[0]);
    source_tree_free(&build->trees[1]);
    compiler_place_remove(&build->place);
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
