#include "course/kit.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "base/embedded.h"
#include "course/build.h"

struct kit_language {
    const char *name;
    const char *agent_ending;
    const char *client_ending;
    const char *build;
    const char *run;
    const char *plain; /* how it is built without plum: lines, or "" */
    const char *windows;
};

#define ON_WINDOWS(compiler, visual)                                                    \
    "On Windows, with MinGW-w64: `" compiler " -static @AGENT@@ENDING@ -o @AGENT@.exe " \
    "-lws2_32`, with Visual Studio: `" visual " @AGENT@@ENDING@`; then `py practice.py`."

static const struct kit_language languages[] = {
    {"c", ".c", ".h", "plum build @GAME@ @AGENT@.c -o @AGENT@", "./@AGENT@",
     "gcc -std=gnu17 -O3 @AGENT@.c -o @AGENT@\n",
     ON_WINDOWS("gcc -std=gnu17 -O3", "cl /O2 /std:c17")},
    {"cpp", ".cpp", ".h", "plum build @GAME@ @AGENT@.cpp -o @AGENT@", "./@AGENT@",
     "g++ -std=c++14 -O3 @AGENT@.cpp -o @AGENT@\n",
     ON_WINDOWS("g++ -std=c++14 -O3", "cl /O2 /EHsc")},
    {"python", ".py", ".py", "python3 -m py_compile @AGENT@.py", "python3 @AGENT@.py", "",
     "On Windows: `py practice.py`."},
};

/* The kit of a protocol: the folder src/games/GAME/kit has the agent, and a README.md where it
 * differs from the general one. */
struct kit_protocol {
    unsigned protocol;
    const char *template; /* the agent's file in the folder */
    const char *agent;    /* the agent's name in the kit */
    const char *player;   /* as on a command line */
    const char *readme;
    const char *clients[2]; /* further files, up to NULL, below clients/LANGUAGE */
    const char *judge;      /* its judge's side, a part of practice.py */
    const char *imports;    /* what that part needs */
};

static const struct kit_protocol protocols[] = {
    {PROTOCOL_TEMPLATE,
     "STUDENTID",
     "@STUDENT@",
     "template:@RUN@",
     NULL,
     {NULL},
     "clients/practice/template.py",
     "import queue\nimport re\nimport threading\n"},
    {PROTOCOL_FILE,
     "Sample",
     "Sample",
     "file:@TEAM@:@RUN@",
     "clients/readme/file.md",
     {"STcpClient", "FileClient"},
     "clients/practice/file.py",
     "import re\nimport tempfile\n"},
    {PROTOCOL_TCP,
     "Sample",
     "Sample",
     "tcp:@TEAM@:@RUN@",
     "clients/readme/tcp.md",
     {"STcpClient", NULL},
     "clients/practice/tcp.py",
     "import socket\nimport struct\n"},
};

const char *kit_word(const struct kit *kit, const char *name)
{
    return source_parts_word(&kit->parts, name);
}

/* --- Making a kit. --- */

void kit_add(struct kit *kit, const char *name, const char *ending, const char *text, size_t size)
{
    assert(kit->file_count < KIT_MAX_FILES);
    struct kit_file *file = &kit->files[kit->file_count++];
    int room = (int)(sizeof file->name - 1 - strlen(ending));
    snprintf(file->name, sizeof file->name, "%.*s%s", room, name, ending);
    file->text = text;
    file->size = size;
}

static void add_file(struct kit *kit, const char *name, const char *ending, const char *path)
{
    const struct embedded_file *source = embedded_find(path);
    assert(source);
    kit_add(kit, name, ending, source->bytes, 0);
}

static void add_client(struct kit *kit, const struct kit_language *language, const char *name)
{
    char path[SOURCE_PARTS_WORD_BYTES];
    snprintf(path, sizeof path, "clients/%s/%s%s", language->name, name, language->client_ending);
    add_file(kit, name, language->client_ending, path);
}

/* The game's own file; false if its folder has none. */
static bool add_own_file(struct kit *kit, const struct game *game, const char *template,
                         const char *ending, const char *name)
{
    char path[SOURCE_PARTS_WORD_BYTES];
    snprintf(path, sizeof path, "src/games/%s/kit/%s%s", game->assignment.kit, template, ending);
    if (!embedded_find(path)) {
        return false;
    }
    add_file(kit, name, ending, path);
    return true;
}

static void define_words(struct source_parts *parts, const struct game *game,
                         const struct kit_language *language, const struct kit_protocol *protocol)
{
    const char *note = game->assignment.wire_note;
    if (protocol->protocol == PROTOCOL_FILE) {
        source_parts_define(parts, "import STcpClient", "import FileClient as STcpClient");
        source_parts_define(parts, "\"STcpClient.h\"", "\"FileClient.h\"");
    }
    source_parts_define(parts, "idTeam = -1", "idTeam = @TEAM@");
    source_parts_define(parts, "@LANGUAGE@", language->name);
    source_parts_define(parts, "@CELLS@", note ? note : "");
    source_parts_define(parts, "@AGENT@", protocol->agent);
    source_parts_define(parts, "@ENDING@", language->agent_ending);
    bool is_python = strcmp(language->name, "python") == 0;
    source_parts_define(parts, "@MOVE@", is_python ? "My move :" : "Move (r, c) to (r, c).");
    char path[SOURCE_PARTS_WORD_BYTES];
    snprintf(path, sizeof path, "src/games/%s/kit/names_%s.md", game->assignment.kit,
             language->name);
    const struct embedded_file *names = embedded_find(path);
    source_parts_define(parts, "@NAMES@", names ? names->bytes : "");
    source_parts_define(parts, "@RUN@", language->run);
    source_parts_define(parts, "@PLAYER@", protocol->player);
    source_parts_define(parts, "@PLAIN@", language->plain);
    source_parts_define(parts, "@WINDOWS@", language->windows);
    source_parts_define(parts, "@BUILD@", language->build);
    source_parts_define(parts, "@IMPORTS@", protocol->imports);
    source_parts_define(parts, "@PROTOCOL@", protocol->judge);
    source_parts_define(parts, "@CHECK@", "plum check @GAME@ '@PLAYER@'");
    source_parts_define(parts, "@MATCH@",
                        "plum match @GAME@ --black '@PLAYER@' --white builtin:1 --games 2");
}

static const struct kit_language *find_language(const char *name, struct note *why)
{
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        if (strcmp(languages[i].name, name) == 0) {
            return &languages[i];
        }
    }
    note_set(why, "the language must be c, cpp or python, not '%.40s'", name);
    return NULL;
}

static const struct kit_protocol *find_protocol(const struct game *game, struct note *why)
{
    unsigned protocol = source_parts_protocol(game);
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        if (protocols[i].protocol & protocol) {
            return &protocols[i];
        }
    }
    note_set(why, "there is no kit for %.40s", game->name);
    return NULL;
}

enum err kit_make(struct kit *kit, const struct game *game, const char *language_name,
                  const char *team, struct note *why)
{
    const struct kit_language *language = find_language(language_name, why);
    const struct kit_protocol *protocol = language ? find_protocol(game, why) : NULL;
    struct kit made = {0};
    if (!protocol || source_parts_define_game(&made.parts, game, team, why)) {
        return ERR_INPUT;
    }
    define_words(&made.parts, game, language, protocol);
    source_parts_write_text(&made.parts, "@GAME@-@LANGUAGE@/", made.zip_folder,
                            sizeof made.zip_folder);
    if (!add_own_file(&made, game, protocol->template, language->agent_ending,
                      kit_word(&made, "@AGENT@"))) {
        return note_fail(why, ERR_INPUT, "there is no kit for %.40s in %s", game->name,
                         language_name);
    }
    for (size_t i = 0; i < 2 && protocol->clients[i]; i++) {
        add_client(&made, language, protocol->clients[i]);
    }
    add_file(&made, "practice", ".py", "clients/practice/practice.py");
    if (!add_own_file(&made, game, "README", ".md", "README") && protocol->readme) {
        add_file(&made, "README", ".md", protocol->readme);
    }
    *kit = made;
    return ERR_NONE;
}

/* --- Writing it. --- */

static enum err refuse_path(const char *path, int error, struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "cannot write %.100s: %s", path, strerror(error));
}

/* The folder is there and empty afterwards. */
static enum err enter_folder(const char *folder, struct note *why)
{
    if (mkdir(folder, 0777) == 0) {
        return ERR_NONE;
    }
    if (errno != EEXIST) {
        return refuse_path(folder, errno, why);
    }
    DIR *entries = opendir(folder);
    if (!entries) {
        int error = errno;
        note_set(why, "%.100s: %s", folder, strerror(error));
        return error == ENOTDIR ? ERR_INPUT : ERR_ENVIRONMENT;
    }
    bool is_empty = true;
    for (struct dirent *entry; is_empty && (entry = readdir(entries));) {
        is_empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    closedir(entries);
    if (!is_empty) {
        return note_fail(why, ERR_INPUT, "%.100s is not empty; choose a new folder", folder);
    }
    return ERR_NONE;
}

/* Its bytes, for the caller to free. */
static enum err render(const struct kit *kit, const struct kit_file *file, char **take_bytes,
                       size_t *size, struct note *why)
{
    FILE *out = open_memstream(take_bytes, size);
    if (out && file->size) {
        fwrite(file->text, 1, file->size, out);
    } else if (out) {
        source_parts_write(&kit->parts, file->text, out);
    }
    if (!out || fclose(out) != 0) {
        free(*take_bytes);
        *take_bytes = NULL;
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for %.40s", file->name);
    }
    return ERR_NONE;
}

/* Frees the bytes. `other` is what a person can choose if the path exists. What could not be
 * written whole is removed. */
static enum err write_new(const char *path, char *take_bytes, size_t size, const char *other,
                          struct note *why)
{
    FILE *file = fopen(path, "wxe");
    int error = file ? 0 : errno;
    bool is_written = file && fwrite(take_bytes, 1, size, file) == size;
    free(take_bytes);
    if (file && (fclose(file) != 0 || !is_written)) {
        error = errno;
        unlink(path);
    }
    if (error == EEXIST) {
        return note_fail(why, ERR_INPUT, "%.200s exists; choose another %s", path, other);
    }
    return error ? refuse_path(path, error, why) : ERR_NONE;
}

enum err kit_write_file(const struct kit *kit, size_t index, const char *path, struct note *why)
{
    char *bytes = NULL;
    size_t size = 0;
    enum err err = render(kit, &kit->files[index], &bytes, &size, why);
    return err ? err : write_new(path, bytes, size, "name", why);
}

static enum err write_folder(const struct kit *kit, const char *folder, struct note *why)
{
    char path[PATH_MAX];
    enum err err = enter_folder(folder, why);
    for (size_t i = 0; !err && i < kit->file_count; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, kit->files[i].name);
        err = length < (int)sizeof path ? kit_write_file(kit, i, path, why)
                                        : refuse_path(folder, ENAMETOOLONG, why);
    }
    return err;
}

static enum err add_to_zip(const struct kit *kit, const struct kit_file *file, zip_t *zip,
                           struct note *why)
{
    char name[SOURCE_PARTS_WORD_BYTES + KIT_NAME_BYTES];
    char *bytes = NULL;
    size_t size = 0;
    enum err err = render(kit, file, &bytes, &size, why);
    if (err) {
        return err;
    }
    snprintf(name, sizeof name, "%s%s", kit->zip_folder, file->name);
    zip_source_t *source = zip_source_buffer(zip, bytes, size, 1);
    if (!source) {
        free(bytes);
    } else if (zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8) >= 0) {
        return ERR_NONE;
    }
    zip_source_free(source);
    return note_fail(why, ERR_ENVIRONMENT, "the files cannot be packed: %s", zip_strerror(zip));
}

/* What was written to the source. */
static enum err read_source(zip_source_t *source, char **take_bytes, size_t *count,
                            struct note *why)
{
    zip_stat_t stat = {0};
    bool is_read = zip_source_stat(source, &stat) == 0 && zip_source_open(source) == 0;
    char *bytes = is_read ? malloc((size_t)stat.size) : NULL;
    if (!bytes || zip_source_read(source, bytes, stat.size) != (zip_int64_t)stat.size) {
        free(bytes);
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for a zip");
    }
    zip_source_close(source);
    *take_bytes = bytes;
    *count = (size_t)stat.size;
    return ERR_NONE;
}

enum err kit_zip(const struct kit *kit, char **take_bytes, size_t *count, struct note *why)
{
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, NULL);
    zip_t *zip = source ? zip_open_from_source(source, ZIP_TRUNCATE, NULL) : NULL;
    if (!zip) {
        zip_source_free(source);
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for a zip");
    }
    zip_source_keep(source);
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < kit->file_count; i++) {
        err = add_to_zip(kit, &kit->files[i], zip, why);
    }
    if (!err && zip_close(zip) != 0) {
        err = note_fail(why, ERR_ENVIRONMENT, "the files cannot be packed: %s", zip_strerror(zip));
    } else if (!err) {
        zip = NULL;
        err = read_source(source, take_bytes, count, why);
    }
    if (zip) {
        zip_discard(zip);
    }
    zip_source_free(source);
    return err;
}

enum err kit_write_zip(const struct kit *kit, const char *path, const char *other, struct note *why)
{
    char *bytes = NULL;
    size_t count = 0;
    enum err err = kit_zip(kit, &bytes, &count, why);
    return err ? err : write_new(path, bytes, count, other, why);
}

bool kit_is_zip(const char *place)
{
    size_t length = strlen(place);
    return length > 4 && strcasecmp(place + length - 4, ".zip") == 0;
}

enum err kit_write(const struct kit *kit, const char *place, struct note *why)
{
    mode_t before = build_loosen_umask();
    enum err err =
        kit_is_zip(place) ? kit_write_zip(kit, place, "name", why) : write_folder(kit, place, why);
    umask(before);
    return err;
}
