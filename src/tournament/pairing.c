#include "tournament/pairing.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/bits.h"
#include "tournament/colour_search.h"
#include "tournament/lookahead.h"
#include "tournament/matching.h"

/* --- Colours --- */

enum { LONGEST_RUN = 2 };

static struct pairing_colours after(struct pairing_colours colours, enum side side)
{
    pairing_colours_add(&colours, side);
    return colours;
}

void pairing_colours_add(struct pairing_colours *colours, enum side side)
{
    int step = side == SIDE_BLACK ? 1 : -1;
    colours->ahead += step;
    colours->run = colours->run * step > 0 ? colours->run + step : step;
}

/* The less the better. */
static int64_t cost_of_order(struct pairing_colours black, struct pairing_colours white,
                             bool is_black_first)
{
    enum { MUCH = 1 << 24 };
    const struct pairing_colours then[2] = {after(black, SIDE_BLACK), after(white, SIDE_WHITE)};
    int64_t cost = 0;
    for (int side = 0; side < 2; side++) {
        bool is_first = (side == SIDE_BLACK) == is_black_first;
        bool is_same_again = abs(then[side].run) > 1;
        cost += abs(then[side].run) > LONGEST_RUN ? MUCH : 0;
        cost += 4 * (int64_t)then[side].ahead * then[side].ahead;
        cost += is_same_again ? 1 + is_first : 0;
    }
    return cost;
}

struct pairing pairing_in_order_of_colours(struct pairing teams,
                                           const struct pairing_colours *colours)
{
    if (teams.team[1] == PAIRING_BYE) {
        return teams;
    }
    const struct pairing_colours *first = &colours[teams.team[0]];
    const struct pairing_colours *second = &colours[teams.team[1]];
    if (cost_of_order(*second, *first, false) < cost_of_order(*first, *second, true)) {
        return (struct pairing){{teams.team[1], teams.team[0]}};
    }
    return teams;
}

bool pairing_can_have(struct pairing_colours colours, enum side side, int tolerance)
{
    struct pairing_colours then = after(colours, side);
    return abs(then.run) <= LONGEST_RUN &&
           (abs(then.ahead) <= tolerance || abs(then.ahead) < abs(colours.ahead));
}

bool pairing_do_colours_fit(struct pairing_colours a, struct pairing_colours b, int tolerance)
{
    return (pairing_can_have(a, SIDE_BLACK, tolerance) &&
            pairing_can_have(b, SIDE_WHITE, tolerance)) ||
           (pairing_can_have(a, SIDE_WHITE, tolerance) &&
            pairing_can_have(b, SIDE_BLACK, tolerance));
}

/* --- Swiss. Teams are known by their position in the ranking. --- */

/* How many games a team may be ahead with a colour. */
enum { STRICT_COLOURS = 1, LOOSE_COLOURS, ANY_COLOURS };

struct swiss_graph {
    const struct pairing_swiss_round *round;
    int tolerance; /* within which colours fit */
    int count;
    int byes[RANKING_MAX_TEAMS];
    bool cannot_rest[RANKING_MAX_TEAMS];
    uint16_t *meetings;  /* count × count */
    bool *is_allowed;    /* likewise: they have not met, and their colours fit */
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
}

static bool do_positions_fit(const struct swiss_graph *swiss, int a, int b)
{
    const struct pairing_colours *colours = swiss->round->colours;
    const int *ranked = swiss->round->ranked;
    return !colours ||
           pairing_do_colours_fit(colours[ranked[a]], colours[ranked[b]], swiss->tolerance);
}

/* Last, colours are only a preference. */
static void allow(struct swiss_graph *swiss, int tolerance)
{
    swiss->tolerance = tolerance == ANY_COLOURS ? STRICT_COLOURS : tolerance;
    for (int i = 0; i < swiss->count * swiss->count; i++) {
        int a = i / swiss->count;
        int b = i % swiss->count;
        swiss->is_allowed[i] = a != b && swiss->meetings[i] == 0 &&
                               (tolerance == ANY_COLOURS || do_positions_fit(swiss, a, b));
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

/* The highest opponent of the top team `a` among those that it has met this often and whose colours
 * fit, or do not. */
static int choose_among(struct swiss_graph *swiss, int a, int left, int times, bool do_fit)
{
    const uint16_t *meetings = swiss->meetings + (size_t)a * (size_t)swiss->count;
    const bool *is_allowed = swiss->is_allowed + (size_t)a * (size_t)swiss->count;
    for (int b = a + 1; b < swiss->count; b++) {
        bool is_candidate = times ? meetings[b] == times : is_allowed[b];
        if (!swiss->now.is_out[b] && is_candidate && do_fit == do_positions_fit(swiss, a, b) &&
            try_pair(swiss, a, b, times ? left - 2 : left)) {
            return b;
        }
    }
    return RANKING_NOBODY;
}

/* The opponent of the top team `a`, when `left` of the teams without a pairing must have a rematch.
 */
static int choose_opponent(struct swiss_graph *swiss, int a, int left)
{
    const uint16_t *meetings = swiss->meetings + (size_t)a * (size_t)swiss->count;
    for (int times = 0, more = 0; times != INT32_MAX; times = more) {
        more = INT32_MAX;
        for (int b = a + 1; b < swiss->count; b++) {
            bool is_more = !swiss->now.is_out[b] && meetings[b] > times;
            more = is_more && meetings[b] < more ? meetings[b] : more;
        }
        for (int unfit = 0; unfit < 2; unfit++) {
            int chosen = choose_among(swiss, a, left, times, !unfit);
            if (chosen != RANKING_NOBODY) {
                return chosen;
            }
        }
    }
    return RANKING_NOBODY; /* never: in the best pairing of those left, one of them plays `a` */
}

/* Takes the team with the bye out and pairs the rest as well as can be. Returns how many of them
 * are without a mate. */
static int match_up(struct swiss_graph *swiss, int *bye)
{
    *bye = RANKING_NOBODY;
    matching_init(&swiss->now, swiss->count, swiss->is_allowed);
    int left = matching_grow(&swiss->now);
    if (swiss->count % 2) {
        *bye = choose_bye(swiss);
        matching_take_out(&swiss->now, *bye);
        left = matching_grow(&swiss->now);
    }
    return left;
}

/* Within one game, and the next colour would not be the third in a row if it makes them so again.
 */
static bool are_colours_even(struct pairing_colours colours)
{
    return abs(colours.ahead) <= 1 &&
           (abs(colours.run) < LONGEST_RUN || colours.ahead * colours.run > 0);
}

/* The fewest meetings of two teams. */
static int fewest_meetings(const struct swiss_graph *swiss)
{
    int fewest = INT32_MAX;
    for (int i = 0; i < swiss->count * swiss->count; i++) {
        bool is_fewer = i / swiss->count != i % swiss->count && swiss->meetings[i] < fewest;
        fewest = is_fewer ? swiss->meetings[i] : fewest;
    }
    return fewest;
}

static int rounds_to_plan(const struct swiss_graph *swiss)
{
    int rounds = swiss->round->rounds_left;
    return rounds < LOOKAHEAD_MAX_ROUNDS ? rounds : LOOKAHEAD_MAX_ROUNDS;
}

/* Whether the same teams play it that played all rounds before. */
static bool is_same_field(const struct swiss_graph *swiss)
{
    size_t rounds = 0;
    for (int a = 0; a < swiss->count; a++) {
        size_t own = (size_t)swiss->byes[a];
        for (int b = 0; b < swiss->count; b++) {
            own += swiss->meetings[a * swiss->count + b];
        }
        if (a > 0 && own != rounds) {
            return false;
        }
        rounds = own;
    }
    return swiss->round->history_count == rounds * (size_t)((swiss->count + 1) / 2);
}

/* False: the colours are not even, so there is nothing to look for. */
static bool prepare_lookahead(const struct swiss_graph *swiss, struct lookahead *lookahead)
{
    int fewest = fewest_meetings(swiss);
    *lookahead = (struct lookahead){
        .count = swiss->count,
        .rounds = rounds_to_plan(swiss),
        .steps = LOOKAHEAD_MAX_STEPS,
    };
    for (int a = 0; a < swiss->count; a++) {
        const struct pairing_colours *colours = &swiss->round->colours[swiss->round->ranked[a]];
        if (!are_colours_even(*colours)) {
            return false;
        }
        for (int b = 0; b < swiss->count; b++) {
            bool may_meet = a != b && swiss->meetings[a * swiss->count + b] == fewest;
            lookahead->may_meet[a] |= may_meet ? bits_one(b) : 0;
        }
        lookahead->ahead[a] = colours->ahead;
        lookahead->byes[a] = swiss->byes[a];
        lookahead->may_rest |= swiss->cannot_rest[a] ? 0 : bits_one(a);
    }
    return true;
}

/* A round that is being decided. What is found agrees with what is decided. */
struct swiss_plan {
    struct lookahead lookahead;
    struct lookahead_round decided;
    struct lookahead_round found;
};

/* As many rounds as can be. Returns how many. */
static int begin_plan(const struct swiss_graph *swiss, struct swiss_plan *plan)
{
    if (!prepare_lookahead(swiss, &plan->lookahead)) {
        plan->lookahead.rounds = 0;
    }
    for (int i = 0; i < swiss->count; i++) {
        plan->decided.opponent[i] = LOOKAHEAD_OPEN;
        plan->decided.step[i] = 0;
    }
    while (plan->lookahead.rounds > 0 &&
           !lookahead_find(&plan->lookahead, &plan->decided, &plan->found)) {
        plan->lookahead.rounds--;
    }
    return plan->lookahead.rounds;
}

/* Team `a` meets `b` or has the bye, if that is possible. */
static bool decide_opponent(struct swiss_plan *plan, int a, int b)
{
    struct lookahead_round decided = plan->decided;
    decided.opponent[a] = b;
    if (b != LOOKAHEAD_BYE) {
        decided.opponent[b] = a;
    }
    if (plan->found.opponent[a] != b && !lookahead_find(&plan->lookahead, &decided, &plan->found)) {
        return false;
    }
    plan->decided = decided;
    return true;
}

/* The order that their colours so far suggest, if that is possible. */
static struct pairing decide_colours(const struct swiss_graph *swiss, struct swiss_plan *plan,
                                     int a, int b)
{
    const int *ranked = swiss->round->ranked;
    struct pairing teams = {{ranked[a], ranked[b]}};
    struct pairing wish = pairing_in_order_of_colours(teams, swiss->round->colours);
    int step = wish.team[0] == ranked[a] ? 1 : -1;
    plan->decided.step[a] = step;
    plan->decided.step[b] = -step;
    if (plan->found.step[a] != step &&
        !lookahead_find(&plan->lookahead, &plan->decided, &plan->found)) {
        plan->decided.step[a] = -step;
        plan->decided.step[b] = step;
        return (struct pairing){{wish.team[1], wish.team[0]}};
    }
    return wish;
}

/* The lowest team whose bye is possible. */
static void plan_bye(const struct swiss_graph *swiss, struct swiss_plan *plan)
{
    int fewest = fewest_byes(swiss);
    for (int i = swiss->count - 1; i >= 0; i--) {
        if (!swiss->cannot_rest[i] && swiss->byes[i] == fewest &&
            decide_opponent(plan, i, LOOKAHEAD_BYE)) {
            return;
        }
    }
}

/* The highest opponent of the top team `a` that is possible. */
static void plan_opponent(const struct swiss_graph *swiss, struct swiss_plan *plan, int a)
{
    for (int b = a + 1; b < swiss->count; b++) {
        bool may_meet = plan->lookahead.may_meet[a] & bits_one(b);
        if (may_meet && plan->decided.opponent[b] == LOOKAHEAD_OPEN &&
            do_positions_fit(swiss, a, b) && decide_opponent(plan, a, b)) {
            return;
        }
    }
}

/* Where some of the rounds cannot be without a rematch or uneven colours: as many rounds as can be,
 * but more than `planned`, after which colours are even; else this one as even as can be. */
static bool search_colours(const struct swiss_graph *swiss, int planned, struct pairing *out)
{
    const struct colour_search_limits strict = {STRICT_COLOURS, STRICT_COLOURS};
    const struct colour_search_limits repaired = {LOOSE_COLOURS, STRICT_COLOURS};
    const struct colour_search_limits closer = {STRICT_COLOURS, LOOSE_COLOURS};
    const struct colour_search_limits loose = {LOOSE_COLOURS, LOOSE_COLOURS};
    struct colour_search start = {.count = swiss->count, .games = swiss->round->games};
    const int *ranked = swiss->round->ranked;
    bool is_found = false;
    for (int a = 0; a < swiss->count; a++) {
        struct colour_search_team *team = &start.team[a];
        team->colours = swiss->round->colours[ranked[a]];
        team->byes = swiss->byes[a];
        team->cannot_rest = swiss->cannot_rest[a];
        for (int b = 0; b < swiss->count; b++) {
            team->meetings[b] = swiss->meetings[a * swiss->count + b];
        }
    }
    for (int rounds = rounds_to_plan(swiss); !is_found && rounds > planned; rounds--) {
        is_found = colour_search_find(&start, rounds, strict, out) ||
                   colour_search_find(&start, rounds, repaired, out);
    }
    if (!is_found && planned == 0) {
        is_found =
            colour_search_find(&start, 1, closer, out) || colour_search_find(&start, 1, loose, out);
    }
    for (int i = 0; is_found && i < (swiss->count + 1) / 2; i++) {
        int second = out[i].team[1] == PAIRING_BYE ? PAIRING_BYE : ranked[out[i].team[1]];
        out[i] = (struct pairing){{ranked[out[i].team[0]], second}};
    }
    return is_found;
}

/* With a view to the later rounds. False: it cannot be done. */
static bool plan_round(struct swiss_graph *swiss, struct pairing *out)
{
    struct swiss_plan plan;
    int made = 0;
    if (!swiss->round->colours || swiss->count < 2 || swiss->count > LOOKAHEAD_MAX_TEAMS) {
        return false;
    }
    swiss->tolerance = STRICT_COLOURS;
    int planned = begin_plan(swiss, &plan);
    bool is_enough = planned == rounds_to_plan(swiss) || (planned > 0 && is_same_field(swiss));
    if (!is_enough && search_colours(swiss, planned, out)) {
        return true;
    }
    if (planned == 0) {
        return false;
    }
    if (swiss->count % 2) {
        plan_bye(swiss, &plan);
    }
    for (int a = 0; a < swiss->count; a++) {
        if (plan.decided.opponent[a] == LOOKAHEAD_OPEN) {
            plan_opponent(swiss, &plan, a);
        }
    }
    for (int a = 0; a < swiss->count; a++) {
        int b = plan.decided.opponent[a];
        if (b > a) {
            out[made++] = decide_colours(swiss, &plan, a, b);
        } else if (b == LOOKAHEAD_BYE) {
            out[swiss->count / 2] = (struct pairing){{swiss->round->ranked[a], PAIRING_BYE}};
        }
    }
    return true;
}

static void pair_up(struct swiss_graph *swiss, const struct pairing_swiss_round *round,
                    struct pairing *out)
{
    const int *ranked = round->ranked;
    int made = 0;
    int bye = RANKING_NOBODY;
    int left = 0;
    int tolerance = round->colours ? STRICT_COLOURS : ANY_COLOURS;
    for (;; tolerance++) {
        allow(swiss, tolerance);
        left = match_up(swiss, &bye);
        if (left == 0 || tolerance == ANY_COLOURS) {
            break;
        }
    }
    for (int a = 0; a < swiss->count; a++) {
        if (swiss->now.is_out[a]) {
            continue;
        }
        int b = choose_opponent(swiss, a, left);
        left -= swiss->is_allowed[a * swiss->count + b] ? 0 : 2;
        struct pairing teams = {{ranked[a], ranked[b]}};
        out[made++] = round->colours ? pairing_in_order_of_colours(teams, round->colours) : teams;
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
    bool *is_allowed = calloc(cells, sizeof *is_allowed);
    enum err err = ERR_NONE;
    if (swiss && meetings && is_allowed) {
        swiss->round = round;
        swiss->count = count;
        swiss->meetings = meetings;
        swiss->is_allowed = is_allowed;
        read_history(swiss, round);
        find_candidates(swiss, round);
        if (!plan_round(swiss, out)) {
            pair_up(swiss, round, out);
        }
    } else {
        err = note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    free(is_allowed);
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
