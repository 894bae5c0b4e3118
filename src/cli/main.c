/* main: finds the command, runs it, and turns what it found into an exit code. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/utf8.h"
#include "player/box.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/suggest.h"

extern const struct command cmd_apply, cmd_auction, cmd_build, cmd_completion, cmd_demo, cmd_games,
    cmd_help, cmd_man, cmd_match, cmd_moves, cmd_new, cmd_perft, cmd_replay, cmd_result, cmd_show,
    cmd_version;

extern const struct command cmd_agent, cmd_bench, cmd_bestmove, cmd_check, cmd_engine, cmd_play,
    cmd_solve;

const struct command_group cli_groups[] = {
    {"Look at a position", {&cmd_games, &cmd_show, &cmd_moves, &cmd_result}},
    {"Play", {&cmd_play, &cmd_apply, &cmd_auction, &cmd_demo, &cmd_replay}},
    {"Write an agent", {&cmd_new, &cmd_build, &cmd_check, &cmd_agent}},
    {"Think", {&cmd_bestmove, &cmd_solve, &cmd_engine}},
    {"Measure", {&cmd_match, &cmd_perft, &cmd_bench}},
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
    const char *near = suggest(name, names);
    note_set(why, "there is no command '%.40s'%s%s%s", name, near ? "; did you mean " : "",
             near ? near : "", near ? "?" : "");
    return ERR_INPUT;
}

/* A sentence may quote what somebody typed: nothing in it may steer the terminal. */
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
    const char *blank = *command ? " " : "";
    fprintf(stderr, "plum%s%s: ", blank, command);
    print_safely(sentence);
    if (err == ERR_INPUT) {
        fprintf(stderr, " (see plum%s%s --help)", blank, command);
    }
    fputc('\n', stderr);
}

/* A closed stdout would lend its number to the next file opened, and our answer would land
 * in there. A descriptor that cannot be written keeps the number and reports the failure. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) {
            _exit(ERR_ENVIRONMENT);
        }
    }
}

static enum err flush_output(struct note *why)
{
    errno = 0;
    if (fflush(stdout) || ferror(stdout)) {
        note_set(why, "cannot write to standard output%s%s", errno ? ": " : "",
                 errno ? strerror(errno) : "");
        return ERR_ENVIRONMENT;
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
    note_set(why, "the environment variable PLUM_CPU must be %s%s on this processor, not '%.40s'",
             cpu_name(CPU_BASELINE), best == CPU_AVX2 ? " or avx2" : "", wish);
    return ERR_INPUT;
}

static enum err run_command(const struct command *command, int argc, char **argv, struct note *why)
{
    if (args_ask_for_help(argc, argv)) {
        help_command(command);
        return ERR_NONE;
    }
    struct args args;
    enum err err = args_read(command, argc, argv, &args, why);
    if (!err) {
        err = choose_cpu(&args.cpu, why);
    }
    return err ? err : command->run(&args, why);
}

/* What people type before they know the commands. */
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

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], BOX_CHILD) == 0) {
        return box_child_main(argc, argv);
    }
    hold_standard_streams();
    interrupt_ends_program();
    const char *name = argc > 1 ? without_dashes(argv[1]) : "help";
    int first = argc > 1 ? 2 : argc;
    const struct command *command = cli_find(name);
    struct note why = {""};
    enum err err =
        command ? run_command(command, argc - first, argv + first, &why) : cli_refuse(name, &why);
    complain(command ? name : "", err, why.text);
    struct note unwritten = {""};
    enum err flushed = flush_output(&unwritten);
    complain(command ? name : "", flushed, unwritten.text);
    return (int)(err ? err : flushed);
}
