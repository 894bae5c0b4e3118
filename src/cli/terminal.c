#include "cli/terminal.h"

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "cli/interrupt.h"

static const char spaces[] = " \t\r\n";
static const char erase_line[] = "\r\033[K";

void terminal_lines_show(struct terminal_lines *lines, char *text)
{
    struct winsize size = {0};
    char *rest = NULL;
    if (ioctl(fileno(lines->terminal), TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row) {
        size = (struct winsize){.ws_row = 24, .ws_col = 80};
    }
    terminal_lines_erase(lines);
    for (char *line = strtok_r(text, "\n", &rest); line && lines->count + 1 < size.ws_row;
         line = strtok_r(NULL, "\n", &rest)) {
        fwrite(line, 1, utf8_fit(line, size.ws_col, NULL), lines->terminal);
        fputc('\n', lines->terminal);
        lines->count++;
    }
    fflush(lines->terminal);
}

void terminal_lines_erase(struct terminal_lines *lines)
{
    if (lines->count) {
        fprintf(lines->terminal, "\033[%dA\033[J", lines->count);
        lines->count = 0;
    }
}

bool terminal_progress_is_due(const struct terminal_progress *progress, int64_t interval_ns)
{
    return isatty(STDERR_FILENO) && clock_now_ns() - progress->shown_ns > interval_ns;
}

void terminal_progress_show(struct terminal_progress *progress, const char *format, ...)
{
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    progress->shown_ns = clock_now_ns();
    interrupt_writes(STDERR_FILENO, erase_line);
    fputs(erase_line, stderr);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

void terminal_progress_erase(struct terminal_progress *progress)
{
    if (progress->shown_ns) {
        interrupt_writes(STDERR_FILENO, "");
        fputs(erase_line, stderr);
        progress->shown_ns = 0;
    }
}

const char *terminal_remarks_add(struct terminal_remarks *remarks, const char *sentence)
{
    struct note clean = {0};
    utf8_clean(sentence, clean.text, sizeof clean.text);
    for (int i = 0; i < remarks->count; i++) {
        if (strcmp(remarks->list[i].text, clean.text) == 0) {
            return NULL;
        }
    }
    if (remarks->count == TERMINAL_MAX_REMARKS) {
        return NULL;
    }
    if (remarks->count == TERMINAL_MAX_REMARKS - 1) {
        note_set(&clean, "there are more such messages; they are not shown");
    }
    remarks->list[remarks->count] = clean;
    return remarks->list[remarks->count++].text;
}

struct terminal_input terminal_input_open(enum paint paint)
{
    return (struct terminal_input){
        .paint = paint,
        .is_screen = paint != PAINT_PLAIN && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
        .echoes = !isatty(STDIN_FILENO),
    };
}

static void trim(char *line)
{
    size_t indent = strspn(line, spaces);
    size_t length = strlen(line + indent);
    memmove(line, line + indent, length + 1);
    while (length && strchr(spaces, line[length - 1])) {
        line[--length] = '\0';
    }
}

static void drop_rest_of_line(void)
{
    for (int c = 0; c != '\n' && c != EOF;) {
        c = getchar();
    }
}

bool terminal_ask(const struct terminal_input *input, const char *prompt,
                  char line[TERMINAL_LINE_BYTES])
{
    fputs(prompt, stdout);
    fflush(stdout);
    if (!fgets(line, TERMINAL_LINE_BYTES, stdin)) {
        putchar('\n');
        return false;
    }
    if (!strchr(line, '\n')) {
        drop_rest_of_line();
    }
    char raw[TERMINAL_LINE_BYTES];
    trim(line);
    snprintf(raw, sizeof raw, "%s", line);
    utf8_clean(raw, line, TERMINAL_LINE_BYTES);
    if (input->echoes) {
        puts(line);
    }
    return true;
}

char *terminal_split(char *line)
{
    char *rest = line + strcspn(line, spaces);
    if (*rest) {
        *rest++ = '\0';
    }
    return rest + strspn(rest, spaces);
}
