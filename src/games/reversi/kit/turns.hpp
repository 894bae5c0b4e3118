/* --- Boards of the judge --- */

static Position read_turn(int, const std::vector<std::vector<int>> &board, bool is_black)
{
    Position p = {0, 0};
    for (int square = 0; square < 64; square++) {
        int cell = board[square / 8][square % 8];
        Squares disc = Squares(1) << square;
        p.own |= cell == (is_black ? 1 : 2) ? disc : 0;
        p.other |= cell == (is_black ? 2 : 1) ? disc : 0;
    }
    return p;
}

static void end_turn(const Position &, const Move &) {}

static std::vector<std::vector<int>> squares_of(const Position &, const Move &move)
{
    return {{move.square / 8, move.square % 8}};
}
