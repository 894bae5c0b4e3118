/* A simple player of MeiChu: it looks at all its moves and takes the one that looks best.
 *
 * Improve bid and make_decision; the rest keeps the rules and exchanges text with the judge.
 * The game is played on standard input and output: we print our bid and our moves, and read the
 * opponent's.
 */
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

enum Colour { BLACK = 0, WHITE = 1, NEITHER = 2 };
enum { SIZE = 9, BUDGET = 150, MAX_PRICE = 140 };

/* Every square has a letter: F flag, S soldier, B barrier, capitals Black's, small letters
 * White's, and '.' for an empty square. */
static const std::vector<std::string> START = {
    "..sbfbs..", ".b.sbs.b.", ".b..s..b.", "..bbbbb..", ".........",
    "..BBBBB..", ".B..S..B.", ".B.SBS.B.", "..SBFBS..",
};

static const int DIRECTIONS[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

typedef std::vector<int> Move; // row, column, to_row, to_column

static int Other(int colour) { return 1 - colour; }

static int OwnerOf(char piece)
{
    return piece == '.' ? NEITHER : std::isupper(piece) ? BLACK : WHITE;
}

static int Distance(int row, int column, int to_row, int to_column)
{
    return std::abs(row - to_row) + std::abs(column - to_column);
}

struct Game {
    std::vector<std::string> board = START; // board[row][column]
    int budget[2] = {BUDGET, BUDGET};       // by colour

    /* One, and one for each square of the way, the last one too. */
    int Way(const Move &move) const { return 1 + Distance(move[0], move[1], move[2], move[3]); }

    /* Breaking an enemy barrier costs 3 more, breaking an own one gives 3 back. */
    int Cost(int colour, const Move &move) const
    {
        char target = board[move[2]][move[3]];
        bool is_barrier = std::toupper(target) == 'B';
        return Way(move) + (!is_barrier ? 0 : OwnerOf(target) == colour ? -3 : 3);
    }

    /* The budget must cover the way before the 3 of an own barrier come back. */
    bool CanPay(int colour, const Move &move) const
    {
        return std::max(Way(move), Cost(colour, move)) <= budget[colour];
    }

    /* A soldier moves any distance along a row or column over empty squares. It may stop on an
     * empty square, on an enemy soldier or flag, which it captures, and on a barrier of either
     * side, which it breaks. */
    void AddMoves(int colour, int row, int column, std::vector<Move> &moves) const
    {
        for (const int *d : DIRECTIONS) {
            for (int r = row + d[0], c = column + d[1]; 0 <= r && r < SIZE && 0 <= c && c < SIZE;
                 r += d[0], c += d[1]) {
                char target = board[r][c];
                if (OwnerOf(target) == colour && std::toupper(target) != 'B')
                    break;
                Move move = {row, column, r, c};
                if (CanPay(colour, move))
                    moves.push_back(move);
                if (target != '.')
                    break;
            }
        }
    }

    std::vector<Move> Moves(int colour) const
    {
        std::vector<Move> moves;
        for (int row = 0; row < SIZE; row++)
            for (int column = 0; column < SIZE; column++)
                if (board[row][column] == "Ss"[colour])
                    AddMoves(colour, row, column, moves);
        return moves;
    }

    void Play(int colour, const Move &move)
    {
        budget[colour] -= Cost(colour, move);
        board[move[2]][move[3]] = board[move[0]][move[1]];
        board[move[0]][move[1]] = '.';
    }

    int Count(char piece) const
    {
        int count = 0;
        for (const std::string &row : board)
            count += static_cast<int>(std::count(row.begin(), row.end(), piece));
        return count;
    }

    bool IsOver() const
    {
        return !Count('F') || !Count('f') || !Count('S') || !Count('s') ||
               (Moves(BLACK).empty() && Moves(WHITE).empty());
    }

    /* Of a finished game: a flag decides, then soldiers, then barriers. */
    int Winner() const
    {
        for (const char *pair : {"Ff", "Ss", "Bb"}) {
            int black = Count(pair[0]), white = Count(pair[1]);
            if (black != white)
                return black > white ? BLACK : WHITE;
        }
        return NEITHER;
    }

    void Show() const
    {
        for (const std::string &row : board)
            std::cout << row << "\n";
        std::cout << "Budgets: BLACK " << budget[BLACK] << ", WHITE " << budget[WHITE] << std::endl;
    }
};

/* Your bid: the colour you want and the price you offer for it, at most 140. If both want the same
 * colour the higher price gets it and pays the lower one plus 1. */
static std::pair<int, int> bid() { return {BLACK, 0}; }

/* Your move: {row, column, to_row, to_column}. There is at least one. */
static Move make_decision(const Game &game, int colour)
{
    static std::mt19937 random(std::random_device{}());
    int flag_row = 0, flag_column = 0;
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            if (game.board[row][column] == "fF"[colour])
                flag_row = row, flag_column = column;

    auto value = [&](const Move &move) {
        char captured = std::toupper(game.board[move[2]][move[3]]);
        int nearer = Distance(move[0], move[1], flag_row, flag_column) -
                     Distance(move[2], move[3], flag_row, flag_column);
        int prize = captured == 'F' ? 1000 : captured == 'S' ? 50 : 0;
        return prize + 3 * nearer - game.Cost(colour, move);
    };

    std::vector<Move> moves = game.Moves(colour);
    std::shuffle(moves.begin(), moves.end(), random);
    return *std::max_element(moves.begin(), moves.end(),
                             [&](const Move &a, const Move &b) { return value(a) < value(b); });
}

static int ReadNumber()
{
    int number;
    if (!(std::cin >> number)) {
        std::cerr << "the input ended in the middle of the game\n";
        std::exit(1);
    }
    return number;
}

/* Ends the program with a sentence about what bid or make_decision returned. */
static void Refuse(const std::string &name, const std::vector<int> &numbers, const char *wanted)
{
    std::string list;
    for (int number : numbers)
        list += (list.empty() ? "" : ", ") + std::to_string(number);
    std::cerr << name + " returned {" + list + "}; " + wanted + "\n";
    std::exit(1);
}

/* Both name a colour and a price, sealed. Returns the colour we get. */
static int Auction(Game &game)
{
    std::pair<int, int> mine = bid();
    std::cout << "My bid: " << mine.first << " " << mine.second << std::endl;
    if (mine.first != BLACK && mine.first != WHITE)
        Refuse("bid", {mine.first, mine.second}, "the colour is 0 or 1");
    std::cout << "Enter the opponent's bid: " << std::flush;
    int their_colour = ReadNumber();
    int their_price = std::min(ReadNumber(), static_cast<int>(MAX_PRICE));
    int price = std::min(mine.second, static_cast<int>(MAX_PRICE));
    if (mine.first != their_colour)
        return mine.first;
    game.budget[mine.first] -= std::max(0, std::min(price, their_price)) + 1;
    if (price == their_price) {
        std::cout << "Enter my color: " << std::flush;
        return ReadNumber();
    }
    return price > their_price ? mine.first : Other(mine.first);
}

static Move ReadMove()
{
    std::cout << "Enter the opponent's move: " << std::flush;
    Move move(4);
    for (int &number : move)
        number = ReadNumber();
    return move;
}

int main()
{
    Game game;
    int mine = Auction(game);
    for (int turn = BLACK; !game.IsOver(); turn = Other(turn)) {
        if (game.Moves(turn).empty())
            continue;
        game.Show();
        if (turn == mine) {
            Move move = make_decision(game, mine);
            if (move.size() != 4)
                Refuse("make_decision", move, "a move is {row, column, to_row, to_column}");
            std::cout << "Move (" << move[0] << ", " << move[1] << ") to (" << move[2] << ", "
                      << move[3] << ")." << std::endl;
            if (*std::min_element(move.begin(), move.end()) < 0 ||
                *std::max_element(move.begin(), move.end()) >= SIZE)
                Refuse("make_decision", move, "rows and columns are 0 to 8");
            game.Play(turn, move);
        } else {
            game.Play(turn, ReadMove());
        }
    }
    game.Show();
    static const char *const endings[] = {"BLACK wins!", "WHITE wins!", "Draw!"};
    std::cout << endings[game.Winner()] << std::endl;
}
