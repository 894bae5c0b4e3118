/* --- The search ---
 *
 * What a position is worth to the side to move is the best of what its moves lead to, seen from
 * the other side. Looking at all of it to a depth costs 20 to 30 times as much for every move more,
 * so the search saves work where it can:
 *
 * - Alpha-beta: a move that the opponent would not allow need not be looked at any further. That
 *   works the better, the earlier good moves come, so moves are put in order: first the one that
 *   was best here before (the table), then captures, then moves that refuted a sibling (killers),
 *   then those that refuted most elsewhere (history).
 * - Principal variation search: after the first move it is enough to show that the others are not
 *   better, with a window of one point.
 * - Iterative deepening: depth 1, 2, 3 and so on. Each costs little compared with the next, leaves
 *   the best moves in the table, and there is an answer at any time.
 * - Late moves in a good order are seldom best: they are looked at less deeply, and again at full
 *   depth if they surprise (late move reductions). Near the end of the search they are not looked
 *   at at all (late move pruning).
 * - A position far above the window near the end of the search stays above it (reverse futility).
 * - Where a search to a smaller depth is outside the window by a margin, the deeper one most often
 *   would be as well (ProbCut, Buro 1995).
 *
 * How far the last three go is a matter of the game: MARGIN, REDUCTION, LATE_MOVES and PROBES, next
 * to evaluate().
 *
 * Where depth ends, captures are still followed until it is quiet: in the middle of an exchange
 * evaluate() would be wrong by a piece (quiescence).
 */
enum {
    INFINITE = 1000000,
    MAX_PLY = 120,
    TABLE_BITS = 19,
    KILLER_HINT = 20000,
    HISTORY_LIMIT = 16384
};

/* What the table remembers of a position: a score, whether it is exact or only a bound, for which
 * depth, and the best move. */
enum Bound { AT_MOST, AT_LEAST, EXACT };

struct TableEntry {
    std::uint64_t key;
    Move move;
    std::int32_t score;
    std::int16_t depth;
    std::uint8_t bound;
    bool is_used;
};

static std::vector<TableEntry> table(std::size_t(1) << TABLE_BITS);
static Move killers[MAX_PLY + 1][2];
static int history[HISTORY_SLOTS];

/* Of the positions from the root to this one. */
static std::uint64_t path_keys[MAX_PLY + 1];
static int estimates[MAX_PLY + 1];

/* Scores of finished games count the moves until then, so that it wins soon and loses late: seen
 * from the root in the search, from the position itself in the table. */
static int later(int score, int ply)
{
    return score >= FINAL / 2 ? score - ply : score <= -FINAL / 2 ? score + ply : score;
}

static int earlier(int score, int ply) { return later(score, -ply); }

/* The same position again on the way from the root: both can repeat it for ever. */
static bool is_repeated(int ply)
{
    for (int i = ply - 2; path_keys[ply] && i >= 0; i -= 2)
        if (path_keys[i] == path_keys[ply])
            return true;
    return false;
}

/* --- The order of moves --- */

struct OrderedMove {
    Move move;
    int order;
    bool is_quiet;
};

typedef std::vector<OrderedMove> Moves;

static Moves moves_at[MAX_PLY + 2]; // one list for each depth of the tree, used again and again

/* All moves, or those that are not quiet. */
static Moves &list_moves(const Position &position, const Move *first, int ply, bool only_noisy)
{
    static Move generated[MAX_MOVES];
    int count = only_noisy ? generate_noisy(position, generated) : generate(position, generated);
    Moves &moves = moves_at[ply];
    moves.clear();
    for (int i = 0; i < count; i++) {
        OrderedMove m = {generated[i], order_hint(position, generated[i]),
                         !only_noisy && is_quiet(position, generated[i])};
        if (m.is_quiet)
            m.order += history[history_slot(position, m.move)];
        if (m.is_quiet && (m.move == killers[ply][0] || m.move == killers[ply][1]))
            m.order += KILLER_HINT;
        if (first && m.move == *first)
            m.order = INFINITE;
        moves.push_back(m);
    }
    return moves;
}

/* The most promising of the moves from this one on. */
static const OrderedMove &pick(Moves &moves, std::size_t first)
{
    std::size_t best = first;
    for (std::size_t i = first + 1; i < moves.size(); i++)
        if (moves[i].order > moves[best].order)
            best = i;
    std::swap(moves[first], moves[best]);
    return moves[first];
}

/* The move was good enough to end the search of this position, those before it were not. */
static void remember_refutation(const Position &position, const Moves &moves, std::size_t good,
                                int depth, int ply)
{
    if (!moves[good].is_quiet)
        return;
    if (!(killers[ply][0] == moves[good].move)) {
        killers[ply][1] = killers[ply][0];
        killers[ply][0] = moves[good].move;
    }
    int bonus = std::min(16 * depth * depth, HISTORY_LIMIT / 8);
    for (std::size_t i = 0; i <= good; i++) {
        if (!moves[i].is_quiet)
            continue;
        int &past = history[history_slot(position, moves[i].move)];
        past += (i == good ? bonus : -bonus) - past * bonus / HISTORY_LIMIT;
    }
}

/* --- One position --- */

static int quiescence(const Position &position, int alpha, int beta, int ply)
{
    if (is_time_over())
        return 0;
    if (is_over(position))
        return later(final_score(position), ply);
    int best = evaluate(position);
    if (best >= beta || ply >= MAX_PLY)
        return best;
    Moves &moves = list_moves(position, nullptr, ply, true);
    for (std::size_t i = 0; i < moves.size() && best < beta; i++) {
        Position next = position;
        apply(next, pick(moves, i).move);
        best = std::max(best, -quiescence(next, -beta, -std::max(alpha, best), ply + 1));
    }
    return best;
}

/* How much less deeply a quiet move is looked at: the later in the order, the less. */
static int reduction(int depth, std::size_t index)
{
    if (depth < 3 || index < 3)
        return 0;
    double plies = std::log(depth) * std::log(index) * REDUCTION / 100;
    return std::min(depth - 2, static_cast<int>(plies));
}

/* Whether a quiet move is so late, with so little depth left, that it is left out. */
static bool is_too_late(int depth, std::size_t index)
{
    return LATE_MOVES > 0 && depth <= 3 && static_cast<int>(index) >= LATE_MOVES + depth * depth;
}

static int search(const Position &position, int depth, int alpha, int beta, int ply);

/* Whether a shallower search says that this one ends outside the window; `score` is its bound. */
static bool is_foreseen(const Position &position, int depth, int alpha, int beta, int ply,
                        int &score)
{
    if (depth >= static_cast<int>(sizeof PROBES / sizeof PROBES[0]) || PROBES[depth].depth == 0)
        return false;
    bool is_above = estimates[ply] >= beta;
    score = is_above ? beta : alpha;
    int bound = is_above ? beta + PROBES[depth].margin - 1 : alpha - PROBES[depth].margin;
    int found = search(position, PROBES[depth].depth, bound, bound + 1, ply);
    return !is_stopped && (found > bound) == is_above;
}

/* A move after the first: not so deep, then deeper, then with the whole window, as long as it
 * looks better than alpha. */
static int search_later_move(const Position &next, int depth, int less, int alpha, int beta,
                             int ply)
{
    int score = -search(next, depth - less, -alpha - 1, -alpha, ply);
    if (score > alpha && less > 0)
        score = -search(next, depth, -alpha - 1, -alpha, ply);
    if (score > alpha && score < beta)
        score = -search(next, depth, -beta, -alpha, ply);
    return score;
}

/* The value for the side to move, looking `depth` moves ahead; exact inside the window from alpha
 * to beta, else a bound. */
static int search(const Position &position, int depth, int alpha, int beta, int ply)
{
    if (is_time_over())
        return 0;
    if (is_over(position))
        return later(final_score(position), ply);
    path_keys[ply] = repetition_key(position);
    if (is_repeated(ply))
        return repetition_score(position);
    bool is_in_danger = is_threatened(position);
    depth += is_in_danger;
    int solved;
    if (solve(position, depth, alpha, beta, solved))
        return later(solved, ply);
    if (depth <= 0 || ply >= MAX_PLY)
        return quiescence(position, alpha, beta, ply);

    std::uint64_t position_key = key(position);
    TableEntry &entry = table[position_key >> (64 - TABLE_BITS)];
    if (entry.is_used && entry.key == position_key && entry.depth >= depth) {
        int score = later(entry.score, ply);
        if (entry.bound == EXACT || (entry.bound == AT_LEAST ? score >= beta : score <= alpha))
            return score;
    }
    bool is_narrow = beta - alpha == 1;
    bool may_prune = is_narrow && !is_in_danger && std::abs(beta) < FINAL / 2;
    estimates[ply] = evaluate(position);
    bool is_improving = ply >= 2 && estimates[ply] > estimates[ply - 2];
    if (MARGIN > 0 && may_prune && depth <= 4 &&
        estimates[ply] - MARGIN * (depth - is_improving) >= beta)
        return estimates[ply];
    int foreseen;
    if (may_prune && is_foreseen(position, depth, alpha, beta, ply, foreseen))
        return foreseen;

    bool is_known = entry.is_used && entry.key == position_key;
    Move first = entry.move;
    Moves &moves = list_moves(position, is_known ? &first : nullptr, ply, false);
    int best = -INFINITE, old_alpha = alpha;
    std::size_t best_index = 0;
    for (std::size_t i = 0; i < moves.size() && best < beta; i++) {
        OrderedMove m = pick(moves, i);
        if (m.is_quiet && may_prune && best > -FINAL / 2 && is_too_late(depth, i))
            continue;
        Position next = position;
        apply(next, m.move);
        int deeper = moves.size() == 1 ? depth : depth - 1; // an only move costs no depth
        int less = m.is_quiet && !is_in_danger ? reduction(depth, i) : 0;
        less = less > 0 ? std::min(depth - 2, less + !is_improving) - !is_narrow : 0;
        int score = i == 0 ? -search(next, deeper, -beta, -alpha, ply + 1)
                           : search_later_move(next, deeper, less, alpha, beta, ply + 1);
        if (is_stopped)
            return 0;
        if (score > best) {
            best = score;
            best_index = i;
            alpha = std::max(alpha, best);
        }
        if (best >= beta)
            remember_refutation(position, moves, i, depth, ply);
    }
    if (!is_known || best > old_alpha)
        first = moves[best_index].move;
    entry.key = position_key;
    entry.move = first;
    entry.score = earlier(best, ply);
    entry.depth = static_cast<std::int16_t>(depth);
    entry.bound = best >= beta ? AT_LEAST : best > old_alpha ? EXACT : AT_MOST;
    entry.is_used = true;
    return best;
}

/* --- A turn --- */

/* The best move so far is always at the front. A depth takes a few times as long as the one before
 * it, so none is begun that would not end in time. */
static Move think(const Position &position, double seconds)
{
    start_clock(seconds);
    for (int &past : history)
        past /= 8;
    Moves moves = list_moves(position, nullptr, 0, false);
    std::stable_sort(moves.begin(), moves.end(),
                     [](const OrderedMove &a, const OrderedMove &b) { return a.order > b.order; });
    estimates[0] = evaluate(position);
    path_keys[0] = repetition_key(position);
    for (int depth = 1; depth < MAX_PLY && moves.size() > 1; depth++) {
        int best = -INFINITE;
        for (std::size_t i = 0; i < moves.size(); i++) {
            Position next = position;
            apply(next, moves[i].move);
            int less = moves[i].is_quiet ? reduction(depth, i) : 0;
            int score = i == 0 ? -search(next, depth - 1, -INFINITE, INFINITE, 1)
                               : search_later_move(next, depth - 1, less, best, INFINITE, 1);
            if (is_stopped)
                return moves[0].move;
            if (score > best) {
                best = score;
                std::rotate(moves.begin(), moves.begin() + i, moves.begin() + i + 1);
            }
        }
        if (std::abs(best) > FINAL / 2 || seconds_used() > seconds / 2)
            break;
    }
    return moves[0].move;
}
