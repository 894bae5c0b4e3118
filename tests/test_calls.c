/* What ordinary programs and their run-times call is in the list of sandbox_seccomp.c.
 *
 * Each program runs twice: in a sandbox, where it must work, and in one without the filter, where
 * its calls are listed. A run-time that is not installed here is skipped with a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <seccomp.h>

#include "process_support.h"
#include "sandbox/sandbox_seccomp.h"
#include "sandbox/sandbox_watch.h"

static struct run run;

/* clone3 hides its flags from a filter, so the C library uses clone instead; flock is answered. */
static const char *const other_calls[] = {"clone3", "flock"};

/* `needs` is looked for in PATH; `build` runs without a sandbox. */
struct ordinary_program {
    const char *needs;
    const char *build; /* may be NULL */
    const char *command;
};

static const struct ordinary_program programs[] = {
    {"sh", NULL, "sh -c 'ls | sort | wc -l >/dev/null; echo done'"},
    {"bash", NULL, "bash -c 'read -r x < <(echo done); echo $x'"},
    {"c++", NULL, "./ordinary"},
    {"python3", NULL, "python3 ordinary.py"},
    {"/usr/bin/python3", NULL, "/usr/bin/python3 ordinary.py"},
    {"perl", NULL, "perl ordinary.pl"},
    {"node", NULL, "node ordinary.js"},
    {"java", NULL, "java Ordinary.java"},
    {"rustc", "rustc -C opt-level=0 -o rust_program ordinary.rs", "./rust_program"},
    {"go", "GOCACHE=$PWD/cache go build -o go_program ordinary.go", "./go_program"},
    {"fpc", "fpc -opascal_program ordinary.pas >fpc.log", "./pascal_program"},
};

/* Without a sandbox, in the folder of the programs. */
static bool runs(const char *format, const char *what)
{
    char line[512];
    int status = -1;
    snprintf(line, sizeof line, format, what);
    pid_t child = fork();
    if (child == 0) {
        if (chdir(run_rude_folder()) == 0) {
            execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        }
        _exit(127);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof other_calls / sizeof other_calls[0]; i++) {
        if (strcmp(other_calls[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static int write_allowed(void **state)
{
    char path[512];
    (void)state;
    snprintf(path, sizeof path, "%s/allowed", run_rude_folder());
    FILE *file = fopen(path, "w");
    for (int call = 0; file && call < SANDBOX_SECCOMP_CALLS; call++) {
        if (sandbox_seccomp_allows(call)) {
            fprintf(file, "%d\n", call);
        }
    }
    return file && fclose(file) == 0 ? 0 : -1;
}

static void expect_done(const struct sandbox *sandbox, const char *command)
{
    struct process_spec spec = run_spec(command);
    spec.sandbox = sandbox;
    spec.listen_port = 8888;
    run_whole(&run, &spec);
    const char *line = strstr(run.output, "done\n");
    if (!line || (line != run.output && line[-1] != '\n')) {
        fail_msg("%s: %s %s %s", command, run.output, run.errors, run.exit.sentence);
    }
}

static void expect_allowed_calls(const char *command)
{
    char line[512];
    struct sandbox unfiltered = *run_sandbox();
    unfiltered.features &= ~(unsigned)(SANDBOX_SECCOMP | SANDBOX_WATCH);
    snprintf(line, sizeof line, "./list_calls allowed %s", command);
    expect_done(&unfiltered, line);
    const char *numbers = strstr(run.output, "calls:");
    assert_non_null(numbers);
    numbers += strlen("calls:");
    for (char *end; *numbers != '\n'; numbers = end) {
        char *name =
            seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)strtol(numbers, &end, 10));
        if (!name || !is_known(name)) {
            fail_msg("%s calls %s", command, name ? name : numbers);
        }
        free(name);
    }
}

static void ordinary_programs_need_no_other_calls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        const struct ordinary_program *program = &programs[i];
        if (!runs("command -v %s >/dev/null", program->needs) ||
            (program->build && !runs("{ %s; } 2>build.log", program->build))) {
            print_message("skipped: there is no %s here that works\n", program->needs);
            continue;
        }
        expect_allowed_calls(program->command);
        expect_done(run_sandbox(), program->command);
    }
}

/* The names in its list are those of calls. */
static void a_call_that_only_an_attacker_makes_is_not_allowed(void **state)
{
    static const char *const refused[] = {"mount",          "ptrace", "bpf",      "keyctl",
                                          "io_uring_setup", "shmget", "vmsplice", "memfd_create"};
    (void)state;
    assert_true(sandbox_seccomp_allows(seccomp_syscall_resolve_name("read")));
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_false(sandbox_seccomp_allows(seccomp_syscall_resolve_name(refused[i])));
    }
}

int main(int argc, char **argv)
{
    int code = run_prepare(argc, argv);
    if (code >= 0) {
        return code;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_only_an_attacker_makes_is_not_allowed),
        cmocka_unit_test(ordinary_programs_need_no_other_calls),
    };
    return cmocka_run_group_tests(tests, write_allowed, NULL);
}
