#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "game/registry.h"

static void print_games(enum cpu_level cpu)
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu, i)); i++) {
        printf("%s%s", i ? " " : "", game->name);
    }
}

static void print_commands(void)
{
    const char *space = "";
    for (const struct command_group *group = cli_groups; group->title; group++) {
        for (const struct command *const *row = group->commands; *row; row++) {
            printf("%s%s", space, (*row)->name);
            space = " ";
        }
    }
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
        print_commands();
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

typedef void print_command_fn(const struct command *command, enum cpu_level cpu);

static void for_each_command(print_command_fn *print, enum cpu_level cpu)
{
    for (const struct command_group *group = cli_groups; group->title; group++) {
        for (const struct command *const *row = group->commands; *row; row++) {
            print(*row, cpu);
        }
    }
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

void help_bash_completion(enum cpu_level cpu)
{
    fputs("# bash completion for plum, written by: plum completion bash\n"
          "# Load it with: source <(plum completion bash)\n"
          "_plum_value() {\n"
          "    words=; kind=\n"
          "    case $1 in\n",
          stdout);
    for_each_row(print_bash_values, cpu);
    fputs("    *) return 1 ;;\n"
          "    esac\n"
          "}\n"
          "_plum_operand() {\n"
          "    words=; kind=word\n"
          "    case $1 in\n",
          stdout);
    for_each_row(print_bash_operands, cpu);
    fputs("    esac\n"
          "}\n"
          "_plum_options() {\n"
          "    kind=word\n"
          "    case $1 in\n",
          stdout);
    for_each_row(print_bash_options, cpu);
    fputs("    esac\n"
          "}\n"
          "_plum_under() {\n"
          "    kind=word\n"
          "    case $1 in\n",
          stdout);
    for_each_command(print_bash_under, cpu);
    fputs("    *) return 1 ;;\n"
          "    esac\n"
          "}\n"
          "_plum() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
          "    local words= kind= line i first=2 operands=0 option=\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        words='",
          stdout);
    print_commands();
    fputs(
        "' kind=word\n"
        "    elif ((COMP_CWORD == 2)) && [[ $current != -* ]] && _plum_under \"$command\"; then :\n"
        "    else\n"
        "        if _plum_under \"$command\"; then command+=\" ${COMP_WORDS[2]}\"; first=3; fi\n"
        "        words=; kind=\n"
        "        for ((i = first; i < COMP_CWORD; i++)); do\n"
        "            case ${COMP_WORDS[i]} in\n"
        "            =) ;;\n"
        "            --*) option=${COMP_WORDS[i]}; continue ;;\n"
        "            *) [[ $option ]] && _plum_value \"$command:$option\" || ((operands += 1)) ;;\n"
        "            esac\n"
        "            [[ ${COMP_WORDS[i]} == = ]] || option=\n"
        "        done\n"
        "        [[ $current == = ]] && current=\n"
        "        if [[ $option ]] && _plum_value \"$command:$option\"; then :\n"
        "        elif [[ $current == -* ]]; then _plum_options \"$command\"\n"
        "        else _plum_operand \"$command:$operands\"\n"
        "        fi\n"
        "    fi\n"
        "    COMPREPLY=()\n"
        "    if [[ $kind == file ]]; then\n"
        "        compopt -o filenames 2>/dev/null\n"
        "        while IFS= read -r line; do COMPREPLY+=(\"$line\"); done"
        " < <(compgen -f -- \"$current\")\n"
        "    else\n"
        "        while IFS= read -r line; do COMPREPLY+=(\"$line\"); done"
        " < <(compgen -W \"$words\" -- \"$current\")\n"
        "    fi\n"
        "}\n"
        "complete -F _plum plum\n",
        stdout);
}
