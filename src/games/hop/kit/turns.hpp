/* --- What a board means ---
 *
 * The judge sends no count of moves, so the agent counts: from its last position on, the board must
 * follow by one move of the opponent. If it does not, a turn of ours was lost or passed over, or
 * another game has begun.
 */
static bool is_counting;
static Position asked, answered; // our last turn: before and after our move

static bool is_same_board(const Position &a, const Position &b)
{
    return a.pieces[0] == b.pieces[0] && a.pieces[1] == b.pieces[1];
}

/* Whether the board follows from `p`, where the opponent is to move; then the board's count of
 * moves is filled in. A side without a move is not asked: its turn is used without a word. */
static bool follow(const Position &p, Position &board, int silent_turns)
{
    std::vector<Move> moves(MAX_MOVES);
    moves.resize(generate(p, moves.data()));
    moves.push_back({0, PASS, PASS}); // its move may have been refused
    for (const Move &move : moves) {
        Position next = p;
        apply(next, move);
        if (is_same_board(next, board)) {
            board.plies = next.plies;
            return true;
        }
        Move only[MAX_MOVES];
        if (silent_turns > 0 && generate(next, only) == 1 && only[0].from == PASS) {
            apply(next, only[0]);
            if (follow(next, board, silent_turns - 1))
                return true;
        }
    }
    return false;
}

static Position read_turn(int, const std::vector<std::vector<int>> &board, bool is_black)
{
    Position p = {{0, 0}, is_black ? 0 : 1};
    for (int square = 0; square < SQUARES; square++) {
        int cell = board[square / 8][square % 8];
        if (cell == 1 || cell == 2)
            p.pieces[cell - 1] |= bit(square);
    }
    Position refused = asked;
    refused.plies++;
    bool is_same_game = is_counting && side_to_move(asked) == side_to_move(p) &&
                        (follow(answered, p, 2) || follow(refused, p, 2));
    int first = is_black ? 0 : 1; // moves of both before the first one of a side
    p.plies = is_same_game ? std::min(p.plies, LAST_PLY - 2 + first) : first;
    return p;
}

static void end_turn(const Position &before, const Move &move)
{
    is_counting = true;
    asked = answered = before;
    apply(answered, move);
}

static std::vector<std::vector<int>> squares_of(const Position &p, const Move &move)
{
    std::vector<std::vector<int>> squares;
    for (int square : path_of(p, move))
        squares.push_back({square / 8, square % 8});
    return squares;
}
