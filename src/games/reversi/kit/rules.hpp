/* --- The rules ---
 *
 * A set of squares is a 64-bit number with a bit for each, square row * 8 + column. A position is
 * the discs of the side to move and those of the other side: the rules are the same for Black and
 * White.
 */
typedef std::uint64_t Squares;

static const Squares CORNERS = 0x8100000000000081; // holes, never occupied
static const Squares CENTRE = 0x007E7E7E7E7E7E00;  // legal also without a flip
static const Squares INNER_COLUMNS = 0x7E7E7E7E7E7E7E7E;

struct Position {
    Squares own, other;
};

struct Move {
    int square; // PASS where the side cannot move
};

enum { PASS = -1, MAX_MOVES = 60 };

static inline bool operator==(Move a, Move b) { return a.square == b.square; }

static inline int count_of(Squares set) { return __builtin_popcountll(set); }
static inline int first_of(Squares set) { return __builtin_ctzll(set); }

/* RAYS[square][direction]: the squares from `square` to the edge, without itself. The first four
 * directions lead to higher numbers, the other four to lower ones. */
struct RayTable {
    Squares rays[64][8];

    RayTable() : rays()
    {
        static const int steps[8][2] = {{0, 1},  {1, 0},  {1, -1}, {1, 1},
                                        {0, -1}, {-1, 0}, {-1, 1}, {-1, -1}};
        for (int square = 0; square < 64; square++)
            for (int d = 0; d < 8; d++)
                for (int r = square / 8 + steps[d][0], c = square % 8 + steps[d][1];
                     r >= 0 && r < 8 && c >= 0 && c < 8; r += steps[d][0], c += steps[d][1])
                    rays[square][d] |= Squares(1) << (8 * r + c);
    }
};

static const RayTable RAYS;

/* The discs that flip when the mover plays on `square`. On each ray, the nearest square without an
 * enemy disc ends the line: an own disc there turns everything before it. An empty square or the
 * edge turns nothing. */
static Squares flips_of(Squares own, Squares other, int square)
{
    Squares flips = 0;
    for (int d = 0; d < 4; d++) {
        Squares ray = RAYS.rays[square][d];
        Squares open = ray & ~other;
        Squares end = open & (~open + 1) & own; // the lowest one
        if (end)
            flips |= ray & (end - 1);
    }
    for (int d = 4; d < 8; d++) {
        Squares ray = RAYS.rays[square][d];
        Squares open = (ray & ~other) | 1;
        Squares end = (Squares(1) << (63 - __builtin_clzll(open))) & ray & own; // the highest one
        if (end)
            flips |= ray & ~(end | (end - 1));
    }
    return flips;
}

/* The squares that end a line of enemy discs which begins next to an own disc, in one direction and
 * its opposite. `line` is the enemy discs that such a line can contain. Lines have up to six discs:
 * one, two, then two more at a time. */
static inline Squares reach_along(Squares own, Squares line, int step)
{
    Squares up = line & (own << step), down = line & (own >> step);
    up |= line & (up << step);
    down |= line & (down >> step);
    Squares pairs_up = line & (line << step), pairs_down = line & (line >> step);
    up |= pairs_up & (up << 2 * step);
    down |= pairs_down & (down >> 2 * step);
    up |= pairs_up & (up << 2 * step);
    down |= pairs_down & (down >> 2 * step);
    return up << step | down >> step;
}

/* The squares where the mover would flip something, occupied ones included. */
static inline Squares reach_of(Squares own, Squares other)
{
    Squares inner = other & INNER_COLUMNS;
    return reach_along(own, inner, 1) | reach_along(own, other, 8) | reach_along(own, inner, 7) |
           reach_along(own, inner, 9);
}

static inline Squares empty_of(Squares own, Squares other) { return ~(own | other | CORNERS); }

static inline Squares legal_of(Squares own, Squares other)
{
    return empty_of(own, other) & (CENTRE | reach_of(own, other));
}

static inline bool is_over(const Position &p)
{
    return !(empty_of(p.own, p.other) & CENTRE) && !legal_of(p.own, p.other) &&
           !legal_of(p.other, p.own);
}

static int generate(const Position &p, Move *moves)
{
    int count = 0;
    for (Squares legal = legal_of(p.own, p.other); legal; legal &= legal - 1)
        moves[count++].square = first_of(legal);
    if (count == 0 && legal_of(p.other, p.own))
        moves[count++].square = PASS;
    return count;
}

static void apply(Position &p, const Move &move)
{
    Squares flips = 0, disc = 0;
    if (move.square != PASS) {
        flips = flips_of(p.own, p.other, move.square);
        disc = Squares(1) << move.square;
    }
    Position after = {p.other & ~flips, p.own | flips | disc};
    p = after;
}

static inline int lead_of(const Position &p) { return count_of(p.own) - count_of(p.other); }

/* 0 for a tie, else at least FINAL: more discs are better, but any win is better than an estimate.
 * */
static int final_score(const Position &p)
{
    int lead = lead_of(p);
    return lead > 0 ? FINAL + 1000 * lead : lead < 0 ? 1000 * lead - FINAL : 0;
}

static Squares mixed(Squares word)
{
    word = (word ^ word >> 32) * 0x9E3779B97F4A7C15;
    word = (word ^ word >> 29) * 0xBF58476D1CE4E5B9;
    return word ^ word >> 32;
}

static std::uint64_t key(const Position &p)
{
    return mixed(p.own + mixed(p.other ^ 0x94D049BB133111EB));
}

/* From a text: "start", or eight rows of # . X O, joined by /, a space, and b or w. */
static bool read_position(const std::string &text, Position &out)
{
    Squares discs[2] = {0, 0};
    out.own = out.other = 0;
    if (text == "start")
        return true;
    if (text.size() != 73)
        return false;
    for (int square = 0; square < 64; square++) {
        char letter = text[square + square / 8];
        if (letter == 'X' || letter == 'O')
            discs[letter == 'O'] |= Squares(1) << square;
    }
    out.own = discs[text[72] == 'w'];
    out.other = discs[text[72] != 'w'];
    return true;
}
