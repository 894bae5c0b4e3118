#include "course/source_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/hash.h"
#include "course/source_dialect.h"
#include "course/source_text.h"

/* --- Reading and writing whole files. --- */

/* Opens ordinary files only: a pipe or a device may never end. */
static enum err open_source(const struct source_file *file, FILE **out, size_t *size,
                            struct note *why)
{
    int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    struct stat about;
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        enum err err = file_refuse(file->name, errno, why);
        if (descriptor >= 0) {
            close(descriptor);
        }
        return err;
    }
    if (!S_ISREG(about.st_mode) || about.st_size > SOURCE_TREE_MAX_BYTES) {
        close(descriptor);
        return note_fail(why, ERR_INPUT, "%.100s is %s", file->name,
                         S_ISREG(about.st_mode) ? "larger than any source" : "not a file");
    }
    *size = (size_t)about.st_size;
    *out = fdopen(descriptor, "r");
    return *out ? ERR_NONE : file_refuse(file->name, errno, why);
}

static enum err read_source(const struct source_file *file, char **text, struct note *why)
{
    FILE *stream = NULL;
    size_t size = 0;
    enum err err = open_source(file, &stream, &size, why);
    if (err) {
        return err;
    }
    char *bytes = malloc(size + 1);
    size = bytes ? fread(bytes, 1, size, stream) : 0;
    if (!bytes || ferror(stream)) {
        err = file_refuse(file->name, errno, why);
    } else {
        err = source_text_decode(bytes, size, text, why);
        if (err) {
            note_prefix(why, "%.100s", file->name);
        }
    }
    free(bytes);
    fclose(stream);
    return err;
}

/* --- The program's folder. --- */

/* `path` is absolute and has no links. */
static bool is_inside(const char *root, const char *path)
{
    size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && (path[length] == '/' || strcmp(root, "/") == 0);
}

/* "." for a name without folders. */
static void folder_of(const char *name, char out[PATH_MAX])
{
    const char *slash = strrchr(name, '/');
    if (slash) {
        snprintf(out, PATH_MAX, "%.*s", slash == name ? 1 : (int)(slash - name), name);
    } else {
        snprintf(out, PATH_MAX, ".");
    }
}

/* The deepest folder that all sources are in, by their names: where a link is, not where it
 * leads. */
static enum err find_common_folder(const char *const *sources, size_t count, char out[PATH_MAX],
                                   struct note *why)
{
    for (size_t i = 0; i < count; i++) {
        char name[PATH_MAX];
        char folder[PATH_MAX];
        folder_of(sources[i], name);
        if (!realpath(name, folder)) {
            return file_refuse(sources[i], errno, why);
        }
        if (i == 0) {
            snprintf(out, PATH_MAX, "%s", folder);
        }
        while (strcmp(out, folder) != 0 && !is_inside(out, folder)) {
            char *slash = strrchr(out, '/');
            slash[slash == out] = '\0';
        }
    }
    return ERR_NONE;
}

static enum err find_root(struct source_tree *tree, const char *root, const char *const *sources,
                          size_t count, struct note *why)
{
    if (!root) {
        return find_common_folder(sources, count, tree->root, why);
    }
    if (!realpath(root, tree->root)) {
        int reason = errno;
        char name[100];
        snprintf(name, sizeof name, "the program's folder %.70s", root);
        return file_refuse(name, reason, why);
    }
    return ERR_NONE;
}

/* --- Finding what is included. --- */

static bool is_over(const struct source_tree *tree)
{
    return (tree->stop && atomic_load(tree->stop)) ||
           (tree->end_ns && clock_now_ns() >= tree->end_ns);
}

static enum err refuse_more(const struct source_tree *tree, size_t includer, struct note *why)
{
    if (tree->stop && atomic_load(tree->stop)) {
        return note_fail(why, ERR_INTERRUPTED, "interrupted");
    }
    return note_fail(why, ERR_NEGATIVE,
                     "%.100s does not compile: it takes too long to find and copy what it includes",
                     tree->files[includer].name);
}

/* Looks in `folder` for an entry with this name in any letters; the exact one comes first. */
static bool find_entry(const char *folder, const char *name, size_t length, char *out, size_t room)
{
    if (snprintf(out, room, "%s/%.*s", folder, (int)length, name) >= (int)room) {
        return false;
    }
    if (access(out, F_OK) == 0) {
        return true;
    }
    DIR *entries = opendir(folder);
    bool is_found = false;
    for (struct dirent *entry; entries && !is_found && (entry = readdir(entries));) {
        if (strlen(entry->d_name) == length && strncasecmp(entry->d_name, name, length) == 0) {
            is_found = snprintf(out, room, "%s/%s", folder, entry->d_name) < (int)room;
        }
    }
    if (entries) {
        closedir(entries);
    }
    return is_found;
}

/* The same for a name with folders in it. What is outside the program's folder is not found: the
 * compiler's message must not even show whether it exists. `out` has PATH_MAX bytes. */
static bool find_below(const struct source_tree *tree, const char *folder, const char *name,
                       char *out)
{
    char here[PATH_MAX];
    char real[PATH_MAX];
    snprintf(here, sizeof here, "%s", *name == '/' ? "" : folder);
    while (*(name += strspn(name, "/"))) {
        size_t length = strcspn(name, "/");
        if (!find_entry(here, name, length, out, PATH_MAX)) {
            return false;
        }
        snprintf(here, sizeof here, "%s", out);
        name += length;
    }
    struct stat about;
    return stat(here, &about) == 0 && S_ISREG(about.st_mode) && realpath(here, real) &&
           is_inside(tree->root, real);
}

/* Next to the file that includes it, or, as Visual Studio does, next to one of its includers. */
static bool find_included(const struct source_tree *tree, size_t includer, const char *name,
                          char out[PATH_MAX])
{
    char folder[PATH_MAX];
    folder_of(tree->files[includer].name, folder);
    if (find_below(tree, folder, name, out)) {
        return true;
    }
    for (size_t i = 0; i < tree->given; i++) {
        folder_of(tree->files[i].name, folder);
        if (find_below(tree, folder, name, out)) {
            return true;
        }
    }
    return false;
}

/* In a folder next to one of the sources: a project may make Visual Studio search there. */
static bool find_deeper(const struct source_tree *tree, const char *name, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    char inner[PATH_MAX];
    bool is_found = false;
    for (size_t i = 0; i < tree->given && !is_found; i++) {
        folder_of(tree->files[i].name, folder);
        DIR *entries = opendir(folder);
        for (struct dirent *entry;
             entries && !is_found && !is_over(tree) && (entry = readdir(entries));) {
            is_found =
                entry->d_name[0] != '.' &&
                snprintf(inner, sizeof inner, "%s/%s", folder, entry->d_name) < (int)sizeof inner &&
                find_below(tree, inner, name, out);
        }
        if (entries) {
            closedir(entries);
        }
    }
    return is_found;
}

/* --- The tree. --- */

int source_tree_path(const struct source_tree *tree, size_t index, char *out, size_t room)
{
    return snprintf(out, room, "%s/%s%04zu.src", tree->folder, tree->is_for_windows ? "w" : "",
                    index);
}

int source_tree_text_path(const struct source_tree *tree, size_t index, char *out, size_t room)
{
    return snprintf(out, room, "%s/%s%04zu.txt", tree->folder, tree->is_for_windows ? "w" : "",
                    index);
}

/* A source that is given may be a link, which its author may have made. */
static enum err refuse_outside(const struct source_tree *tree, const char *name, struct note *why)
{
    note_set(why,
             "%.100s is outside the program's folder %.100s: give a --folder that contains it, or "
             "if it is a link, the file itself",
             name, tree->root);
    return ERR_INPUT;
}

/* The index of the file called `name`, which joins the tree unless it is already there. */
static enum err add_file(struct source_tree *tree, const char *name, size_t *index,
                         struct note *why)
{
    char *path = realpath(name, NULL);
    if (!path) {
        return file_refuse(name, errno, why);
    }
    if (!is_inside(tree->root, path)) {
        free(path);
        return refuse_outside(tree, name, why);
    }
    for (size_t i = 0; i < tree->count; i++) {
        if (strcmp(tree->files[i].path, path) == 0) {
            free(path);
            *index = i;
            return ERR_NONE;
        }
    }
    if (tree->count == SOURCE_TREE_MAX_FILES) {
        free(path);
        return note_fail(why, ERR_INPUT, "more than %d files are included", SOURCE_TREE_MAX_FILES);
    }
    char *copy = strdup(name);
    if (!copy) {
        free(path);
        return file_refuse(name, errno, why);
    }
    tree->files[tree->count] = (struct source_file){copy, path};
    *index = tree->count++;
    return ERR_NONE;
}

/* --- Rewriting. --- */

static const char *skip_spaces(const char *at) { return at + strspn(at, " \t"); }

/* Where the name begins in `#include "name"` or `#include <name>`; NULL for any other line. */
static const char *find_include(const char *line)
{
    line = skip_spaces(line);
    if (*line != '#') {
        return NULL;
    }
    line = skip_spaces(line + 1);
    if (strncmp(line, "include", strlen("include")) != 0) {
        return NULL;
    }
    line = skip_spaces(line + strlen("include"));
    return *line == '"' || *line == '<' ? line + 1 : NULL;
}

/* Where compilers look for headers; once, since a source may have thousands of includes. */
static void find_headers(struct source_tree *tree)
{
    static const char folders[] = "{/usr/include,/usr/include/*-linux-*,/usr/include/c++/*,"
                                  "/usr/include/*-linux-*/c++/*,/usr/lib/gcc/*/*/include,"
                                  "/usr/local/include}";
    glob(folders, GLOB_BRACE | GLOB_NOSORT, NULL, &tree->headers);
}

/* Whether there is a header of this name where compilers look, or for Windows in clients/compat. A
 * name with .. may lead anywhere, and is left to the compiler in its sandbox. */
static bool is_installed(const struct source_tree *tree, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "clients/compat/%s", name);
    if (tree->is_for_windows && embedded_find(path)) {
        return true;
    }
    bool is_found = false;
    for (size_t i = 0; *name && !strstr(name, "..") && !is_found && i < tree->headers.gl_pathc;
         i++) {
        is_found = snprintf(path, sizeof path, "%s/%s", tree->headers.gl_pathv[i], name) <
                       (int)sizeof path &&
                   access(path, F_OK) == 0;
    }
    return is_found;
}

/* Windows does not mind capitals: *out is the name under which a header is installed. */
static bool find_installed(const struct source_tree *tree, const char *name, char out[NAME_MAX + 1])
{
    snprintf(out, NAME_MAX + 1, "%s", name);
    if (is_installed(tree, out)) {
        return true;
    }
    for (char *at = out; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    return is_installed(tree, out);
}

/* In quotes the program's own files come first, in angle brackets those that are installed. */
static bool find_own(const struct source_tree *tree, size_t includer, const char *name,
                     bool is_quoted, bool is_installed_too, char out[PATH_MAX])
{
    return ((is_quoted || !is_installed_too) && find_included(tree, includer, name, out)) ||
           (!is_installed_too && find_deeper(tree, name, out));
}

/* Writes the line up to the end of the name; *end is where the rest of it begins. A name that leads
 * nowhere keeps its spelling, for the compiler's message. */
static enum err write_include(struct source_tree *tree, size_t includer, const char *line,
                              const char *name, FILE *out, const char **end, struct note *why)
{
    bool is_quoted = name[-1] == '"';
    size_t length = strcspn(name, is_quoted ? "\"\n" : ">\n");
    char wanted[NAME_MAX + 1];
    char installed[NAME_MAX + 1];
    char found[PATH_MAX];
    *end = line;
    if (length >= sizeof wanted || name[length] == '\n' || !name[length]) {
        return ERR_NONE;
    }
    for (size_t i = 0; i < length; i++) {
        wanted[i] = name[i] == '\\' ? '/' : name[i];
    }
    wanted[length] = '\0';
    bool has_installed = find_installed(tree, wanted, installed);
    if (find_own(tree, includer, wanted, is_quoted, has_installed, found)) {
        size_t index = 0;
        enum err err = add_file(tree, found, &index, why);
        if (!err) {
            /* Relative: the name in an include cannot contain a quote, and the folder's may. */
            source_tree_path(tree, index, found, sizeof found);
            fprintf(out, "%.*s\"%s\"", (int)(name - 1 - line), line, strrchr(found, '/') + 1);
            *end = name + length + 1;
        }
        return err;
    }
    fprintf(out, "%.*s%s", (int)(name - line), line, has_installed ? installed : wanted);
    *end = name + length;
    return ERR_NONE;
}

static enum err write_lines(struct source_tree *tree, size_t index, const char *text, FILE *out,
                            struct note *why)
{
    enum err err = ERR_NONE;
    while (!err && *text) {
        const char *name = find_include(text);
        if (name) {
            err = write_include(tree, index, text, name, out, &text, why);
            err = !err && is_over(tree) ? refuse_more(tree, index, why) : err;
        }
        size_t length = strcspn(text, "\n");
        fprintf(out, "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
    return err;
}

/* The name in the first line makes the compiler show the lines of the text as it was. */
static enum err rewrite(struct source_tree *tree, size_t index, const char *text, FILE *out,
                        struct note *why)
{
    char path[PATH_MAX];
    char *converted = NULL;
    size_t size = 0;
    source_tree_text_path(tree, index, path, sizeof path);
    fputs("#line 1 \"", out);
    for (const char *at = path; *at; at++) {
        fprintf(out, "%s%c", strchr("\"\\", *at) ? "\\" : "", *at);
    }
    fputs("\"\n", out);
    if (!tree->is_for_windows) {
        return write_lines(tree, index, text, out, why);
    }
    FILE *stream = open_memstream(&converted, &size);
    if (!stream) {
        return file_refuse(tree->files[index].name, errno, why);
    }
    source_dialect_write(text, stream);
    enum err err = fclose(stream) == 0 ? write_lines(tree, index, converted, out, why)
                                       : file_refuse(tree->files[index].name, errno, why);
    free(converted);
    return err;
}

/* --- Copies. --- */

static enum err close_copy(FILE *out, const char *path, struct note *why)
{
    bool is_written = !ferror(out);
    return fclose(out) == 0 && is_written ? ERR_NONE : file_refuse(path, errno, why);
}

static enum err write_text(const struct source_tree *tree, size_t index, const char *text,
                           struct note *why)
{
    char path[PATH_MAX];
    source_tree_text_path(tree, index, path, sizeof path);
    return file_write(path, "wxe", text, strlen(text)) ? ERR_NONE : file_refuse(path, errno, why);
}

static enum err write_copy(struct source_tree *tree, size_t index, const char *text,
                           struct note *why)
{
    char path[PATH_MAX];
    source_tree_path(tree, index, path, sizeof path);
    FILE *out = fopen(path, "wxe");
    if (!out) {
        return file_refuse(path, errno, why);
    }
    enum err err = rewrite(tree, index, text, out, why);
    enum err closed = close_copy(out, path, err ? NULL : why);
    return err ? err : closed;
}

static enum err copy_file(struct source_tree *tree, size_t index, struct note *why)
{
    char *text = NULL;
    enum err err = read_source(&tree->files[index], &text, why);
    if (!err) {
        tree->checksum = hash_bytes(tree->checksum, text, strlen(text));
    }
    err = err ? err : write_text(tree, index, text, why);
    err = err ? err : write_copy(tree, index, text, why);
    free(text);
    return err;
}

enum err source_tree_copy(struct source_tree *tree, const char *root, const char *const *sources,
                          size_t count, struct note *why)
{
    enum err found = find_root(tree, root, sources, count, why);
    if (found) {
        return found;
    }
    for (size_t i = 0; i < count; i++) {
        size_t index = 0;
        enum err err = add_file(tree, sources[i], &index, why);
        if (err) {
            return err;
        }
        if (index != i) {
            return note_fail(why, ERR_INPUT, "%.100s is given twice", sources[i]);
        }
    }
    tree->given = count;
    find_headers(tree);
    for (size_t i = 0; i < tree->count; i++) {
        enum err err = copy_file(tree, i, why);
        if (err) {
            return err;
        }
    }
    return ERR_NONE;
}

/* The original's name for a path in the folder that `text` begins with; *length is the path's. */
static const char *name_of(const struct source_tree *tree, const char *text, size_t *length)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < tree->count; i++) {
        *length = (size_t)source_tree_path(tree, i, path, sizeof path);
        if (strncmp(text, path, *length) == 0) {
            return tree->files[i].name;
        }
        *length = (size_t)source_tree_text_path(tree, i, path, sizeof path);
        if (strncmp(text, path, *length) == 0) {
            return tree->files[i].name;
        }
    }
    *length = strlen(tree->folder);
    return "<plum>";
}

void source_tree_print(const struct source_tree *tree, const char *text, FILE *out)
{
    for (const char *path; (path = strstr(text, tree->folder));) {
        size_t length = 0;
        fwrite(text, 1, (size_t)(path - text), out);
        fputs(name_of(tree, path, &length), out);
        text = path + length;
    }
    fputs(text, out);
}

void source_tree_free(struct source_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        free(tree->files[i].name);
        free(tree->files[i].path);
    }
    globfree(&tree->headers);
    *tree = (struct source_tree){0};
}
