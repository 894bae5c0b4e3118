#include "report/report_standings.h"

#include <inttypes.h>
#include <math.h>

#include "report/html.h"
#include "tournament/qualification.h"

/* A figure's column, after the team's name, in the order in which figures decide. */
static const struct {
    const char *name;
    const char *title;
} columns[RANKING_FIGURES] = {
    [RANKING_POINTS] = {"Points", NULL}, /* the rules say it */
    [RANKING_WINS] = {"Won", "games won; byes are not among them"},
    [RANKING_DIFFERENTIAL] = {"Diff", "own scores minus opponents' scores"},
    [RANKING_BUCHHOLZ] = {"Buchholz", "Buchholz cut-1: the opponents' points, without the least"},
    [RANKING_SONNEBORN] = {"S-B", "Sonneborn-Berger: points made times the opponent's points"},
    [RANKING_DIRECT] = {"Direct", "points against those that are equal so far, if all of them met"},
    [RANKING_LOT] = {"Lot", "drawn from the tournament's seed"},
};

static void text(FILE *out, const char *words) { html_text(out, words, SIZE_MAX); }

/* With a sign, and a true minus. */
static void write_signed(FILE *out, int64_t number)
{
    if (number < 0) {
        fprintf(out, "−%" PRId64, -number);
    } else {
        fprintf(out, "%s%" PRId64, number ? "+" : "", number);
    }
}

static bool has_byes(const struct report_data *data)
{
    int place = 0;
    while (place < data->roster.team_count && !data->rows[place].byes) {
        place++;
    }
    return place < data->roster.team_count;
}

/* --- The head --- */

static void write_column(FILE *out, const char *name, const char *title)
{
    fprintf(out, "<th scope=\"col\" title=\"%s\">%s</th>", title, name);
}

static void write_points_column(FILE *out, const struct ranking_rules *rules)
{
    char title[128];
    int used =
        snprintf(title, sizeof title, "%d for a win, %d for a draw", rules->win, rules->draw);
    if (rules->loss) {
        snprintf(title + used, sizeof title - (size_t)used, ", %d for a loss", rules->loss);
    }
    write_column(out, columns[RANKING_POINTS].name, title);
}

static void write_figure_columns(FILE *out, int from, int to)
{
    for (int figure = from; figure < to; figure++) {
        write_column(out, columns[figure].name, columns[figure].title);
    }
}

static void write_head(FILE *out, const struct ranking_rules *rules, bool shows_byes)
{
    fputs("<thead><tr>", out);
    write_column(out, "#", "place");
    fputs("<th scope=\"col\" class=\"team\">Team</th>", out);
    write_points_column(out, rules);
    write_figure_columns(out, RANKING_WINS, RANKING_DIFFERENTIAL);
    fputs("<th scope=\"col\">Drawn</th><th scope=\"col\">Lost</th>", out);
    if (shows_byes) {
        write_column(out, "Byes", "games of byes");
    }
    write_figure_columns(out, RANKING_DIFFERENTIAL, RANKING_FIGURES);
    write_column(out, "Elo", "rating");
    fputs("<th scope=\"col\">Faults</th></tr></thead>\n", out);
}

/* --- A row --- */

static void write_tags(FILE *out, const struct report_view *view, const struct report_team *team)
{
    const struct tournament *t = &view->data->tournament;
    const struct disqualification *disqualification = &t->disqualifications[team->row->team];
    if (roster_is_reference(t->roster, team->row->team)) {
        fputs("<span class=\"tag calm\" title=\"a known strength; games against it give no "
              "points\">reference</span>",
              out);
        return;
    }
    bool has_failed = t->qualifications[team->row->team].has_failed;
    if (!team->is_qualified && (team->row->played || has_failed) && !disqualification->is_set) {
        bool never_moved = qualification_never_moved(t, team->row->team);
        fprintf(out, "<span class=\"tag\" title=\"%s\">%s</span>",
                never_moved ? "the judge played all its moves: it is not qualified"
                            : "it has completed no game",
                never_moved ? "never moved" : "not qualified");
    }
    if (roster_refuses(t->roster, team->row->team)) {
        fputs("<span class=\"tag\" title=\"handed in late, which is not accepted: it does not "
              "play\">late</span>",
              out);
    }
    if (team->entry->has_id_team && !view->is_public) {
        fprintf(out, "<span class=\"tag\" title=\"%s\">idTeam %s%d</span>",
                team->entry->id_team < 0 ? "its idTeam was never set"
                                         : "the number that its program sends is not its own",
                team->entry->id_team < 0 ? "−" : "",
                team->entry->id_team < 0 ? -team->entry->id_team : team->entry->id_team);
    }
    if (disqualification->is_set) {
        bool has_reason = *disqualification->reason.text && !view->is_public;
        fprintf(out, "<span class=\"tag\">disqualified%s", has_reason ? ": " : "");
        text(out, has_reason ? disqualification->reason.text : "");
        fputs("</span>", out);
    } else if (t->withdrawn_after[team->row->team] >= 0) {
        fputs("<span class=\"tag calm\">withdrawn</span>", out);
    }
}

static void write_team(FILE *out, const struct report_view *view, const struct report_team *team)
{
    const char *name = team->label;
    fputs("<th scope=\"row\" class=\"team\" title=\"", out);
    text(out, name);
    fputs("\"><a href=\"#team-", out);
    html_url_part(out, json_tournament_team(&view->names, team->row->team));
    fputs("\">", out);
    text(out, name);
    fputs("</a>", out);
    write_tags(out, view, team);
    fputs("</th>", out);
}

static void write_figure(FILE *out, const struct report_view *view, int place, int figure)
{
    const struct report_data *data = view->data;
    const struct ranking_row *row = &data->rows[place];
    if (figure == RANKING_POINTS) {
        fputs("<td class=\"strong\">", out);
    } else if (place > 0 && (int)row->decided_by == figure) {
        int above = data->rows[place - 1].team;
        fputs("<td class=\"decides\" title=\"put it below ", out);
        text(out, data->teams[above].label);
        fputs("\">", out);
    } else {
        fputs("<td>", out);
    }
    if (figure == RANKING_DIFFERENTIAL) {
        write_signed(out, row->figures[figure]);
    } else if (figure == RANKING_DIRECT && !row->has_direct) {
        fputs("–", out);
    } else {
        fprintf(out, "%" PRId64, row->figures[figure]);
    }
    fputs("</td>", out);
}

static void write_figures(FILE *out, const struct report_view *view, int place, int from, int to)
{
    for (int figure = from; figure < to; figure++) {
        write_figure(out, view, place, figure);
    }
}

static void write_rating(FILE *out, const struct rating *rating)
{
    fputs("<td>", out);
    if (rating->games) {
        write_signed(out, llround(rating->elo));
        fprintf(out, " ± %lld", llround(rating->error));
    } else {
        fputs("–", out);
    }
    fputs("</td>", out);
}

static void write_count(FILE *out, int64_t count)
{
    if (count) {
        fprintf(out, "<td>%" PRId64 "</td>", count);
    } else {
        fputs("<td>–</td>", out);
    }
}

static void write_row(FILE *out, const struct report_view *view, int place, bool shows_byes)
{
    const struct report_data *data = view->data;
    const struct ranking_row *row = &data->rows[place];
    const struct report_team *team = &data->teams[row->team];
    int64_t faults = 0;
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        faults += team->faults[kind];
    }
    fputs("<tr><td class=\"strong\">", out);
    if (data->tournament.disqualifications[row->team].is_set) {
        fputs("–</td>", out);
    } else {
        fprintf(out, "%d</td>", row->place);
    }
    write_team(out, view, team);
    write_figures(out, view, place, RANKING_POINTS, RANKING_DIFFERENTIAL);
    fprintf(out, "<td>%d</td><td>%d</td>", row->drawn, row->lost);
    if (shows_byes) {
        fprintf(out, "<td>%d</td>", row->byes);
    }
    write_figures(out, view, place, RANKING_DIFFERENTIAL, RANKING_FIGURES);
    write_rating(out, &team->rating);
    write_count(out, faults);
    fputs("</tr>\n", out);
}

/* A reference has games and a rating, but no place and no figures. */
static void write_reference(FILE *out, const struct report_view *view, int index, bool shows_byes)
{
    const struct ranking_row *row = &view->data->rows[index];
    const struct report_team *team = &view->data->teams[row->team];
    fputs("<tr><td class=\"strong\">–</td>", out);
    write_team(out, view, team);
    fprintf(out, "<td class=\"strong\">–</td><td>%d</td><td>%d</td><td>%d</td>%s<td>", row->won,
            row->drawn, row->lost, shows_byes ? "<td>–</td>" : "");
    write_signed(out, row->scored - row->conceded);
    fputs("</td><td>–</td><td>–</td><td>–</td><td>–</td>", out);
    write_rating(out, &team->rating);
    write_count(out, 0);
    fputs("</tr>\n", out);
}

/* --- All --- */

/* All of a roster's own rules; nothing of the usual ones. */
static void write_rules(FILE *out, const struct ranking_rules *rules)
{
    if (ranking_rules_are_usual(rules)) {
        return;
    }
    fprintf(out,
            "A win gives %d point%s, a draw %d, a loss %d, each game of a bye %d. Teams with equal "
            "points are ordered by ",
            rules->win, rules->win == 1 ? "" : "s", rules->draw, rules->loss, rules->bye);
    for (int i = 0; i < rules->tie_break_count; i++) {
        fprintf(out, "%s, ", columns[rules->tie_breaks[i]].name);
    }
    fprintf(out, "%s%s. ", columns[RANKING_LOT].name,
            rules->tie_break_count ? ", in this order" : "");
}

static void write_hints(FILE *out, const struct report_data *data, bool shows_byes)
{
    bool is_usual = ranking_rules_are_usual(&data->roster.ranking);
    bool has_ties = false;
    for (int place = 1; place < data->roster.team_count; place++) {
        enum ranking_figure figure = data->rows[place].decided_by;
        has_ties |= figure != RANKING_POINTS && figure != RANKING_FIGURES;
    }
    fputs("<p class=\"hint\">", out);
    write_rules(out, &data->roster.ranking);
    if (has_ties) {
        fputs(is_usual ? "Teams with equal points are ordered by the columns from left to right; "
                         "the marked figure decided. "
                       : "The marked figure decided. ",
              out);
    }
    if (shows_byes) {
        fprintf(out, "A bye %s a team with the same points; it is not a game won.",
                is_usual ? "gives the points of a win, against" : "counts as games against");
    }
    fputs("</p>\n", out);
}

void report_standings_write(FILE *out, const struct report_view *view)
{
    bool shows_byes = has_byes(view->data);
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
          "aria-labelledby=\"h-standings\"><table id=\"t-standings\">\n",
          out);
    write_head(out, &view->data->roster.ranking, shows_byes);
    fputs("<tbody>\n", out);
    for (int place = 0; place < view->data->roster.team_count; place++) {
        write_row(out, view, place, shows_byes);
    }
    for (int i = view->data->roster.team_count; i < roster_entrant_count(&view->data->roster);
         i++) {
        write_reference(out, view, i, shows_byes);
    }
    fputs("</tbody></table></div>", out);
    write_hints(out, view->data, shows_byes);
}
