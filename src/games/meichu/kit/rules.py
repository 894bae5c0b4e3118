# --- The rules ---
# A square is row * 9 + column. A position is (81 letters, Black's budget, White's budget, the side to move); capital
# letters are Black's. A move is a tuple of two squares.

ROWS = COLUMNS = 9
BUDGET, MAX_PRICE = 150, 140
PIECES = {"F": "flag", "S": "soldier", "B": "barrier"}
OWN = ("FSB", "fsb")
START = "..sbfbs...b.sbs.b..b..s..b...bbbbb.............BBBBB...B..S..B..B.SBS.B...SBFBS.."


def rays(square):
    """The squares up, left, right and down of a square, the nearest first."""
    row, column = divmod(square, 9)
    return [list(range(square - 9, -1, -9)), list(range(square - 1, 9 * row - 1, -1)),
            list(range(square + 1, 9 * row + 9)), list(range(square + 9, 81, 9))]


RAYS = [rays(square) for square in range(81)]


def start(budgets=(BUDGET, BUDGET)):
    return START, budgets[0], budgets[1], BLACK


def to_move(state):
    return state[3]


def way_price(begin, end):
    return 1 + abs(begin // 9 - end // 9) + abs(begin % 9 - end % 9)


def surcharge(state, side, end):
    """3 more for an enemy barrier, 3 back for an own one."""
    return {"Bb"[side]: -3, "bB"[side]: 3}.get(state[0][end], 0)


def can_pay(state, side, begin, end):
    return way_price(begin, end) + max(0, surcharge(state, side, end)) <= state[1 + side]


def find_moves(state, side):
    cells, budget, soldier, solid = state[0], state[1 + side], "Ss"[side], ("FS", "fs")[side]
    begin = cells.find(soldier)
    while begin >= 0:
        for ray in RAYS[begin]:
            for price, end in enumerate(ray, 2):
                piece = cells[end]
                if piece in solid:
                    break
                if price <= budget and (piece not in "Bb" or can_pay(state, side, begin, end)):
                    yield begin, end
                if piece != ".":
                    break
        begin = cells.find(soldier, begin + 1)


def can_move(state, side):
    return next(find_moves(state, side), None) is not None


def is_decided(state):
    cells = state[0]
    return not ("F" in cells and "f" in cells and "S" in cells and "s" in cells)


def result(state):
    """None while the game is on, else (Black's score, White's score, reason)."""
    if not is_decided(state) and (can_move(state, BLACK) or can_move(state, WHITE)):
        return None
    reason = "flag" if ("F" in state[0]) != ("f" in state[0]) else "no-soldiers" if is_decided(state) else "no-moves"
    for black, white in ("Ff", "Ss", "Bb"):
        lead = state[0].count(black) - state[0].count(white)
        if lead:
            return int(lead > 0), int(lead < 0), reason
    return 0, 0, reason


def scores(state):
    return (0, 0) if not result(state) else result(state)[:2]


def after(state, begin, end):
    side, cells, budgets = state[3], state[0], [state[1], state[2]]
    budgets[side] -= way_price(begin, end) + surcharge(state, side, end)
    cells = cells[:end] + cells[begin] + cells[end + 1:]
    return cells[:begin] + "." + cells[begin + 1:], budgets[0], budgets[1], 1 - side


def successors(state):
    """A list of (move, position after it): every legal move, in order. A side without one passes. The list is empty
    when the game is over."""
    if is_decided(state):
        return []
    moves = sorted(find_moves(state, state[3]))
    if moves:
        return [(move, after(state, *move)) for move in moves]
    return [(PASS, state[:3] + (1 - state[3],))] if can_move(state, 1 - state[3]) else []


def auction(bids, lot):
    """What follows from two bids (colour, price): the colour of the first player, and both budgets by colour. `lot` is
    the colour that the first player gets when the bids are equal."""
    (colour, price), (other_colour, other_price) = [(colour, min(price, MAX_PRICE)) for colour, price in bids]
    budgets = [BUDGET, BUDGET]
    if colour != other_colour:
        return colour, budgets
    budgets[colour] -= max(0, min(price, other_price)) + 1
    return (lot if price == other_price else colour if price > other_price else 1 - colour), budgets
