#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "course/kit.h"

/* So that the line can be pasted into a shell. */
static void print_quoted(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./-";
    bool is_plain = word[strspn(word, plain)] == '\0' && word[0] != '-';
    if (is_plain) {
        fputs(word, stdout);
        return;
    }
    fputs(word[0] == '-' ? "-- '" : "'", stdout);
    for (; *word; word++) {
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, stdout);
    }
    putchar('\'');
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    const char *language = args->values[1];
    const char *folder = args->values[2];
    const char *team = args_option(args, "team");
    enum err err = args_game(args, &game, why);
    if (err) {
        return err;
    }
    if (!team) {
        note_set(why, "--team N is missing: your team's number, or your student number");
        return ERR_INPUT;
    }
    struct kit kit;
    err = kit_make(&kit, game->name, language, team, why);
    if (!err) {
        err = kit_write(&kit, folder, why);
    }
    if (err) {
        return err;
    }
    printf("An agent for %s. Build it, check it, let it play:\n\n  cd ", game->name);
    print_quoted(folder);
    printf("\n  %s\n  %s\n  %s\n", kit_word(&kit, "@BUILD@"), kit_word(&kit, "@CHECK@"),
           kit_word(&kit, "@MATCH@"));
    return ERR_NONE;
}

const struct command cmd_new = {
    .name = "new",
    .run = run,
    .summary = "make a folder with a working agent to start from",
    .operands = "GAME c|cpp|python FOLDER",
    .required = "team",
    .details = "Writes an agent that already plays, badly but legally, with all that it needs to\n"
               "talk to a judge, and a README. The folder must be new or empty.\n"
               "\n"
               "The part to improve is the function GetStep; in meichu the functions bid and\n"
               "make_decision. docs/agents.md says what an agent has to know about the judge.",
    .options = {{"team", "N", "your team's number; in meichu your student number"}},
    .examples = {{"plum new hop cpp my-agent --team 7", "an agent in C++"},
                 {"plum new meichu python my-agent --team 0816001", "a program in Python"}},
};
