#include "tournament/selfplay_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool has_tag(const struct record *record, enum record_tag tag, const char *wanted)
{
    const char *value = record_tag(record, tag);
    return value && strcmp(value, wanted) == 0;
}

/* Whether the game began where game number `index` of this match does. */
static bool has_opening(const struct record *record, const struct match_options *match, int index)
{
    char wanted[GAME_POSITION_BYTES];
    char usual[GAME_POSITION_BYTES];
    struct state opening = match_opening(match, index);
    struct state start = match->rules.game->start();
    match->rules.game->write_position(&opening, wanted);
    match->rules.game->write_position(&start, usual);
    const char *found = record_tag(record, RECORD_START);
    return strcmp(found ? found : usual, wanted) == 0;
}

const char *selfplay_record_difference(const struct record *record,
                                       const struct match_options *match, const char *player,
                                       int index)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, match_game_seed(match->seed, index));
    if (!has_tag(record, RECORD_GAME, match->rules.game->name) ||
        !has_tag(record, RECORD_BLACK, player) || !has_tag(record, RECORD_WHITE, player) ||
        !has_tag(record, RECORD_SEED, seed)) {
        return "another game, player or seed";
    }
    return has_opening(record, match, index) ? NULL : "another opening; give the same --openings";
}
