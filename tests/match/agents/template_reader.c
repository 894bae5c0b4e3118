/* template_reader: a MeiChu program that reads with scanf when compiled as C, with cin as C++. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <iostream>
#endif

enum { SIZE = 9 };

struct move {
    int row, column, to_row, to_column;
};

static char board[SIZE][SIZE + 1] = {
    "..sbfbs..", ".b.sbs.b.", ".b..s..b.", "..bbbbb..", ".........",
    "..BBBBB..", ".B..S..B.", ".B.SBS.B.", "..SBFBS..",
};
static int budget[2] = {150, 150};

static int read_number(void)
{
    int number;
#ifdef __cplusplus
    if (!(std::cin >> number)) {
        exit(1);
    }
#else
    if (scanf("%d", &number) != 1) {
        exit(1);
    }
#endif
    return number;
}

static int read_after(const char *prompt)
{
#ifdef __cplusplus
    std::cout << prompt;
#else
    printf("%s", prompt);
    fflush(stdout);
#endif
    return read_number();
}

static int is_barrier(char piece) { return piece == 'B' || piece == 'b'; }
static int owner(char piece) { return piece == '.' ? -1 : piece > 'Z'; }

static int cost(int side, struct move m)
{
    char target = board[m.to_row][m.to_column];
    int way = 1 + abs(m.row - m.to_row) + abs(m.column - m.to_column);
    return way + (!is_barrier(target) ? 0 : owner(target) == side ? -3 : 3);
}

/* The first soldier that can move one square, or one that can go further. */
static int find_move(int side, struct move *out)
{
    static const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (int i = 0; i < SIZE * SIZE * 4; i++) {
        struct move m = {i / 4 / SIZE, i / 4 % SIZE, 0, 0};
        m.to_row = m.row + steps[i % 4][0];
        m.to_column = m.column + steps[i % 4][1];
        if (board[m.row][m.column] != "Ss"[side] || m.to_row < 0 || m.to_row >= SIZE ||
            m.to_column < 0 || m.to_column >= SIZE) {
            continue;
        }
        char target = board[m.to_row][m.to_column];
        if ((owner(target) != side || is_barrier(target)) && cost(side, m) <= budget[side] &&
            budget[side] >= 2) {
            *out = m;
            return 1;
        }
    }
    return 0;
}

static int count(char piece)
{
    int found = 0;
    for (int i = 0; i < SIZE; i++) {
        for (const char *at = board[i]; (at = strchr(at, piece)) != NULL; at++) {
            found++;
        }
    }
    return found;
}

static void play(int side, struct move m)
{
    budget[side] -= cost(side, m);
    board[m.to_row][m.to_column] = board[m.row][m.column];
    board[m.row][m.column] = '.';
}

static int auction(int colour, int price)
{
    int other_colour = read_after("Enter the opponent's bid: ");
    int other_price = read_number();
    if (colour != other_colour) {
        return colour;
    }
    int lower = price < other_price ? price : other_price;
    budget[colour] -= (lower > 0 ? lower : 0) + 1;
    return price > other_price   ? colour
           : price < other_price ? 1 - colour
                                 : read_after("The bids are equal. Enter my color: ");
}

int main(void)
{
    printf("My bid: 0 3\n");
    fflush(stdout);
    int own = auction(0, 3);
    struct move m;
    for (int side = 0; count('F') && count('f') && count('S') && count('s') &&
                       (find_move(0, &m) || find_move(1, &m));
         side = 1 - side) {
        if (!find_move(side, &m)) {
            continue;
        }
        if (side == own) {
            printf("Move (%d, %d) to (%d, %d).\n", m.row, m.column, m.to_row, m.to_column);
            fflush(stdout);
        } else {
            m.row = read_after("Enter the opponent's move: ");
            m.column = read_number();
            m.to_row = read_number();
            m.to_column = read_number();
        }
        play(side, m);
    }
    puts("Draw!");
    return 0;
}
