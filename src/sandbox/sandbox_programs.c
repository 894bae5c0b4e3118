#include "sandbox/sandbox_programs.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 /* as the kernel */ };

struct sandbox_program_search {
    const char *folder;         /* the agent's */
    char real_folder[PATH_MAX]; /* the same without links; "": it does not exist */
    const char *path_variable;
    struct sandbox_programs *found;
};

static const char *const system_folders[] = {"/usr/", "/bin/", "/sbin/", "/lib"};

/* What makes up an installation under one prefix. */
static const char *const installation_parts[] = {
    "bin",   "sbin",     "lib",     "lib32",   "lib64",      "libexec",
    "shims", "versions", "version", "plugins", "pyvenv.cfg",
};

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

bool sandbox_programs_is_of_system(const char *path)
{
    for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++) {
        if (starts_with(path, system_folders[i])) {
            return true;
        }
    }
    return false;
}

/* The folder / contains only what is directly in it. */
static bool is_in(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    if (length == 1) {
        return strrchr(path, '/') == path;
    }
    return length && starts_with(path, folder) && path[length] == '/' && !strstr(path, "/../");
}

/* A sandbox shows these anyway, but never the whole of /. */
static bool is_visible(const struct sandbox_program_search *search, const char *path)
{
    return (is_in(search->folder, path) && strlen(search->folder) > 1) ||
           sandbox_programs_is_of_system(path);
}

static bool is_known(const struct sandbox_programs *programs, const char *path)
{
    for (size_t i = 0; i < programs->count; i++) {
        if (strcmp(programs->paths[i], path) == 0) {
            return true;
        }
    }
    return false;
}

static void add(struct sandbox_programs *programs, const char *path)
{
    if (programs->count == SANDBOX_PROGRAMS_MAX || is_known(programs, path) ||
        access(path, F_OK) != 0) {
        return;
    }
    char *copy = strdup(path);
    if (copy) {
        programs->paths[programs->count++] = copy;
    } else {
        programs->error = ENOMEM;
    }
}

/* PREFIX/bin/NAME or PREFIX/shims/NAME brings the parts of PREFIX, any other only itself. */
static void add_installation(struct sandbox_programs *programs, const char *program)
{
    char prefix[PATH_MAX];
    snprintf(prefix, sizeof prefix, "%s", program);
    *strrchr(prefix, '/') = '\0';
    char *folder = strrchr(prefix, '/');
    if (!folder || (strcmp(folder, "/bin") != 0 && strcmp(folder, "/shims") != 0)) {
        add(programs, program);
        return;
    }
    *folder = '\0';
    for (size_t i = 0; i < sizeof installation_parts / sizeof installation_parts[0]; i++) {
        char part[PATH_MAX + 16];
        snprintf(part, sizeof part, "%s/%s", prefix, installation_parts[i]);
        add(programs, part);
    }
}

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool sandbox_programs_find_in_path(const char *variable, const char *name, char out[PATH_MAX])
{
    while (variable && *variable) {
        int length = (int)strcspn(variable, ":");
        if (*variable == '/' &&
            snprintf(out, PATH_MAX, "%.*s/%s", length, variable, name) < PATH_MAX &&
            is_program(out)) {
            return true;
        }
        variable += length;
        variable += *variable == ':';
    }
    return false;
}

bool sandbox_programs_path(const char *word, const char *folder, char out[PATH_MAX])
{
    int length = *word == '/' ? snprintf(out, PATH_MAX, "%s", word)
                              : snprintf(out, PATH_MAX, "%s/%s", folder, word);
    return length < PATH_MAX;
}

bool sandbox_programs_find_first(const char *command, const char *folder, char out[PATH_MAX])
{
    char word[SANDBOX_PROGRAMS_WORD_BYTES];
    if (!sandbox_programs_next_word(command, word)) {
        return false;
    }
    return strchr(word, '/') ? sandbox_programs_path(word, folder, out) && access(out, F_OK) == 0
                             : sandbox_programs_find_in_path(getenv("PATH"), word, out);
}

static bool find_program(const struct sandbox_program_search *search, const char *word,
                         char out[PATH_MAX])
{
    return strchr(word, '/') ? sandbox_programs_path(word, search->folder, out) && is_program(out)
                             : sandbox_programs_find_in_path(search->path_variable, word, out);
}

/* What an interpreter runs or reads: `python3 agent.py`. */
static bool find_file(const struct sandbox_program_search *search, const char *word,
                      char out[PATH_MAX])
{
    struct stat status;
    return sandbox_programs_path(word, search->folder, out) && is_visible(search, out) &&
           stat(out, &status) == 0 && S_ISREG(status.st_mode);
}

static void need(struct sandbox_programs *programs, const char *path, bool is_from_path_variable)
{
    if (programs->needed_count == SANDBOX_PROGRAMS_MAX) {
        return;
    }
    char *copy = strdup(path);
    if (copy) {
        struct sandbox_program *program = &programs->needed[programs->needed_count++];
        program->path = copy;
        program->is_from_path_variable = is_from_path_variable;
    } else {
        programs->error = ENOMEM;
    }
}

/* Does the path lead over a link in the agent's folder, or too many links? Follows it part by part:
 * a link of the organiser may lead to one of the agent. Links in / are those of the system's
 * administrator, unless they are the program itself. */
static bool uses_own_link(const struct sandbox_program_search *search, const char *path)
{
    char done[PATH_MAX] = ""; /* a real path */
    char rest[PATH_MAX];
    char next[PATH_MAX];
    char target[PATH_MAX];
    int links = 0;
    if (strlen(search->folder) == 1 && strrchr(path, '/') != path) {
        return false;
    }
    snprintf(rest, sizeof rest, "%s", path);
    for (;;) {
        const char *part = rest + strspn(rest, "/");
        const char *end = part + strcspn(part, "/");
        int length = (int)(end - part);
        if (length == 0) {
            return false;
        }
        bool is_up = length == 2 && strncmp(part, "..", 2) == 0;
        if (is_up) {
            done[*done ? strrchr(done, '/') - done : 0] = '\0';
        }
        if (is_up || (length == 1 && *part == '.')) {
            memmove(rest, end, strlen(end) + 1);
            continue;
        }
        if (snprintf(next, sizeof next, "%s/%.*s", done, length, part) >= (int)sizeof next) {
            return true;
        }
        ssize_t count = readlink(next, target, sizeof target - 1);
        if (count < 0 && errno == EINVAL) { /* not a link */
            memcpy(done, next, sizeof done);
            memmove(rest, end, strlen(end) + 1);
            continue;
        }
        if (count <= 0 || is_in(search->real_folder, next) || ++links > MOST_LINKS ||
            snprintf(next, sizeof next, "%.*s%s", (int)count, target, end) >= (int)sizeof next) {
            return true;
        }
        memcpy(rest, next, sizeof rest);
        if (rest[0] == '/') {
            done[0] = '\0';
        }
    }
}

const char *sandbox_programs_next_word(const char *text, char out[SANDBOX_PROGRAMS_WORD_BYTES])
{
    size_t length = 0;
    char quote = '\0';
    text += strspn(text, " \t\n");
    if (!*text) {
        return NULL;
    }
    for (; *text && (quote || !strchr(" \t\n;&|", *text)); text++) {
        if (quote ? *text == quote : *text == '\'' || *text == '"') {
            quote = quote ? '\0' : *text;
            continue;
        }
        if (*text == '\\' && quote != '\'' && text[1]) {
            text++;
        }
        if (length < SANDBOX_PROGRAMS_WORD_BYTES - 1) {
            out[length++] = *text;
        }
    }
    out[length] = '\0';
    return *text ? text + 1 : text;
}

/* Inside quotes only programs are looked for: other words there may mean anything. */
static void add_word(const struct sandbox_program_search *search, const char *word, int depth)
{
    char path[PATH_MAX];
    char real[PATH_MAX];
    bool is_run = *word && find_program(search, word, path);
    bool is_file = is_run || (*word && depth == 0 && find_file(search, word, path));
    if (!is_file || !realpath(path, real)) {
        return;
    }
    /* Its author would choose what is shown. */
    bool is_own = is_in(search->real_folder, real);
    bool is_chosen_by_agent = is_own || uses_own_link(search, path);
    if (is_chosen_by_agent && !is_own && !sandbox_programs_is_of_system(real)) {
        note_set(&search->found->refusal,
                 "%.90s is a link out of the agent's folder, to %.90s: copy that file into the "
                 "folder, or name it in the player's command",
                 path, real);
        return;
    }
    need(search->found, path, is_run && !strchr(word, '/'));
    if (is_run && is_chosen_by_agent && !is_visible(search, path)) {
        add(search->found, path);
    }
    if (is_run && !is_chosen_by_agent && !is_visible(search, path)) {
        add_installation(search->found, path);
    }
    if (is_run && !is_chosen_by_agent && !is_visible(search, real)) {
        add_installation(search->found, real);
    }
}

static void add_words(const struct sandbox_program_search *search, const char *command, int depth)
{
    char word[SANDBOX_PROGRAMS_WORD_BYTES];
    while (depth < SANDBOX_PROGRAMS_DEPTH &&
           (command = sandbox_programs_next_word(command, word))) {
        add_word(search, word, depth);
        if (strpbrk(word, " \t\n")) {
            add_words(search, word, depth + 1);
        }
    }
}

void sandbox_programs_find(const char *command, const char *folder, const char *path_variable,
                           struct sandbox_programs *out)
{
    struct sandbox_program_search search = {
        .folder = folder, .path_variable = path_variable, .found = out};
    *out = (struct sandbox_programs){0};
    if (!realpath(folder, search.real_folder)) {
        search.real_folder[0] = '\0';
    }
    add_words(&search, command, 0);
}

static bool is_forbidden(const char *path)
{
    return access(path, R_OK) != 0 && errno == EACCES && access(path, X_OK) != 0;
}

const char *sandbox_programs_forbidden(const struct sandbox_programs *programs,
                                       const char *path_variable)
{
    char other[PATH_MAX];
    for (size_t i = 0; i < programs->needed_count; i++) {
        const struct sandbox_program *program = &programs->needed[i];
        if (is_forbidden(program->path) &&
            !(program->is_from_path_variable &&
              sandbox_programs_find_in_path(path_variable, strrchr(program->path, '/') + 1,
                                            other))) {
            return program->path;
        }
    }
    return NULL;
}

void sandbox_programs_free(struct sandbox_programs *programs)
{
    for (size_t i = 0; i < programs->count; i++) {
        free(programs->paths[i]);
    }
    for (size_t i = 0; i < programs->needed_count; i++) {
        free(programs->needed[i].path);
    }
    *programs = (struct sandbox_programs){0};
}

/* --- Programs of other machines --- */

enum { HEAD_BYTES = 20 }; /* up to the processor of an ELF file */

static bool read_head(const char *path, unsigned char out[HEAD_BYTES])
{
    FILE *file = fopen(path, "rbe");
    bool is_read = file && fread(out, 1, HEAD_BYTES, file) == HEAD_BYTES;
    if (file) {
        fclose(file);
    }
    return is_read;
}

static int machine_of(const unsigned char head[HEAD_BYTES])
{
    int low = head[offsetof(Elf64_Ehdr, e_machine)];
    int high = head[offsetof(Elf64_Ehdr, e_machine) + 1];
    return head[EI_DATA] == ELFDATA2MSB ? low << 8 | high : high << 8 | low;
}

static const char *machine_name(int machine)
{
    static const struct {
        int machine;
        const char *name;
    } names[] = {{EM_386, "32-bit x86"}, {EM_X86_64, "x86-64"},    {EM_ARM, "32-bit ARM"},
                 {EM_AARCH64, "ARM64"},  {EM_RISCV, "RISC-V"},     {EM_MIPS, "MIPS"},
                 {EM_PPC64, "POWER"},    {EM_S390, "IBM Z (s390)"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].machine == machine) {
            return names[i].name;
        }
    }
    return "unknown";
}

static bool is_for_other_processor(const unsigned char head[HEAD_BYTES])
{
    unsigned char own[HEAD_BYTES];
    return memcmp(head, ELFMAG, SELFMAG) == 0 && read_head("/proc/self/exe", own) &&
           (machine_of(head) != machine_of(own) || head[EI_CLASS] != own[EI_CLASS]);
}

bool sandbox_programs_is_foreign(const char *path, struct note *why)
{
    static const unsigned char mac_64[] = {0xcf, 0xfa, 0xed, 0xfe};
    static const unsigned char mac_universal[] = {0xca, 0xfe, 0xba, 0xbe, 0, 0, 0};
    unsigned char head[HEAD_BYTES];
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (!read_head(path, head)) {
        return false;
    }
    if (memcmp(head, "MZ", 2) == 0) {
        note_set(why, "%.60s is a Windows program: hand in the source", name);
    } else if (memcmp(head, mac_64, sizeof mac_64) == 0 ||
               memcmp(head, mac_universal, sizeof mac_universal) == 0) {
        note_set(why, "%.60s is a macOS program: hand in the source", name);
    } else if (is_for_other_processor(head)) {
        note_set(why, "%.60s is a program for another processor (%s): hand in the source", name,
                 machine_name(machine_of(head)));
    } else {
        return false;
    }
    return true;
}

/* --- Scripts --- */

/* The words after "#!"; false: it is not a script. */
static bool read_first_line(const char *path, char out[SANDBOX_PROGRAMS_WORD_BYTES])
{
    FILE *file = fopen(path, "rbe");
    bool is_script =
        file && fgets(out, SANDBOX_PROGRAMS_WORD_BYTES, file) && out[0] == '#' && out[1] == '!';
    if (file) {
        fclose(file);
    }
    if (is_script) {
        out[strcspn(out, "\r\n")] = '\0';
        memmove(out, out + 2, strlen(out + 2) + 1);
    }
    return is_script;
}

static bool is_in_folder_of(const char *path, const char *script)
{
    const char *end = strrchr(script, '/');
    return *path != '/' || (end && strncmp(path, script, (size_t)(end + 1 - script)) == 0);
}

bool sandbox_programs_lacks_interpreter(const char *path, struct note *why)
{
    static const char system_path[] = "/usr/local/bin:/usr/bin:/bin";
    char line[SANDBOX_PROGRAMS_WORD_BYTES];
    char word[SANDBOX_PROGRAMS_WORD_BYTES];
    char found[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *script = slash ? slash + 1 : path;
    const char *rest = read_first_line(path, line) ? sandbox_programs_next_word(line, word) : NULL;
    if (!rest || sandbox_programs_is_of_system(path)) {
        return false;
    }
    bool is_env = strcmp(word, "/usr/bin/env") == 0 || strcmp(word, "/bin/env") == 0;
    if (is_env &&
        (!sandbox_programs_next_word(rest, word) || word[0] == '-' || strpbrk(word, "=/"))) {
        return false;
    }
    bool is_shown = is_env ? sandbox_programs_find_in_path(system_path, word, found)
                           : sandbox_programs_is_of_system(word) || is_in_folder_of(word, path);
    if (!is_shown) {
        note_set(why,
                 "%.60s needs the interpreter %.90s, which a sandbox does not show; write "
                 "'%.90s %.60s' as the player's command",
                 script, word, word, script);
    }
    return !is_shown;
}

/* --- Python --- */

bool sandbox_programs_lacks_module(const char *path, const char *log, const char *sharing,
                                   struct note *why)
{
    static const char words[] = "ModuleNotFoundError: No module named ";
    const char *last = NULL;
    for (const char *at = log; (at = strstr(at, words)); at++) {
        last = at + strlen(words);
    }
    if (!last) {
        return false;
    }
    last += strspn(last, "'\"");
    int length = (int)strcspn(last, "'\";\r\n");
    length = length < 40 ? length : 40;
    if (*sharing) {
        note_set(why, "it does not find the Python module %.*s; %s", length, last, sharing);
    } else {
        note_set(why,
                 "%.80s does not find the Python module %.*s; install it for that Python, or "
                 "choose another (in a roster: python; check and match: --python)",
                 path, length, last);
    }
    return true;
}
