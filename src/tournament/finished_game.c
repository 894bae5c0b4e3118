#include "tournament/finished_game.h"

#include <stdlib.h>

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
