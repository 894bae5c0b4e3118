# --- The search of the opponents ---

WON = 1000000


def value(state, ply):
    """For the side to move, without looking ahead: an early win is better than a late one."""
    end = result(state)
    if not end:
        return evaluate(state)
    lead = (end[0] - end[1]) * (1 if to_move(state) == BLACK else -1)
    return WON - ply if lead > 0 else ply - WON if lead < 0 else 0


def random_good_move(state):
    """One move ahead, with some noise."""
    return min(successors(state), key=lambda pair: value(pair[1], 1) + random.randrange(30))[0]


def search(state, depth, alpha, beta, ply, deadline):
    """Alpha-beta: the value for the side to move, looking `depth` moves ahead."""
    if time.perf_counter() > deadline:
        raise TimeoutError
    moves = successors(state) if depth else []
    if not moves:
        return value(state, ply)
    if depth > 1:
        moves.sort(key=lambda pair: evaluate(pair[1]))
    for _, next_state in moves:
        alpha = max(alpha, -search(next_state, depth - 1, -beta, -alpha, ply + 1, deadline))
        if alpha >= beta:
            break
    return alpha


def best_move(state, seconds):
    """Looks one move ahead, then two, and so on while there is time; the best move so far comes first."""
    deadline = time.perf_counter() + seconds
    moves = successors(state)
    random.shuffle(moves)
    try:
        for depth in range(1, 100 if len(moves) > 1 else 1):
            best = -2 * WON
            for i, (_, next_state) in enumerate(moves):
                found = -search(next_state, depth - 1, -2 * WON, -best, 1, deadline)
                if found > best:
                    best = found
                    moves.insert(0, moves.pop(i))
            if abs(best) > WON - 1000:
                break
    except TimeoutError:
        pass
    return moves[0][0]
