/* game: everything a judge may know about a game, and the guide to adding one.
 *
 * A game is a constant table of functions over fixed-size value states. A new
 * game is a new folder under src/games: its `rules.c` defines
 *
 *     const struct game *const GAME_EXPORT(FOLDER)[] = {&a_game, &another, NULL};
 *
 * and the build finds it (registry.h). The folder's rules.c, eval*.c and
 * engine*.c are compiled once per processor level (base/cpu.h), everything else
 * in it once. Rules use nothing of the C library but stdint, stdbool, stddef and
 * string, so that the same files serve judge, engine, fuzzers and the browser.
 *
 * Long because the contract of every function is written next to it: this file is the guide.
 *
 * Sides strictly alternate. A side that cannot move has the explicit move
 * `pass`, and only that one.
 */
#ifndef GAME_GAME_H
#define GAME_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"

enum {
    GAME_MAX_SQUARES = 81,
    GAME_MAX_PATH = 100,       /* squares in one move: a start and 99 jumps */
    GAME_MAX_MOVES = 1152,     /* no position of any game has more; each game's rules say why */
    GAME_POSITION_BYTES = 128, /* any position's text with its final NUL */
    GAME_MOVE_BYTES = 3 * GAME_MAX_PATH, /* any move's text with its final NUL */
    GAME_STATUS_BYTES = 96,
};

enum side { SIDE_BLACK, SIDE_WHITE };

static inline enum side side_other(enum side side)
{
    return side == SIDE_BLACK ? SIDE_WHITE : SIDE_BLACK;
}

/* A position of any game. Opaque: only the game that made it can read it. Copy
 * it, keep it in arrays; nothing to free. States of one game are equal exactly
 * when their bytes are. */
struct state {
    uint64_t words[20];
};

enum move_kind {
    MOVE_PATH, /* the squares a piece visits, start first; or the one square played on */
    MOVE_PASS, /* this side has no other legal move */
    MOVE_SKIP, /* where is_move_skippable: the turn was lost by a fault; never listed as legal */
};

/* Squares are numbered row * columns + column. */
struct move {
    uint8_t kind; /* enum move_kind */
    uint8_t count;
    uint8_t squares[GAME_MAX_PATH];
};

enum outcome {
    OUTCOME_ONGOING,
    OUTCOME_BLACK,
    OUTCOME_WHITE,
    OUTCOME_DRAW,
    OUTCOME_BOTH_LOST, /* never on the board: neither player could play */
};

/* While the game is on, the scores are those on the board now and `reason` is "". */
struct result {
    enum outcome outcome;
    int score[2];       /* by enum side */
    const char *reason; /* one word, as in a game record: "all-home" */
};

/* A square without a piece, a place of the board that is not a square, and the first of the game's
 * own kinds of pieces: game/look.h. */
enum { PIECE_NONE, PIECE_HOLE, PIECE_FIRST };

/* A piece that belongs to neither side; and the number of values of cell.side. */
enum { CELL_NEUTRAL = 2, CELL_SIDES };

/* The contents of a square, for drawing and for the wire. */
struct cell {
    uint8_t piece;
    uint8_t side; /* enum side, or CELL_NEUTRAL; SIDE_BLACK where there is no piece */
};

/* Whose target region a square belongs to. */
enum zone { ZONE_NONE, ZONE_BLACK, ZONE_WHITE };

/* What a player can do wrong during a game, in the words of a game record. */
enum fault {
    FAULT_LATE,
    FAULT_INVALID,
    FAULT_CRASHED,
    FAULT_MALFORMED,
    FAULT_HOSTILE,
    FAULT_KINDS
};

enum penalty {
    PENALTY_REPLACE,         /* the judge plays `replacement` for this turn */
    PENALTY_REPLACE_FOREVER, /* … and for every turn to the end of the game */
    PENALTY_NOTE,            /* it is recorded, and a late move still counts */
    PENALTY_LOSS,            /* the game is lost at once */
};

struct bid {
    int colour; /* enum side */
    int64_t price;
};

struct auction_outcome {
    bool needs_lot;      /* equal bids: nothing below is set until a lot is drawn */
    enum side colour[2]; /* by player */
    int budget[2];       /* by side: what is left to play with */
};

/* The protocols of the courses. Programs play every game through ugi as well. */
enum { PROTOCOL_TCP = 1, PROTOCOL_FILE = 2, PROTOCOL_TEMPLATE = 4 };

/* For what an assignment may take a part off the mark. */
enum deduction {
    DEDUCT_LATE_MOVE,     /* once, however many */
    DEDUCT_RUNTIME_ERROR, /* likewise: invalid move, crash, nonsense, no start, no bid */
    DEDUCT_WRONG_NAME,
    DEDUCT_MISSING_REPORT,
    DEDUCT_LONG_REPORT, /* more pages than were asked for */
    DEDUCT_DAY_LATE,
    DEDUCT_PLAGIARISM,
    DEDUCTIONS
};

/* How the course of this game asked for programs. Zero: no course did. */
struct assignment {
    unsigned protocols;          /* that programs play it through: a sum of PROTOCOL_… */
    bool is_by_student;          /* files are named after the student, else after the team */
    bool speaks_files;           /* programs are expected to use PROTOCOL_FILE, not PROTOCOL_TCP */
    bool refuses_late;           /* nothing was accepted after the deadline */
    int max_report_pages;        /* 0: no report was asked for */
    uint8_t percent[DEDUCTIONS]; /* that it takes off; 0 where it says nothing */
    const char *kit;       /* the folder below src/games whose kit/ students get; NULL: no kit */
    bool has_agent_source; /* kit/ also has the parts of our agent as one file */
    const char *wire_note; /* NULL, or more lines for the head of the kit's TCP client */
};

/* Why a game ended: the word in records, and a phrase that can follow a result. "{loser}" in it is
 * the side that lost (report/caption.h). */
struct game_reason {
    const char *word;
    const char *phrase;
};

struct game {
    const char *name;    /* as typed on a command line */
    const char *summary; /* one line for a person */
    int rows;
    int columns;
    double time_limit_s; /* per move */
    double hard_limit_s; /* per move, where a late move still counts; else 0 */
    enum penalty penalties[FAULT_KINDS];
    bool hostile_attempts_lose; /* the assignment says so: `init` writes it into a roster */
    bool is_swiss;              /* its tournaments are Swiss unless the roster says otherwise */
    bool is_move_skippable;     /* whether `skip` is a word of this game */
    int path_min;               /* squares in a MOVE_PATH */
    int path_max;
    const struct game_reason
        *reasons; /* every one that `result` may give; a NULL word at the end */
    struct assignment assignment;
    const struct look *look;        /* pieces and colours, see game/look.h */
    const struct game_about *about; /* texts and measurements, see game/about.h; may be NULL */

    /* The position every game begins with. */
    struct state (*start)(void);

    enum side (*to_move)(const struct state *);

    /* Every legal move, one for each distinct position that a move can lead to,
     * sorted by text; `pass` alone when forced; none when the game is over.
     * `out` has room for GAME_MAX_MOVES. Returns how many. */
    size_t (*moves)(const struct state *, struct move *out);

    /* Plays any valid move, listed or not (any path to a listed result, say). Any
     * other bytes in `move` are refused with ERR_NEGATIVE: `why` names the
     * square and the rule, the state is untouched. */
    enum err (*apply)(struct state *, const struct move *, struct note *why);

    struct result (*result)(const struct state *);

    /* Equal positions have equal keys; whatever matters for the game's value is
     * in it (side to move, move counters, budgets). Never stored on disk. */
    uint64_t (*key)(const struct state *);

    /* Move sequences of exactly `depth` plies; a pass is a ply, a finished game
     * adds nothing deeper. Uses the move generator of the search. */
    uint64_t (*perft)(const struct state *, int depth);

    /* What the judge plays for a side under PENALTY_REPLACE. The game is not over. */
    struct move (*replacement)(const struct state *);

    /* One line of text, without `start`. Malformed: ERR_INPUT, `why` says where
     * and what, `out` is untouched. */
    enum err (*read_position)(const char *text, struct state *out, struct note *why);
    void (*write_position)(const struct state *, char out[GAME_POSITION_BYTES]);

    struct cell (*cell)(const struct state *, int square);
    enum zone (*zone)(int square); /* NULL: the game has no target regions */

    /* Counters or budgets as a phrase, "" where there are none. */
    void (*status)(const struct state *, char out[GAME_STATUS_BYTES]);

    /* The next three are NULL in games without an auction. */

    /* Settles two sealed bids. `lot` is the colour that player 0 gets when the
     * bids are equal, or -1 when no lot has been drawn yet. */
    struct auction_outcome (*auction)(const struct bid bids[2], int lot);

    /* The start with these budgets, by side. */
    struct state (*start_with)(const int budget[2]);

    /* What this side has left to play with. */
    int (*budget)(const struct state *, enum side side);
};

/* The lot between equal bids: the colour that player 0 gets. The same seed draws the same lot. */
enum side game_draw_lot(uint64_t seed);

/* "black" or "white"; "Black" or "White". */
const char *side_name(enum side side);
const char *side_title(enum side side);

/* "ongoing", "black", "white" or "draw". */
const char *outcome_name(enum outcome outcome);

/* "late", "invalid", … */
const char *fault_name(enum fault fault);

/* The value of a cell in the courses' protocols: -1 hole, 0 empty, 1 Black, 2 White,
 * 3 a piece of neither side. */
int cell_wire(struct cell cell);

/* `start` or a position of the game. */
MUST_USE enum err game_read_position(const struct game *game, const char *text, struct state *out,
                                     struct note *why);

/* "10-12-32", "23", "pass", "skip". Unreadable: ERR_INPUT; squares off the board or
 * too many of them: ERR_NEGATIVE. Says nothing about legality. */
MUST_USE enum err game_read_move(const struct game *game, const char *text, struct move *out,
                                 struct note *why);
void game_write_move(const struct game *game, const struct move *move, char out[GAME_MOVE_BYTES]);

/* The square's name: "23". */
void game_square_name(const struct game *game, int square, char out[3]);

/* True when the game is over. */
bool game_is_over(const struct game *game, const struct state *state);

/* Whether apply would accept the move. */
bool game_is_legal(const struct game *game, const struct state *state, const struct move *move);

/* Whether `pass` is the only legal move. */
bool game_must_pass(const struct game *game, const struct state *state);

/* The state after a legal move. */
struct state game_after(const struct game *game, const struct state *state,
                        const struct move *move);

/* Orders moves as their texts are ordered by byte. */
int move_compare(const struct move *a, const struct move *b);

static inline struct move move_pass(void) { return (struct move){.kind = MOVE_PASS}; }
static inline struct move move_skip(void) { return (struct move){.kind = MOVE_SKIP}; }

/* For rules.c: the folder's exported list, named after the variant being compiled. */
#ifdef PLUM_CPU_SUFFIX
#define GAME_PASTE_(folder, suffix) folder##_games_##suffix
#define GAME_PASTE(folder, suffix) GAME_PASTE_(folder, suffix)
#define GAME_EXPORT(folder) GAME_PASTE(folder, PLUM_CPU_SUFFIX)
#endif

#endif
