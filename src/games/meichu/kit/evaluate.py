@include clients/agent/numbers.py


@include clients/agent/net.py


# --- What a position is worth ---
# Each side sees itself as attacking upwards. The inputs of the network: an own or an enemy soldier, barrier or flag on a
# square, and what is left of both budgets.

KIND_INPUTS, COIN_INPUTS = 2 * 81, 64
AT_COINS = 3 * KIND_INPUTS
MARGIN, REDUCTION, LATE_MOVES = 70, 90, 4
PROBES = {}  # no ProbCut
net = None


def input_of(side, square, letter):
    """The input that is true when this piece is on this square, as the side sees it."""
    if letter == ".":
        return None
    seen = square if side == BLACK else 9 * (8 - square // 9) + square % 9
    return "SBF".index(letter.upper()) * KIND_INPUTS + (0 if letter in OWN[side] else 81) + seen


VIEWS = [[{letter: input_of(side, square, letter) for letter in ".FSBfsb"} for square in range(81)]
         for side in (BLACK, WHITE)]


def prepare():
    global net
    net = Net(unpack_numbers(WEIGHTS))


def inputs_of(state, side):
    inputs = set(map(dict.__getitem__, VIEWS[side], state[0]))
    inputs.discard(None)
    inputs.add(AT_COINS + min(COIN_INPUTS - 1, state[1 + side]))
    inputs.add(AT_COINS + COIN_INPUTS + min(COIN_INPUTS - 1, state[2 - side]))
    return inputs


def evaluate(state):
    """In hundredths of a soldier, for the side to move."""
    soldiers = state[0].count("S") + state[0].count("s")
    return net.value(min(5, soldiers // 2), state[3], (inputs_of(state, BLACK), inputs_of(state, WHITE)))


# --- What the search asks of the game ---

def is_quiet(state, move, _):
    """Captures of a soldier or the flag change the balance; barriers are not worth looking further."""
    return move == PASS or state[0][move[1]] not in "FSfs"


def order_hint(state, move, _):
    """The flag first, then soldiers, then what comes nearer to the flag for little money."""
    if move == PASS:
        return 0
    begin, end = move
    flag = state[0].find("fF"[state[3]])
    hint = 60 * (way_price(begin, flag) - way_price(end, flag)) - 30 * (way_price(begin, end) + surcharge(state, state[3], end))
    return hint + (200000 if end == flag else 0 if is_quiet(state, move, None) else 60000)


def noisy_successors(state):
    targets = ("fs", "FS")[state[3]]
    return [(move, after(state, *move)) for move in find_moves(state, state[3]) if state[0][move[1]] in targets]


def is_threatened(state):
    """Whether the other side could take the flag now."""
    side = state[3]
    flag = state[0].find("Ff"[side])
    for ray in RAYS[flag]:
        for square in ray:
            if state[0][square] == "sS"[side] and can_pay(state, 1 - side, square, flag):
                return True
            if state[0][square] != ".":
                break
    return False


def repetition_key(_):
    return None  # every move costs money, so nothing repeats


def repetition_score(_):
    return 0


def final_score(state, end):
    lead = end[state[3]] - end[1 - state[3]]
    return FINAL * lead


def read_position(text):
    """From nine rows joined by /, b or w, Black's budget and White's."""
    if text == "start":
        return start()
    rows, side, black, white = text.split()
    return rows.replace("/", ""), int(black), int(white), "bw".index(side)
