/* wire: the bytes of the courses' TCP protocol, both directions.
 *
 * All numbers are 32-bit little-endian integers.
 *
 *     agent → judge   team id                            once after connecting
 *     judge → agent   code, id, 64 cells, is_black       code 0: stop, nothing follows the id
 *     agent → judge   n, id, n pairs (row, column)       the answer to that id
 *
 * Pure: no socket here, so that it can be fuzzed and used by both sides.
 */
#ifndef PROTOCOL_WIRE_H
#define PROTOCOL_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"

enum {
    WIRE_PORT = 8888,
    WIRE_TEAM_BYTES = 4,
    WIRE_STOP_BYTES = 8,
    WIRE_CELLS = 64,
    WIRE_BOARD_BYTES = 8 + WIRE_CELLS * 4 + 4,
    WIRE_MAX_PAIRS = 1000, /* more, or a negative number, is malformed */
    WIRE_ANSWER_BYTES = 8 + WIRE_MAX_PAIRS * 8,
};

int32_t wire_read_number(const uint8_t bytes[4]);
void wire_write_number(uint8_t bytes[4], int32_t number);

void wire_write_board(const struct game *game, const struct state *state, enum side side,
                      int32_t id, uint8_t out[WIRE_BOARD_BYTES]);

/* What the agent reads out of such a board. */
struct wire_question {
    int32_t id;
    int cells[WIRE_CELLS];
    enum side side;
};

struct wire_question wire_read_board(const uint8_t bytes[WIRE_BOARD_BYTES]);

/* The agent's answer; no squares unless the move is a path. Returns how many bytes it has. */
size_t wire_write_answer(const struct game *game, const struct move *move, int32_t id,
                         uint8_t out[WIRE_ANSWER_BYTES]);

/* Bytes of one connection, put together into answers. A zeroed struct is a new connection. */
struct wire_reader {
    bool has_team;
    int32_t team;
    size_t used;
    uint8_t bytes[WIRE_ANSWER_BYTES];
};

struct wire_answer {
    int32_t id;
    int32_t count;
    int32_t pairs[WIRE_MAX_PAIRS][2];
};

enum wire_event { WIRE_MORE, WIRE_TEAM, WIRE_ANSWER, WIRE_MALFORMED };

/* Takes bytes from *bytes until something is complete; call again until WIRE_MORE. After
 * WIRE_MALFORMED the connection is useless; see `why`. */
enum wire_event wire_feed(struct wire_reader *reader, const uint8_t **bytes, size_t *count,
                          struct wire_answer *out, struct note *why);

/* The answer as a move. ERR_NEGATIVE: it cannot be one, whatever the position. */
MUST_USE enum err wire_move(const struct game *game, const struct wire_answer *answer,
                            struct move *out, struct note *why);

/* "(1, 0), (1, 2)": the pairs of any answer, the first WIRE_SHOWN_PAIRS of them. */
enum { WIRE_SHOWN_PAIRS = 8 };
void wire_describe(const struct wire_answer *answer, struct note *out);

#endif
