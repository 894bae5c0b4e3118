/* Tournaments in memory: which games there are, whatever the order in which they end, whenever
 * they are stopped and restored; and a whole one, with judge and players, on a simulated clock.
 *
 * Long because each rule of a tournament has its test here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/hash.h"
#include "base/rng.h"
#include "colour_oracle.h"
#include "fake_world.h"
#include "scale.h"
#include "tournament/match.h"
#include "tournament/qualification.h"
#include "tournament/tournament.h"

enum { MOST_TEAMS = 40, TABLES = 4 };

static const char *const formats[] = {"double-round-robin", "swiss", "gauntlet", "knockout"};

static struct roster make_roster(const char *game, const char *format, int teams, const char *more)
{
    static struct roster_problems problems;
    char text[4096];
    struct roster roster;
    size_t used = (size_t)snprintf(text, sizeof text, "[tournament]\ngame = %s\nformat = %s\n%s\n",
                                   game, format, more);
    for (int i = 0; i < teams; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "[team %d]\nplayer = random\n", i);
    }
    if (roster_read(text, used, CPU_BASELINE, &roster, &problems)) {
        fail_msg("%s", problems.list[0].text);
    }
    return roster;
}

/* The team that begins as Black unless an auction gives the colours. */
static int first_team(const struct tournament *t, const struct tournament_game *game)
{
    return game->team[(game->number - t->pairings[game->pairing].first_game) % 2];
}

/* --- Made-up results --- */

static struct tournament_game result_of(const struct tournament *t, int number)
{
    struct tournament_game game = t->games[number];
    uint64_t fate = hash_word(match_game_seed(t->roster->seed, number));
    game.status = GAME_PLAYED;
    game.summary.colour[0] = fate & 1 ? SIDE_BLACK : SIDE_WHITE;
    game.summary.colour[1] = side_other(game.summary.colour[0]);
    game.summary.score[0] = (int)(fate >> 8 & 7);
    game.summary.score[1] = (int)(fate >> 16 & 7);
    game.summary.outcome = game.summary.score[0] > game.summary.score[1]   ? OUTCOME_BLACK
                           : game.summary.score[0] < game.summary.score[1] ? OUTCOME_WHITE
                                                                           : OUTCOME_DRAW;
    game.summary.plies = 20;
    return game;
}

static void plan(struct tournament *t)
{
    struct note why;
    assert_int_equal(tournament_plan(t, &why), ERR_NONE);
}

static void init(struct tournament *t, const struct roster *roster)
{
    struct note why;
    assert_int_equal(tournament_init(t, roster, NULL, &why), ERR_NONE);
}

/* Takes up to `at_once` pieces of work and ends their games in any order, until `stop_after` games
 * are over or nothing is left. Returns how many were. */
static int play(struct tournament *t, int at_once, uint64_t seed, int stop_after)
{
    struct rng rng = rng_make(seed);
    int taken[MOST_TEAMS * 8];
    int count = 0;
    int played = 0;
    plan(t);
    while (played < stop_after) {
        struct tournament_work work;
        for (int i = 0; i < at_once && count + 8 < MOST_TEAMS * 8 && tournament_next(t, &work);
             i++) {
            assert_true(work.from < work.to);
            for (int game = work.from; game < work.to; game++) {
                taken[count++] = work.first_game + game;
            }
        }
        if (count == 0) {
            break;
        }
        int at = (int)rng_below(&rng, (uint64_t)count);
        struct tournament_game result = result_of(t, taken[at]);
        tournament_finish_game(t, &result);
        taken[at] = taken[--count];
        played++;
        plan(t);
    }
    return played;
}

static void expect_equal(const struct tournament *a, const struct tournament *b)
{
    struct ranking_row rows[2][MOST_TEAMS];
    struct note why;
    assert_int_equal(a->pairing_count, b->pairing_count);
    for (size_t i = 0; i < a->pairing_count; i++) {
        assert_int_equal(a->pairings[i].round, b->pairings[i].round);
        assert_memory_equal(&a->pairings[i].teams, &b->pairings[i].teams, sizeof(struct pairing));
    }
    assert_int_equal(tournament_standings(a, rows[0], &why), ERR_NONE);
    assert_int_equal(tournament_standings(b, rows[1], &why), ERR_NONE);
    for (int i = 0; i < a->roster->team_count; i++) {
        assert_int_equal(rows[0][i].team, rows[1][i].team);
        assert_memory_equal(rows[0][i].figures, rows[1][i].figures, sizeof rows[0][i].figures);
    }
}

/* What a database would keep of it, with this roster. */
static struct tournament put_into(const struct roster *roster, const struct tournament *old)
{
    struct tournament t;
    struct note why;
    init(&t, roster);
    for (size_t i = 0; i < old->pairing_count; i++) {
        assert_int_equal(
            tournament_restore_pairing(&t, old->pairings[i].round, &old->pairings[i].teams, &why),
            ERR_NONE);
    }
    for (size_t i = 0; i < old->game_count; i++) {
        if (old->games[i].status == GAME_PLAYED || old->games[i].status == GAME_ANNULLED) {
            assert_int_equal(tournament_restore_game(&t, &old->games[i], &why), ERR_NONE);
        }
    }
    return t;
}

static struct tournament put_back(const struct tournament *old)
{
    return put_into(old->roster, old);
}

/* --- Which games there are --- */

static void all_pairs_meet_and_each_is_black_once(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "double-round-robin", 9, "");
    struct tournament t;
    int games[9][9] = {{0}};
    init(&t, &roster);
    play(&t, 1, 1, 1000);
    for (size_t i = 0; i < t.game_count; i++) {
        const struct tournament_game *game = &t.games[i];
        int first = first_team(&t, game);
        games[first][game->team[0] + game->team[1] - first]++;
    }
    for (int a = 0; a < 9; a++) {
        for (int b = 0; b < 9; b++) {
            assert_int_equal(games[a][b], a != b);
        }
    }
    tournament_free(&t);
    roster_free(&roster);
}

static void the_total_is_known_beforehand(void **state)
{
    (void)state;
    for (int format = 0; format < 4; format++) {
        for (int teams = 2; teams < 20; teams++) {
            struct roster roster = make_roster("reversi", formats[format], teams, "");
            struct tournament t;
            init(&t, &roster);
            int played = play(&t, 3, 1, 100000);
            assert_int_equal(played, tournament_total_games(&roster));
            assert_true(tournament_is_over(&t));
            assert_int_equal(t.rounds_paired, roster.rounds);
            tournament_free(&t);
            roster_free(&roster);
        }
    }
}

static void seeds_depend_on_seed_and_number_only(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "swiss", 4, "seed = 5");
    struct roster other = make_roster("reversi", "knockout", 8, "seed = 5");
    for (int i = 0; i < 100; i++) {
        assert_int_equal(match_game_seed(roster.seed, i), match_game_seed(other.seed, i));
        assert_int_not_equal(match_game_seed(roster.seed, i), match_game_seed(roster.seed, i + 1));
    }
    roster_free(&roster);
    roster_free(&other);
}

static void with_one_game_a_pairing_colours_alternate(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "swiss", 2, "games_per_pairing = 1\nrounds = 4");
    struct tournament t;
    int black[2] = {0};
    init(&t, &roster);
    play(&t, 1, 1, 1000);
    assert_int_equal(t.game_count, 4);
    for (size_t i = 0; i < t.game_count; i++) {
        black[first_team(&t, &t.games[i])]++;
    }
    assert_true(black[0] >= 1 && black[1] >= 1);
    tournament_free(&t);
    roster_free(&roster);
}

/* Never three times in a row. Returns by how many games colours are uneven, for the team for which
 * they are most. */
static int unevenness_of_colours(const struct tournament *t)
{
    int most = 0;
    for (int team = 0; team < t->roster->team_count; team++) {
        int ahead = 0;
        int run = 0;
        for (size_t i = 0; i < t->game_count; i++) {
            const struct tournament_game *game = &t->games[i];
            if (game->status == GAME_CANCELLED ||
                (game->team[0] != team && game->team[1] != team)) {
                continue;
            }
            int step = first_team(t, game) == team ? 1 : -1;
            ahead += step;
            run = run * step > 0 ? run + step : step;
            assert_in_range(run + 2, 0, 4);
        }
        most = abs(ahead) > most ? abs(ahead) : most;
    }
    return most;
}

/* In a swiss tournament all teams meet once before two meet again, and so on. */
static void expect_fewest_rematches(const struct tournament *t)
{
    int teams = t->roster->team_count;
    int most = 1 + (t->roster->rounds - 1) / pairing_round_robin_rounds(teams);
    int met[MOST_TEAMS][MOST_TEAMS] = {{0}};
    for (size_t i = 0; i < t->pairing_count; i++) {
        const int *team = t->pairings[i].teams.team;
        if (team[1] != PAIRING_BYE) {
            int higher = team[0] < team[1] ? team[0] : team[1];
            met[higher][team[0] + team[1] - higher]++;
            assert_true(met[higher][team[0] + team[1] - higher] <= most);
        }
    }
}

static struct tournament play_with_odd_games(struct roster *roster)
{
    struct tournament t;
    init(&t, roster);
    play(&t, 1, 1, 100000);
    assert_true(tournament_is_over(&t));
    return t;
}

static void with_an_odd_number_of_games_colours_are_even(void **state)
{
    (void)state;
    for (int seed = 1; seed <= scaled(5); seed++) {
        for (int teams = 2; teams <= 16; teams++) {
            for (int rounds = 0; rounds <= teams + 3; rounds++) {
                char keys[64];
                bool is_gauntlet = rounds == 0;
                snprintf(keys, sizeof keys, "games_per_pairing = %d\nseed = %d\n%s%.0d",
                         (seed + rounds) % 3 ? 1 : 3, seed, is_gauntlet ? "" : "rounds = ", rounds);
                struct roster roster =
                    make_roster("hop", is_gauntlet ? "gauntlet" : "swiss", teams, keys);
                struct tournament t = play_with_odd_games(&roster);
                assert_in_range(unevenness_of_colours(&t), 0, 1);
                if (!is_gauntlet) {
                    expect_fewest_rematches(&t);
                }
                tournament_free(&t);
                roster_free(&roster);
            }
        }
    }
}

/* Whether all teams that play this round can be within one game in the end, before the round is
 * paired (`played` 0) or after (1), if no other team leaves or enters. */
static bool could_be_even(const struct tournament *t, int round, int played)
{
    struct pairing history[MOST_TEAMS * MOST_TEAMS];
    int teams[MOST_TEAMS];
    int count = 0;
    size_t before = 0;
    for (size_t i = 0; i < t->pairing_count && t->pairings[i].round < round + played; i++) {
        history[before++] = t->pairings[i].teams;
    }
    for (int i = 0; i < t->roster->team_count; i++) {
        if (!tournament_is_out(t, i, round)) {
            teams[count++] = i;
        }
    }
    return colour_oracle_can_be_even(teams, count, history, before,
                                     t->roster->rounds - round - played);
}

/* The first team leaves, the last one comes later: neither is foreseen. Where a team ends two games
 * ahead, no other pairing of a round would have helped with what was known then. */
static void colours_are_even_where_that_can_be_when_a_team_leaves_and_one_comes(void **state)
{
    (void)state;
    int played = 0;
    int uneven = 0;
    for (int teams = 4; teams <= 16; teams++) {
        int rounds = pairing_swiss_rounds(teams);
        for (int i = 0; i < rounds * rounds; i++) {
            char keys[64];
            snprintf(keys, sizeof keys, "games_per_pairing = 1\nseed = %d", i);
            struct roster roster = make_roster("hop", "swiss", teams, keys);
            roster.teams[0].withdrawn_after = 1 + i / rounds;
            roster.teams[teams - 1].entered_after = i % rounds;
            struct tournament t = play_with_odd_games(&roster);
            int most = unevenness_of_colours(&t);
            assert_in_range(most, 0, 2);
            for (int round = 0; most > 1 && round < rounds; round++) {
                assert_true(!could_be_even(&t, round, 0) || could_be_even(&t, round, 1));
            }
            uneven += most > 1;
            played++;
            tournament_free(&t);
            roster_free(&roster);
        }
    }
    print_message("%d of %d tournaments end with a team two games ahead\n", uneven, played);
}

static void in_larger_fields_with_the_usual_rounds_colours_are_even(void **state)
{
    (void)state;
    for (int teams = 17; teams <= MOST_TEAMS; teams++) {
        struct roster roster = make_roster("hop", "swiss", teams, "games_per_pairing = 1");
        struct tournament t = play_with_odd_games(&roster);
        assert_in_range(unevenness_of_colours(&t), 0, 1);
        expect_fewest_rematches(&t);
        tournament_free(&t);
        roster_free(&roster);
    }
}

/* --- Order and interruption do not matter --- */

static void the_order_in_which_games_end_does_not_matter(void **state)
{
    (void)state;
    for (int format = 0; format < 4; format++) {
        for (int teams = 2; teams <= 33; teams += 5) {
            struct roster roster = make_roster("reversi", formats[format], teams, "seed = 3");
            struct tournament one;
            init(&one, &roster);
            play(&one, 1, 1, 100000);
            for (uint64_t seed = 0; seed < 5; seed++) {
                struct tournament many;
                init(&many, &roster);
                play(&many, 1 + (int)seed * 3, seed, 100000);
                expect_equal(&one, &many);
                tournament_free(&many);
            }
            tournament_free(&one);
            roster_free(&roster);
        }
    }
}

static void a_tournament_restored_at_any_moment_continues_the_same(void **state)
{
    (void)state;
    for (int format = 0; format < 4; format++) {
        struct roster roster = make_roster("reversi", formats[format], 11, "seed = 8");
        struct tournament whole;
        init(&whole, &roster);
        int total = play(&whole, 1, 1, 100000);
        for (int stop = 0; stop <= total; stop += 1 + total / 25) {
            struct tournament stopped;
            init(&stopped, &roster);
            int played = play(&stopped, 4, (uint64_t)stop, stop);
            struct tournament resumed = put_back(&stopped);
            played += play(&resumed, 2, 9, 100000);
            assert_int_equal(played, total);
            expect_equal(&whole, &resumed);
            tournament_free(&resumed);
            tournament_free(&stopped);
        }
        tournament_free(&whole);
        roster_free(&roster);
    }
}

static void an_invalid_restore_is_refused(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "swiss", 4, "");
    struct tournament t;
    struct note why;
    init(&t, &roster);
    assert_int_equal(tournament_restore_pairing(&t, 0, &(struct pairing){{0, 4}}, &why), ERR_INPUT);
    assert_int_equal(tournament_restore_pairing(&t, 0, &(struct pairing){{-1, 2}}, &why),
                     ERR_INPUT);
    assert_int_equal(tournament_restore_pairing(&t, 99, &(struct pairing){{0, 1}}, &why),
                     ERR_INPUT);
    assert_int_equal(tournament_restore_game(&t, &(struct tournament_game){.number = 0}, &why),
                     ERR_INPUT);
    assert_int_equal(t.pairing_count, 0);
    tournament_free(&t);
    roster_free(&roster);
}

/* --- Withdrawals and annulments --- */

static struct ranking_row row_of(const struct tournament *t, int team)
{
    struct ranking_row rows[MOST_TEAMS];
    struct note why;
    int at = 0;
    assert_int_equal(tournament_standings(t, rows, &why), ERR_NONE);
    while (rows[at].team != team) {
        at++;
    }
    return rows[at];
}

static void a_withdrawn_team_is_last_and_its_opponents_have_byes(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "double-round-robin", 6, "");
    struct tournament t;
    init(&t, &roster);
    plan(&t);
    tournament_restore_withdrawal(&t, 2, 2);
    play(&t, 1, 1, 1000);
    assert_true(tournament_is_over(&t));
    int cancelled = 0;
    for (size_t i = 0; i < t.game_count; i++) {
        bool is_his = t.games[i].team[0] == 2 || t.games[i].team[1] == 2;
        assert_int_equal(t.games[i].status == GAME_CANCELLED, is_his && t.games[i].round >= 2);
        cancelled += t.games[i].status == GAME_CANCELLED;
    }
    int byes = 0;
    for (int i = 0; i < 6; i++) {
        byes += row_of(&t, i).byes;
    }
    assert_int_equal(byes, cancelled);
    assert_int_equal(row_of(&t, 2).place, 6);
    assert_int_equal(row_of(&t, 2).byes, 0);
    tournament_free(&t);
    roster_free(&roster);
}

/* What the database has of a tournament, read again after this withdrawal was taken back. */
static void read_again(struct tournament *out, const struct tournament *t, int team)
{
    struct note why;
    init(out, t->roster);
    tournament_restore_withdrawal(out, team, ROSTER_MAX_ROUNDS);
    for (size_t i = 0; i < t->pairing_count; i++) {
        const struct tournament_pairing *pairing = &t->pairings[i];
        assert_int_equal(tournament_restore_pairing(out, pairing->round, &pairing->teams, &why),
                         ERR_NONE);
    }
    for (size_t i = 0; i < t->game_count; i++) {
        if (t->games[i].status == GAME_PLAYED) {
            assert_int_equal(tournament_restore_game(out, &t->games[i], &why), ERR_NONE);
        }
    }
}

static void swiss_pairs_a_team_that_is_taken_back_from_the_next_unpaired_round_on(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "swiss", 8, "rounds = 6");
    struct tournament t;
    struct tournament again;
    struct note why;
    bool is_in[6] = {false};
    init(&t, &roster);
    play(&t, 1, 1, 16);
    tournament_restore_withdrawal(&t, 3, 2); /* after the third round was paired */
    assert_int_equal(tournament_cancelled_by(&t, 3), 2);
    assert_int_equal(tournament_refuse_rejoin(&t, 2, &why), ERR_NEGATIVE);
    assert_int_equal(tournament_refuse_rejoin(&t, 3, &why), ERR_NONE);
    play(&t, 1, 1, 6); /* the rest of the third round */
    assert_int_equal(t.rounds_paired, 4);
    roster.teams[3].withdrawn_after = 2; /* does not count any more */
    read_again(&again, &t, 3);
    play(&again, 1, 1, 1000);
    assert_int_equal(again.rounds_paired, 6);
    assert_int_equal(tournament_count(&again, GAME_CANCELLED), 0);
    for (size_t i = 0; i < again.pairing_count; i++) {
        const struct tournament_pairing *pairing = &again.pairings[i];
        is_in[pairing->round] |= pairing->teams.team[0] == 3 || pairing->teams.team[1] == 3;
    }
    for (int round = 0; round < 6; round++) {
        assert_int_equal(is_in[round], round != 3); /* it was paired without it */
    }
    assert_int_equal(row_of(&again, 3).played + row_of(&again, 3).byes, 10);
    tournament_free(&again);
    tournament_free(&t);
    roster_free(&roster);
}

static void swiss_pairs_a_withdrawn_team_no_more(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "swiss", 8, "rounds = 5");
    struct tournament t;
    init(&t, &roster);
    play(&t, 1, 1, 16);
    tournament_restore_withdrawal(&t, 3, 2);
    plan(&t);
    play(&t, 1, 1, 1000);
    for (size_t i = 0; i < t.pairing_count; i++) {
        bool is_his = t.pairings[i].teams.team[0] == 3 || t.pairings[i].teams.team[1] == 3;
        /* The third round was paired before it left. */
        assert_false(is_his && t.pairings[i].round > 2);
    }
    assert_int_equal(t.rounds_paired, 5);
    assert_int_equal(row_of(&t, 3).place, 8);
    tournament_free(&t);
    roster_free(&roster);
}

/* Team 0 wins every game, whatever the others do. */
static void play_round_for_team_0(struct tournament *t)
{
    struct tournament_work work;
    plan(t);
    while (tournament_next(t, &work)) {
        for (int i = work.from; i < work.to; i++) {
            struct tournament_game game = result_of(t, work.first_game + i);
            for (int place = 0; place < 2; place++) {
                if (game.team[place] == 0) {
                    enum side side = game.summary.colour[place];
                    game.summary.outcome = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
                    game.summary.score[side] = 9;
                }
            }
            tournament_finish_game(t, &game);
        }
    }
}

static void a_team_that_will_leave_is_paired_by_its_points_until_then(void **state)
{
    (void)state;
    for (int seed = 1; seed < 20; seed++) {
        char keys[64];
        snprintf(keys, sizeof keys, "rounds = 5\nseed = %d", seed);
        struct roster roster = make_roster("hop", "swiss", 8, keys);
        struct tournament t;
        struct tournament plain;
        init(&plain, &roster);
        roster.teams[0].withdrawn_after = 3;
        init(&t, &roster);
        for (int round = 0; round < 3; round++) {
            play_round_for_team_0(&t);
            play_round_for_team_0(&plain);
            assert_true(round < 2 ? row_of(&t, 0).place <= 4 : row_of(&t, 0).place == 8);
        }
        for (size_t i = 0; i < 3 * 4; i++) { /* the rounds before it leaves */
            assert_memory_equal(&t.pairings[i].teams, &plain.pairings[i].teams,
                                sizeof(struct pairing));
        }
        play(&t, 1, 1, 1000);
        assert_true(tournament_is_over(&t));
        assert_int_equal(row_of(&t, 0).place, 8);
        tournament_free(&plain);
        tournament_free(&t);
        roster_free(&roster);
    }
}

static void in_a_round_robin_a_team_is_last_when_it_has_left(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "double-round-robin", 6, "");
    struct tournament t;
    roster.teams[0].withdrawn_after = 2;
    init(&t, &roster);
    plan(&t);
    for (size_t i = 0; i < t.game_count; i++) { /* in the order of the rounds */
        struct tournament_work work;
        bool is_its_turn = t.games[i].status == GAME_PLANNED && tournament_next(&t, &work);
        for (int k = is_its_turn ? work.from : 0; is_its_turn && k < work.to; k++) {
            struct tournament_game game = result_of(&t, work.first_game + k);
            game.summary.outcome = game.summary.colour[game.team[0] != 0] == SIDE_BLACK
                                       ? OUTCOME_BLACK
                                       : OUTCOME_WHITE;
            tournament_finish_game(&t, &game);
        }
        bool has_games = false;
        for (size_t k = 0; k < t.game_count; k++) {
            has_games |= t.games[k].status == GAME_PLANNED &&
                         (t.games[k].team[0] == 0 || t.games[k].team[1] == 0);
        }
        assert_true(has_games == (row_of(&t, 0).place != 6));
    }
    assert_true(tournament_is_over(&t));
    tournament_free(&t);
    roster_free(&roster);
}

static void a_swiss_tournament_ends_when_one_team_is_left(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "swiss", 3, "rounds = 3");
    struct tournament t;
    init(&t, &roster);
    tournament_restore_withdrawal(&t, 0, 0);
    tournament_restore_withdrawal(&t, 1, 0);
    play(&t, 1, 1, 1000);
    assert_true(tournament_is_over(&t));
    assert_int_equal(t.game_count, 0);
    tournament_free(&t);
    roster_free(&roster);
}

static void a_withdrawal_from_a_knockout_advances_the_other_team(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "knockout", 4, "");
    struct tournament t;
    init(&t, &roster);
    plan(&t);
    int other = t.pairings[0].teams.team[1];
    tournament_restore_withdrawal(&t, t.pairings[0].teams.team[0], 0);
    play(&t, 1, 1, 1000);
    const struct pairing *final = &t.pairings[t.pairing_count - 1].teams;
    assert_true(final->team[0] == other || final->team[1] == other);
    assert_true(tournament_is_over(&t));
    tournament_free(&t);
    roster_free(&roster);
}

/* All games of the next pairings. */
static void play_pairings(struct tournament *t, int count)
{
    struct tournament_work work;
    for (int i = 0; i < count; i++) {
        plan(t);
        assert_true(tournament_next(t, &work));
        for (int game = work.from; game < work.to; game++) {
            struct tournament_game result = result_of(t, work.first_game + game);
            tournament_finish_game(t, &result);
        }
    }
}

static void a_disqualified_team_is_last_and_its_games_are_void_for_all_alike(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "double-round-robin", 4, "");
    struct tournament t;
    bool qualified[4];
    init(&t, &roster);
    play_pairings(&t, 4);
    tournament_restore_disqualification(&t, 2, DISQUALIFIED_GAMES_BY_ROSTER, "attacked the judge");
    play(&t, 1, 1, 1000);
    assert_true(tournament_is_over(&t));
    for (size_t i = 0; i < t.game_count; i++) {
        bool is_his = t.games[i].team[0] == 2 || t.games[i].team[1] == 2;
        assert_int_equal(t.games[i].status == GAME_PLAYED, !is_his);
        assert_int_equal(t.games[i].is_voided, is_his && t.games[i].status == GAME_ANNULLED);
    }
    assert_true(tournament_voided(&t) > 0 && tournament_count(&t, GAME_CANCELLED) > 0);
    for (int i = 0; i < 4; i++) {
        struct ranking_row row = row_of(&t, i);
        assert_int_equal(row.played, i == 2 ? 0 : 4);
        assert_int_equal(row.byes, 0); /* a bye for some of them only would not be fair */
    }
    assert_int_equal(row_of(&t, 2).place, 4);
    qualification_list(&t, qualified);
    assert_false(qualified[2]);
    assert_true(qualified[0] && qualified[1] && qualified[3]);
    tournament_free(&t);
    roster_free(&roster);
}

/* With the default of the roster and with a decision against it. */
static void games_of_a_disqualified_team_count_where_they_are_kept(void **state)
{
    static const struct {
        const char *line;
        enum disqualified_games games;
        bool are_kept;
    } cases[] = {
        {"disqualified_games = keep", DISQUALIFIED_GAMES_BY_ROSTER, true},
        {"", DISQUALIFIED_GAMES_KEEP, true},
        {"disqualified_games = keep", DISQUALIFIED_GAMES_VOID, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct roster roster = make_roster("hop", "double-round-robin", 4, cases[i].line);
        struct tournament t;
        init(&t, &roster);
        play_pairings(&t, 4);
        tournament_restore_disqualification(&t, 2, cases[i].games, "attacked the judge");
        play(&t, 1, 1, 1000);
        assert_int_equal(tournament_voided(&t) == 0, cases[i].are_kept);
        for (int team = 0; team < 4; team++) {
            struct ranking_row row = row_of(&t, team);
            int counted = cases[i].are_kept ? 6 : 4;
            assert_int_equal(team == 2 ? counted : row.played + row.byes, counted);
        }
        assert_int_equal(row_of(&t, 2).played > 0, cases[i].are_kept);
        assert_int_equal(row_of(&t, 2).place, 4);
        tournament_free(&t);
        roster_free(&roster);
    }
}

static void swiss_pairs_a_disqualified_team_no_more(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "swiss", 8, "rounds = 5");
    struct tournament t;
    init(&t, &roster);
    play_pairings(&t, 9);
    tournament_restore_disqualification(&t, 3, DISQUALIFIED_GAMES_BY_ROSTER, "attacked the judge");
    play(&t, 1, 1, 1000);
    for (size_t i = 0; i < t.pairing_count; i++) {
        const int *team = t.pairings[i].teams.team;
        assert_false((team[0] == 3 || team[1] == 3) && t.pairings[i].round > 2);
    }
    assert_int_equal(t.rounds_paired, 5);
    assert_int_equal(row_of(&t, 3).place, 8);
    tournament_free(&t);
    roster_free(&roster);
}

static void a_disqualified_team_leaves_a_knockout_to_the_other(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "knockout", 4, "games_per_pairing = 2");
    struct tournament t;
    init(&t, &roster);
    play(&t, 1, 1, 1000);
    int champion = 0;
    while (row_of(&t, champion).place != 1) {
        champion++;
    }
    const int *final = t.pairings[t.pairing_count - 1].teams.team;
    int second = final[0] == champion ? final[1] : final[0];
    tournament_restore_disqualification(&t, champion, DISQUALIFIED_GAMES_BY_ROSTER,
                                        "attacked the judge");
    assert_int_equal(row_of(&t, champion).place, 4);
    assert_int_equal(row_of(&t, second).place, 1);
    tournament_free(&t);
    roster_free(&roster);
}

/* Every game of these teams ends before it begins. */
static void play_with_absent_teams(struct tournament *t, const bool *is_absent)
{
    struct tournament_work work;
    for (plan(t); tournament_next(t, &work); plan(t)) {
        for (int i = work.from; i < work.to; i++) {
            struct tournament_game game = result_of(t, work.first_game + i);
            bool is_missing[2] = {is_absent[game.team[0]], is_absent[game.team[1]]};
            if (is_missing[0] || is_missing[1]) {
                int winner = is_missing[0] ? 1 : 0;
                enum side side = game.summary.colour[winner];
                bool is_both = is_missing[0] && is_missing[1];
                game.summary.is_forfeit = true;
                game.summary.outcome = is_both              ? OUTCOME_BOTH_LOST
                                       : side == SIDE_BLACK ? OUTCOME_BLACK
                                                            : OUTCOME_WHITE;
                game.summary.score[side] = !is_both;
                game.summary.score[side_other(side)] = 0;
                snprintf(game.summary.reason, sizeof game.summary.reason,
                         is_both ? "both-absent" : "no-start");
                game.summary.plies = 0;
            }
            tournament_finish_game(t, &game);
        }
    }
}

static void a_team_that_cannot_start_has_no_points_by_byes(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) { /* before the first game, or from the games */
        for (int seed = 1; seed < 10; seed++) {
            bool is_absent[9] = {[1] = true, [4] = true, [5] = true, [6] = true, [7] = true};
            char keys[64];
            snprintf(keys, sizeof keys, "rounds = 6\nseed = %d", seed);
            struct roster roster = make_roster("hop", "swiss", 9, keys);
            struct tournament t;
            roster.teams[2].withdrawn_after = 3;
            init(&t, &roster);
            for (int i = 0; known && i < 9; i++) {
                tournament_set_absent(&t, i, is_absent[i]);
            }
            play_with_absent_teams(&t, is_absent);
            assert_true(tournament_is_over(&t));
            for (size_t i = 0; i < t.pairing_count; i++) {
                bool is_bye = t.pairings[i].teams.team[1] == PAIRING_BYE;
                assert_false(is_bye && is_absent[t.pairings[i].teams.team[0]] &&
                             (known || t.pairings[i].round > 0));
            }
            for (int i = 0; i < 9; i++) {
                struct ranking_row row = row_of(&t, i);
                assert_false(is_absent[i] && (row.byes || row.figures[RANKING_POINTS]));
            }
            tournament_free(&t);
            roster_free(&roster);
        }
    }
}

static void a_cancelled_game_is_not_a_bye_for_a_team_that_cannot_start(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "double-round-robin", 4, "");
    bool is_absent[4] = {[1] = true};
    struct tournament t;
    roster.teams[3].withdrawn_after = 0;
    init(&t, &roster);
    play_with_absent_teams(&t, is_absent);
    assert_int_equal(row_of(&t, 1).figures[RANKING_POINTS], 0);
    assert_int_equal(row_of(&t, 0).byes, 2);
    tournament_free(&t);
    roster_free(&roster);
}

static void in_a_knockout_byes_are_for_teams_that_can_start(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "knockout", 6, "");
    struct tournament t;
    static const struct pairing wanted[] = {
        {{1, PAIRING_BYE}}, {{4, 5}}, {{2, PAIRING_BYE}}, {{3, 0}}};
    init(&t, &roster);
    tournament_set_absent(&t, 0, true);
    plan(&t);
    for (size_t i = 0; i < t.pairing_count; i++) {
        assert_memory_equal(&t.pairings[i].teams, &wanted[i], sizeof wanted[i]);
    }
    tournament_free(&t);
    roster_free(&roster);
}

static void the_winner_of_a_knockout_is_first(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "knockout", 7, "");
    struct tournament t;
    init(&t, &roster);
    play(&t, 2, 1, 1000);
    const struct pairing *final = &t.pairings[t.pairing_count - 1].teams;
    int places = row_of(&t, final->team[0]).place + row_of(&t, final->team[1]).place;
    assert_int_equal(places, 3);
    tournament_free(&t);
    roster_free(&roster);
}

static void the_seeds_of_a_knockout_are_the_order_of_the_roster(void **state)
{
    (void)state;
    for (int seed = 1; seed < 6; seed++) {
        char keys[32];
        snprintf(keys, sizeof keys, "seed = %d", seed);
        struct roster roster = make_roster("hop", "knockout", 6, keys);
        struct tournament t;
        init(&t, &roster);
        plan(&t);
        static const struct pairing wanted[] = {
            {{0, PAIRING_BYE}}, {{3, 4}}, {{1, PAIRING_BYE}}, {{2, 5}}};
        assert_int_equal(t.pairing_count, 4);
        for (size_t i = 0; i < t.pairing_count; i++) {
            assert_memory_equal(&t.pairings[i].teams, &wanted[i], sizeof wanted[i]);
        }
        tournament_free(&t);
        roster_free(&roster);
    }
}

static void all_games_that_are_expected_are_accounted_for(void **state)
{
    (void)state;
    for (int format = 0; format < 4; format++) {
        struct roster roster = make_roster("hop", formats[format], 9, "");
        struct tournament t;
        roster.teams[3].withdrawn_after = 1;
        roster.teams[5].withdrawn_after = 2;
        init(&t, &roster);
        int64_t before = tournament_expected_games(&t);
        play(&t, 1, 1, 100000);
        assert_true(tournament_is_over(&t));
        assert_int_equal(tournament_expected_games(&t), before);
        assert_int_equal(t.game_count, before);
        tournament_free(&t);
        roster_free(&roster);
    }
}

static void an_annulled_game_counts_for_neither_team_and_pairings_remain(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "swiss", 8, "rounds = 4");
    struct tournament t;
    init(&t, &roster);
    play(&t, 1, 1, 1000);
    struct tournament again = put_back(&t);
    struct tournament_game annulled = again.games[0];
    struct note why;
    annulled.status = GAME_ANNULLED;
    assert_int_equal(tournament_restore_game(&again, &annulled, &why), ERR_NONE);
    assert_int_equal(row_of(&again, annulled.team[0]).played,
                     row_of(&t, annulled.team[0]).played - 1);
    assert_int_equal(again.pairing_count, t.pairing_count);
    assert_true(tournament_is_over(&again));
    tournament_free(&again);
    tournament_free(&t);
    roster_free(&roster);
}

static int byes_in_all(const struct tournament *t)
{
    int byes = 0;
    for (int team = 0; team < t->roster->team_count; team++) {
        byes += row_of(t, team).byes;
    }
    return byes;
}

/* Byes of a round with an odd number of teams, and those that a withdrawn team leaves. */
static void an_annulled_round_gives_no_points_for_byes(void **state)
{
    static const char *const with_byes[] = {"swiss", "double-round-robin"};
    (void)state;
    for (int format = 0; format < 2; format++) {
        struct roster roster = make_roster("hop", with_byes[format], 5, "");
        struct tournament t;
        struct note why;
        roster.teams[3].withdrawn_after = format == 0 ? -1 : 0;
        init(&t, &roster);
        play(&t, 1, 1, 1000);
        int byes = byes_in_all(&t);
        assert_true(byes > 0);
        for (size_t i = 0; i < t.game_count; i++) {
            struct tournament_game game = t.games[i];
            game.status = game.status == GAME_PLAYED ? GAME_ANNULLED : game.status;
            assert_int_equal(tournament_restore_game(&t, &game, &why), ERR_NONE);
            if (i == 0) { /* the other games of the round count */
                assert_int_equal(byes_in_all(&t), byes);
            }
        }
        assert_int_equal(byes_in_all(&t), 0);
        for (int team = 0; team < 5; team++) {
            assert_int_equal(row_of(&t, team).figures[RANKING_POINTS], 0);
        }
        tournament_free(&t);
        roster_free(&roster);
    }
}

/* By rosters that say so; and with the same rounds and games as without it. */
static void a_team_that_was_handed_in_late_is_not_paired(void **state)
{
    (void)state;
    for (int format = 0; format < 4; format++) {
        struct roster roster = make_roster("hop", formats[format], 6, "late_hand_ins = refuse");
        struct roster five = make_roster("hop", formats[format], 5, "");
        struct tournament t;
        roster.teams[5].days_late = 2;
        init(&t, &roster);
        assert_int_equal(tournament_total_games(&roster), tournament_total_games(&five));
        play(&t, 1, 1, 100000);
        assert_true(tournament_is_over(&t));
        assert_int_equal(t.game_count, tournament_expected_games(&t));
        for (size_t i = 0; i < t.pairing_count; i++) {
            assert_true(t.pairings[i].teams.team[0] != 5 && t.pairings[i].teams.team[1] != 5);
        }
        assert_false(qualification_is_due(&t, 5));
        assert_int_equal(row_of(&t, 5).place, 6);
        tournament_free(&t);
        roster.refuses_late = false;
        init(&t, &roster);
        play(&t, 1, 1, 100000);
        assert_true(row_of(&t, 5).played > 0);
        tournament_free(&t);
        roster_free(&five);
        roster_free(&roster);
    }
}

static void a_game_set_aside_is_played_again_alone(void **state)
{
    (void)state;
    struct roster roster = make_roster("hop", "swiss", 4, "rounds = 2");
    struct tournament t;
    struct tournament_work work;
    struct note why;
    init(&t, &roster);
    play(&t, 1, 1, 1000);
    struct tournament again = put_back(&t);
    struct tournament fresh;
    init(&fresh, &roster);
    for (size_t i = 0; i < again.pairing_count; i++) {
        assert_int_equal(tournament_restore_pairing(&fresh, again.pairings[i].round,
                                                    &again.pairings[i].teams, &why),
                         ERR_NONE);
    }
    for (size_t i = 0; i < again.game_count; i++) {
        struct tournament_game game = again.games[i];
        if (i == 3) {
            game = (struct tournament_game){.number = 3, .attempt = 1};
        }
        assert_int_equal(tournament_restore_game(&fresh, &game, &why), ERR_NONE);
    }
    assert_false(tournament_is_over(&fresh));
    plan(&fresh);
    assert_true(tournament_next(&fresh, &work));
    assert_int_equal(work.first_game + work.from, 3);
    assert_int_equal(work.to, work.from + 1);
    assert_int_equal(fresh.games[3].attempt, 1);
    assert_false(tournament_next(&fresh, &work));
    tournament_free(&fresh);
    tournament_free(&again);
    tournament_free(&t);
    roster_free(&roster);
}

/* --- Qualification --- */

static void begin_match_of_two(struct tournament *t, struct roster *roster)
{
    *roster = make_roster("hop", "double-round-robin", 2, "");
    init(t, roster);
    plan(t);
}

static void a_team_that_finishes_a_game_qualifies(void **state)
{
    static const struct {
        bool is_forfeit;
        enum outcome outcome;
        int plies;
        int crashes; /* of White */
        int late;    /* likewise */
        bool black;
        bool white;
    } rows[] = {
        {false, OUTCOME_WHITE, 20, 0, 0, true, true},
        {false, OUTCOME_BLACK, 20, 1, 0, true, false},
        {true, OUTCOME_BLACK, 20, 0, 0, true, false},
        {true, OUTCOME_WHITE, 20, 0, 0, false, true},
        {true, OUTCOME_BLACK, 0, 0, 0, true, false},
        {true, OUTCOME_BOTH_LOST, 0, 0, 0, false, false},
        {false, OUTCOME_WHITE, 20, 0, 9, true, true},
        {false, OUTCOME_WHITE, 20, 0, 10, true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct roster roster;
        struct tournament t;
        struct note why;
        bool qualified[2];
        begin_match_of_two(&t, &roster);
        struct tournament_game game = t.games[0];
        game.status = GAME_PLAYED;
        game.summary.colour[1] = SIDE_WHITE;
        game.summary.is_forfeit = rows[i].is_forfeit;
        game.summary.outcome = rows[i].outcome;
        game.summary.plies = rows[i].plies;
        game.summary.faults[1][FAULT_CRASHED] = rows[i].crashes;
        game.summary.faults[1][FAULT_LATE] = rows[i].late;
        assert_int_equal(tournament_restore_game(&t, &game, &why), ERR_NONE);
        qualification_list(&t, qualified);
        assert_int_equal(qualified[game.team[0]], rows[i].black);
        assert_int_equal(qualified[game.team[1]], rows[i].white);
        tournament_free(&t);
        roster_free(&roster);
    }
}

static void a_walkover_helps_only_a_team_that_never_failed(void **state)
{
    (void)state;
    for (int failures = 0; failures < 2; failures++) {
        struct roster roster;
        struct tournament t;
        struct note why;
        bool qualified[2];
        begin_match_of_two(&t, &roster);
        for (int i = 0; i < 2; i++) {
            struct tournament_game game = t.games[i];
            bool is_failure = i == 1 && failures;
            int winner =
                (game.team[0] == 0) == is_failure ? 1 : 0; /* team 0, but for its failure */
            game.status = GAME_PLAYED;
            game.summary.is_forfeit = true;
            game.summary.outcome =
                game.summary.colour[winner] == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
            assert_int_equal(tournament_restore_game(&t, &game, &why), ERR_NONE);
        }
        qualification_list(&t, qualified);
        assert_int_equal(qualified[0], !failures);
        assert_false(qualified[1]);
        tournament_free(&t);
        roster_free(&roster);
    }
}

static void a_team_with_only_late_moves_still_qualifies_in_meichu(void **state)
{
    struct roster roster = make_roster("meichu", "double-round-robin", 2, "");
    struct tournament t;
    struct note why;
    bool qualified[2];
    (void)state;
    init(&t, &roster);
    plan(&t);
    struct tournament_game game = t.games[0];
    game.status = GAME_PLAYED;
    game.summary.colour[1] = SIDE_WHITE;
    game.summary.outcome = OUTCOME_BLACK;
    game.summary.plies = 20;
    game.summary.faults[1][FAULT_LATE] = 10; /* its moves counted */
    assert_int_equal(tournament_restore_game(&t, &game, &why), ERR_NONE);
    qualification_list(&t, qualified);
    assert_true(qualified[0] && qualified[1]);
    tournament_free(&t);
    roster_free(&roster);
}

/* --- A whole tournament on a made-up clock --- */

struct hall;

struct board {
    struct hall *hall;
    struct match *match;
    struct tournament_work work;
    int number;
    bool is_done;
};

struct hall {
    struct fake_world world;
    struct tournament tournament;
    struct board boards[TABLES];
    int at_once;
    struct rng delays; /* the order of things; must not matter */
};

static int64_t hall_now(void *owner) { return ((struct board *)owner)->hall->world.now_ns; }

static void hall_wake_at(void *owner, int64_t when_ns)
{
    struct board *board = owner;
    fake_world_set_alarm(&board->hall->world, board->number, when_ns);
}

static void hall_ring(void *owner, int alarm)
{
    struct board *board = &((struct hall *)owner)->boards[alarm];
    if (board->match && !board->is_done) {
        match_wake(board->match);
    }
}

/* Any legal move, the same for a position and a seed, after any time. */
static void any_mind(struct fake_player *player, enum fake_question question,
                     const struct player_view *view)
{
    struct hall *hall = player->thoughts;
    struct player_event answer = {.kind = PLAYER_READY};
    if (question == FAKE_BID) {
        answer = (struct player_event){.kind = PLAYER_BID, .bid = {0, (int64_t)player->seed % 7}};
    } else if (question == FAKE_MOVE) {
        struct move moves[GAME_MAX_MOVES];
        size_t count = view->game->moves(view->now, moves);
        uint64_t choice = hash_pair(player->seed, view->game->key(view->now));
        answer = (struct player_event){.kind = PLAYER_MOVE, .move = moves[choice % count]};
    }
    fake_answer(player, (int64_t)rng_below(&hall->delays, FAKE_SECOND), answer);
}

static struct player *hall_make_player(void *owner, int player, struct note *why)
{
    struct hall *hall = ((struct board *)owner)->hall;
    (void)player;
    (void)why;
    return &fake_player_make(&hall->world, "somebody", any_mind, hall)->player;
}

static void hall_on_event(void *owner, const struct game_event *event)
{
    struct board *board = owner;
    const struct finished_game *game = event->finished;
    if (event->kind != GAME_EVENT_OVER) {
        return;
    }
    struct tournament *t = &board->hall->tournament;
    struct tournament_game result = t->games[board->work.first_game + game->index];
    result.summary = game->summary;
    tournament_finish_game(t, &result);
    plan(t);
}

static void hall_on_done(void *owner, enum err err, const struct note *why)
{
    (void)why;
    assert_int_equal(err, ERR_NONE);
    ((struct board *)owner)->is_done = true;
}

static void hall_fill(struct hall *hall)
{
    for (int i = 0; i < hall->at_once; i++) {
        struct board *board = &hall->boards[i];
        struct note why;
        if (board->match && board->is_done) {
            match_free(board->match);
            board->match = NULL;
        }
        if (board->match || !tournament_next(&hall->tournament, &board->work)) {
            continue;
        }
        const struct roster *roster = hall->tournament.roster;
        const struct match_options options = {
            .rules = roster->rules,
            .games = board->work.to,
            .from = board->work.from,
            .first_game = board->work.first_game,
            .seed = roster->seed,
        };
        const struct match_host host = {
            .owner = board,
            .now = hall_now,
            .wake_at = hall_wake_at,
            .make_player = hall_make_player,
            .on_done = hall_on_done,
        };
        const struct game_sink sink = {board, hall_on_event};
        board->is_done = false;
        assert_int_equal(match_start(&board->match, &options, &host, &sink, &why), ERR_NONE);
    }
}

static void hall_play(struct hall *hall, const struct roster *roster, int at_once)
{
    memset(hall, 0, sizeof *hall);
    hall->at_once = at_once;
    hall->delays = rng_make((uint64_t)at_once);
    fake_world_init(&hall->world, hall, hall_ring);
    init(&hall->tournament, roster);
    for (int i = 0; i < TABLES; i++) {
        hall->boards[i].hall = hall;
        hall->boards[i].number = i;
    }
    plan(&hall->tournament);
    do {
        hall_fill(hall);
    } while (fake_world_step(&hall->world));
    assert_true(tournament_is_over(&hall->tournament));
}

static void a_whole_tournament_runs_on_a_made_up_clock(void **state)
{
    static const char *const games[] = {"hop", "reversi", "meichu"};
    static struct hall one;
    static struct hall many;
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct roster roster = make_roster(games[i], formats[1 + i % 3], 6, "seed = 12");
        hall_play(&one, &roster, 1);
        hall_play(&many, &roster, TABLES);
        expect_equal(&one.tournament, &many.tournament);
        tournament_free(&one.tournament);
        tournament_free(&many.tournament);
        fake_world_free(&one.world);
        fake_world_free(&many.world);
        roster_free(&roster);
    }
}

/* --- The qualification --- */

/* Both games of a team against random: lost without a start, or finished. */
static void qualify(struct tournament *t, int team, bool has_failed)
{
    struct note why;
    for (int i = 0; i < QUALIFICATION_GAMES; i++) {
        struct tournament_game game = {
            .phase = PHASE_QUALIFICATION,
            .number = team * QUALIFICATION_GAMES + i,
            .status = GAME_PLAYED,
            .summary.colour = {i ? SIDE_WHITE : SIDE_BLACK, i ? SIDE_BLACK : SIDE_WHITE},
            .summary.outcome = i ? OUTCOME_BLACK : OUTCOME_WHITE,
            .summary.is_forfeit = has_failed,
            .summary.reason = "no-start",
            .summary.plies = has_failed ? 0 : 20,
        };
        assert_int_equal(tournament_restore_game(t, &game, &why), ERR_NONE);
    }
    qualification_settle(t);
}

static bool is_paired(const struct tournament *t, int team)
{
    for (size_t i = 0; i < t->pairing_count; i++) {
        if (t->pairings[i].teams.team[0] == team || t->pairings[i].teams.team[1] == team) {
            return true;
        }
    }
    return false;
}

static void a_team_that_fails_to_qualify_is_not_paired(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct roster roster = make_roster("reversi", formats[i], 7, "");
        struct tournament t;
        struct ranking_row rows[MOST_TEAMS];
        struct note why;
        init(&t, &roster);
        for (int team = 0; team < 7; team++) {
            qualify(&t, team, team == 2 || team == 5);
        }
        int64_t expected = tournament_expected_games(&t);
        assert_int_equal(play(&t, 3, 1, 1000), expected);
        assert_true(tournament_is_over(&t));
        for (int team = 0; team < 7; team++) {
            assert_int_equal(is_paired(&t, team), team != 2 && team != 5);
        }
        assert_int_equal(tournament_standings(&t, rows, &why), ERR_NONE);
        assert_int_equal(rows[5].team + rows[6].team, 7);
        assert_int_equal(rows[5].byes + rows[6].byes, 0);
        qualification_explain(&t, 2, &why);
        assert_string_equal(why.text, "did not start");
        tournament_free(&t);
        roster_free(&roster);
    }
}

static void a_gauntlet_without_its_first_team_has_no_games(void **state)
{
    (void)state;
    struct roster roster = make_roster("reversi", "gauntlet", 3, "");
    struct tournament t;
    init(&t, &roster);
    for (int team = 0; team < 3; team++) {
        qualify(&t, team, team == 0);
    }
    assert_int_equal(play(&t, 1, 1, 100), 0);
    assert_true(tournament_is_over(&t));
    tournament_free(&t);
    roster_free(&roster);
}

static void a_team_that_was_paired_has_no_qualification_to_play(void **state)
{
    (void)state;
    struct roster roster = make_roster("reversi", "swiss", 4, "rounds = 2");
    struct tournament t;
    struct tournament_game game = {
        .phase = PHASE_QUALIFICATION, .number = QUALIFICATION_GAMES, .attempt = 1};
    struct tournament_work work;
    struct note why;
    init(&t, &roster);
    assert_true(qualification_is_on(&t) && !t.is_qualification_begun);
    assert_true(qualification_is_due(&t, 1));
    plan(&t);
    assert_false(qualification_is_due(&t, 1));
    /* Ordered to play it again, it has. */
    assert_int_equal(tournament_restore_game(&t, &game, &why), ERR_NONE);
    assert_true(qualification_is_due(&t, 1) && t.is_qualification_begun);
    /* It comes before what is left of the round. */
    assert_true(tournament_next(&t, &work) && work.phase == PHASE_ROUNDS);
    tournament_untake(&t, &work);
    assert_int_equal(qualification_begin(&t), 1);
    assert_false(tournament_take(&t, &work));
    assert_true(tournament_next(&t, &work) && work.phase == PHASE_QUALIFICATION);
    game.number = 4 * QUALIFICATION_GAMES;
    assert_int_equal(tournament_restore_game(&t, &game, &why), ERR_INPUT);
    tournament_free(&t);
    roster_free(&roster);
}

/* What a sink was told: rounds that were paired, and how many of them before the teams were
 * qualified. */
struct phase_log {
    int rounds;
    int qualified;
    int rounds_before;
};

static void log_round(void *owner, int round, size_t first, size_t count)
{
    struct phase_log *log = owner;
    (void)round;
    (void)first;
    (void)count;
    log->rounds++;
}

static void log_qualified(void *owner)
{
    struct phase_log *log = owner;
    log->qualified++;
    log->rounds_before = log->rounds;
}

/* Ends a game of the qualification that is taken. */
static void finish_qualifying(struct tournament *t, int number, bool has_failed)
{
    struct tournament_game game = *tournament_find_game(t, PHASE_QUALIFICATION, number);
    struct game_summary *summary = &game.summary;
    summary->outcome = summary->colour[0] == SIDE_BLACK ? OUTCOME_WHITE : OUTCOME_BLACK;
    summary->is_forfeit = has_failed;
    summary->plies = has_failed ? 0 : 20;
    snprintf(summary->reason, sizeof summary->reason, "%s", has_failed ? "no-start" : "score");
    tournament_finish_game(t, &game);
}

static void the_qualification_is_played_before_the_first_round_is_paired(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct roster roster = make_roster("reversi", formats[i], 5, "qualification = yes");
        struct phase_log log = {0};
        struct tournament_sink sink = {&log, log_round, log_qualified};
        struct tournament t;
        struct tournament_work work;
        struct note why;
        assert_int_equal(tournament_init(&t, &roster, &sink, &why), ERR_NONE);
        assert_int_equal(qualification_begin(&t), 5);
        for (int team = 0; team < 5; team++) {
            plan(&t);
            assert_true(tournament_next(&t, &work));
            assert_int_equal(work.phase, PHASE_QUALIFICATION);
            assert_int_equal(work.pairing, team);
            assert_int_equal(work.team[0], team);
            assert_int_equal(work.team[1], TOURNAMENT_RANDOM);
            assert_int_equal(work.to - work.from, QUALIFICATION_GAMES);
        }
        assert_false(tournament_next(&t, &work));
        for (int number = 5 * QUALIFICATION_GAMES - 1; number >= 0; number--) {
            plan(&t);
            assert_int_equal(t.pairing_count + (size_t)log.qualified, 0);
            assert_false(tournament_is_over(&t));
            finish_qualifying(&t, number, number / QUALIFICATION_GAMES == 3);
        }
        assert_int_equal(log.qualified, 1);
        assert_true(t.qualifications[3].has_failed && !t.qualifications[4].has_failed);
        assert_int_equal(play(&t, 3, 1, 1000), tournament_expected_games(&t));
        assert_int_equal(log.rounds_before, 0);
        assert_true(log.rounds > 0 && tournament_is_over(&t));
        assert_false(is_paired(&t, 3));
        tournament_free(&t);
        roster_free(&roster);
    }
}

static void a_qualification_continues_with_the_games_that_are_left(void **state)
{
    (void)state;
    struct roster roster = make_roster("reversi", "swiss", 4, "rounds = 2");
    struct tournament t;
    struct tournament_work work;
    struct tournament_game stored = {.phase = PHASE_QUALIFICATION, .number = 2};
    struct note why;
    init(&t, &roster);
    qualify(&t, 0, false);
    stored.status = GAME_PLAYED;
    assert_int_equal(tournament_restore_game(&t, &stored, &why), ERR_NONE);
    tournament_restore_withdrawal(&t, 3, 0);
    assert_int_equal(qualification_begin(&t), 2);
    assert_int_equal(t.qualifying_games, 3);
    assert_true(tournament_next(&t, &work));
    assert_int_equal(work.first_game + work.from, 3); /* the second one of team 1 */
    assert_int_equal(work.to - work.from, 1);
    const struct tournament_work first = work;
    tournament_untake(&t, &first);
    work.phase = PHASE_ROUNDS;
    assert_false(tournament_take(&t, &work));
    assert_true(tournament_take(&t, &first));
    assert_false(tournament_take(&t, &first));
    work = (struct tournament_work){.phase = PHASE_QUALIFICATION,
                                    .pairing = 3,
                                    .team = {3, TOURNAMENT_RANDOM},
                                    .first_game = 6,
                                    .to = QUALIFICATION_GAMES};
    assert_false(tournament_take(&t, &work)); /* it has withdrawn */
    finish_qualifying(&t, 3, false);
    assert_true(tournament_next(&t, &work));
    assert_int_equal(work.pairing, 2);
    finish_qualifying(&t, 4, true);
    finish_qualifying(&t, 5, true);
    assert_int_equal(qualification_begin(&t), 0);
    assert_true(t.qualifications[2].has_failed && !t.qualifications[1].has_failed);
    plan(&t);
    assert_true(tournament_next(&t, &work));
    assert_int_equal(work.phase, PHASE_ROUNDS);
    tournament_free(&t);
    roster_free(&roster);
}

static void the_last_fault_of_the_second_game_explains_why_a_team_failed(void **state)
{
    (void)state;
    struct roster roster = make_roster("reversi", "swiss", 4, "rounds = 2");
    struct tournament t;
    struct note why;
    init(&t, &roster);
    qualify(&t, 1, true);
    qualification_keep_fault(&t, 3, "the second");
    qualification_keep_fault(&t, 2, "the first");
    qualification_explain(&t, 1, &why);
    assert_string_equal(why.text, "did not start: the second");
    qualification_keep_fault(&t, 3, "");
    qualification_explain(&t, 1, &why);
    assert_string_equal(why.text, "did not start: the first");
    tournament_free(&t);
    roster_free(&roster);
}

/* --- References --- */

static int reference_games(const struct tournament *t, int team, int reference)
{
    int count = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        const int *pair = t->games[i].team;
        count +=
            (pair[0] == team && pair[1] == reference) || (pair[1] == team && pair[0] == reference);
    }
    return count;
}

static void expect_same_ranking(const struct tournament *plain, const struct tournament *with)
{
    struct ranking_row rows[2][MOST_TEAMS + ROSTER_MAX_REFERENCES];
    bool qualified[2][ROSTER_MAX_TEAMS];
    struct note why;
    int teams = plain->roster->team_count;
    assert_int_equal(tournament_standings(plain, rows[0], &why), ERR_NONE);
    assert_int_equal(tournament_standings(with, rows[1], &why), ERR_NONE);
    assert_memory_equal(rows[0], rows[1], (size_t)teams * sizeof rows[0][0]);
    qualification_list(plain, qualified[0]);
    qualification_list(with, qualified[1]);
    assert_memory_equal(qualified[0], qualified[1], (size_t)teams * sizeof(bool));
    for (int i = teams; i < roster_entrant_count(with->roster); i++) {
        assert_int_equal(rows[1][i].place, 0);
        assert_int_equal(rows[1][i].played, teams * with->roster->games_per_pairing);
        assert_int_equal(rows[1][i].played, rows[1][i].won + rows[1][i].drawn + rows[1][i].lost);
    }
}

static void references_meet_every_team_and_change_nothing_that_counts(void **state)
{
    (void)state;
    for (int format = 0; format < 4; format++) {
        for (int teams = 2; teams < 12; teams++) {
            const char *more = format ? "games_per_pairing = 3\n" : "";
            char text[128];
            snprintf(text, sizeof text, "%sreference = builtin:3\nreference = random\n", more);
            struct roster plain_roster = make_roster("reversi", formats[format], teams, more);
            struct roster roster = make_roster("reversi", formats[format], teams, text);
            struct tournament plain;
            struct tournament t;
            init(&plain, &plain_roster);
            init(&t, &roster);
            play(&plain, 3, 1, 100000);
            int64_t expected = tournament_expected_games(&t);
            int played = play(&t, 4, 2, 100000);
            assert_int_equal(played, tournament_total_games(&roster));
            assert_int_equal(played, expected);
            assert_int_equal(played, (int)plain.game_count + 2 * teams * roster.games_per_pairing);
            assert_true(tournament_is_over(&t));
            for (size_t i = 0; i < plain.game_count; i++) {
                assert_memory_equal(plain.games[i].team, t.games[i].team, sizeof t.games[i].team);
            }
            for (int i = 0; i < 2 * teams; i++) {
                assert_int_equal(reference_games(&t, i / 2, roster_entrant(&roster, teams + i % 2)),
                                 roster.games_per_pairing);
            }
            expect_same_ranking(&plain, &t);
            tournament_free(&t);
            tournament_free(&plain);
            roster_free(&roster);
            roster_free(&plain_roster);
        }
    }
}

static void a_tournament_with_references_goes_on_from_any_moment(void **state)
{
    (void)state;
    for (int format = 0; format < 4; format++) {
        struct roster roster = make_roster("reversi", formats[format], 5, "reference = random");
        struct tournament whole;
        init(&whole, &roster);
        int total = play(&whole, 1, 1, 100000);
        for (int stop = 0; stop <= total; stop++) {
            struct tournament stopped;
            init(&stopped, &roster);
            int played = play(&stopped, 4, (uint64_t)stop, stop);
            struct tournament resumed = put_back(&stopped);
            assert_int_equal(tournament_is_over(&resumed), stop == total);
            assert_int_equal(tournament_expected_games(&resumed), total);
            played += play(&resumed, 2, 9, 100000);
            assert_int_equal(played, total);
            expect_equal(&whole, &resumed);
            tournament_free(&resumed);
            tournament_free(&stopped);
        }
        tournament_free(&whole);
        roster_free(&roster);
    }
}

/* A run may have ended after it stored the last round and before it stored their games. */
static void missing_games_against_references_are_made_up_for(void **state)
{
    (void)state;
    struct roster plain_roster = make_roster("hop", "swiss", 4, "");
    struct roster roster = make_roster("hop", "swiss", 4, "reference = random");
    struct tournament plain;
    init(&plain, &plain_roster);
    play(&plain, 1, 1, 100000);
    struct tournament t = put_into(&roster, &plain);
    assert_false(tournament_is_over(&t));
    assert_int_equal(play(&t, 1, 1, 100000), 4 * 2);
    assert_true(tournament_is_over(&t));
    tournament_free(&t);
    tournament_free(&plain);
    roster_free(&roster);
    roster_free(&plain_roster);
}

static void a_withdrawn_team_and_a_reference_give_each_other_nothing(void **state)
{
    (void)state;
    for (int format = 0; format < 2; format++) {
        struct roster roster = make_roster("hop", formats[format], 4, "reference = random");
        struct tournament t;
        struct ranking_row rows[5];
        struct note why;
        roster.teams[1].withdrawn_after = 1;
        init(&t, &roster);
        int64_t expected = tournament_expected_games(&t);
        play(&t, 1, 1, 100000);
        assert_true(tournament_is_over(&t));
        assert_int_equal(t.game_count, expected);
        assert_int_equal(tournament_standings(&t, rows, &why), ERR_NONE);
        assert_int_equal(rows[4].played, 3 * 2);
        assert_int_equal(rows[4].byes, 0);
        assert_int_equal(rows[3].team, 1);
        tournament_free(&t);
        roster_free(&roster);
    }
}

/* --- Late entry --- */

/* `starters` teams, and more that entered after these rounds; -1: none. */
static struct roster make_late_roster(const char *format, int starters, int first, int second,
                                      const char *more)
{
    static struct roster_problems problems;
    char text[2048];
    struct roster roster;
    const int entries[] = {first, second};
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "[tournament]\ngame = reversi\nformat = %s\n%s\n", format, more);
    for (int i = 0; i < starters; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "[team %d]\nplayer = random\n", i);
    }
    for (int i = 0; i < 2 && entries[i] >= 0; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "[team late%d]\nplayer = random\nentered_after = %d\n", i, entries[i]);
    }
    if (roster_read(text, used, CPU_BASELINE, &roster, &problems)) {
        fail_msg("%s", problems.list[0].text);
    }
    return roster;
}

static int rounds_of(const struct tournament *t, int team, int from, int to)
{
    int count = 0;
    for (size_t i = 0; i < t->pairing_count; i++) {
        const struct tournament_pairing *pairing = &t->pairings[i];
        bool has_it = pairing->teams.team[0] == team || pairing->teams.team[1] == team;
        count += has_it && pairing->round >= from && pairing->round < to;
    }
    return count;
}

static void a_late_team_plays_from_the_next_swiss_round_on(void **state)
{
    (void)state;
    for (int starters = 2; starters < 10; starters++) {
        struct roster before = make_late_roster("swiss", starters, -1, -1, "rounds = 5");
        for (int stop = 1; stop < starters / 2 * 2 * 5; stop++) {
            struct tournament old;
            init(&old, &before);
            play(&old, 1, 1, stop);
            int rounds = old.rounds_paired;
            if (rounds == 5) {
                tournament_free(&old);
                break;
            }
            struct roster roster = make_late_roster("swiss", starters, rounds, -1, "rounds = 5");
            struct tournament t = put_into(&roster, &old);
            play(&t, 3, 1, 100000);
            assert_true(tournament_is_over(&t));
            for (size_t i = 0; i < old.pairing_count; i++) {
                assert_memory_equal(&t.pairings[i].teams, &old.pairings[i].teams,
                                    sizeof(struct pairing));
            }
            assert_int_equal(rounds_of(&t, starters, 0, rounds), 0);
            assert_int_equal(rounds_of(&t, starters, rounds, 5), 5 - rounds);
            assert_int_equal(rounds_of(&t, 0, 0, 5), 5);
            struct ranking_row row = row_of(&t, starters);
            assert_int_equal(row.played + row.byes, 2 * (5 - rounds));
            assert_int_equal(row.figures[RANKING_POINTS], 2 * (row.won + row.byes) + row.drawn);
            assert_int_equal(tournament_expected_games(&t), t.game_count);
            tournament_free(&t);
            tournament_free(&old);
            roster_free(&roster);
        }
        roster_free(&before);
    }
}

/* However many of the others failed to qualify. */
static void late_teams_meet_all_teams_that_are_qualified(void **state)
{
    (void)state;
    for (int format = 0; format < 2; format++) {
        for (int failing = 0; failing < 4; failing++) {
            const char *name = format ? "gauntlet" : "double-round-robin";
            struct roster roster = make_late_roster(name, 3, 3, 4, "reference = random");
            struct tournament t;
            init(&t, &roster);
            for (int team = 0; team < 5; team++) {
                qualify(&t, team, team < 3 && team > 2 - failing);
            }
            int64_t expected = tournament_expected_games(&t);
            int played = play(&t, 1, 1, 1000);
            assert_int_equal(played, expected);
            assert_true(tournament_is_over(&t));
            int teams = 5 - failing;
            int pairings = format ? teams - 1 : teams * (teams - 1) / 2;
            bool has_games = !format || failing < 3;
            assert_int_equal(played, has_games ? 2 * (pairings + teams) : 0);
            tournament_free(&t);
            roster_free(&roster);
        }
    }
}

static void a_team_that_is_to_enter_later_counts_in_the_total(void **state)
{
    (void)state;
    for (int starters = 2; starters < 9; starters++) {
        struct roster roster = make_late_roster("swiss", starters, 1, 3, "rounds = 5");
        struct tournament t;
        init(&t, &roster);
        int64_t expected = tournament_expected_games(&t);
        int played = play(&t, 2, 1, 100000);
        assert_int_equal(played, tournament_total_games(&roster));
        assert_int_equal(played, expected);
        assert_int_equal(rounds_of(&t, starters, 0, 5), 4);
        assert_int_equal(rounds_of(&t, starters + 1, 0, 5), 2);
        tournament_free(&t);
        roster_free(&roster);
    }
}

static void a_late_team_gets_the_games_that_it_lacks(void **state)
{
    (void)state;
    for (int is_gauntlet = 0; is_gauntlet < 2; is_gauntlet++) {
        const char *format = is_gauntlet ? "gauntlet" : "double-round-robin";
        for (int starters = 2; starters < 9; starters++) {
            struct roster before = make_late_roster(format, starters, -1, -1, "reference = random");
            struct tournament old;
            init(&old, &before);
            int total = play(&old, 1, 1, 100000);
            int stop = starters % 2 ? total : total / 2; /* also one that was over */
            tournament_free(&old);
            init(&old, &before);
            play(&old, 1, 1, stop);
            struct roster roster = make_late_roster(format, starters, before.rounds,
                                                    before.rounds + 1, "reference = random");
            assert_int_equal(roster.rounds, before.rounds + 2);
            struct tournament t = put_into(&roster, &old);
            assert_false(tournament_is_over(&t));
            play(&t, 3, 1, 100000);
            assert_true(tournament_is_over(&t));
            assert_int_equal(tournament_total_games(&roster), t.game_count);
            for (int a = 0; a < starters + 2; a++) {
                for (int b = 0; b < a; b++) {
                    assert_int_equal(reference_games(&t, a, b), !is_gauntlet || b == 0 ? 2 : 0);
                }
                assert_int_equal(reference_games(&t, a, ROSTER_MAX_TEAMS - 1), 2);
            }
            tournament_free(&t);
            tournament_free(&old);
            roster_free(&roster);
            roster_free(&before);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_meet_and_each_is_black_once),
        cmocka_unit_test(the_total_is_known_beforehand),
        cmocka_unit_test(seeds_depend_on_seed_and_number_only),
        cmocka_unit_test(with_one_game_a_pairing_colours_alternate),
        cmocka_unit_test(with_an_odd_number_of_games_colours_are_even),
        cmocka_unit_test(colours_are_even_where_that_can_be_when_a_team_leaves_and_one_comes),
        cmocka_unit_test(in_larger_fields_with_the_usual_rounds_colours_are_even),
        cmocka_unit_test(the_order_in_which_games_end_does_not_matter),
        cmocka_unit_test(a_tournament_restored_at_any_moment_continues_the_same),
        cmocka_unit_test(an_invalid_restore_is_refused),
        cmocka_unit_test(a_withdrawn_team_is_last_and_its_opponents_have_byes),
        cmocka_unit_test(swiss_pairs_a_withdrawn_team_no_more),
        cmocka_unit_test(swiss_pairs_a_team_that_is_taken_back_from_the_next_unpaired_round_on),
        cmocka_unit_test(a_team_that_will_leave_is_paired_by_its_points_until_then),
        cmocka_unit_test(in_a_round_robin_a_team_is_last_when_it_has_left),
        cmocka_unit_test(a_swiss_tournament_ends_when_one_team_is_left),
        cmocka_unit_test(a_withdrawal_from_a_knockout_advances_the_other_team),
        cmocka_unit_test(a_disqualified_team_is_last_and_its_games_are_void_for_all_alike),
        cmocka_unit_test(games_of_a_disqualified_team_count_where_they_are_kept),
        cmocka_unit_test(swiss_pairs_a_disqualified_team_no_more),
        cmocka_unit_test(a_disqualified_team_leaves_a_knockout_to_the_other),
        cmocka_unit_test(a_team_that_cannot_start_has_no_points_by_byes),
        cmocka_unit_test(a_cancelled_game_is_not_a_bye_for_a_team_that_cannot_start),
        cmocka_unit_test(in_a_knockout_byes_are_for_teams_that_can_start),
        cmocka_unit_test(the_winner_of_a_knockout_is_first),
        cmocka_unit_test(the_seeds_of_a_knockout_are_the_order_of_the_roster),
        cmocka_unit_test(all_games_that_are_expected_are_accounted_for),
        cmocka_unit_test(an_annulled_game_counts_for_neither_team_and_pairings_remain),
        cmocka_unit_test(an_annulled_round_gives_no_points_for_byes),
        cmocka_unit_test(a_team_that_was_handed_in_late_is_not_paired),
        cmocka_unit_test(a_game_set_aside_is_played_again_alone),
        cmocka_unit_test(a_team_that_finishes_a_game_qualifies),
        cmocka_unit_test(a_walkover_helps_only_a_team_that_never_failed),
        cmocka_unit_test(a_team_with_only_late_moves_still_qualifies_in_meichu),
        cmocka_unit_test(a_whole_tournament_runs_on_a_made_up_clock),
        cmocka_unit_test(a_team_that_fails_to_qualify_is_not_paired),
        cmocka_unit_test(a_gauntlet_without_its_first_team_has_no_games),
        cmocka_unit_test(a_team_that_was_paired_has_no_qualification_to_play),
        cmocka_unit_test(the_qualification_is_played_before_the_first_round_is_paired),
        cmocka_unit_test(a_qualification_continues_with_the_games_that_are_left),
        cmocka_unit_test(the_last_fault_of_the_second_game_explains_why_a_team_failed),
        cmocka_unit_test(references_meet_every_team_and_change_nothing_that_counts),
        cmocka_unit_test(a_tournament_with_references_goes_on_from_any_moment),
        cmocka_unit_test(missing_games_against_references_are_made_up_for),
        cmocka_unit_test(a_withdrawn_team_and_a_reference_give_each_other_nothing),
        cmocka_unit_test(a_late_team_plays_from_the_next_swiss_round_on),
        cmocka_unit_test(late_teams_meet_all_teams_that_are_qualified),
        cmocka_unit_test(a_team_that_is_to_enter_later_counts_in_the_total),
        cmocka_unit_test(a_late_team_gets_the_games_that_it_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
