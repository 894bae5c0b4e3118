#include "report/feedback.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/number.h"
#include "judge/record.h"
#include "judge/record_turns.h"
#include "report/caption.h"
#include "report/html.h"
#include "report/local_path.h"
#include "tournament/qualification.h"

struct feedback {
    FILE *out;
    const struct report_data *data;
    const struct grade *grade;
    const struct report_team *team;
    struct local_path paths;
};

/* At most that many bytes, without the places of files on this machine. */
static void limited_text(const struct feedback *f, const char *words, size_t limit)
{
    const char *end = words + (limit == SIZE_MAX ? strlen(words) : strnlen(words, limit));
    size_t length = 0;
    const char *instead = NULL;
    for (const char *at; (at = local_path_find(&f->paths, words, end, &length, &instead));
         words = at + length) {
        html_text(f->out, words, (size_t)(at - words));
        fputs(instead, f->out);
    }
    html_text(f->out, words, (size_t)(end - words));
}

static void text(const struct feedback *f, const char *words) { limited_text(f, words, SIZE_MAX); }

static const struct disqualification *disqualification_of(const struct feedback *f)
{
    return &f->data->tournament.disqualifications[f->grade->team];
}

/* --- Marks. --- */

/* What costs nothing here. */
static void write_notes(const struct feedback *f)
{
    fputs("<p>Noted, without effect on the marks:</p>\n<ul>\n", f->out);
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        const struct grade_penalty *penalty = &f->grade->penalties[cause];
        if (penalty->count && penalty->percent <= 0) {
            fprintf(f->out, "<li>%s: ", grade_cause_name((enum grade_cause)cause));
            text(f, penalty->evidence.text);
            fputs("</li>\n", f->out);
        }
    }
    fputs("</ul>\n", f->out);
}

static void write_marks(const struct feedback *f)
{
    const struct grade *grade = f->grade;
    fprintf(f->out,
            "<h2>Marks: %.2f</h2>\n<table>\n<tr><th>Base</th><td>%g</td><td>%s</td></tr>\n"
            "<tr><th>Extra</th><td>%.2f</td><td>",
            grade->score, grade->base,
            grade->rank                      ? "the program is qualified: it has completed a game"
            : disqualification_of(f)->is_set ? "the team is disqualified"
            : grade->is_refused              ? "handed in late, which is not accepted here"
            : qualification_never_moved(&f->data->tournament, grade->team)
                ? "the program is not qualified: it never moved itself"
                : "the program is not qualified: it has completed no game",
            grade->extra);
    if (grade->rank) {
        fprintf(f->out, "rank %d of those that qualified", grade->rank);
    }
    fputs("</td></tr>\n", f->out);
    bool has_notes = false;
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        const struct grade_penalty *penalty = &grade->penalties[cause];
        if (penalty->count && penalty->percent > 0) {
            fprintf(f->out, "<tr><th>%s</th><td>−%g %%</td><td>",
                    grade_cause_name((enum grade_cause)cause), penalty->percent);
            text(f, penalty->evidence.text);
            fputs("</td></tr>\n", f->out);
        }
        has_notes |= penalty->count && penalty->percent <= 0;
    }
    fputs("</table>\n", f->out);
    if (has_notes) {
        write_notes(f);
    }
}

/* A program that sends another team's number is told apart only where each has its own network. */
static void write_number(const struct feedback *f)
{
    const struct roster_team *entry = f->team->entry;
    if (!entry->has_id_team) {
        return;
    }
    fprintf(f->out, "<p>The program has <code>idTeam = %d</code>%s. Your team is ", entry->id_team,
            entry->id_team < 0 ? ": it was never set" : "");
    text(f, entry->id);
    fputs(".</p>\n", f->out);
}

/* --- Results. --- */

/* Without round and opponent for a game against random. */
static void write_game(const struct feedback *f, const struct tournament_game *game)
{
    bool is_qualification = game->phase == PHASE_QUALIFICATION;
    int own = game->team[0] == f->grade->team ? 0 : 1;
    enum side side = game->summary.colour[own];
    enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    const char *result = game->summary.outcome == win            ? "won"
                         : game->summary.outcome == OUTCOME_DRAW ? "drawn"
                                                                 : "lost";
    if (is_qualification) {
        fprintf(f->out, "<tr class=\"%s\"><td>%d", result, game->number % QUALIFICATION_GAMES + 1);
    } else {
        fprintf(f->out, "<tr class=\"%s\"><td>%d</td><td>%d</td><td>", result, game->number + 1,
                game->round + 1);
        text(f, f->data->teams[game->team[1 - own]].label);
    }
    fprintf(f->out, "</td><td>%s</td><td>%s%s</td><td>%d : %d</td><td>", side_title(side), result,
            game->status == GAME_ANNULLED ? " (annulled)" : "", game->summary.score[side],
            game->summary.score[side_other(side)]);
    char ending[CAPTION_BYTES];
    caption_ending(f->data->roster.game, game->summary.outcome, game->summary.reason, ending);
    text(f, ending);
    for (int place = 0; place < 2; place++) {
        if (game->summary.turns[place].judged) {
            struct note words;
            record_describe_turns(f->data->roster.game, &game->summary.turns[place],
                                  place == own ? "your" : "the opponent's", &words);
            fprintf(f->out, "; %s", words.text);
        }
    }
    for (int kind = 0; is_qualification && kind < FAULT_KINDS; kind++) { /* not under Faults */
        if (game->summary.faults[own][kind]) {
            fprintf(f->out, "; your faults: %d %s", game->summary.faults[own][kind],
                    fault_name((enum fault)kind));
        }
    }
    fprintf(f->out, "</td><td>%d</td><td>%.2f&nbsp;s</td><td>%.2f&nbsp;s</td></tr>\n",
            game->summary.plies, (double)game->summary.thinking_ms[own] / 1000,
            (double)game->summary.slowest_ms[own] / 1000);
}

static void write_results(const struct feedback *f)
{
    const struct tournament *t = &f->data->tournament;
    const struct ranking_row *row = f->team->row;
    char byes[32] = "";
    char ranking[RANKING_RULES_BYTES + 16] = "";
    if (row->byes) {
        snprintf(byes, sizeof byes, ", %d by a bye", row->byes);
    }
    fputs("<h2>Results</h2>\n<p>", f->out);
    if (disqualification_of(f)->is_set) {
        fputs("The team is disqualified: ", f->out);
        text(f, disqualification_of(f)->reason.text);
        fputs(". It has no place. What counts is", f->out);
    } else {
        fprintf(f->out, "Place %d of %d with", row->place, f->data->roster.team_count);
    }
    if (!ranking_rules_are_usual(&f->data->roster.ranking)) {
        char rules[RANKING_RULES_BYTES];
        ranking_rules_describe(&f->data->roster.ranking, rules);
        snprintf(ranking, sizeof ranking, " Ranking: %s.", rules);
    }
    fprintf(f->out,
            " %" PRId64 " points: %d won, %d drawn, %d "
            "lost%s.%s</p>\n<div class=\"scroll\"><table>\n<tr><th>Game</th><th>Round</th>"
            "<th>Opponent</th><th>You were</th><th>Result</th><th>Score</th><th>Reason</th>"
            "<th>Moves</th><th>Your time</th><th>Slowest</th></tr>\n",
            row->figures[RANKING_POINTS], row->won, row->drawn, row->lost, byes, ranking);
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        bool is_own = game->team[0] == f->grade->team || game->team[1] == f->grade->team;
        if (is_own && (game->status == GAME_PLAYED || game->status == GAME_ANNULLED)) {
            write_game(f, game);
        }
    }
    fputs("</table></div>\n", f->out);
}

/* --- The qualification. --- */

/* Which Python does not find a module, and what to do about it, is for those who run it. */
static void write_reason(const struct feedback *f, const char *why)
{
    static const char words[] = " does not find the Python module ";
    const char *found = strstr(why, words);
    if (!found) {
        text(f, why);
        return;
    }
    char module[64];
    const char *name = found + strlen(words);
    snprintf(module, sizeof module, "%.*s",
             (int)(strcspn(name, ";") < 60 ? strcspn(name, ";") : 60), name);
    fputs("the Python module ", f->out);
    text(f, module);
    fputs(" was not found: use only what the course allows", f->out);
}

static void write_qualification(const struct feedback *f)
{
    const struct tournament *t = &f->data->tournament;
    const struct qualification *own = &t->qualifications[f->grade->team];
    if (!qualification_is_on(t)) {
        return;
    }
    fputs("<h2>Qualification</h2>\n<p>", f->out);
    if (own->has_failed) {
        struct note why;
        qualification_explain(t, f->grade->team, &why);
        fputs("The program is not qualified, so it was not paired: ", f->out);
        write_reason(f, why.text);
        fputs(". ", f->out);
    }
    fputs("Games against random count for no points.</p>\n<div class=\"scroll\"><table>\n"
          "<tr><th>Game</th><th>You were</th><th>Result</th><th>Score</th><th>Reason</th>"
          "<th>Moves</th><th>Your time</th><th>Slowest</th></tr>\n",
          f->out);
    for (int i = 0; i < QUALIFICATION_GAMES; i++) {
        if (own->games[i].status == GAME_PLAYED) {
            write_game(f, &own->games[i]);
        }
    }
    fputs("</table></div>\n", f->out);
}

static void write_references(const struct feedback *f)
{
    for (int i = f->data->roster.team_count; i < roster_entrant_count(&f->data->roster); i++) {
        fputs("<p>", f->out);
        text(f, f->data->teams[roster_entrant(&f->data->roster, i)].label);
        fputs(
            " is a reference opponent: games against it give no points and change no marks.</p>\n",
            f->out);
    }
}

/* --- Faults. --- */

static const char *rule_of(const struct game *game, const struct report_fault *fault)
{
    if (fault->is_fatal) {
        return "The game was lost.";
    }
    switch (game->penalties[fault->fault.kind]) {
    case PENALTY_REPLACE:
        return game->is_move_skippable ? "The turn was skipped."
                                       : "The judge played the first legal square instead.";
    case PENALTY_REPLACE_FOREVER:
        return game->is_move_skippable
                   ? "From here on every turn of this game was skipped."
                   : "From here on the judge played the first legal square in this game.";
    case PENALTY_NOTE:
        return "The move counted, and the fault costs marks.";
    default:
        return "The game was lost.";
    }
}

static void write_article(const struct feedback *f, const char *where,
                          const struct report_fault *fault)
{
    fprintf(f->out, "<article>\n<h3>%s: %s</h3>\n<p>", where, report_data_fault_word(fault));
    write_reason(f, fault->fault.why.text);
    fprintf(f->out, ". %s", rule_of(f->data->roster.game, fault));
}

static void write_fault(const struct feedback *f, const struct report_fault *fault, bool has_board)
{
    const struct game *game = f->data->roster.game;
    struct state state;
    char place[REPORT_DATA_PLACE_BYTES];
    char where[REPORT_DATA_PLACE_BYTES + 32];
    report_data_fault_place(fault, place);
    snprintf(where, sizeof where, "Game %d, %s", fault->game + 1, place);
    write_article(f, where, fault);
    if (fault->fault.time_ms >= 0) {
        fprintf(f->out, " Your time until then: %.2f s.", (double)fault->fault.time_ms / 1000);
    }
    fputs("</p>\n", f->out);
    if (has_board && !game->read_position(fault->fault.position, &state, NULL)) {
        html_board(f->out, game, &state);
    }
    fputs("<p><code>", f->out);
    text(f, fault->fault.position);
    fputs("</code></p>\n</article>\n", f->out);
}

static bool is_own_start(const struct feedback *f, const struct report_fault *fault)
{
    return fault->team == f->grade->team && fault->phase == FAULT_PHASE_START;
}

static bool is_same_start(const struct report_fault *a, const struct report_fault *b)
{
    return a->fault.kind == b->fault.kind && a->is_fatal == b->is_fatal &&
           strcmp(a->fault.why.text, b->fault.why.text) == 0;
}

/* The next fault of the same kind and reason at the start of a game, if no other one at a start is
 * between them; else fault_count. */
static size_t next_start(const struct feedback *f, size_t fault)
{
    const struct report_fault *faults = f->data->faults;
    size_t next = fault + 1;
    while (next < f->data->fault_count && !is_own_start(f, &faults[next])) {
        next++;
    }
    bool is_same = next < f->data->fault_count && is_same_start(&faults[next], &faults[fault]);
    return is_same ? next : f->data->fault_count;
}

/* A program that does not start has the same fault in each of its games, and the board says nothing
 * about it: one entry lists the games. Returns the last of these faults. */
static size_t write_starts(const struct feedback *f, size_t first)
{
    const struct report_fault *faults = f->data->faults;
    size_t last = first;
    int count = 0;
    for (size_t i = first; i < f->data->fault_count; i = next_start(f, i)) {
        last = i;
        count++;
    }
    char where[64];
    const char *plural = count == 1 ? "" : "s";
    snprintf(where, sizeof where, "Start of %d game%s", count, plural);
    write_article(f, where, &faults[first]);
    fprintf(f->out, "</p>\n<p>Game%s %d", plural, faults[first].game + 1);
    for (size_t i = next_start(f, first); i < f->data->fault_count; i = next_start(f, i)) {
        fprintf(f->out, ", %d", faults[i].game + 1);
    }
    fputs(".</p>\n</article>\n", f->out);
    return last;
}

static bool has_faults_before(const struct feedback *f)
{
    const struct qualification *own = &f->data->tournament.qualifications[f->grade->team];
    bool has_any = false;
    for (int i = 0; qualification_is_on(&f->data->tournament) && i < QUALIFICATION_GAMES; i++) {
        const struct tournament_game *game = &own->games[i];
        int place = game->team[0] == f->grade->team ? 0 : 1;
        for (int kind = 0; game->status == GAME_PLAYED && kind < FAULT_KINDS; kind++) {
            has_any |= game->summary.faults[place][kind] > 0;
        }
    }
    return has_any;
}

static void write_faults(const struct feedback *f)
{
    size_t listed = 0; /* faults at a start before this one have an entry */
    int boards = 0;
    bool has_any = false;
    fputs("<h2>Faults</h2>\n", f->out);
    for (size_t i = 0; i < f->data->fault_count; i++) {
        const struct report_fault *fault = &f->data->faults[i];
        if (fault->team == f->grade->team && fault->phase != FAULT_PHASE_START) {
            write_fault(f, fault, boards++ < FEEDBACK_MAX_BOARDS);
            has_any = true;
        } else if (is_own_start(f, fault) && i >= listed) {
            listed = write_starts(f, i) + 1;
            has_any = true;
        }
    }
    if (!has_any) {
        fputs(has_faults_before(f) ? "<p>None in the games of the tournament. Those against random "
                                     "are under Qualification.</p>\n"
                                   : "<p>None.</p>\n",
              f->out);
    }
}

/* --- Worst moves. --- */

static void write_score(FILE *out, int hundredths)
{
    enum { DECIDED = 10000 };
    if (hundredths >= DECIDED || hundredths <= -DECIDED) {
        fputs(hundredths > 0 ? "won" : "lost", out);
    } else {
        char score[NUMBER_HUNDREDTHS_BYTES];
        number_write_hundredths(hundredths, score);
        fputs(score, out);
    }
}

static void write_blunders(const struct feedback *f, const struct blunders *blunders)
{
    if (!blunders->count) {
        return;
    }
    fputs("<h2>Worst moves</h2>\n<p>As our engine sees it, in lost games; a short look, so take it "
          "as a hint.</p>\n",
          f->out);
    for (size_t i = 0; i < blunders->count; i++) {
        const struct blunder *blunder = &blunders->list[i];
        fprintf(f->out,
                "<article>\n<h3>Game %d, move %zu: %s</h3>\n<p>Better was <strong>%s</strong>. "
                "Your prospects went from ",
                blunder->game + 1, blunder->ply + 1, blunder->move, blunder->better);
        write_score(f->out, blunder->before);
        fputs(" to ", f->out);
        write_score(f->out, blunder->after);
        fputs(".</p>\n", f->out);
        html_board(f->out, f->data->roster.game, &blunder->position);
        fputs("</article>\n", f->out);
    }
}

/* --- Attempts. --- */

static void write_violations(const struct feedback *f)
{
    const struct violation_list *list = f->team->violations;
    if (!list) {
        return;
    }
    fputs("<h2>Refused attempts</h2>\n<p>The sandbox refused what the program tried here. A player "
          "of "
          "a board game does not need it.</p>\n<div class=\"scroll\"><table>\n<tr><th>Kind</th>"
          "<th>It tried to</th><th>How often</th><th>First (UTC)</th></tr>\n",
          f->out);
    for (int i = 0; i < list->count; i++) {
        const struct violation *row = &list->rows[i];
        char time[32];
        clock_write(row->first_ms, "%Y-%m-%d %H:%M:%S", time, sizeof time);
        fprintf(f->out, "<tr><td>%s</td><td>", violation_kind_name(row->kind));
        text(f, row->what);
        fprintf(f->out, "</td><td>%" PRId64 "</td><td>%s</td></tr>\n", row->count, time);
    }
    fputs("</table></div>\n", f->out);
}

/* --- Logs. --- */

static void write_log(const struct feedback *f, const char *log)
{
    fputs("<pre>", f->out);
    limited_text(f, log, FEEDBACK_MAX_LOG);
    fputs(strlen(log) > FEEDBACK_MAX_LOG ? "\n… cut here</pre>\n" : "</pre>\n", f->out);
}

/* What `plum tournament init` kept next to the roster; a tournament that has the source knows more.
 * NULL: there is none. The caller frees. */
static char *read_build_log(const struct feedback *f)
{
    char path[PATH_MAX];
    const char *name = f->team->entry->build_log;
    size_t size = 0;
    bool is_named = *name && snprintf(path, sizeof path, "%s/%s",
                                      *name == '/' ? "" : store_folder(f->data->store),
                                      name) < (int)sizeof path;
    return is_named ? file_read_head(path, FEEDBACK_MAX_LOG + 1, &size) : NULL;
}

static void write_compiler(const struct feedback *f)
{
    if (f->team->entry->no_program[0]) {
        fputs("<h2>Why it did not play</h2>\n<p>", f->out);
        text(f, f->team->entry->no_program);
        fputs(".</p>\n", f->out);
        return;
    }
    char *kept = read_build_log(f);
    const char *log = f->team->build_messages ? f->team->build_messages : kept;
    if (log) {
        fputs("<h2>The compiler's messages</h2>\n", f->out);
        write_log(f, log);
    }
    free(kept);
}

static void write_logs(const struct feedback *f)
{
    size_t left = FEEDBACK_MAX_LOG;
    bool has_any = false;
    for (size_t i = 0; i < f->data->log_count && left; i++) {
        const struct report_log *log = &f->data->logs[i];
        if (log->team != f->grade->team || !*log->text) {
            continue;
        }
        fputs(has_any ? "" : "<h2>What its programs wrote</h2>\n", f->out);
        if (log->phase == PHASE_QUALIFICATION) {
            fputs("<h3>Qualification</h3>\n<pre>", f->out);
        } else {
            fprintf(f->out, "<h3>From game %d on</h3>\n<pre>", log->from_game + 1);
        }
        size_t shown = strnlen(log->text, left);
        limited_text(f, log->text, shown);
        fputs(log->text[shown] ? "\n… cut here</pre>\n" : "</pre>\n", f->out);
        left -= shown;
        has_any = true;
    }
}

void feedback_write(FILE *out, const struct report_data *data, const struct grade *grade,
                    const struct blunders *blunders)
{
    struct feedback f = {out, data, grade, &data->teams[grade->team], {.count = 0}};
    const char *folder = store_folder(data->store);
    local_path_init(&f.paths, folder);
    local_path_add_programs(&f.paths, folder, f.team->entry->player);
    local_path_add_programs(&f.paths, folder, f.team->entry->source);
    const struct embedded_file *style = embedded_find("src/report/page/feedback.css");
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          out);
    text(&f, f.team->entry->name);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style ? style->bytes : "");
    text(&f, f.team->entry->name);
    fputs("</h1>\n<p>", out);
    text(&f, data->roster.name);
    fprintf(out, ", %s. For team ", data->roster.game->name);
    text(&f, f.team->entry->id);
    fputs(" only.", out);
    if (data->is_anonymous) {
        fputs(" In the anonymous report it is ", out);
        text(&f, f.team->label);
        fputs(".", out);
    }
    fputs("</p>\n", out);
    write_number(&f);
    write_marks(&f);
    write_results(&f);
    write_references(&f);
    write_qualification(&f);
    write_faults(&f);
    write_violations(&f);
    write_blunders(&f, blunders);
    write_compiler(&f);
    write_logs(&f);
    fputs("</body>\n</html>\n", out);
}
