#include "tournament/ranking.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

/* One team met another in a round, or had a bye. */
struct ranking_meeting {
    int team;
    int opponent;
    int round;
};

/* What is computed before the rows. */
struct ranking_count {
    int teams;
    struct ranking_rules rules;
    const struct ranking_game *games;
    size_t game_count;
    struct ranking_row *by_team;
    struct ranking_meeting *meetings; /* sorted, no two alike */
    size_t meeting_count;
    int *group; /* by team: the place of the first one that it is equal to */
};

static const char *const figure_names[RANKING_FIGURES] = {
    "points", "wins", "differential", "buchholz", "sonneborn-berger", "direct", "lot"};

const char *ranking_figure_name(enum ranking_figure figure) { return figure_names[figure]; }

enum ranking_figure ranking_figure_find(const char *name)
{
    int figure = 0;
    while (figure < RANKING_FIGURES && strcmp(figure_names[figure], name) != 0) {
        figure++;
    }
    return (enum ranking_figure)figure;
}

/* --- The rules. --- */

struct ranking_rules ranking_rules_usual(void)
{
    struct ranking_rules rules = {.win = 2, .draw = 1, .loss = 0, .bye = 2};
    for (enum ranking_figure f = RANKING_WINS; f <= RANKING_DIRECT; f++) {
        rules.tie_breaks[rules.tie_break_count++] = f;
    }
    return rules;
}

bool ranking_rules_are_usual(const struct ranking_rules *rules)
{
    struct ranking_rules usual = ranking_rules_usual();
    bool is_usual = rules->win == usual.win && rules->draw == usual.draw &&
                    rules->loss == usual.loss && rules->bye == usual.bye &&
                    rules->tie_break_count == usual.tie_break_count;
    for (int i = 0; is_usual && i < usual.tie_break_count; i++) {
        is_usual = rules->tie_breaks[i] == usual.tie_breaks[i];
    }
    return is_usual;
}

static bool is_won(enum outcome outcome, enum side side)
{
    return outcome == (side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE);
}

int ranking_points(const struct ranking_rules *rules, enum outcome outcome, enum side side)
{
    bool is_over = outcome != OUTCOME_BOTH_LOST && outcome != OUTCOME_ONGOING;
    return !is_over                  ? 0
           : outcome == OUTCOME_DRAW ? rules->draw
           : is_won(outcome, side)   ? rules->win
                                     : rules->loss;
}

void ranking_rules_describe(const struct ranking_rules *rules, char out[RANKING_RULES_BYTES])
{
    size_t used = (size_t)snprintf(
        out, RANKING_RULES_BYTES, "%d points a win, %d a draw, %d a loss, %d a game of a bye; then",
        rules->win, rules->draw, rules->loss, rules->bye);
    for (int i = 0; i <= rules->tie_break_count; i++) {
        enum ranking_figure figure =
            i == rules->tie_break_count ? RANKING_LOT : rules->tie_breaks[i];
        used += (size_t)snprintf(out + used, RANKING_RULES_BYTES - used, "%s %s", i ? "," : "",
                                 ranking_figure_name(figure));
    }
}

static bool is_bye(const struct ranking_game *game)
{
    return game->team[SIDE_WHITE] == RANKING_NOBODY;
}

/* --- What follows from the games alone. --- */

static void add_game(const struct ranking_rules *rules, struct ranking_row *row,
                     const struct ranking_game *game, enum side side)
{
    int scored = game->score[side];
    int conceded = game->score[side_other(side)];
    bool has_won = is_won(game->outcome, side);
    bool is_drawn = game->outcome == OUTCOME_DRAW;
    row->played++;
    row->won += has_won;
    row->drawn += is_drawn;
    row->lost += !has_won && !is_drawn;
    row->scored += scored;
    row->conceded += conceded;
    row->figures[RANKING_POINTS] += ranking_points(rules, game->outcome, side);
    row->figures[RANKING_WINS] += has_won;
    row->figures[RANKING_DIFFERENTIAL] += scored - conceded;
}

static void count_games(struct ranking_count *count)
{
    for (size_t i = 0; i < count->game_count; i++) {
        const struct ranking_game *game = &count->games[i];
        if (game->outcome == OUTCOME_ONGOING) {
            continue;
        }
        if (is_bye(game)) {
            struct ranking_row *row = &count->by_team[game->team[SIDE_BLACK]];
            row->byes++;
            row->figures[RANKING_POINTS] += count->rules.bye;
            continue;
        }
        for (int side = SIDE_BLACK; side <= SIDE_WHITE; side++) {
            add_game(&count->rules, &count->by_team[game->team[side]], game, (enum side)side);
        }
    }
}

/* --- Tie-breaks that look at the opponents' points. --- */

static int64_t opponent_points(const struct ranking_count *count, int team, int opponent)
{
    int whose = opponent == RANKING_NOBODY ? team : opponent;
    return count->by_team[whose].figures[RANKING_POINTS];
}

static void add_sonneborn(struct ranking_count *count)
{
    for (size_t i = 0; i < count->game_count; i++) {
        const struct ranking_game *game = &count->games[i];
        for (int side = SIDE_BLACK; side <= SIDE_WHITE; side++) {
            int team = game->team[side];
            if (game->outcome == OUTCOME_ONGOING || team == RANKING_NOBODY) {
                continue;
            }
            int points = is_bye(game)
                             ? count->rules.bye
                             : ranking_points(&count->rules, game->outcome, (enum side)side);
            count->by_team[team].figures[RANKING_SONNEBORN] +=
                points * opponent_points(count, team, game->team[side_other((enum side)side)]);
        }
    }
}

static int compare_ints(int a, int b) { return (a > b) - (a < b); }

static int compare_meetings(const void *a, const void *b)
{
    const struct ranking_meeting *x = a;
    const struct ranking_meeting *y = b;
    int by_team = compare_ints(x->team, y->team);
    int by_opponent = compare_ints(x->opponent, y->opponent);
    return by_team ? by_team : by_opponent ? by_opponent : compare_ints(x->round, y->round);
}

static void list_meetings(struct ranking_count *count)
{
    struct ranking_meeting *all = count->meetings;
    size_t listed = 0;
    for (size_t i = 0; i < count->game_count; i++) {
        const struct ranking_game *game = &count->games[i];
        if (game->outcome == OUTCOME_ONGOING) {
            continue;
        }
        int black = game->team[SIDE_BLACK];
        int white = game->team[SIDE_WHITE];
        all[listed++] = (struct ranking_meeting){black, white, game->round};
        if (!is_bye(game)) {
            all[listed++] = (struct ranking_meeting){white, black, game->round};
        }
    }
    if (listed == 0) {
        return;
    }
    qsort(all, listed, sizeof *all, compare_meetings);
    size_t kept = 1;
    for (size_t i = 1; i < listed; i++) {
        if (compare_meetings(&all[i], &all[kept - 1]) != 0) {
            all[kept++] = all[i];
        }
    }
    count->meeting_count = kept;
}

static void add_buchholz(struct ranking_count *count)
{
    for (size_t i = 0; i < count->meeting_count;) {
        int team = count->meetings[i].team;
        int64_t sum = 0;
        int64_t least = INT64_MAX;
        for (; i < count->meeting_count && count->meetings[i].team == team; i++) {
            int64_t points = opponent_points(count, team, count->meetings[i].opponent);
            sum += points;
            least = points < least ? points : least;
        }
        count->by_team[team].figures[RANKING_BUCHHOLZ] = sum - least;
    }
}

/* --- The order. --- */

static bool differ(const struct ranking_row *a, const struct ranking_row *b,
                   enum ranking_figure figure, enum ranking_figure *decided_by)
{
    *decided_by = figure;
    return a->figures[figure] != b->figures[figure];
}

/* Finds the first figure in which they differ, up to `end`, which is left out. False: there is none
 * among the points and the tie-breaks before it. */
static bool find_difference(const struct ranking_rules *rules, const struct ranking_row *a,
                            const struct ranking_row *b, enum ranking_figure end,
                            enum ranking_figure *decided_by)
{
    if (differ(a, b, RANKING_POINTS, decided_by)) {
        return true;
    }
    for (int i = 0; i < rules->tie_break_count && rules->tie_breaks[i] != end; i++) {
        if (differ(a, b, rules->tie_breaks[i], decided_by)) {
            return true;
        }
    }
    return end != RANKING_DIRECT && differ(a, b, RANKING_LOT, decided_by);
}

/* Negative: a ranks above b. `*decided_by` is RANKING_FIGURES where their tiers differ. */
static int compare_rows(const struct ranking_rules *rules, const struct ranking_row *a,
                        const struct ranking_row *b, enum ranking_figure end,
                        enum ranking_figure *decided_by)
{
    *decided_by = RANKING_FIGURES;
    if (a->tier != b->tier) {
        return compare_ints(b->tier, a->tier);
    }
    if (!find_difference(rules, a, b, end, decided_by)) {
        return 0;
    }
    return a->figures[*decided_by] > b->figures[*decided_by] ? -1 : 1;
}

/* By what is known before the direct encounters. */
static int compare_before_direct(const void *a, const void *b, void *rules)
{
    enum ranking_figure decided_by;
    return compare_rows(rules, a, b, RANKING_DIRECT, &decided_by);
}

static int compare_by_all(const void *a, const void *b, void *rules)
{
    enum ranking_figure decided_by;
    return compare_rows(rules, a, b, RANKING_FIGURES, &decided_by);
}

static void draw_lots(struct ranking_row *by_team, int teams, int late_teams, uint64_t seed)
{
    struct rng rng = rng_make(seed);
    for (int i = 0; i < teams - late_teams; i++) {
        int j = (int)rng_below(&rng, (uint64_t)i + 1);
        by_team[i].figures[RANKING_LOT] = by_team[j].figures[RANKING_LOT];
        by_team[j].figures[RANKING_LOT] = i + 1;
    }
    for (int i = teams - late_teams; i < teams; i++) {
        int64_t lot = (int64_t)rng_below(&rng, (uint64_t)i + 1) + 1;
        for (int j = 0; j < i; j++) {
            by_team[j].figures[RANKING_LOT] += by_team[j].figures[RANKING_LOT] >= lot;
        }
        by_team[i].figures[RANKING_LOT] = lot;
    }
}

/* Equal teams become one group, in `sorted` order. */
static void find_groups(struct ranking_count *count, const struct ranking_row *sorted)
{
    int first = 0;
    for (int i = 0; i < count->teams; i++) {
        if (compare_before_direct(&sorted[first], &sorted[i], &count->rules) != 0) {
            first = i;
        }
        count->group[sorted[i].team] = first;
    }
}

/* How many teams of its own group a team has met, put into met[team]. */
static void count_met(const struct ranking_count *count, int *met)
{
    const struct ranking_meeting *last = NULL;
    for (size_t i = 0; i < count->meeting_count; i++) {
        const struct ranking_meeting *m = &count->meetings[i];
        bool is_again = last && last->team == m->team && last->opponent == m->opponent;
        if (!is_again && m->opponent != RANKING_NOBODY) {
            met[m->team] += count->group[m->team] == count->group[m->opponent];
        }
        last = m;
    }
}

static void add_direct_points(struct ranking_count *count)
{
    for (size_t i = 0; i < count->game_count; i++) {
        const struct ranking_game *game = &count->games[i];
        if (is_bye(game) || count->group[game->team[0]] != count->group[game->team[1]]) {
            continue;
        }
        for (int side = SIDE_BLACK; side <= SIDE_WHITE; side++) {
            struct ranking_row *row = &count->by_team[game->team[side]];
            if (row->has_direct) {
                row->figures[RANKING_DIRECT] +=
                    ranking_points(&count->rules, game->outcome, (enum side)side);
            }
        }
    }
}

static void add_direct(struct ranking_count *count, const struct ranking_row *sorted, int *met)
{
    find_groups(count, sorted);
    count_met(count, met);
    for (int first = 0, end; first < count->teams; first = end) {
        bool have_all_met = true;
        for (end = first; end < count->teams && count->group[sorted[end].team] == first; end++) {
        }
        for (int i = first; i < end; i++) {
            have_all_met = have_all_met && met[sorted[i].team] == end - first - 1;
        }
        for (int i = first; i < end; i++) {
            count->by_team[sorted[i].team].has_direct = have_all_met && end - first > 1;
        }
    }
    add_direct_points(count);
}

static void assign_places(const struct ranking_rules *rules, struct ranking_row *rows, int teams)
{
    for (int i = 0; i < teams; i++) {
        rows[i].place = i + 1;
        rows[i].decided_by = RANKING_FIGURES;
        if (i > 0) {
            compare_rows(rules, &rows[i - 1], &rows[i], RANKING_FIGURES, &rows[i].decided_by);
        }
    }
}

static void rank(struct ranking_count *count, const int *tiers, uint64_t seed,
                 struct ranking_row *rows, int *met)
{
    size_t bytes = (size_t)count->teams * sizeof *rows;
    for (int i = 0; i < count->teams; i++) {
        count->by_team[i].team = i;
        count->by_team[i].tier = tiers ? tiers[i] : 0;
    }
    count_games(count);
    list_meetings(count);
    add_buchholz(count);
    add_sonneborn(count);
    memcpy(rows, count->by_team, bytes);
    qsort_r(rows, (size_t)count->teams, sizeof *rows, compare_before_direct, &count->rules);
    add_direct(count, rows, met);
    draw_lots(count->by_team, count->teams, count->rules.late_teams, seed);
    memcpy(rows, count->by_team, bytes);
    qsort_r(rows, (size_t)count->teams, sizeof *rows, compare_by_all, &count->rules);
    assign_places(&count->rules, rows, count->teams);
}

enum err ranking_make(int teams, const struct ranking_rules *rules, const int *tiers,
                      const struct ranking_game *games, size_t game_count, uint64_t seed,
                      struct ranking_row *rows, struct note *why)
{
    assert(teams >= 1 && teams <= RANKING_MAX_TEAMS);
    struct ranking_count count = {
        .teams = teams,
        .rules = *rules,
        .games = games,
        .game_count = game_count,
        .by_team = calloc((size_t)teams, sizeof *count.by_team),
        .meetings = calloc(2 * game_count + 1, sizeof *count.meetings),
        .group = calloc((size_t)teams, sizeof *count.group),
    };
    int *met = calloc((size_t)teams, sizeof *met);
    enum err err = ERR_NONE;
    if (count.by_team && count.meetings && count.group && met) {
        rank(&count, tiers, seed, rows, met);
    } else {
        err = note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    free(met);
    free(count.group);
    free(count.meetings);
    free(count.by_team);
    return err;
}
