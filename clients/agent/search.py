# --- The search ---
# What a position is worth to the side to move is the best of what its moves lead to, seen from the other side. Looking at
# all of it to a depth costs 20 to 30 times as much for every move more, so the search saves work where it can:
#
# - Alpha-beta: a move that the opponent would not allow need not be looked at any further. That works the better, the
#   earlier good moves come, so moves are put in order: first the one that was best here before (the table), then captures,
#   then those that refuted most elsewhere (history).
# - Principal variation search: after the first move it is enough to show that the others are not better, with a window of
#   one point.
# - Iterative deepening: depth 1, 2, 3 and so on. Each costs little compared with the next, leaves the best moves in the
#   table, and there is an answer at any time.
# - Late moves in a good order are seldom best: they are looked at less deeply, and again at full depth if they surprise
#   (late move reductions). Near the end of the search they are not looked at at all (late move pruning).
# - A position far above the window near the end of the search stays above it (reverse futility).
# - Where a search to a smaller depth is outside the window by a margin, the deeper one most often would be as well (ProbCut,
#   Buro 1995).
#
# How far the last three go is a matter of the game: MARGIN, REDUCTION, LATE_MOVES and PROBES, next to evaluate().
#
# Where depth ends, captures are still followed until it is quiet: in the middle of an exchange evaluate() would be wrong by
# a piece (quiescence).

INFINITE, MOST_DEPTH, MOST_HISTORY = 1000000, 100, 16384
MOST_TABLE = min(200000, int(20000 + 40000 * TIME_LIMIT))  # a full one of 200,000 positions takes 60 ms to empty
AT_MOST, AT_LEAST, EXACT = range(3)

table = {}      # what is known of a position: (depth, bound, score seen from the position, best move)
history = {}    # how well a quiet move has done, by side and move
path_keys = []  # of the positions from the root to this one
estimates = {}  # evaluations of these positions, by ply


def later(score, ply):
    """A score of a finished game counts the moves until then: seen from the root, `ply` moves before the position."""
    return score - ply if score >= FINAL // 2 else score + ply if score <= -FINAL // 2 else score


def ordered_moves(state, first):
    """A list of (move, next position, whether it is quiet), the most promising first."""
    side, moves = to_move(state), []
    for move, next_state in successors(state):
        quiet = is_quiet(state, move, next_state)
        order = INFINITE if move == first else order_hint(state, move, next_state)
        if quiet:
            order += history.get((side, move), 0)
        moves.append((-order, len(moves), move, next_state, quiet))
    return [entry[2:] for entry in sorted(moves)]


def remember_refutation(state, moves, good, depth):
    """The move was good enough to end the search of this position, those before it were not."""
    side = to_move(state)
    for i, (move, _, quiet) in enumerate(moves[:good + 1]):
        if quiet and moves[good][2]:
            past = history.get((side, move), 0)
            bonus = 30 * depth * depth
            history[side, move] = past + (bonus if i == good else -bonus) - past * bonus // MOST_HISTORY


def quiescence(state, alpha, beta, ply):
    check_clock()
    end = result(state)
    if end:
        return later(final_score(state, end), ply)
    best = evaluate(state)
    if best >= beta:
        return best
    noisy = noisy_successors(state)
    noisy.sort(key=lambda pair: -order_hint(state, pair[0], pair[1]))
    for _, next_state in noisy:
        best = max(best, -quiescence(next_state, -beta, -max(alpha, best), ply + 1))
        if best >= beta:
            break
    return best


def reduction(depth, index):
    """How much less deeply a quiet move is looked at: the later in the order, the less."""
    if depth < 3 or index < 3:
        return 0
    return min(depth - 2, int(math.log(depth) * math.log(index) * REDUCTION / 100))


def is_too_late(depth, index):
    """Whether a quiet move is so late, with so little depth left, that it is left out."""
    return 0 < LATE_MOVES <= index - depth * depth and depth <= 3


def foreseen(state, depth, alpha, beta, ply):
    """The bound of the window outside which a shallower search says that this one ends, else None."""
    shallow, margin = PROBES[depth]
    is_above = estimates[ply] >= beta
    bound = beta + margin - 1 if is_above else alpha - margin
    found = search(state, shallow, bound, bound + 1, ply)
    return None if (found > bound) != is_above else beta if is_above else alpha


def search_move(next_state, depth, less, alpha, beta, ply, is_first):
    """A move after the first: not so deep, then deeper, then with the whole window, as long as it looks better than
    alpha."""
    if is_first:
        return -search(next_state, depth, -beta, -alpha, ply)
    score = -search(next_state, depth - less, -alpha - 1, -alpha, ply)
    if score > alpha and less:
        score = -search(next_state, depth, -alpha - 1, -alpha, ply)
    if alpha < score < beta:
        score = -search(next_state, depth, -beta, -alpha, ply)
    return score


def search(state, depth, alpha, beta, ply):
    """The value for the side to move, looking `depth` moves ahead; exact inside the window from alpha to beta, else a
    bound."""
    check_clock()
    end = result(state)
    if end:
        return later(final_score(state, end), ply)
    key = repetition_key(state)
    del path_keys[ply:]
    path_keys.append(key)
    if key is not None and ply >= 2 and key in path_keys[ply - 2::-2]:
        return repetition_score(state)
    is_in_danger = is_threatened(state)
    depth += is_in_danger
    if depth <= 0:
        return quiescence(state, alpha, beta, ply)
    known_depth, bound, score, first = table.get(state, (-1, EXACT, 0, None))
    score = later(score, ply)
    if known_depth >= depth and (bound == EXACT or (score >= beta if bound == AT_LEAST else score <= alpha)):
        return score
    estimate = estimates[ply] = evaluate(state)
    is_improving = ply >= 2 and estimate > estimates[ply - 2]
    is_narrow = beta - alpha == 1
    may_prune = is_narrow and not is_in_danger and abs(beta) < FINAL // 2
    if MARGIN and may_prune and depth <= 4 and estimate - MARGIN * (depth - is_improving) >= beta:
        return estimate
    if may_prune and depth in PROBES:
        score = foreseen(state, depth, alpha, beta, ply)
        if score is not None:
            return score
        first = table.get(state, (0, 0, 0, first))[3]
    best, old_alpha, moves = -INFINITE, alpha, ordered_moves(state, first)
    for i, (move, next_state, quiet) in enumerate(moves):
        if quiet and may_prune and best > -FINAL // 2 and is_too_late(depth, i):
            continue
        deeper = depth if len(moves) == 1 else depth - 1  # an only move costs no depth
        less = reduction(depth, i) if quiet and not is_in_danger else 0
        if less:
            less = min(depth - 2, less + (not is_improving)) - (not is_narrow)
        score = search_move(next_state, deeper, less, alpha, beta, ply + 1, i == 0)
        if score > best:
            best = score
            if best > alpha or first is None:
                first = move
            alpha = max(alpha, best)
        if best >= beta:
            remember_refutation(state, moves, i, depth)
            break
    table[state] = (depth, AT_LEAST if best >= beta else EXACT if best > old_alpha else AT_MOST, later(best, -ply), first)
    return best


def think(state, seconds):
    """(the best move, the position after it). A depth takes a few times as long as the one before it, so none is begun that
    would not end in time."""
    start_clock(seconds)
    if len(table) > MOST_TABLE:
        table.clear()
    for key in history:
        history[key] //= 4
    estimates[0] = evaluate(state)
    moves = ordered_moves(state, None)
    try:
        for depth in range(1, MOST_DEPTH if len(moves) > 1 else 1):
            best = -INFINITE
            for i, (move, next_state, quiet) in enumerate(moves):
                path_keys[:] = [repetition_key(state)]
                less = reduction(depth, i) if quiet else 0
                score = search_move(next_state, depth - 1, less, best, INFINITE, 1, i == 0)
                if score > best:
                    best = score
                    moves.insert(0, moves.pop(i))
            if abs(best) > FINAL // 2 or seconds_used() > seconds / 2:
                break
    except TimeOver:
        pass
    return moves[0][:2]
