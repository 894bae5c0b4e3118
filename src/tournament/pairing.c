#include "tournament/pairing.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "tournament/matching.h"

/* --- Swiss. Teams are known by their position in the ranking. --- */

struct swiss_graph {
    int count;
    int byes[RANKING_MAX_TEAMS];
    bool cannot_rest[RANKING_MAX_TEAMS];
    uint16_t *meetings;  /* count × count */
    bool *has_not_met;   /* likewise; no team meets itself */
    struct matching now; /* the teams that are left, as well paired as can be */
    struct matching attempt;
};

int pairing_swiss_rounds(int teams)
{
    int rounds = 2;
    for (int size = 1; size < teams; size *= 2) {
        rounds++;
    }
    return rounds;
}

static void read_history(struct swiss_graph *swiss, const struct pairing_swiss_round *round)
{
    const int *ranked = round->ranked;
    const struct pairing *history = round->history;
    int position[RANKING_MAX_TEAMS]; /* by team */
    for (int i = 0; i < RANKING_MAX_TEAMS; i++) {
        position[i] = RANKING_NOBODY;
    }
    for (int i = 0; i < swiss->count; i++) {
        position[ranked[i]] = i;
    }
    for (size_t i = 0; i < round->history_count; i++) {
        int a = position[history[i].team[0]];
        if (a == RANKING_NOBODY) {
            continue;
        }
        if (history[i].team[1] == PAIRING_BYE) {
            swiss->byes[a]++;
            continue;
        }
        int b = position[history[i].team[1]];
        if (b != RANKING_NOBODY) {
            swiss->meetings[a * swiss->count + b]++;
            swiss->meetings[b * swiss->count + a]++;
        }
    }
    for (int i = 0; i < swiss->count * swiss->count; i++) {
        swiss->has_not_met[i] = swiss->meetings[i] == 0 && i / swiss->count != i % swiss->count;
    }
}

/* A bye is not for a team that cannot start, unless none can. */
static void find_candidates(struct swiss_graph *swiss, const struct pairing_swiss_round *round)
{
    bool can_any_start = false;
    for (int i = 0; i < swiss->count; i++) {
        swiss->cannot_rest[i] = round->cannot_start && round->cannot_start[round->ranked[i]];
        can_any_start |= !swiss->cannot_rest[i];
    }
    for (int i = 0; !can_any_start && i < swiss->count; i++) {
        swiss->cannot_rest[i] = false;
    }
}

static int fewest_byes(const struct swiss_graph *swiss)
{
    int fewest = INT32_MAX;
    for (int i = 0; i < swiss->count; i++) {
        fewest = !swiss->cannot_rest[i] && swiss->byes[i] < fewest ? swiss->byes[i] : fewest;
    }
    return fewest;
}

static int choose_bye(struct swiss_graph *swiss)
{
    int fewest = fewest_byes(swiss);
    int least_left = swiss->count;
    int chosen = RANKING_NOBODY;
    for (int i = swiss->count - 1; i >= 0 && least_left > 0; i--) {
        if (swiss->cannot_rest[i] || swiss->byes[i] != fewest) {
            continue;
        }
        swiss->attempt = swiss->now;
        matching_take_out(&swiss->attempt, i);
        int left = matching_grow(&swiss->attempt);
        if (left < least_left) {
            least_left = left;
            chosen = i;
        }
    }
    return chosen;
}

/* Teams without a mate have all met each other, so every two of them are one rematch. Takes the
 * two out if no more than `left` of the others are then without a mate. */
static bool try_pair(struct swiss_graph *swiss, int a, int b, int left)
{
    swiss->attempt = swiss->now;
    matching_take_out(&swiss->attempt, a);
    matching_take_out(&swiss->attempt, b);
    if (matching_grow(&swiss->attempt) > left) {
        return false;
    }
    swiss->now = swiss->attempt;
    return true;
}

/* The opponent of the top team `a`, when `left` of the teams without a pairing must have a rematch.
 */
static int choose_opponent(struct swiss_graph *swiss, int a, int left)
{
    const uint16_t *meetings = swiss->meetings + (size_t)a * (size_t)swiss->count;
    for (int times = 0, more = 0; times != INT32_MAX; times = more) {
        more = INT32_MAX;
        for (int b = a + 1; b < swiss->count; b++) {
            if (swiss->now.is_out[b]) {
                continue;
            }
            if (meetings[b] == times && try_pair(swiss, a, b, times ? left - 2 : left)) {
                return b;
            }
            more = meetings[b] > times && meetings[b] < more ? meetings[b] : more;
        }
    }
    return RANKING_NOBODY; /* never: in the best pairing of those left, one of them plays `a` */
}

static void pair_up(struct swiss_graph *swiss, const int *ranked, struct pairing *out)
{
    int made = 0;
    int bye = RANKING_NOBODY;
    matching_init(&swiss->now, swiss->count, swiss->has_not_met);
    matching_grow(&swiss->now);
    if (swiss->count % 2) {
        bye = choose_bye(swiss);
        matching_take_out(&swiss->now, bye);
    }
    int left = matching_grow(&swiss->now);
    for (int a = 0; a < swiss->count; a++) {
        if (swiss->now.is_out[a]) {
            continue;
        }
        int b = choose_opponent(swiss, a, left);
        left -= swiss->has_not_met[a * swiss->count + b] ? 0 : 2;
        out[made++] = (struct pairing){{ranked[a], ranked[b]}};
    }
    if (bye != RANKING_NOBODY) {
        out[made] = (struct pairing){{ranked[bye], PAIRING_BYE}};
    }
}

enum err pairing_swiss(const struct pairing_swiss_round *round, struct pairing *out,
                       struct note *why)
{
    int count = round->count;
    assert(count >= 1 && count <= RANKING_MAX_TEAMS);
    size_t cells = (size_t)count * (size_t)count;
    struct swiss_graph *swiss = calloc(1, sizeof *swiss);
    uint16_t *meetings = calloc(cells, sizeof *meetings);
    bool *has_not_met = calloc(cells, sizeof *has_not_met);
    enum err err = ERR_NONE;
    if (swiss && meetings && has_not_met) {
        swiss->count = count;
        swiss->meetings = meetings;
        swiss->has_not_met = has_not_met;
        read_history(swiss, round);
        find_candidates(swiss, round);
        pair_up(swiss, round->ranked, out);
    } else {
        err = note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    free(has_not_met);
    free(meetings);
    free(swiss);
    return err;
}

/* --- Round robin and gauntlet. --- */

int pairing_round_robin_rounds(int teams) { return teams < 2 ? 0 : teams - 1 + teams % 2; }

/* The circle method: all places but the last form a circle that turns by one each round. With an
 * odd number the last place is empty. */
int pairing_round_robin(int teams, int round, struct pairing *out)
{
    int circle = pairing_round_robin_rounds(teams);
    int made = 0;
    for (int step = 0; 2 * step < circle; step++) {
        int a = step == 0 ? circle : (round + step) % circle;
        int b = (round + circle - step) % circle;
        if (a < teams) {
            out[made++] = (struct pairing){{a < b ? a : b, a < b ? b : a}};
        }
    }
    return made;
}

int pairing_gauntlet(int teams, int challenger, struct pairing *out)
{
    int made = 0;
    for (int i = 0; i < teams; i++) {
        if (i != challenger) {
            out[made++] = (struct pairing){{challenger, i}};
        }
    }
    return made;
}

/* --- Knockout. --- */

int pairing_knockout_rounds(int teams)
{
    int rounds = 0;
    for (int size = 1; size < teams; size *= 2) {
        rounds++;
    }
    return rounds;
}

/* The place in the ranking of the team in this slot of a bracket of 2^rounds slots. */
static int seed_of_slot(int slot, int rounds)
{
    int seed = 0;
    for (int size = 2; rounds > 0; size *= 2, rounds--) {
        bool is_worse = slot >> (rounds - 1) & 1;
        seed = is_worse ? size - 1 - seed : seed;
    }
    return seed;
}

int pairing_knockout_first(const int *ranked, int count, struct pairing *out)
{
    int rounds = pairing_knockout_rounds(count);
    int pairings = rounds ? 1 << (rounds - 1) : 0;
    for (int i = 0; i < pairings; i++) {
        int a = seed_of_slot(2 * i, rounds);
        int b = seed_of_slot(2 * i + 1, rounds);
        int better = a < b ? a : b;
        int worse = a < b ? b : a;
        out[i] = (struct pairing){{ranked[better], worse < count ? ranked[worse] : PAIRING_BYE}};
    }
    return pairings;
}

int pairing_knockout_next(const int *winners, int count, struct pairing *out)
{
    assert(count % 2 == 0);
    for (int i = 0; i < count / 2; i++) {
        out[i] = (struct pairing){{winners[2 * i], winners[2 * i + 1]}};
    }
    return count / 2;
}

int pairing_knockout_winner(const struct pairing *pairing, const struct ranking_game *games,
                            size_t game_count, bool is_first_better)
{
    int first = pairing->team[0];
    int wins_ahead = 0;
    int64_t score_ahead = 0;
    if (pairing->team[1] == PAIRING_BYE) {
        return first;
    }
    for (size_t i = 0; i < game_count; i++) {
        enum side side = games[i].team[SIDE_BLACK] == first ? SIDE_BLACK : SIDE_WHITE;
        enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        if (games[i].outcome == OUTCOME_ONGOING || games[i].outcome == OUTCOME_BOTH_LOST) {
            continue;
        }
        wins_ahead += games[i].outcome == OUTCOME_DRAW ? 0 : games[i].outcome == win ? 1 : -1;
        score_ahead += games[i].score[side] - games[i].score[side_other(side)];
    }
    bool is_first = wins_ahead ? wins_ahead > 0 : score_ahead ? score_ahead > 0 : is_first_better;
    return pairing->team[is_first ? 0 : 1];
}
