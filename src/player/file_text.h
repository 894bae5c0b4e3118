/* file_text: the two text files through which judge and agent talk.
 *
 *     state_TEAM.txt          move_TEAM.txt
 *       move 1                  move 1
 *       color 1                 1 0
 *       board                   1 2
 *       1 0 0 0 0 0 0 0         3 2
 *       …                       end
 *       end
 *
 * The judge writes the first, the agent the second. Pure: no file is touched here.
 */
#ifndef PLAYER_FILE_TEXT_H
#define PLAYER_FILE_TEXT_H

#include <stddef.h>

#include "game/game.h"

enum {
    FILE_STATE_BYTES = 1024,
    FILE_MOVE_BYTES = 64 * 1024, /* a longer move file is no move */
};

void file_write_state(const struct game *game, const struct state *state, enum side side, int index,
                      char out[FILE_STATE_BYTES]);

enum file_answer { FILE_NOT_YET, FILE_MOVE, FILE_INVALID };

/* Reads a move file of `length` bytes as the answer to question `index`. A lower index or a last
 * line that is not `end` is not an answer yet. */
enum file_answer file_read_move(const struct game *game, int index, const char *text, size_t length,
                                struct move *out, struct note *why);

#endif
