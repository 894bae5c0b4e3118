#include "app/class_likeness.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/folder.h"
#include "course/likeness_page.h"
#include "course/source_text.h"
#include "course/submission.h"
#include "player/player_spec.h"

enum { MAX_DEPTH = 4, MAX_FILES = 200, MAX_FILE_BYTES = 1 << 20, MAX_TEAM_BYTES = 4 << 20 };

/* A team while its sources are read. */
struct class_sources {
    struct likeness *likeness;      /* what is read is added to it, or */
    struct likeness_source *source; /* kept here */
    const struct likeness *kit;     /* its templates, sorted */
    int team;
    int files;
    size_t bytes;
    struct note *why;
};

static bool is_source(const char *name, bool *is_python)
{
    *is_python = strcmp(submission_language_name(name), "Python") == 0;
    return submission_is_code(name);
}

/* A file of the kit that a student does not have to change. That of an earlier version of the kit
 * is nearly what is known. */
static bool is_client(const struct class_sources *s, const char *path, const char *text,
                      bool is_python)
{
    enum { LEAST_PERCENT = 75 };
    const char *slash = strrchr(path, '/');
    return submission_is_client(slash ? slash + 1 : path) &&
           likeness_template_percent(s->kit, text, is_python) >= LEAST_PERCENT;
}

/* Takes the text. */
static enum err keep_text(struct class_sources *s, const char *path, char *text, bool is_python)
{
    const char *slash = strrchr(path, '/');
    char *name = strdup(slash ? slash + 1 : path);
    if (!name || s->source->count == LIKENESS_MAX_FILES) {
        free(name);
        free(text);
        return name ? ERR_NONE : note_fail(s->why, ERR_ENVIRONMENT, "no memory for the sources");
    }
    struct likeness_file *file = &s->source->files[s->source->count++];
    file->name = name;
    file->text = text;
    file->is_python = is_python;
    return ERR_NONE;
}

static enum err add_text(struct class_sources *s, const char *path, const char *bytes, size_t size,
                         bool is_python)
{
    char *text = NULL;
    struct note ignored;
    enum err err = source_text_decode(bytes, size, &text, &ignored);
    if (err) {
        return err == ERR_ENVIRONMENT ? note_fail(s->why, err, "%s", ignored.text) : ERR_NONE;
    }
    if (s->source) {
        return keep_text(s, path, text, is_python);
    }
    err = is_client(s, path, text, is_python)
              ? ERR_NONE
              : likeness_add(s->likeness, s->team, text, is_python, s->why);
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
    enum err err = add_text(s, path, bytes, size, is_python);
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
        if (!player_spec_command(&spec, roster->rules.python[0] ? roster->rules.python : NULL,
                                 &command, NULL)) {
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

typedef char path_text[PATH_MAX];

/* The folders of all teams' programs; NULL: no memory. The current folder is the roster's. */
static path_text *find_folders(const struct roster *roster, struct note *why)
{
    char words[PLAYER_TEXT_BYTES];
    path_text *folders = calloc((size_t)roster->team_count + 1, sizeof *folders);
    for (int i = 0; folders && i < roster->team_count; i++) {
        find_program(roster, &roster->teams[i], words, folders[i]);
    }
    if (!folders) {
        note_set(why, "no memory for the teams");
    }
    return folders;
}

static enum err read_team(const struct roster *roster, path_text *folders, struct class_sources *s)
{
    char here[PATH_MAX] = "/";
    char words[PLAYER_TEXT_BYTES];
    char unused[PATH_MAX];
    (void)!realpath(".", here);
    find_program(roster, &roster->teams[s->team], words, unused);
    return is_own_folder(folders, roster->team_count, s->team, here)
               ? add_folder(s, folders[s->team], 0)
               : add_words(s, words);
}

static enum err add_teams(const struct roster *roster, const struct likeness *kit,
                          struct likeness *likeness, struct note *why)
{
    path_text *folders = find_folders(roster, why);
    enum err err = folders ? ERR_NONE : ERR_ENVIRONMENT;
    for (int i = 0; !err && i < roster->team_count; i++) {
        struct class_sources s = {.likeness = likeness, .kit = kit, .team = i, .why = why};
        err = read_team(roster, folders, &s);
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
        bool is_own = strncmp(file->name, "src/app/", strlen("src/app/")) == 0;
        if (!is_own && is_source(file->name, &is_python)) {
            err = likeness_add(likeness, LIKENESS_TEMPLATE, file->bytes, is_python, why);
        }
    }
    return err;
}

enum err class_likeness_find(const char *path, const struct roster *roster,
                             struct class_likeness *out, struct note *why)
{
    struct likeness kit = {0};
    int back = -1;
    enum err err = add_templates(&kit, why);
    likeness_sort(&kit);
    err = err ? err : add_templates(&out->likeness, why);
    err = err ? err : folder_enter_of(path, &back, why);
    err = err ? err : add_teams(roster, &kit, &out->likeness, why);
    err = folder_return(back, err, why);
    likeness_free(&kit);
    return err ? err : likeness_find(&out->likeness, roster->team_count, &out->result, why);
}

void class_likeness_free(struct class_likeness *class)
{
    likeness_free(&class->likeness);
    likeness_result_free(&class->result);
}

/* --- In words --- */

void class_likeness_describe(const struct class_likeness *class, const struct roster *roster,
                             const struct likeness_group *group, char out[CLASS_LIKENESS_BYTES])
{
    size_t used = (size_t)snprintf(out, CLASS_LIKENESS_BYTES, "%d of %d teams ", group->count,
                                   roster->team_count);
    if (group->is_same) {
        used += (size_t)snprintf(out + used, CLASS_LIKENESS_BYTES - used, "have the same source: ");
    } else if (floor(group->lowest) == floor(group->highest)) {
        used += (size_t)snprintf(out + used, CLASS_LIKENESS_BYTES - used,
                                 "share %.0f %% of their sources: ", floor(group->lowest));
    } else {
        used += (size_t)snprintf(out + used, CLASS_LIKENESS_BYTES - used,
                                 "share %.0f to %.0f %% of their sources: ", floor(group->lowest),
                                 floor(group->highest));
    }
    for (int i = 0; i < group->count; i++) {
        used += (size_t)snprintf(out + used, CLASS_LIKENESS_BYTES - used, "%s%s", i ? ", " : "",
                                 roster->teams[class->result.members[group->first + (size_t)i]].id);
    }
}

void class_likeness_describe_pair(const struct roster *roster, const struct likeness_pair *pair,
                                  struct note *out)
{
    note_set(out, "team %s and team %s: %.0f %% of the smaller one (%d of %d fragments)",
             roster->teams[pair->program[0]].id, roster->teams[pair->program[1]].id,
             floor(likeness_percent(pair)), pair->shared, pair->smaller);
}

/* --- The page --- */

struct class_page {
    const struct class_likeness *class;
    const struct roster *roster;
    path_text *folders;
    FILE *out;
    int shown;
    struct note *why;
};

static enum err write_pair(struct class_page *page, const struct likeness_pair *pair)
{
    struct likeness_source *sources = calloc(2, sizeof *sources);
    struct likeness_match match = {.passages = 0};
    char names[2][ROSTER_ID_BYTES + ROSTER_NAME_BYTES + 16];
    struct note sentence;
    enum err err =
        sources ? ERR_NONE : note_fail(page->why, ERR_ENVIRONMENT, "no memory for the sources");
    for (int i = 0; !err && i < 2; i++) {
        const struct roster_team *team = &page->roster->teams[pair->program[i]];
        struct class_sources s = {
            .source = &sources[i], .team = pair->program[i], .why = page->why};
        snprintf(names[i], sizeof names[i], "team %s, %s", team->id, team->name);
        err = read_team(page->roster, page->folders, &s);
    }
    err = err ? err
              : likeness_match_find(&page->class->likeness, &sources[0], &sources[1], &match,
                                    page->why);
    if (!err) {
        class_likeness_describe_pair(page->roster, pair, &sentence);
        likeness_page_pair(
            page->out, ++page->shown, sentence.text, (const char *const[]){names[0], names[1]},
            (const struct likeness_source *const[]){&sources[0], &sources[1]}, &match);
    }
    likeness_match_free(&match);
    for (int i = 0; sources && i < 2; i++) {
        likeness_source_free(&sources[i]);
    }
    free(sources);
    return err;
}

/* Pairs of the group, the strongest first, until each of its members is in one. */
static enum err write_group(struct class_page *page, int group)
{
    const struct likeness_result *result = &page->class->result;
    bool *is_shown = calloc((size_t)result->programs + 1, sizeof *is_shown);
    char *sentence = malloc(CLASS_LIKENESS_BYTES);
    enum err err = is_shown && sentence
                       ? ERR_NONE
                       : note_fail(page->why, ERR_ENVIRONMENT, "no memory for the page");
    if (!err) {
        class_likeness_describe(page->class, page->roster, &result->groups[group], sentence);
        likeness_page_group(page->out, sentence);
        if (result->groups[group].within >= 0) {
            likeness_page_remark(page->out, "Without what more than half of the larger group has.");
        }
    }
    int shown = 0;
    for (size_t i = 0; !err && i < result->pair_count && shown < LIKENESS_PAGE_GROUP_PAIRS &&
                       page->shown < LIKENESS_PAGE_PAIRS;
         i++) {
        const struct likeness_pair *pair = &result->pairs[i];
        if (pair->group == group && !(is_shown[pair->program[0]] && is_shown[pair->program[1]])) {
            is_shown[pair->program[0]] = is_shown[pair->program[1]] = true;
            shown++;
            err = write_pair(page, pair);
        }
    }
    free(is_shown);
    free(sentence);
    return err;
}

/* Those within a larger one first: they have less than that in common by chance. */
static enum err write_groups(struct class_page *page)
{
    const struct likeness_result *result = &page->class->result;
    enum err err = ERR_NONE;
    likeness_page_begin(page->out, page->roster->name);
    for (int pass = 0; !err && pass < 2; pass++) {
        for (int i = 0; !err && i < result->group_count; i++) {
            if ((result->groups[i].within >= 0) == (pass == 0)) {
                err = write_group(page, i);
            }
        }
    }
    likeness_page_end(page->out, result->pair_count - (size_t)page->shown);
    return err;
}

enum err class_likeness_write(const struct class_likeness *class, const char *path,
                              const struct roster *roster, const char *file, struct note *why)
{
    struct class_page page = {.class = class, .roster = roster, .why = why};
    struct atomic_file target = {.stream = NULL};
    int back = -1;
    enum err err = atomic_file_open_private(&target, file, why);
    if (err) {
        return err;
    }
    page.out = target.stream;
    err = folder_enter_of(path, &back, why);
    if (!err) {
        page.folders = find_folders(roster, why);
        err = page.folders ? write_groups(&page) : ERR_ENVIRONMENT;
    }
    err = folder_return(back, err, why);
    free(page.folders);
    if (!err) {
        return atomic_file_commit(&target, why);
    }
    atomic_file_discard(&target);
    return err;
}
