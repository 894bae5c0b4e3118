#include "app/check_summary.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static const char untried[] = "not tried: ";

const char *check_write_time(int64_t ns, char out[CHECK_TIME_BYTES])
{
    double ms = (double)ns / CLOCK_NS_PER_MS;
    snprintf(out, CHECK_TIME_BYTES, ms < 1000 ? "%.1f ms" : "%.2f s", ms < 1000 ? ms : ms / 1e3);
    return out;
}

static const char *plural(int64_t count) { return count == 1 ? "" : "s"; }

static void append(struct note *note, const char *text)
{
    size_t used = strlen(note->text);
    snprintf(note->text + used, sizeof note->text - used, "%s", text);
}

/* --- Games --- */

void check_describe_game(const struct check_trial *trial, const struct check_game *game,
                         struct note *out)
{
    const char *opponent = check_opponent_name(trial->plan.opponent);
    enum outcome wanted = game->colour == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    const char *ending = game->summary.outcome == OUTCOME_DRAW ? "drew"
                         : game->summary.outcome == wanted     ? "won"
                                                               : "lost";
    if (game->is_finished) {
        note_set(out, "%s %d to %d against %s", ending, game->summary.score[game->colour],
                 game->summary.score[side_other(game->colour)], opponent);
    } else {
        note_set(out, "%zu pl%s against %s, then stopped%s", game->plies,
                 game->plies == 1 ? "y" : "ies", opponent,
                 trial->end == CHECK_TIME_UP ? " for lack of time" : "");
    }
}

void check_summary_game(const struct check_trial *trial, const struct check_game *game,
                        struct note *out)
{
    char text[96];
    char time[CHECK_TIME_BYTES];
    const char *separator = ";";
    check_describe_game(trial, game, out);
    if (game->is_finished) {
        snprintf(text, sizeof text, ", %zu pl%s", game->plies, game->plies == 1 ? "y" : "ies");
        append(out, text);
    }
    if (game->turns) {
        snprintf(text, sizeof text, ", longest move %s", check_write_time(game->longest_ns, time));
        append(out, text);
    }
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        if (game->faults[kind]) {
            snprintf(text, sizeof text, "%s %d %s", separator, game->faults[kind],
                     fault_name((enum fault)kind));
            append(out, text);
            separator = ",";
        }
    }
}

void check_summary_rest(const struct check_rest *rest, struct note *out)
{
    char games[32] = "";
    if (rest->games) {
        snprintf(games, sizeof games, "%s%d more game%s", rest->is_most ? "up to " : "",
                 rest->games, plural(rest->games));
    }
    note_set(out, "%s%s%s", games, *games && rest->has_reconnect ? " and " : "",
             rest->has_reconnect ? "a broken connection" : "");
}

/* --- Findings --- */

void check_summary_sort(struct check_findings *findings)
{
    static const enum check_severity order[] = {CHECK_MUST_FIX, CHECK_SHOULD_FIX, CHECK_OK,
                                                CHECK_SKIPPED};
    static const size_t kinds = sizeof order / sizeof order[0];
    int count = 0;
    for (size_t i = 0; i < kinds; i++) {
        for (int j = count; j < findings->count; j++) {
            struct check_finding found = findings->items[j];
            if (found.severity != order[i]) {
                continue;
            }
            memmove(&findings->items[count + 1], &findings->items[count],
                    (size_t)(j - count) * sizeof found);
            findings->items[count++] = found;
        }
    }
}

bool check_summary_is_untried(const struct check_finding *finding)
{
    return finding->severity == CHECK_SKIPPED &&
           strncmp(finding->detail.text, untried, strlen(untried)) == 0;
}

void check_summary_untried(const struct check_findings *findings, struct note *out)
{
    bool is_named[CHECK_MAX_FINDINGS] = {false};
    note_set(out, "%s", "");
    for (int i = 0; i < findings->count; i++) {
        const struct check_finding *first = &findings->items[i];
        if (is_named[i] || !check_summary_is_untried(first)) {
            continue;
        }
        append(out, *out->text ? "; " : untried);
        append(out, first->check);
        for (int j = i + 1; j < findings->count; j++) {
            const struct check_finding *other = &findings->items[j];
            if (check_summary_is_untried(other) &&
                strcmp(first->detail.text, other->detail.text) == 0) {
                is_named[j] = true;
                append(out, ", ");
                append(out, other->check);
            }
        }
        append(out, ": ");
        append(out, first->detail.text + strlen(untried));
    }
}

bool check_summary_is_same(const struct check_finding *a, const struct check_finding *b)
{
    return a->fault && b->fault && a->fault->fault.kind == b->fault->fault.kind &&
           a->fault->phase == b->fault->phase && a->advice == b->advice &&
           strcmp(a->fault->fault.why.text, b->fault->fault.why.text) == 0 &&
           strcmp(a->answer.text, b->answer.text) == 0 && strcmp(a->guess.text, b->guess.text) == 0;
}

size_t check_summary_repeats(const char *log, int *times)
{
    size_t length = strlen(log);
    for (const char *end = log; (end = strchr(end, '\n'));) {
        size_t period = (size_t)(++end - log);
        if (length % period == 0 && memcmp(log, end, length - period) == 0) {
            *times = (int)(length / period);
            return period;
        }
    }
    *times = 1;
    return length;
}
