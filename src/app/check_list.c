/* Long because each check has a function of its own, and they share the words of the report. */
#include "app/check_list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check_guess.h"
#include "app/check_summary.h"
#include "base/utf8.h"

enum { MANY_FAULTS = 3, LARGE_SHARE = 10 };

const char *check_severity_name(enum check_severity severity)
{
    static const char *const names[] = {
        [CHECK_OK] = "ok",
        [CHECK_SHOULD_FIX] = "should fix",
        [CHECK_MUST_FIX] = "must fix",
        [CHECK_SKIPPED] = "skipped",
    };
    return names[severity];
}

enum check_severity check_grade(const struct check_tally *tally)
{
    bool is_frequent = tally->faults >= MANY_FAULTS && tally->faults * LARGE_SHARE >= tally->turns;
    if (tally->loses_game || tally->penalty == PENALTY_LOSS ||
        tally->penalty == PENALTY_REPLACE_FOREVER) {
        return CHECK_MUST_FIX;
    }
    if (tally->penalty == PENALTY_REPLACE && is_frequent) {
        return CHECK_MUST_FIX;
    }
    return CHECK_SHOULD_FIX;
}

static struct check_finding *add(struct check_findings *list, const char *check,
                                 enum check_severity severity)
{
    int last = list->count < CHECK_MAX_FINDINGS ? list->count++ : CHECK_MAX_FINDINGS - 1;
    list->items[last] = (struct check_finding){.check = check, .severity = severity};
    list->totals[severity]++;
    return &list->items[last];
}

static void add_skipped(struct check_findings *list, const char *check, const char *reason)
{
    note_set(&add(list, check, CHECK_SKIPPED)->detail, "%s", reason);
}

/* Why something was not tried. */
static const char *not_tried(const struct check_facts *facts)
{
    bool is_time_up = false;
    for (int i = 0; i < facts->trial_count; i++) {
        is_time_up |= facts->trials[i].end == CHECK_TIME_UP;
    }
    return facts->is_interrupted          ? "not tried: interrupted"
           : is_time_up                   ? "not tried: the time was up"
           : facts->is_quick              ? "not tried: only without --quick"
           : !facts->trials[0].is_started ? "not tried: the program did not start a game"
                                          : "not tried: a fault ended the games before";
}

/* A program of which this is not known has no verdict. */
static void add_untried(const struct check_facts *facts, struct check_findings *list,
                        const char *check)
{
    add_skipped(list, check, not_tried(facts));
    list->is_incomplete = true;
}

static const char *plural(int64_t count) { return count == 1 ? "" : "s"; }

static bool is_reconnect(const struct check_trial *trial) { return trial->plan.hang_up_at; }

static bool is_about_budgets(const struct check_trial *trial)
{
    return trial->plan.opponent == CHECK_SAVER || trial->plan.opponent == CHECK_SPENDER;
}

/* --- The file's name --- */

/* The last word of the command that names a source file; NULL: none does. */
static const char *find_source(const char *command, char out[PLAYER_TEXT_BYTES])
{
    const char *found = NULL;
    char copy[PLAYER_TEXT_BYTES];
    snprintf(copy, sizeof copy, "%s", command);
    for (char *rest = copy, *word = NULL; (word = strtok_r(rest, " \t'\"", &rest));) {
        const char *slash = strrchr(word, '/');
        const char *name = slash ? slash + 1 : word;
        const char *dot = strrchr(name, '.');
        if (dot && dot > name && (strcmp(dot, ".py") == 0 || strcmp(dot, ".cpp") == 0)) {
            found = memcpy(out, name, strlen(name) + 1);
        }
    }
    return found;
}

/* A compiled program that is named by a number, as 'plum new' names it: "./7". */
static bool find_numbered(const char *command, char out[PLAYER_TEXT_BYTES])
{
    size_t length = strcspn(command, " \t");
    snprintf(out, PLAYER_TEXT_BYTES, "%.*s", (int)length, command);
    const char *slash = strrchr(out, '/');
    if (!slash || !slash[1] || slash[1 + strspn(slash + 1, "0123456789")]) {
        return false;
    }
    memmove(out, slash + 1, strlen(slash + 1) + 1);
    return true;
}

/* "0816001", "109550001" or "A0816001", without the ending. */
static bool is_student_number(const char *name, size_t length)
{
    enum { LEAST_DIGITS = 6 };
    size_t first = length && isalpha((unsigned char)name[0]) ? 1 : 0;
    return length >= first + LEAST_DIGITS && strspn(name + first, "0123456789") >= length - first;
}

static bool is_team_name(const char *name, size_t length, int team)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "Team_%d", team);
    return (strlen(wanted) == length && strncmp(name, wanted, length) == 0) ||
           (length == strlen("Sample") && strncmp(name, "Sample", length) == 0);
}

static void look_at_file_name(const struct check_facts *facts, struct check_findings *list)
{
    char name[PLAYER_TEXT_BYTES];
    const struct player_spec *spec = facts->spec;
    bool is_template = spec->kind == PLAYER_TEMPLATE;
    if (spec->kind == PLAYER_UGI || (!find_source(spec->command, name) &&
                                     !(is_template && find_numbered(spec->command, name)))) {
        return;
    }
    const char *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    bool is_right =
        is_template ? is_student_number(name, length) : is_team_name(name, length, spec->team);
    struct check_finding *finding = add(list, "file name", is_right ? CHECK_OK : CHECK_SHOULD_FIX);
    utf8_clean(name, finding->detail.text, sizeof finding->detail.text);
    if (!is_right) {
        finding->advice =
            is_template
                ? "name it after your student number: 0816001.py; a wrong name costs 10 % "
                  "of the project's score"
                : "hand it in as Sample or as Team_ and your team's number, with its ending";
    }
}

static void look_at_python(const struct check_facts *facts, struct check_findings *list)
{
    if (*facts->python.text) {
        add(list, "python", CHECK_OK)->detail = facts->python;
    }
}

/* --- Faults --- */

/* It left without a fault of its own that it noticed. */
static bool ends_too_early(const struct check_fault *at)
{
    return at->phase == JUDGE_PLAYING && at->fault.kind == FAULT_CRASHED &&
           strstr(at->fault.why.text, "ended by itself with exit code 0");
}

static const char *advice_on(const struct check_facts *facts, const char *log,
                             const struct check_fault *at)
{
    bool is_tcp = facts->spec->kind == PLAYER_TCP;
    if (at->phase == JUDGE_STARTING && at->fault.kind == FAULT_LATE) {
        return is_tcp
                   ? "it has to connect to localhost:8888 and to send its team's number; one that "
                     "exchanges files is checked as file:TEAM:COMMAND"
                   : "run the command by hand and see what it does instead of answering";
    }
    if (at->phase == JUDGE_BIDDING) {
        return "it has to print 'My bid: COLOUR PRICE', colour 0 or 1, and to flush its output";
    }
    switch (at->fault.kind) {
    case FAULT_LATE:
        if (at->cause.is_explained) {
            return NULL;
        }
        if (at->cause.is_idle) {
            return "find out what it waits for at its own turn: input, a sleep, another thread";
        }
        return "let it look at the clock while it thinks, and leave a margin of half a second";
    case FAULT_INVALID:
        return "compare its answer with the board it was sent: plum moves lists what is legal";
    case FAULT_CRASHED:
        if (facts->spec->kind == PLAYER_FILE && (strstr(log, "refused") || strstr(log, "8888"))) {
            return "it seems to use TCP: check it as tcp:TEAM:COMMAND";
        }
        if (ends_too_early(at)) {
            return facts->spec->kind == PLAYER_TCP
                       ? "it ends too early: let it ask for boards until the judge sends code 0"
                   : facts->spec->kind == PLAYER_FILE
                       ? "it ends too early: let it answer until the state file has move 0"
                       : "it ends too early: let it answer until the game is over";
        }
        return "look at what it wrote to standard error, or run it by hand";
    case FAULT_MALFORMED:
        return "an answer is exactly what docs/agents.md says; STcpClient from plum new writes it";
    default:
        return "it has to answer every question once, and nothing else";
    }
}

static void write_place(const struct check_trial *trial, const struct check_fault *at,
                        struct note *out)
{
    if (at->phase == JUDGE_PLAYING) {
        note_set(out, "against %s, ply %d: %s", check_opponent_name(trial->plan.opponent),
                 at->fault.ply + 1, fault_name(at->fault.kind));
    } else {
        note_set(out, "%s", fault_name(at->fault.kind));
    }
}

/* `count` faults of this kind in `turns` turns, of which this is the first. */
static void add_fault(const struct check_facts *facts, struct check_findings *list,
                      const char *check, enum check_severity severity,
                      const struct check_trial *trial, const struct check_fault *at, int count,
                      int turns)
{
    struct check_finding *finding = add(list, check, severity);
    struct note place;
    bool is_over = at->loses_game || at->fault.kind == FAULT_CRASHED;
    char more[64] = "";
    finding->fault = at;
    finding->trial = trial;
    finding->advice = advice_on(facts, trial->log, at);
    write_place(trial, at, &place);
    if (count > 1 && is_over) {
        snprintf(more, sizeof more, ", the first of %d", count);
    } else if (count > 1) {
        turns = turns > count ? turns : count; /* the last one may have ended the trial */
        snprintf(more, sizeof more, ", the first of %d in %d turn%s", count, turns, plural(turns));
    }
    if (*at->cause.answer.text) {
        note_set(&finding->detail, "%.100s%s", place.text, more);
        finding->answer = at->cause.answer;
        finding->why = at->fault.why;
    } else if (ends_too_early(at)) {
        note_set(&finding->detail, "%.100s%s: %.160s after %d move%s", place.text, more,
                 at->fault.why.text, at->turns, plural(at->turns));
    } else {
        note_set(&finding->detail, "%.100s%s: %.200s", place.text, more, at->fault.why.text);
    }
    check_guess(facts->game, facts->spec->kind, at, &finding->guess);
}

/* The first fault in that phase, before play. */
static bool add_early_fault(const struct check_facts *facts, struct check_findings *list,
                            const char *check, enum judge_phase phase, bool wants_second_game)
{
    for (int i = 0; i < facts->trial_count; i++) {
        const struct check_trial *trial = &facts->trials[i];
        for (int j = 0; j < trial->fault_count; j++) {
            const struct check_fault *at = &trial->faults[j];
            if (at->phase == phase && !is_reconnect(trial) && (at->game > 0) == wants_second_game) {
                add_fault(facts, list, check, CHECK_MUST_FIX, trial, at, 1, 0);
                return true;
            }
        }
    }
    return false;
}

/* --- Before the first move --- */

static bool is_above_half(int64_t value_ns, int64_t limit_ns) { return value_ns > limit_ns / 2; }

static void look_at_startup(const struct check_facts *facts, struct check_findings *list)
{
    const struct check_trial *trial = &facts->trials[0];
    char time[CHECK_TIME_BYTES];
    if (add_early_fault(facts, list, "start-up", JUDGE_STARTING, false)) {
        return;
    }
    if (!trial->is_started) {
        add_untried(facts, list, "start-up");
        return;
    }
    double limit_s = (double)facts->rules->startup_ns / 1e9;
    if (facts->spec->kind == PLAYER_FILE && trial->startup_ns >= facts->rules->startup_ns) {
        struct check_finding *unread = add(list, "start-up", CHECK_SHOULD_FIX);
        unread->advice = "it has to read that file in the folder where it is started";
        note_set(&unread->detail, "it has not read state_%d.txt within %g s", facts->spec->team,
                 limit_s);
        return;
    }
    bool is_slow = is_above_half(trial->startup_ns, facts->rules->startup_ns);
    struct check_finding *finding = add(list, "start-up", is_slow ? CHECK_SHOULD_FIX : CHECK_OK);
    note_set(&finding->detail, "%s of %g s", check_write_time(trial->startup_ns, time), limit_s);
    if (is_slow) {
        finding->advice = "on a busier machine it takes longer: load less, or load it later";
    }
}

static void look_at_team(const struct check_facts *facts, struct check_findings *list)
{
    const struct check_trial *trial = &facts->trials[0];
    if (facts->spec->kind != PLAYER_TCP) {
        return;
    }
    if (*trial->remark.text) {
        struct check_finding *finding = add(list, "team", CHECK_MUST_FIX);
        finding->detail = trial->remark;
        note_set(&finding->guess, "is idTeam %d?", facts->spec->team);
        finding->advice = "set idTeam in STcpClient to your team's number";
    } else if (!trial->is_started) {
        add_skipped(list, "team", not_tried(facts));
    } else {
        note_set(&add(list, "team", CHECK_OK)->detail, "it calls itself team %d",
                 facts->spec->team);
    }
}

static void look_at_bid(const struct check_facts *facts, struct check_findings *list)
{
    const struct check_game *game = &facts->trials[0].games[0];
    if (!facts->game->auction || add_early_fault(facts, list, "bid", JUDGE_BIDDING, false)) {
        return;
    }
    if (!game->has_bid) {
        add_skipped(list, "bid", not_tried(facts));
        return;
    }
    enum { HIGHEST_BID = 140 };
    note_set(&add(list, "bid", CHECK_OK)->detail, "%s for %lld%s",
             side_name((enum side)game->bid.colour), (long long)game->bid.price,
             game->bid.price > HIGHEST_BID ? ", which counts as 140" : "");
}

/* --- Games --- */

/* What happened in those games that are looked at together. */
struct finding_group {
    const char *check;
    bool is_about_budgets;
    int side; /* enum side, or -1: both */
};

static bool is_in_group(const struct finding_group *group, const struct check_trial *trial,
                        const struct check_game *game)
{
    return !is_reconnect(trial) && is_about_budgets(trial) == group->is_about_budgets &&
           (group->side < 0 || (int)game->colour == group->side);
}

/* The question that a guess ends with, without the moves that it quotes. */
static const char *question_of(const struct note *guess)
{
    const char *question = guess->text;
    for (const char *at = question; (at = strstr(at, ": ")); question = at += 2) {
    }
    return question;
}

/* Whether a guess about one fault explains most of those that were kept: one that fits by chance
 * would mislead. */
static bool fits_most(const struct check_facts *facts, const struct finding_group *group,
                      enum fault kind, const struct note *guess)
{
    int total = 0;
    int fitting = 0;
    for (int i = 0; i < facts->trial_count; i++) {
        const struct check_trial *trial = &facts->trials[i];
        for (int j = 0; j < trial->fault_count; j++) {
            const struct check_fault *fault = &trial->faults[j];
            struct note other;
            if (is_in_group(group, trial, &trial->games[fault->game]) &&
                fault->phase == JUDGE_PLAYING && fault->fault.kind == kind) {
                check_guess(facts->game, facts->spec->kind, fault, &other);
                fitting += strcmp(question_of(&other), question_of(guess)) == 0;
                total++;
            }
        }
    }
    return 2 * fitting > total;
}

/* All faults of one kind, with the gravest game's severity and the gravest or first fault. */
static void add_faults_of(const struct check_facts *facts, struct check_findings *list,
                          const struct finding_group *group, enum fault kind)
{
    const struct check_trial *where = NULL;
    const struct check_fault *at = NULL;
    enum check_severity severity = CHECK_OK;
    int count = 0;
    int turns = 0;
    for (int i = 0; i < facts->trial_count; i++) {
        const struct check_trial *trial = &facts->trials[i];
        for (int j = 0; j < trial->fault_count; j++) {
            const struct check_fault *fault = &trial->faults[j];
            const struct check_game *game = &trial->games[fault->game];
            if (!is_in_group(group, trial, game) || fault->phase != JUDGE_PLAYING ||
                fault->fault.kind != kind) {
                continue;
            }
            const struct check_tally tally = {.penalty = facts->game->penalties[kind],
                                              .loses_game = fault->loses_game,
                                              .faults = game->faults[kind],
                                              .turns = game->turns};
            enum check_severity grade = check_grade(&tally);
            if (grade > severity) {
                severity = grade;
                where = trial;
                at = fault;
            }
        }
        for (int j = 0; j < trial->game_count; j++) {
            if (is_in_group(group, trial, &trial->games[j])) {
                count += trial->games[j].faults[kind];
                turns += trial->games[j].turns;
            }
        }
    }
    if (at) {
        add_fault(facts, list, group->check, severity, where, at, count, turns);
        struct check_finding *finding = &list->items[list->count - 1];
        if (!fits_most(facts, group, kind, &finding->guess)) {
            finding->guess = (struct note){""};
        }
    }
}

static int add_faults(const struct check_facts *facts, struct check_findings *list,
                      const struct finding_group *group)
{
    int before = list->count;
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        add_faults_of(facts, list, group, (enum fault)kind);
    }
    return list->count - before;
}

static void look_as(const struct check_facts *facts, struct check_findings *list, const char *check,
                    enum side side)
{
    const struct finding_group group = {check, false, (int)side};
    char text[NOTE_BYTES] = "";
    size_t plies = 0;
    int games = 0;
    if (add_faults(facts, list, &group)) {
        return;
    }
    for (int i = 0; i < facts->trial_count; i++) {
        const struct check_trial *trial = &facts->trials[i];
        for (int j = 0; j < trial->game_count; j++) {
            const struct check_game *game = &trial->games[j];
            if (is_in_group(&group, trial, game) && game->plies) {
                size_t used = strlen(text);
                games++;
                plies += game->plies;
                struct note what;
                check_describe_game(trial, game, &what);
                snprintf(text + used, sizeof text - used, "%s%.100s", used ? "; " : "", what.text);
            }
        }
    }
    if (!games) {
        add_untried(facts, list, check);
        return;
    }
    note_set(&add(list, check, CHECK_OK)->detail, "%d game%s, %zu plies, every move legal: %.240s",
             games, plural(games), plies, text);
}

static void look_as_black(const struct check_facts *facts, struct check_findings *list)
{
    look_as(facts, list, "as Black", SIDE_BLACK);
}

static void look_as_white(const struct check_facts *facts, struct check_findings *list)
{
    look_as(facts, list, "as White", SIDE_WHITE);
}

/* Whether a fault in the other games may come from budgets that the program counts wrongly. */
static bool has_fault_after_pass(const struct check_facts *facts)
{
    for (int i = 0; i < facts->trial_count; i++) {
        const struct check_trial *trial = &facts->trials[i];
        for (int j = 0; j < trial->fault_count; j++) {
            const struct check_fault *at = &trial->faults[j];
            if (at->phase == JUDGE_PLAYING && (at->other_passed || at->own_passed)) {
                return true;
            }
        }
    }
    return false;
}

/* Games that last until the money is spent: passes of both sides, and what moves cost. */
static void look_at_budgets(const struct check_facts *facts, struct check_findings *list)
{
    static const struct finding_group group = {"budgets", true, -1};
    int games = 0;
    int spent = 0;
    int own_passes = 0;
    int other_passes = 0;
    if (!facts->game->auction || add_faults(facts, list, &group)) {
        return;
    }
    for (int i = 0; i < facts->trial_count; i++) {
        const struct check_trial *trial = &facts->trials[i];
        const struct check_game *game = &trial->games[0];
        if (is_about_budgets(trial) && game->plies) {
            games++;
            spent += game->is_finished && strcmp(game->summary.reason, "no-moves") == 0;
            own_passes += game->passes[game->colour];
            other_passes += game->passes[side_other(game->colour)];
        }
    }
    if (!games) {
        add_skipped(list, group.check, not_tried(facts));
        return;
    }
    if (!spent && !own_passes && !other_passes) {
        add_skipped(list, group.check,
                    "passes were not tried: no game lasted until a budget was spent");
        return;
    }
    if (!own_passes || has_fault_after_pass(facts)) {
        struct note reason;
        note_set(&reason, "%s: %d of %d game%s lasted until both budgets were spent",
                 own_passes ? "there is a fault after a pass, see above"
                            : "its own passes were not tried",
                 spent, games, plural(games));
        add_skipped(list, group.check, reason.text);
        return;
    }
    const char *missing = own_passes && other_passes ? ""
                          : own_passes               ? "; passes of an opponent were not tried"
                                                     : "; its own passes were not tried";
    note_set(&add(list, group.check, CHECK_OK)->detail,
             "%d of %d game%s lasted until both budgets were spent%s; it passed %d time%s, its "
             "opponents %d time%s%s",
             spent, games, plural(games), spent < games ? ", the rest ended early" : "", own_passes,
             plural(own_passes), other_passes, plural(other_passes), missing);
}

static int compare_times(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static int64_t median_of(const struct check_facts *facts)
{
    size_t bytes = facts->answer_count * sizeof *facts->answers_ns;
    int64_t *sorted = bytes ? malloc(bytes) : NULL;
    int64_t median = 0;
    if (sorted) {
        memcpy(sorted, facts->answers_ns, bytes);
        qsort(sorted, facts->answer_count, sizeof *sorted, compare_times);
        median = sorted[facts->answer_count / 2];
    }
    free(sorted);
    return median;
}

static void look_at_clock(const struct check_facts *facts, struct check_findings *list)
{
    char median[CHECK_TIME_BYTES];
    char longest[CHECK_TIME_BYTES];
    char late_text[48] = "";
    int64_t longest_ns = 0;
    int late = 0;
    int turns = 0;
    for (int i = 0; i < facts->trial_count; i++) {
        const struct check_trial *trial = &facts->trials[i];
        if (!is_reconnect(trial)) {
            longest_ns = trial->longest_ns > longest_ns ? trial->longest_ns : longest_ns;
            for (int j = 0; trial->is_started && j < trial->game_count; j++) {
                late += trial->games[j].faults[FAULT_LATE];
                turns += trial->games[j].turns;
            }
        }
    }
    if (!facts->answer_count && !late) {
        add_skipped(list, "clock", not_tried(facts));
        return;
    }
    bool is_slow = late || is_above_half(longest_ns, facts->rules->limit_ns);
    bool is_always_late = late > 1 && late >= turns;
    struct check_finding *finding = add(list, "clock",
                                        is_always_late ? CHECK_MUST_FIX
                                        : is_slow      ? CHECK_SHOULD_FIX
                                                       : CHECK_OK);
    if (late) {
        snprintf(late_text, sizeof late_text, "; %d late move%s%s", late, plural(late),
                 is_always_late ? ", none in time" : "");
    }
    note_set(&finding->detail, "median %s, longest %s of %g s%s",
             check_write_time(median_of(facts), median), check_write_time(longest_ns, longest),
             (double)facts->rules->limit_ns / 1e9, late_text);
    if (is_slow && !late) { /* late moves have findings of their own */
        finding->advice = "on a busier machine it is slower: leave a margin";
    }
}

static void look_at_two_games(const struct check_facts *facts, struct check_findings *list)
{
    const struct check_trial *trial = &facts->trials[0];
    if (facts->spec->kind != PLAYER_TCP ||
        add_early_fault(facts, list, "two games", JUDGE_STARTING, true)) {
        return;
    }
    if (check_trial_finished(trial) < CHECK_MAX_GAMES) {
        add_skipped(list, "two games", not_tried(facts));
        return;
    }
    if (trial->conduct.starts > 1 && !check_trial_is_sound(trial)) {
        add_skipped(list, "two games", "not tried: a fault made a new start necessary");
        return;
    }
    bool exits = trial->conduct.starts > 1;
    struct check_finding *finding = add(list, "two games", exits ? CHECK_SHOULD_FIX : CHECK_OK);
    if (exits) {
        note_set(&finding->detail, "it exits after a game, and is started again for the next");
        finding->advice = "ask for boards until the judge sends code 0";
    } else {
        note_set(&finding->detail, "one process played both");
    }
}

/* --- Manners --- */

static const char *farewell_of(enum player_kind kind)
{
    switch (kind) {
    case PLAYER_TCP:
        return "code 0";
    case PLAYER_FILE:
        return "move 0";
    case PLAYER_UGI:
        return "quit";
    default:
        return "the end of the game";
    }
}

/* Only a game without a fault counts here: after a fault a program may have a reason to stay. */
static void look_at_leaving(const struct check_facts *facts, struct check_findings *list)
{
    const char *farewell = farewell_of(facts->spec->kind);
    int complete = 0;
    int overstayed = 0;
    for (int i = 0; i < facts->trial_count; i++) {
        const struct check_trial *trial = &facts->trials[i];
        if (trial->end == CHECK_COMPLETE && check_trial_is_sound(trial)) {
            complete++;
            overstayed += trial->conduct.overstayed;
        }
    }
    if (!complete) {
        add_skipped(list, "leaving", not_tried(facts));
        return;
    }
    struct check_finding *finding = add(list, "leaving", overstayed ? CHECK_SHOULD_FIX : CHECK_OK);
    if (overstayed) {
        finding->advice =
            "end the program when the judge asks it to; otherwise it is killed shortly afterwards";
        note_set(&finding->detail, "it does not leave after %s", farewell);
    } else {
        note_set(&finding->detail, "it leaves after %s", farewell);
    }
}

/* An agent that only waits is not mentioned. */
static void look_at_pondering(const struct check_facts *facts, struct check_findings *list)
{
    int freezes = 0;
    for (int i = 0; i < facts->trial_count; i++) {
        freezes += facts->trials[i].conduct.freezes;
    }
    if (freezes) {
        struct check_finding *finding = add(list, "pondering", CHECK_SHOULD_FIX);
        finding->advice = "wait for the next question without using the processor: read from the "
                          "judge, or sleep between two looks at a file";
        note_set(&finding->detail,
                 "it used processor time while it owed no answer, and was frozen %d time%s",
                 freezes, plural(freezes));
    }
}

static void look_at_reconnect(const struct check_facts *facts, struct check_findings *list)
{
    const struct check_trial *trial = &facts->trials[facts->trial_count - 1];
    char time[CHECK_TIME_BYTES];
    if (facts->spec->kind != PLAYER_TCP) {
        return;
    }
    const struct check_fault *upset = check_trial_upset(trial);
    if (upset) {
        struct check_finding *finding = add(list, "reconnect", CHECK_SHOULD_FIX);
        finding->advice = "when the connection breaks, connect again, send the team's number, and "
                          "answer the board that comes";
        note_set(&finding->detail, "the connection broke, and it did not come back: %.160s",
                 upset->fault.why.text);
    } else if (trial->end != CHECK_ENOUGH) {
        add_skipped(list, "reconnect", not_tried(facts));
    } else {
        note_set(&add(list, "reconnect", CHECK_OK)->detail,
                 "the connection broke; it came back and answered after %s",
                 check_write_time(trial->last_ns, time));
    }
}

/* Most programs try nothing of the kind: then there is no finding. */
static void look_at_violations(const struct check_facts *facts, struct check_findings *list)
{
    struct violation_list all = {.count = 0};
    for (int i = 0; i < facts->trial_count; i++) {
        const struct violation_list *trial = &facts->trials[i].conduct.violations;
        for (int j = 0; j < trial->count; j++) {
            (void)violation_list_add(&all, &trial->rows[j]);
        }
    }
    if (!all.count) {
        return;
    }
    struct note first;
    struct check_finding *finding = add(list, "attempts", CHECK_SHOULD_FIX);
    violation_describe(&all.rows[0], &first);
    finding->advice = "the sandbox refuses and records such attempts; a tournament may count the "
                      "game as lost: remove them";
    if (all.count > 1) {
        note_set(&finding->detail, "%.240s; and %d other attempts", first.text, all.count - 1);
    } else {
        finding->detail = first;
    }
}

void check_list(const struct check_facts *facts, struct check_findings *out)
{
    static void (*const looks[])(const struct check_facts *, struct check_findings *) = {
        look_at_file_name, look_at_python,     look_at_startup,   look_at_team,
        look_at_bid,       look_as_black,      look_as_white,     look_at_budgets,
        look_at_clock,     look_at_pondering,  look_at_two_games, look_at_leaving,
        look_at_reconnect, look_at_violations,
    };
    *out = (struct check_findings){.count = 0};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        looks[i](facts, out);
    }
    check_summary_sort(out);
}

bool check_is_ready(const struct check_facts *facts, const struct check_findings *findings)
{
    return !facts->is_interrupted && !findings->is_incomplete && !findings->totals[CHECK_MUST_FIX];
}

void check_verdict(const struct check_facts *facts, const struct check_findings *findings,
                   struct note *out)
{
    int must = findings->totals[CHECK_MUST_FIX];
    int should = findings->totals[CHECK_SHOULD_FIX];
    char more[64] = "";
    if (should) {
        snprintf(more, sizeof more, "%s%d %s should be fixed", must ? ", " : "; ", should,
                 must          ? "more"
                 : should == 1 ? "finding"
                               : "findings");
    }
    if (must) {
        note_set(out, "not ready: %d finding%s must be fixed%s", must, plural(must), more);
    } else if (facts->is_interrupted) {
        note_set(out, "interrupted before the end: no verdict%s", more);
    } else if (findings->is_incomplete) {
        note_set(out, "not ready: it was not seen to play both colours; more --max-time lets it%s",
                 more);
    } else if (facts->is_quick) {
        note_set(out,
                 "nothing must be fixed so far; the whole check, without --quick, tries the "
                 "rest%s",
                 more);
    } else {
        note_set(out, "ready for the tournament%s", more);
    }
}
