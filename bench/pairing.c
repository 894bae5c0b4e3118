/* Time to pair and rank a whole Swiss tournament, without and with colours: bench_pairing [TEAMS
 * [ROUNDS]]. */
#include <stdio.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/rng.h"
#include "tournament/pairing.h"

enum { MAX_ROUNDS = 100, DEFAULT_TEAMS = 100, DEFAULT_ROUNDS = 9 };

static struct pairing history[RANKING_MAX_TEAMS * MAX_ROUNDS];
static struct ranking_game games[RANKING_MAX_TEAMS * MAX_ROUNDS];

static enum err play(int teams, int rounds, bool has_colours, struct note *why)
{
    const struct ranking_rules rules = ranking_rules_usual();
    struct rng rng = rng_make(1);
    struct ranking_row rows[RANKING_MAX_TEAMS];
    struct pairing_colours colours[RANKING_MAX_TEAMS] = {{0, 0}};
    int ranked[RANKING_MAX_TEAMS];
    size_t count = 0;
    for (int round = 0; round < rounds; round++) {
        enum err err = ranking_make(teams, &rules, NULL, games, count, 1, rows, why);
        if (err) {
            return err;
        }
        for (int i = 0; i < teams; i++) {
            ranked[i] = rows[i].team;
        }
        const struct pairing_swiss_round state = {
            .ranked = ranked,
            .count = teams,
            .history = history,
            .history_count = count,
            .colours = has_colours ? colours : NULL,
            .rounds_left = rounds - round,
            .games = 1,
        };
        err = pairing_swiss(&state, history + count, why);
        if (err) {
            return err;
        }
        for (int i = 0; i < (teams + 1) / 2; i++, count++) {
            const int *team = history[count].team;
            bool is_bye = team[1] == PAIRING_BYE;
            bool is_black = is_bye || rng_below(&rng, 2);
            games[count] = (struct ranking_game){{team[0], team[1]},
                                                 {is_black, !is_black},
                                                 is_black ? OUTCOME_BLACK : OUTCOME_WHITE,
                                                 round};
            for (int side = 0; side < 2 && !is_bye; side++) {
                pairing_colours_add(&colours[team[side]], (enum side)side);
            }
        }
    }
    return ERR_NONE;
}

int main(int argc, char **argv)
{
    int64_t wanted[2] = {DEFAULT_TEAMS, DEFAULT_ROUNDS};
    struct note why;
    if ((argc > 1 && number_read(argv[1], "teams", 2, RANKING_MAX_TEAMS, &wanted[0], &why)) ||
        (argc > 2 && number_read(argv[2], "rounds", 1, MAX_ROUNDS, &wanted[1], &why))) {
        fprintf(stderr, "bench_pairing: %s\n", why.text);
        return 2;
    }
    int teams = (int)wanted[0];
    int rounds = (int)wanted[1];
    int64_t spent_ns[2];
    for (int has_colours = 0; has_colours < 2; has_colours++) {
        int64_t began_ns = clock_now_ns();
        if (play(teams, rounds, has_colours, &why)) {
            return 3;
        }
        spent_ns[has_colours] = clock_now_ns() - began_ns;
    }
    printf("%d teams, %d rounds: %.1f ms, with even colours %.1f ms\n", teams, rounds,
           (double)spent_ns[0] / 1e6, (double)spent_ns[1] / 1e6);
    return 0;
}
