#include "cli/match_log.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LOG_BYTES = 64 * 1024 };

enum err match_log_open(struct match_log *log, const char *folder,
                        const struct player_spec *const specs[2], struct note *why)
{
    if (!folder) {
        return ERR_NONE;
    }
    if (mkdir(folder, 0777) && errno != EEXIST) {
        note_set(why, "cannot make the folder %.200s: %s", folder, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/player-%d.log", folder, i + 1);
        log->files[i] = fopen(path, "w");
        if (!log->files[i]) {
            note_set(why, "cannot write %.200s: %s", path, strerror(errno));
            return ERR_ENVIRONMENT;
        }
        fprintf(log->files[i], "%s\n", specs[i]->text);
    }
    return ERR_NONE;
}

void match_log_fault(struct match_log *log, int game, int player, const struct judge *judge,
                     const struct judge_fault *fault)
{
    char position[GAME_POSITION_BYTES];
    judge->rules.game->write_position(&fault->position, position);
    const char *colour = side_title(judge->colour[fault->player]);
    if (log->fault_count < MATCH_LOG_SHOWN) {
        note_set(&log->shown[log->fault_count], "game %d, ply %zu, %s (%.60s): %s: %.160s",
                 game + 1, fault->ply + 1, colour, judge->players[fault->player]->name,
                 fault_name(fault->kind), fault->why.text);
    }
    log->fault_count++;
    if (log->files[player]) {
        fprintf(log->files[player], "\ngame %d, ply %zu, as %s: %s: %s\nposition: %s\n", game + 1,
                fault->ply + 1, colour, fault_name(fault->kind), fault->why.text, position);
    }
}

void match_log_stderr(struct match_log *log, int player, struct player *closed)
{
    if (!log->files[player] || !closed->class->log) {
        return;
    }
    char *text = malloc(LOG_BYTES);
    if (!text) {
        return;
    }
    size_t length = closed->class->log(closed, text, LOG_BYTES);
    if (length) {
        fprintf(log->files[player], "\nstandard error:\n%.*s\n", (int)length, text);
    }
    free(text);
}

void match_log_summary(const struct match_log *log, FILE *out)
{
    for (int64_t i = 0; i < log->fault_count && i < MATCH_LOG_SHOWN; i++) {
        fprintf(out, "%s\n", log->shown[i].text);
    }
    if (log->fault_count > MATCH_LOG_SHOWN) {
        fprintf(out, "and %lld more faults: --logs DIR keeps them all\n",
                (long long)(log->fault_count - MATCH_LOG_SHOWN));
    }
}

void match_log_close(struct match_log *log)
{
    for (int i = 0; i < 2; i++) {
        if (log->files[i]) {
            fclose(log->files[i]);
        }
        log->files[i] = NULL;
    }
}
