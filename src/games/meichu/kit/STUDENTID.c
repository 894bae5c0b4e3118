/* A simple player of MeiChu: it looks at all its moves and takes the one that looks best.
 *
 * Improve bid and make_decision; the rest keeps the rules and exchanges text with the judge.
 * The game is played on standard input and output: we print our bid and our moves, and read the
 * opponent's.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLACK = 0, WHITE = 1, NEITHER = 2 };
enum { SIZE = 9, BUDGET = 150, MAX_PRICE = 140, MAX_MOVES = 200 };

/* Every square has a letter: F flag, S soldier, B barrier, capitals Black's, small letters
 * White's, and '.' for an empty square. */
struct game {
    char board[SIZE][SIZE + 1]; /* board[row][column] */
    int budget[2];              /* by colour */
};

struct move {
    int row, column, to_row, to_column;
};

static const struct game start = {
    {"..sbfbs..", ".b.sbs.b.", ".b..s..b.", "..bbbbb..", ".........", "..BBBBB..", ".B..S..B.",
     ".B.SBS.B.", "..SBFBS.."},
    {BUDGET, BUDGET},
};

static const int directions[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static int owner_of(char piece) { return piece == '.' ? NEITHER : isupper(piece) ? BLACK : WHITE; }

static int distance(int row, int column, int to_row, int to_column)
{
    return abs(row - to_row) + abs(column - to_column);
}

/* One, and one for each square of the way, the last one too. */
static int way_of(struct move m) { return 1 + distance(m.row, m.column, m.to_row, m.to_column); }

/* Breaking an enemy barrier costs 3 more, breaking an own one gives 3 back. */
static int cost_of(const struct game *game, int colour, struct move m)
{
    char target = game->board[m.to_row][m.to_column];
    bool is_barrier = toupper(target) == 'B';
    return way_of(m) + (!is_barrier ? 0 : owner_of(target) == colour ? -3 : 3);
}

/* The budget must cover the way before the 3 of an own barrier come back. */
static bool can_pay(const struct game *game, int colour, struct move m)
{
    return way_of(m) <= game->budget[colour] && cost_of(game, colour, m) <= game->budget[colour];
}

static bool is_on_board(int row, int column)
{
    return 0 <= row && row < SIZE && 0 <= column && column < SIZE;
}

/* A soldier moves any distance along a row or column over empty squares. It may stop on an empty
 * square, on an enemy soldier or flag, which it captures, and on a barrier of either side, which
 * it breaks. Returns how many moves there are now. */
static int add_moves(const struct game *game, int colour, int row, int column, struct move *moves,
                     int count)
{
    for (int d = 0; d < 4; d++) {
        int dr = directions[d][0], dc = directions[d][1];
        for (int r = row + dr, c = column + dc; is_on_board(r, c); r += dr, c += dc) {
            char target = game->board[r][c];
            if (owner_of(target) == colour && toupper(target) != 'B') {
                break;
            }
            struct move m = {row, column, r, c};
            if (can_pay(game, colour, m)) {
                moves[count++] = m;
            }
            if (target != '.') {
                break;
            }
        }
    }
    return count;
}

/* Every legal move of a colour; returns how many. */
static int all_moves(const struct game *game, int colour, struct move *moves)
{
    int count = 0;
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            if (game->board[row][column] == "Ss"[colour]) {
                count = add_moves(game, colour, row, column, moves, count);
            }
        }
    }
    return count;
}

static bool can_move(const struct game *game, int colour)
{
    struct move moves[MAX_MOVES];
    return all_moves(game, colour, moves) > 0;
}

static void play(struct game *game, int colour, struct move m)
{
    game->budget[colour] -= cost_of(game, colour, m);
    game->board[m.to_row][m.to_column] = game->board[m.row][m.column];
    game->board[m.row][m.column] = '.';
}

static int count_pieces(const struct game *game, char piece)
{
    int count = 0;
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            count += game->board[row][column] == piece;
        }
    }
    return count;
}

static bool is_over(const struct game *game)
{
    return !count_pieces(game, 'F') || !count_pieces(game, 'f') || !count_pieces(game, 'S') ||
           !count_pieces(game, 's') || (!can_move(game, BLACK) && !can_move(game, WHITE));
}

/* Of a finished game: a flag decides, then soldiers, then barriers. */
static int winner_of(const struct game *game)
{
    static const char kinds[3][3] = {"Ff", "Ss", "Bb"};
    for (int i = 0; i < 3; i++) {
        int black = count_pieces(game, kinds[i][0]);
        int white = count_pieces(game, kinds[i][1]);
        if (black != white) {
            return black > white ? BLACK : WHITE;
        }
    }
    return NEITHER;
}

/* Your bid: the colour you want and the price you offer for it, at most 140. If both want the same
 * colour the higher price gets it and pays the lower one plus 1. */
static void bid(int *colour, int *price)
{
    *colour = BLACK;
    *price = 0;
}

static void find_piece(const struct game *game, char piece, int *row, int *column)
{
    for (int i = 0; i < SIZE * SIZE; i++) {
        if (game->board[i / SIZE][i % SIZE] == piece) {
            *row = i / SIZE;
            *column = i % SIZE;
        }
    }
}

/* Your move. There is at least one. */
static struct move make_decision(const struct game *game, int colour)
{
    struct move moves[MAX_MOVES], best = {0};
    int best_value = -1000;
    int flag_row = 0, flag_column = 0;
    int count = all_moves(game, colour, moves);
    find_piece(game, "fF"[colour], &flag_row, &flag_column);
    for (int i = 0; i < count; i++) {
        struct move m = moves[i];
        char captured = (char)toupper(game->board[m.to_row][m.to_column]);
        int nearer = distance(m.row, m.column, flag_row, flag_column) -
                     distance(m.to_row, m.to_column, flag_row, flag_column);
        int prize = captured == 'F' ? 1000 : captured == 'S' ? 50 : 0;
        int value = prize + 3 * nearer - cost_of(game, colour, m);
        if (value > best_value) {
            best = m;
            best_value = value;
        }
    }
    return best;
}

static void show(const struct game *game)
{
    for (int row = 0; row < SIZE; row++) {
        puts(game->board[row]);
    }
    printf("Budgets: BLACK %d, WHITE %d\n", game->budget[BLACK], game->budget[WHITE]);
}

/* What we print must reach the other side before we wait for an answer. */
static int read_number(void)
{
    int number = 0;
    fflush(stdout);
    if (scanf("%d", &number) != 1) {
        fprintf(stderr, "the input ended in the middle of the game\n");
        exit(1);
    }
    return number;
}

static int at_most(int number, int limit) { return number < limit ? number : limit; }

/* Both name a colour and a price, sealed. Returns the colour we get. */
static int auction(struct game *game)
{
    int colour, price;
    bid(&colour, &price);
    printf("My bid: %d %d\n", colour, price);
    if (colour != BLACK && colour != WHITE) {
        fflush(stdout);
        fprintf(stderr, "bid gave the colour %d; a colour is 0 or 1\n", colour);
        exit(1);
    }
    printf("Enter the opponent's bid: ");
    int their_colour = read_number();
    int their_price = at_most(read_number(), MAX_PRICE);
    if (colour != their_colour) {
        return colour;
    }
    price = at_most(price, MAX_PRICE);
    int lower = at_most(price, their_price);
    game->budget[colour] -= (lower > 0 ? lower : 0) + 1;
    if (price == their_price) {
        printf("Enter my color: ");
        return read_number();
    }
    return price > their_price ? colour : 1 - colour;
}

static struct move read_move(void)
{
    struct move m;
    printf("Enter the opponent's move: ");
    m.row = read_number();
    m.column = read_number();
    m.to_row = read_number();
    m.to_column = read_number();
    return m;
}

int main(void)
{
    static const char *const endings[] = {"BLACK wins!", "WHITE wins!", "Draw!"};
    struct game game = start;
    int mine = auction(&game);
    for (int turn = BLACK; !is_over(&game); turn = 1 - turn) {
        if (!can_move(&game, turn)) {
            continue;
        }
        show(&game);
        struct move m = turn == mine ? make_decision(&game, mine) : read_move();
        if (turn == mine) {
            printf("Move (%d, %d) to (%d, %d).\n", m.row, m.column, m.to_row, m.to_column);
            fflush(stdout);
            if (!is_on_board(m.row, m.column) || !is_on_board(m.to_row, m.to_column)) {
                fprintf(stderr,
                        "make_decision returned {%d, %d, %d, %d}; rows and columns are 0 to 8\n",
                        m.row, m.column, m.to_row, m.to_column);
                exit(1);
            }
        }
        play(&game, turn, m);
    }
    show(&game);
    puts(endings[winner_of(&game)]);
}
