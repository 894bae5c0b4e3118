#include "course/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "course/source_text.h"

enum { CHUNK_BYTES = 65536 };

struct intake_limits {
    int files;
    int64_t mib;
    size_t name_bytes;
    int depth;
};

static const struct intake_limits limits_of_one = {INTAKE_MAX_FILES, INTAKE_MAX_BYTES >> 20,
                                                   NAME_MAX, INTAKE_MAX_DEPTH};
static const struct intake_limits limits_of_class = {INTAKE_CLASS_MAX_FILES, INTAKE_CLASS_MAX_MIB,
                                                     INTAKE_CLASS_MAX_NAME, INTAKE_MAX_DEPTH + 2};

struct intake {
    const char *folder;
    const struct intake_limits *limits;
    int64_t bytes;
    int entries;
    struct intake_result *result;
    struct note *why;
};

/* Where a file's bytes come from: how many came, 0 at the end, negative if they cannot be read. */
typedef int64_t read_bytes(void *from, void *buffer, size_t room);

static void leave_out(struct intake *intake, const char *name, const char *reason)
{
    int number = intake->result->left_out++;
    if (number < INTAKE_MAX_REASONS) {
        note_set(&intake->result->reasons[number], "%.150s: %s", name, reason);
    }
}

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
    for (; *words; words++) {
        if (strlen(*words) == length && strncasecmp(*words, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* What operating systems, compilers and editors add to the files of a person. */
static bool is_generated(const char *name)
{
    static const char *const folders[] = {"__MACOSX", ".vs",          ".git",    "__pycache__",
                                          "ipch",     ".idea",        ".vscode", ".venv",
                                          "venv",     "node_modules", NULL};
    static const char *const files[] = {".DS_Store", "Thumbs.db", "desktop.ini", NULL};
    static const char *const endings[] = {
        ".obj",  ".pdb",    ".ilk", ".idb", ".ipch", ".sdf",     ".tlog",   ".iobj",
        ".ipdb", ".recipe", ".suo", ".pch", ".pyc",  ".opensdf", ".opendb", ".lastbuildstate",
        NULL};
    for (const char *at = name; (at = strchr(at, '/')); at++) {
        const char *start = at;
        while (start > name && start[-1] != '/') {
            start--;
        }
        if (is_one_of(start, (size_t)(at - start), folders)) {
            return true;
        }
    }
    const char *slash = strrchr(name, '/');
    const char *last = slash ? slash + 1 : name;
    const char *dot = strrchr(last, '.');
    return strncmp(last, "._", 2) == 0 || is_one_of(last, strlen(last), files) ||
           (dot && is_one_of(dot, strlen(dot), endings));
}

static bool skip_generated(struct intake *intake, const char *name)
{
    if (!is_generated(name)) {
        return false;
    }
    if (intake->result->generated++ == 0) {
        note_set(&intake->result->first_generated, "%.200s", name);
    }
    return true;
}

/* NULL: the name is one that stays inside the folder. */
static const char *objection(const struct intake_limits *limits, const char *name)
{
    static const char *const made_here[] = {INTAKE_AGENT, INTAKE_BUILD_LOG, NULL};
    int depth = 0;
    if (name[0] == '/' || strlen(name) >= limits->name_bytes) {
        return name[0] == '/' ? "an absolute path" : "the name is too long";
    }
    for (const char *at = name; *at; depth++) {
        size_t length = strcspn(at, "/");
        bool is_dots = length <= 2 && strncmp(at, "..", length) == 0;
        if (length == 0 || is_dots) {
            return "the path leads out of its folder";
        }
        if (length > NAME_MAX) {
            return "the name is too long";
        }
        if (at[length] == '/' && is_one_of(at, length, made_here)) {
            return "in a folder with the name of a file that is made here: rename the folder";
        }
        at += length + (at[length] == '/');
    }
    for (const char *at = name; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == '\x7f') {
            return "control characters in the name";
        }
    }
    return depth > limits->depth ? "too many folders in folders" : NULL;
}

static enum err refuse_write(struct intake *intake, const char *name)
{
    return note_fail(intake->why, ERR_ENVIRONMENT, "cannot write %.100s/%.100s: %s", intake->folder,
                     name, strerror(errno));
}

/* Makes the folders of a path. False: one of them is a file, or cannot be made. */
static bool make_folders(char *path, size_t from)
{
    for (char *at = path + from; (at = strchr(at, '/')); at++) {
        *at = '\0';
        bool is_there = mkdir(path, 0755) == 0 || errno == EEXIST;
        *at = '/';
        if (!is_there) {
            return false;
        }
    }
    return true;
}

static enum err write_bytes(struct intake *intake, const char *name, int out, read_bytes *reader,
                            void *from)
{
    char buffer[CHUNK_BYTES];
    int64_t count;
    while ((count = reader(from, buffer, sizeof buffer)) > 0) {
        intake->bytes += count;
        if (intake->bytes > intake->limits->mib << 20) {
            return note_fail(intake->why, ERR_NEGATIVE, "more than %d MiB",
                             (int)intake->limits->mib);
        }
        if (write(out, buffer, (size_t)count) != count) {
            return refuse_write(intake, name);
        }
    }
    if (count < 0) {
        return note_fail(intake->why, ERR_NEGATIVE, "%.150s is damaged or encrypted", name);
    }
    return ERR_NONE;
}

static enum err take_file(struct intake *intake, const char *name, read_bytes *reader, void *from)
{
    char path[2 * PATH_MAX];
    const char *reason = objection(intake->limits, name);
    if (reason) {
        leave_out(intake, name, reason);
        return ERR_NONE;
    }
    if (++intake->entries > intake->limits->files) {
        return note_fail(intake->why, ERR_NEGATIVE, "more than %d files", intake->limits->files);
    }
    snprintf(path, sizeof path, "%s/%s", intake->folder, name);
    bool has_folders = make_folders(path, strlen(intake->folder) + 1);
    int out =
        has_folders ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644) : -1;
    if (out < 0) {
        if (errno == EEXIST || errno == ENOTDIR || errno == EISDIR) {
            leave_out(intake, name, "another file of that name was there first");
            return ERR_NONE;
        }
        return refuse_write(intake, name);
    }
    enum err err = write_bytes(intake, name, out, reader, from);
    if (close(out) != 0 && !err) {
        err = refuse_write(intake, name);
    }
    if (err) {
        unlink(path);
    }
    intake->result->files += !err;
    return err;
}

/* --- A file or a folder. --- */

static int64_t read_descriptor(void *from, void *buffer, size_t room)
{
    return read(*(int *)from, buffer, room);
}

static enum err take_plain(struct intake *intake, const char *path, const char *name)
{
    int in = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0) {
        leave_out(intake, name, strerror(errno));
        return ERR_NONE;
    }
    enum err err = take_file(intake, name, read_descriptor, &in);
    close(in);
    return err;
}

static enum err take_entry(struct intake *intake, const FTSENT *entry, const char *name)
{
    switch (entry->fts_info) {
    case FTS_D:
    case FTS_DP:
        return ERR_NONE;
    case FTS_F:
        return skip_generated(intake, name) ? ERR_NONE : take_plain(intake, entry->fts_path, name);
    case FTS_SL:
    case FTS_SLNONE:
        leave_out(intake, name, "a link");
        return ERR_NONE;
    case FTS_DNR:
    case FTS_NS:
    case FTS_ERR:
        leave_out(intake, name, strerror(entry->fts_errno));
        return ERR_NONE;
    default:
        leave_out(intake, name, "not a plain file");
        return ERR_NONE;
    }
}

static enum err take_tree(struct intake *intake, const char *from, const char *as)
{
    char *roots[] = {(char *)from, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    enum err err = ERR_NONE;
    if (!tree) {
        return note_fail(intake->why, ERR_ENVIRONMENT, "cannot read %.150s: %s", from,
                         strerror(errno));
    }
    for (FTSENT *entry; !err && (entry = fts_read(tree));) {
        const char *inner = entry->fts_path + strlen(from);
        inner += strspn(inner, "/");
        err = take_entry(intake, entry, *inner ? inner : as);
    }
    fts_close(tree);
    return err;
}

/* --- A zip. --- */

static int64_t read_member(void *from, void *buffer, size_t room)
{
    return zip_fread(from, buffer, room);
}

/* Unix zips keep a file's mode in the upper half of the external attributes. */
static bool is_plain_member(zip_t *zip, zip_uint64_t index)
{
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(zip, index, 0, &system, &attributes) != 0 ||
        system != ZIP_OPSYS_UNIX) {
        return true;
    }
    mode_t mode = attributes >> 16;
    return (mode & S_IFMT) == 0 || S_ISREG(mode);
}

/* Windows in Taiwan writes names in Big-5 without marking them. */
static void read_name(zip_t *zip, zip_uint64_t index, char out[PATH_MAX])
{
    char *text = NULL;
    const char *raw = zip_get_name(zip, index, ZIP_FL_ENC_RAW);
    if (raw && *raw && !source_text_decode(raw, strlen(raw), &text, NULL)) {
        snprintf(out, PATH_MAX, "%s", text);
    } else {
        const char *guess = zip_get_name(zip, index, 0);
        snprintf(out, PATH_MAX, "%s", guess ? guess : "");
    }
    free(text);
}

static enum err take_member(struct intake *intake, zip_t *zip, zip_uint64_t index)
{
    char path[PATH_MAX];
    read_name(zip, index, path);
    for (char *at = path; (at = strchr(at, '\\'));) {
        *at = '/'; /* some Windows programs write it so */
    }
    const char *name = strncmp(path, "./", 2) == 0 ? path + 2 : path; /* and tar.exe so */
    size_t length = strlen(name);
    if (length == 0 || name[length - 1] == '/' || skip_generated(intake, name)) {
        return ERR_NONE;
    }
    if (!is_plain_member(zip, index)) {
        leave_out(intake, name, "a link or not a plain file");
        return ERR_NONE;
    }
    zip_file_t *member = zip_fopen_index(zip, index, 0);
    if (!member) {
        return note_fail(intake->why, ERR_NEGATIVE, "%.150s in the zip cannot be read: %.100s",
                         name, zip_strerror(zip));
    }
    enum err err = take_file(intake, name, read_member, member);
    zip_fclose(member);
    return err;
}

static enum err take_zip(struct intake *intake, const char *from)
{
    int code = 0;
    zip_t *zip = zip_open(from, ZIP_RDONLY, &code);
    if (!zip) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        note_set(intake->why, "not a zip that can be read: %.100s", zip_error_strerror(&error));
        zip_error_fini(&error);
        return ERR_NEGATIVE;
    }
    zip_int64_t count = zip_get_num_entries(zip, 0);
    enum err err = ERR_NONE;
    for (zip_int64_t i = 0; !err && i < count; i++) {
        err = take_member(intake, zip, (zip_uint64_t)i);
    }
    zip_discard(zip);
    return err;
}

enum err intake_copy(const char *from, const char *as, const char *folder,
                     struct intake_result *out, struct note *why)
{
    const char *slash = strrchr(from, '/');
    *out = (struct intake_result){0};
    struct intake intake = {.folder = folder, .limits = &limits_of_one, .result = out, .why = why};
    struct stat about;
    if (stat(from, &about) != 0) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot read %.150s: %s", from, strerror(errno));
    }
    return S_ISREG(about.st_mode) && intake_is_zip(from) ? take_zip(&intake, from)
                                                         : take_tree(&intake, from,
                                                                     as      ? as
                                                                     : slash ? slash + 1
                                                                             : from);
}

enum err intake_unpack_class(const char *zip, const char *folder, struct intake_result *out,
                             struct note *why)
{
    *out = (struct intake_result){0};
    struct intake intake = {
        .folder = folder, .limits = &limits_of_class, .result = out, .why = why};
    return take_zip(&intake, zip);
}

void intake_describe(const struct intake_result *result, const char *of_what, void *owner,
                     void (*say)(void *owner, const char *sentence))
{
    struct note sentence;
    for (int i = 0; i < result->left_out && i < INTAKE_MAX_REASONS; i++) {
        note_set(&sentence, "left out%s: %s", of_what, result->reasons[i].text);
        say(owner, sentence.text);
    }
    if (result->left_out > INTAKE_MAX_REASONS) {
        note_set(&sentence, "left out%s: %d more", of_what, result->left_out - INTAKE_MAX_REASONS);
        say(owner, sentence.text);
    }
    if (result->generated) {
        note_set(&sentence, "left out%s: %d file%s that a system or compiler made (%.150s%s)",
                 of_what, result->generated, result->generated == 1 ? "" : "s",
                 result->first_generated.text, result->generated == 1 ? "" : ", …");
        say(owner, sentence.text);
    }
}

bool intake_is_zip(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcasecmp(dot, ".zip") == 0;
}
