#include "play/command_words.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/sandbox_programs.h"

void command_words_split(const char *text, struct command_words *out)
{
    char *rest = NULL;
    out->count = 0;
    snprintf(out->room, sizeof out->room, "%s", text);
    for (char *word = strtok_r(out->room, " \t", &rest); word && out->count < COMMAND_WORDS_MAX;
         word = strtok_r(NULL, " \t", &rest)) {
        out->list[out->count++] = word;
    }
}

void command_words_read(const char *command, struct command_words *out)
{
    bool is_plain = !command[strcspn(command, "'\"$`\\&|;<>()*?[]#~=")];
    command_words_split(is_plain ? command : "", out);
}

bool command_words_is_python(const char *word)
{
    size_t length = strlen(word);
    return length > 3 && strcmp(word + length - 3, ".py") == 0;
}

bool command_words_is_file(const char *word)
{
    return word[0] != '-' && (strchr(word, '/') || command_words_is_python(word));
}

bool command_words_is_in_path(const char *program)
{
    char path[PATH_MAX];
    return sandbox_programs_find_in_path(getenv("PATH"), program, path);
}

bool command_words_is_missing(const struct command_words *words, size_t number, struct note *why)
{
    const char *word = words->list[number];
    bool is_file = command_words_is_file(word);
    bool is_missing =
        is_file ? access(word, F_OK) != 0 : number == 0 && !command_words_is_in_path(word);
    if (is_missing) {
        note_set(why, "there is no %s %.150s", is_file ? "file" : "program", word);
    }
    return is_missing;
}
