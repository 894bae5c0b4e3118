#include "tournament/qualification.h"

#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "judge/record_turns.h"

bool qualification_is_own_forfeit(const struct tournament_game *game, int place)
{
    enum outcome win = game->summary.colour[place] == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    return game->summary.is_forfeit && game->summary.outcome != win;
}

/* --- What a game shows --- */

/* Its turns in which the judge moved for it. Where a late move counts, it is its own. */
static int replaced_turns(const struct game *rules, const int faults[FAULT_KINDS])
{
    int turns = 0;
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        turns += rules->penalties[kind] == PENALTY_REPLACE ? faults[kind] : 0;
    }
    return turns;
}

static int own_turns(const struct tournament_game *game, int place)
{
    return (game->summary.plies + (game->summary.colour[place] == SIDE_BLACK)) / 2;
}

/* Where the judge replaces moves the sides take turns, so half of the plies are its own. */
static bool has_moved_itself(const struct game *rules, const struct tournament_game *game,
                             int place)
{
    int replaced = replaced_turns(rules, game->summary.faults[place]);
    return (int64_t)replaced * 10 <= (int64_t)own_turns(game, place) * 9;
}

/* What a game shows about a program; a later value outweighs an earlier one. A win because the
 * opponent never started proves little, so it counts only if there is nothing else. */
enum game_showing { SHOWED_UP, SHOWED_NOTHING, COMPLETED, SHOWINGS };

static enum game_showing showing_of(const struct game *rules, const struct tournament_game *game,
                                    int place)
{
    const int *faults = game->summary.faults[place];
    if (qualification_is_own_forfeit(game, place) || faults[FAULT_CRASHED] ||
        faults[FAULT_MALFORMED] || faults[FAULT_HOSTILE]) {
        return SHOWED_NOTHING;
    }
    if (game->summary.is_forfeit && game->summary.plies < 2) {
        return SHOWED_UP;
    }
    return has_moved_itself(rules, game, place) ? COMPLETED : SHOWED_NOTHING;
}

/* By team, whether it is disqualified or not. */
static void list_completed(const struct tournament *t, bool *out)
{
    const struct game *rules = t->roster->game;
    memset(out, 0, (size_t)t->roster->team_count * sizeof *out);
    for (int showing = 0; showing < SHOWINGS; showing++) {
        for (size_t i = 0; i < t->game_count; i++) {
            const struct tournament_game *game = &t->games[i];
            bool has_result = (game->status == GAME_PLAYED || game->is_voided) &&
                              !tournament_is_reference_game(t, game);
            for (int place = 0; has_result && place < 2; place++) {
                if ((int)showing_of(rules, game, place) == showing) {
                    out[game->team[place]] = showing != SHOWED_NOTHING;
                }
            }
        }
    }
    for (int team = 0; team < t->roster->team_count; team++) {
        for (int i = 0; i < QUALIFICATION_GAMES; i++) {
            const struct tournament_game *game = &t->qualifications[team].games[i];
            out[team] |= game->status == GAME_PLAYED && showing_of(rules, game, 0) == COMPLETED;
        }
    }
}

int qualification_list(const struct tournament *t, bool *out)
{
    int qualified = 0;
    list_completed(t, out);
    for (int i = 0; i < t->roster->team_count; i++) {
        out[i] = out[i] && !t->disqualifications[i].is_set;
        qualified += out[i];
    }
    return qualified;
}

/* What a team did in its games so far. */
struct team_moves {
    bool has_moved;
    bool has_failed;
};

static void add_moves(const struct tournament_game *game, int place, struct team_moves *out)
{
    int first_ply = game->summary.colour[place] == SIDE_BLACK ? 1 : 2;
    const struct record_turns *own = &game->summary.turns[place];
    out->has_failed |= own->judged > 0 || qualification_is_own_forfeit(game, place);
    out->has_moved |= own->judged > 0 ? own->turns > own->judged : game->summary.plies >= first_ply;
}

bool qualification_never_moved(const struct tournament *t, int team)
{
    struct team_moves moves = {0};
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        for (int place = 0; game->status == GAME_PLAYED && place < 2; place++) {
            if (game->team[place] == team) {
                add_moves(game, place, &moves);
            }
        }
    }
    for (int i = 0; team < t->roster->team_count && i < QUALIFICATION_GAMES; i++) {
        const struct tournament_game *game = &t->qualifications[team].games[i];
        if (game->status == GAME_PLAYED) {
            add_moves(game, 0, &moves);
        }
    }
    return moves.has_failed && !moves.has_moved;
}

/* --- The games against random --- */

static int played_games(const struct tournament *t, int team)
{
    int played = 0;
    for (int i = 0; i < QUALIFICATION_GAMES; i++) {
        played += t->qualifications[team].games[i].status == GAME_PLAYED;
    }
    return played;
}

static bool is_again(const struct tournament *t, int team)
{
    bool is_ordered = false;
    for (int i = 0; i < QUALIFICATION_GAMES; i++) {
        is_ordered |= t->qualifications[team].games[i].attempt > 0;
    }
    return is_ordered;
}

bool qualification_has_played(const struct tournament *t, int team)
{
    return played_games(t, team) || is_again(t, team);
}

bool qualification_is_on(const struct tournament *t)
{
    return t->roster->has_qualification || t->is_qualification_begun;
}

static bool is_paired(const struct tournament *t, int team)
{
    for (size_t i = 0; i < t->pairing_count; i++) {
        const int *teams = t->pairings[i].teams.team;
        if (teams[0] == team || teams[1] == team) {
            return true;
        }
    }
    return false;
}

bool qualification_is_due(const struct tournament *t, int team)
{
    int played = played_games(t, team);
    int entered = t->roster->teams[team].entered_after;
    int round = entered > t->rounds_paired ? entered : t->rounds_paired;
    if (played == QUALIFICATION_GAMES || tournament_is_out(t, team, round) ||
        roster_refuses(t->roster, team)) {
        return false;
    }
    return qualification_has_played(t, team) || !is_paired(t, team);
}

/* What the team did in a game that it lost for this reason, a word of records; a word without a
 * phrase is one that people use. */
static const char *phrase_of(const char *reason)
{
    static const char *const phrases[][2] = {
        {"no-start", "did not start"},
        {"both-absent", "did not start"},
        {"no-bid", "made no bid"},
        {"late", "took far too long"},
        {"late-limit", "was late too many times in a row"},
        {"invalid", "made an illegal move"},
        {"malformed", "sent something unreadable"},
        {"hostile", "did something forbidden"},
        {"resigned", "gave up"},
    };
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
        if (strcmp(phrases[i][0], reason) == 0) {
            return phrases[i][1];
        }
    }
    return reason;
}

/* One game. */
static void explain_game(const struct game *rules, const struct tournament_game *game,
                         struct note *out)
{
    const int *faults = game->summary.faults[0];
    if (qualification_is_own_forfeit(game, 0)) {
        note_set(out, "%s", phrase_of(game->summary.reason));
    } else if (faults[FAULT_CRASHED] || faults[FAULT_MALFORMED] || faults[FAULT_HOSTILE]) {
        note_set(out, "%s",
                 phrase_of(fault_name(faults[FAULT_HOSTILE]   ? FAULT_HOSTILE
                                      : faults[FAULT_CRASHED] ? FAULT_CRASHED
                                                              : FAULT_MALFORMED)));
    } else {
        struct record_turns turns = game->summary.turns[0];
        if (turns.judged == 0) {
            turns = (struct record_turns){replaced_turns(rules, faults), own_turns(game, 0)};
        }
        record_describe_turns(rules, &turns, "its", out);
    }
}

void qualification_explain(const struct tournament *t, int team, struct note *out)
{
    const struct qualification *own = &t->qualifications[team];
    struct note games[QUALIFICATION_GAMES];
    for (int i = 0; i < QUALIFICATION_GAMES; i++) {
        explain_game(t->roster->game, &own->games[i], &games[i]);
    }
    bool is_same = strcmp(games[0].text, games[1].text) == 0;
    const char *why =
        own->last_fault[1].text[0] ? own->last_fault[1].text : own->last_fault[0].text;
    note_set(out, "%.80s%s%.80s%s%.200s", games[0].text, is_same ? "" : ", then ",
             is_same ? "" : games[1].text, *why ? ": " : "", why);
}

int qualification_games(const struct tournament *t)
{
    int played = 0;
    for (int team = 0; team < t->roster->team_count; team++) {
        played += played_games(t, team);
    }
    return played;
}

/* --- As a phase of the tournament --- */

uint64_t qualification_seed(const struct roster *roster, enum tournament_phase phase)
{
    return phase == PHASE_QUALIFICATION ? hash_pair(roster->seed, QUALIFICATION_GAMES)
                                        : roster->seed;
}

void qualification_init(struct tournament *t)
{
    for (int team = 0; team < t->roster->team_count; team++) {
        struct qualification *own = &t->qualifications[team];
        *own = (struct qualification){.pairing = {.teams = {{team, TOURNAMENT_RANDOM}},
                                                  .first_game = team * QUALIFICATION_GAMES,
                                                  .games = QUALIFICATION_GAMES}};
        for (int i = 0; i < QUALIFICATION_GAMES; i++) {
            own->games[i] = (struct tournament_game){
                .phase = PHASE_QUALIFICATION,
                .number = team * QUALIFICATION_GAMES + i,
                .pairing = team,
                .status = GAME_CANCELLED,
                .team = {team, TOURNAMENT_RANDOM},
            };
            own->games[i].summary.colour[1 - i % 2] = SIDE_WHITE;
        }
    }
}

struct tournament_game *qualification_find_game(const struct tournament *t, int number)
{
    if (number < 0 || number >= t->roster->team_count * QUALIFICATION_GAMES) {
        return NULL;
    }
    return &t->qualifications[number / QUALIFICATION_GAMES].games[number % QUALIFICATION_GAMES];
}

void qualification_keep_fault(struct tournament *t, int number, const char *why)
{
    struct note *kept =
        &t->qualifications[number / QUALIFICATION_GAMES].last_fault[number % QUALIFICATION_GAMES];
    utf8_clean(why, kept->text, sizeof kept->text);
}

int qualification_begin(struct tournament *t)
{
    int teams = 0;
    for (int team = 0; team < t->roster->team_count; team++) {
        bool is_due = qualification_is_due(t, team);
        teams += is_due;
        for (int i = 0; is_due && i < QUALIFICATION_GAMES; i++) {
            struct tournament_game *game = &t->qualifications[team].games[i];
            if (game->status == GAME_CANCELLED) {
                game->status = GAME_PLANNED;
                t->qualifying_games++;
            }
        }
    }
    t->is_qualification_begun |= teams > 0;
    return teams;
}

const struct tournament_game *qualification_find_planned(const struct tournament *t)
{
    for (int i = 0; i < t->roster->team_count * QUALIFICATION_GAMES; i++) {
        const struct tournament_game *game = qualification_find_game(t, i);
        if (game->status == GAME_PLANNED) {
            return game;
        }
    }
    return NULL;
}

void qualification_settle(struct tournament *t)
{
    bool has_completed[ROSTER_MAX_TEAMS];
    bool is_any = false;
    for (int team = 0; team < t->roster->team_count; team++) {
        t->qualifications[team].has_failed = played_games(t, team) == QUALIFICATION_GAMES;
        is_any |= t->qualifications[team].has_failed;
    }
    if (is_any) {
        list_completed(t, has_completed);
    }
    for (int team = 0; is_any && team < t->roster->team_count; team++) {
        t->qualifications[team].has_failed &= !has_completed[team];
    }
}
