/* Which files outside the agent's folder a sandbox shows: four texts, separated by a NUL: the
 * organiser's command, the agent's program, a second file of it, and where a link in its folder
 * leads.
 *
 * The agent's folder chooses nothing: what is found is also found when its files are empty and the
 * link is not there; or it is in the folder or in the system. The other functions about a program's
 * file give a reason whenever they report something. */
#include "fuzz.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "sandbox/sandbox_folder.h"
#include "sandbox/sandbox_programs.h"

enum { PATH_BYTES = FOLDER_SCRATCH_BYTES + 64, TEXTS = 4 };

enum { COMMAND, PROGRAM, MODULE, LINK };

/* In one folder: class/team, which is the agent's; term, a link to class; opt, in PATH, with an
 * interpreter, a script, and links to the agent's program and to the link in its folder; and other,
 * which is nowhere in PATH. */
struct program_world {
    struct folder_scratch folder;
    char agent[PATH_BYTES];
    char path_variable[2 * PATH_BYTES];
};

static struct program_world world;

static const char *in_world(const char *name)
{
    static char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", world.folder.path, name);
    return path;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    const char *path = in_world(name);
    CLAIM(file_write(path, "w", text, strlen(text)));
    CLAIM(chmod(path, mode) == 0);
}

static void remove_world(void) { folder_scratch_remove(&world.folder); }

static void make_world(void)
{
    static const char *const folders[] = {
        "class",     "class/team",  "class/team/sub", "class/team/bin", "opt",
        "opt/bin",   "opt/lib",     "opt/share",      "other",          "other/bin",
        "other/lib", "other/shims", "other/etc",
    };
    struct note why;
    CLAIM(folder_scratch_make(&world.folder, &why) == ERR_NONE);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        CLAIM(mkdir(in_world(folders[i]), 0755) == 0);
    }
    write_file("opt/bin/snake", "an interpreter", 0755);
    write_file("opt/bin/wrapper", "#!/usr/bin/env snake\n", 0755);
    write_file("other/bin/tool", "#!/bin/sh\n", 0755);
    write_file("other/shims/tool", "#!/bin/sh\n", 0755);
    write_file("other/tool", "#!/bin/sh\n", 0755);
    write_file("class/tool", "#!/bin/sh\n", 0755);
    CLAIM(symlink("../../class/team/link", in_world("opt/bin/alias")) == 0);
    CLAIM(symlink("../../class/team/agent", in_world("opt/bin/runner")) == 0);
    CLAIM(symlink("class", in_world("term")) == 0);
    snprintf(world.agent, sizeof world.agent, "%s", in_world("class/team"));
    snprintf(world.path_variable, sizeof world.path_variable, "%s:/usr/bin:/bin",
             in_world("opt/bin"));
    atexit(remove_world);
}

static void write_agent(const char *program, const char *module, const char *link)
{
    write_file("class/team/agent", program, 0755);
    write_file("class/team/bin/agent", program, 0755);
    write_file("class/team/sub/agent.py", module, 0644);
    unlink(in_world("class/team/link"));
    if (*link) {
        CLAIM(symlink(link, in_world("class/team/link")) == 0 || errno == ENAMETOOLONG);
    }
}

/* NULL: it no longer exists. The caller frees. */
static char *real(const char *path) { return realpath(path, NULL); }

static bool is_inside(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

static bool has_real(char *const *paths, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++) {
        if (paths[i] && strcmp(paths[i], path) == 0) {
            return true;
        }
    }
    return false;
}

static void check_choice(const char *const text[TEXTS])
{
    struct sandbox_programs trusted;
    struct sandbox_programs found;
    char *allowed[SANDBOX_PROGRAMS_MAX];
    write_agent("", "", "");
    sandbox_programs_find(text[COMMAND], world.agent, world.path_variable, &trusted);
    CLAIM(!trusted.error && !trusted.refusal.text[0]);
    for (size_t i = 0; i < trusted.count; i++) {
        allowed[i] = real(trusted.paths[i]);
    }
    write_agent(text[PROGRAM], text[MODULE], text[LINK]);
    sandbox_programs_find(text[COMMAND], world.agent, world.path_variable, &found);
    CLAIM(!found.error);
    for (size_t i = 0; i < found.count; i++) {
        char *path = real(found.paths[i]);
        CLAIM(found.paths[i][0] == '/');
        CLAIM(!path || sandbox_programs_is_of_system(path) || is_inside(path, world.agent) ||
              has_real(allowed, trusted.count, path) || trusted.count == SANDBOX_PROGRAMS_MAX);
        free(path);
    }
    const char *forbidden = sandbox_programs_forbidden(&found, world.path_variable);
    CLAIM(!forbidden || forbidden[0] == '/');
    for (size_t i = 0; i < trusted.count; i++) {
        free(allowed[i]);
    }
    sandbox_programs_free(&trusted);
    sandbox_programs_free(&found);
}

/* Of a shared folder only files that are in it. */
static void check_shared(const char *command)
{
    const struct sandbox_folder_rule rule = {.is_shared = true};
    struct sandbox_folder shown = {0};
    struct note why;
    CLAIM(!sandbox_folder_list(world.agent, command, &rule, &shown, &why));
    for (size_t i = 0; i < shown.count; i++) {
        char path[2 * PATH_MAX];
        struct stat about;
        CLAIM(shown.entries[i][0] != '/' && !strstr(shown.entries[i], ".."));
        snprintf(path, sizeof path, "%s/%s", world.agent, shown.entries[i]);
        CLAIM(stat(path, &about) == 0 && S_ISREG(about.st_mode));
    }
    sandbox_folder_free(&shown);
}

static void check_reasons(const char *const text[TEXTS])
{
    char path[PATH_MAX];
    struct note why = {""};
    check_shared(text[COMMAND]);
    if (sandbox_programs_find_first(text[COMMAND], world.agent, path)) {
        CLAIM(access(path, F_OK) == 0);
        CLAIM(sandbox_programs_lacks_interpreter(path, &why) == (*why.text != '\0'));
        why.text[0] = '\0';
        CLAIM(sandbox_programs_is_foreign(path, &why) == (*why.text != '\0'));
    }
    snprintf(path, sizeof path, "%s/agent", world.agent);
    why.text[0] = '\0';
    CLAIM(sandbox_programs_lacks_interpreter(path, &why) == (*why.text != '\0'));
    why.text[0] = '\0';
    CLAIM(sandbox_programs_is_foreign(path, &why) == (*why.text != '\0'));
    why.text[0] = '\0';
    CLAIM(sandbox_programs_lacks_module(path, text[MODULE], "", &why) == (*why.text != '\0'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!world.agent[0]) {
        make_world();
    }
    char *copy = calloc(1, size + 1);
    CLAIM(copy);
    memcpy(copy, data, size);
    const char *text[TEXTS] = {"", "", "", ""};
    const char *at = copy;
    for (int i = 0; i < TEXTS && at <= copy + size; i++) {
        text[i] = at;
        at += strlen(at) + 1;
    }
    check_choice(text);
    check_reasons(text);
    free(copy);
    return 0;
}
