#include "course/other_language.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct other_language languages[] = {
    {"Java", ".java", "", "java %f"},
    {"JavaScript", ".js", "", "node %f"},
    {"JavaScript", ".mjs", "", "node %f"},
    {"Rust", ".rs", "rustc -O -o %s %f", "%s"},
    {"Go", ".go", "go build -o %s %f", "%s"},
    {"a Jupyter notebook", ".ipynb", "jupyter nbconvert --to script %f", "python3 %s.py"},
};

const struct other_language *other_language_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof languages / sizeof languages[0]; i++) {
        if (strcasecmp(dot, languages[i].ending) == 0) {
            return &languages[i];
        }
    }
    return NULL;
}

int other_language_likelihood(const char *name)
{
    return strncasecmp(name, "team", 4) == 0 || isdigit((unsigned char)*name) ? 3
           : strncasecmp(name, "sample.", 7) == 0                             ? 2
           : strncasecmp(name, "main.", 5) == 0                               ? 1
                                                                              : 0;
}

void other_language_write(const char *command, const char *source, char *out, size_t room)
{
    size_t used = 0;
    *out = '\0';
    for (; *command && used < room - 1; command++) {
        if (*command != '%') {
            out[used++] = *command;
            out[used] = '\0';
            continue;
        }
        const char *dot = strrchr(source, '.');
        int length = (int)(*++command == 's' && dot ? (size_t)(dot - source) : strlen(source));
        snprintf(out + used, room - used, "%.*s", length, source);
        used += strlen(out + used);
    }
}
