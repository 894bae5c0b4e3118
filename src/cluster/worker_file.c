#include "cluster/worker_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tournament/ini.h"

static const char pem_begin[] = "-----BEGIN CERTIFICATE-----\n";
static const char pem_end[] = "-----END CERTIFICATE-----\n";

/* The lines of a PEM become one, without its first and last. */
static void join_lines(const char *pem, char out[QUEUE_CA_BYTES])
{
    size_t used = 0;
    const char *from = strstr(pem, pem_begin);
    const char *to = strstr(pem, "-----END");
    for (from = from ? from + sizeof pem_begin - 1 : pem; from < to; from++) {
        if (*from != '\n') {
            out[used++] = *from;
        }
    }
    out[used] = '\0';
}

static bool split_lines(const char *line, char out[QUEUE_CA_BYTES])
{
    enum { COLUMNS = 64 };
    size_t length = strlen(line);
    if (length + length / COLUMNS + sizeof pem_begin + sizeof pem_end + 1 > QUEUE_CA_BYTES) {
        return false;
    }
    size_t used = (size_t)snprintf(out, QUEUE_CA_BYTES, "%s", pem_begin);
    for (size_t i = 0; i < length; i += COLUMNS) {
        used += (size_t)snprintf(out + used, QUEUE_CA_BYTES - used, "%.*s\n", COLUMNS, line + i);
    }
    snprintf(out + used, QUEUE_CA_BYTES - used, "%s", pem_end);
    return true;
}

enum err worker_file_write(const char *path, const struct queue_address *address, struct note *why)
{
    char ca[QUEUE_CA_BYTES] = "";
    char *text = NULL;
    if (address->ca[0]) {
        join_lines(address->ca, ca);
    }
    int length = asprintf(
        &text,
        "# For 'plum worker': whoever has this file can take part as a worker. Keep it "
        "secret.\n[worker]\nurl = %s\ntournament = %s\nuser = %s\npassword = %s\nca = %s\n",
        address->url, address->tournament, address->user, address->password, ca);
    if (length < 0) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for a worker file");
    }
    mode_t before = umask(077);
    (void)unlink(path); /* an existing file keeps its mode */
    bool is_written = file_write(path, "wx", text, (size_t)length);
    int error = errno;
    umask(before);
    free(text);
    return is_written
               ? ERR_NONE
               : note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(error));
}

static bool copy(char *out, size_t room, const char *value)
{
    return (size_t)snprintf(out, room, "%s", value) < room;
}

static bool take_key(struct queue_address *out, const char *key, const char *value)
{
    if (strcmp(key, "url") == 0) {
        return copy(out->url, sizeof out->url, value);
    }
    if (strcmp(key, "tournament") == 0) {
        return copy(out->tournament, sizeof out->tournament, value);
    }
    if (strcmp(key, "user") == 0) {
        return copy(out->user, sizeof out->user, value);
    }
    if (strcmp(key, "password") == 0) {
        return copy(out->password, sizeof out->password, value);
    }
    return strcmp(key, "ca") == 0 && (!*value || split_lines(value, out->ca));
}

static bool is_plain_word(const char *text)
{
    return *text && !text[strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_")];
}

enum err worker_file_read(const char *path, struct queue_address *out, struct note *why)
{
    enum { MOST_BYTES = 16384 };
    struct queue_address address = {.url = ""};
    struct ini_line line;
    size_t bytes = 0;
    bool is_good = true;
    char *text = file_read_head(path, MOST_BYTES, &bytes);
    if (!text) {
        return note_fail(why, ERR_INPUT, "cannot read %.200s: %s", path, strerror(errno));
    }
    struct ini_reader reader = {.text = text, .bytes = bytes};
    while (is_good && ini_next(&reader, &line)) {
        is_good = (line.kind == INI_SECTION && strcmp(line.key, "worker") == 0) ||
                  (line.kind == INI_KEY && take_key(&address, line.key, line.value));
    }
    free(text);
    bool is_complete = address.url[0] && is_plain_word(address.tournament) &&
                       (!address.user[0] || is_plain_word(address.user));
    if (!is_good || !is_complete) {
        return note_fail(why, ERR_INPUT,
                         "%.200s is not a worker file; 'plum tournament run --workers' writes one",
                         path);
    }
    *out = address;
    return ERR_NONE;
}
