/* --- The rules ---
 *
 * A square is row * 9 + column, row 0 on top. Only soldiers move, so a position also keeps where
 * they are.
 */
enum {
    LINE = 9,
    SQUARES = 81,
    MAX_SOLDIERS = 5,
    MAX_MOVES = 80,
    BUDGET = 150,
    BARRIER_PRICE = 3,
    NO_SQUARE = -1
};
enum Piece {
    EMPTY,
    BLACK_FLAG,
    WHITE_FLAG,
    BLACK_SOLDIER,
    WHITE_SOLDIER,
    BLACK_BARRIER,
    WHITE_BARRIER,
    PIECES
};

static const char LETTERS_OF_PIECES[] = ".FfSsBb";
static const char START[] = "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./"
                            ".B.SBS.B./..SBFBS.. b 150 150";

struct Position {
    signed char cells[SQUARES]; // enum Piece
    int side;                   // to move: 0 Black, 1 White
    int budgets[2];
    int flags[2]; // squares, or NO_SQUARE
    int soldiers[2][MAX_SOLDIERS], soldier_counts[2];
    std::uint64_t hash; // of the cells
};

/* A pass, where a side cannot move, begins and ends on the same square. */
struct Move {
    signed char from, to;
};

static inline bool operator==(Move a, Move b) { return a.from == b.from && a.to == b.to; }

static inline int owner_of(int piece) { return (piece - 1) & 1; }
static inline bool is_barrier(int piece) { return piece >= BLACK_BARRIER; }
static inline bool is_solid(int piece)
{
    return piece != EMPTY && !is_barrier(piece);
} // cannot be shared with an own soldier

static inline int distance(int a, int b)
{
    return std::abs(a / LINE - b / LINE) + std::abs(a % LINE - b % LINE);
}

/* 3 more for an enemy barrier, 3 back for an own one. */
static inline int surcharge(int piece, int side)
{
    return !is_barrier(piece) ? 0 : owner_of(piece) == side ? -BARRIER_PRICE : BARRIER_PRICE;
}

/* The budget must cover the way before the 3 of an own barrier come back. */
static inline bool can_pay(const Position &p, int side, int way, int piece)
{
    return 1 + way + std::max(0, surcharge(piece, side)) <= p.budgets[side];
}

/* Calls visit(from, to, piece on `to`) for every legal move of a side until it returns false. */
template <typename Visit> static void visit_moves(const Position &p, int side, Visit visit)
{
    static const int steps[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    for (int i = 0; i < p.soldier_counts[side]; i++) {
        int from = p.soldiers[side][i], row = from / LINE, column = from % LINE;
        for (const int *step : steps) {
            int room = step[0] < 0   ? row
                       : step[0] > 0 ? 8 - row
                       : step[1] < 0 ? column
                                     : 8 - column;
            int by = step[0] * LINE + step[1];
            for (int way = 1, to = from + by; way <= room; way++, to += by) {
                int piece = p.cells[to];
                if (is_solid(piece) && owner_of(piece) == side)
                    break;
                if (can_pay(p, side, way, piece) && !visit(from, to, piece))
                    return;
                if (piece != EMPTY)
                    break;
            }
        }
    }
}

static bool can_move(const Position &p, int side)
{
    bool found = false;
    visit_moves(p, side, [&found](int, int, int) { return !(found = true); });
    return found;
}

static inline bool is_decided(const Position &p)
{
    return p.flags[0] == NO_SQUARE || p.flags[1] == NO_SQUARE || !p.soldier_counts[0] ||
           !p.soldier_counts[1];
}

static inline bool is_over(const Position &p)
{
    return is_decided(p) || (!can_move(p, p.side) && !can_move(p, 1 - p.side));
}

static int generate(const Position &p, Move *moves)
{
    int count = 0;
    if (is_decided(p))
        return count;
    visit_moves(p, p.side, [&](int from, int to, int) {
        moves[count].from = static_cast<signed char>(from);
        moves[count++].to = static_cast<signed char>(to);
        return true;
    });
    if (count == 0 && can_move(p, 1 - p.side))
        moves[count++] = Move{0, 0};
    return count;
}

/* A random number for each piece on each square; the exclusive or of them is the hash of a board
 * (Zobrist, 1970). */
static std::uint64_t random_number(std::uint64_t seed)
{
    seed = (seed + 1) * 0x9E3779B97F4A7C15;
    seed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9;
    seed = (seed ^ seed >> 27) * 0x94D049BB133111EB;
    return seed ^ seed >> 31;
}

struct HashTable {
    std::uint64_t of[PIECES][SQUARES];

    HashTable()
    {
        for (int piece = 0; piece < PIECES; piece++)
            for (int square = 0; square < SQUARES; square++)
                of[piece][square] =
                    piece == EMPTY
                        ? 0
                        : random_number(static_cast<std::uint64_t>(piece * SQUARES + square));
    }
};

static const HashTable HASHES;

static void put(Position &p, int square, int piece)
{
    p.hash ^= HASHES.of[static_cast<int>(p.cells[square])][square] ^ HASHES.of[piece][square];
    p.cells[square] = static_cast<signed char>(piece);
}

static void apply(Position &p, const Move &move)
{
    int side = p.side, enemy = 1 - side, target = p.cells[static_cast<int>(move.to)];
    p.side = enemy;
    if (move.from == move.to)
        return;
    p.budgets[side] -= 1 + distance(move.from, move.to) + surcharge(target, side);
    if (move.to == p.flags[enemy]) {
        p.flags[enemy] = NO_SQUARE;
    } else if (is_solid(target)) {
        int *soldiers = p.soldiers[enemy], &count = p.soldier_counts[enemy];
        *std::find(soldiers, soldiers + count, move.to) = soldiers[count - 1];
        count--;
    }
    *std::find(p.soldiers[side], p.soldiers[side] + p.soldier_counts[side], move.from) = move.to;
    put(p, move.to, p.cells[static_cast<int>(move.from)]);
    put(p, move.from, EMPTY);
}

static int count_barriers(const Position &p, int side)
{
    return static_cast<int>(std::count(p.cells, p.cells + SQUARES, BLACK_BARRIER + side));
}

/* Of a finished game, for the side to move: a flag decides, then soldiers, then barriers. */
static int final_score(const Position &p)
{
    int own = p.side, enemy = 1 - own;
    int lead = (p.flags[own] != NO_SQUARE) - (p.flags[enemy] != NO_SQUARE);
    lead = lead ? lead : p.soldier_counts[own] - p.soldier_counts[enemy];
    lead = lead ? lead : count_barriers(p, own) - count_barriers(p, enemy);
    return lead > 0 ? FINAL : lead < 0 ? -FINAL : 0;
}

static std::uint64_t key(const Position &p)
{
    return p.hash ^
           random_number(
               static_cast<std::uint64_t>((p.budgets[0] * 1000 + p.budgets[1]) * 2 + p.side) << 16);
}

/* From a text: "start", or nine rows joined by /, b or w, Black's budget and White's. */
static bool read_position(const std::string &text, Position &out)
{
    const std::string line = text == "start" ? START : text;
    out = Position();
    out.flags[0] = out.flags[1] = NO_SQUARE;
    if (line.size() < 95)
        return false;
    for (int square = 0; square < SQUARES; square++) {
        const char *letter = std::strchr(LETTERS_OF_PIECES, line[square + square / LINE]);
        int piece = letter ? static_cast<int>(letter - LETTERS_OF_PIECES) : PIECES,
            side = owner_of(piece);
        if (piece >= PIECES)
            return false;
        put(out, square, piece);
        if (piece == BLACK_FLAG + side)
            out.flags[side] = square;
        if (piece == BLACK_SOLDIER + side && out.soldier_counts[side] < MAX_SOLDIERS)
            out.soldiers[side][out.soldier_counts[side]++] = square;
    }
    out.side = line[90] == 'w';
    return std::sscanf(line.c_str() + 91, "%d %d", &out.budgets[0], &out.budgets[1]) == 2;
}
