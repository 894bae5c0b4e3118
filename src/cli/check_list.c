#include "cli/check_list.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

const char *check_verdict_name(enum check_verdict verdict)
{
    static const char *const names[] = {
        [CHECK_OK] = "ok",     [CHECK_WARNING] = "warning", [CHECK_FAIL] = "FAIL",
        [CHECK_NONE] = "none", [CHECK_SKIPPED] = "skipped",
    };
    return names[verdict];
}

static const struct check_finding nothing = {.verdict = CHECK_NONE};
static const struct check_finding skipped = {.verdict = CHECK_SKIPPED, .detail = {"not tried"}};

/* "3.2 ms", "1.50 s" */
enum { TIME_BYTES = 16 };
static const char *write_time(double ms, char out[TIME_BYTES])
{
    snprintf(out, TIME_BYTES, ms < 1000 ? "%.1f ms" : "%.2f s", ms < 1000 ? ms : ms / 1e3);
    return out;
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
            found = strcpy(out, name);
        }
    }
    return found;
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

static struct check_finding look_at_file_name(const struct check_facts *facts)
{
    char name[PLAYER_TEXT_BYTES];
    const struct player_spec *spec = facts->spec;
    struct check_finding finding = {.verdict = CHECK_OK};
    if (spec->kind == PLAYER_UGI || !find_source(spec->command, name)) {
        return nothing;
    }
    size_t length = (size_t)(strrchr(name, '.') - name);
    note_set(&finding.detail, "%.100s", name);
    if (spec->kind == PLAYER_TEMPLATE && !is_student_number(name, length)) {
        finding.verdict = CHECK_WARNING;
        finding.advice = "name it after your student number: 0816001.py; a wrong name costs 10 % "
                         "of the project's score";
    } else if (spec->kind != PLAYER_TEMPLATE && !is_team_name(name, length, spec->team)) {
        finding.verdict = CHECK_WARNING;
        finding.advice = "hand it in as Sample or as Team_ and your team's number, with its ending";
    }
    return finding;
}

static struct check_finding look_at_python(const struct check_facts *facts)
{
    return *facts->python.text ? (struct check_finding){CHECK_OK, facts->python, NULL, NULL}
                               : nothing;
}

/* --- Faults --- */

static bool failed_in(const struct check_trial *trial, enum judge_phase phase)
{
    return trial->has_fault && trial->fault_phase == phase;
}

static const char *advice_on(const struct check_facts *facts, const struct check_trial *trial)
{
    bool is_tcp = facts->spec->kind == PLAYER_TCP;
    if (trial->fault_phase == JUDGE_STARTING && trial->fault.kind == FAULT_LATE) {
        return is_tcp ? "it has to connect to localhost:8888 and to send its team's number"
                      : "run the command by hand and see what it does instead of answering";
    }
    if (trial->fault_phase == JUDGE_BIDDING) {
        return "it has to print 'My bid: COLOUR PRICE', colour 0 or 1, and to flush its output";
    }
    switch (trial->fault.kind) {
    case FAULT_LATE:
        if (trial->fault.is_idle) {
            return "find out what it waits for at its own turn: input, a sleep, another thread";
        }
        return "let it look at the clock while it thinks, and leave a margin of half a second";
    case FAULT_INVALID:
        return "compare its answer with the board it was sent: plum moves lists what is legal";
    case FAULT_CRASHED:
        return "look at what it wrote to standard error, or run it by hand";
    case FAULT_MALFORMED:
        return "an answer is exactly what docs/agents.md says; STcpClient from plum new writes it";
    default:
        return "it has to answer every question once, and nothing else";
    }
}

static struct check_finding fail(const struct check_facts *facts, const struct check_trial *trial)
{
    struct check_finding finding = {
        .verdict = CHECK_FAIL, .advice = advice_on(facts, trial), .fault = trial};
    const char *kind = fault_name(trial->fault.kind);
    if (trial->fault_phase == JUDGE_PLAYING) {
        note_set(&finding.detail, "ply %zu: %s: %.240s", trial->fault.ply + 1, kind,
                 trial->fault.why.text);
    } else {
        note_set(&finding.detail, "%s: %.240s", kind, trial->fault.why.text);
    }
    return finding;
}

/* --- Before the first move --- */

static bool is_above_half(int64_t value_ns, int64_t limit_ns) { return value_ns > limit_ns / 2; }

static struct check_finding look_at_startup(const struct check_facts *facts)
{
    const struct check_trial *trial = &facts->trials[0];
    struct check_finding finding = {.verdict = CHECK_OK};
    char time[TIME_BYTES];
    if (failed_in(trial, JUDGE_STARTING) && trial->finished == 0) {
        return fail(facts, trial);
    }
    if (!trial->is_started) {
        return skipped;
    }
    note_set(&finding.detail, "%s of %g s",
             write_time((double)trial->startup_ns / CLOCK_NS_PER_MS, time),
             (double)facts->rules->startup_ns / 1e9);
    if (is_above_half(trial->startup_ns, facts->rules->startup_ns)) {
        finding.verdict = CHECK_WARNING;
        finding.advice = "a busier machine may not wait so long: load less, or load it later";
    }
    return finding;
}

static struct check_finding look_at_team(const struct check_facts *facts)
{
    const struct check_trial *trial = &facts->trials[0];
    struct check_finding finding = {.verdict = CHECK_OK};
    if (facts->spec->kind != PLAYER_TCP) {
        return nothing;
    }
    if (*trial->remark.text) {
        finding.verdict = CHECK_FAIL;
        finding.detail = trial->remark;
        finding.advice = "set idTeam in STcpClient to your team's number";
        return finding;
    }
    if (!trial->is_started) {
        return skipped;
    }
    note_set(&finding.detail, "it calls itself team %d", facts->spec->team);
    return finding;
}

static struct check_finding look_at_bid(const struct check_facts *facts)
{
    const struct check_trial *trial = &facts->trials[0];
    struct check_finding finding = {.verdict = CHECK_OK};
    if (!facts->game->auction) {
        return nothing;
    }
    if (failed_in(trial, JUDGE_BIDDING)) {
        return fail(facts, trial);
    }
    if (!trial->is_started) {
        return skipped;
    }
    const struct bid *bid = &trial->games[0].bid;
    note_set(&finding.detail, "%s for %lld", side_name((enum side)bid->colour),
             (long long)bid->price);
    return finding;
}

/* --- Games --- */

static void describe_game(const struct check_game *game, struct note *out)
{
    const struct result *result = &game->result;
    enum outcome wanted = game->colour == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    note_set(out, "a whole game of %zu plies, every move legal; it %s %d to %d (%s)", game->plies,
             result->outcome == OUTCOME_DRAW ? "drew"
             : result->outcome == wanted     ? "won"
                                             : "lost",
             result->score[game->colour], result->score[side_other(game->colour)], result->reason);
}

static struct check_finding look_as(const struct check_facts *facts, enum side side)
{
    struct check_finding finding = {.verdict = CHECK_OK};
    int finished = 0;
    for (int i = 0; i < 2; i++) {
        const struct check_trial *trial = &facts->trials[i];
        for (int j = 0; j < trial->finished; j++, finished++) {
            if (trial->games[j].colour == side) {
                describe_game(&trial->games[j], &finding.detail);
                return finding;
            }
        }
        if (failed_in(trial, JUDGE_PLAYING) && trial->fault_side == side) {
            return fail(facts, trial);
        }
    }
    if (finished < CHECK_MAX_GAMES) {
        return skipped;
    }
    finding.verdict = CHECK_WARNING;
    finding.advice = "play some games of plum match and look at the colours";
    note_set(&finding.detail, "its bids gave it the other colour each time");
    return finding;
}

static struct check_finding look_as_black(const struct check_facts *facts)
{
    return look_as(facts, SIDE_BLACK);
}

static struct check_finding look_as_white(const struct check_facts *facts)
{
    return look_as(facts, SIDE_WHITE);
}

static double larger(double a, double b) { return a > b ? a : b; }

static struct check_finding look_at_clock(const struct check_facts *facts)
{
    const struct check_trial *trials = facts->trials;
    double median_ms = larger(trials[0].median_ms, trials[1].median_ms);
    double max_ms = larger(trials[0].max_ms, trials[1].max_ms);
    char median[TIME_BYTES];
    char longest[TIME_BYTES];
    struct check_finding finding = {.verdict = CHECK_OK};
    if (!trials[0].answers) {
        return skipped;
    }
    note_set(&finding.detail, "median %s, longest %s of %g s", write_time(median_ms, median),
             write_time(max_ms, longest), (double)facts->rules->limit_ns / 1e9);
    if (is_above_half((int64_t)(max_ms * CLOCK_NS_PER_MS), facts->rules->limit_ns)) {
        finding.verdict = CHECK_WARNING;
        finding.advice = "a busier machine is slower: leave a margin";
    }
    return finding;
}

static struct check_finding look_at_two_games(const struct check_facts *facts)
{
    const struct check_trial *trial = &facts->trials[0];
    struct check_finding finding = {.verdict = CHECK_OK};
    if (facts->spec->kind != PLAYER_TCP) {
        return nothing;
    }
    if (failed_in(trial, JUDGE_STARTING) && trial->finished > 0) {
        return fail(facts, trial);
    }
    if (trial->finished < CHECK_MAX_GAMES) {
        return skipped;
    }
    if (trial->conduct.starts > 1) {
        finding.verdict = CHECK_WARNING;
        note_set(&finding.detail, "it exits after a game, and is started again for the next");
        finding.advice = "go on asking for boards until the judge says stop";
    } else {
        note_set(&finding.detail, "one process played both");
    }
    return finding;
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

static struct check_finding look_at_leaving(const struct check_facts *facts)
{
    const struct check_trial *trials = facts->trials;
    struct check_finding finding = {.verdict = CHECK_OK};
    const char *farewell = farewell_of(facts->spec->kind);
    if (trials[0].finished == 0 || trials[0].has_fault || trials[1].has_fault) {
        return skipped;
    }
    if (trials[0].conduct.overstayed || trials[1].conduct.overstayed) {
        finding.verdict = CHECK_WARNING;
        finding.advice = "end the program when it is told to; the judge kills it after a moment";
        note_set(&finding.detail, "it does not leave after %s", farewell);
    } else {
        note_set(&finding.detail, "it leaves after %s", farewell);
    }
    return finding;
}

static struct check_finding look_at_reconnect(const struct check_facts *facts)
{
    const struct check_trial *trial = &facts->reconnect;
    char time[TIME_BYTES];
    struct check_finding finding = {.verdict = CHECK_OK};
    if (facts->spec->kind != PLAYER_TCP) {
        return nothing;
    }
    if (trial->has_fault) {
        finding.verdict = CHECK_WARNING;
        finding.advice = "when the connection breaks, connect again, send the team's number, and "
                         "answer the board that comes";
        note_set(&finding.detail, "the connection broke, and it did not come back: %.160s",
                 trial->fault.why.text);
        return finding;
    }
    if (!trial->is_started) {
        return skipped;
    }
    note_set(&finding.detail, "the connection broke; it came back and answered after %s",
             write_time(trial->last_ms, time));
    return finding;
}

const struct check check_list[] = {
    {"file name", look_at_file_name},
    {"python", look_at_python},
    {"start-up", look_at_startup},
    {"team", look_at_team},
    {"bid", look_at_bid},
    {"as Black", look_as_black},
    {"as White", look_as_white},
    {"clock", look_at_clock},
    {"two games", look_at_two_games},
    {"leaving", look_at_leaving},
    {"reconnect", look_at_reconnect},
    {NULL, NULL},
};
