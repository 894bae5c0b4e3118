# --- What a board means ---
# The judge sends no count of moves, so the agent counts: from its last position on, the board must follow by one move of the
# opponent. If it does not, a turn of ours was lost or passed over, or another game has begun.

last_turn = []  # our last position, and that after our move


def follow(state, board, silent_turns):
    """The number of moves at which the board follows from `state`, where the opponent is to move, or None. A side without a
    move is not asked: its turn is used without a word."""
    skipped = (state[0], state[1], state[2] + 1)
    for next_state in [next_state for _, next_state in successors(state)] + [skipped]:
        if next_state[:2] == board:
            return next_state[2]
        moves = successors(next_state) if silent_turns and not all(next_state[:2]) else []
        if moves and moves[0][0] == PASS:
            plies = follow(moves[0][1], board, silent_turns - 1)
            if plies:
                return plies
    return None


def read_turn(_, board, is_black):
    cells = [cell for row in board for cell in row]
    pieces = tuple(sum(1 << square for square, cell in enumerate(cells) if cell == colour) for colour in (1, 2))
    first = BLACK if is_black else WHITE
    for before in reversed(last_turn):
        plies = follow(before, pieces, 2)
        if plies and plies % 2 == first:
            return pieces + (min(plies, LAST_PLY - 2 + first),)
    return pieces + (first,)


def end_turn(state, _, next_state):
    refused = (state[0], state[1], state[2] + 1)
    last_turn[:] = [refused, next_state]
