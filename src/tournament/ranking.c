#include "tournament/ranking.h"

#include <assert.h>
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
    const struct ranking_game *games;
    size_t game_count;
    struct ranking_row *by_team;
    struct ranking_meeting *meetings; /* sorted, no two alike */
    size_t meeting_count;
    int *group; /* by team: the place of the first one that it is equal to */
};

static int points_of(const struct ranking_game *game, enum side side)
{
    enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    return game->outcome == win            ? RANKING_WIN_POINTS
           : game->outcome == OUTCOME_DRAW ? RANKING_DRAW_POINTS
                                           : 0;
}

static bool is_bye(const struct ranking_game *game)
{
    return game->team[SIDE_WHITE] == RANKING_NOBODY;
}

/* --- What follows from the games alone. --- */

static void add_bye(struct ranking_row *row)
{
    row->byes++;
    row->figures[RANKING_POINTS] += RANKING_WIN_POINTS;
}

static void add_game(struct ranking_row *row, const struct ranking_game *game, enum side side)
{
    int points = points_of(game, side);
    int scored = game->score[side];
    int conceded = game->score[side_other(side)];
    row->played++;
    row->won += points == RANKING_WIN_POINTS;
    row->drawn += points == RANKING_DRAW_POINTS;
    row->lost += points == 0;
    row->scored += scored;
    row->conceded += conceded;
    row->figures[RANKING_POINTS] += points;
    row->figures[RANKING_WINS] += points == RANKING_WIN_POINTS;
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
            add_bye(&count->by_team[game->team[SIDE_BLACK]]);
            continue;
        }
        add_game(&count->by_team[game->team[SIDE_BLACK]], game, SIDE_BLACK);
        add_game(&count->by_team[game->team[SIDE_WHITE]], game, SIDE_WHITE);
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
            int points = is_bye(game) ? RANKING_WIN_POINTS : points_of(game, (enum side)side);
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

/* Negative: a ranks above b. `*decided_by` is RANKING_FIGURES where their tiers differ. */
static int compare_rows(const struct ranking_row *a, const struct ranking_row *b,
                        enum ranking_figure end, enum ranking_figure *decided_by)
{
    *decided_by = RANKING_FIGURES;
    if (a->tier != b->tier) {
        return compare_ints(b->tier, a->tier);
    }
    for (enum ranking_figure f = RANKING_POINTS; f < end; f++) {
        if (a->figures[f] != b->figures[f]) {
            *decided_by = f;
            return a->figures[f] > b->figures[f] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_by_games(const void *a, const void *b)
{
    enum ranking_figure decided_by;
    return compare_rows(a, b, RANKING_DIRECT, &decided_by);
}

static int compare_by_all(const void *a, const void *b)
{
    enum ranking_figure decided_by;
    return compare_rows(a, b, RANKING_FIGURES, &decided_by);
}

static void draw_lots(struct ranking_row *by_team, int teams, uint64_t seed)
{
    struct rng rng = rng_make(seed);
    for (int i = 0; i < teams; i++) {
        int j = (int)rng_below(&rng, (uint64_t)i + 1);
        by_team[i].figures[RANKING_LOT] = by_team[j].figures[RANKING_LOT];
        by_team[j].figures[RANKING_LOT] = i + 1;
    }
}

/* Equal teams become one group, in `sorted` order. */
static void find_groups(struct ranking_count *count, const struct ranking_row *sorted)
{
    int first = 0;
    for (int i = 0; i < count->teams; i++) {
        if (compare_by_games(&sorted[first], &sorted[i]) != 0) {
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
                row->figures[RANKING_DIRECT] += points_of(game, (enum side)side);
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

static void assign_places(struct ranking_row *rows, int teams)
{
    for (int i = 0; i < teams; i++) {
        rows[i].place = i + 1;
        rows[i].decided_by = RANKING_FIGURES;
        if (i > 0) {
            compare_rows(&rows[i - 1], &rows[i], RANKING_FIGURES, &rows[i].decided_by);
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
    qsort(rows, (size_t)count->teams, sizeof *rows, compare_by_games);
    add_direct(count, rows, met);
    draw_lots(count->by_team, count->teams, seed);
    memcpy(rows, count->by_team, bytes);
    qsort(rows, (size_t)count->teams, sizeof *rows, compare_by_all);
    assign_places(rows, count->teams);
}

enum err ranking_make(int teams, const int *tiers, const struct ranking_game *games,
                      size_t game_count, uint64_t seed, struct ranking_row *rows, struct note *why)
{
    assert(teams >= 1 && teams <= RANKING_MAX_TEAMS);
    struct ranking_count count = {
        .teams = teams,
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

const char *ranking_figure_name(enum ranking_figure figure)
{
    static const char *const names[RANKING_FIGURES] = {
        "points", "wins", "differential", "buchholz", "sonneborn-berger", "direct", "lot"};
    return names[figure];
}
