#include "app/class_likeness.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/folder.h"
#include "course/source_text.h"
#include "player/player_spec.h"

enum { MAX_DEPTH = 4, MAX_FILES = 200, MAX_FILE_BYTES = 1 << 20, MAX_TEAM_BYTES = 4 << 20 };

/* A team while its sources are read. */
struct class_sources {
    struct likeness *likeness;
    int team;
    int files;
    size_t bytes;
    struct note *why;
};

static bool is_source(const char *name, bool *is_python)
{
    static const char *const endings[] = {".py", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcmp(dot, endings[i]) == 0) {
            *is_python = i == 0;
            return true;
        }
    }
    return false;
}

static enum err add_text(struct class_sources *s, const char *bytes, size_t size, bool is_python)
{
    char *text = NULL;
    struct note ignored;
    enum err err = source_text_decode(bytes, size, &text, &ignored);
    if (err) {
        return err == ERR_ENVIRONMENT ? note_fail(s->why, err, "%s", ignored.text) : ERR_NONE;
    }
    err = likeness_add(s->likeness, s->team, text, is_python, s->why);
    free(text);
    return err;
}

static enum err add_file(struct class_sources *s, const char *path)
{
    struct stat status;
    bool is_python = false;
    size_t size = 0;
    bool is_wanted = is_source(path, &is_python) && lstat(path, &status) == 0 &&
                     S_ISREG(status.st_mode) && status.st_size <= MAX_FILE_BYTES &&
                     s->files < MAX_FILES && s->bytes < MAX_TEAM_BYTES;
    char *bytes = is_wanted ? file_read_head(path, MAX_FILE_BYTES, &size) : NULL;
    if (!bytes) {
        return ERR_NONE;
    }
    s->files++;
    s->bytes += size;
    enum err err = add_text(s, bytes, size, is_python);
    free(bytes);
    return err;
}

/* Links are not followed. */
static enum err add_folder(struct class_sources *s, const char *path, int depth)
{
    enum err err = ERR_NONE;
    DIR *folder = depth < MAX_DEPTH ? opendir(path) : NULL;
    for (const struct dirent *entry; folder && !err && (entry = readdir(folder));) {
        char inner[PATH_MAX];
        struct stat status;
        if (entry->d_name[0] == '.' ||
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= (int)sizeof inner ||
            lstat(inner, &status)) {
            continue;
        }
        err = S_ISDIR(status.st_mode) ? add_folder(s, inner, depth + 1) : add_file(s, inner);
    }
    if (folder) {
        closedir(folder);
    }
    return err;
}

/* The words that the roster has for a team's program, and their folder; "": it has none. */
static void find_program(const struct roster *roster, const struct roster_team *team,
                         char words[PLAYER_TEXT_BYTES], char folder[PATH_MAX])
{
    struct player_spec spec;
    struct player_command command;
    words[0] = '\0';
    folder[0] = '\0';
    if (team->source[0]) {
        snprintf(words, PLAYER_TEXT_BYTES, "%s", team->source);
        char first[PLAYER_TEXT_BYTES];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(words, " \t"), words);
        char *slash = strrchr(first, '/');
        if (slash) {
            *slash = '\0';
        }
        if (!realpath(slash ? first : ".", folder)) {
            folder[0] = '\0';
        }
    } else if (team->player[0] && !player_spec_read(team->player, roster->game, &spec, NULL) &&
               player_spec_is_program(&spec)) {
        snprintf(words, PLAYER_TEXT_BYTES, "%s", spec.command);
        if (!player_spec_command(&spec, roster->python[0] ? roster->python : NULL, &command,
                                 NULL)) {
            snprintf(folder, PATH_MAX, "%s", command.folder);
        }
    }
}

static enum err add_words(struct class_sources *s, char words[PLAYER_TEXT_BYTES])
{
    enum err err = ERR_NONE;
    char *rest = NULL;
    for (char *word = strtok_r(words, " \t", &rest); !err && word;
         word = strtok_r(NULL, " \t", &rest)) {
        err = add_file(s, word);
    }
    return err;
}

static bool is_inside(const char *inner, const char *outer)
{
    size_t length = strlen(outer);
    return strncmp(inner, outer, length) == 0 && (inner[length] == '/' || !inner[length]);
}

/* Whether the folder has no program of another team, nor the roster. */
static bool is_own_folder(char (*folders)[PATH_MAX], int count, int team, const char *here)
{
    bool is_own = folders[team][0] && !is_inside(here, folders[team]);
    for (int i = 0; is_own && i < count; i++) {
        is_own = i == team || !folders[i][0] || !is_inside(folders[i], folders[team]);
    }
    return is_own;
}

/* The current folder is the roster's. */
static enum err add_teams(const struct roster *roster, struct likeness *likeness, struct note *why)
{
    int count = roster->team_count;
    char(*folders)[PATH_MAX] = calloc((size_t)count, sizeof *folders);
    char here[PATH_MAX] = "/";
    char words[PLAYER_TEXT_BYTES];
    char unused[PATH_MAX];
    enum err err = folders ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "no memory for the teams");
    (void)!realpath(".", here);
    for (int i = 0; !err && i < count; i++) {
        find_program(roster, &roster->teams[i], words, folders[i]);
    }
    for (int i = 0; !err && i < count; i++) {
        struct class_sources s = {.likeness = likeness, .team = i, .why = why};
        find_program(roster, &roster->teams[i], words, unused);
        err = is_own_folder(folders, count, i, here) ? add_folder(&s, folders[i], 0)
                                                     : add_words(&s, words);
    }
    free(folders);
    return err;
}

/* The kit's clients and samples. */
static enum err add_templates(struct likeness *likeness, struct note *why)
{
    enum err err = ERR_NONE;
    for (const struct embedded_file *file = embedded_files; !err && file->name; file++) {
        bool is_python = false;
        if (is_source(file->name, &is_python)) {
            err = likeness_add(likeness, LIKENESS_TEMPLATE, file->bytes, is_python, why);
        }
    }
    return err;
}

enum err class_likeness_find(const char *path, const struct roster *roster,
                             struct likeness_pair **out, size_t *count, struct note *why)
{
    struct likeness likeness = {0};
    int back = -1;
    enum err err = folder_enter_of(path, &back, why);
    err = err ? err : add_teams(roster, &likeness, why);
    err = folder_return(back, err, why);
    err = err ? err : add_templates(&likeness, why);
    err = err ? err : likeness_find(&likeness, roster->team_count, out, count, why);
    likeness_free(&likeness);
    return err;
}
