# --- Boards of the judge ---


def read_turn(_, board, is_black):
    cells = [cell for row in board for cell in row]
    discs = [sum(1 << square for square, cell in enumerate(cells) if cell == colour) for colour in (1, 2)]
    return discs[0], discs[1], BLACK if is_black else WHITE


def end_turn(state, move, next_state):
    pass
