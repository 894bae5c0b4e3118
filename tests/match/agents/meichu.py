"""meichu: the rules of MeiChu, as far as an agent needs them."""

START = "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./.B.SBS.B./..SBFBS.."


class Game:
    def __init__(self, budgets):
        self.board = [list(row) for row in START.split("/")]
        self.budgets = list(budgets)

    def owner(self, row, column):
        piece = self.board[row][column]
        return None if piece == "." else 0 if piece.isupper() else 1

    def cost(self, colour, move):
        row, column, to_row, to_column = move
        cost = 1 + abs(row - to_row) + abs(column - to_column)
        if self.board[to_row][to_column] in "Bb":
            cost += -3 if self.owner(to_row, to_column) == colour else 3
        return cost

    def moves(self, colour):
        found = []
        for row in range(9):
            for column in range(9):
                if self.board[row][column] == "Ss"[colour]:
                    found += self.moves_from(colour, row, column)
        return found

    def moves_from(self, colour, row, column):
        found = []
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            r, c, way = row + dr, column + dc, 2
            while 0 <= r < 9 and 0 <= c < 9:
                if self.owner(r, c) == colour and self.board[r][c] not in "Bb":
                    break
                move = (row, column, r, c)
                if max(way, self.cost(colour, move)) <= self.budgets[colour]:
                    found.append(move)
                if self.board[r][c] != ".":
                    break
                r, c, way = r + dr, c + dc, way + 1
        return found

    def play(self, colour, move):
        row, column, to_row, to_column = move
        self.budgets[colour] -= self.cost(colour, move)
        self.board[to_row][to_column] = self.board[row][column]
        self.board[row][column] = "."

    def is_over(self):
        pieces = [piece for row in self.board for piece in row]
        return any(piece not in pieces for piece in "FfSs") or \
            not (self.moves(0) or self.moves(1))


def settle(own, other, lot):
    """Our colour and both budgets, from two bids; lot() is asked when they are equal."""
    (colour, price), (colour2, price2) = own, other
    price, price2 = min(price, 140), min(price2, 140)
    budgets = [150, 150]
    if colour != colour2:
        return colour, budgets
    mine = colour
    if price < price2:
        mine = 1 - colour
    elif price == price2:
        mine = lot()
    budgets[colour] -= max(0, min(price, price2)) + 1
    return mine, budgets
