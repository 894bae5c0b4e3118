#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/operands.h"
#include "game/registry.h"

static const struct option help_option = {"help", NULL, "explain this command"};

static void print_games(enum cpu_level cpu)
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu, i)); i++) {
        printf("%s%s", i ? " " : "", game->name);
    }
}

static void print_commands(void)
{
    const char *blank = "";
    for (const struct command_group *group = cli_groups; group->title; group++) {
        for (const struct command *const *row = group->commands; *row; row++) {
            printf("%s%s", blank, (*row)->name);
            blank = " ";
        }
    }
}

/* "auto|always|never" with blanks for bars. */
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
        fputs("bash zsh fish", stdout);
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
            print(*row, cpu);
            const struct command *const *under = (*row)->subcommands;
            for (; under && *under; under++) {
                print(*under, cpu);
            }
        }
    }
}

static void print_last_words(const struct command *const *rows)
{
    for (const char *blank = ""; *rows; rows++, blank = " ") {
        printf("%s%s", blank, cli_last_word(*rows));
    }
}

/* --- bash: a table of "command:what is asked for" and its words. --- */

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
        bool is_file = operand_is(operands.list[i], "FILE");
        bool takes_rest = operands.is_last_repeated && i + 1 == operands.count;
        printf("    '%s':%s) words='", command->name,
               takes_rest ? "*" : (const char[]){(char)('0' + i), '\0'});
        print_words(operands.list[i], cpu);
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

void completion_bash(enum cpu_level cpu)
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

/* --- zsh: one call of _arguments for each command. --- */

/* Inside single quotes, inside [brackets]. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
        } else if (strchr("[]:\\", *text)) {
            printf("\\%c", *text);
        } else {
            putchar(*text);
        }
    }
}

static void print_zsh_action(struct operand operand, enum cpu_level cpu)
{
    if (operand_is(operand, "FILE")) {
        fputs("_files", stdout);
    } else {
        putchar('(');
        print_words(operand, cpu);
        putchar(')');
    }
}

static void print_zsh_option(const struct option *option, enum cpu_level cpu)
{
    printf(" \\\n            '%s--%s%s[", args_may_repeat(option) ? "*" : "", option->name,
           option->value ? "=" : "");
    print_zsh_text(option->help);
    putchar(']');
    if (option->value) {
        fputs(option->value[0] == '[' ? "::value:" : ":value:", stdout);
        print_zsh_action(value_of(option), cpu);
    }
    putchar('\'');
}

static void print_zsh_command(const struct command *command, enum cpu_level cpu)
{
    struct operands operands = operands_read(command->operands);
    printf("    '%s')\n        _arguments", command->name);
    for (const struct option *option = command->options; option->name; option++) {
        print_zsh_option(option, cpu);
    }
    print_zsh_option(&help_option, cpu);
    for (int i = 0; i < operands.count; i++) {
        struct operand operand = operands.list[i];
        bool takes_rest = operands.is_last_repeated && i + 1 == operands.count;
        fputs(" \\\n            '", stdout);
        if (takes_rest) {
            putchar('*');
        } else {
            printf("%d", i + 1);
        }
        printf(":%.*s:", operand.length, operand.name);
        print_zsh_action(operand, cpu);
        putchar('\'');
    }
    puts(" ;;");
}

static void print_zsh_summary(const struct command *command, enum cpu_level cpu)
{
    (void)cpu;
    printf("        '%s:", cli_last_word(command));
    print_zsh_text(command->summary);
    puts("'");
}

static void print_zsh_under(const struct command *command, enum cpu_level cpu)
{
    const struct command *const *under = command->subcommands;
    if (!under) {
        return;
    }
    printf("    if [[ $command == %s ]]; then\n        commands=(\n", command->name);
    for (; *under; under++) {
        print_zsh_summary(*under, cpu);
    }
    fputs("        )\n"
          "        if ((CURRENT == 2)); then\n"
          "            _describe command commands\n"
          "            return\n"
          "        fi\n"
          "        command=\"$command $words[2]\"\n"
          "        shift words\n"
          "        ((CURRENT--))\n"
          "    fi\n",
          stdout);
}

void completion_zsh(enum cpu_level cpu)
{
    fputs("#compdef plum\n"
          "# zsh completion for plum, written by: plum completion zsh\n"
          "# Save it as _plum in a folder of $fpath.\n"
          "_plum() {\n"
          "    local -a commands=(\n",
          stdout);
    for_each_command(print_zsh_summary, cpu);
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    ((CURRENT--))\n",
          stdout);
    for_each_command(print_zsh_under, cpu);
    puts("    case $command in");
    for_each_row(print_zsh_command, cpu);
    fputs("    esac\n"
          "}\n"
          "if [[ $funcstack[1] == _plum ]]; then _plum \"$@\"; else compdef _plum plum; fi\n",
          stdout);
}

/* --- fish: one line for each thing that can be completed. --- */

static void print_fish_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') {
            putchar('\\');
        }
        putchar(*text);
    }
}

static void print_fish_option(const struct command *command, const struct option *option,
                              enum cpu_level cpu)
{
    printf("complete -c plum -n '__plum_is %s' -l %s -d '", command->name, option->name);
    print_fish_text(option->help);
    putchar('\'');
    if (option->value && operand_is(value_of(option), "FILE")) {
        fputs(" -r -F", stdout);
    } else if (option->value && option->value[0] != '[') {
        fputs(" -x -a '", stdout);
        print_words(value_of(option), cpu);
        putchar('\'');
    }
    putchar('\n');
}

static void print_fish_command(const struct command *command, enum cpu_level cpu)
{
    struct operands operands = operands_read(command->operands);
    const char *last = cli_last_word(command);
    printf("complete -c plum -n '__plum_waits_behind %.*s' -a %s -d '", (int)(last - command->name),
           command->name, last);
    print_fish_text(command->summary);
    puts("'");
    for (const struct option *option = command->options; option->name; option++) {
        print_fish_option(command, option, cpu);
    }
    print_fish_option(command, &help_option, cpu);
    for (int i = 0; i < operands.count; i++) {
        printf("complete -c plum -n '__plum_is %s'", command->name);
        if (operand_is(operands.list[i], "FILE")) {
            puts(" -F");
            continue;
        }
        fputs(" -a '", stdout);
        print_words(operands.list[i], cpu);
        puts("'");
    }
}

void completion_fish(enum cpu_level cpu)
{
    puts("# fish completion for plum, written by: plum completion fish\n"
         "# Load it with: plum completion fish | source\n"
         "function __plum_is\n"
         "    set -l words (commandline -opc)\n"
         "    set -e words[1]\n"
         "    string match -q -- \"$argv *\" \"$words \"\n"
         "end\n"
         "function __plum_waits_behind\n"
         "    set -l words (commandline -opc)\n"
         "    set -e words[1]\n"
         "    test \"$words\" = \"$argv\"\n"
         "end\n"
         "complete -c plum -f");
    for_each_row(print_fish_command, cpu);
}
