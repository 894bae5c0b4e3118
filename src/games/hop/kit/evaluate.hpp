@include clients/agent/numbers.hpp

@include clients/agent/net.hpp

/* --- The evaluation ---
 *
 * A network whose inputs are the pieces and how much of the game is left. Each side sees the board
 * as if it went to the right.
 */
enum {
    PIECE_INPUTS = 2 * SQUARES,
    TIMES = 8,
    BUCKETS = 6,
    MARGIN = 60, /* by which a quiet move may change it */
    REDUCTION = 120, /* of late moves, in percent of the logarithms of depth and index */
    LATE_MOVES = 7, /* are left out at depth 0 after so many, later the deeper */
    HISTORY_SLOTS = 2 * SQUARES * SQUARES
};

static Net<PIECE_INPUTS + TIMES, 256, BUCKETS> net;

static void prepare() { net.read(); }

static int time_input(const Position &p)
{
    static const int ENDS[TIMES - 1] = {9, 19, 39, 69, 109, 179, 279};
    int time = 0;
    while (time < TIMES - 1 && LAST_PLY - p.plies > ENDS[time])
        time++;
    return PIECE_INPUTS + time;
}

/* In hundredths of a piece at home, for the side to move. */
static int evaluate(const Position &p)
{
    NetInputs views[2];
    for (int owner = 0; owner < 2; owner++) {
        for (std::uint64_t left = p.pieces[owner]; left;) {
            int square = pop_square(left);
            views[BLACK].add((owner == BLACK ? 0 : SQUARES) + square);
            views[WHITE].add((owner == WHITE ? 0 : SQUARES) + (square ^ 7));
        }
    }
    views[BLACK].add(time_input(p));
    views[WHITE].add(time_input(p));
    int pieces = count_bits(p.pieces[BLACK] | p.pieces[WHITE]);
    return net.value(std::max(0, pieces - 2) * BUCKETS / 17, side_to_move(p), views);
}

/* The move that brings the last piece home ends the game. */
static bool is_finish(const Position &p, const Move &move)
{
    int side = side_to_move(p);
    return move.from != PASS && (p.pieces[side] & ~TARGETS[side]) == bit(move.from) &&
           TARGETS[side] & bit(move.to);
}

static bool is_quiet(const Position &p, const Move &move)
{
    return !move.captured && !is_finish(p, move);
}

static int generate_noisy(const Position &p, Move *moves)
{
    Move *end = moves + generate(p, moves);
    return static_cast<int>(
        std::remove_if(moves, end, [&](const Move &m) { return is_quiet(p, m); }) - moves);
}

/* Captures first, then by the columns that a move gains. */
static int order_hint(const Position &p, const Move &move)
{
    int columns = move.to % 8 - move.from % 8;
    return 40 * (side_to_move(p) == BLACK ? columns : -columns) +
           (move.captured ? 50000 + 1000 * count_bits(move.captured) : 0) +
           (is_finish(p, move) ? 100000 : 0);
}

static const Probe PROBES[] = {{0, 0}}; // no ProbCut

static int history_slot(const Position &p, const Move &move)
{
    return move.from == PASS ? 0 : (side_to_move(p) * SQUARES + move.from) * SQUARES + move.to;
}

/* Far from the end a position that comes again is worth what the board scores: the side that is
 * ahead may wait, the other one may not. */
static std::uint64_t repetition_key(const Position &p) { return is_end_near(p) ? 0 : board_key(p); }

static int repetition_score(const Position &p) { return 150 * lead(p); }

static bool is_threatened(const Position &) { return false; }

static bool solve(const Position &, int, int, int, int &) { return false; }
