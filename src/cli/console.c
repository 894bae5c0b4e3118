#include "cli/console.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

static const char blanks[] = " \t\r\n";

struct console console_open(enum paint paint)
{
    return (struct console){
        .paint = paint,
        .is_screen = paint != PAINT_PLAIN && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
        .echoes = !isatty(STDIN_FILENO),
    };
}

static void trim(char *line)
{
    size_t indent = strspn(line, blanks);
    size_t length = strlen(line + indent);
    memmove(line, line + indent, length + 1);
    while (length && strchr(blanks, line[length - 1])) {
        line[--length] = '\0';
    }
}

static void drop_rest_of_line(void)
{
    for (int c = 0; c != '\n' && c != EOF;) {
        c = getchar();
    }
}

bool console_ask(const struct console *console, const char *prompt, char line[CONSOLE_LINE_BYTES])
{
    fputs(prompt, stdout);
    fflush(stdout);
    if (!fgets(line, CONSOLE_LINE_BYTES, stdin)) {
        putchar('\n');
        return false;
    }
    if (!strchr(line, '\n')) {
        drop_rest_of_line();
    }
    char raw[CONSOLE_LINE_BYTES];
    trim(line);
    strcpy(raw, line);
    utf8_clean(raw, line, CONSOLE_LINE_BYTES);
    if (console->echoes) {
        puts(line);
    }
    return true;
}

char *console_split(char *line)
{
    char *rest = line + strcspn(line, blanks);
    if (*rest) {
        *rest++ = '\0';
    }
    return rest + strspn(rest, blanks);
}
