/* Damaged databases: a tournament that the store wrote, changed as the input says, is opened for
 * reading; what `plum tournament status`, `standings` and `report` read is read.
 *
 * The input is a list of changes, each with a letter in front (see change_bytes), or a whole
 * database. Numbers are big-endian, three bytes for an offset. 'f' looks for a text, so that an
 * input does the same to the databases of all machines: they contain the time and the user's name.
 *
 * Either there is an error with a sentence, or the status and the standings are those of the
 * undamaged database, and the report is made. Reading does not change the file, unless the file
 * claims an older version of the tables: then a copy of it is made first. */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "../json_check.h"
#include "../random_tournament.h"
#include "base/file.h"
#include "base/folder.h"
#include "report/json_tournament.h"
#include "report/report_csv.h"
#include "report/report_data.h"
#include "report/report_json.h"
#include "report/report_page.h"
#include "report/report_parts.h"
#include "store/tournament_file.h"

enum {
    PATH_BYTES = FOLDER_SCRATCH_BYTES + 32,
    MAX_BYTES = 1 << 20,
    PAGE_BYTES = 4096,
    VERSION_AT = 60, /* of the tables, in the header of an SQLite database */
    PRESENT_VERSION = 3,
};

static const char roster[] = "[tournament]\nname = Spring\ngame = reversi\nformat = swiss\n"
                             "rounds = 2\nseed = 3\n"
                             "[team 11]\nname = First\nplayer = random\n"
                             "[team 12]\nname = Second\nplayer = random\n"
                             "[team 13]\nname = Third\nplayer = random\n";

struct database_world {
    struct folder_scratch folder;
    char place[PATH_BYTES]; /* made anew for each input */
    char path[PATH_BYTES + 8];
    char *good; /* the undamaged database */
    size_t good_bytes;
    char *summary; /* its status and standings */
    char *report;
};

static struct database_world world;

/* --- Reading --- */

static bool write_build(void *owner, const struct store_build *build)
{
    fprintf(owner, "%d %d %s\n", build->team, build->is_built, build->messages);
    return true;
}

static bool write_audit_entry(void *owner, const struct store_audit_entry *entry)
{
    fprintf(owner, "%d %d %s %s %s\n", entry->game, entry->team, entry->who, entry->what,
            entry->reason);
    return true;
}

/* What `status` and `standings` read. */
static enum err write_summary(const struct report_data *data, FILE *out, struct note *why)
{
    const struct json_tournament view = {.tournament = &data->tournament};
    struct json json = json_make(out, JSON_LINE);
    json_begin_object(&json, NULL);
    json_tournament_head(&json, &data->tournament);
    json_integer(&json, "round", tournament_round(&data->tournament));
    json_tournament_standings(&json, "standings", &view, data->rows);
    json_end(&json);
    json = json_make(out, JSON_LINE);
    enum err err = json_tournament_crosstable(&json, &data->tournament, data->rows, why);
    err = err ? err : store_each_build(data->store, write_build, out, why);
    return err ? err : store_each_audit_entry(data->store, write_audit_entry, out, why);
}

static enum err write_json(const struct report_data *data, char **out, struct note *why)
{
    size_t size = 0;
    FILE *stream = open_memstream(out, &size);
    CLAIM(stream);
    struct json json = json_make(stream, JSON_INDENTED);
    struct report_view view;
    enum err err = report_view_open(&view, data, false, why);
    CLAIM(!err);
    err = report_json(&json, &view, why);
    report_view_close(&view);
    fclose(stream);
    return err;
}

static enum err append_part(void *owner, const char *name, const char *text, size_t bytes,
                            struct note *why)
{
    (void)name;
    (void)why;
    fwrite(text, 1, bytes, owner);
    return ERR_NONE;
}

static enum err write_page(const struct report_data *data, struct note *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CLAIM(out);
    struct report_view view;
    enum err err = report_view_open(&view, data, false, why);
    CLAIM(!err);
    report_page(out, &view, "data");
    err = report_parts_write(&view, &(struct report_parts_sink){out, append_part}, why);
    report_view_close(&view);
    report_csv_standings(out, data, false);
    report_csv_games(out, data, true);
    report_csv_faults(out, data, false);
    fclose(out);
    free(text);
    return err;
}

/* The status and the standings; NULL: there was an error, with a sentence. The caller frees. */
static char *read_summary(void)
{
    struct report_data data;
    struct note why = {""};
    char *text = NULL;
    size_t size = 0;
    enum err err = report_data_open(&data, world.path, cpu_best(), false, &why);
    CLAIM(!err || *why.text);
    if (err) {
        return NULL;
    }
    FILE *out = open_memstream(&text, &size);
    CLAIM(out);
    err = write_summary(&data, out, &why);
    fclose(out);
    CLAIM(!err || *why.text);
    if (err) {
        free(text);
        text = NULL;
    }
    report_data_close(&data);
    return text;
}

/* The report's JSON; NULL: there was an error. The page takes long and shows the same facts, so it
 * is made only if they are not those of the undamaged database. The caller frees. */
static char *read_report(void)
{
    struct report_data data;
    struct note why = {""};
    char *text = NULL;
    if (report_data_open(&data, world.path, cpu_best(), true, &why)) {
        CLAIM(*why.text);
        return NULL;
    }
    enum err err = write_json(&data, &text, &why);
    CLAIM(err ? *why.text : json_check(text));
    if (!err && world.report && strcmp(text, world.report) != 0) {
        err = write_page(&data, &why);
        CLAIM(!err || *why.text);
    }
    CLAIM(!report_data_read_logs(&data, &why) || *why.text);
    report_data_close(&data);
    return text;
}

static void read_tournament(void)
{
    struct tournament_file file;
    struct note why = {""};
    enum err err = tournament_file_open(&file, world.path, STORE_READ, cpu_best(), &why);
    CLAIM(!err || *why.text);
    if (!err) {
        FILE *out = fopen("/dev/null", "w");
        CLAIM(out);
        CLAIM(!tournament_file_write_records(&file, out, NULL, &why) || *why.text);
        fclose(out);
    }
    tournament_file_close(&file);
}

/* --- The world --- */

static void remove_world(void)
{
    folder_scratch_remove(&world.folder);
    free(world.good);
    free(world.summary);
    free(world.report);
}

static void make_world(void)
{
    struct note why;
    CLAIM(folder_scratch_make(&world.folder, &why) == ERR_NONE);
    snprintf(world.place, sizeof world.place, "%s/place", world.folder.path);
    snprintf(world.path, sizeof world.path, "%s/t.db", world.place);
    CLAIM(mkdir(world.place, 0700) == 0);
    random_tournament(world.path, roster, 7);
    world.good = file_read_head(world.path, MAX_BYTES, &world.good_bytes);
    world.summary = read_summary();
    world.report = read_report();
    CLAIM(world.good && world.good_bytes < MAX_BYTES / 2 && world.summary && world.report);
    folder_remove(world.place);
    atexit(remove_world);
}

/* --- Changing --- */

struct change_reader {
    const uint8_t *data;
    size_t size;
};

struct damaged_file {
    size_t bytes;
    char content[MAX_BYTES];
};

static size_t read_number(struct change_reader *reader, int bytes)
{
    size_t number = 0;
    for (; bytes > 0 && reader->size > 0; bytes--, reader->size--) {
        number = number << 8 | *reader->data++;
    }
    return number;
}

/* A length in a byte, and as many bytes if they are there. */
static const uint8_t *read_bytes(struct change_reader *reader, size_t *bytes)
{
    *bytes = read_number(reader, 1);
    *bytes = *bytes < reader->size ? *bytes : reader->size;
    const uint8_t *found = reader->data;
    reader->data += *bytes;
    reader->size -= *bytes;
    return found;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void overwrite(struct damaged_file *file, size_t at, const void *bytes, size_t count)
{
    at = least(at, file->bytes);
    memcpy(file->content + at, bytes, least(count, file->bytes - at));
}

static void take_out(struct damaged_file *file, size_t at, size_t count)
{
    at = least(at, file->bytes);
    count = least(count, file->bytes - at);
    memmove(file->content + at, file->content + at + count, file->bytes - at - count);
    file->bytes -= count;
}

static void put_in(struct damaged_file *file, size_t at, const void *bytes, size_t count)
{
    at = least(at, file->bytes);
    count = least(count, sizeof file->content - file->bytes);
    memmove(file->content + at + count, file->content + at, file->bytes - at);
    memcpy(file->content + at, bytes, count);
    file->bytes += count;
}

static void replace_text(struct damaged_file *file, struct change_reader *reader)
{
    size_t length = 0;
    size_t count = 0;
    const uint8_t *text = read_bytes(reader, &length);
    const uint8_t *bytes = read_bytes(reader, &count);
    const char *found = length ? memmem(file->content, file->bytes, text, length) : NULL;
    if (found) {
        overwrite(file, (size_t)(found - file->content), bytes, count);
    }
}

/* False: there are no more changes. */
static bool change_bytes(struct damaged_file *file, struct change_reader *reader)
{
    size_t count = 0;
    const uint8_t *bytes = NULL;
    int letter = (int)read_number(reader, 1);
    size_t at = letter == 'f' ? 0 : read_number(reader, 3);
    switch (letter) {
    case 'o': /* bytes over others */
        bytes = read_bytes(reader, &count);
        overwrite(file, at, bytes, count);
        return true;
    case 'f': /* bytes over the first place that has a text */
        replace_text(file, reader);
        return true;
    case 'i': /* bytes between others */
        bytes = read_bytes(reader, &count);
        put_in(file, at, bytes, count);
        return true;
    case 'd': /* fewer bytes */
        take_out(file, at, read_number(reader, 2));
        return true;
    case 't': /* cut off */
        file->bytes = least(at, file->bytes);
        return true;
    case 's': /* bytes of the undamaged database from another place */
        at = least(at, world.good_bytes);
        count = least(read_number(reader, 2), world.good_bytes - at);
        overwrite(file, read_number(reader, 3), world.good + at, count);
        return true;
    case 'p': /* a page over another */
        at = at % (world.good_bytes / PAGE_BYTES) * PAGE_BYTES;
        overwrite(file, read_number(reader, 1) * PAGE_BYTES, world.good + at, PAGE_BYTES);
        return true;
    default:
        return false;
    }
}

static void damage(struct damaged_file *file, const uint8_t *data, size_t size)
{
    static const char magic[] = "SQLite format 3";
    struct change_reader reader = {data, size};
    file->bytes = 0;
    if (size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0) {
        put_in(file, 0, data, size);
        return;
    }
    put_in(file, 0, world.good, world.good_bytes);
    while (change_bytes(file, &reader)) {
    }
}

/* --- The claims --- */

static bool claims_older_version(const struct damaged_file *file)
{
    static const char older[] = {0, 0, 0};
    return file->bytes > VERSION_AT + 3 && memcmp(file->content + VERSION_AT, older, 3) == 0 &&
           file->content[VERSION_AT + 3] > 0 && file->content[VERSION_AT + 3] < PRESENT_VERSION;
}

static bool is_unchanged(const struct damaged_file *file, const char *path)
{
    size_t bytes = 0;
    char *now = file_read_head(path, MAX_BYTES, &bytes);
    bool is_same = now && bytes == file->bytes && memcmp(now, file->content, bytes) == 0;
    free(now);
    return is_same;
}

/* A copy under the name that the store gives it. It is made by SQLite, page by page. */
static bool has_copy(const struct damaged_file *file)
{
    char path[PATH_BYTES + 16];
    struct stat about;
    snprintf(path, sizeof path, "%s.v%d", world.path, file->content[VERSION_AT + 3]);
    return stat(path, &about) == 0 && about.st_size == (off_t)file->bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct damaged_file file;
    if (!world.good) {
        make_world();
    }
    damage(&file, data, size);
    bool is_whole =
        file.bytes == world.good_bytes && memcmp(file.content, world.good, world.good_bytes) == 0;
    CLAIM(mkdir(world.place, 0700) == 0);
    CLAIM(file_write(world.path, "w", file.content, file.bytes));
    char *summary = read_summary();
    CLAIM(!summary || strcmp(summary, world.summary) == 0);
    CLAIM(summary || !is_whole);
    if (summary) {
        read_tournament();
        free(read_report());
    }
    free(summary);
    CLAIM(is_unchanged(&file, world.path) || (claims_older_version(&file) && has_copy(&file)));
    folder_remove(world.place);
    return 0;
}
