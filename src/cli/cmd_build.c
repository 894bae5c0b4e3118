/* cmd_build: new, build. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/sandbox_setup.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "cli/args.h"
#include "cli/interrupt.h"
#include "cli/match_args.h"
#include "course/build.h"
#include "course/kit.h"

/* --- new --- */

static enum err run_new(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    const char *folder = args->values[2];
    const char *team = NULL;
    struct kit kit;
    enum err err = args_game(args, &game, why);
    if (err || (err = ARGS_FIELDS(args, why, {"team", ARGS_TEXT, &team, 0, 0})) ||
        (err = kit_make(&kit, game, args->values[1], team, why)) ||
        (err = kit_write(&kit, folder, why))) {
        return err;
    }
    if (kit_is_zip(folder)) {
        printf("%s: an agent for %s. Unpack it; README.md says how to play a first game.\n", folder,
               game->name);
        return ERR_NONE;
    }
    char word[4 * PATH_MAX];
    printf("An agent for %s. Build it, check it, play a match:\n\n  cd %s%s\n  %s\n  %s\n  %s\n",
           game->name, folder[0] == '-' ? "-- " : "", shell_word(folder, word, sizeof word),
           kit_word(&kit, "@BUILD@"), kit_word(&kit, "@CHECK@"), kit_word(&kit, "@MATCH@"));
    return ERR_NONE;
}

/* --- build --- */

/* The compiler quotes sources, and a source must not control the terminal. */
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

static void on_remark(void *owner, const char *sentence)
{
    (void)owner;
    fprintf(stderr, "plum build: %s\n", sentence);
}

static enum err run_build(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    const char *agent = NULL;
    struct build_result built = {.messages = NULL};
    struct sandbox sandbox;
    struct build_options options = {
        .compiler = {.sandbox = &sandbox, .stop = interrupt_sets_flag()},
    };
    enum err err = args_game(args, &game, why);
    if (err ||
        (err = ARGS_FIELDS(args, why, {"output", ARGS_TEXT, &agent, 0, 0},
                           {"folder", ARGS_TEXT, &options.folder, 0, 0})) ||
        (err = sandbox_setup_for_compilers(match_args_sandbox(args), NULL, on_remark, &sandbox,
                                           why))) {
        return err;
    }
    err = build_agent((const char *const *)args->values + 1, (size_t)args->count - 1, agent,
                      &options, &built, why);
    if (built.messages) {
        print_messages(built.messages);
    }
    free(built.messages);
    return err;
}

const struct command cmd_new = {
    .name = "new",
    .run = run_new,
    .summary = "make a folder with a working agent to start from",
    .operands = "GAME c|cpp|python FOLDER|FILE.zip",
    .required = "team",
    .options = {{"team", "N", "your team's number; in @auction@ your student number"}},
};

const struct command cmd_build = {
    .name = "build",
    .run = run_build,
    .summary = "compile an agent, also one that was written for Windows",
    .operands = "GAME FILE...",
    .required = "output",
    .options = {{"output", "FILE", "the program to write, also -o FILE"},
                {"folder", "FOLDER", "all files of the program (the folder of the sources)"},
                {"sandbox", "auto|strict|off", "isolation of the compiler (auto)"}},
};
