/* --- The rules ---
 *
 * A square is row * 8 + column, a set of squares is a number with a bit for each. Black's pieces
 * want to reach columns 6 and 7, White's columns 0 and 1. Both sides have 200 moves, and every turn
 * uses one: `plies` counts the turns of both, so it also says who is to move.
 */
static const bool MAY_LOOP = sizeof GAME == sizeof "hop"; // hop-noloop: no square twice in a move

enum { BLACK, WHITE, SQUARES = 64, LAST_PLY = 400, MAX_MOVES = 1116 };

static const std::uint64_t TARGETS[2] = {0xC0C0C0C0C0C0C0C0u, 0x0303030303030303u};

struct Position {
    std::uint64_t pieces[2];
    int plies;
};

/* Two ways to the same board are the same move. A pass is a move from PASS. */
enum { PASS = SQUARES };

struct Move {
    std::uint64_t captured;
    std::uint8_t from, to;
};

static bool operator==(const Move &a, const Move &b)
{
    return a.from == b.from && a.to == b.to && a.captured == b.captured;
}

static std::uint64_t bit(int square) { return std::uint64_t(1) << square; }

/* Multiplications do it without a special instruction, which a plain -O3 may not use. */
static int count_bits(std::uint64_t set)
{
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    return static_cast<int>(((set + (set >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
}

/* Takes the lowest square out of the set. */
static int pop_square(std::uint64_t &set)
{
    int square = count_bits((set & (0 - set)) - 1);
    set &= set - 1;
    return square;
}

static int side_to_move(const Position &p) { return p.plies % 2; }

static bool is_home(const Position &p, int side)
{
    return p.pieces[side] && !(p.pieces[side] & ~TARGETS[side]);
}

static int pieces_at_home(const Position &p, int side)
{
    return count_bits(p.pieces[side] & TARGETS[side]);
}

static bool is_over(const Position &p)
{
    return p.plies >= LAST_PLY || is_home(p, BLACK) || is_home(p, WHITE);
}

static int lead(const Position &p)
{
    int side = side_to_move(p);
    return pieces_at_home(p, side) - pieces_at_home(p, 1 - side);
}

static int final_score(const Position &p) { return lead(p) > 0 ? FINAL : lead(p) < 0 ? -FINAL : 0; }

/* The squares at a distance to the left, right, up and down, for each square: -1 is off the board.
 */
struct Neighbours {
    std::int8_t at[SQUARES][4];

    explicit Neighbours(int distance)
    {
        for (int square = 0; square < SQUARES; square++) {
            int row = square / 8, column = square % 8;
            at[square][0] = static_cast<std::int8_t>(column >= distance ? square - distance : -1);
            at[square][1] =
                static_cast<std::int8_t>(column + distance < 8 ? square + distance : -1);
            at[square][2] = static_cast<std::int8_t>(row >= distance ? square - 8 * distance : -1);
            at[square][3] =
                static_cast<std::int8_t>(row + distance < 8 ? square + 8 * distance : -1);
        }
    }
};

static const Neighbours STEPS(1), HOPS(2);

/* A way that a piece can hop: where it is, what it has captured, and the way before the last hop.
 */
struct Way {
    std::uint64_t captured, visited;
    int square, before;
};

/* Adds the way, unless a shorter one leads to the same. Where no square may be visited twice, a
 * longer one may still go on where the shorter one cannot. */
static void add_way(std::vector<Way> &ways, const Way &way)
{
    for (const Way &known : ways)
        if (known.square == way.square && known.captured == way.captured &&
            (MAY_LOOP || known.visited == way.visited))
            return;
    ways.push_back(way);
}

/* All ways of one piece, the shortest first; the first one is to stay where it is. A hop goes over
 * a neighbour of either colour to the empty square after it. An enemy leaves the board at once,
 * an own piece stays, and the square that the piece left is empty. */
static void find_ways(std::uint64_t own, std::uint64_t enemy, int from, std::vector<Way> &ways)
{
    own &= ~bit(from);
    ways.assign(1, Way{0, bit(from), from, -1});
    for (int i = 0; i < static_cast<int>(ways.size()); i++) {
        Way way = ways[i];
        std::uint64_t pieces = own | (enemy & ~way.captured);
        std::uint64_t blocked = MAY_LOOP ? pieces : pieces | way.visited;
        for (int direction = 0; direction < 4; direction++) {
            int over = STEPS.at[way.square][direction], to = HOPS.at[way.square][direction];
            if (to >= 0 && pieces & bit(over) && !(blocked & bit(to)))
                add_way(ways,
                        Way{way.captured | (enemy & bit(over)), way.visited | bit(to), to, i});
        }
    }
}

/* The pieces that can hop at all: most cannot. */
static std::uint64_t hoppers(std::uint64_t own, std::uint64_t enemy)
{
    static const std::uint64_t NOT_LEFT = 0xFCFCFCFCFCFCFCFCu, NOT_RIGHT = 0x3F3F3F3F3F3F3F3Fu;
    std::uint64_t all = own | enemy, empty = ~all;
    return own & (((all & (empty >> 1)) >> 1 & NOT_RIGHT) | ((all & (empty << 1)) << 1 & NOT_LEFT) |
                  (all & (empty >> 8)) >> 8 | (all & (empty << 8)) << 8);
}

/* Adds the move unless it leads to the same board as one before it. Two ways of a piece to the same
 * square with the same captures do; so do returns of two pieces that captured the same. `first`
 * is the first move of this piece. */
static void add_move(const Move &move, int first, Move *moves, int &count)
{
    bool is_return = move.from == move.to;
    for (int i = is_return ? 0 : first; i < count; i++)
        if (moves[i].captured == move.captured &&
            (is_return ? moves[i].from == moves[i].to : moves[i].to == move.to))
            return;
    moves[count++] = move;
}

/* In hop a piece that can hop over an own one can also hop back. That is a move, though the board
 * is as before; find_ways does not list it, because to stay is shorter. */
static bool can_return(const Position &p, int from)
{
    std::uint64_t own = p.pieces[side_to_move(p)], all = p.pieces[0] | p.pieces[1];
    for (int direction = 0; MAY_LOOP && direction < 4; direction++) {
        int over = STEPS.at[from][direction], to = HOPS.at[from][direction];
        if (to >= 0 && own & bit(over) && !(all & bit(to)))
            return true;
    }
    return false;
}

static void add_hops(const Position &p, int from, Move *moves, int &count)
{
    static std::vector<Way> ways;
    int side = side_to_move(p), first = count;
    std::uint8_t begin = static_cast<std::uint8_t>(from);
    find_ways(p.pieces[side], p.pieces[1 - side], from, ways);
    if (can_return(p, from))
        add_move({0, begin, begin}, first, moves, count);
    for (std::size_t i = 1; i < ways.size(); i++)
        add_move({ways[i].captured, begin, static_cast<std::uint8_t>(ways[i].square)}, first, moves,
                 count);
}

/* Every legal move; a side without one passes. None when the game is over. */
static int generate(const Position &p, Move *moves)
{
    if (is_over(p))
        return 0;
    int side = side_to_move(p), count = 0;
    std::uint64_t own = p.pieces[side], all = own | p.pieces[1 - side];
    for (std::uint64_t left = own; left;) {
        int from = pop_square(left);
        for (int to : STEPS.at[from])
            if (to >= 0 && !(all & bit(to)))
                moves[count++] = {0, static_cast<std::uint8_t>(from),
                                  static_cast<std::uint8_t>(to)};
    }
    for (std::uint64_t left = hoppers(own, p.pieces[1 - side]); left;)
        add_hops(p, pop_square(left), moves, count);
    if (count == 0)
        moves[count++] = {0, PASS, PASS};
    return count;
}

static void apply(Position &p, const Move &move)
{
    int side = side_to_move(p);
    if (move.from != PASS) {
        p.pieces[side] = (p.pieces[side] & ~bit(move.from)) | bit(move.to);
        p.pieces[1 - side] &= ~move.captured;
    }
    p.plies++;
}

/* The squares that the piece visits, its own one first. */
static std::vector<int> path_of(const Position &p, const Move &move)
{
    if (move.from == PASS)
        return {};
    int side = side_to_move(p);
    std::vector<int> path = {move.from, move.to};
    for (int to : STEPS.at[move.from])
        if (to == move.to)
            return path;
    std::vector<Way> ways;
    find_ways(p.pieces[side], p.pieces[1 - side], move.from, ways);
    bool is_return = move.from == move.to && !move.captured; // over an own piece and back
    std::size_t i = 1;
    while (ways[i].captured != move.captured || (!is_return && ways[i].square != move.to))
        i++;
    path.assign(is_return, move.to);
    for (int at = static_cast<int>(i); at >= 0; at = ways[at].before)
        path.insert(path.begin(), ways[at].square);
    return path;
}

/* The board in one number: `p.plies` counts only as far as the side to move. */
static std::uint64_t board_key(const Position &p)
{
    std::uint64_t h = p.pieces[0] * 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 29 ^ p.pieces[1]) * 0xBF58476D1CE4E5B9u;
    h = (h ^ h >> 32) * 0x94D049BB133111EBu;
    return side_to_move(p) ? ~h : h;
}

/* Only close to the end it matters how many moves are left. */
static bool is_end_near(const Position &p)
{
    return LAST_PLY - p.plies <= (count_bits(p.pieces[0] | p.pieces[1]) <= 4 ? 100 : 40);
}

static std::uint64_t key(const Position &p)
{
    return is_end_near(p) ? board_key(p) + p.plies * 0xD1B54A32D192ED03u : board_key(p);
}

/* "start", or rows of . X O with / between them, b or w, and the moves that both have used. */
static bool read_position(const std::string &text, Position &p)
{
    if (text == "start")
        return read_position(
            "X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O"
            " b 0 0",
            p);
    p = Position();
    int square = 0, black_moves = 0, white_moves = 0;
    std::size_t i = 0;
    for (; i < text.size() && text[i] != ' '; i++) {
        if (text[i] == '/')
            continue;
        if (square == SQUARES)
            return false;
        if (text[i] != '.')
            p.pieces[text[i] == 'O'] |= bit(square);
        square++;
    }
    char side = 0;
    bool is_read =
        std::sscanf(text.c_str() + i, " %c %d %d", &side, &black_moves, &white_moves) == 3;
    p.plies = black_moves + white_moves;
    return square == SQUARES && is_read && (side == 'w') == (p.plies % 2 == 1);
}
