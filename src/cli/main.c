/* main: finds the command, runs it, and turns its result into the exit code. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "base/cpu.h"
#include "base/utf8.h"
#include "sandbox/sandbox.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/help.h"
#include "cli/interrupt.h"

extern const struct command cmd_agent, cmd_analyze, cmd_apply, cmd_auction, cmd_bench, cmd_bestmove,
    cmd_bid, cmd_build, cmd_check, cmd_completion, cmd_engine, cmd_games, cmd_help, cmd_levels,
    cmd_man, cmd_match, cmd_moves, cmd_new, cmd_perft, cmd_play, cmd_replay, cmd_result,
    cmd_sandbox, cmd_selfplay, cmd_serve, cmd_show, cmd_solve, cmd_submission, cmd_tournament,
    cmd_version, cmd_worker;

const struct command_group cli_groups[] = {
    {"Look at a position", {&cmd_games, &cmd_show, &cmd_moves, &cmd_result}},
    {"Play", {&cmd_serve, &cmd_play, &cmd_apply, &cmd_auction, &cmd_replay}},
    {"Write an agent", {&cmd_new, &cmd_build, &cmd_check, &cmd_agent, &cmd_submission}},
    {"Think", {&cmd_bestmove, &cmd_analyze, &cmd_solve, &cmd_bid, &cmd_engine, &cmd_levels}},
    {"Run a class", {&cmd_tournament, &cmd_worker, &cmd_sandbox}},
    {"Measure", {&cmd_match, &cmd_selfplay, &cmd_perft, &cmd_bench}},
    {"About plum", {&cmd_help, &cmd_completion, &cmd_man, &cmd_version}},
    {NULL, {NULL}},
};

const struct command *cli_find(const char *name)
{
    for (const struct command_group *group = cli_groups; group->title; group++) {
        for (const struct command *const *row = group->commands; *row; row++) {
            if (strcmp((*row)->name, name) == 0) {
                return *row;
            }
        }
    }
    return NULL;
}

const struct command *cli_find_under(const struct command *command, const char *word)
{
    for (const struct command *const *row = command->subcommands; row && *row; row++) {
        if (strcmp(cli_last_word(*row), word) == 0) {
            return *row;
        }
    }
    return NULL;
}

const char *cli_last_word(const struct command *command)
{
    const char *space = strrchr(command->name, ' ');
    return space ? space + 1 : command->name;
}

static enum err refuse_name(const char *of, const char *name, const char *const *names,
                            struct note *why)
{
    const char *near = args_suggest(name, names);
    return note_fail(why, ERR_INPUT, "there is no command '%s%.40s'%s%s%s%s", of, name,
                     near ? "; did you mean " : "", near ? of : "", near ? near : "",
                     near ? "?" : "");
}

enum err cli_refuse_under(const struct command *command, const char *word, struct note *why)
{
    const char *names[CLI_MAX_SUBCOMMANDS + 1] = {NULL};
    char of[32];
    for (size_t i = 0; command->subcommands[i]; i++) {
        names[i] = cli_last_word(command->subcommands[i]);
    }
    snprintf(of, sizeof of, "%s ", command->name);
    return refuse_name(of, word, names, why);
}

enum err cli_refuse(const char *name, struct note *why)
{
    enum { GROUPS = sizeof cli_groups / sizeof cli_groups[0] };
    const char *names[GROUPS * CLI_MAX_COMMANDS + 1] = {NULL};
    size_t count = 0;
    for (const struct command_group *group = cli_groups; group->title; group++) {
        for (const struct command *const *row = group->commands; *row; row++) {
            names[count++] = (*row)->name;
        }
    }
    return refuse_name("", name, names, why);
}

/* A sentence may quote what the user typed: nothing in it may control the terminal. */
static void print_safely(const char *text)
{
    while (*text) {
        size_t length = utf8_printable(text);
        if (length) {
            fwrite(text, 1, length, stderr);
            text += length;
        } else {
            fprintf(stderr, "\\x%02x", (unsigned)(unsigned char)*text++);
        }
    }
}

static void complain(const char *command, enum err err, const char *sentence)
{
    if (!*sentence) {
        return;
    }
    const char *space = *command ? " " : "";
    fprintf(stderr, "plum%s%s: ", space, command);
    print_safely(sentence);
    if (err == ERR_INPUT) {
        fprintf(stderr, " (see plum%s%s --help)", space, command);
    }
    fputc('\n', stderr);
}

/* The next file that is opened would get the number of a closed stdout, and our answer would be
 * written into it. A descriptor that cannot be written keeps the number and reports the failure. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) {
            _exit(ERR_ENVIRONMENT);
        }
    }
}

static void do_nothing(int signal_number) { (void)signal_number; }

/* A file at its size limit is an error of the write and does not end plum. Unlike an ignored
 * signal, a handler is not inherited by the programs that plum starts. */
static void survive_file_limit(void)
{
    struct sigaction action = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    sigaction(SIGXFSZ, &action, NULL);
}

static enum err flush_output(struct note *why)
{
    errno = 0;
    if (fflush(stdout) || ferror(stdout)) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot write to standard output%s%s",
                         errno ? ": " : "", errno ? strerror(errno) : "");
    }
    return ERR_NONE;
}

/* The best level there is, or the one that PLUM_CPU asks for. */
static enum err choose_cpu(enum cpu_level *out, struct note *why)
{
    enum cpu_level best = cpu_best();
    const char *wish = getenv("PLUM_CPU");
    if (!wish || !*wish) {
        *out = best;
        return ERR_NONE;
    }
    for (enum cpu_level level = CPU_BASELINE; level <= best; level++) {
        if (strcmp(wish, cpu_name(level)) == 0) {
            *out = level;
            return ERR_NONE;
        }
    }
    return note_fail(
        why, ERR_INPUT,
        "the environment variable PLUM_CPU must be %s%s on this processor, not '%.40s'",
        cpu_name(CPU_BASELINE), best == CPU_AVX2 ? " or avx2" : "", wish);
}

static enum err run_command(const struct command *command, int argc, char **argv, struct note *why)
{
    if (args_ask_for_help(argc, argv)) {
        help_command(command);
        return ERR_NONE;
    }
    struct args args;
    enum err err = args_read(command, argc, argv, &args, why);
    err = err ? err : choose_cpu(&args.cpu, why);
    return err ? err : command->run(&args, why);
}

/* Options that are commands. */
static const char *without_dashes(const char *word)
{
    static const struct {
        const char *typed;
        const char *command;
    } names[] = {{"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(word, names[i].typed) == 0) {
            return names[i].command;
        }
    }
    return word;
}

/* A freed table is returned to the system; glibc would keep up to 32 MiB of each. */
static void give_memory_back(void) { mallopt(M_MMAP_THRESHOLD, 1024 * 1024); }

/* libuv aborts without a message when it has no memory. What was committed is safe. */
static _Noreturn void end_without_memory(void)
{
    static const char sentence[] = "plum: no memory: end other programs, or allow more of it\n";
    (void)!write(STDERR_FILENO, sentence, sizeof sentence - 1);
    _exit(ERR_ENVIRONMENT);
}

static void *must(void *memory, size_t bytes)
{
    if (!memory && bytes) {
        end_without_memory();
    }
    return memory;
}

static void *must_malloc(size_t bytes) { return must(malloc(bytes), bytes); }
static void *must_realloc(void *old, size_t bytes) { return must(realloc(old, bytes), bytes); }
static void *must_calloc(size_t count, size_t bytes)
{
    return must(calloc(count, bytes), count * bytes);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], SANDBOX_CHILD) == 0) {
        sandbox_child_main(argc, argv);
    }
    hold_standard_streams();
    survive_file_limit();
    give_memory_back();
    uv_replace_allocator(must_malloc, must_realloc, must_calloc, free);
    interrupt_ends_program();
    const char *name = argc > 1 ? without_dashes(argv[1]) : "help";
    int first = argc > 1 ? 2 : argc;
    const struct command *command = cli_find(name);
    struct note why = {""};
    enum err err = command ? ERR_NONE : cli_refuse(name, &why);
    if (command && command->subcommands && first < argc && argv[first][0] != '-') {
        const struct command *under = cli_find_under(command, argv[first++]);
        err = under ? ERR_NONE : cli_refuse_under(command, argv[first - 1], &why);
        command = under ? under : command;
    }
    if (command && !err) {
        err = run_command(command, argc - first, argv + first, &why);
    }
    name = command ? command->name : "";
    complain(name, err, why.text);
    struct note unwritten = {""};
    enum err flushed = flush_output(&unwritten);
    complain(name, flushed, unwritten.text);
    return (int)(err ? err : flushed);
}
