#include "tournament/match_score.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/record_reader.h"

enum { BOTH_LOST = -1 };

/* Player 0's half points: 0, 1 or 2; or BOTH_LOST. */
static int half_points(const struct game_summary *game)
{
    switch (game->outcome) {
    case OUTCOME_BLACK:
        return game->colour[0] == SIDE_BLACK ? 2 : 0;
    case OUTCOME_WHITE:
        return game->colour[0] == SIDE_WHITE ? 2 : 0;
    case OUTCOME_BOTH_LOST:
        return BOTH_LOST;
    default:
        return 1;
    }
}

static void count_unit(struct match_score *score, int points)
{
    bool is_first = score->has_pairs && score->games % 2 == 0;
    if (is_first) {
        score->pair_points = points;
    } else if (points != BOTH_LOST && !score->has_pairs) {
        score->units.units[2 * points]++;
    } else if (points != BOTH_LOST && score->pair_points != BOTH_LOST) {
        score->units.units[score->pair_points + points]++;
    }
}

void match_score_add(struct match_score *score, const struct game_summary *game)
{
    int points = half_points(game);
    count_unit(score, points);
    score->games++;
    score->plies += game->plies;
    score->wins[0] += points == 2;
    score->wins[1] += points == 0;
    score->draws += points == 1;
    score->both_lost += points == BOTH_LOST;
    for (int i = 0; i < 2; i++) {
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            score->faults[i][kind] += game->faults[i][kind];
        }
    }
    if (score->has_sprt) {
        score->sprt = sprt_test(&score->units, score->elo0, score->elo1, NULL);
    }
}

void match_score_add_time(struct match_score *score, int player, int64_t time_ns)
{
    struct match_times *times = &score->times[player];
    uint32_t *list = array_reserve(times->us, &times->capacity, times->count + 1, sizeof *list);
    if (!list) {
        return; /* a statistic over fewer moves */
    }
    times->us = list;
    int64_t us = time_ns / 1000;
    times->us[times->count++] = us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
}

void match_score_add_times(struct match_score *score, const struct finished_game *game)
{
    struct record record = {0};
    struct note ignored;
    bool is_found = false;
    FILE *file = fmemopen(game->record, strlen(game->record), "r");
    if (!file) {
        return; /* as above */
    }
    struct record_reader reader = record_reader_make(file);
    if (!record_reader_next(&reader, &record, &is_found, &ignored) && is_found) {
        for (size_t i = 0; i < record.ply_count; i++) {
            const struct record_turn *turn = &record.plies[i];
            if (turn->facts.has_time) {
                match_score_add_time(score, turn->side == game->summary.colour[0] ? 0 : 1,
                                     turn->facts.time_ns);
            }
        }
    }
    record_free(&record);
    fclose(file);
}

int64_t match_score_faults(const struct match_score *score)
{
    int64_t sum = 0;
    for (int player = 0; player < 2; player++) {
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            sum += score->faults[player][kind];
        }
    }
    return sum;
}

static int compare_us(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

double match_score_time_ms(struct match_times *times, double share)
{
    if (times->count == 0) {
        return 0;
    }
    qsort(times->us, times->count, sizeof *times->us, compare_us);
    return times->us[(size_t)((double)(times->count - 1) * share)] / 1e3;
}

void match_score_free(struct match_score *score)
{
    free(score->times[0].us);
    free(score->times[1].us);
}
