#include "tournament/schedule.h"

#include "tournament/pairing.h"

/* The teams below `end` that are paired, in a swiss tournament those that entered by this round. */
static int count_teams(const struct schedule *s, int end, int round)
{
    int teams = 0;
    for (int i = 0; i < end; i++) {
        bool has_entered =
            s->roster->format != ROSTER_SWISS || s->roster->teams[i].entered_after <= round;
        teams += has_entered && (!s->is_in || s->is_in[i]) && !roster_refuses(s->roster, i);
    }
    return teams;
}

static int count_rounds(const struct schedule *s)
{
    int late = s->teams - s->starters;
    bool has_first = (!s->is_in || s->is_in[0]) && !roster_refuses(s->roster, 0);
    switch (s->roster->format) {
    case ROSTER_SWISS:
        return s->roster->rounds;
    case ROSTER_KNOCKOUT:
        return s->teams < 2 ? 0 : pairing_knockout_rounds(s->teams);
    case ROSTER_GAUNTLET: /* without the team that all others meet it has no games */
        return s->teams < 2 || !has_first ? 0 : (s->starters > 1) + late;
    default:
        return s->teams < 2 ? 0 : pairing_round_robin_rounds(s->starters) + late;
    }
}

struct schedule schedule_make(const struct roster *roster, const bool *is_in)
{
    struct schedule s = {.roster = roster, .is_in = is_in};
    int starters = count_teams(&s, roster->starter_count, roster->rounds);
    s.teams = count_teams(&s, roster->team_count, roster->rounds);
    s.starters = starters > 1 ? starters : 1; /* if no other is paired, the first late team */
    s.rounds = count_rounds(&s);
    return s;
}

int64_t schedule_pairings(const struct schedule *s, int round)
{
    int64_t next = 1; /* teams that a knockout has after the round */
    int64_t late = round - (s->rounds - (s->teams - s->starters));
    bool is_last = round + 1 == s->rounds && s->teams > 1;
    int64_t references = is_last ? (int64_t)s->teams * s->roster->reference_count : 0;
    switch (s->roster->format) {
    case ROSTER_SWISS:
        return references + count_teams(s, s->roster->team_count, round) / 2;
    case ROSTER_KNOCKOUT:
        for (int i = round + 1; i < s->rounds; i++) {
            next *= 2;
        }
        return references + (round == 0 ? s->teams - next : next);
    case ROSTER_GAUNTLET:
        return references + (late < 0 ? s->starters - 1 : 1);
    default:
        return references + (late < 0 ? s->starters / 2 : s->starters + late);
    }
}

int64_t schedule_games(const struct schedule *s)
{
    int64_t pairings = 0;
    for (int round = 0; round < s->rounds; round++) {
        pairings += schedule_pairings(s, round);
    }
    return pairings * s->roster->games_per_pairing;
}
