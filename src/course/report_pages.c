/* Sources: ISO 32000-1, 7.5 (objects, object streams) and 7.7.3 (page tree); ECMA-376 part 1,
 * 22.2 (docProps/app.xml); OpenDocument 1.2 part 1, 4.3.2.18 (meta:page-count). */
#include "base/file.h"
#include "course/report_pages.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zip.h>
#include <zlib.h>

/* The last three limit the time for a file that was made to be slow. */
enum {
    MOST_PAGES = 100000,
    MOST_PROPERTIES = 1 << 20,
    MOST_INFLATED = 4 << 20,
    MOST_STREAMS = 500,
    MOST_NODES = 2000,
    DICTIONARY_BYTES = 1 << 16,
};

/* --- PDF --- */

/* What the objects read so far contain. */
struct page_tree {
    int root;   /* the largest /Count of a node of the page tree */
    int leaves; /* objects of type Page */
    int nodes;
};

static const char *find(const char *text, const char *end, const char *word)
{
    return memmem(text, (size_t)(end - text), word, strlen(word));
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at)) {
        at++;
    }
    return at;
}

/* The end of the dictionary whose first brackets are before `at`. */
static const char *dictionary_end(const char *at, const char *end)
{
    int depth = 1;
    end = end - at > DICTIONARY_BYTES ? at + DICTIONARY_BYTES : end;
    for (; at + 1 < end; at++) {
        bool opens = at[0] == '<' && at[1] == '<';
        bool closes = at[0] == '>' && at[1] == '>';
        depth += opens - closes;
        if (depth == 0) {
            return at;
        }
        at += opens || closes;
    }
    return end;
}

/* The start of the dictionary around `at`. */
static const char *dictionary_start(const char *text, const char *at)
{
    int depth = 0;
    text = at - text > DICTIONARY_BYTES ? at - DICTIONARY_BYTES : text;
    for (at--; at > text; at--) {
        bool opens = at[-1] == '<' && at[0] == '<';
        bool closes = at[-1] == '>' && at[0] == '>';
        depth += closes - opens;
        if (depth < 0) {
            return at + 1;
        }
        at -= opens || closes;
    }
    return text;
}

/* A node of the page tree is known by /Type /Pages and has the number of its pages in /Count. */
static void read_nodes(const char *text, const char *end, struct page_tree *tree)
{
    static const char type[] = "/Type";
    for (const char *at = text; (at = find(at, end, type)); at++) {
        const char *value = skip_space(at + strlen(type), end);
        if (end - value < 6 || strncmp(value, "/Page", 5) != 0) {
            continue;
        }
        if (!isalnum((unsigned char)value[5])) {
            tree->leaves++;
        }
        if (value[5] != 's' || (end - value > 6 && isalnum((unsigned char)value[6])) ||
            ++tree->nodes > MOST_NODES) {
            continue;
        }
        const char *start = dictionary_start(text, at);
        const char *stop = dictionary_end(start, end);
        const char *count = find(start, stop, "/Count");
        long pages = 0;
        for (count = count ? skip_space(count + 6, stop) : stop;
             count < stop && isdigit((unsigned char)*count) && pages < MOST_PAGES; count++) {
            pages = 10 * pages + *count - '0';
        }
        tree->root = pages > tree->root && pages < MOST_PAGES ? (int)pages : tree->root;
    }
}

static void read_compressed(const char *bytes, const char *end, char *room, struct page_tree *tree)
{
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)(end - bytes)};
    if (inflateInit(&stream) != Z_OK) {
        return;
    }
    stream.next_out = (Bytef *)room;
    stream.avail_out = MOST_INFLATED;
    (void)inflate(&stream, Z_FINISH);
    read_nodes(room, room + stream.total_out, tree);
    inflateEnd(&stream);
}

static void read_object_streams(const char *text, const char *end, struct page_tree *tree)
{
    char *room = malloc(MOST_INFLATED);
    int streams = 0;
    for (const char *at = text; room && streams++ < MOST_STREAMS && (at = find(at, end, "/ObjStm"));
         at++) {
        const char *start = find(at, end, "stream");
        if (start) {
            start += strlen("stream");
            start += start < end && *start == '\r';
            start += start < end && *start == '\n';
            read_compressed(start, end, room, tree);
        }
    }
    free(room);
}

static int count_pdf(const char *text, size_t size)
{
    struct page_tree tree = {0};
    if (!memmem(text, size < 1024 ? size : 1024, "%PDF-", 5)) {
        return -1;
    }
    read_nodes(text, text + size, &tree);
    read_object_streams(text, text + size, &tree);
    int pages = tree.root ? tree.root : tree.leaves;
    return pages ? pages : -1;
}

/* --- Zipped documents --- */

static int count_zipped(const char *path, const char *member, const char *word)
{
    int pages = -1;
    zip_t *zip = zip_open(path, ZIP_RDONLY, NULL);
    zip_file_t *file = zip ? zip_fopen(zip, member, 0) : NULL;
    char *text = file ? calloc(1, MOST_PROPERTIES + 1) : NULL;
    if (text && zip_fread(file, text, MOST_PROPERTIES) > 0) {
        const char *at = strstr(text, word);
        long number = at ? strtol(at + strlen(word), NULL, 10) : 0;
        pages = number > 0 && number < MOST_PAGES ? (int)number : -1;
    }
    free(text);
    if (file) {
        zip_fclose(file);
    }
    if (zip) {
        zip_discard(zip);
    }
    return pages;
}

int report_pages_count(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcasecmp(dot, ".docx") == 0) {
        return count_zipped(path, "docProps/app.xml", "<Pages>");
    }
    if (dot && strcasecmp(dot, ".odt") == 0) {
        return count_zipped(path, "meta.xml", "meta:page-count=\"");
    }
    size_t size = 0;
    char *bytes = file_read_head(path, REPORT_PAGES_MAX_BYTES, &size);
    int pages = bytes ? count_pdf(bytes, size) : -1;
    free(bytes);
    return pages;
}
