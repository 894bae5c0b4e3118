/* Time to pair and rank a whole Swiss tournament: bench_pairing [TEAMS [ROUNDS]]. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "tournament/pairing.h"

enum { MAX_ROUNDS = 100, DEFAULT_TEAMS = 100, DEFAULT_ROUNDS = 9 };

static struct pairing history[RANKING_MAX_TEAMS * MAX_ROUNDS];
static struct ranking_game games[RANKING_MAX_TEAMS * MAX_ROUNDS];

int main(int argc, char **argv)
{
    int teams = argc > 1 ? atoi(argv[1]) : DEFAULT_TEAMS;
    int rounds = argc > 2 ? atoi(argv[2]) : DEFAULT_ROUNDS;
    struct rng rng = rng_make(1);
    struct note why;
    struct ranking_row rows[RANKING_MAX_TEAMS];
    int ranked[RANKING_MAX_TEAMS];
    size_t count = 0;
    if (teams < 2 || teams > RANKING_MAX_TEAMS || rounds < 1 || rounds > MAX_ROUNDS) {
        return 2;
    }
    int64_t began_ns = clock_now_ns();
    for (int round = 0; round < rounds; round++) {
        if (ranking_make(teams, NULL, games, count, 1, rows, &why)) {
            return 3;
        }
        for (int i = 0; i < teams; i++) {
            ranked[i] = rows[i].team;
        }
        if (pairing_swiss(ranked, teams, history, count, history + count, &why)) {
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
