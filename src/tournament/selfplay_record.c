#include "tournament/selfplay_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Whether the game began where game number `index` of this match does. */
static bool has_opening(const struct record *record, const struct match_options *match, int index)
{
    char wanted[GAME_POSITION_BYTES];
    char usual[GAME_POSITION_BYTES];
    struct state opening = match_opening(match, index);
    struct state start = match->rules.judge.game->start();
    match->rules.judge.game->write_position(&opening, wanted);
    match->rules.judge.game->write_position(&start, usual);
    const char *found = record_tag(record, RECORD_START);
    return strcmp(found ? found : usual, wanted) == 0;
}

const char *selfplay_record_difference(const struct record *record,
                                       const struct match_options *match, const char *player,
                                       int index)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, match_game_seed(match->seed, index));
    if (!record_has_tag(record, RECORD_GAME, match->rules.judge.game->name) ||
        !record_has_tag(record, RECORD_BLACK, player) ||
        !record_has_tag(record, RECORD_WHITE, player) ||
        !record_has_tag(record, RECORD_SEED, seed)) {
        return "another game, player or seed";
    }
    return has_opening(record, match, index) ? NULL : "another opening; give the same --openings";
}
