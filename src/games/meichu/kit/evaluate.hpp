@include clients/agent/numbers.hpp

@include clients/agent/net.hpp

/* --- What a position is worth ---
 *
 * Each side sees itself as attacking upwards. The inputs of the network: an own or an enemy
 * soldier, barrier or flag on a square, and what is left of both budgets.
 */
enum {
    KIND_INPUTS = 2 * SQUARES,
    COIN_INPUTS = 64,
    AT_COINS = 3 * KIND_INPUTS,
    INPUTS = AT_COINS + 2 * COIN_INPUTS
};

static Net<INPUTS, 256, 6> net;

static void prepare() { net.read(); }

static int evaluate(const Position &p)
{
    static const int kinds[PIECES] = {0, 2, 2, 0,
                                      0, 1, 1}; // soldiers come first, then barriers, then flags
    NetInputs inputs[2];
    for (int square = 0; square < SQUARES; square++) {
        int piece = p.cells[square];
        if (piece == EMPTY)
            continue;
        int black = kinds[piece] * KIND_INPUTS + owner_of(piece) * SQUARES + square;
        int white = kinds[piece] * KIND_INPUTS + (1 - owner_of(piece)) * SQUARES +
                    (8 - square / LINE) * LINE + square % LINE;
        inputs[0].add(black);
        inputs[1].add(white);
    }
    for (int side = 0; side < 2; side++)
        for (int owner = 0; owner < 2; owner++)
            inputs[side].add(AT_COINS + (side == owner ? 0 : COIN_INPUTS) +
                             std::min(COIN_INPUTS - 1, p.budgets[owner]));
    return net.value(std::min(5, (p.soldier_counts[0] + p.soldier_counts[1]) / 2), p.side, inputs);
}

/* --- What the search asks of the game --- */

enum { HISTORY_SLOTS = 2 * SQUARES * SQUARES, MARGIN = 70, REDUCTION = 90, LATE_MOVES = 4 };

static const Probe PROBES[] = {{0, 0}}; // no ProbCut

static int history_slot(const Position &p, const Move &move)
{
    return (p.side * SQUARES + move.from) * SQUARES + move.to;
}

/* Captures of a soldier or the flag change the balance; barriers are not worth looking further. */
static bool is_quiet(const Position &p, const Move &move)
{
    int target = p.cells[static_cast<int>(move.to)];
    return !is_solid(target) || move.from == move.to;
}

static int generate_noisy(const Position &p, Move *moves)
{
    int count = 0;
    visit_moves(p, p.side, [&](int from, int to, int piece) {
        moves[count].from = static_cast<signed char>(from);
        moves[count].to = static_cast<signed char>(to);
        count += is_solid(piece);
        return true;
    });
    return count;
}

/* The flag first, then soldiers, then what comes nearer to the flag for little money. */
static int order_hint(const Position &p, const Move &move)
{
    if (move.from == move.to)
        return 0;
    int target = p.cells[static_cast<int>(move.to)], flag = p.flags[1 - p.side];
    int hint = 60 * (distance(move.from, flag) - distance(move.to, flag)) -
               30 * (distance(move.from, move.to) + surcharge(target, p.side));
    return hint + (move.to == flag ? 200000 : is_solid(target) ? 60000 : 0);
}

/* Whether the other side could take the flag now. */
static bool is_threatened(const Position &p)
{
    bool found = false;
    visit_moves(p, 1 - p.side, [&](int, int to, int) { return !(found = to == p.flags[p.side]); });
    return found;
}

static std::uint64_t repetition_key(const Position &)
{
    return 0;
} // every move costs money, so nothing repeats
static int repetition_score(const Position &) { return 0; }
static bool solve(const Position &, int, int, int, int &) { return false; }
