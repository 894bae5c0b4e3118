#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "course/build.h"

/* The compiler quotes sources, and a source must not steer the terminal. */
static void print_messages(const char *text)
{
    while (*text) {
        size_t length = utf8_clean_prefix(text, strcspn(text, "\n"));
        fwrite(text, 1, length, stderr);
        text += length;
        if (*text) {
            fputc(*text == '\n' ? '\n' : '?', stderr);
            text++;
        }
    }
}

static void do_nothing(int signal_number) { (void)signal_number; }

/* Ctrl-C ends the compiler, which has no such handler, and then us, when we have cleaned up. */
static void let_compiler_be_interrupted(void)
{
    struct sigaction old;
    struct sigaction new = {.sa_handler = do_nothing};
    if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
        sigaction(SIGINT, &new, NULL);
    }
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    const char *agent = args_option(args, "output");
    enum err err = args_game(args, &game, why);
    if (err) {
        return err;
    }
    if (!agent) {
        note_set(why, "-o AGENT is missing: the file that the program becomes");
        return ERR_INPUT;
    }
    char *messages = NULL;
    let_compiler_be_interrupted();
    err = build_agent((const char *const *)args->values + 1, (size_t)args->count - 1, agent,
                      &messages, NULL, why);
    if (messages) {
        print_messages(messages);
    }
    free(messages);
    return err;
}

const struct command cmd_build = {
    .name = "build",
    .run = run,
    .summary = "compile an agent, also one that was written for Windows",
    .operands = "GAME FILE...",
    .required = "output",
    .details =
        "Compiles C++ with 'g++ -std=c++14 -O3', the course's command, and C with 'gcc\n"
        "-std=gnu17 -O3'. Give the sources; the headers of the program that they include are\n"
        "found in any letter case, in quotes and in angle brackets.\n"
        "\n"
        "A program that this command refuses is compiled in the GNU dialect with what Visual\n"
        "Studio accepts: <WinSock2.h>, <windows.h>, strcpy_s, __int64, void main and more;\n"
        "system(\"pause\") does not wait there. A line says so, with the error that led to it.\n"
        "Sources in UTF-16, Big-5 or with a byte order mark are read as what they are. The\n"
        "sources themselves stay as they are.\n"
        "\n"
        "When it does not compile, the compiler's messages are shown and the exit code is 1; also\n"
        "when the compiler needs more than 120 s (300 s if it waits), 6 GiB of memory or 1 GiB\n"
        "for a file.",
    .options = {{"output", "FILE", "the program to write; -o for short"}},
    .examples = {{"plum build hop Sample.cpp -o Sample", "an agent in one source"},
                 {"plum build meichu main.c search.c -o agent", "an agent in two"}},
};
