/* An agent for @GAME@, in one file.
 *
 * It looks ahead: for every move of its own it considers the opponent's answers, its own next
 * moves, and so on, one move deeper each time while there is time (principal variation search with
 * iterative deepening, see "The search"). Positions at which it stops looking are judged by
 * evaluate(), whose numbers were learned from games that plum's engine played against itself; they
 * are at the end of this file.
 *
 * The parts, in this order: clock, rules, evaluation, search, conversation with the judge, weights.
 *
 *     g++ -std=c++14 -O3 agent.cpp -o agent                            Linux, macOS
 *     g++ -std=c++14 -O3 -static agent.cpp -o agent.exe -lws2_32       Windows, MinGW-w64
 *
 * `agent perft DEPTH` or `agent perft POSITION DEPTH` plays nothing but counts the sequences of
 * moves, which shows whether the rules are right.
 */
#define NOMINMAX
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

static const char GAME[] = "@GAME@";
@TEAM_CONSTANT@static const double TIME_LIMIT_S = @LIMIT@; // for a move, as the judge counts it
static const double TIME_SHARE = 0.4; // of the limit that a move may use: the machine may be busy

/* The winner's score at the end of a game is at least this much, an evaluation is always less. */
enum { FINAL = 100000 };

/* A shallow search in place of a deep one, and by how much it must be outside the window (ProbCut,
 * see "The search"); depth 0: none. */
struct Probe {
    int depth, margin;
};

@include clients/agent/clock.hpp

@include src/games/@KIT@/kit/rules.hpp

@include src/games/@KIT@/kit/evaluate.hpp

@include clients/agent/search.hpp

@include clients/agent/@PLAY@.hpp

/* --- The program --- */

static std::uint64_t perft(const Position &position, int depth)
{
    if (depth == 0)
        return 1;
    std::vector<Move> moves(MAX_MOVES);
    std::uint64_t count = 0;
    for (int i = 0, moves_count = generate(position, moves.data()); i < moves_count; i++) {
        Position next = position;
        apply(next, moves[i]);
        count += perft(next, depth - 1);
    }
    return count;
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        prepare();
        play();
        return 0;
    }
    Position position;
    if (std::strcmp(argv[1], "perft") != 0 || argc > 4 ||
        !read_position(argc == 4 ? argv[2] : "start", position)) {
        std::cerr << "usage: agent [perft [POSITION] DEPTH], for a position of " << GAME << "\n";
        return 2;
    }
    std::cout << perft(position, std::atoi(argv[argc - 1])) << std::endl;
}

/* --- The weights --- */

const char *const WEIGHTS[] = {
@include src/games/@KIT@/kit/weights.txt
};
