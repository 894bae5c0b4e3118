#include "cluster/worker_file.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "cluster/queue_url.h"
#include "cluster/secrets.h"
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
    struct atomic_file file = {0};
    if (address->ca[0]) {
        join_lines(address->ca, ca);
    }
    enum err err = atomic_file_open_private(&file, path, why);
    if (!err) {
        fprintf(file.stream,
                "# For 'plum worker': whoever has this file can take part as a worker. Keep it "
                "secret.\n[worker]\nurl = %s\ntournament = %s\nuser = %s\npassword = %s\nca = %s\n",
                address->url, address->tournament, address->user, address->password, ca);
        err = atomic_file_commit(&file, why);
    }
    return err;
}

bool worker_file_is_private(const char *path)
{
    struct stat status;
    return stat(path, &status) || !S_ISREG(status.st_mode) || !(status.st_mode & 077);
}

/* --- Reading: the value of each key is checked, so that a message can name its line. --- */

static bool is_plain_word(const char *text)
{
    return *text && !text[strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_")];
}

static enum err read_url(const char *value, char *out, size_t room, struct note *why)
{
    enum err err = queue_url_check(value, why);
    if (!err) {
        snprintf(out, room, "%s", value);
    }
    return err;
}

static enum err read_word(const char *value, char *out, size_t room, struct note *why)
{
    if (!is_plain_word(value) || strlen(value) >= room) {
        return note_fail(why, ERR_INPUT, "the value is damaged");
    }
    snprintf(out, room, "%s", value);
    return ERR_NONE;
}

/* A server that was running already may need no user; its address then has one, or none. */
static enum err read_credential(const char *value, char *out, size_t room, struct note *why)
{
    return *value ? read_word(value, out, room, why) : ERR_NONE;
}

static enum err read_certificate(const char *value, char *out, size_t room, struct note *why)
{
    (void)room;
    if (*value && (!split_lines(value, out) || secrets_check_certificate(out))) {
        return note_fail(why, ERR_INPUT, "the certificate is damaged");
    }
    return ERR_NONE;
}

static const struct {
    const char *name;
    size_t offset; /* of its text in a struct queue_address */
    size_t room;
    enum err (*read)(const char *value, char *out, size_t room, struct note *why);
} keys[] = {
    {"url", offsetof(struct queue_address, url), QUEUE_URL_BYTES, read_url},
    {"tournament", offsetof(struct queue_address, tournament), QUEUE_TOURNAMENT_BYTES, read_word},
    {"user", offsetof(struct queue_address, user), QUEUE_SECRET_BYTES, read_credential},
    {"password", offsetof(struct queue_address, password), QUEUE_SECRET_BYTES, read_credential},
    {"ca", offsetof(struct queue_address, ca), QUEUE_CA_BYTES, read_certificate},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

/* KEYS: there is none of that name. */
static size_t find_key(const char *name)
{
    size_t i = 0;
    while (i < KEYS && strcmp(keys[i].name, name) != 0) {
        i++;
    }
    return i;
}

static enum err read_line(const struct ini_line *line, struct queue_address *address,
                          bool is_given[KEYS], struct note *why)
{
    struct note reason;
    if (line->kind == INI_SECTION && strcmp(line->key, "worker") == 0) {
        return ERR_NONE;
    }
    size_t key = line->kind == INI_KEY ? find_key(line->key) : KEYS;
    if (key == KEYS) {
        return note_fail(why, ERR_INPUT, "line %d does not belong into a worker file",
                         line->number);
    }
    is_given[key] = true;
    if (keys[key].read(line->value, (char *)address + keys[key].offset, keys[key].room, &reason)) {
        return note_fail(why, ERR_INPUT, "line %d, %s: %.250s", line->number, keys[key].name,
                         reason.text);
    }
    return ERR_NONE;
}

static enum err read_text(const char *text, size_t bytes, struct queue_address *out,
                          struct note *why)
{
    struct ini_reader reader = {.text = text, .bytes = bytes};
    struct ini_line line;
    bool is_given[KEYS] = {false};
    while (ini_next(&reader, &line)) {
        enum err err = read_line(&line, out, is_given, why);
        if (err) {
            return err;
        }
    }
    for (size_t i = 0; i < KEYS; i++) {
        if (!is_given[i]) {
            return note_fail(why, ERR_INPUT, "the line '%s = ...' is missing", keys[i].name);
        }
    }
    if (!out->user[0] != !out->password[0]) {
        return note_fail(why, ERR_INPUT, "the %s is missing", out->user[0] ? "password" : "user");
    }
    return ERR_NONE;
}

enum err worker_file_read(const char *path, struct queue_address *out, struct note *why)
{
    enum { MOST_BYTES = 16384 };
    struct queue_address address = {.url = ""};
    struct note reason;
    size_t bytes = 0;
    char *text = file_read_head(path, MOST_BYTES, &bytes);
    if (!text) {
        return note_fail(why, ERR_INPUT, "cannot read %.200s: %s", path, strerror(errno));
    }
    enum err err = read_text(text, bytes, &address, &reason);
    free(text);
    if (err) {
        return note_fail(why, ERR_INPUT,
                         "%.150s is not a worker file, or is damaged: %.200s; copy it again, or "
                         "write one with 'plum tournament worker-file'",
                         path, reason.text);
    }
    *out = address;
    return ERR_NONE;
}
