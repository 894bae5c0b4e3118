/* Rosters: what is refused says why, in which line, and leaves no trace; what is read keeps its
 * promises. */
#include "fuzz.h"

#include <string.h>

#include "tournament/roster.h"

static void check_team(const struct roster *roster, int number)
{
    const struct roster_team *team = &roster->teams[number];
    CLAIM(*team->id && !strchr(team->id, '/') && team->id[0] != '.');
    CLAIM(roster_find(roster, team->id) == number);
    CLAIM(!*team->player != !*team->source);
    CLAIM(team->withdrawn_after >= -1 && team->days_late >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct roster_problems problems;
    struct roster roster = {0};
    if (roster_read((const char *)data, size, CPU_BASELINE, &roster, &problems)) {
        CLAIM(problems.count > 0 && !roster.teams);
        for (int i = 0; i < problems.count && i < ROSTER_MAX_PROBLEMS; i++) {
            CLAIM(strncmp(problems.list[i].text, "line ", 5) == 0);
        }
        return 0;
    }
    CLAIM(roster.game && roster.team_count >= 2 && roster.rounds >= 1);
    CLAIM(roster.games_per_pairing >= 1 && roster.rules.judge.limit_ns > 0);
    for (int i = 0; i < roster.team_count; i++) {
        check_team(&roster, i);
    }
    roster_free(&roster);
    return 0;
}
