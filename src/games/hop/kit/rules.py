# --- The rules ---
# A square is row * 8 + column, a set of squares is a number with a bit for each. A position is (Black's pieces, White's
# pieces, moves used by both sides), a move is a tuple of squares, the piece's own one first.

ROWS = COLUMNS = 8
MAY_LOOP = GAME == "hop"  # may a piece visit a square twice within a move?
LAST_PLY = 400
TARGETS = (0xC0C0C0C0C0C0C0C0, 0x0303030303030303)  # columns 6 and 7 are Black's, 0 and 1 White's


def neighbours(square, distance):
    row, column = divmod(square, 8)
    return [8 * (row + r) + column + c
            for r, c in ((-distance, 0), (0, -distance), (0, distance), (distance, 0))
            if 0 <= row + r < 8 and 0 <= column + c < 8]


STEPS = [neighbours(square, 1) for square in range(64)]
HOPS = [[(1 << (square + to) // 2, to) for to in neighbours(square, 2)] for square in range(64)]


def start():
    return 0x0001020502050201, 0x8040A040A0408000, 0


def to_move(state):
    return state[2] % 2


def squares_of(pieces):
    while pieces:
        yield (pieces & -pieces).bit_length() - 1
        pieces &= pieces - 1


def is_home(state, side):
    return state[side] != 0 and state[side] & ~TARGETS[side] == 0


def result(state):
    """None while the game is on, else (Black's score, White's score, reason)."""
    home = is_home(state, 0) or is_home(state, 1)
    if not home and state[2] < LAST_PLY:
        return None
    return scores(state) + ("all-home" if home else "move-limit",)


def scores(state):
    return tuple(bin(state[side] & TARGETS[side]).count("1") for side in (BLACK, WHITE))


def after(state, begin, end, captured):
    own, enemy = state[state[2] % 2] & ~(1 << begin) | 1 << end, state[1 - state[2] % 2] & ~captured
    return (own, enemy, state[2] + 1) if state[2] % 2 == BLACK else (enemy, own, state[2] + 1)


def find_hops(own, enemy, begin, found):
    """Adds the shortest way to every result that one piece can reach: breadth first, and `own` is without it."""
    ways, seen = [((begin,), 0)], set()
    for path, captured in ways:
        pieces = own | enemy & ~captured
        for over, to in HOPS[path[-1]]:
            if not pieces & over or pieces >> to & 1:
                continue
            taken = captured | enemy & over
            if (to, taken) in seen if MAY_LOOP else to in path:
                continue
            seen.add((to, taken))
            longer = path + (to,)
            ways.append((longer, taken))
            key = (taken,) if to == begin else (begin, to, taken)
            if key not in found or (len(longer), longer) < (len(found[key]), found[key]):
                found[key] = longer


def successors(state):
    """A list of (move, position after it): every legal move, one for each result, in order. A side without one
    passes. The list is empty when the game is over."""
    if result(state):
        return []
    side = state[2] % 2
    own, enemy, found, moves = state[side], state[1 - side], {}, []
    for begin in squares_of(own):
        moves += [((begin, end), after(state, begin, end, 0)) for end in STEPS[begin] if not (own | enemy) >> end & 1]
        find_hops(own & ~(1 << begin), enemy, begin, found)
    moves += [(path, after(state, path[0], path[-1], key[-1])) for key, path in found.items()]
    return sorted(moves) or [(PASS, (state[0], state[1], state[2] + 1))]
