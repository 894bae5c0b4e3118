#include "cli/help.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/help_fill.h"

/* In roff a backslash and a leading dot or quote are special; a plain minus is a hyphen. */
static void print_text(const char *words)
{
    char filled[HELP_FILL_BYTES];
    const char *text = help_fill(words, 0, filled);
    bool is_line_start = true;
    for (; *text; text++) {
        if (is_line_start && (*text == '.' || *text == '\'')) {
            fputs("\\&", stdout);
        }
        if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*text);
        }
        is_line_start = *text == '\n';
    }
}

/* Indented lines are tables and are not changed; an empty line separates paragraphs. */
static void print_paragraphs(const char *words)
{
    char filled[HELP_FILL_BYTES];
    const char *text = help_fill(words, HELP_FILL_COLUMNS, filled);
    bool is_table = false;
    while (*text) {
        char line[128];
        int length = (int)strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", length, text);
        text += length + (text[length] == '\n');
        bool is_row = line[0] == ' ';
        if (is_row != is_table) {
            puts(is_row ? ".nf" : ".fi");
            is_table = is_row;
        }
        if (length == 0) {
            puts(".PP");
        } else {
            print_text(line);
            putchar('\n');
        }
    }
    if (is_table) {
        puts(".fi");
    }
}

static void print_term(const char *term, const char *meaning)
{
    fputs(".TP\n\\fB", stdout);
    print_text(term);
    fputs("\\fR\n", stdout);
    print_text(meaning);
    putchar('\n');
}

static void print_options(const struct option *options)
{
    for (const struct option *option = options; option->name; option++) {
        char term[64];
        snprintf(term, sizeof term, "--%s%s%s", option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        print_term(term, option->help);
    }
}

static void print_examples(const struct command *command)
{
    struct help_example example;
    for (size_t i = 0; help_example(command, i, &example); i++) {
        fputs(".PP\n.nf\n\\fB", stdout);
        print_text(example.line);
        fputs("\\fR\n.fi\n.RS\n", stdout);
        print_text(example.does);
        fputs("\n.RE\n", stdout);
    }
}

static void print_command(const struct command *command)
{
    fputs(".SS plum ", stdout);
    print_text(command->name);
    printf("%s%s\n", *command->operands ? " " : "", command->operands);
    putchar(toupper((unsigned char)command->summary[0]));
    print_text(command->summary + 1);
    puts(".\n.PP");
    print_paragraphs(help_text(command));
    print_options(command->options);
    puts(".PP\nExamples:");
    print_examples(command);
}

static void print_entries(const char *heading, const struct help_entry *entries)
{
    printf(".SH %s\n", heading);
    for (; entries->term; entries++) {
        print_term(entries->term, entries->meaning);
    }
}

void help_man_page(void)
{
    puts(".TH PLUM 1 \"\" \"plum " PLUM_VERSION "\" \"Plum manual\"");
    puts(".SH NAME\nplum \\- judge, tournament and engine for board games");
    puts(".SH SYNOPSIS\n.B plum\nCOMMAND [ARGUMENTS] [OPTIONS]");
    puts(".SH DESCRIPTION");
    print_paragraphs(help_text(&help_plum));
    puts(".SH COMMANDS");
    for (const struct command_group *group = cli_groups; group->title; group++) {
        for (const struct command *const *row = group->commands; *row; row++) {
            print_command(*row);
            const struct command *const *under = (*row)->subcommands;
            for (; under && *under; under++) {
                print_command(*under);
            }
        }
    }
    print_entries("EXIT STATUS", help_exit_codes);
    print_entries("ENVIRONMENT", help_environment);
    puts(".SH EXAMPLES\nFirst steps:");
    print_examples(&help_plum);
}
