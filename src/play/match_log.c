#include "play/match_log.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/utf8.h"

enum err match_log_open(struct match_log *log, const char *folder,
                        const struct player_spec *const specs[2], struct note *why)
{
    if (!folder) {
        return ERR_NONE;
    }
    enum err err = folder_make(folder, 0777, why);
    if (err) {
        return err;
    }
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/player-%d.log", folder, i + 1);
        log->files[i] = fopen(path, "w");
        if (!log->files[i]) {
            return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path,
                             strerror(errno));
        }
        fprintf(log->files[i], "%s\n", specs[i]->text);
    }
    return ERR_NONE;
}

void match_log_fault(struct match_log *log, int game, enum side side,
                     const struct game_fault *fault)
{
    int player = fault->player;
    const char *colour = side_title(side);
    if (log->fault_count < MATCH_LOG_SHOWN) {
        note_set(&log->shown[log->fault_count], "game %d, ply %d, player %d (%s): %s: %.200s",
                 game + 1, fault->ply + 1, player + 1, colour, fault_name(fault->kind),
                 fault->why.text);
    }
    log->fault_count++;
    log->is_faulty[player] = true;
    if (log->files[player]) {
        fprintf(log->files[player], "\ngame %d, ply %d, as %s: %s: %s\nposition: %s\n", game + 1,
                fault->ply + 1, colour, fault_name(fault->kind), fault->why.text, fault->position);
    }
}

/* The last line that is not empty. */
static void keep_last_line(const char *text, struct note *out)
{
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1])) {
        length--;
    }
    size_t start = length;
    while (start && text[start - 1] != '\n') {
        start--;
    }
    note_set(out, "%.*s", (int)(length - start), text + start);
}

static void write_stream(FILE *file, const char *name, const char *text)
{
    if (text && *text) {
        fprintf(file, "%s:\n%s%s", name, text, text[strlen(text) - 1] == '\n' ? "" : "\n");
    }
}

void match_log_write_streams(FILE *file, const char *output, const char *errors)
{
    write_stream(file, "standard output", output);
    write_stream(file, "standard error", errors);
}

void match_log_violation(struct match_log *log, int player, const struct violation *violation)
{
    (void)violation_list_add(&log->violations[player], violation);
    if (log->files[player]) {
        struct note sentence;
        char time[32];
        violation_describe(violation, &sentence);
        clock_write(violation->first_ms, "%Y-%m-%d %H:%M:%S", time, sizeof time);
        fprintf(log->files[player], "\nrefused by the sandbox: %s; first at %s UTC (%s)\n",
                sentence.text, time, violation_kind_name(violation->kind));
    }
}

static void keep_violations(struct match_log *log, int player, const struct player *closed)
{
    if (!closed->class->conduct) {
        return;
    }
    struct player_conduct conduct = closed->class->conduct(closed);
    for (int i = 0; i < conduct.violations.count; i++) {
        match_log_violation(log, player, &conduct.violations.rows[i]);
    }
}

bool match_log_describe_freezes(int count, struct note *out)
{
    if (count > 0) {
        note_set(out,
                 "frozen %d time%s: it used processor time while it owed no answer (ponder = no)",
                 count, count == 1 ? "" : "s");
    }
    return count > 0;
}

void match_log_streams(struct match_log *log, int player, struct player *closed)
{
    const struct player_class *class = closed->class;
    struct note freezes;
    int count = class->conduct ? class->conduct(closed).freezes : 0;
    log->freezes[player] += count;
    if (log->files[player] && match_log_describe_freezes(count, &freezes)) {
        fprintf(log->files[player], "\n%s\n", freezes.text);
    }
    char *errors = player_read_stream(closed, class->log);
    char *output = player_read_stream(closed, class->output);
    if (errors && !log->last_line[player].text[0]) {
        keep_last_line(errors, &log->last_line[player]);
    }
    if (log->files[player] && (errors || output)) {
        fputc('\n', log->files[player]);
        match_log_write_streams(log->files[player], output, errors);
    }
    keep_violations(log, player, closed);
    free(errors);
    free(output);
}

void match_log_text(struct match_log *log, int player, const char *text)
{
    static const char begin[] = "plum: frozen "; /* see match_log_describe_freezes */
    enum { MOST_FREEZES = 1000000 };
    if (strncmp(text, begin, strlen(begin)) == 0) {
        long freezes = strtol(text + strlen(begin), NULL, 10);
        log->freezes[player] += freezes > 0 && freezes < MOST_FREEZES ? (int)freezes : 0;
    }
    if (!log->last_line[player].text[0] && strstr(text, "standard error:\n")) {
        keep_last_line(text, &log->last_line[player]);
    }
    if (log->files[player]) {
        fprintf(log->files[player], "\n%s", text);
    }
}

static void print_violations(const struct match_log *log, int player, FILE *out)
{
    const struct violation_list *list = &log->violations[player];
    for (int i = 0; i < list->count && i < MATCH_LOG_SHOWN; i++) {
        struct note sentence;
        violation_describe(&list->rows[i], &sentence);
        fprintf(out, "player %d: the sandbox refused: %s\n", player + 1, sentence.text);
    }
    if (list->count > MATCH_LOG_SHOWN) {
        int more = list->count - MATCH_LOG_SHOWN;
        fprintf(out, "player %d: and %d more such attempt%s%s\n", player + 1, more,
                more == 1 ? "" : "s", log->files[0] ? "" : "; --logs DIR keeps them all");
    }
}

static void print_clean(FILE *out, const char *before, const char *text)
{
    struct note clean;
    utf8_clean(text, clean.text, sizeof clean.text);
    fprintf(out, "%s%s\n", before, clean.text);
}

void match_log_summary(const struct match_log *log, int64_t counted, FILE *out)
{
    if (log->fault_count || log->violations[0].count || log->violations[1].count ||
        log->freezes[0] || log->freezes[1]) {
        fputc('\n', out);
    }
    for (int i = 0; i < 2; i++) {
        struct note freezes;
        if (match_log_describe_freezes(log->freezes[i], &freezes)) {
            fprintf(out, "player %d: %s\n", i + 1, freezes.text);
        }
    }
    for (int64_t i = 0; i < log->fault_count && i < MATCH_LOG_SHOWN; i++) {
        print_clean(out, "", log->shown[i].text);
    }
    int64_t more = log->fault_count - MATCH_LOG_SHOWN;
    if (more > 0) {
        fprintf(out, "and %lld more fault%s%s\n", (long long)more, more == 1 ? "" : "s",
                log->files[0] ? "" : "; --logs DIR keeps them all");
    }
    if (log->fault_count > counted) {
        fprintf(out, "%lld of them in games that were not finished\n",
                (long long)(log->fault_count - counted));
    }
    for (int i = 0; i < 2; i++) {
        print_violations(log, i, out);
        if (log->is_faulty[i] && log->last_line[i].text[0]) {
            print_clean(out,
                        i == 0 ? "player 1 wrote: " : "player 2 wrote: ", log->last_line[i].text);
        }
    }
}

enum err match_log_close(struct match_log *log, struct note *why)
{
    enum err err = ERR_NONE;
    for (int i = 0; i < 2; i++) {
        bool has_failed = log->files[i] && ferror(log->files[i]);
        if (log->files[i] && (fclose(log->files[i]) || has_failed) && !err) {
            err = note_fail(why, ERR_ENVIRONMENT, "cannot write all of player-%d.log: %s", i + 1,
                            strerror(errno));
        }
        log->files[i] = NULL;
    }
    return err;
}
