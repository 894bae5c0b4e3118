/* Time to pair and rank a whole Swiss tournament: bench_pairing [TEAMS [ROUNDS]]. */
#include <stdio.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/rng.h"
#include "tournament/pairing.h"

enum { MAX_ROUNDS = 100, DEFAULT_TEAMS = 100, DEFAULT_ROUNDS = 9 };

static struct pairing history[RANKING_MAX_TEAMS * MAX_ROUNDS];
static struct ranking_game games[RANKING_MAX_TEAMS * MAX_ROUNDS];

int main(int argc, char **argv)
{
    int64_t wanted[2] = {DEFAULT_TEAMS, DEFAULT_ROUNDS};
    struct rng rng = rng_make(1);
    struct note why;
    if ((argc > 1 && number_read(argv[1], "teams", 2, RANKING_MAX_TEAMS, &wanted[0], &why)) ||
        (argc > 2 && number_read(argv[2], "rounds", 1, MAX_ROUNDS, &wanted[1], &why))) {
        fprintf(stderr, "bench_pairing: %s\n", why.text);
        return 2;
    }
    int teams = (int)wanted[0];
    int rounds = (int)wanted[1];
    const struct ranking_rules rules = ranking_rules_usual();
    struct ranking_row rows[RANKING_MAX_TEAMS];
    int ranked[RANKING_MAX_TEAMS];
    size_t count = 0;
    int64_t began_ns = clock_now_ns();
    for (int round = 0; round < rounds; round++) {
        if (ranking_make(teams, &rules, NULL, games, count, 1, rows, &why)) {
            return 3;
        }
        for (int i = 0; i < teams; i++) {
            ranked[i] = rows[i].team;
        }
        const struct pairing_swiss_round state = {
            .ranked = ranked, .count = teams, .history = history, .history_count = count};
        if (pairing_swiss(&state, history + count, &why)) {
            return 3;
        }
        for (int i = 0; i < (teams + 1) / 2; i++, count++) {
            const int *team = history[count].team;
            bool is_black = team[1] == PAIRING_BYE || rng_below(&rng, 2);
            games[count] = (struct ranking_game){{team[0], team[1]},
                                                 {is_black, !is_black},
                                                 is_black ? OUTCOME_BLACK : OUTCOME_WHITE,
                                                 round};
        }
    }
    printf("%d teams, %d rounds: %.1f ms\n", teams, rounds,
           (double)(clock_now_ns() - began_ns) / 1e6);
    return 0;
}
