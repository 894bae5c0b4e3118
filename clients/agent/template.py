# --- The auction ---
# Where both players want a colour, the higher price gets it and pays the lower one and 1 more. If V(x) is the chance of
# winning with the better colour after paying x, and p the highest payment with V(p) >= 1/2, then a bid of p - 1 guarantees
# one half whatever the other player does: if we get the colour we pay at most p, and if the other player gets it, at least p.

# Payment, and games won in a thousand with Black, which wins more often; measured in games of the engine with itself.
CHANCES = ((0, 623), (20, 623), (40, 615), (60, 615), (80, 593), (100, 495), (110, 313), (120, 84), (130, 2), (140, 0))


def chance_after(payment):
    for (low, low_won), (high, high_won) in zip(CHANCES, CHANCES[1:]):
        if payment <= high:
            return low_won - (low_won - high_won) * (payment - low) // (high - low)
    return 0


def best_price():
    return max(payment for payment in range(MAX_PRICE) if chance_after(payment) >= 500) - 1


# --- Standard input and output ---

@include clients/agent/input.py


def hold_auction():
    """Both players name a colour and a price, sealed. Returns our colour, and the budgets by colour."""
    price = best_price()
    print("My bid: ", BLACK, price, flush=True)
    their_bid = read_numbers(2, "Enter the bid : ")
    is_tie = their_bid[0] == BLACK and min(their_bid[1], MAX_PRICE) == price
    lot = read_numbers(1, "Enter my color : ")[0] if is_tie else None
    return auction(((BLACK, price), their_bid), lot)


def play_games():
    """One game. A side that cannot move passes without a word."""
    colour, budgets = hold_auction()
    state = start(budgets)
    while not result(state):
        moves = successors(state)
        if moves[0][0] == PASS:
            state = moves[0][1]
        elif to_move(state) == colour:
            (begin, end), state = think(state, TIME_LIMIT * TIME_SHARE)
            print("My move :", [begin // 9, begin % 9, end // 9, end % 9], flush=True)
        else:
            row, column, to_row, to_column = read_numbers(4, "Enter the move : ")
            state = after(state, 9 * row + column, 9 * to_row + to_column)
    black, white = result(state)[:2]
    print("BLACK wins!" if black > white else "WHITE wins!" if white > black else "Draw!")
