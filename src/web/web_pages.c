#include "web/web_pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/embedded.h"
#include "base/hash.h"

enum { TAG_BYTES = 24 };

/* Written by the build; a file NAME.gz holds NAME compressed, or nothing if that would not be
 * smaller. */
extern const struct embedded_file page_files[];

struct web_page {
    const char *name;
    char tag[TAG_BYTES];
    struct MHD_Response *plain;
    struct MHD_Response *packed;
    struct MHD_Response *unchanged;
};

static const char *type_of(const char *name)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".wasm", "application/wasm"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain"},
        {".md", "text/plain; charset=utf-8"},
        {".png", "image/png"},
    };
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(ending, types[i][0]) == 0) {
            return types[i][1];
        }
    }
    return "application/octet-stream";
}

void web_pages_add_headers(struct MHD_Response *response)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src "
         "'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    }
}

/* A name in static/ has a checksum of the contents in it (tools/pages.sh): the file never changes.
 * Of the others a browser checks each time whether they have. */
static const char *caching_of(const char *name)
{
    return strncmp(name, "static/", 7) == 0 ? "max-age=31536000, immutable" : "no-cache";
}

static struct MHD_Response *make_response(const struct web_page *page, const char *bytes,
                                          size_t size)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, MHD_RESPMEM_PERSISTENT);
    if (response) {
        web_pages_add_headers(response);
        MHD_add_response_header(response, "Content-Type", type_of(page->name));
        MHD_add_response_header(response, "ETag", page->tag);
        MHD_add_response_header(response, "Cache-Control", caching_of(page->name));
        MHD_add_response_header(response, "Vary", "Accept-Encoding");
    }
    return response;
}

static void write_tag(const struct embedded_file *file, char out[TAG_BYTES])
{
    uint64_t hash = file->size;
    for (size_t i = 0; i < file->size; i++) {
        hash = hash_pair(hash, (unsigned char)file->bytes[i]);
    }
    snprintf(out, TAG_BYTES, "\"%016" PRIx64 "\"", hash);
}

static bool fill_page(struct web_page *page, const struct embedded_file *file,
                      const struct embedded_file *packed)
{
    page->name = file->name;
    write_tag(file, page->tag);
    page->plain = make_response(page, file->bytes, file->size);
    bool is_packed = packed->size > 0;
    page->packed = is_packed ? make_response(page, packed->bytes, packed->size)
                             : make_response(page, file->bytes, file->size);
    page->unchanged = make_response(page, "", 0);
    if (page->packed && is_packed) {
        MHD_add_response_header(page->packed, "Content-Encoding", "gzip");
    }
    return page->plain && page->packed && page->unchanged;
}

/* The build writes every file right before its compressed form. */
enum err web_pages_init(struct web_pages *pages, struct note *why)
{
    struct web_pages made = {0};
    size_t files = 0;
    while (page_files[files].name) {
        files++;
    }
    made.list = calloc(files / 2 + 1, sizeof *made.list);
    bool is_made = made.list != NULL;
    for (size_t i = 0; is_made && i + 1 < files; i += 2) {
        is_made = fill_page(&made.list[made.count++], &page_files[i], &page_files[i + 1]);
    }
    if (!is_made) {
        web_pages_free(&made);
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the pages");
    }
    *pages = made;
    return ERR_NONE;
}

void web_pages_free(struct web_pages *pages)
{
    for (size_t i = 0; i < pages->count; i++) {
        struct MHD_Response *responses[] = {pages->list[i].plain, pages->list[i].packed,
                                            pages->list[i].unchanged};
        for (size_t k = 0; k < sizeof responses / sizeof responses[0]; k++) {
            if (responses[k]) {
                MHD_destroy_response(responses[k]);
            }
        }
    }
    free(pages->list);
    *pages = (struct web_pages){0};
}

static const struct web_page *find(const struct web_pages *pages, const char *path)
{
    const char *name = strcmp(path, "/") == 0 ? "index.html" : path + 1;
    for (size_t i = 0; i < pages->count && *path == '/'; i++) {
        if (strcmp(pages->list[i].name, name) == 0) {
            return &pages->list[i];
        }
    }
    return NULL;
}

/* Whether a list of codings as in "gzip;q=0.5, br" has this one, and not with a weight of zero. */
static bool takes(const char *codings, const char *wanted)
{
    const char *separators = ", \t";
    size_t length = strlen(wanted);
    while (codings && *codings) {
        codings += strspn(codings, separators);
        const char *end = codings + strcspn(codings, ",");
        if (strncasecmp(codings, wanted, length) == 0 && strchr(",; \t", codings[length])) {
            const char *weight = strstr(codings, "q=");
            return !weight || weight > end ||
                   strspn(weight + 2, "0.") < strspn(weight + 2, "0.123456789");
        }
        codings = end;
    }
    return false;
}

/* A person who types /play or /docs/agents means the page #/play or #/docs/agents; the script
 * reports a page that does not exist. Programs do not ask for text/html. */
static bool lead_to_page(struct MHD_Connection *connection, const char *path)
{
    static const char usual[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_";
    const char *accepted = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Accept");
    char target[128];
    if (!accepted || !strstr(accepted, "text/html") || path[strspn(path, usual)] ||
        strlen(path) + sizeof "/#" > sizeof target) {
        return false;
    }
    snprintf(target, sizeof target, "/#%s", path);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, (void *)(uintptr_t) "", MHD_RESPMEM_PERSISTENT);
    if (!response) {
        return false;
    }
    web_pages_add_headers(response);
    MHD_add_response_header(response, "Location", target);
    bool is_sent = MHD_queue_response(connection, MHD_HTTP_FOUND, response) == MHD_YES;
    MHD_destroy_response(response);
    return is_sent;
}

bool web_pages_answer(const struct web_pages *pages, struct MHD_Connection *connection,
                      const char *path)
{
    const struct web_page *page = find(pages, path);
    if (!page) {
        return strncmp(path, "/api/", 5) != 0 && lead_to_page(connection, path);
    }
    const char *known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
    const char *codings =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Accept-Encoding");
    if (known && strstr(known, page->tag)) {
        return MHD_queue_response(connection, MHD_HTTP_NOT_MODIFIED, page->unchanged) == MHD_YES;
    }
    struct MHD_Response *chosen = takes(codings, "gzip") ? page->packed : page->plain;
    return MHD_queue_response(connection, MHD_HTTP_OK, chosen) == MHD_YES;
}
