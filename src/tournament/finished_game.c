#include "tournament/finished_game.h"

#include <stdlib.h>

void finished_game_free(struct finished_game *game)
{
    free(game->record);
    free(game->fault_list);
    *game = (struct finished_game){0};
}
