/* FileClient: the same functions as STcpClient.h, through files instead of a connection. To use
 * it, include this file in its place.
 *
 * The judge writes state_TEAM.txt into the working folder, we answer in move_TEAM.txt:
 *
 *     move 1                                move 1
 *     color 1       1 Black, 2 White        1 0       row and column of each square
 *     board                                 1 2
 *     1 0 0 0 ...   eight rows              3 2
 *     end                                   end
 *
 * The number after `move` rises with every board; `move 0` means stop.
 */
#ifndef FILECLIENT_H
#define FILECLIENT_H

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

static int idTeam = -1;

namespace file_client
{
enum { PAUSE_MS = 5, PATIENCE_MS = 3600 * 1000 };

#ifdef _WIN32
inline void Pause() { Sleep(PAUSE_MS); }
#else
inline void Pause() { usleep(PAUSE_MS * 1000); }
#endif

inline std::string FileName(const char *kind)
{
    return std::string(kind) + "_" + std::to_string(idTeam) + ".txt";
}

struct State {
    int move, color;
    std::vector<std::vector<int>> board;
};

/* False unless the file is there and complete. */
inline bool ReadState(State &state)
{
    static const int cells = 8;
    std::ifstream file(FileName("state"));
    std::string word;
    if (!(file >> word >> state.move))
        return false;
    if (state.move == 0)
        return bool(file >> word) && word == "end";
    file >> word >> state.color >> word;
    state.board.assign(cells, std::vector<int>(cells));
    for (std::vector<int> &row : state.board)
        for (int &cell : row)
            file >> cell;
    return bool(file >> word) && word == "end";
}

/* What is not a move ends the program with a sentence; no square at all is left to the judge. */
inline void CheckStep(const std::vector<std::vector<int>> &step)
{
    if (step.empty())
        std::fprintf(stderr, "FileClient: GetStep returned no square; a move has at least one "
                             "{row, column}\n");
    for (const std::vector<int> &square : step) {
        if (square.size() != 2) {
            std::fprintf(stderr,
                         "FileClient: GetStep returned a square with %d numbers; a square has "
                         "two, {row, column}\n",
                         static_cast<int>(square.size()));
            std::exit(1);
        }
    }
}
} // namespace file_client

/* Waits for your turn. Returns true when the program has to stop. board[row][column] is 0 empty,
 * 1 Black, 2 White. */
inline bool GetBoard(int &id_package, std::vector<std::vector<int>> &board, bool &is_black)
{
    using namespace file_client;
    static int last_move = 0;
    for (int waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms += PAUSE_MS) {
        State state;
        if (!std::ifstream(FileName("state"))) {
            last_move = 0; // a new game begins with an empty folder
        } else if (ReadState(state) && state.move != last_move) {
            id_package = last_move = state.move;
            board = state.board;
            is_black = state.color == 1;
            return state.move == 0;
        }
        Pause();
    }
    std::fprintf(stderr, "FileClient: no judge writes %s\n", FileName("state").c_str());
    std::exit(1);
}

/* Answers board `id_package` with the squares {row, column} of `step`, the first one first. */
inline void SendStep(int id_package, const std::vector<std::vector<int>> &step)
{
    file_client::CheckStep(step);
    std::ofstream file(file_client::FileName("move"));
    file << "move " << id_package << "\n";
    for (const std::vector<int> &square : step)
        file << square[0] << " " << square[1] << "\n";
    file << "end\n";
}

#endif
