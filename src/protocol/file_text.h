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
#ifndef PROTOCOL_FILE_TEXT_H
#define PROTOCOL_FILE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "game/game.h"

enum {
    FILE_STATE_BYTES = 1024,
    FILE_MOVE_BYTES = 64 * 1024, /* a longer move file is invalid */
};

void file_write_state(const struct game *game, const struct state *state, enum side side, int index,
                      char out[FILE_STATE_BYTES]);

/* Whether the text ends with a line `end`, as either file does once it is written. */
bool file_is_complete(const char *text, size_t length);

/* What the agent reads out of a complete state file. */
struct file_question {
    int index; /* 0: stop, the rest is not set */
    enum side side;
    int cells[GAME_MAX_SQUARES];
};

/* ERR_INPUT: it is not of this form. */
MUST_USE enum err file_read_state(const struct game *game, const char *text, size_t length,
                                  struct file_question *out, struct note *why);

enum { FILE_ANSWER_BYTES = 32 + 6 * GAME_MAX_PATH };

/* The agent's answer; no squares unless the move is a path. */
void file_write_move(const struct game *game, const struct move *move, int index,
                     char out[FILE_ANSWER_BYTES]);

enum file_answer { FILE_NOT_YET, FILE_MOVE, FILE_INVALID };

/* Reads a move file of `length` bytes as the answer to question `index`. A lower index or a last
 * line that is not `end` is not an answer yet. */
enum file_answer file_read_move(const struct game *game, int index, const char *text, size_t length,
                                struct move *out, struct note *why);

/* "move 3 / 9 9 / end": any move file on one line, cut where the note ends. */
void file_describe_move(const char *text, size_t length, struct note *out);

#endif
