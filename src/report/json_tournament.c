#include "report/json_tournament.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/record.h"
#include "report/json_game.h"
#include "tournament/qualification.h"
#include "tournament/team_order.h"

const char *json_tournament_team(const struct json_tournament *view, int team)
{
    if (team == TOURNAMENT_RANDOM) {
        return "random";
    }
    return view->labels ? view->labels[team] : view->tournament->roster->teams[team].id;
}

/* "Team Z" is before "Team AA". */
static bool is_before(const char *label, const char *other)
{
    size_t length = strlen(label);
    size_t other_length = strlen(other);
    return length != other_length ? length < other_length : strcmp(label, other) < 0;
}

void json_tournament_order(const struct json_tournament *view, int *out)
{
    if (!view->labels) {
        team_order_list(view->tournament->roster, out);
        return;
    }
    for (int team = 0; team < view->tournament->roster->team_count; team++) {
        int at = team;
        while (at > 0 && is_before(view->labels[team], view->labels[out[at - 1]])) {
            out[at] = out[at - 1];
            at--;
        }
        out[at] = team;
    }
}

/* Only where the roster has its own. */
static void write_rules(struct json *json, const struct ranking_rules *rules)
{
    if (ranking_rules_are_usual(rules)) {
        return;
    }
    json_begin_object(json, "points");
    json_integer(json, "win", rules->win);
    json_integer(json, "draw", rules->draw);
    json_integer(json, "loss", rules->loss);
    json_integer(json, "bye", rules->bye);
    json_end(json);
    json_begin_array(json, "tiebreaks");
    for (int i = 0; i < rules->tie_break_count; i++) {
        json_string(json, NULL, ranking_figure_name(rules->tie_breaks[i]));
    }
    json_end(json);
}

void json_tournament_plan(struct json *json, const struct roster *roster)
{
    json_string(json, "name", roster->name);
    json_string(json, "game", roster->game->name);
    json_string(json, "format", roster_format_name(roster->format));
    json_integer(json, "rounds", roster->rounds);
    json_integer(json, "games_per_pairing", roster->games_per_pairing);
    json_integer(json, "team_count", roster->team_count);
    if (roster->reference_count) {
        json_begin_array(json, "references");
        for (int i = roster->team_count; i < roster_entrant_count(roster); i++) {
            json_string(json, NULL, roster->teams[roster_entrant(roster, i)].id);
        }
        json_end(json);
    }
    write_rules(json, &roster->ranking);
}

void json_tournament_head(struct json *json, const struct tournament *t)
{
    int64_t counts[GAME_CANCELLED + 1] = {0};
    for (size_t i = 0; i < t->game_count; i++) {
        counts[t->games[i].status]++;
    }
    json_tournament_plan(json, t->roster);
    json_integer(json, "played_games", counts[GAME_PLAYED]);
    json_integer(json, "annulled_games", counts[GAME_ANNULLED]);
    json_integer(json, "cancelled_games", counts[GAME_CANCELLED]);
    json_integer(json, "total_games", tournament_expected_games(t));
    json_bool(json, "over", tournament_is_over(t));
}

/* --- Standings. --- */

static void write_figures(struct json *json, const struct ranking_row *row)
{
    json_begin_object(json, "figures");
    for (int i = 0; i < RANKING_FIGURES; i++) {
        json_integer_or_null(json, ranking_figure_name((enum ranking_figure)i),
                             i != RANKING_DIRECT || row->has_direct, row->figures[i]);
    }
    json_end(json);
}

void json_tournament_standing(struct json *json, const struct json_tournament *view,
                              const struct ranking_row *row, bool is_qualified)
{
    const struct tournament *t = view->tournament;
    bool is_reference = roster_is_reference(t->roster, row->team);
    int withdrawn = t->withdrawn_after[row->team];
    const struct disqualification *disqualification = &t->disqualifications[row->team];
    json_integer_or_null(json, "place", !is_reference && !disqualification->is_set, row->place);
    json_string(json, "team", json_tournament_team(view, row->team));
    json_string(json, "name",
                view->labels ? view->labels[row->team] : t->roster->teams[row->team].name);
    json_integer(json, "played", row->played);
    json_integer(json, "won", row->won);
    json_integer(json, "drawn", row->drawn);
    json_integer(json, "lost", row->lost);
    json_integer(json, "byes", row->byes);
    json_integer(json, "scored", row->scored);
    json_integer(json, "conceded", row->conceded);
    if (is_reference) {
        json_null(json, "figures");
    } else {
        write_figures(json, row);
    }
    json_string(json, "decided_by",
                row->decided_by == RANKING_FIGURES ? NULL : ranking_figure_name(row->decided_by));
    json_bool(json, "qualified", is_qualified);
    json_integer_or_null(json, "withdrawn_after", withdrawn >= 0, withdrawn);
    json_string(json, "disqualified",
                !disqualification->is_set ? NULL
                : view->labels            ? "" /* the reason may name a person */
                                          : disqualification->reason.text);
    if (t->roster->teams[row->team].entered_after >= 0) {
        json_integer(json, "entered_after", t->roster->teams[row->team].entered_after);
    }
    if (!is_reference && t->qualifications[row->team].has_failed) {
        json_bool(json, "failed", true);
    }
    if (roster_refuses(t->roster, row->team)) {
        json_bool(json, "refused", true);
    }
    if (!is_qualified && qualification_never_moved(t, row->team)) {
        json_bool(json, "never_moved", true);
    }
    if (is_reference) {
        json_bool(json, "reference", true);
    }
}

void json_tournament_standings(struct json *json, const char *name,
                               const struct json_tournament *view, const struct ranking_row *rows)
{
    bool qualified[ROSTER_MAX_TEAMS];
    qualification_list(view->tournament, qualified);
    json_begin_array(json, name);
    const struct roster *roster = view->tournament->roster;
    for (int i = 0; i < roster_entrant_count(roster); i++) {
        bool is_qualified = i < roster->team_count && qualified[rows[i].team];
        json_begin_object(json, NULL);
        json_tournament_standing(json, view, &rows[i], is_qualified);
        json_end(json);
    }
    json_end(json);
}

int *json_tournament_cross_points(const struct tournament *t)
{
    size_t teams = (size_t)t->roster->slot_count;
    int *points = malloc(teams * teams * sizeof *points);
    for (size_t i = 0; points && i < teams * teams; i++) {
        points[i] = -1;
    }
    for (size_t i = 0; points && i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        for (int place = 0; game->status == GAME_PLAYED && place < 2; place++) {
            int *made = &points[(size_t)game->team[place] * teams + (size_t)game->team[1 - place]];
            *made = *made < 0 ? 0 : *made;
            *made += ranking_points(&t->roster->ranking, game->summary.outcome,
                                    game->summary.colour[place]);
        }
    }
    return points;
}

enum err json_tournament_crosstable(struct json *json, const struct tournament *t,
                                    const struct ranking_row *rows, struct note *why)
{
    size_t teams = (size_t)roster_entrant_count(t->roster);
    size_t slots = (size_t)t->roster->slot_count;
    int *points = json_tournament_cross_points(t);
    if (!points) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the cross-table");
    }
    json_begin_array(json, NULL);
    for (size_t i = 0; i < teams; i++) {
        json_begin_object(json, NULL);
        json_string(json, "team", t->roster->teams[rows[i].team].id);
        json_begin_object(json, "points_against");
        for (size_t k = 0; k < teams; k++) {
            int made = points[(size_t)rows[i].team * slots + (size_t)rows[k].team];
            if (made >= 0) {
                json_integer(json, t->roster->teams[rows[k].team].id, made);
            }
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
    free(points);
    return ERR_NONE;
}

/* --- Games. --- */

bool json_tournament_has_result(const struct tournament_game *game)
{
    return game->status == GAME_PLAYED || game->status == GAME_ANNULLED;
}

int json_tournament_black(const struct tournament_game *game)
{
    return game->summary.colour[0] == SIDE_WHITE ? 1 : 0;
}

static void write_judged(struct json *json, const struct game *rules,
                         const struct tournament_game *game, int place)
{
    if (game->summary.turns[place].judged == 0) {
        json_null(json, NULL);
        return;
    }
    json_begin_object(json, NULL);
    json_integer(json, rules->is_move_skippable ? "skipped" : "played",
                 game->summary.turns[place].judged);
    json_integer(json, "of", game->summary.turns[place].turns);
    json_end(json);
}

/* Pairs are Black's and White's. */
static void write_result(struct json *json, const struct game *rules,
                         const struct tournament_game *game, bool has_moments)
{
    int black = json_tournament_black(game);
    int white = 1 - black;
    json_string(json, "result", record_result_word(game->summary.outcome));
    json_pair(json, "score", game->summary.score[SIDE_BLACK], game->summary.score[SIDE_WHITE]);
    json_string(json, "reason", game->summary.reason);
    json_bool(json, "forfeit", game->summary.is_forfeit);
    json_integer(json, "plies", game->summary.plies);
    json_begin_array(json, "faults");
    for (int side = SIDE_BLACK; side <= SIDE_WHITE; side++) {
        int64_t counts[FAULT_KINDS];
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            counts[kind] = game->summary.faults[side == SIDE_BLACK ? black : white][kind];
        }
        json_game_fault_counts(json, NULL, counts);
    }
    json_end(json);
    json_begin_array(json, "judge_moves");
    for (int side = SIDE_BLACK; side <= SIDE_WHITE; side++) {
        write_judged(json, rules, game, side == SIDE_BLACK ? black : white);
    }
    json_end(json);
    json_pair(json, "thinking_ms", game->summary.thinking_ms[black],
              game->summary.thinking_ms[white]);
    json_pair(json, "slowest_ms", game->summary.slowest_ms[black], game->summary.slowest_ms[white]);
    json_integer_or_null(json, "started_ms", has_moments, game->started_ms);
    json_integer_or_null(json, "ended_ms", has_moments, game->ended_ms);
}

void json_tournament_game(struct json *json, const struct json_tournament *view,
                          const struct tournament_game *game, const int *running_black)
{
    static const char *const statuses[] = {
        [GAME_PLANNED] = "planned",   [GAME_TAKEN] = "planned",       [GAME_PLAYED] = "played",
        [GAME_ANNULLED] = "annulled", [GAME_CANCELLED] = "cancelled",
    };
    bool has_result = json_tournament_has_result(game);
    bool is_running = running_black && !has_result;
    int black = is_running ? *running_black : json_tournament_black(game);
    json_integer(json, "number", game->number + 1);
    json_integer(json, "round", game->round + 1);
    json_string(json, "status", is_running ? "running" : statuses[game->status]);
    json_string(json, "black", json_tournament_team(view, game->team[black]));
    json_string(json, "white", json_tournament_team(view, game->team[1 - black]));
    if (has_result) {
        write_result(json, view->tournament->roster->game, game, true);
    }
}

static bool is_bye(const struct ranking_game *game) { return game->team[1] == RANKING_NOBODY; }

static bool is_same_bye(const struct ranking_game *a, const struct ranking_game *b)
{
    return is_bye(a) && is_bye(b) && a->team[0] == b->team[0] && a->round == b->round;
}

enum err json_tournament_byes(struct json *json, const char *name,
                              const struct json_tournament *view, struct note *why)
{
    struct ranking_game *games = NULL;
    size_t count = 0;
    enum err err = tournament_counted(view->tournament, &games, &count, why);
    json_begin_array(json, name);
    for (size_t i = 0; !err && i < count;) {
        size_t next = i + 1;
        while (next < count && is_same_bye(&games[i], &games[next])) {
            next++;
        }
        if (is_bye(&games[i])) {
            json_begin_object(json, NULL);
            json_integer(json, "round", games[i].round + 1);
            json_string(json, "team", json_tournament_team(view, games[i].team[0]));
            json_integer(json, "games", (int64_t)(next - i));
            json_end(json);
        }
        i = next;
    }
    json_end(json);
    free(games);
    return err;
}

static void write_violation(struct json *json, const char *team, const struct violation *violation,
                            bool is_whole)
{
    json_begin_object(json, NULL);
    json_string(json, "team", team);
    json_string(json, "kind", violation_kind_name(violation->kind));
    json_string(json, "what", is_whole ? violation->what : NULL);
    json_integer(json, "count", violation->count);
    /* In the qualification teams play in the order of the roster. */
    json_integer_or_null(json, "first_ms", is_whole, violation->first_ms);
    json_end(json);
}

void json_tournament_violation(struct json *json, const struct json_tournament *view, int team,
                               const struct violation *violation, bool is_whole)
{
    write_violation(json, json_tournament_team(view, team), violation, is_whole);
}

void json_tournament_audit(struct json *json, const struct roster *roster,
                           const struct store_audit_entry *entry)
{
    bool has_team = entry->team >= 0 && entry->team < roster->team_count;
    json_begin_object(json, NULL);
    json_integer(json, "at_ms", entry->at_ms);
    json_string(json, "who", entry->who);
    json_string(json, "what", entry->what);
    json_integer_or_null(json, "game", entry->game >= 0, entry->game + 1);
    json_string(json, "team", has_team ? roster->teams[entry->team].id : NULL);
    json_string(json, "reason", entry->reason);
    json_end(json);
}

void json_tournament_machine(struct json *json, const struct store_machine *machine)
{
    json_begin_object(json, NULL);
    json_string(json, "machine", *machine->name ? machine->name : NULL);
    json_integer(json, "games", machine->games);
    json_integer(json, "set_aside", machine->set_aside);
    json_integer(json, "moves", machine->moves);
    json_integer(json, "late", machine->late);
    json_integer(json, "crashed", machine->crashed);
    json_integer(json, "refused", machine->counts.refused);
    json_integer(json, "returned", machine->counts.returned);
    json_integer(json, "lost", machine->counts.lost);
    json_string(json, "quarantine", machine->quarantine);
    json_end(json);
}

/* --- The qualification --- */

void json_tournament_qualification(struct json *json, const char *name,
                                   const struct json_tournament *view, bool shows_why)
{
    const struct tournament *t = view->tournament;
    bool is_qualified[ROSTER_MAX_TEAMS];
    int order[ROSTER_MAX_TEAMS];
    qualification_list(t, is_qualified);
    json_tournament_order(view, order);
    json_begin_array(json, name);
    for (int place = 0; qualification_is_on(t) && place < t->roster->team_count; place++) {
        int team = order[place];
        const struct qualification *own = &t->qualifications[team];
        struct note why;
        if (own->has_failed) {
            qualification_explain(t, team, &why);
        }
        json_begin_object(json, NULL);
        json_string(json, "team", json_tournament_team(view, team));
        json_bool(json, "qualified", is_qualified[team]);
        json_bool(json, "failed", own->has_failed);
        json_string(json, "why", own->has_failed && shows_why ? why.text : NULL);
        json_begin_array(json, "games");
        for (int i = 0; i < QUALIFICATION_GAMES; i++) {
            const struct tournament_game *game = &own->games[i];
            if (json_tournament_has_result(game)) {
                int black = json_tournament_black(game);
                json_begin_object(json, NULL);
                json_string(json, "black", json_tournament_team(view, game->team[black]));
                json_string(json, "white", json_tournament_team(view, game->team[1 - black]));
                write_result(json, view->tournament->roster->game, game, !view->labels);
                json_end(json);
            }
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

/* --- A match --- */

enum { TIME_DECIMALS = 3, ELO_DECIMALS = 3 };

static void write_player(struct json *json, const struct match_score *score, int player,
                         const char *name)
{
    struct match_times times = score->times[player];
    json_begin_object(json, NULL);
    json_string(json, "player", name);
    json_integer(json, "won", score->wins[player]);
    json_integer(json, "drawn", score->draws);
    json_integer(json, "lost", score->wins[1 - player] + score->both_lost);
    json_game_fault_counts(json, "faults", score->faults[player]);
    json_begin_object(json, "time_ms");
    json_fixed(json, "median", match_score_time_ms(&times, 0.5), TIME_DECIMALS);
    json_fixed(json, "p99", match_score_time_ms(&times, 0.99), TIME_DECIMALS);
    json_fixed(json, "max", match_score_time_ms(&times, 1), TIME_DECIMALS);
    json_end(json);
    json_end(json);
}

void json_tournament_match(struct json *json, const struct match_score *score,
                           const char *const names[2], const struct violation_list violations[2],
                           const char *records, size_t bytes)
{
    static const char *const verdicts[] = {"open", "H1", "H0"};
    struct elo_estimate elo = elo_estimate(&score->units);
    json_begin_object(json, NULL);
    json_integer(json, "games", score->games);
    json_begin_array(json, "players");
    write_player(json, score, 0, names[0]);
    write_player(json, score, 1, names[1]);
    json_end(json);
    json_fixed(json, "elo", elo.is_finite ? elo.elo : (double)INFINITY, ELO_DECIMALS);
    json_fixed(json, "elo_error", elo.is_finite ? elo.error : (double)INFINITY, ELO_DECIMALS);
    json_begin_array(json, "violations");
    for (int player = 0; player < 2; player++) {
        for (int i = 0; i < violations[player].count; i++) {
            write_violation(json, names[player], &violations[player].rows[i], true);
        }
    }
    json_end(json);
    json_copy(json, "records", records, bytes);
    if (score->has_sprt) {
        json_string(json, "sprt", verdicts[score->sprt]);
    }
    json_end(json);
}
