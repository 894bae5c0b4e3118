#include "report/grade.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/caption.h"

struct grade_policy grade_policy_usual(void)
{
    return (struct grade_policy){
        .base = 60,
        .extra = 40,
        .percent = {[GRADE_LATE_MOVE] = 5,
                    [GRADE_RUNTIME_ERROR] = 5,
                    [GRADE_WRONG_NAME] = 10,
                    [GRADE_DAYS_LATE] = 10,
                    [GRADE_PLAGIARISM] = 100,
                    [GRADE_DISQUALIFIED] = 100},
    };
}

struct grade_policy grade_policy_of(const struct roster *roster)
{
    struct grade_policy policy = grade_policy_usual();
    if (roster->has_penalties) {
        memcpy(policy.percent, roster->penalties, sizeof roster->penalties);
    }
    policy.refuses_late =
        roster->refuses_late || (roster->game->assignment.refuses_late && !roster->accepts_late);
    return policy;
}

static bool has_same_penalties(const struct grade_policy *a, const struct grade_policy *b)
{
    bool is_same = true;
    for (int i = 0; i < GRADE_CAUSES; i++) {
        is_same = is_same && a->percent[i] == b->percent[i];
    }
    return is_same;
}

void grade_policy_describe(const struct grade_policy *policy, const struct roster *roster,
                           char out[GRADE_RULES_BYTES])
{
    char list[DEDUCTION_LIST_BYTES];
    struct grade_policy own = grade_policy_of(roster);
    bool is_changed = !has_same_penalties(&own, policy);
    deduction_list_write(policy->percent, list);
    snprintf(out, GRADE_RULES_BYTES,
             "penalties = %s (percent; %s); hostile_attempts = %s; late_hand_ins = %s%s", list,
             is_changed              ? "with options of this command"
             : roster->has_penalties ? "from the roster"
                                     : "the roster has no such line",
             roster->rules.violations_lose ? "lose" : "record",
             roster->refuses_late ? "refuse" : "play",
             policy->refuses_late ? ", a late one gets nothing" : "");
}

/* Too late: by rosters that say so it plays no game, and has no rank where it became known after
 * the games. */
static bool is_refused(const struct report_data *data, const struct grade_policy *policy, int team)
{
    return data->roster.refuses_late && policy->refuses_late &&
           data->teams[team].entry->days_late > 0;
}

const char *grade_cause_name(enum grade_cause cause)
{
    static const char *const names[GRADE_CAUSES] = {
        "late move",   "runtime error",   "wrong file name", "missing report",
        "long report", "late submission", "plagiarism",      "disqualified"};
    return names[cause];
}

/* --- Evidence. --- */

/* Lists as much as there is room for; what is left out is counted by add_rest. `times`: how often
 * it happened. */
static void add_evidence(struct grade_penalty *penalty, const char *text, int times, int *unlisted)
{
    enum { KEPT_FOR_THE_REST = 20 };
    char *evidence = penalty->evidence.text;
    size_t used = strlen(evidence);
    penalty->count += times;
    if (*unlisted || used + strlen(text) + KEPT_FOR_THE_REST > NOTE_BYTES) {
        *unlisted += times;
        return;
    }
    snprintf(evidence + used, NOTE_BYTES - used, "%s%s", used ? "; " : "", text);
}

static void add_rest(struct grade_penalty *penalty, int unlisted)
{
    size_t used = strlen(penalty->evidence.text);
    if (unlisted) {
        snprintf(penalty->evidence.text + used, NOTE_BYTES - used, "; and %d more", unlisted);
    }
}

/* A program that never began did nothing wrong in any turn. */
static bool is_lost_without_a_fault(const struct tournament_game *game, int team)
{
    int place = game->team[0] == team ? 0 : 1;
    int faults = 0;
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        faults += game->summary.faults[place][kind];
    }
    return game->team[place] == team && faults == 0 && report_data_is_own_forfeit(game, team) &&
           strcmp(game->summary.reason, "resigned") != 0;
}

static enum grade_cause cause_of(const struct report_fault *fault)
{
    bool is_only_late =
        fault->fault.kind == FAULT_LATE && (!fault->is_fatal || fault->is_late_limit);
    return is_only_late ? GRADE_LATE_MOVE : GRADE_RUNTIME_ERROR;
}

static bool is_same_kind(const struct report_fault *a, const struct report_fault *b)
{
    return a->team == b->team && cause_of(a) == cause_of(b) && a->phase == b->phase &&
           strcmp(report_data_fault_word(a), report_data_fault_word(b)) == 0;
}

/* The faults of a game are next to each other. How many are of this one's kind; 0: it is not the
 * first of them, which has counted it. */
static int count_of_kind(const struct report_data *data, size_t fault)
{
    const struct report_fault *faults = data->faults;
    int count = 1;
    for (size_t i = fault; i > 0 && faults[i - 1].game == faults[fault].game; i--) {
        if (is_same_kind(&faults[i - 1], &faults[fault])) {
            return 0;
        }
    }
    for (size_t i = fault + 1; i < data->fault_count && faults[i].game == faults[fault].game; i++) {
        count += is_same_kind(&faults[i], &faults[fault]);
    }
    return count;
}

static void judge_faults(const struct report_data *data, struct grade *grade)
{
    int unlisted[GRADE_CAUSES] = {0};
    for (size_t i = 0; i < data->fault_count; i++) {
        const struct report_fault *fault = &data->faults[i];
        enum grade_cause cause = cause_of(fault);
        char place[REPORT_DATA_PLACE_BYTES];
        char text[96];
        char more[32] = "";
        const struct tournament_game *game = &data->tournament.games[fault->game];
        bool is_own =
            fault->team == grade->team && !tournament_is_reference_game(&data->tournament, game);
        int times = is_own ? count_of_kind(data, i) : 0;
        if (!times) {
            continue;
        }
        if (times > 1) {
            snprintf(more, sizeof more, " and %d more", times - 1);
        }
        report_data_fault_place(fault, place);
        snprintf(text, sizeof text, "game %d %s%s (%s)", fault->game + 1, place, more,
                 report_data_fault_word(fault));
        add_evidence(&grade->penalties[cause], text, times, &unlisted[cause]);
    }
    for (size_t i = 0; i < data->tournament.game_count; i++) {
        const struct tournament_game *game = &data->tournament.games[i];
        char text[CAPTION_BYTES + 32];
        char ending[CAPTION_BYTES];
        if (game->status == GAME_PLAYED && is_lost_without_a_fault(game, grade->team) &&
            !tournament_is_reference_game(&data->tournament, game)) {
            caption_ending(data->roster.game, game->summary.outcome, game->summary.reason, ending);
            snprintf(text, sizeof text, "game %d (%s)", game->number + 1, ending);
            add_evidence(&grade->penalties[GRADE_RUNTIME_ERROR], text, 1,
                         &unlisted[GRADE_RUNTIME_ERROR]);
        }
    }
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        add_rest(&grade->penalties[cause], unlisted[cause]);
    }
}

/* Without a program there are no moves to judge, and all its lost games are one and the same error.
 */
static void judge_absence(const struct roster_team *entry, struct grade *grade)
{
    struct grade_penalty *penalty = &grade->penalties[GRADE_RUNTIME_ERROR];
    penalty->count = 1;
    note_set(&penalty->evidence, "%s",
             entry->no_program[0] ? entry->no_program : "its source does not compile");
}

static void describe_files(const struct roster_team *entry, enum grade_cause cause,
                           struct note *out)
{
    if (cause == GRADE_WRONG_NAME && entry->wrong_files[0]) {
        note_set(out, "%s", entry->wrong_files);
    } else if (cause == GRADE_MISSING_REPORT && entry->files[0]) {
        note_set(out, "no report among %s", entry->files);
    } else {
        note_set(out, "noted in the roster");
    }
}

/* A ruling has its own reason; else the times are the evidence. */
static void describe_days(const struct report_data *data, const struct grade_policy *policy,
                          int team, struct note *out)
{
    const struct roster_team *entry = data->teams[team].entry;
    const char *reason = data->teams[team].rulings[RULING_DAYS_LATE].text;
    char times[2 * ROSTER_TIME_BYTES + 32] = "";
    if (!*reason && entry->handed_in[0] && data->roster.deadline[0]) {
        snprintf(times, sizeof times, "handed in %s, deadline %s", entry->handed_in,
                 data->roster.deadline);
    }
    note_set(out, "%d day%s late%s%s%s%s", entry->days_late, entry->days_late == 1 ? "" : "s",
             policy->refuses_late ? ", and no late hand-ins are accepted" : "",
             *reason || *times ? ": " : "", reason, times);
}

/* From the roster, or from a later ruling. */
static void judge_submission(const struct report_data *data, const struct grade_policy *policy,
                             struct grade *grade)
{
    const struct report_team *team = &data->teams[grade->team];
    const struct roster_team *entry = team->entry;
    int most_pages = data->roster.game->assignment.max_report_pages;
    const struct {
        enum grade_cause cause;
        enum ruling_key key;
        int count;
    } findings[] = {
        {GRADE_WRONG_NAME, RULING_WRONG_NAME, entry->has_wrong_name},
        {GRADE_MISSING_REPORT, RULING_MISSING_REPORT, entry->lacks_report},
        {GRADE_DAYS_LATE, RULING_DAYS_LATE, entry->days_late},
        {GRADE_PLAGIARISM, RULING_PLAGIARISM, entry->is_plagiarism},
    };
    for (size_t i = 0; i < sizeof findings / sizeof findings[0]; i++) {
        struct grade_penalty *penalty = &grade->penalties[findings[i].cause];
        const char *reason = team->rulings[findings[i].key].text;
        penalty->count = findings[i].count;
        if (!penalty->count) {
            continue;
        }
        if (findings[i].cause == GRADE_DAYS_LATE) {
            describe_days(data, policy, grade->team, &penalty->evidence);
        } else {
            describe_files(entry, findings[i].cause, &penalty->evidence);
            if (*reason) {
                note_set(&penalty->evidence, "%s", reason);
            }
        }
    }
    const struct disqualification *disqualification =
        &data->tournament.disqualifications[grade->team];
    if (disqualification->is_set) {
        grade->penalties[GRADE_DISQUALIFIED].count = 1;
        grade->penalties[GRADE_DISQUALIFIED].evidence = disqualification->reason;
    }
    if (most_pages && entry->report_pages > most_pages) {
        struct grade_penalty *penalty = &grade->penalties[GRADE_LONG_REPORT];
        penalty->count = entry->report_pages;
        note_set(&penalty->evidence, "%d pages, at most %d were asked for", entry->report_pages,
                 most_pages);
    }
}

static void add_up(const struct grade_policy *policy, struct grade *grade)
{
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        struct grade_penalty *penalty = &grade->penalties[cause];
        bool is_refused = cause == GRADE_DAYS_LATE && policy->refuses_late && penalty->count;
        int times = cause == GRADE_DAYS_LATE ? penalty->count : penalty->count > 0;
        penalty->percent = is_refused ? 100 : times * policy->percent[cause];
        grade->percent += penalty->percent;
    }
    grade->percent = fmin(100, grade->percent);
    grade->score = (grade->base + grade->extra) * (100 - grade->percent) / 100;
}

void grade_make(const struct report_data *data, const struct grade_policy *policy,
                struct grade *out)
{
    int qualified = 0;
    int rank = 0;
    for (int i = 0; i < data->roster.team_count; i++) {
        qualified += data->teams[i].is_qualified && !is_refused(data, policy, i);
    }
    for (int i = 0; i < data->roster.team_count; i++) {
        int team = data->rows[i].team;
        struct grade *grade = &out[i];
        *grade = (struct grade){.team = team, .is_refused = is_refused(data, policy, team)};
        if (data->teams[team].is_qualified && !grade->is_refused) {
            grade->rank = ++rank;
            grade->base = policy->base;
            grade->extra = qualified > 1 ? policy->extra * (qualified - rank) / (qualified - 1)
                                         : policy->extra;
        }
        if (data->teams[team].is_built) {
            judge_faults(data, grade);
        } else {
            judge_absence(&data->roster.teams[team], grade);
        }
        judge_submission(data, policy, grade);
        add_up(policy, grade);
    }
}
