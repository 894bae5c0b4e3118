/* Pairings: Swiss against every way there is to pair up to ten teams, the others by what they
 * promise.
 *
 * Long because brute force has its own pairings, colours and later rounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "colour_oracle.h"
#include "scale.h"
#include "tournament/pairing.h"

enum { BRUTE_MAX = 10, MAX_TEAMS = 100, MAX_HISTORY = 4000 };

/* --- Brute force: teams are known by their position in the ranking. --- */

struct brute {
    int count;
    int met[BRUTE_MAX][BRUTE_MAX];
    bool is_unfit[BRUTE_MAX][BRUTE_MAX]; /* by their colours */
    bool is_strict;                      /* those do not meet at all */
    int byes[BRUTE_MAX];
    bool is_paired[BRUTE_MAX];
    int rematches; /* the fewest found so far, over all pairings */
    int opponent[BRUTE_MAX];
};

static int top_left(const struct brute *b)
{
    int top = 0;
    while (top < b->count && b->is_paired[top]) {
        top++;
    }
    return top;
}

static void try_everything(struct brute *b, int rematches)
{
    int top = top_left(b);
    if (top == b->count) {
        b->rematches = rematches < b->rematches ? rematches : b->rematches;
        return;
    }
    b->is_paired[top] = true;
    for (int i = top + 1; i < b->count; i++) {
        if (!b->is_paired[i]) {
            b->is_paired[i] = true;
            try_everything(b, rematches + (b->met[top][i] > 0));
            b->is_paired[i] = false;
        }
    }
    b->is_paired[top] = false;
}

static int fewest_rematches(struct brute *b)
{
    b->rematches = BRUTE_MAX;
    try_everything(b, 0);
    return b->rematches;
}

static int brute_bye(struct brute *b)
{
    int chosen = -1;
    int least = BRUTE_MAX;
    int fewest = BRUTE_MAX;
    for (int i = 0; i < b->count; i++) {
        fewest = b->byes[i] < fewest ? b->byes[i] : fewest;
    }
    for (int i = 0; i < b->count; i++) {
        if (b->byes[i] != fewest) {
            continue;
        }
        b->is_paired[i] = true;
        int rematches = fewest_rematches(b);
        b->is_paired[i] = false;
        if (rematches <= least) {
            least = rematches;
            chosen = i;
        }
    }
    return chosen;
}

/* The first of the pairings with `rematches` rematches, in the order of preference. */
static bool choose(struct brute *b, int rematches)
{
    int top = top_left(b);
    if (top == b->count) {
        return rematches == 0;
    }
    b->is_paired[top] = true;
    for (int times = 0; times < MAX_HISTORY; times++) {
        bool has_more = false;
        for (int k = 0; k < (b->is_strict ? 1 : 2) * b->count; k++) {
            int i = k % b->count;
            has_more = has_more || (i > top && !b->is_paired[i] && b->met[top][i] > times);
            if (i <= top || b->is_paired[i] || b->met[top][i] != times ||
                b->is_unfit[top][i] != (k >= b->count)) {
                continue;
            }
            b->is_paired[i] = true;
            if (choose(b, rematches - (times > 0))) {
                b->opponent[top] = i;
                b->opponent[i] = top;
                return true;
            }
            b->is_paired[i] = false;
        }
        if (!has_more) {
            break;
        }
    }
    b->is_paired[top] = false;
    return false;
}

static void pair_by_brute_force(struct brute *b)
{
    memset(b->is_paired, 0, sizeof b->is_paired);
    if (b->count % 2) {
        int bye = brute_bye(b);
        b->is_paired[bye] = true;
        b->opponent[bye] = PAIRING_BYE;
    }
    assert_true(choose(b, fewest_rematches(b)));
}

/* --- Histories. --- */

struct history {
    struct pairing list[MAX_HISTORY];
    size_t count;
    const bool *cannot_start;              /* by team, or NULL */
    const struct pairing_colours *colours; /* likewise */
    int rounds_left;
};

static void swiss(const int *ranked, int count, const struct history *h, struct pairing *out)
{
    struct note why;
    const struct pairing_swiss_round round = {
        .ranked = ranked,
        .count = count,
        .history = h->list,
        .history_count = h->count,
        .cannot_start = h->cannot_start,
        .colours = h->colours,
        .rounds_left = h->rounds_left,
        .games = 1,
    };
    assert_int_equal(pairing_swiss(&round, out, &why), ERR_NONE);
}

static void shuffle(int *list, int count, struct rng *rng)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)rng_below(rng, (uint64_t)i + 1);
        int kept = list[i];
        list[i] = list[j];
        list[j] = kept;
    }
}

static struct brute brute_of(const int *ranked, int count, const struct history *h)
{
    struct brute b = {.count = count};
    int position[BRUTE_MAX + 2];
    memset(position, -1, sizeof position);
    for (int i = 0; i < count; i++) {
        position[ranked[i]] = i;
    }
    for (size_t i = 0; i < h->count; i++) {
        int first = position[h->list[i].team[0]];
        int second = h->list[i].team[1] == PAIRING_BYE ? -2 : position[h->list[i].team[1]];
        if (first >= 0 && second == -2) {
            b.byes[first]++;
        } else if (first >= 0 && second >= 0) {
            b.met[first][second]++;
            b.met[second][first]++;
        }
    }
    return b;
}

/* `has_order`: of colours, not of the ranking. */
static void expect_pairings(const struct brute *b, const int *ranked, const struct pairing *out,
                            bool has_order)
{
    int made = 0;
    for (int i = 0; i < b->count; i++) {
        if (b->opponent[i] > i) {
            int first = has_order && out[made].team[0] != ranked[i];
            assert_int_equal(out[made].team[first], ranked[i]);
            assert_int_equal(out[made].team[1 - first], ranked[b->opponent[i]]);
            made++;
        }
    }
    if (b->count % 2) {
        assert_int_equal(out[made].team[1], PAIRING_BYE);
        for (int i = 0; i < b->count; i++) {
            assert_true((b->opponent[i] == PAIRING_BYE) == (out[made].team[0] == ranked[i]));
        }
    }
}

static void expect_as_brute_force(const int *ranked, int count, const struct history *h)
{
    struct pairing out[BRUTE_MAX];
    struct brute b = brute_of(ranked, count, h);
    pair_by_brute_force(&b);
    swiss(ranked, count, h, out);
    expect_pairings(&b, ranked, out, false);
}

static void a_swiss_round_k_of_at_least_2k_teams_has_no_rematch(void **state)
{
    (void)state;
    struct rng rng = rng_make(21);
    for (int i = 0; i < scaled(2000); i++) {
        int count = 2 + (int)rng_below(&rng, 15);
        int ranked[16];
        bool have_met[16][16] = {{false}};
        struct history h = {.count = 0};
        for (int t = 0; t < count; t++) {
            ranked[t] = t;
        }
        for (int round = 1; 2 * round <= count; round++) {
            shuffle(ranked, count, &rng);
            swiss(ranked, count, &h, h.list + h.count);
            for (int k = 0; k < (count + 1) / 2; k++) {
                const int *team = h.list[h.count++].team;
                if (team[1] != PAIRING_BYE) {
                    assert_false(have_met[team[0]][team[1]]);
                    have_met[team[0]][team[1]] = have_met[team[1]][team[0]] = true;
                }
            }
        }
    }
}

static void swiss_is_as_brute_force_finds_it(void **state)
{
    (void)state;
    struct rng rng = rng_make(20);
    for (int i = 0; i < scaled(20000); i++) {
        /* One or two teams may have left; everything from no history to far too much. */
        int count = 1 + (int)rng_below(&rng, BRUTE_MAX);
        int teams = count + (int)rng_below(&rng, 3);
        int ranked[BRUTE_MAX + 2];
        struct history h = {.count = 0};
        for (int t = 0; t < teams; t++) {
            ranked[t] = t;
        }
        size_t wanted = rng_below(&rng, (uint64_t)(teams * teams) / 2 + 2);
        while (h.count < wanted && teams > 1) {
            int a = (int)rng_below(&rng, (uint64_t)teams);
            int b = (int)rng_below(&rng, (uint64_t)teams);
            h.list[h.count++] = (struct pairing){{a, a == b ? PAIRING_BYE : b}};
        }
        shuffle(ranked, teams, &rng);
        expect_as_brute_force(ranked, count, &h);
    }
}

static void swiss_is_as_brute_force_finds_it_round_after_round(void **state)
{
    (void)state;
    struct rng rng = rng_make(21);
    for (int i = 0; i < scaled(300); i++) {
        int count = 2 + i % (BRUTE_MAX - 1);
        int ranked[BRUTE_MAX];
        struct history h = {.count = 0};
        for (int t = 0; t < count; t++) {
            ranked[t] = t;
        }
        for (int round = 0; round < count + 3; round++) {
            shuffle(ranked, count, &rng);
            expect_as_brute_force(ranked, count, &h);
            swiss(ranked, count, &h, h.list + h.count);
            h.count += (size_t)(count + 1) / 2;
        }
    }
}

/* --- Colours, with one game a pairing. --- */

/* The colours of a team's games, from the first on. */
struct past {
    char list[64]; /* B, W */
    int count;
};

static int ahead_of(const struct past *past)
{
    int ahead = 0;
    for (int i = 0; i < past->count; i++) {
        ahead += past->list[i] == 'B' ? 1 : -1;
    }
    return ahead;
}

static bool is_third_in_a_row(const struct past *past, char colour)
{
    return past->count >= 2 && past->list[past->count - 1] == colour &&
           past->list[past->count - 2] == colour;
}

/* Whether it may have the colour if it must stay within `most`, or come closer to that. */
static bool is_bearable(const struct past *past, char colour, int most)
{
    int ahead = ahead_of(past) + (colour == 'B' ? 1 : -1);
    return !is_third_in_a_row(past, colour) &&
           (abs(ahead) <= most || abs(ahead) < abs(ahead_of(past)));
}

static bool is_bearable_pair(const struct past *a, const struct past *b, int most)
{
    return (is_bearable(a, 'B', most) && is_bearable(b, 'W', most)) ||
           (is_bearable(a, 'W', most) && is_bearable(b, 'B', most));
}

static int fewest_meetings(const struct brute *b)
{
    int fewest = MAX_HISTORY;
    for (int i = 0; i < b->count; i++) {
        for (int k = 0; k < i; k++) {
            fewest = b->met[i][k] < fewest ? b->met[i][k] : fewest;
        }
    }
    return fewest;
}

/* The team, or none, rests; teams whose colours do not fit do not meet. */
static bool choose_strictly(struct brute *b, int rest, int rematches)
{
    memset(b->is_paired, 0, sizeof b->is_paired);
    if (rest != PAIRING_BYE) {
        b->is_paired[rest] = true;
        b->opponent[rest] = PAIRING_BYE;
    }
    b->is_strict = true;
    return fewest_rematches(b) == rematches && choose(b, rematches);
}

/* With the fewest rematches. When all teams have met, a rematch is one of teams that met more often
 * than others. */
static bool pair_strictly(struct brute *b, const int *ranked, const struct past *pasts, int most,
                          int most_resting)
{
    struct brute strict = *b;
    int ignored = fewest_meetings(b);
    bool is_found = false;
    for (int i = 0; i < b->count * b->count; i++) {
        int a = i / b->count;
        int c = i % b->count;
        strict.is_unfit[a][c] = !is_bearable_pair(&pasts[ranked[a]], &pasts[ranked[c]], most);
        strict.met[a][c] -= a == c ? 0 : ignored;
    }
    if (b->count % 2) {
        int bye = brute_bye(&strict);
        strict.is_paired[bye] = true;
        int rematches = fewest_rematches(&strict);
        for (int rest = bye; !is_found && rest >= 0; rest--) {
            is_found = b->byes[rest] == b->byes[bye] &&
                       abs(ahead_of(&pasts[ranked[rest]])) <= most_resting &&
                       choose_strictly(&strict, rest, rematches);
        }
    } else {
        is_found = choose_strictly(&strict, PAIRING_BYE, fewest_rematches(&strict));
    }
    memcpy(b->opponent, strict.opponent, sizeof b->opponent);
    return is_found;
}

/* At last, colours only decide between opponents that a team met equally often. */
static void pair_colours_by_brute_force(struct brute *b, const int *ranked,
                                        const struct past *pasts)
{
    if (pair_strictly(b, ranked, pasts, 1, 1) || pair_strictly(b, ranked, pasts, 1, 2) ||
        pair_strictly(b, ranked, pasts, 2, 2)) {
        return;
    }
    for (int i = 0; i < b->count * b->count; i++) {
        int a = i / b->count;
        int c = i % b->count;
        b->is_unfit[a][c] = !is_bearable_pair(&pasts[ranked[a]], &pasts[ranked[c]], 1);
    }
    pair_by_brute_force(b);
}

/* What cannot be avoided: the least of both orders. */
static void expect_best_order(struct pairing p, const struct past *pasts)
{
    int rows[2];
    int worst[2];
    for (int order = 0; order < 2; order++) {
        const struct past *black = &pasts[p.team[order]];
        const struct past *white = &pasts[p.team[1 - order]];
        int black_ahead = abs(ahead_of(black) + 1);
        int white_ahead = abs(ahead_of(white) - 1);
        rows[order] = is_third_in_a_row(black, 'B') + is_third_in_a_row(white, 'W');
        worst[order] = black_ahead > white_ahead ? black_ahead : white_ahead;
    }
    assert_true(rows[0] <= rows[1]);
    assert_true(rows[0] < rows[1] || worst[0] <= worst[1]);
}

static void colours_are_as_brute_force_finds_them_round_after_round(void **state)
{
    (void)state;
    struct rng rng = rng_make(22);
    int strict = 0;
    int games = 0;
    for (int i = 0; i < scaled(300); i++) {
        int count = 2 + i % (BRUTE_MAX - 1);
        int ranked[BRUTE_MAX];
        struct past pasts[BRUTE_MAX] = {{"", 0}};
        struct pairing_colours colours[BRUTE_MAX] = {{0, 0}};
        struct history h = {.count = 0, .colours = colours, .rounds_left = 1};
        for (int t = 0; t < count; t++) {
            ranked[t] = t;
        }
        for (int round = 0; round < count + 3; round++) {
            shuffle(ranked, count, &rng);
            struct brute b = brute_of(ranked, count, &h);
            struct pairing out[BRUTE_MAX];
            pair_colours_by_brute_force(&b, ranked, pasts);
            swiss(ranked, count, &h, out);
            expect_pairings(&b, ranked, out, true);
            for (int p = 0; p < (count + 1) / 2; p++) {
                struct pairing with = out[p];
                h.list[h.count++] = with;
                if (with.team[1] == PAIRING_BYE) {
                    assert_int_equal(with.team[0], out[p].team[0]);
                    continue;
                }
                expect_best_order(with, pasts);
                for (int side = 0; side < 2; side++) {
                    struct past *past = &pasts[with.team[side]];
                    past->list[past->count++] = side == 0 ? 'B' : 'W';
                    pairing_colours_add(&colours[with.team[side]], (enum side)side);
                    assert_int_equal(colours[with.team[side]].ahead, ahead_of(past));
                    strict += abs(ahead_of(past)) <= 1;
                    games++;
                }
            }
        }
    }
    assert_true(strict * 10 > games * 9); /* also where far too many rounds force rematches */
}

/* --- Colours with a view to the later rounds: every pairing and every order of colours. --- */

enum { NAIVE_MAX = 7, NAIVE_OPEN = -1, NAIVE_BYE = -2 };

/* Teams are known by their position in the ranking. */
struct naive {
    int count;
    bool may_meet[NAIVE_MAX][NAIVE_MAX];
    int ahead[NAIVE_MAX];
    int byes[NAIVE_MAX];
};

/* A way to pair a round: the opponent of each team, and whether it is Black. */
struct naive_round {
    int opponent[NAIVE_MAX]; /* or one of the above */
    bool is_black[NAIVE_MAX];
};

static bool can_go_on(const struct naive *before, int rounds);

/* Completes the round from this team on, `rounds` from its end; then the colours, as wished for
 * first, from the team `coloured` on. */
static bool try_naive_round(const struct naive *n, struct naive_round *r,
                            const struct pairing_colours *wishes, int coloured, int rounds)
{
    int top = 0;
    while (top < n->count && r->opponent[top] != NAIVE_OPEN) {
        top++;
    }
    for (int i = top + 1; top < n->count && i < n->count; i++) {
        if (r->opponent[i] != NAIVE_OPEN || !n->may_meet[top][i] ||
            n->ahead[top] * n->ahead[i] > 0) {
            continue;
        }
        r->opponent[top] = i;
        r->opponent[i] = top;
        if (try_naive_round(n, r, wishes, 0, rounds)) {
            return true;
        }
        r->opponent[top] = r->opponent[i] = NAIVE_OPEN;
    }
    if (top < n->count) {
        return false;
    }
    while (coloured < n->count && r->opponent[coloured] < coloured) {
        coloured++;
    }
    if (coloured < n->count) {
        int other = r->opponent[coloured];
        struct pairing wish = {{coloured, other}};
        wish = wishes ? pairing_in_order_of_colours(wish, wishes) : wish;
        for (int turned = 0; turned < 2; turned++) {
            int black = wish.team[turned];
            int white = wish.team[1 - turned];
            if (n->ahead[black] > 0 || n->ahead[white] < 0) {
                continue;
            }
            r->is_black[black] = true;
            r->is_black[white] = false;
            if (try_naive_round(n, r, wishes, coloured + 1, rounds)) {
                return true;
            }
        }
        return false;
    }
    struct naive after = *n;
    for (int i = 0; i < n->count; i++) {
        if (r->opponent[i] == NAIVE_BYE) {
            after.byes[i]++;
        } else {
            after.may_meet[i][r->opponent[i]] = false;
            after.ahead[i] += r->is_black[i] ? 1 : -1;
        }
    }
    return can_go_on(&after, rounds - 1);
}

/* Not a rule, only for speed: whether no more byes are needed than there are. */
static bool have_opponents(const struct naive *n, int rounds)
{
    int byes = n->count % 2 * rounds;
    for (int i = 0; i < n->count; i++) {
        int opponents = 0;
        for (int k = 0; k < n->count; k++) {
            opponents += n->may_meet[i][k];
        }
        byes -= opponents < rounds ? rounds - opponents : 0;
    }
    return byes >= 0;
}

/* The first way to pair a round in the order of preference, if the later ones can be paired. */
static bool pair_naively(const struct naive *n, const struct pairing_colours *wishes, int rounds,
                         struct naive_round *r)
{
    int fewest = MAX_HISTORY;
    for (int i = 0; i < n->count; i++) {
        fewest = n->byes[i] < fewest ? n->byes[i] : fewest;
    }
    for (int rest = n->count - 1; rest >= 0; rest--) {
        for (int i = 0; i < n->count; i++) {
            r->opponent[i] = NAIVE_OPEN;
        }
        if (n->count % 2 && n->byes[rest] != fewest) {
            continue;
        }
        if (n->count % 2) {
            r->opponent[rest] = NAIVE_BYE;
        }
        if (try_naive_round(n, r, wishes, 0, rounds)) {
            return true;
        }
        if (n->count % 2 == 0) {
            return false;
        }
    }
    return false;
}

static bool can_go_on(const struct naive *before, int rounds)
{
    struct naive_round r;
    return rounds == 0 ||
           (have_opponents(before, rounds) && pair_naively(before, NULL, rounds, &r));
}

static void expect_naive_round(const struct naive *n, const int *ranked, const struct history *h,
                               const struct pairing *out)
{
    struct pairing_colours wishes[NAIVE_MAX];
    struct naive_round r;
    int made = 0;
    int rounds = h->rounds_left;
    for (int i = 0; i < n->count; i++) {
        wishes[i] = h->colours[ranked[i]];
    }
    while (!have_opponents(n, rounds) || !pair_naively(n, wishes, rounds, &r)) {
        rounds--;
        assert_true(rounds > 0);
    }
    for (int i = 0; i < n->count; i++) {
        int opponent = r.opponent[i];
        if (opponent == NAIVE_BYE) {
            assert_int_equal(out[n->count / 2].team[0], ranked[i]);
            assert_int_equal(out[n->count / 2].team[1], PAIRING_BYE);
        } else if (opponent > i) {
            assert_int_equal(out[made].team[0], ranked[r.is_black[i] ? i : opponent]);
            assert_int_equal(out[made].team[1], ranked[r.is_black[i] ? opponent : i]);
            made++;
        }
    }
}

static struct naive naive_of(const int *ranked, int count, const struct history *h)
{
    struct brute b = brute_of(ranked, count, h);
    struct naive n = {.count = count};
    for (int i = 0; i < count; i++) {
        n.ahead[i] = h->colours[ranked[i]].ahead;
        n.byes[i] = b.byes[i];
        for (int k = 0; k < count; k++) {
            n.may_meet[i][k] = i != k && b.met[i][k] == fewest_meetings(&b);
        }
    }
    return n;
}

static void every_round_leaves_a_way_to_pair_the_later_ones(void **state)
{
    (void)state;
    struct rng rng = rng_make(23);
    for (int i = 0; i < scaled(200); i++) {
        int count = 2 + i % (NAIVE_MAX - 1);
        int rounds = 1 + (int)rng_below(&rng, (uint64_t)count + 2);
        int ranked[NAIVE_MAX];
        struct pairing_colours colours[NAIVE_MAX] = {{0, 0}};
        struct history h = {.count = 0, .colours = colours};
        for (int t = 0; t < count; t++) {
            ranked[t] = t;
        }
        for (h.rounds_left = rounds; h.rounds_left > 0; h.rounds_left--) {
            struct pairing *out = h.list + h.count;
            shuffle(ranked, count, &rng);
            struct naive n = naive_of(ranked, count, &h);
            swiss(ranked, count, &h, out);
            expect_naive_round(&n, ranked, &h, out);
            h.count += (size_t)(count + 1) / 2;
            for (int p = 0; p < count / 2; p++) {
                pairing_colours_add(&colours[out[p].team[0]], SIDE_BLACK);
                pairing_colours_add(&colours[out[p].team[1]], SIDE_WHITE);
            }
            for (int t = 0; t < count; t++) {
                assert_in_range(colours[t].ahead + 1, 0, 2);
                assert_in_range(colours[t].run + 2, 0, 4);
            }
        }
    }
}

/* --- Colours when teams leave and enter between rounds: what was possible stays possible. --- */

enum { CHANGING_MAX = 7, CHANGING_LARGE = 40 };

/* The teams that play the next round: most of those that are there, in any order. Returns how many.
 */
static int change_field(bool *is_in, int teams, int *ranked, struct rng *rng)
{
    int count = 0;
    for (int t = 0; t < teams; t++) {
        is_in[t] = rng_below(rng, 12) ? is_in[t] : !is_in[t];
    }
    for (int t = 0; t < teams; t++) {
        if (is_in[t]) {
            ranked[count++] = t;
        }
    }
    shuffle(ranked, count, rng);
    return count;
}

static void no_round_spoils_even_colours_when_teams_leave_and_enter(void **state)
{
    (void)state;
    struct rng rng = rng_make(24);
    for (int i = 0; i < scaled(200); i++) {
        struct pairing_colours colours[CHANGING_MAX] = {{0, 0}};
        struct history h = {.count = 0, .colours = colours};
        bool is_in[CHANGING_MAX];
        int ranked[CHANGING_MAX];
        for (int t = 0; t < CHANGING_MAX; t++) {
            is_in[t] = t < 3 + i % 4;
        }
        for (h.rounds_left = 5; h.rounds_left > 0; h.rounds_left--) {
            int count = change_field(is_in, CHANGING_MAX, ranked, &rng);
            if (count < 2) {
                continue;
            }
            struct pairing *out = h.list + h.count;
            bool could = colour_oracle_can_be_even(ranked, count, h.list, h.count, h.rounds_left);
            swiss(ranked, count, &h, out);
            h.count += (size_t)(count + 1) / 2;
            for (int p = 0; p < count / 2; p++) {
                pairing_colours_add(&colours[out[p].team[0]], SIDE_BLACK);
                pairing_colours_add(&colours[out[p].team[1]], SIDE_WHITE);
            }
            assert_true(!could || colour_oracle_can_be_even(ranked, count, h.list, h.count,
                                                            h.rounds_left - 1));
        }
    }
}

/* The number of steps is limited: without that this does not end. */
static void a_large_field_that_changes_is_paired(void **state)
{
    (void)state;
    struct rng rng = rng_make(25);
    for (int i = 0; i < 5; i++) {
        struct pairing_colours colours[CHANGING_LARGE] = {{0, 0}};
        struct history h = {.count = 0, .colours = colours};
        bool is_in[CHANGING_LARGE];
        int ranked[CHANGING_LARGE];
        for (int t = 0; t < CHANGING_LARGE; t++) {
            is_in[t] = t % 8 != 0;
        }
        for (h.rounds_left = 8; h.rounds_left > 0; h.rounds_left--) {
            int count = change_field(is_in, CHANGING_LARGE, ranked, &rng);
            struct pairing *out = h.list + h.count;
            swiss(ranked, count, &h, out);
            h.count += (size_t)(count + 1) / 2;
            for (int p = 0; p < count / 2; p++) {
                pairing_colours_add(&colours[out[p].team[0]], SIDE_BLACK);
                pairing_colours_add(&colours[out[p].team[1]], SIDE_WHITE);
                assert_in_range(colours[out[p].team[0]].run, 1, 2);
                assert_in_range(-colours[out[p].team[1]].run, 1, 2);
            }
        }
    }
}

/* --- A whole tournament. --- */

static bool is_rematch(const struct history *h, size_t before, const struct pairing *p)
{
    for (size_t i = 0; i < before; i++) {
        const int *old = h->list[i].team;
        if ((old[0] == p->team[0] && old[1] == p->team[1]) ||
            (old[0] == p->team[1] && old[1] == p->team[0])) {
            return true;
        }
    }
    return false;
}

/* Plays `rounds` rounds with random results; `leaving` teams go after every round. */
static void play_tournament(int teams, int rounds, int leaving, uint64_t seed)
{
    struct rng rng = rng_make(seed);
    struct history h = {.count = 0};
    struct ranking_game games[MAX_HISTORY];
    struct ranking_row rows[MAX_TEAMS];
    int ranked[MAX_TEAMS];
    int tiers[MAX_TEAMS] = {0};
    struct ranking_rules rules = ranking_rules_usual();
    struct note why;
    for (int round = 0; round < rounds; round++) {
        int count = 0;
        assert_int_equal(ranking_make(teams, &rules, tiers, games, h.count, seed, rows, &why),
                         ERR_NONE);
        for (int i = 0; i < teams; i++) {
            if (rows[i].tier == 0) {
                ranked[count++] = rows[i].team;
            }
        }
        size_t before = h.count;
        bool is_busy[MAX_TEAMS] = {false};
        swiss(ranked, count, &h, h.list + h.count);
        h.count += (size_t)(count + 1) / 2;
        for (size_t i = before; i < h.count; i++) {
            const int *team = h.list[i].team;
            assert_false(is_rematch(&h, before, &h.list[i]));
            assert_false(is_busy[team[0]] || (team[1] >= 0 && is_busy[team[1]]));
            is_busy[team[0]] = true;
            if (team[1] >= 0) {
                is_busy[team[1]] = true;
            }
            int score = (int)rng_below(&rng, 9) - 4;
            games[i] = (struct ranking_game){{team[0], team[1]},
                                             {score, -score},
                                             team[1] < 0 || score > 0 ? OUTCOME_BLACK
                                             : score < 0              ? OUTCOME_WHITE
                                                                      : OUTCOME_DRAW,
                                             round};
        }
        for (int i = 0; i < leaving; i++) {
            tiers[ranked[rng_below(&rng, (uint64_t)count)]] = -1;
        }
    }
}

static void no_team_meets_another_twice_or_has_two_byes(void **state)
{
    (void)state;
    play_tournament(100, 9, 0, 1);
    play_tournament(63, 8, 0, 2);
    play_tournament(41, 8, 2, 3);
    play_tournament(9, 8, 0, 4);
}

static void the_number_of_swiss_rounds_grows_with_the_teams(void **state)
{
    (void)state;
    const int expected[][2] = {{1, 2},  {2, 3},  {3, 4},  {4, 4},  {5, 5},   {8, 5},   {9, 6},
                               {16, 6}, {17, 7}, {64, 8}, {65, 9}, {100, 9}, {128, 9}, {129, 10}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(pairing_swiss_rounds(expected[i][0]), expected[i][1]);
    }
}

static void the_bye_goes_to_the_lowest_team_without_one(void **state)
{
    (void)state;
    const int ranked[] = {3, 1, 4, 0, 2};
    struct pairing out[3];
    struct history h = {.count = 0};
    swiss(ranked, 5, &h, out);
    assert_int_equal(out[2].team[0], 2);
    assert_int_equal(out[2].team[1], PAIRING_BYE);
    h.list[h.count++] = (struct pairing){{2, PAIRING_BYE}};
    swiss(ranked, 5, &h, out);
    assert_int_equal(out[2].team[0], 0);
}

static void a_bye_is_never_for_a_team_that_cannot_start(void **state)
{
    (void)state;
    const int ranked[] = {3, 1, 4, 0, 2};
    const bool cannot_start[] = {true, false, true, false, true};
    const bool none_can[] = {true, true, true, true, true};
    struct pairing out[3];
    struct history h = {.count = 0, .cannot_start = cannot_start};
    swiss(ranked, 5, &h, out);
    assert_int_equal(out[2].team[0], 1);
    h.list[h.count++] = (struct pairing){{1, PAIRING_BYE}};
    swiss(ranked, 5, &h, out);
    assert_int_equal(out[2].team[0], 3);
    h.list[h.count++] = (struct pairing){{3, PAIRING_BYE}};
    swiss(ranked, 5, &h, out);
    assert_int_equal(out[2].team[0], 1); /* again, before one that cannot start */
    h.cannot_start = none_can;
    swiss(ranked, 5, &h, out);
    assert_int_equal(out[2].team[0], 2);
}

static void the_bye_moves_up_where_the_rest_could_not_be_paired(void **state)
{
    (void)state;
    /* Without team 2, teams 0 and 1 would have to meet again; without team 1 no two do. */
    const int ranked[] = {0, 1, 2};
    struct history h = {.list = {{{0, 1}}}, .count = 1};
    struct pairing out[2];
    swiss(ranked, 3, &h, out);
    assert_int_equal(out[0].team[0], 0);
    assert_int_equal(out[0].team[1], 2);
    assert_int_equal(out[1].team[0], 1);
}

static void a_round_robin_has_every_pair_once(void **state)
{
    (void)state;
    for (int teams = 1; teams <= 21; teams++) {
        int met[21][21] = {{0}};
        for (int round = 0; round < pairing_round_robin_rounds(teams); round++) {
            struct pairing out[10];
            bool is_busy[21] = {false};
            int made = pairing_round_robin(teams, round, out);
            assert_int_equal(made, teams / 2);
            for (int i = 0; i < made; i++) {
                assert_true(out[i].team[0] < out[i].team[1]);
                met[out[i].team[0]][out[i].team[1]]++;
                for (int k = 0; k < 2; k++) {
                    assert_false(is_busy[out[i].team[k]]);
                    is_busy[out[i].team[k]] = true;
                }
            }
        }
        for (int a = 0; a < teams; a++) {
            for (int b = a + 1; b < teams; b++) {
                assert_int_equal(met[a][b], 1);
            }
        }
    }
}

static void a_gauntlet_is_one_against_all(void **state)
{
    (void)state;
    struct pairing out[4];
    assert_int_equal(pairing_gauntlet(5, 2, out), 4);
    const int others[] = {0, 1, 3, 4};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(out[i].team[0], 2);
        assert_int_equal(out[i].team[1], others[i]);
    }
}

static void in_a_knockout_the_best_two_meet_in_the_final(void **state)
{
    (void)state;
    int ranked[MAX_TEAMS];
    for (int i = 0; i < MAX_TEAMS; i++) {
        ranked[i] = MAX_TEAMS - 1 - i; /* the better, the greater */
    }
    for (int teams = 2; teams <= MAX_TEAMS; teams++) {
        struct pairing out[MAX_TEAMS];
        int winners[MAX_TEAMS];
        int rounds = 0;
        int byes = 0;
        int made = pairing_knockout_first(ranked, teams, out);
        for (int i = 0; i < made; i++) {
            byes += out[i].team[1] == PAIRING_BYE;
        }
        assert_int_equal(2 * made - byes, teams);
        for (;; made = pairing_knockout_next(winners, made, out)) {
            rounds++;
            if (made == 1) {
                break;
            }
            for (int i = 0; i < made; i++) {
                const int *team = out[i].team;
                /* A bye is for one of the best. */
                assert_true(team[1] != PAIRING_BYE || team[0] >= MAX_TEAMS - byes);
                winners[i] = team[0] > team[1] ? team[0] : team[1];
            }
        }
        assert_int_equal(rounds, pairing_knockout_rounds(teams));
        assert_int_equal(out[0].team[0] + out[0].team[1], 2 * MAX_TEAMS - 3);
    }
}

static void a_bracket_of_eight_is_the_usual_one(void **state)
{
    (void)state;
    const int ranked[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int expected[][2] = {{0, 7}, {3, 4}, {1, 6}, {2, 5}};
    struct pairing out[8];
    assert_int_equal(pairing_knockout_first(ranked, 8, out), 4);
    assert_memory_equal(out, expected, sizeof expected);
}

static void a_knockout_pairing_goes_to_points_then_score_then_the_better_seed(void **state)
{
    (void)state;
    const struct pairing p = {{4, 7}};
    struct ranking_game games[] = {{{4, 7}, {1, 0}, OUTCOME_BLACK, 0},
                                   {{7, 4}, {9, 9}, OUTCOME_DRAW, 0}};
    assert_int_equal(pairing_knockout_winner(&p, games, 2, false), 4);
    games[1] = (struct ranking_game){{7, 4}, {9, 0}, OUTCOME_BLACK, 0};
    assert_int_equal(pairing_knockout_winner(&p, games, 2, true), 7);
    games[1].score[0] = 1;
    assert_int_equal(pairing_knockout_winner(&p, games, 2, true), 4);
    assert_int_equal(pairing_knockout_winner(&p, games, 2, false), 7);
    games[0].outcome = games[1].outcome = OUTCOME_BOTH_LOST;
    assert_int_equal(pairing_knockout_winner(&p, games, 2, true), 4);
    assert_int_equal(pairing_knockout_winner(&p, games, 2, false), 7);
    assert_int_equal(pairing_knockout_winner(&(struct pairing){{4, PAIRING_BYE}}, NULL, 0, false),
                     4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swiss_round_k_of_at_least_2k_teams_has_no_rematch),
        cmocka_unit_test(swiss_is_as_brute_force_finds_it),
        cmocka_unit_test(swiss_is_as_brute_force_finds_it_round_after_round),
        cmocka_unit_test(colours_are_as_brute_force_finds_them_round_after_round),
        cmocka_unit_test(every_round_leaves_a_way_to_pair_the_later_ones),
        cmocka_unit_test(no_round_spoils_even_colours_when_teams_leave_and_enter),
        cmocka_unit_test(a_large_field_that_changes_is_paired),
        cmocka_unit_test(no_team_meets_another_twice_or_has_two_byes),
        cmocka_unit_test(the_number_of_swiss_rounds_grows_with_the_teams),
        cmocka_unit_test(the_bye_goes_to_the_lowest_team_without_one),
        cmocka_unit_test(a_bye_is_never_for_a_team_that_cannot_start),
        cmocka_unit_test(the_bye_moves_up_where_the_rest_could_not_be_paired),
        cmocka_unit_test(a_round_robin_has_every_pair_once),
        cmocka_unit_test(a_gauntlet_is_one_against_all),
        cmocka_unit_test(in_a_knockout_the_best_two_meet_in_the_final),
        cmocka_unit_test(a_bracket_of_eight_is_the_usual_one),
        cmocka_unit_test(a_knockout_pairing_goes_to_points_then_score_then_the_better_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
