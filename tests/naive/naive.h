/* naive: the rules of every game once more, as plainly as they can be written.
 *
 * Shares no line with src/games, so that an error in one of the two shows up as
 * a difference. Boards are arrays of the letters of the position text, and every
 * question is answered by loops over all squares. Nothing here is fast.
 */
#ifndef NAIVE_NAIVE_H
#define NAIVE_NAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NAIVE_MAX_SQUARES = 81,
    NAIVE_POSITION_BYTES = 128,
    NAIVE_MAX_PATH = 100,                  /* squares in one move */
    NAIVE_MOVE_BYTES = 3 * NAIVE_MAX_PATH, /* a move's text with its final NUL */
};

/* A zeroed struct is no position. Copy freely, compare with naive_equal(). */
struct naive_position {
    char cells[NAIVE_MAX_SQUARES]; /* the letters of the text, row by row, without '/' */
    char to_move;                  /* 'b' or 'w' */
    int numbers[2];                /* Black's and White's: moves used in hop, budgets in meichu */
};

struct naive_move {
    char text[NAIVE_MOVE_BYTES];
    struct naive_position after;
};

/* A zeroed struct is an empty list. */
struct naive_list {
    struct naive_move *moves;
    size_t count;
    size_t room;
};

struct naive_result {
    const char *outcome; /* "ongoing", "black", "white" or "draw" */
    int score[2];        /* Black's and White's; while ongoing, those on the board now */
};

/* What distinguishes one game from another. naive.c does the rest. */
struct naive_game {
    const char *name;
    const char *start;   /* the text of the starting position */
    const char *letters; /* that a board may contain, the empty square first */
    int rows;
    int columns;
    int highest_number; /* 0: the position text has no numbers */

    /* The limits on the pieces and numbers of a position that is well formed. */
    bool (*is_valid)(const struct naive_position *);

    /* Adds the moves of the side to move in a game that is not over, in any order. */
    void (*list_moves)(const struct naive_position *, struct naive_list *);

    /* NULL: only listed moves are valid. Else: plays any valid path. */
    bool (*apply_path)(const struct naive_position *, const char *path, struct naive_position *);

    /* The same board with the turn gone to the other side. */
    struct naive_position (*sit_out)(const struct naive_position *);

    struct naive_result (*result)(const struct naive_position *);
};

/* NULL: there is no such game. */
const struct naive_game *naive_find(const char *name);

/* `text` may be "start". Returns false, with *out untouched, when it is not a position. */
bool naive_read(const struct naive_game *game, const char *text, struct naive_position *out);
void naive_write(const struct naive_game *game, const struct naive_position *position,
                 char out[NAIVE_POSITION_BYTES]);
bool naive_equal(const struct naive_position *a, const struct naive_position *b);

/* Replaces the list's contents: sorted by text, one move for each position that can follow,
 * `pass` alone when forced, nothing when the game is over. */
void naive_moves(const struct naive_game *game, const struct naive_position *position,
                 struct naive_list *list);

/* Accepts every valid move, listed or not. Returns false, with *after untouched, on others. */
bool naive_apply(const struct naive_game *game, const struct naive_position *position,
                 const char *move, struct naive_position *after);

struct naive_result naive_result(const struct naive_game *game,
                                 const struct naive_position *position);

/* Move sequences of exactly `depth` plies. The game and the position must exist. */
uint64_t naive_perft(const char *game, const char *position, int depth);

void naive_list_free(struct naive_list *list);

/* For the games: appends a move and returns it. */
struct naive_move *naive_list_add(struct naive_list *list, const char *text,
                                  const struct naive_position *after);

static inline char naive_other(char side) { return side == 'b' ? 'w' : 'b'; }

extern const struct naive_game naive_hop;
extern const struct naive_game naive_hop_noloop;
extern const struct naive_game naive_reversi;
extern const struct naive_game naive_othello;
extern const struct naive_game naive_meichu;

#endif
