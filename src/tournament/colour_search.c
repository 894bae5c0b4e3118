#include "tournament/colour_search.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bits.h"
#include "tournament/matching.h"

enum { MAX_STEPS = 50000 };

/* What all rounds of a search share. */
struct round_search {
    int steps; /* left */
    struct colour_search_limits limits;
    struct pairing *out; /* of the first round */
};

/* A round that is being paired. */
struct round {
    const struct colour_search *before;
    int later; /* rounds after it */
    bool is_first;
    int fewest;    /* meetings of two teams: more are a rematch */
    int most;      /* likewise */
    int rematches; /* that are still allowed */
    uint64_t left; /* teams that are not paired */
    struct pairing made[COLOUR_SEARCH_MAX_TEAMS / 2];
    int made_count;
    int bye; /* or PAIRING_BYE */
};

static bool pair_rounds(struct round_search *search, const struct colour_search *field, int rounds,
                        bool is_first);

static struct colour_search after(const struct round *round)
{
    struct colour_search field = *round->before;
    for (int i = 0; i < round->made_count; i++) {
        const int *team = round->made[i].team;
        for (int place = 0; place < 2; place++) {
            struct colour_search_team *one = &field.team[team[place]];
            one->meetings[team[1 - place]]++;
            for (int game = 0; game < field.games; game++) {
                pairing_colours_add(&one->colours,
                                    (place + game) % 2 == 0 ? SIDE_BLACK : SIDE_WHITE);
            }
        }
    }
    if (round->bye != PAIRING_BYE) {
        field.team[round->bye].byes++;
    }
    return field;
}

static bool complete(struct round_search *search, const struct round *round)
{
    const struct colour_search field = after(round);
    for (int i = 0; i < field.count; i++) {
        if (abs(field.team[i].colours.ahead) > search->limits.in_the_end + round->later) {
            return false;
        }
    }
    if (!pair_rounds(search, &field, round->later, false)) {
        return false;
    }
    for (int i = 0; round->is_first && i < round->made_count; i++) {
        search->out[i] = round->made[i];
    }
    if (round->is_first && round->bye != PAIRING_BYE) {
        search->out[round->made_count] = (struct pairing){{round->bye, PAIRING_BYE}};
    }
    return true;
}

/* Decides the colours from this pairing on. */
static bool colour_rest(struct round_search *search, struct round *round, int at)
{
    struct pairing_colours colours[COLOUR_SEARCH_MAX_TEAMS];
    if (search->steps-- <= 0) {
        return false;
    }
    if (at == round->made_count) {
        return complete(search, round);
    }
    const struct pairing teams = round->made[at];
    for (int place = 0; place < 2; place++) {
        colours[teams.team[place]] = round->before->team[teams.team[place]].colours;
    }
    const struct pairing wish = pairing_in_order_of_colours(teams, colours);
    for (int turned = 0; turned < 2; turned++) {
        int black = wish.team[turned];
        int white = wish.team[1 - turned];
        round->made[at] = (struct pairing){{black, white}};
        if (pairing_can_have(colours[black], SIDE_BLACK, search->limits.meanwhile) &&
            pairing_can_have(colours[white], SIDE_WHITE, search->limits.meanwhile) &&
            colour_rest(search, round, at + 1)) {
            return true;
        }
    }
    round->made[at] = teams;
    return false;
}

/* Pairs the teams that are left. */
static bool pair_teams(struct round_search *search, struct round *round)
{
    if (!round->left) {
        return colour_rest(search, round, 0);
    }
    if (search->steps-- <= 0) {
        return false;
    }
    int a = bits_lowest(round->left);
    const struct colour_search_team *top = &round->before->team[a];
    for (int times = round->fewest; times <= round->most; times++) {
        bool is_rematch = times > round->fewest;
        for (uint64_t others = round->left & ~bits_one(a); others;) {
            int b = bits_pop(&others);
            if (top->meetings[b] != times || is_rematch > round->rematches ||
                !pairing_do_colours_fit(top->colours, round->before->team[b].colours,
                                        search->limits.meanwhile)) {
                continue;
            }
            uint64_t both = bits_one(a) | bits_one(b);
            round->made[round->made_count++] = (struct pairing){{a, b}};
            round->rematches -= is_rematch;
            round->left &= ~both;
            if (pair_teams(search, round)) {
                return true;
            }
            round->left |= both;
            round->rematches += is_rematch;
            round->made_count--;
        }
    }
    return false;
}

/* The fewest rematches if this team, or none, has the bye. */
static int rematches_without(const struct round *round, int bye)
{
    const struct colour_search *field = round->before;
    bool is_allowed[COLOUR_SEARCH_MAX_TEAMS * COLOUR_SEARCH_MAX_TEAMS];
    struct matching matching;
    for (int i = 0; i < field->count * field->count; i++) {
        int a = i / field->count;
        int b = i % field->count;
        is_allowed[i] = a != b && field->team[a].meetings[b] == round->fewest;
    }
    matching_init(&matching, field->count, is_allowed);
    if (bye != PAIRING_BYE) {
        matching_take_out(&matching, bye);
    }
    return matching_grow(&matching) / 2;
}

static struct round make_round(const struct colour_search *field, int rounds, bool is_first)
{
    struct round round = {
        .before = field,
        .later = rounds - 1,
        .is_first = is_first,
        .fewest = INT32_MAX,
        .left = UINT64_MAX >> (COLOUR_SEARCH_MAX_TEAMS - field->count),
        .bye = PAIRING_BYE,
    };
    for (int a = 0; a < field->count; a++) {
        for (int b = 0; b < a; b++) {
            int times = field->team[a].meetings[b];
            round.fewest = times < round.fewest ? times : round.fewest;
            round.most = times > round.most ? times : round.most;
        }
    }
    return round;
}

/* The teams that get the bye by the rules: that can rest, had the fewest and leave the fewest
 * rematches, which `round` then has. */
static uint64_t candidates_for_bye(struct round *round)
{
    const struct colour_search *field = round->before;
    uint64_t candidates = 0;
    int fewest = INT32_MAX;
    for (int i = 0; i < field->count; i++) {
        const struct colour_search_team *team = &field->team[i];
        fewest = !team->cannot_rest && team->byes < fewest ? team->byes : fewest;
    }
    round->rematches = INT32_MAX;
    for (int i = 0; i < field->count; i++) {
        if (field->team[i].cannot_rest || field->team[i].byes != fewest) {
            continue;
        }
        int rematches = rematches_without(round, i);
        candidates = rematches < round->rematches ? 0 : candidates;
        candidates |= rematches <= round->rematches ? bits_one(i) : 0;
        round->rematches = rematches < round->rematches ? rematches : round->rematches;
    }
    return candidates;
}

static bool pair_rounds(struct round_search *search, const struct colour_search *field, int rounds,
                        bool is_first)
{
    if (rounds == 0) {
        return true;
    }
    struct round round = make_round(field, rounds, is_first);
    search->steps -= field->count;
    if (field->count % 2 == 0) {
        round.rematches = rematches_without(&round, PAIRING_BYE);
        return pair_teams(search, &round);
    }
    uint64_t candidates = candidates_for_bye(&round);
    uint64_t all = round.left;
    for (int i = field->count - 1; i >= 0; i--) {
        round.bye = i;
        round.left = all & ~bits_one(i);
        if ((candidates & bits_one(i)) && pair_teams(search, &round)) {
            return true;
        }
    }
    return false;
}

bool colour_search_find(const struct colour_search *start, int rounds,
                        struct colour_search_limits limits, struct pairing *out)
{
    assert(start->count > 1 && start->count <= COLOUR_SEARCH_MAX_TEAMS && rounds > 0);
    struct round_search search = {MAX_STEPS, limits, out};
    return pair_rounds(&search, start, rounds, true);
}
