#include "cluster/selfplay_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tournament/match.h"
#include "tournament/selfplay_record.h"

/* The tags of a game with that result. Its date is that of the run that handed it out, which may
 * have been interrupted since. */
static const char *find_odd_tag(const struct cluster_terms *terms, const struct record *record,
                                int number, const struct result *result)
{
    char round[16];
    snprintf(round, sizeof round, "%d", number + 1);
    bool has_more = record->other_tag_count || record_tag(record, RECORD_EVENT) ||
                    record_tag(record, RECORD_LATE_LIMIT) || record_tag(record, RECORD_SANDBOX) ||
                    record_tag(record, RECORD_BIDS);
    bool has_reason = *result->reason ? record_has_tag(record, RECORD_REASON, result->reason)
                                      : !record_tag(record, RECORD_REASON);
    return has_more                                       ? "it has another tag"
           : !record_has_tag(record, RECORD_ROUND, round) ? "another tag Round"
           : !record_tag(record, RECORD_DATE)             ? "no tag Date"
           : !record_has_seconds(record, RECORD_TIME_LIMIT, terms->rules.judge.limit_ns)
               ? "another tag TimeLimit"
           : !record_has_seconds(record, RECORD_GRACE, terms->rules.judge.grace_ns)
               ? "another tag Grace"
           : !record_tag(record, RECORD_SCORE) ? "no tag Score"
           : !has_reason                       ? "another tag Reason"
                                               : NULL;
}

/* Another text of the same game would not be that of one machine. */
static bool is_canonical(const struct record *record, const char *text)
{
    char *own = record_to_string(record);
    bool is_so = own && strcmp(own, text) == 0;
    free(own);
    return is_so;
}

static bool has_fault(const struct record *record)
{
    bool is_found = record->is_closed;
    for (size_t i = 0; i < record->ply_count; i++) {
        is_found |= record->plies[i].facts.has_fault;
    }
    return is_found;
}

enum err selfplay_check(const struct cluster_terms *terms, const struct cluster_job *job,
                        const struct finished_game *played, const struct record *record,
                        const struct replay *replay, struct note *why)
{
    const struct match_options match = {
        .rules = {.judge.game = replay->game, .opening_plies = terms->rules.opening_plies},
        .seed = job->seed,
    };
    const struct game *game = replay->game;
    int number = job->key.work.first_game + played->index;
    const char *what = NULL;
    if (strcmp(game->name, terms->game) != 0) {
        what = "another game";
    } else if (!(what = selfplay_record_difference(record, &match, job->players[0].spec, number))) {
        struct result result = game->result(&replay->states[replay->state_count - 1]);
        what = has_fault(record) || result.outcome == OUTCOME_ONGOING
                   ? "it did not end on the board"
                   : find_odd_tag(terms, record, number, &result);
        what = what || is_canonical(record, played->record) ? what : "another form";
    }
    return what ? note_fail(why, ERR_INPUT, "it is not that of the job: %s", what) : ERR_NONE;
}
