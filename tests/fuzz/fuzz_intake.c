/* Hand-ins: a zip is unpacked as `plum tournament init` does, then the program and the report in it
 * are looked for.
 *
 * The input is a zip after the letter 'z'; or, after an 'e', a description of the entries of one,
 * so that names, modes and lies about sizes get past its checksums. After "bomb" there may also be
 * entries that unpack to 48 MiB and entries that become 128 files, to reach the limits: a whole
 * word, because they take long, and few inputs should have it.
 *
 * Every file that was written is in the target folder, is a plain file with one name and no special
 * bits, and is counted; the limits hold; a bad zip is refused with a reason and is never the
 * machine's failure; no descriptor stays open. */
#include "fuzz.h"

#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/folder.h"
#include "course/intake.h"
#include "course/submission.h"

enum { PATH_BYTES = FOLDER_SCRATCH_BYTES + 32, BOMB_BYTES = 48 << 20, COPIES = 128 };

/* The flags of a described entry. */
enum entry_flag {
    IS_DEFLATED = 1,
    IS_UNIX = 2, /* its mode counts */
    IS_BOMB = 4,
    IS_MANY = 8,
    IS_ENCRYPTED = 16,
    HAS_WRONG_CHECKSUM = 32,
    HAS_UTF8_NAME = 64,
    HIDES_SIZE = 128,
};

static const char secret[] = "not a part of any hand-in";

struct intake_world {
    struct folder_scratch folder; /* contains the zip, the target and a file that must not change */
    char zip[PATH_BYTES];
    char target[PATH_BYTES];
    char outside[PATH_BYTES];
    uint8_t *bomb; /* BOMB_BYTES zeros, deflated */
    size_t bomb_bytes;
    uint32_t bomb_checksum;
};

static struct intake_world world;

static void remove_world(void)
{
    folder_scratch_remove(&world.folder);
    free(world.bomb);
}

/* Without a zlib header, as in a zip. The caller frees. */
static uint8_t *deflate_bytes(const uint8_t *bytes, size_t size, size_t *out)
{
    z_stream stream = {0};
    CLAIM(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) ==
          Z_OK);
    size_t room = deflateBound(&stream, size);
    uint8_t *packed = malloc(room);
    CLAIM(packed);
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    CLAIM(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    *out = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

static void make_bomb(void)
{
    uint8_t *zeros = calloc(1, BOMB_BYTES);
    CLAIM(zeros);
    world.bomb = deflate_bytes(zeros, BOMB_BYTES, &world.bomb_bytes);
    world.bomb_checksum = (uint32_t)crc32(0, zeros, BOMB_BYTES);
    free(zeros);
}

static void make_world(void)
{
    struct note why;
    CLAIM(folder_scratch_make(&world.folder, &why) == ERR_NONE);
    snprintf(world.zip, sizeof world.zip, "%s/7.zip", world.folder.path);
    snprintf(world.target, sizeof world.target, "%s/target", world.folder.path);
    snprintf(world.outside, sizeof world.outside, "%s/outside", world.folder.path);
    CLAIM(file_write(world.outside, "w", secret, sizeof secret));
    make_bomb();
    atexit(remove_world);
}

/* --- A zip of described entries. --- */

struct zip_maker {
    FILE *out;
    FILE *directory;
    unsigned count;
    bool allows_bombs;
};

static void put(FILE *out, unsigned bytes, uint64_t value)
{
    for (; bytes > 0; bytes--, value >>= 8) {
        fputc((int)(value & 0xff), out);
    }
}

struct zip_entry {
    unsigned flags;
    unsigned mode;
    char name[UINT8_MAX + 8];
    size_t name_bytes;
    const uint8_t *content; /* as it is in the file */
    size_t bytes;
    uint64_t full_bytes;
    uint32_t checksum;
};

/* What the local header and the directory have in common. */
static void put_common(FILE *out, const struct zip_entry *entry)
{
    bool hides = entry->flags & HIDES_SIZE;
    put(out, 2, 20);
    put(out, 2,
        (entry->flags & IS_ENCRYPTED ? 1U : 0U) | (entry->flags & HAS_UTF8_NAME ? 1U << 11 : 0U));
    put(out, 2, entry->flags & IS_DEFLATED ? 8 : 0);
    put(out, 4, 0);
    put(out, 4, entry->checksum ^ (entry->flags & HAS_WRONG_CHECKSUM ? 1U : 0U));
    put(out, 4, entry->bytes);
    put(out, 4, hides ? 1 : entry->full_bytes);
    put(out, 2, entry->name_bytes);
    put(out, 2, 0);
}

static void put_entry(struct zip_maker *maker, const struct zip_entry *entry)
{
    uint64_t offset = (uint64_t)ftell(maker->out);
    put(maker->out, 4, 0x04034b50);
    put_common(maker->out, entry);
    fwrite(entry->name, 1, entry->name_bytes, maker->out);
    fwrite(entry->content, 1, entry->bytes, maker->out);

    put(maker->directory, 4, 0x02014b50);
    put(maker->directory, 2, 20 | (entry->flags & IS_UNIX ? 3U << 8 : 0));
    put_common(maker->directory, entry);
    put(maker->directory, 6, 0);
    put(maker->directory, 4, (uint64_t)entry->mode << 16);
    put(maker->directory, 4, offset);
    fwrite(entry->name, 1, entry->name_bytes, maker->directory);
    maker->count++;
}

static void put_copies(struct zip_maker *maker, struct zip_entry *entry)
{
    bool is_many = maker->allows_bombs && entry->flags & IS_MANY;
    size_t own_bytes = entry->name_bytes;
    for (int i = 0; i < (is_many ? COPIES : 1); i++) {
        if (is_many) {
            entry->name_bytes =
                own_bytes +
                (size_t)snprintf(entry->name + own_bytes, sizeof entry->name - own_bytes, "%d", i);
        }
        put_entry(maker, entry);
    }
}

/* Flags, two bytes of mode, a name and the content, both after their length in a byte. Returns
 * how many bytes were used. */
static size_t read_entry(struct zip_maker *maker, const uint8_t *data, size_t size)
{
    struct zip_entry entry = {.flags = data[0], .mode = data[1] | (unsigned)data[2] << 8};
    size_t used = 4;
    entry.name_bytes = data[3] < size - used ? data[3] : size - used;
    memcpy(entry.name, data + used, entry.name_bytes);
    used += entry.name_bytes;
    size_t bytes = used < size ? data[used++] : 0;
    bytes = bytes < size - used ? bytes : size - used;
    entry.content = data + used;
    entry.bytes = entry.full_bytes = bytes;
    entry.checksum = (uint32_t)crc32(0, data + used, (uInt)bytes);
    uint8_t *packed = NULL;
    if (maker->allows_bombs && entry.flags & IS_BOMB) {
        entry.flags |= IS_DEFLATED;
        entry.content = world.bomb;
        entry.bytes = world.bomb_bytes;
        entry.full_bytes = BOMB_BYTES;
        entry.checksum = world.bomb_checksum;
    } else if (entry.flags & IS_DEFLATED) {
        entry.content = packed = deflate_bytes(data + used, bytes, &entry.bytes);
    }
    put_copies(maker, &entry);
    free(packed);
    return used + bytes;
}

static void write_entries(const uint8_t *data, size_t size, bool allows_bombs)
{
    char *directory = NULL;
    size_t bytes = 0;
    struct zip_maker maker = {.out = fopen(world.zip, "w"),
                              .directory = open_memstream(&directory, &bytes),
                              .allows_bombs = allows_bombs};
    CLAIM(maker.out && maker.directory);
    while (size >= 4) {
        size_t used = read_entry(&maker, data, size);
        data += used;
        size -= used;
    }
    fclose(maker.directory);
    uint64_t offset = (uint64_t)ftell(maker.out);
    fwrite(directory, 1, bytes, maker.out);
    put(maker.out, 4, 0x06054b50);
    put(maker.out, 4, 0);
    put(maker.out, 2, maker.count);
    put(maker.out, 2, maker.count);
    put(maker.out, 4, bytes);
    put(maker.out, 4, offset);
    put(maker.out, 2, 0);
    CLAIM(fclose(maker.out) == 0);
    free(directory);
}

/* --- The claims. --- */

static void check_file(const struct stat *about)
{
    CLAIM(S_ISREG(about->st_mode));
    CLAIM((about->st_mode & 07777 & ~0644U) == 0);
    CLAIM(about->st_nlink == 1);
}

/* All that is in the world, below the target or not. */
static void check_world(const struct intake_result *result)
{
    char *roots[] = {world.folder.path, NULL};
    int files = 0;
    int64_t bytes = 0;
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    CLAIM(tree);
    for (FTSENT *entry; (entry = fts_read(tree));) {
        bool is_inside = strncmp(entry->fts_path, world.target, strlen(world.target)) == 0;
        if (entry->fts_info == FTS_D || entry->fts_info == FTS_DP) {
            CLAIM(entry->fts_level == 0 || is_inside);
        } else if (is_inside) {
            check_file(entry->fts_statp);
            files++;
            bytes += entry->fts_statp->st_size;
        } else {
            CLAIM(strcmp(entry->fts_path, world.zip) == 0 ||
                  strcmp(entry->fts_path, world.outside) == 0);
        }
    }
    fts_close(tree);
    CLAIM(files == result->files);
    CLAIM(files <= INTAKE_MAX_FILES);
    CLAIM(bytes <= INTAKE_MAX_BYTES);
    size_t kept = 0;
    char *text = file_read_head(world.outside, sizeof secret, &kept);
    CLAIM(text && kept == sizeof secret && memcmp(text, secret, kept) == 0);
    free(text);
}

static bool is_file_inside(const char *name)
{
    char path[PATH_BYTES + SUBMISSION_PATH_BYTES];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", world.target, name);
    return lstat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static void look_for_program(void)
{
    static struct submission found;
    struct note why = {""};
    for (int i = 0; i < 2; i++) {
        CLAIM(submission_find(world.target, i ? "0816001.zip" : "7.zip", i, &found, &why) ==
              ERR_NONE);
        CLAIM((found.language == SUBMISSION_NO_PROGRAM) == (found.program[0] == '\0'));
        CLAIM(!found.program[0] || is_file_inside(found.program));
        CLAIM(!found.report[0] || is_file_inside(found.report));
        for (size_t j = 0; j < found.source_count; j++) {
            CLAIM(is_file_inside(found.sources[j]));
        }
    }
}

static int next_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CLAIM(fd >= 0 && close(fd) == 0);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!world.bomb) {
        make_world();
    }
    if (size < 1) {
        return 0;
    }
    if (size >= 4 && memcmp(data, "bomb", 4) == 0) {
        write_entries(data + 4, size - 4, true);
    } else if (data[0] == 'e') {
        write_entries(data + 1, size - 1, false);
    } else {
        CLAIM(file_write(world.zip, "w", data + 1, size - 1));
    }
    CLAIM(mkdir(world.target, 0755) == 0);
    struct intake_result result;
    struct note why = {""};
    int descriptor = next_descriptor();
    enum err err = intake_copy(world.zip, NULL, world.target, &result, &why);
    CLAIM(err == ERR_NONE || (err == ERR_NEGATIVE && *why.text));
    check_world(&result);
    look_for_program();
    CLAIM(next_descriptor() == descriptor);
    folder_remove(world.target);
    return 0;
}
