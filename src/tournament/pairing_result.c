#include "tournament/pairing_result.h"

#include <stdlib.h>

void pairing_game_free(struct pairing_game *game)
{
    free(game->record);
    free(game->fault_list);
    *game = (struct pairing_game){0};
}
