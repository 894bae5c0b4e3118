@include @CLIENT@

@include src/games/@KIT@/kit/turns.hpp

/* --- The conversation with the judge --- */

/* A board that comes twice was sent again after a lost connection: the answer is the same. */
static void play()
{
    int id_package = 0, last_package = -1;
    bool is_black = false;
    std::vector<std::vector<int>> board, last_board, answer;
    while (!GetBoard(id_package, board, is_black)) {
        if (id_package != last_package || board != last_board) {
            Position position = read_turn(id_package, board, is_black);
            Move move = think(position, TIME_LIMIT_S * TIME_SHARE);
            answer = squares_of(position, move);
            end_turn(position, move);
            last_package = id_package;
            last_board = board;
        }
        SendStep(id_package, answer);
    }
}
