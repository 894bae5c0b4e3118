#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "cli/args.h"
#include "game/registry.h"

static void print_games(enum cpu_level cpu)
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu, i)); i++) {
        printf("%s%s", i ? " " : "", game->name);
    }
}

typedef void print_command_fn(const struct command *command, enum cpu_level cpu);

static void for_each_command(print_command_fn *print, enum cpu_level cpu)
{
    for (const struct command_group *group = cli_groups; group->title; group++) {
        for (const struct command *const *row = group->commands; *row; row++) {
            print(*row, cpu);
        }
    }
}

static void print_name(const struct command *command, enum cpu_level cpu)
{
    (void)cpu;
    printf("%s%s", command == cli_groups->commands[0] ? "" : " ", command->name);
}

/* "auto|always|never" with spaces for bars. */
static void print_choices(struct operand choices)
{
    for (int i = 0; i < choices.length; i++) {
        putchar(choices.name[i] == '|' ? ' ' : choices.name[i]);
    }
}

/* The words an operand or an option's value may be; nothing when they cannot be listed. */
static void print_words(struct operand operand, enum cpu_level cpu)
{
    if (operand_is(operand, "GAME")) {
        print_games(cpu);
    } else if (operand_is(operand, "COMMAND")) {
        for_each_command(print_name, cpu);
    } else if (operand_is(operand, "POSITION")) {
        fputs("start", stdout);
    } else if (operand_is(operand, "SHELL")) {
        fputs("bash", stdout);
    } else if (memchr(operand.name, '|', (size_t)operand.length)) {
        print_choices(operand);
    }
}

static struct operand value_of(const struct option *option)
{
    size_t length = strlen(option->value) - (args_may_repeat(option) ? strlen("...") : 0);
    return (struct operand){option->value, (int)length};
}

/* With those under other commands. */
static void for_each_row(print_command_fn *print, enum cpu_level cpu)
{
    for (const struct command_group *group = cli_groups; group->title; group++) {
        for (const struct command *const *row = group->commands; *row; row++) {
            const struct command *const *under = (*row)->subcommands;
            print(*row, cpu);
            for (; under && *under; under++) {
                print(*under, cpu);
            }
        }
    }
}

static void print_last_words(const struct command *const *rows)
{
    for (const char *space = ""; *rows; rows++, space = " ") {
        printf("%s%s", space, cli_last_word(*rows));
    }
}

static void print_bash_values(const struct command *command, enum cpu_level cpu)
{
    for (const struct option *option = command->options; option->name; option++) {
        if (option->value) {
            printf("    '%s':--%s) words='", command->name, option->name);
            print_words(value_of(option), cpu);
            printf("'; kind=%s ;;\n", operand_is(value_of(option), "FILE") ? "file" : "word");
        }
    }
}

static void print_bash_options(const struct command *command, enum cpu_level cpu)
{
    (void)cpu;
    printf("    '%s') words='", command->name);
    for (const struct option *option = command->options; option->name; option++) {
        printf("--%s ", option->name);
    }
    puts("--help' ;;");
}

static void print_bash_operands(const struct command *command, enum cpu_level cpu)
{
    struct operands operands = operands_read(command->operands);
    for (int i = 0; i < operands.count; i++) {
        bool is_file =
            operand_is(operands.list[i], "FILE") || operand_is(operands.list[i], "FOLDER");
        bool is_number = i > 0 && operand_is(operands.list[i], "GAME"); /* of a tournament's game */
        bool takes_rest = operands.is_last_repeated && i + 1 == operands.count;
        printf("    '%s':%s) words='", command->name,
               takes_rest ? "*" : (const char[]){(char)('0' + i), '\0'});
        if (!is_number) {
            print_words(operands.list[i], cpu);
        }
        printf("'; kind=%s ;;\n", is_file ? "file" : "word");
    }
}

static void print_bash_under(const struct command *command, enum cpu_level cpu)
{
    (void)cpu;
    if (command->subcommands) {
        printf("    %s) words='", command->name);
        print_last_words(command->subcommands);
        puts("' ;;");
    }
}

/* A word of completion.bash, and what takes its place. */
struct bash_part {
    const char *mark;
    void (*for_each)(print_command_fn *print, enum cpu_level cpu);
    print_command_fn *print;
};

static const struct bash_part parts[] = {
    {"@VALUES@\n", for_each_row, print_bash_values},
    {"@OPERANDS@\n", for_each_row, print_bash_operands},
    {"@OPTIONS@\n", for_each_row, print_bash_options},
    {"@UNDER@\n", for_each_command, print_bash_under},
    {"@COMMANDS@", for_each_command, print_name},
};

void help_bash_completion(enum cpu_level cpu)
{
    const char *text = embedded_find("src/cli/completion.bash")->bytes;
    for (const char *mark; (mark = strchr(text, '@')); text = mark) {
        const struct bash_part *part = parts;
        printf("%.*s", (int)(mark - text), text);
        while (strncmp(mark, part->mark, strlen(part->mark)) != 0) {
            part++;
        }
        part->for_each(part->print, cpu);
        mark += strlen(part->mark);
    }
    fputs(text, stdout);
}
