/* Long because each format has its own rounds, and commands, reports and pages their questions. */
#include "tournament/tournament.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tournament/qualification.h"
#include "tournament/schedule.h"

enum { MOST_ROUNDS = ROSTER_MAX_ROUNDS + 1 }; /* a round robin of all teams has no more */

static enum err refuse_memory(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "no memory for the games");
}

static bool is_bye(const struct tournament_pairing *pairing)
{
    return pairing->teams.team[1] == PAIRING_BYE;
}

static bool is_against_reference(const struct tournament *t, const int team[2])
{
    return roster_is_reference(t->roster, team[0]) || roster_is_reference(t->roster, team[1]);
}

bool tournament_is_out(const struct tournament *t, int team, int round)
{
    bool is_too_early =
        t->roster->format == ROSTER_SWISS && round < t->roster->teams[team].entered_after;
    return t->disqualifications[team].is_set || is_too_early ||
           (t->withdrawn_after[team] >= 0 && round >= t->withdrawn_after[team]);
}

static bool is_open(enum tournament_status status)
{
    return status == GAME_PLANNED || status == GAME_TAKEN;
}

static void set_status(struct tournament *t, struct tournament_game *game,
                       enum tournament_status status)
{
    size_t *open = game->phase == PHASE_ROUNDS ? &t->open_games : &t->qualifying_games;
    *open -= is_open(game->status);
    *open += is_open(status);
    game->status = status;
}

static bool needs_results(const struct roster *roster)
{
    return roster->format == ROSTER_SWISS || roster->format == ROSTER_KNOCKOUT;
}

/* --- Pairings and their games --- */

static bool make_room(void **list, size_t *capacity, size_t needed, size_t item_bytes)
{
    void *moved = array_reserve(*list, capacity, needed, item_bytes);
    *list = moved ? moved : *list;
    return moved;
}

/* The team that begins as Black unless an auction gives the colours: they take turns. */
static int planned_black(const struct tournament *t, const struct tournament_game *game)
{
    bool is_trial = game->phase == PHASE_QUALIFICATION;
    return (game->number - (is_trial ? 0 : t->pairings[game->pairing].first_game)) % 2;
}

static void plan_colours(const struct tournament *t, struct tournament_game *game)
{
    int black = planned_black(t, game);
    game->summary.colour[black] = SIDE_BLACK;
    game->summary.colour[1 - black] = SIDE_WHITE;
}

static void add_game(struct tournament *t, int pairing_index)
{
    const struct tournament_pairing *pairing = &t->pairings[pairing_index];
    struct tournament_game *game = &t->games[t->game_count];
    *game = (struct tournament_game){
        .number = (int)t->game_count++,
        .round = pairing->round,
        .pairing = pairing_index,
        .team = {pairing->teams.team[0], pairing->teams.team[1]},
        .status = GAME_PLANNED,
    };
    plan_colours(t, game);
    t->open_games++;
    if (tournament_is_out(t, game->team[0], game->round) ||
        tournament_is_out(t, game->team[1], game->round)) {
        set_status(t, game, GAME_CANCELLED);
    }
}

static enum err add_pairing(struct tournament *t, int round, const struct pairing *teams,
                            struct note *why)
{
    int games = teams->team[1] == PAIRING_BYE ? 0 : t->roster->games_per_pairing;
    if (!make_room((void **)&t->pairings, &t->pairing_capacity, t->pairing_count + 1,
                   sizeof *t->pairings) ||
        !make_room((void **)&t->games, &t->game_capacity, t->game_count + (size_t)games,
                   sizeof *t->games)) {
        return refuse_memory(why);
    }
    int index = (int)t->pairing_count++;
    t->pairings[index] = (struct tournament_pairing){round, *teams, (int)t->game_count, games};
    for (int i = 0; i < games; i++) {
        add_game(t, index);
    }
    t->rounds_paired = round + 1 > t->rounds_paired ? round + 1 : t->rounds_paired;
    return ERR_NONE;
}

/* With an odd number of games one team is Black more often. In an auction colours are bought. */
static bool has_odd_games(const struct roster *roster) { return roster->games_per_pairing % 2; }

/* Adds the games from this number on, in their order; those that are cancelled have no colours, and
 * those against references do not count. */
static void add_colours(const struct tournament *t, size_t from, struct pairing_colours *by_team)
{
    for (size_t i = from; i < t->game_count; i++) {
        bool counts =
            t->games[i].status != GAME_CANCELLED && !is_against_reference(t, t->games[i].team);
        int black = planned_black(t, &t->games[i]);
        for (int place = 0; counts && place < 2; place++) {
            pairing_colours_add(&by_team[t->games[i].team[place]],
                                place == black ? SIDE_BLACK : SIDE_WHITE);
        }
    }
}

/* `has_order`: it is known that the first of each pairing begins as Black. */
static enum err add_round(struct tournament *t, int round, const struct pairing *list, int count,
                          bool has_order, struct note *why)
{
    size_t first = t->pairing_count;
    bool has_choice = has_odd_games(t->roster) && !has_order;
    struct pairing_colours *colours = calloc((size_t)t->roster->slot_count, sizeof *colours);
    enum err err = colours ? ERR_NONE : refuse_memory(why);
    if (!err) {
        add_colours(t, 0, colours);
    }
    for (int i = 0; !err && i < count; i++) {
        struct pairing teams = has_choice ? pairing_in_order_of_colours(list[i], colours) : list[i];
        size_t before = t->game_count;
        err = add_pairing(t, round, &teams, why);
        add_colours(t, before, colours);
    }
    free(colours);
    if (!err && t->sink.on_round) {
        t->sink.on_round(t->sink.owner, round, first, (size_t)count);
    }
    return err;
}

/* --- Rounds --- */

/* Not paired: it has failed to qualify, or was handed in too late. */
static bool is_left_out(const struct tournament *t, int team)
{
    return t->qualifications[team].has_failed || roster_refuses(t->roster, team);
}

/* The teams that may be paired, in the order of the roster. */
static void list_entered(const struct tournament *t, int *out)
{
    int count = 0;
    for (int i = 0; i < t->roster->team_count; i++) {
        if (!is_left_out(t, i)) {
            out[count++] = i;
        }
    }
}

/* Of the teams that may be paired; `is_in` has room for all. */
static struct schedule make_schedule(const struct tournament *t, bool *is_in)
{
    for (int i = 0; i < t->roster->team_count; i++) {
        is_in[i] = !is_left_out(t, i);
    }
    return schedule_make(t->roster, is_in);
}

int tournament_rounds(const struct tournament *t)
{
    bool is_in[ROSTER_MAX_TEAMS] = {false};
    return make_schedule(t, is_in).rounds;
}

/* The games that the team at this place of those that entered lacks. */
static int pair_late_team(const struct roster *roster, int team, struct pairing *out)
{
    int opponents = roster->format == ROSTER_GAUNTLET ? 1 : team;
    for (int i = 0; i < opponents; i++) {
        out[i] = (struct pairing){{i, team}};
    }
    return opponents;
}

static enum err plan_schedule(struct tournament *t, struct pairing *room, struct note *why)
{
    const struct roster *roster = t->roster;
    int *teams = malloc((size_t)roster->team_count * sizeof *teams);
    enum err err = teams ? ERR_NONE : refuse_memory(why);
    bool is_in[ROSTER_MAX_TEAMS] = {false};
    const struct schedule schedule = make_schedule(t, is_in);
    int starters = schedule.starters;
    if (!err) {
        list_entered(t, teams);
    }
    for (int round = t->rounds_paired; !err && round < schedule.rounds; round++) {
        int late = round - (schedule.rounds - (schedule.teams - starters));
        int count = late >= 0 ? pair_late_team(roster, starters + late, room)
                    : roster->format == ROSTER_GAUNTLET
                        ? pairing_gauntlet(starters, 0, room)
                        : pairing_round_robin(starters, round, room);
        for (int i = 0; i < count; i++) {
            room[i] = (struct pairing){{teams[room[i].team[0]], teams[room[i].team[1]]}};
        }
        err = add_round(t, round, room, count, false, why);
    }
    free(teams);
    return err;
}

/* The teams that are still playing, best first. Returns how many. */
static int active_teams(const struct tournament *t, const struct ranking_row *rows, int *out)
{
    int count = 0;
    for (int i = 0; i < t->roster->team_count; i++) {
        if (!is_left_out(t, rows[i].team) &&
            !tournament_is_out(t, rows[i].team, t->rounds_paired)) {
            out[count++] = rows[i].team;
        }
    }
    return count;
}

static int active_count(const struct tournament *t, int round)
{
    int count = 0;
    for (int i = 0; i < t->roster->team_count; i++) {
        count += !is_left_out(t, i) && !tournament_is_out(t, i, round);
    }
    return count;
}

static enum err plan_swiss(struct tournament *t, struct pairing *room, struct note *why)
{
    size_t teams = (size_t)t->roster->slot_count;
    struct ranking_row *rows = malloc(teams * sizeof *rows);
    int *ranked = malloc(teams * sizeof *ranked);
    struct pairing *history = malloc((t->pairing_count + 1) * sizeof *history);
    bool cannot_start[ROSTER_MAX_TEAMS];
    struct pairing_colours *colours = calloc(teams, sizeof *colours);
    bool do_colours_count = has_odd_games(t->roster) && !t->roster->rules.judge.has_auction;
    qualification_settle(t);
    enum err err = rows && ranked && history && colours ? tournament_standings(t, rows, why)
                                                        : refuse_memory(why);
    if (!err) {
        int count = active_teams(t, rows, ranked);
        for (size_t i = 0; i < t->pairing_count; i++) {
            history[i] = t->pairings[i].teams;
        }
        const struct pairing_swiss_round round = {
            .ranked = ranked,
            .count = count,
            .history = history,
            .history_count = t->pairing_count,
            .cannot_start = cannot_start,
            .colours = do_colours_count ? colours : NULL,
            .rounds_left = tournament_rounds(t) - t->rounds_paired,
            .games = t->roster->games_per_pairing,
        };
        add_colours(t, 0, colours);
        tournament_cannot_start(t, cannot_start);
        err = pairing_swiss(&round, room, why);
        err = err ? err
                  : add_round(t, t->rounds_paired, room, (count + 1) / 2, do_colours_count, why);
    }
    free(colours);
    free(history);
    free(ranked);
    free(rows);
    return err;
}

static struct ranking_game counted_game(const struct tournament_game *game)
{
    struct ranking_game counted = {
        .score = {game->summary.score[0], game->summary.score[1]},
        .outcome = game->summary.outcome,
        .round = game->round,
    };
    counted.team[game->summary.colour[0]] = game->team[0];
    counted.team[game->summary.colour[1]] = game->team[1];
    return counted;
}

/* The team that continues after a pairing of a knockout whose games are over. */
static int winner_of(const struct tournament *t, const struct tournament_pairing *pairing)
{
    const int *team = pairing->teams.team;
    struct ranking_game counted[ROSTER_MAX_GAMES_PER_PAIRING];
    size_t count = 0;
    if (is_bye(pairing)) {
        return team[0];
    }
    if (t->disqualifications[team[0]].is_set != t->disqualifications[team[1]].is_set) {
        return team[t->disqualifications[team[0]].is_set];
    }
    for (int i = 0; i < pairing->games; i++) {
        const struct tournament_game *game = &t->games[pairing->first_game + i];
        if (game->status == GAME_CANCELLED) {
            return tournament_is_out(t, team[0], pairing->round) ? team[1] : team[0];
        }
        if (game->status == GAME_PLAYED) {
            counted[count++] = counted_game(game);
        }
    }
    return pairing_knockout_winner(&pairing->teams, counted, count, team[0] < team[1]);
}

/* The order of the roster. Teams that cannot start are last: the best seeds have byes. Returns how
 * many there are. */
static int list_seeds(const struct tournament *t, int *out)
{
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < t->roster->team_count; i++) {
            if (t->is_absent[i] == (pass == 1) && !is_left_out(t, i)) {
                out[count++] = i;
            }
        }
    }
    return count;
}

static enum err plan_knockout(struct tournament *t, struct pairing *room, struct note *why)
{
    int *teams = malloc((size_t)t->roster->team_count * sizeof *teams);
    int count = 0;
    if (!teams) {
        return refuse_memory(why);
    }
    if (t->rounds_paired == 0) {
        count = pairing_knockout_first(teams, list_seeds(t, teams), room);
    } else {
        for (size_t i = 0; i < t->pairing_count; i++) {
            if (t->pairings[i].round == t->rounds_paired - 1) {
                teams[count++] = winner_of(t, &t->pairings[i]);
            }
        }
        count = pairing_knockout_next(teams, count, room);
    }
    enum err err = add_round(t, t->rounds_paired, room, count, false, why);
    free(teams);
    return err;
}

/* Whether another round can be paired now. A swiss tournament ends when one team is left. */
static bool has_round_to_plan(const struct tournament *t)
{
    if (t->rounds_paired >= tournament_rounds(t) || (needs_results(t->roster) && t->open_games)) {
        return false;
    }
    return t->roster->format != ROSTER_SWISS || active_count(t, t->rounds_paired) >= 2;
}

/* --- References --- */

/* The pairings of teams and references that are still to be made: each team meets each of them
 * once, in the last round. A team that failed to qualify is not paired, nor is one that is out of a
 * swiss tournament. `out` may be NULL. Returns how many; -1: no memory. */
static int list_reference_pairings(const struct tournament *t, struct pairing *out)
{
    const struct roster *roster = t->roster;
    int count = 0;
    bool *has_met = calloc((size_t)roster->team_count * ROSTER_MAX_REFERENCES, sizeof *has_met);
    if (!has_met) {
        return -1;
    }
    for (size_t i = 0; i < t->pairing_count; i++) {
        const int *team = t->pairings[i].teams.team;
        if (!is_bye(&t->pairings[i]) && roster_is_reference(roster, team[1])) {
            has_met[team[0] * ROSTER_MAX_REFERENCES + ROSTER_MAX_TEAMS - 1 - team[1]] = true;
        } else if (roster_is_reference(roster, team[0])) {
            has_met[team[1] * ROSTER_MAX_REFERENCES + ROSTER_MAX_TEAMS - 1 - team[0]] = true;
        }
    }
    for (int k = 0; k < roster->reference_count; k++) {
        for (int i = 0; i < roster->team_count; i++) {
            bool is_unpaired = is_left_out(t, i) || (roster->format == ROSTER_SWISS &&
                                                     tournament_is_out(t, i, roster->rounds - 1));
            if (has_met[i * ROSTER_MAX_REFERENCES + k] || is_unpaired) {
                continue;
            }
            if (out) {
                out[count] = (struct pairing){{i, roster_entrant(roster, roster->team_count + k)}};
            }
            count++;
        }
    }
    free(has_met);
    return count;
}

/* They come after the last round has its pairings, so nothing that counts depends on them. */
static bool may_plan_references(const struct tournament *t)
{
    return t->roster->reference_count && !t->has_reference_games && t->rounds_paired > 0 &&
           t->rounds_paired == tournament_rounds(t);
}

static enum err plan_references(struct tournament *t, struct note *why)
{
    size_t most = (size_t)t->roster->team_count * (size_t)t->roster->reference_count;
    struct pairing *list = malloc((most + 1) * sizeof *list);
    int count = list ? list_reference_pairings(t, list) : -1;
    enum err err = count < 0 ? refuse_memory(why) : ERR_NONE;
    if (!err && count) {
        err = add_round(t, t->rounds_paired - 1, list, count, false, why);
    }
    t->has_reference_games = !err;
    free(list);
    return err;
}

/* --- Public --- */

enum err tournament_init(struct tournament *t, const struct roster *roster,
                         const struct tournament_sink *sink, struct note *why)
{
    *t = (struct tournament){.roster = roster};
    if (sink) {
        t->sink = *sink;
    }
    t->withdrawn_after = malloc((size_t)roster->slot_count * sizeof *t->withdrawn_after);
    t->disqualifications = calloc((size_t)roster->slot_count, sizeof *t->disqualifications);
    t->is_absent = malloc((size_t)roster->slot_count * sizeof *t->is_absent);
    t->qualifications = malloc((size_t)roster->team_count * sizeof *t->qualifications);
    if (!t->withdrawn_after || !t->disqualifications || !t->is_absent || !t->qualifications) {
        tournament_free(t);
        return refuse_memory(why);
    }
    qualification_init(t);
    for (int i = 0; i < roster->slot_count; i++) {
        t->withdrawn_after[i] = i < roster->team_count ? roster->teams[i].withdrawn_after : -1;
        t->is_absent[i] = roster->teams[i].no_program[0];
    }
    return ERR_NONE;
}

void tournament_free(struct tournament *t)
{
    free(t->withdrawn_after);
    free(t->disqualifications);
    free(t->is_absent);
    free(t->qualifications);
    free(t->pairings);
    free(t->games);
    *t = (struct tournament){0};
}

static bool is_entrant(const struct roster *roster, int team)
{
    bool is_reference =
        team >= ROSTER_MAX_TEAMS - roster->reference_count && team < ROSTER_MAX_TEAMS;
    return (team >= 0 && team < roster->team_count) || is_reference;
}

enum err tournament_restore_pairing(struct tournament *t, int round, const struct pairing *teams,
                                    struct note *why)
{
    if (!is_entrant(t->roster, teams->team[0]) ||
        (teams->team[1] != PAIRING_BYE && !is_entrant(t->roster, teams->team[1])) || round < 0 ||
        round >= t->roster->rounds) {
        return note_fail(why, ERR_INPUT,
                         "pairing %zu is between teams or in a round that the roster does not have",
                         t->pairing_count + 1);
    }
    return add_pairing(t, round, teams, why);
}

struct tournament_game *tournament_find_game(const struct tournament *t,
                                             enum tournament_phase phase, int number)
{
    if (phase == PHASE_QUALIFICATION) {
        return qualification_find_game(t, number);
    }
    return number >= 0 && (size_t)number < t->game_count ? &t->games[number] : NULL;
}

enum err tournament_restore_game(struct tournament *t, const struct tournament_game *game,
                                 struct note *why)
{
    struct tournament_game *own = tournament_find_game(t, game->phase, game->number);
    if (!own) {
        return note_fail(why, ERR_INPUT, "game %d belongs to no pairing", game->number + 1);
    }
    struct tournament_game kept = *game;
    kept.round = own->round;
    kept.pairing = own->pairing;
    memcpy(kept.team, own->team, sizeof kept.team);
    kept.status = own->status;
    *own = kept;
    if (game->status != GAME_PLANNED) {
        set_status(t, own, game->status);
    } else {
        plan_colours(t, own);
    }
    t->is_qualification_begun |= game->phase == PHASE_QUALIFICATION;
    return ERR_NONE;
}

void tournament_restore_withdrawal(struct tournament *t, int team, int rounds)
{
    t->withdrawn_after[team] = rounds < ROSTER_MAX_ROUNDS ? rounds : -1;
    for (size_t i = 0; i < t->game_count; i++) {
        struct tournament_game *game = &t->games[i];
        bool is_in_it = game->team[0] == team || game->team[1] == team;
        if (is_in_it && game->status == GAME_PLANNED && game->round >= rounds) {
            set_status(t, game, GAME_CANCELLED);
        }
    }
}

/* Whether it was not played only because this team has withdrawn. */
static bool is_cancelled_by(const struct tournament *t, const struct tournament_game *game,
                            int team)
{
    int place = game->team[1] == team;
    return game->status == GAME_CANCELLED && game->team[place] == team &&
           !t->disqualifications[team].is_set &&
           !tournament_is_out(t, game->team[1 - place], game->round);
}

int tournament_cancelled_by(const struct tournament *t, int team)
{
    int count = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        count += is_cancelled_by(t, &t->games[i], team);
    }
    return count;
}

enum err tournament_refuse_rejoin(const struct tournament *t, int team, struct note *why)
{
    const char *id = t->roster->teams[team].id;
    if (t->withdrawn_after[team] < 0) {
        return note_fail(why, ERR_NEGATIVE, "team %.40s has not withdrawn", id);
    }
    for (size_t i = 0; t->roster->format == ROSTER_KNOCKOUT && i < t->game_count; i++) {
        if (is_cancelled_by(t, &t->games[i], team) && t->games[i].round + 1 < t->rounds_paired) {
            return note_fail(why, ERR_NEGATIVE,
                             "team %.40s cannot be taken back: round %d is paired without it", id,
                             t->games[i].round + 2);
        }
    }
    return ERR_NONE;
}

void tournament_restore_disqualification(struct tournament *t, int team,
                                         enum disqualified_games games, const char *reason)
{
    struct disqualification *disqualification = &t->disqualifications[team];
    disqualification->is_set = true;
    disqualification->keeps_games = games == DISQUALIFIED_GAMES_BY_ROSTER
                                        ? t->roster->keeps_disqualified_games
                                        : games == DISQUALIFIED_GAMES_KEEP;
    snprintf(disqualification->reason.text, sizeof disqualification->reason.text, "%s", reason);
    for (size_t i = 0; i < t->game_count; i++) {
        struct tournament_game *game = &t->games[i];
        if (game->team[0] != team && game->team[1] != team) {
            continue;
        }
        if (game->status == GAME_PLANNED) {
            set_status(t, game, GAME_CANCELLED);
        } else if (game->status == GAME_PLAYED && !disqualification->keeps_games) {
            set_status(t, game, GAME_ANNULLED);
            game->is_voided = true;
        }
    }
}

void tournament_set_absent(struct tournament *t, int team, bool is_absent)
{
    t->is_absent[team] = is_absent;
}

enum err tournament_plan(struct tournament *t, struct note *why)
{
    if (t->qualifying_games) {
        return ERR_NONE;
    }
    size_t most = (size_t)t->roster->team_count + 1; /* pairings in a round */
    struct pairing *room = malloc(most * sizeof *room);
    enum err err = room ? ERR_NONE : refuse_memory(why);
    while (!err && has_round_to_plan(t)) {
        switch (t->roster->format) {
        case ROSTER_SWISS:
            err = plan_swiss(t, room, why);
            break;
        case ROSTER_KNOCKOUT:
            err = plan_knockout(t, room, why);
            break;
        default:
            err = plan_schedule(t, room, why);
        }
    }
    if (!err && may_plan_references(t)) {
        err = plan_references(t, why);
    }
    free(room);
    return err;
}

/* The first game to play; NULL: there is none now. */
static const struct tournament_game *find_planned(struct tournament *t)
{
    if (t->qualifying_games) {
        return qualification_find_planned(t);
    }
    while (t->next_game < t->game_count && t->games[t->next_game].status != GAME_PLANNED) {
        t->next_game++;
    }
    return t->next_game < t->game_count ? &t->games[t->next_game] : NULL;
}

/* NULL: there is none, or its phase is not played now. */
static const struct tournament_pairing *find_pairing(const struct tournament *t,
                                                     enum tournament_phase phase, int index)
{
    bool is_qualification = phase == PHASE_QUALIFICATION;
    size_t count = is_qualification ? (size_t)t->roster->team_count : t->pairing_count;
    if (is_qualification != (t->qualifying_games > 0) || index < 0 || (size_t)index >= count) {
        return NULL;
    }
    return is_qualification ? &t->qualifications[index].pairing : &t->pairings[index];
}

static struct tournament_game *game_of(const struct tournament *t,
                                       const struct tournament_work *work, int index)
{
    return tournament_find_game(t, work->phase, work->first_game + index);
}

bool tournament_next(struct tournament *t, struct tournament_work *out)
{
    const struct tournament_game *first = find_planned(t);
    if (!first) {
        return false;
    }
    const struct tournament_pairing *pairing = find_pairing(t, first->phase, first->pairing);
    struct tournament_work work = {
        .phase = first->phase,
        .pairing = first->pairing,
        .round = pairing->round,
        .team = {pairing->teams.team[0], pairing->teams.team[1]},
        .first_game = pairing->first_game,
        .from = first->number - pairing->first_game,
    };
    work.to = work.from;
    while (work.to < pairing->games && game_of(t, &work, work.to)->status == GAME_PLANNED) {
        set_status(t, game_of(t, &work, work.to++), GAME_TAKEN);
    }
    *out = work;
    return true;
}

bool tournament_take(struct tournament *t, const struct tournament_work *work)
{
    const struct tournament_pairing *pairing = find_pairing(t, work->phase, work->pairing);
    bool is_planned =
        pairing && work->round == pairing->round && work->first_game == pairing->first_game &&
        work->team[0] == pairing->teams.team[0] && work->team[1] == pairing->teams.team[1] &&
        work->from >= 0 && work->from < work->to && work->to <= pairing->games;
    for (int i = work->from; is_planned && i < work->to; i++) {
        is_planned = game_of(t, work, i)->status == GAME_PLANNED;
    }
    for (int i = work->from; is_planned && i < work->to; i++) {
        set_status(t, game_of(t, work, i), GAME_TAKEN);
    }
    return is_planned;
}

void tournament_untake(struct tournament *t, const struct tournament_work *work)
{
    size_t first = (size_t)(work->first_game + work->from);
    for (int i = work->from; i < work->to; i++) {
        set_status(t, game_of(t, work, i), GAME_PLANNED);
    }
    if (work->phase == PHASE_ROUNDS && t->next_game > first) {
        t->next_game = first;
    }
}

struct tournament_game tournament_note_result(struct tournament *t,
                                              const struct tournament_work *work,
                                              const struct finished_game *finished,
                                              int64_t ended_ms)
{
    struct tournament_game game = *game_of(t, work, finished->index);
    game.summary = finished->summary;
    game_summary_count_turns(&game.summary, finished->record, t->roster->game);
    game.started_ms = ended_ms - finished->duration_ms;
    game.ended_ms = ended_ms;
    if (game.phase == PHASE_QUALIFICATION && finished->fault_count) {
        const struct game_fault *last = &finished->fault_list[finished->fault_count - 1];
        qualification_keep_fault(t, game.number, last->why.text);
    }
    return game;
}

void tournament_finish_game(struct tournament *t, const struct tournament_game *game)
{
    struct tournament_game *own = tournament_find_game(t, game->phase, game->number);
    assert(own->status == GAME_TAKEN && own->attempt == game->attempt);
    enum tournament_status before = own->status;
    *own = *game;
    own->status = before;
    set_status(t, own, GAME_PLAYED);
    if (own->phase == PHASE_QUALIFICATION && !t->qualifying_games) {
        qualification_settle(t);
        if (t->sink.on_qualified) {
            t->sink.on_qualified(t->sink.owner);
        }
    }
}

size_t tournament_count(const struct tournament *t, enum tournament_status status)
{
    size_t count = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        count += t->games[i].status == status;
    }
    return count;
}

size_t tournament_voided(const struct tournament *t)
{
    size_t count = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        count += t->games[i].is_voided;
    }
    return count;
}

int tournament_round(const struct tournament *t)
{
    for (size_t i = 0; i < t->game_count; i++) {
        if (t->games[i].status == GAME_PLANNED || t->games[i].status == GAME_TAKEN) {
            return t->games[i].round + 1;
        }
    }
    return t->rounds_paired;
}

static bool has_team(const struct tournament_game *game, int team)
{
    return game->team[0] == team || game->team[1] == team;
}

int tournament_rounds_so_far(const struct tournament *t, int team)
{
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        if (has_team(game, team) && game->status == GAME_PLANNED &&
            !is_against_reference(t, game->team)) {
            return game->round;
        }
    }
    return t->rounds_paired;
}

int tournament_last_played_round(const struct tournament *t, int team)
{
    int last = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        if (has_team(game, team) && game->status == GAME_PLAYED && game->round + 1 > last &&
            !is_against_reference(t, game->team)) {
            last = game->round + 1;
        }
    }
    return last;
}

bool tournament_is_annulled(const struct tournament *t, const struct tournament_pairing *pairing)
{
    for (int i = 0; i < pairing->games; i++) {
        if (t->games[pairing->first_game + i].status != GAME_ANNULLED) {
            return false;
        }
    }
    return pairing->games > 0;
}

bool tournament_is_over(const struct tournament *t)
{
    return t->qualifying_games == 0 && t->open_games == 0 && !has_round_to_plan(t) &&
           !(may_plan_references(t) && list_reference_pairings(t, NULL) != 0);
}

bool tournament_has_left(const struct tournament *t, int team)
{
    if (!tournament_is_out(t, team, tournament_rounds(t) - 1)) {
        return false;
    }
    if (tournament_is_over(t)) {
        return true;
    }
    for (size_t i = 0; i < t->game_count; i++) {
        if (has_team(&t->games[i], team) && is_open(t->games[i].status)) {
            return false;
        }
    }
    return tournament_is_out(t, team, t->rounds_paired);
}

enum err tournament_refuse_entry(const struct tournament *t, struct note *why)
{
    if (t->roster->format == ROSTER_KNOCKOUT) {
        return note_fail(why, ERR_NEGATIVE, "the bracket of a knockout is made at its start");
    }
    if (t->roster->format == ROSTER_SWISS && t->rounds_paired == t->roster->rounds) {
        return note_fail(why, ERR_NEGATIVE, "the pairings of the last round, %d, are made",
                         t->roster->rounds);
    }
    return ERR_NONE;
}

int64_t tournament_total_games(const struct roster *roster)
{
    const struct schedule schedule = schedule_make(roster, NULL);
    return schedule_games(&schedule);
}

int64_t tournament_expected_games(const struct tournament *t)
{
    if (t->roster->format != ROSTER_SWISS) {
        bool is_in[ROSTER_MAX_TEAMS] = {false};
        const struct schedule schedule = make_schedule(t, is_in);
        return schedule_games(&schedule);
    }
    int64_t pairings = 0;
    for (int round = t->rounds_paired; round < t->roster->rounds; round++) {
        pairings += active_count(t, round) / 2;
    }
    if (t->rounds_paired < t->roster->rounds) {
        pairings += (int64_t)active_count(t, t->roster->rounds - 1) * t->roster->reference_count;
    } else if (may_plan_references(t)) {
        int left = list_reference_pairings(t, NULL);
        pairings += left > 0 ? left : 0;
    }
    return (int64_t)t->game_count + pairings * t->roster->games_per_pairing;
}

bool tournament_is_unstarted(const struct tournament_game *game)
{
    return game->summary.is_forfeit && (strcmp(game->summary.reason, "no-start") == 0 ||
                                        strcmp(game->summary.reason, "both-absent") == 0);
}

static bool has_started(const struct tournament_game *game, int place)
{
    enum outcome win = game->summary.colour[place] == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    return !tournament_is_unstarted(game) || game->summary.outcome == win;
}

bool tournament_is_reference_game(const struct tournament *t, const struct tournament_game *game)
{
    return is_against_reference(t, game->team);
}

static bool counts(const struct tournament *t, const struct tournament_game *game)
{
    return game->status == GAME_PLAYED && !is_against_reference(t, game->team);
}

void tournament_cannot_start(const struct tournament *t, bool *out)
{
    for (int i = 0; i < t->roster->team_count; i++) {
        out[i] = t->is_absent[i];
    }
    for (size_t i = 0; i < t->game_count; i++) { /* a team that has played … */
        const struct tournament_game *game = &t->games[i];
        for (int place = 0; counts(t, game) && place < 2; place++) {
            out[game->team[place]] = true;
        }
    }
    for (size_t i = 0; i < t->game_count; i++) { /* … must have started once */
        const struct tournament_game *game = &t->games[i];
        for (int place = 0; counts(t, game) && place < 2; place++) {
            if (has_started(game, place)) {
                out[game->team[place]] = false;
            }
        }
    }
}

static struct ranking_game bye_game(int team, int round)
{
    return (struct ranking_game){
        .team = {team, RANKING_NOBODY}, .outcome = OUTCOME_BLACK, .round = round};
}

/* Where all teams meet, a void game is void for all opponents alike, played or not. */
static bool is_void(const struct tournament *t, const struct tournament_game *game)
{
    bool has_void_games = false;
    for (int place = 0; place < 2; place++) {
        const struct disqualification *own = &t->disqualifications[game->team[place]];
        has_void_games |= own->is_set && !own->keeps_games;
    }
    return has_void_games && !needs_results(t->roster);
}

/* Rounds in which all games that were to be played are annulled, not only void: they count for no
 * team, and those that had nothing to play get nothing for them either. */
static void find_annulled_rounds(const struct tournament *t, bool *out)
{
    bool has_other[MOST_ROUNDS] = {false};
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        bool is_annulled = game->status == GAME_ANNULLED && !game->is_voided;
        if (game->status != GAME_CANCELLED && !is_against_reference(t, game->team)) {
            out[game->round] |= is_annulled;
            has_other[game->round] |= !is_annulled;
        }
    }
    for (int round = 0; round < t->rounds_paired; round++) {
        out[round] &= !has_other[round];
    }
}

enum err tournament_counted(const struct tournament *t, struct ranking_game **out, size_t *count,
                            struct note *why)
{
    size_t per_bye = (size_t)t->roster->games_per_pairing;
    struct ranking_game *list =
        malloc((t->game_count + t->pairing_count * per_bye + 1) * sizeof *list);
    size_t used = 0;
    bool cannot_start[ROSTER_MAX_TEAMS];
    bool is_annulled[MOST_ROUNDS] = {false};
    if (!list) {
        return refuse_memory(why);
    }
    tournament_cannot_start(t, cannot_start);
    find_annulled_rounds(t, is_annulled);
    for (size_t i = 0; i < t->pairing_count; i++) {
        int team = t->pairings[i].teams.team[0];
        bool is_counted =
            is_bye(&t->pairings[i]) && !cannot_start[team] && !is_annulled[t->pairings[i].round];
        for (size_t j = 0; is_counted && j < per_bye; j++) {
            list[used++] = bye_game(team, t->pairings[i].round);
        }
    }
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        bool is_cancelled = game->status == GAME_CANCELLED && !is_against_reference(t, game->team);
        if (counts(t, game)) {
            list[used++] = counted_game(game);
        }
        is_cancelled = is_cancelled && !is_annulled[game->round];
        for (int side = 0; is_cancelled && side < 2; side++) {
            if (!tournament_is_out(t, game->team[side], game->round) && !is_void(t, game) &&
                !cannot_start[game->team[side]]) {
                list[used++] = bye_game(game->team[side], game->round);
            }
        }
    }
    *out = list;
    *count = used;
    return ERR_NONE;
}

enum err tournament_rated(const struct tournament *t, struct ranking_game **out, size_t *count,
                          struct note *why)
{
    struct ranking_game *list = malloc((t->game_count + 1) * sizeof *list);
    size_t used = 0;
    if (!list) {
        return refuse_memory(why);
    }
    for (size_t i = 0; i < t->game_count; i++) {
        if (t->games[i].status != GAME_PLAYED) {
            continue;
        }
        struct ranking_game *game = &list[used++];
        *game = counted_game(&t->games[i]);
        for (int side = 0; side < 2; side++) {
            if (roster_is_reference(t->roster, game->team[side])) {
                game->team[side] = t->roster->team_count + ROSTER_MAX_TEAMS - 1 - game->team[side];
            }
        }
    }
    *out = list;
    *count = used;
    return ERR_NONE;
}

/* In a knockout the teams that came further rank higher; elsewhere those that have left are last,
 * as are teams that are not paired. Disqualified teams are below all others. */
static void set_tiers(const struct tournament *t, int *tiers)
{
    bool is_knockout = t->roster->format == ROSTER_KNOCKOUT;
    for (int i = 0; i < t->roster->team_count; i++) {
        tiers[i] = is_left_out(t, i) || (!is_knockout && tournament_has_left(t, i)) ? -1 : 0;
    }
    for (size_t i = 0; is_knockout && i < t->pairing_count; i++) {
        const struct tournament_pairing *pairing = &t->pairings[i];
        if (is_against_reference(t, pairing->teams.team)) {
            continue;
        }
        for (int side = 0; side < 2 - is_bye(pairing); side++) {
            tiers[pairing->teams.team[side]] = pairing->round;
        }
        if (t->open_games == 0 || pairing->round + 1 < t->rounds_paired) {
            tiers[winner_of(t, pairing)] = pairing->round + 1;
        }
    }
    for (int i = 0; i < t->roster->team_count; i++) {
        tiers[i] = t->disqualifications[i].is_set ? -2 : tiers[i];
    }
}

/* What a reference did; it has no place and no figures. */
static void fill_reference_row(const struct tournament *t, int team, struct ranking_row *row)
{
    *row = (struct ranking_row){.team = team, .decided_by = RANKING_FIGURES};
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        if (game->status != GAME_PLAYED || !has_team(game, team)) {
            continue;
        }
        enum side side = game->summary.colour[game->team[0] == team ? 0 : 1];
        enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        row->played++;
        row->won += game->summary.outcome == win;
        row->drawn += game->summary.outcome == OUTCOME_DRAW;
        row->lost += game->summary.outcome != win && game->summary.outcome != OUTCOME_DRAW;
        row->scored += game->summary.score[side];
        row->conceded += game->summary.score[side_other(side)];
    }
}

enum err tournament_standings(const struct tournament *t, struct ranking_row *rows,
                              struct note *why)
{
    struct ranking_game *games = NULL;
    size_t count = 0;
    int *tiers = malloc((size_t)t->roster->team_count * sizeof *tiers);
    enum err err = tiers ? tournament_counted(t, &games, &count, why) : refuse_memory(why);
    if (!err) {
        set_tiers(t, tiers);
        err = ranking_make(t->roster->team_count, &t->roster->ranking, tiers, games, count,
                           t->roster->seed, rows, why);
    }
    for (int i = t->roster->team_count; !err && i < roster_entrant_count(t->roster); i++) {
        fill_reference_row(t, roster_entrant(t->roster, i), &rows[i]);
    }
    free(games);
    free(tiers);
    return err;
}
