#include "tournament/finished_game.h"

#include <stdlib.h>

void game_summary_count_turns(struct game_summary *summary, const char *record,
                              const struct game *game)
{
    struct record_turns turns[2]; /* by side */
    record_count_turns(record, game, turns);
    for (int i = 0; i < 2; i++) {
        const struct record_turns *own = &turns[summary->colour[i]];
        summary->turns[i] = own->judged ? *own : (struct record_turns){0, 0};
    }
}

struct result game_summary_result(const struct game_summary *summary)
{
    return (struct result){
        summary->outcome, {summary->score[0], summary->score[1]}, summary->reason};
}

void finished_game_free(struct finished_game *game)
{
    free(game->record);
    free(game->fault_list);
    *game = (struct finished_game){0};
}
