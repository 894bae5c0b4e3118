/* Building the sources of others: what a source can make the compiler do, and what not.
 *
 * Every attack has a control: the same source succeeds where the one protection is off that stops
 * it. A test that cannot fail would otherwise look like a sandbox that works. Sources with nothing
 * but mistakes are in kit/test_build.sh. */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "play/sandbox_setup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "course/build.h"
#include "course/program.h"
#include "course/report_pages.h"
#include "process_support.h"

static const char secret_word[] = "4711";

/* A class: secret.txt, other/Sample.cpp and own/, the hand-in. The current folder is own/. */
static struct folder_scratch class;
static struct sandbox without_sandbox;

struct built {
    enum err err;
    struct note why;
    char *messages;
    char *agent; /* its bytes; NULL: there is none */
    size_t agent_bytes;
};

static void write_file(const char *path, const char *text)
{
    if (!file_write(path, "we", text, strlen(text))) {
        fail_msg("cannot write %s", path);
    }
}

static void in_class(const char *name, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s/%s", class.path, name);
}

static int open_class(void **state)
{
    (void)state;
    char path[PATH_MAX];
    char text[64];
    struct note why;
    struct sandbox_limits limits = sandbox_limits_default();
    if (folder_scratch_make(&class, &why) ||
        sandbox_probe(SANDBOX_OFF, &limits, NULL, &without_sandbox, &why)) {
        return -1;
    }
    chmod(class.path, 0711); /* without namespaces the sandbox's user needs a way to fake/ */
    in_class("own", path);
    mkdir(path, 0755);
    in_class("other", path);
    mkdir(path, 0755);
    in_class("fake", path);
    mkdir(path, 0755);
    snprintf(text, sizeof text, "the secret is %s\n", secret_word);
    in_class("secret.txt", path);
    write_file(path, text);
    in_class("other/Sample.cpp", path);
    write_file(path, text);
    in_class("own", path);
    return chdir(path);
}

static int close_class(void **state)
{
    (void)state;
    folder_scratch_remove(&class);
    return chdir("/");
}

static struct built build(const char *source, const struct build_options *options)
{
    struct built built = {.err = ERR_NONE};
    unlink("agent");
    struct build_result result;
    built.err = build_agent(&source, 1, "agent", options, &result, &built.why);
    built.messages = result.messages;
    built.agent = file_read_head("agent", 64 << 20, &built.agent_bytes);
    assert_true(built.err || built.agent);
    return built;
}

static void built_free(struct built *built)
{
    free(built->messages);
    free(built->agent);
}

static bool has_secret(const struct built *built)
{
    return strstr(built->why.text, secret_word) ||
           (built->messages && strstr(built->messages, secret_word)) ||
           (built->agent &&
            memmem(built->agent, built->agent_bytes, secret_word, strlen(secret_word)));
}

static void expect_secret(const char *source, const struct build_options *options, bool is_expected)
{
    struct built built = build(source, options);
    if (has_secret(&built) != is_expected) {
        fail_msg("%s: the secret is %s: %s\n%s", source, is_expected ? "not found" : "found",
                 built.why.text, built.messages);
    }
    built_free(&built);
}

static void expect(const char *source, const struct build_options *options, enum err err,
                   const char *words)
{
    struct built built = build(source, options);
    if (built.err != err || (words && !strstr(built.why.text, words))) {
        fail_msg("%s: error %d, '%s', not %d with '%s':\n%s", source, built.err, built.why.text,
                 err, words ? words : "", built.messages ? built.messages : "");
    }
    built_free(&built);
}

static struct build_options in_sandbox(void)
{
    return (struct build_options){.compiler = {.sandbox = run_sandbox()}};
}

static struct build_options outside(void)
{
    return (struct build_options){.compiler = {.sandbox = &without_sandbox}};
}

static void require_walls(void)
{
    if (!(run_sandbox()->features & (SANDBOX_NAMESPACES | SANDBOX_LANDLOCK))) {
        SKIP_BECAUSE("neither namespaces nor Landlock");
    }
}

/* --- Files --- */

static void no_source_reads_a_file_of_the_judge(void **state)
{
    (void)state;
    static const char *const attacks[] = {
        /* into the program */
        "__asm__(\".data\\n.incbin \\\"%s\\\"\\n.text\");\nint main(void) { return 0; }\n",
        /* into the messages */
        "#include \"%s\"\nint main(void) { return 0; }\n",
        "#include <%s>\nint main(void) { return 0; }\n",
        "#define NAME \"%s\"\n#include NAME\nint main(void) { return 0; }\n",
        "#import \"%s\"\nint main(void) { return 0; }\n",
        "__asm__(\".include \\\"%s\\\"\");\nint main(void) { return 0; }\n",
        /* one bit */
        "#if __has_include(\"%s\")\n#error 4711\n#endif\nint main(void) { return 0; }\n",
    };
    require_walls();
    char secret[PATH_MAX];
    in_class("secret.txt", secret);
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        char text[2 * PATH_MAX];
        snprintf(text, sizeof text, attacks[i], secret);
        write_file("attack.c", text);
        struct build_options options = in_sandbox();
        expect_secret("attack.c", &options, false);
        options = outside();
        expect_secret("attack.c", &options, true);
    }
}

/* Includes are copied by the judge, before a compiler runs. */
static void no_source_includes_another_hand_in(void **state)
{
    (void)state;
    static const char *const attacks[] = {
        "#include \"../other/Sample.cpp\"\nint main(void) { return 0; }\n",
        "#include \"..\\\\other\\\\SAMPLE.cpp\"\nint main(void) { return 0; }\n",
        "#include <../other/Sample.cpp>\nint main(void) { return 0; }\n",
        "#include \"a_link.h\"\nint main(void) { return 0; }\n",
    };
    require_walls();
    assert_int_equal(symlink("../other/Sample.cpp", "a_link.h"), 0);
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        write_file("attack.c", attacks[i]);
        struct build_options options = in_sandbox();
        expect_secret("attack.c", &options, false);
        options.folder = class.path;
        expect_secret("attack.c", &options, true);
    }
    assert_int_equal(symlink("../other/Sample.cpp", "linked.cpp"), 0);
    struct build_options options = in_sandbox();
    expect("linked.cpp", &options, ERR_INPUT, "outside the program's folder");
    expect_secret("linked.cpp", &options, false);
    options.folder = class.path;
    expect_secret("linked.cpp", &options, true);
}

/* The judge looks up the names of headers, in any letter case: the message must not show which
 * files exist. */
static void an_include_does_not_reveal_whether_a_file_exists(void **state)
{
    (void)state;
    write_file("attack.c", "#include \"../../ETC/PASSWD\"\nint main(void) { return 0; }\n");
    struct build_options options = in_sandbox();
    struct built built = build("attack.c", &options);
    assert_int_equal(built.err, ERR_NEGATIVE);
    assert_non_null(strstr(built.messages, "../../ETC/PASSWD: No such file or directory"));
    built_free(&built);
}

/* --- The environment --- */

static void write_script(const char *path, const char *text)
{
    write_file(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

static void variables_of_the_judge_do_not_reach_the_compiler(void **state)
{
    (void)state;
    char fake[PATH_MAX], written[PATH_MAX], path[PATH_MAX];
    in_class("fake", fake);
    in_class("written", written);
    in_class("fake/as", path);
    write_script(path, "#!/bin/sh\nexit 1\n");
    in_class("fake/leak.h", path);
    write_file(path, "#define LEAK 4711\n#error 4711\n");
    write_file("leak.c", "#include <leak.h>\nint main(void) { return 0; }\n");
    write_file("good.c", "int main(void) { return 0; }\n");
    struct build_options inside = in_sandbox();
    struct build_options off = outside();

    setenv("CPATH", fake, 1);
    expect_secret("leak.c", &inside, false);
    expect_secret("leak.c", &off, true);
    unsetenv("CPATH");

    setenv("COMPILER_PATH", fake, 1);
    expect("good.c", &inside, ERR_NONE, NULL);
    expect("good.c", &off, ERR_NEGATIVE, "does not compile");
    unsetenv("COMPILER_PATH");

    setenv("DEPENDENCIES_OUTPUT", written, 1);
    expect("good.c", &inside, ERR_NONE, NULL);
    assert_int_not_equal(access(written, F_OK), 0);
    expect("good.c", &off, ERR_NONE, NULL);
    assert_int_equal(access(written, F_OK), 0);
    unsetenv("DEPENDENCIES_OUTPUT");
}

static void a_wrapper_in_path_is_not_the_compiler(void **state)
{
    (void)state;
    char path[PATH_MAX], variable[2 * PATH_MAX];
    const char *now = getenv("PATH");
    char *before = strdup(now ? now : "/usr/bin:/bin");
    assert_non_null(before);
    in_class("fake/gcc", path);
    write_script(path, "#!/bin/sh\nexit 1\n");
    in_class("fake", path);
    snprintf(variable, sizeof variable, "%s:%s", path, before);
    write_file("good.c", "int main(void) { return 0; }\n");
    setenv("PATH", variable, 1);
    struct build_options options = in_sandbox();
    expect("good.c", &options, ERR_NONE, NULL);
    options.compiler.path = path; /* the control */
    expect("good.c", &options, ERR_NEGATIVE, NULL);
    setenv("PATH", before, 1);
    free(before);
}

/* --- Names --- */

static void a_name_is_neither_an_option_nor_a_list_of_options(void **state)
{
    (void)state;
    static const char *const names[] = {"@words.c",      "-fplugin=none.c", "-.c",
                                        "a b'c\"d\\e.c", "\xe5\xb0\x8f.c",  "$(touch pwned).c",
                                        "=\n@x.c"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_file(names[i], "#include <stdio.h>\nint main(void) { return puts(__FILE__) < 0; }\n");
        struct build_options options = in_sandbox();
        struct built built = build(names[i], &options);
        bool is_mapped = !strchr(names[i], '='); /* gcc's option cannot have a = in a name */
        if (built.err ||
            (is_mapped && !memmem(built.agent, built.agent_bytes, names[i], strlen(names[i])))) {
            fail_msg("%s: %s %s", names[i], built.why.text, built.messages);
        }
        built_free(&built);
    }
    assert_int_not_equal(access("pwned", F_OK), 0);
}

static void a_link_in_place_of_the_agent_is_replaced(void **state)
{
    (void)state;
    char victim[PATH_MAX];
    struct stat about;
    struct build_result result;
    struct note why;
    const char *source = "good.c";
    in_class("victim", victim);
    write_file(victim, "as it was");
    write_file(source, "int main(void) { return 0; }\n");
    unlink("agent");
    assert_int_equal(symlink(victim, "agent"), 0);
    struct build_options options = in_sandbox();
    assert_int_equal(build_agent(&source, 1, "agent", &options, &result, &why), ERR_NONE);
    free(result.messages);
    assert_int_equal(lstat("agent", &about), 0);
    assert_true(S_ISREG(about.st_mode) && about.st_mode & S_IXUSR);
    size_t size = 0;
    char *text = file_read_head(victim, 100, &size);
    assert_string_equal(text, "as it was");
    free(text);
}

/* --- Limits --- */

static int count_runs(void)
{
    char path[PATH_MAX];
    size_t size = 0;
    in_class("runs", path);
    char *text = file_read_head(path, 100, &size);
    free(text);
    unlink(path);
    return (int)size;
}

static struct build_options with_compiler(const char *script, char fake[PATH_MAX])
{
    char path[PATH_MAX];
    char text[2 * PATH_MAX];
    in_class("fake/g++", path);
    snprintf(text, sizeof text, "#!/bin/sh\nruns=%s/runs\nprintf 1 >>$runs\n%s\n", class.path,
             script);
    write_script(path, text);
    in_class("fake", fake);
    struct build_options options = outside();
    options.compiler.path = fake;
    return options;
}

static void a_source_that_reaches_a_limit_does_not_compile(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *text;
        int cpu_s;
        const char *words;
    } attacks[] = {
        {"memory.c",
         "#define A 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\n"
         "#define B A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A\n"
         "#define C B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B,B\n"
         "#define D C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C\n"
         "#define E D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D,D\n"
         "double list[] = {E};\nint main(void) { return 0; }\n",
         60, "memory.c does not compile: the compiler needs more than 192 MiB of memory"},
        {"files.c", "__asm__(\".fill 500000000\");\nint main(void) { return 0; }\n", 60,
         "files.c does not compile: the compiler writes more than 16 MiB of files"},
        {"time.cpp",
         "constexpr long f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
         "constexpr long g(int n, int m) { return n == 0 ? m : g(n - 1, m) + g(n - 1, m + 1); }\n"
         "static_assert(g(24, 0) + f(30) != 1, \"\");\nint main() { return 0; }\n",
         1, "time.cpp does not compile: the compiler needs more than 1 s"},
        {"template.cpp", /* gcc ends a deep recursion itself, not a wide one */
         "template <int N, int M> struct F {\n"
         "    static const long v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v;\n};\n"
         "template <int M> struct F<0, M> { static const long v = M; };\n"
         "int main() { return F<24, 1>::v != 0; }\n",
         60, "template.cpp does not compile: the compiler needs more than 192 MiB of memory"},
        {"messages.c",
         "#define A \"0123456789abcdef\" \"0123456789abcdef\"\n"
         "#define B A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A\n"
         "#define C B B B B B B B B B B B B B B B B B B B B B B B B B B B B B B B B\n"
         "#define D C C C C C C C C C C C C C C C C C C C C C C C C C C C C C C C C\n"
         "#pragma message(D)\n#pragma message(D)\n#pragma message(D)\n"
         "int main(void) { return 0; }\n",
         60, "messages.c does not compile: the compiler prints more than 2 MiB"},
    };
    struct compiler_limits limits = {.wall_ns = 300 * CLOCK_NS_PER_S,
                                     .memory_bytes = 192 << 20,
                                     .file_bytes = 16 << 20,
                                     .message_bytes = 2 << 20};
    write_file("good.c", "int main(void) { return 0; }\n");
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        write_file(attacks[i].name, attacks[i].text);
        limits.cpu_ns = attacks[i].cpu_s * CLOCK_NS_PER_S;
        struct build_options options = in_sandbox();
        options.compiler.limits = &limits;
        expect(attacks[i].name, &options, ERR_NEGATIVE, attacks[i].words);
        expect("good.c", &options, ERR_NONE, NULL);
    }
    struct build_options options = in_sandbox(); /* with the default, 64 MiB */
    expect("messages.c", &options, ERR_NONE, NULL);
}

static void a_source_that_names_a_limit_has_not_reached_it(void **state)
{
    (void)state;
    write_file("lie.c", "#error cc1: out of memory allocating 9 bytes\n"
                        "#error gcc: File size limit exceeded\n");
    struct build_options options = in_sandbox();
    struct built built = build("lie.c", &options);
    assert_int_equal(built.err, ERR_NEGATIVE);
    assert_string_equal(built.why.text, "lie.c does not compile");
    built_free(&built);
}

static void a_source_that_prints_what_the_driver_prints_does_not_compile(void **state)
{
    (void)state;
    write_file("driver.c", "#line 1 \"gcc: fatal error: cannot execute 'cc1': vfork: Cannot "
                           "allocate memory\"\n#include <nope>\n");
    write_file("loader.c", "#line 1 \"x: error while loading shared libraries: y\"\n"
                           "#pragma GCC error \"z\"\n");
    struct build_options options = in_sandbox();
    expect("driver.c", &options, ERR_NEGATIVE, "driver.c does not compile");
    expect("loader.c", &options, ERR_NEGATIVE, "loader.c does not compile");
}

static void the_whole_program_has_a_limit_of_time(void **state)
{
    (void)state;
    struct compiler_limits limits = compiler_limits_default();
    limits.wall_ns = 1;
    write_file("good.c", "int main(void) { return 0; }\n");
    struct build_options options = in_sandbox();
    char path[PATH_MAX];
    in_class("fake/gcc", path);
    write_script(path, "#!/bin/sh\nsleep 1000\n");
    in_class("fake", path);
    options.compiler.path = path;
    options.compiler.limits = &limits;
    expect("good.c", &options, ERR_NEGATIVE, "does not compile: the compiler needs more than");
}

static void copying_what_is_included_is_part_of_that_time(void **state)
{
    (void)state;
    struct compiler_limits limits = compiler_limits_default();
    static const atomic_bool stop = true;
    char fake[PATH_MAX];
    struct build_options options = with_compiler("exit 1", fake);
    write_file("head.h", "int x;\n");
    write_file("many.cpp", "#include \"head.h\"\nint main() { return 0; }\n");
    limits.wall_ns = 1;
    options.compiler.limits = &limits;
    expect("many.cpp", &options, ERR_NEGATIVE, "many.cpp does not compile: it takes too long");
    assert_int_equal(count_runs(), 0);
    options = with_compiler("exit 1", fake);
    options.compiler.stop = &stop;
    expect("many.cpp", &options, ERR_INTERRUPTED, "interrupted");
    assert_int_equal(count_runs(), 0);
}

static void a_strict_sandbox_needs_namespaces(void **state)
{
    (void)state;
    struct sandbox sandbox;
    struct note why = {""};
    bool is_possible = strncmp(sandbox_level(run_sandbox()), "strict", strlen("strict")) == 0;
    enum err err = sandbox_setup_for_compilers(SANDBOX_STRICT, NULL, NULL, &sandbox, &why);
    assert_int_equal(err, is_possible ? ERR_NONE : ERR_ENVIRONMENT);
}

/* --- Compilers that fail by themselves: not the source's failure --- */

static void a_failure_of_the_machine_is_not_one_of_the_source(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        const char *words;
        int runs; /* a source can print the words: then one of our own is compiled after two tries
                   */
    } cases[] = {
        {"kill -9 $$", "good.cpp: g++ was ended by a signal that plum did not send: Killed", 2},
        {"echo 'g++: fatal error: Killed signal terminated program cc1plus'\n"
         "echo 'compilation terminated.'\nexit 1",
         "Killed signal terminated program cc1plus", 2},
        {"echo 'cc1plus: error while loading shared libraries: libc.so.6: failed to map'\nexit 1",
         "failed to map", 3},
    };
    char fake[PATH_MAX];
    write_file("good.cpp", "int main() { return 0; }\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct build_options options = with_compiler(cases[i].script, fake);
        expect("good.cpp", &options, ERR_ENVIRONMENT, cases[i].words);
        assert_int_equal(count_runs(), cases[i].runs);
    }
    struct build_options options =
        with_compiler("[ \"$(cat $runs)\" = 1 ] || exec /usr/bin/g++ \"$@\"\nkill -9 $$", fake);
    expect("good.cpp", &options, ERR_NONE, NULL);
    assert_int_equal(count_runs(), 3); /* to compile twice, to link */
}

static void the_output_of_the_linker_must_be_a_file(void **state)
{
    (void)state;
    char fake[PATH_MAX];
    write_file("good.cpp", "int main() { return 0; }\n");
    struct build_options options = with_compiler(
        "out=${1#@}\nln -sf /etc/passwd \"${out%/input/sources/words}/output/agent\"", fake);
    expect("good.cpp", &options, ERR_ENVIRONMENT, "the linker has written no program");
    assert_int_not_equal(access("agent", F_OK), 0);
    (void)count_runs();
}

static void a_compiler_that_is_not_installed_is_named(void **state)
{
    (void)state;
    struct build_options options = in_sandbox();
    options.compiler.path = "/nonexistent";
    write_file("good.c", "int main(void) { return 0; }\n");
    write_file("good.cpp", "int main() { return 0; }\n");
    expect("good.c", &options, ERR_ENVIRONMENT, "apt-get install gcc libc6-dev");
    expect("good.cpp", &options, ERR_ENVIRONMENT, "apt-get install g++");
}

/* --- Programs. --- */

static struct program prepare(const struct build_options *options, const char *log)
{
    static const char *const sources[] = {"team.cpp"};
    const struct program_order order = {.sources = sources,
                                        .count = 1,
                                        .agent = "agent",
                                        .log = log,
                                        .compiler = &options->compiler};
    struct program program;
    struct note why = {""};
    assert_int_equal(program_prepare(&order, &program, &why), ERR_NONE);
    return program;
}

static void sources_that_cannot_be_built_are_compiled_again_when_they_change(void **state)
{
    (void)state;
    char fake[PATH_MAX];
    struct build_options options = with_compiler("exec /usr/bin/g++ \"$@\"", fake);
    write_file("team.h", "#define END 0\n");
    write_file("team.cpp", "#include \"team.h\"\nint main() { return END }\n");
    struct program first = prepare(&options, NULL);
    assert_false(first.is_ready);
    assert_string_equal(first.absence.text,
                        "its source could not be built: team.cpp does not compile");
    assert_true(count_runs() > 0);
    struct program again = prepare(&options, first.log);
    assert_false(again.is_ready);
    assert_string_equal(again.absence.text, first.absence.text);
    assert_string_equal(again.log, first.log);
    assert_int_equal(count_runs(), 0);
    program_free(&again);
    write_file("team.h", "#define END 0;\n");
    again = prepare(&options, first.log);
    assert_true(again.is_ready);
    assert_int_equal(again.protocol, SUBMISSION_TCP);
    assert_string_equal(again.command, "agent");
    assert_int_equal(count_runs(), 2); /* to compile, to link */
    program_free(&again);
    program_free(&first);
}

/* --- Reports. --- */

/* As pdfinfo counts them, also where the title of the report contains a line of its own output. */
static void pages_of_a_report_are_counted_in_the_sandbox(void **state)
{
    static const char pages[] =
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        "2 0 obj<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>endobj\n"
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
        "4 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
        "5 0 obj<</Title(a\nPages: 1\n)/Author(\nPages:          1\n)>>endobj\n"
        "trailer<</Root 1 0 R/Info 5 0 R>>\n";
    char folder[PATH_MAX];
    struct note why;
    (void)state;
    in_class("own", folder);
    write_file("-it's.pdf", pages);
    write_file("text.pdf", "a text under a wrong name /Type/Page");
    if (report_pages_lack()) {
        SKIP_BECAUSE("there is no pdfinfo here");
    }
    assert_int_equal(report_pages_count(folder, "-it's.pdf", run_sandbox(), NULL, &why), 2);
    assert_string_equal(why.text, "");
    assert_int_equal(report_pages_count(".", "-it's.pdf", run_sandbox(), NULL, &why), 2);
    assert_int_equal(report_pages_count(folder, "text.pdf", run_sandbox(), NULL, &why), -1);
    assert_int_equal(report_pages_count(folder, "nothing.pdf", run_sandbox(), NULL, &why), -1);
}

int main(int argc, char **argv)
{
    int code = run_prepare(argc, argv);
    if (code >= 0) {
        return code;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_of_a_report_are_counted_in_the_sandbox),
        cmocka_unit_test(no_source_reads_a_file_of_the_judge),
        cmocka_unit_test(no_source_includes_another_hand_in),
        cmocka_unit_test(an_include_does_not_reveal_whether_a_file_exists),
        cmocka_unit_test(variables_of_the_judge_do_not_reach_the_compiler),
        cmocka_unit_test(a_wrapper_in_path_is_not_the_compiler),
        cmocka_unit_test(a_name_is_neither_an_option_nor_a_list_of_options),
        cmocka_unit_test(a_link_in_place_of_the_agent_is_replaced),
        cmocka_unit_test(a_source_that_reaches_a_limit_does_not_compile),
        cmocka_unit_test(a_source_that_names_a_limit_has_not_reached_it),
        cmocka_unit_test(a_source_that_prints_what_the_driver_prints_does_not_compile),
        cmocka_unit_test(the_whole_program_has_a_limit_of_time),
        cmocka_unit_test(copying_what_is_included_is_part_of_that_time),
        cmocka_unit_test(a_strict_sandbox_needs_namespaces),
        cmocka_unit_test(a_failure_of_the_machine_is_not_one_of_the_source),
        cmocka_unit_test(the_output_of_the_linker_must_be_a_file),
        cmocka_unit_test(a_compiler_that_is_not_installed_is_named),
        cmocka_unit_test(sources_that_cannot_be_built_are_compiled_again_when_they_change),
    };
    return cmocka_run_group_tests(tests, open_class, close_class);
}
