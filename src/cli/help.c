#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/help_fill.h"

enum { LINE_COLUMNS = 80, TERM_COLUMNS = 13 };

const struct help_entry help_exit_codes[] = {
    {"0", "done"},
    {"1", "a negative answer: an illegal move, a record that does not replay"},
    {"2", "the command line, or a position, a number or a file in it, is not valid"},
    {"3", "an error of the environment: a file cannot be written, no memory"},
    {"130", "ended by Ctrl-C"},
    {NULL, NULL},
};

const struct help_entry help_environment[] = {
    {"NO_COLOR", "when set, boards are drawn without colour"},
    {"COLORTERM", "'truecolor' or '24bit': boards use all colours, not only 256"},
    {"PLUM_CPU", "'baseline': use only instructions that every x86-64 processor has"},
    {NULL, NULL},
};

const struct command help_plum = {.name = ""};

/* Appends a word to the line, or begins a new indented line when this one is full. `line_end`
 * is what the full line ends with. */
static void print_wrapped(const char *word, int width, const char *line_end, int indent,
                          int *column)
{
    if (*column + 1 + width + (int)strlen(line_end) > LINE_COLUMNS) {
        printf("%s\n%*s", line_end, indent, "");
        *column = indent;
    }
    printf(" %.*s", width, word);
    *column += 1 + width;
}

/* Prints a text from column `indent` on, broken into lines. */
static void print_words(const char *text, int indent)
{
    char filled[HELP_FILL_BYTES];
    const char *word = help_fill(text, 0, filled);
    int column = indent;
    while (*(word += strspn(word, " \n"))) {
        int width = (int)strcspn(word, " \n");
        print_wrapped(word, width, "", indent, &column);
        word += width;
    }
    putchar('\n');
}

static void print_entry(const char *term, const char *text)
{
    print_words(text, printf("  %-*s", TERM_COLUMNS, term));
}

static void print_entries(const char *title, const struct help_entry *entries)
{
    printf("\n%s:\n", title);
    for (; entries->term; entries++) {
        print_entry(entries->term, entries->meaning);
    }
}

/* A word of the shell, with the spaces between its quotes. */
static int shell_word_width(const char *text)
{
    char quote = '\0';
    int width = 0;
    for (; text[width] && (quote || text[width] != ' '); width++) {
        if (text[width] == quote) {
            quote = '\0';
        } else if (!quote && strchr("'\"", text[width])) {
            quote = text[width];
        }
    }
    return width;
}

/* A quoted position has up to 79 columns: a line that continues another is hardly indented. */
static void print_command_line(const char *line)
{
    int column = printf(" ");
    for (int width = 0; *line; line += width + (line[width] == ' ')) {
        width = shell_word_width(line);
        print_wrapped(line, width, " \\", 0, &column);
    }
    putchar('\n');
}

static void print_examples(const struct command *command)
{
    struct help_example example;
    puts("\nExamples:");
    for (size_t i = 0; help_example(command, i, &example); i++) {
        print_command_line(example.line);
        printf("      %s\n", example.does);
    }
}

void help_overview(void)
{
    char about[HELP_FILL_BYTES];
    printf("plum %s: judge, tournament and engine for board games\n\n%s", PLUM_VERSION,
           help_fill(help_text(&help_plum), HELP_FILL_COLUMNS, about));
    puts("\nUsage: plum COMMAND [ARGUMENTS] [OPTIONS]");
    for (const struct command_group *group = cli_groups; group->title; group++) {
        printf("\n%s:\n", group->title);
        for (const struct command *const *row = group->commands; *row; row++) {
            print_entry((*row)->name, (*row)->summary);
        }
    }
    print_examples(&help_plum);
    print_entries("Exit codes", help_exit_codes);
    print_entries("Environment", help_environment);
    puts("\nA position is one quoted argument, or start. More: plum COMMAND --help");
}

static void print_usage(const struct command *command)
{
    int indent = printf("Usage: plum %s", command->name);
    int column = indent;
    const char *operands =
        command->subcommands ? "COMMAND [ARGUMENTS] [OPTIONS]" : command->operands;
    if (*operands) {
        print_wrapped(operands, (int)strlen(operands), "", indent, &column);
    }
    for (const struct option *option = command->options; option->name; option++) {
        char word[64];
        bool must_be = args_is_required(command, option->name);
        int width = snprintf(word, sizeof word, "%s--%s%s%s%s", must_be ? "" : "[", option->name,
                             option->value ? " " : "", option->value ? option->value : "",
                             must_be ? "" : "]");
        print_wrapped(word, width, "", indent, &column);
    }
    putchar('\n');
}

static int option_width(const struct option *option)
{
    return (int)(strlen("--") + strlen(option->name) +
                 (option->value ? 1 + strlen(option->value) : 0));
}

static void print_options(const struct option *options)
{
    static const struct option help_option = {"help", NULL, "explain this command"};
    int widest = option_width(&help_option);
    for (const struct option *option = options; option->name; option++) {
        widest = option_width(option) > widest ? option_width(option) : widest;
    }
    puts("\nOptions:");
    for (const struct option *option = options;; option++) {
        const struct option *row = option->name ? option : &help_option;
        int indent = printf("  --%s%s%s%*s ", row->name, row->value ? " " : "",
                            row->value ? row->value : "", widest - option_width(row), "");
        print_words(row->help, indent);
        if (!option->name) {
            return;
        }
    }
}

static void print_subcommands(const struct command *command)
{
    puts("\nCommands:");
    for (const struct command *const *row = command->subcommands; *row; row++) {
        print_entry(cli_last_word(*row), (*row)->summary);
    }
}

void help_command(const struct command *command)
{
    char text[HELP_FILL_BYTES];
    print_words(command->summary, printf("plum %s:", command->name));
    putchar('\n');
    print_usage(command);
    printf("\n%s", help_fill(help_text(command), HELP_FILL_COLUMNS, text));
    if (command->subcommands) {
        print_subcommands(command);
    }
    print_options(command->options);
    print_examples(command);
}
