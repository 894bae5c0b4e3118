#include "course/program.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "course/build.h"

static const char checksum_line[] = "\nchecksum of the sources: ";

enum { CHECKSUM_DIGITS = 16 };

/* What a log of sources that cannot be built ends with. 0: it is none of these. */
static uint64_t read_refusal(const char *log, struct note *reason)
{
    size_t tail = strlen(checksum_line) + CHECKSUM_DIGITS + strlen("\n");
    size_t length = log ? strlen(log) : 0;
    const char *end = length > tail ? log + length - tail : NULL;
    if (!end || strncmp(end, checksum_line, strlen(checksum_line)) != 0) {
        return 0;
    }
    const char *before = memrchr(log, '\n', (size_t)(end - log));
    before = before ? before + 1 : log;
    note_set(reason, "%.*s", (int)(end - before), before);
    return strtoull(end + strlen(checksum_line), NULL, 16);
}

static enum err build_these(const struct program_order *order, const char *const *sources,
                            size_t count, uint64_t refused, struct build_result *built, FILE *log,
                            struct note *problem)
{
    const struct build_options options = {*order->compiler, order->folder, refused};
    size_t folder = order->folder ? strlen(order->folder) + 1 : 0;
    enum err err = build_agent(sources, count, order->agent, &options, built, problem);
    fputs("building", log);
    for (size_t i = 0; i < count; i++) {
        fprintf(log, " %s", sources[i] + folder);
    }
    fprintf(log, "\n%s%s\n", built->messages ? built->messages : "", err ? problem->text : "built");
    free(built->messages);
    return err;
}

static enum err build(const struct program_order *order, struct program *out, struct note *why)
{
    struct build_result built = {.messages = NULL};
    struct note problem = {""};
    struct note reason = {""};
    size_t size = 0;
    uint64_t refused = read_refusal(order->log, &reason);
    const char *const *first = order->alone ? &order->alone : order->sources;
    FILE *log = open_memstream(&out->log, &size);
    if (!log) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    enum err err =
        build_these(order, first, order->alone ? 1 : order->count, refused, &built, log, &problem);
    uint64_t checksum = built.checksum;
    bool is_known = err == ERR_NEGATIVE && refused && checksum == refused;
    if (err == ERR_NEGATIVE && !is_known && order->alone && order->count > 1) {
        err = build_these(order, order->sources, order->count, 0, &built, log, &problem);
    }
    if (err && checksum) {
        fprintf(log, "%s%016" PRIx64 "\n", checksum_line + 1, checksum);
    }
    fclose(log);
    if (err == ERR_ENVIRONMENT || err == ERR_INTERRUPTED) {
        *why = problem;
        return err;
    }
    if (is_known) {
        free(out->log);
        out->log = strdup(order->log);
    }
    if (err) {
        note_set(&out->absence, "its source could not be built: %.200s",
                 is_known ? reason.text : problem.text);
    }
    out->is_ready = !err;
    out->dialect = err ? NULL : built.dialect;
    return out->log ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "out of memory");
}

static enum err find_protocol(const struct program_order *order, enum submission_protocol *out,
                              struct note *why)
{
    enum err err = ERR_NONE;
    *out = order->found ? order->found->protocol : SUBMISSION_TCP;
    for (size_t i = 0; !err && !order->found && i < order->count; i++) {
        enum submission_protocol shown = SUBMISSION_UNCLEAR;
        err = submission_protocol_of(order->sources[i], &shown, why);
        *out = shown == SUBMISSION_FILES ? shown : *out;
    }
    return err;
}

enum err program_prepare(const struct program_order *order, struct program *out, struct note *why)
{
    const char *first = order->sources[0];
    bool is_python = order->count == 1 && strcmp(submission_language_name(first), "Python") == 0;
    enum err err = ERR_NONE;
    *out = (struct program){.is_ready = is_python || order->is_built};
    if (!out->is_ready) {
        err = build(order, out, why);
    }
    snprintf(out->command, sizeof out->command, "%s%s", is_python ? "python3 " : "",
             is_python ? first : order->agent);
    return err || !out->is_ready ? err : find_protocol(order, &out->protocol, why);
}

void program_free(struct program *program)
{
    free(program->log);
    *program = (struct program){.is_ready = false};
}

void program_write_player(const struct game *game, enum submission_protocol protocol,
                          const char *number, const char *command, char *out, size_t room)
{
    if (game->auction) {
        snprintf(out, room, "template:%s", command);
    } else {
        snprintf(out, room, "%s:%s:%s", protocol == SUBMISSION_FILES ? "file" : "tcp", number,
                 command);
    }
}
