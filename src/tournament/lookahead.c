#include "tournament/lookahead.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bits.h"

enum {
    MAX_STEPS = 20000, /* of one call */
    AHEAD = 1,         /* a sign: one game ahead as Black, and its negative as White */
    FIRST_VARIABLE,
    MAX_VARIABLES = FIRST_VARIABLE + LOOKAHEAD_MAX_TEAMS / 2 * LOOKAHEAD_MAX_ROUNDS,
};

/* A sign is 0 for a level team, AHEAD, a variable (AHEAD or its negative), or the negative of one.
 * A bye is a pairing with one more node. */
struct lookahead_search {
    int count;
    int rounds;
    int steps;         /* left */
    uint64_t all;      /* nodes */
    uint64_t bye_node; /* the set of it, if there is one */
    uint64_t may_meet[LOOKAHEAD_MAX_TEAMS];
    uint64_t may_rest;
    int byes[LOOKAHEAD_MAX_TEAMS];
    int sign[LOOKAHEAD_MAX_TEAMS];
    int value[MAX_VARIABLES]; /* a sign; 0: open */
    int variables;
    struct lookahead_round next; /* its steps are signs */
};

/* What one pairing changed. */
struct lookahead_change {
    int sign[2];
    int variables;
    int assigned; /* variable; 0: none */
};

static int resolve(const struct lookahead_search *search, int sign)
{
    for (int variable = abs(sign); variable >= FIRST_VARIABLE && search->value[variable];
         variable = abs(sign)) {
        sign = sign < 0 ? -search->value[variable] : search->value[variable];
    }
    return sign;
}

/* One of them is a variable or the negative of one. Returns the variable that has a value now. */
static int make_opposite(struct lookahead_search *search, int a, int b)
{
    int open = abs(a) >= FIRST_VARIABLE ? a : b;
    int other = open == a ? b : a;
    search->value[abs(open)] = open > 0 ? -other : other;
    return abs(open);
}

/* Team `a` meets a team, or has the bye. False: both are ahead with the same colour. */
static bool pair(struct lookahead_search *search, int a, int b, bool is_next,
                 struct lookahead_change *change)
{
    if (b == search->count) {
        search->byes[a]++;
        search->next.opponent[a] = is_next ? LOOKAHEAD_BYE : search->next.opponent[a];
        return true;
    }
    int signs[2] = {resolve(search, search->sign[a]), resolve(search, search->sign[b])};
    if (signs[0] && signs[0] == signs[1]) {
        return false;
    }
    *change = (struct lookahead_change){{search->sign[a], search->sign[b]}, search->variables, 0};
    int step = signs[0] ? -signs[0] : signs[1] ? signs[1] : search->variables++;
    if (signs[0] && signs[1] && signs[0] != -signs[1]) {
        change->assigned = make_opposite(search, signs[0], signs[1]);
    }
    search->sign[a] = signs[0] ? 0 : step;
    search->sign[b] = signs[1] ? 0 : -step;
    search->may_meet[a] &= ~bits_one(b);
    search->may_meet[b] &= ~bits_one(a);
    if (is_next) {
        search->next.opponent[a] = b;
        search->next.opponent[b] = a;
        search->next.step[a] = step;
        search->next.step[b] = -step;
    }
    return true;
}

static void take_back(struct lookahead_search *search, int a, int b,
                      const struct lookahead_change *change)
{
    if (b == search->count) {
        search->byes[a]--;
        return;
    }
    search->sign[a] = change->sign[0];
    search->sign[b] = change->sign[1];
    search->value[change->assigned] = 0;
    search->variables = change->variables;
    search->may_meet[a] |= bits_one(b);
    search->may_meet[b] |= bits_one(a);
}

/* Whether the teams have so many opponents that no more byes are needed than there are. */
static bool are_opponents_enough(const struct lookahead *lookahead)
{
    int byes = lookahead->count % 2 * lookahead->rounds;
    for (int i = 0; i < lookahead->count; i++) {
        int needed = lookahead->rounds - bits_count(lookahead->may_meet[i]);
        byes -= needed > 0 ? needed : 0;
    }
    return byes >= 0;
}

/* The teams of which one gets the bye. */
static uint64_t candidates_for_bye(const struct lookahead_search *search)
{
    uint64_t fewest = 0;
    int least = INT32_MAX;
    for (int i = 0; i < search->count; i++) {
        if (!(search->may_rest & bits_one(i)) || search->byes[i] > least) {
            continue;
        }
        fewest = search->byes[i] < least ? 0 : fewest;
        fewest |= bits_one(i);
        least = search->byes[i];
    }
    return fewest;
}

/* The node with the fewest possible partners among those left, and these. */
static int most_urgent(const struct lookahead_search *search, uint64_t left, uint64_t may_rest,
                       uint64_t *partners)
{
    uint64_t ahead[2] = {0, 0}; /* as Black, as White */
    int chosen = 0;
    int fewest = INT32_MAX;
    for (uint64_t nodes = left; nodes;) {
        int node = bits_pop(&nodes);
        int sign = node < search->count ? resolve(search, search->sign[node]) : 0;
        if (abs(sign) == AHEAD) {
            ahead[sign < 0] |= bits_one(node);
        }
    }
    for (uint64_t nodes = left; nodes;) {
        int node = bits_pop(&nodes);
        uint64_t self = bits_one(node);
        uint64_t found = may_rest & left;
        if (self != search->bye_node) {
            uint64_t same = ahead[0] & self ? ahead[0] : ahead[1] & self ? ahead[1] : 0;
            uint64_t rest = may_rest & self ? search->bye_node : 0;
            found = left & ((search->may_meet[node] & ~same) | rest);
        }
        if (bits_count(found) < fewest) {
            fewest = bits_count(found);
            chosen = node;
            *partners = found;
        }
    }
    return chosen;
}

/* Pairs the nodes that are left in this round, and the later rounds. */
static bool pair_rest(struct lookahead_search *search, uint64_t left, uint64_t may_rest, int rounds)
{
    if (!left && rounds > 1) {
        return pair_rest(search, search->all, candidates_for_bye(search), rounds - 1);
    }
    if (!left || search->steps == 0) {
        return !left;
    }
    search->steps--;
    uint64_t partners = 0;
    int node = most_urgent(search, left, may_rest, &partners);
    while (partners) {
        int partner = bits_pop(&partners);
        int a = node < partner ? node : partner;
        int b = node < partner ? partner : node;
        struct lookahead_change change;
        if (!pair(search, a, b, rounds == search->rounds, &change)) {
            continue;
        }
        if (pair_rest(search, left & ~bits_one(a) & ~bits_one(b), may_rest, rounds)) {
            return true;
        }
        take_back(search, a, b, &change);
    }
    return false;
}

/* Returns the nodes that are left. */
static uint64_t pair_decided(struct lookahead_search *search, const struct lookahead_round *decided)
{
    uint64_t left = search->all;
    struct lookahead_change change;
    for (int a = 0; a < search->count; a++) {
        int b = decided->opponent[a] == LOOKAHEAD_BYE ? search->count : decided->opponent[a];
        if (b < a) {
            continue;
        }
        bool is_possible = pair(search, a, b, true, &change);
        assert(is_possible);
        (void)is_possible;
        left &= ~bits_one(a) & ~bits_one(b);
        int step = b < search->count ? search->next.step[a] : 0;
        if (abs(step) >= FIRST_VARIABLE) {
            search->value[step] = decided->step[a];
        }
    }
    return left;
}

bool lookahead_find(struct lookahead *lookahead, const struct lookahead_round *decided,
                    struct lookahead_round *out)
{
    int count = lookahead->count;
    int nodes = count + count % 2;
    assert(count > 0 && count <= LOOKAHEAD_MAX_TEAMS);
    assert(lookahead->rounds > 0 && lookahead->rounds <= LOOKAHEAD_MAX_ROUNDS);
    if (!are_opponents_enough(lookahead)) {
        return false;
    }
    int steps = lookahead->steps < MAX_STEPS ? lookahead->steps : MAX_STEPS;
    struct lookahead_search search = {
        .count = count,
        .rounds = lookahead->rounds,
        .steps = steps,
        .all = UINT64_MAX >> (LOOKAHEAD_MAX_TEAMS - nodes),
        .bye_node = count % 2 ? bits_one(count) : 0,
        .may_rest = lookahead->may_rest,
        .variables = FIRST_VARIABLE,
    };
    for (int i = 0; i < count; i++) {
        search.may_meet[i] = lookahead->may_meet[i];
        search.byes[i] = lookahead->byes[i];
        search.sign[i] = lookahead->ahead[i];
    }
    uint64_t may_rest = candidates_for_bye(&search);
    uint64_t left = pair_decided(&search, decided);
    bool is_found = pair_rest(&search, left, may_rest, search.rounds);
    lookahead->steps -= steps - search.steps;
    if (!is_found) {
        return false;
    }
    *out = search.next;
    for (int i = 0; i < count; i++) {
        int step = out->opponent[i] == LOOKAHEAD_BYE ? 0 : resolve(&search, out->step[i]);
        out->step[i] = (step > 0) - (step < 0); /* a variable that is still open: any value */
    }
    return true;
}
