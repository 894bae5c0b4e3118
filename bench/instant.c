/* An agent that answers at once, or after some milliseconds of sleep, with a legal move:
 * `bench_instant tcp GAME [MS]` through the courses' sockets, `bench_instant ugi GAME [MS]` through
 * pipes. What is left of a match between two of them is the judge's own work.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/hash.h"
#include "game/registry.h"
#include "app/agent.h"
#include "protocol/wire.h"

static useconds_t pause_us;

static struct move any_move(const struct game *game, const struct state *state)
{
    if (pause_us) {
        usleep(pause_us);
    }
    static struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    return count ? moves[game->key(state) % count] : move_pass();
}

static bool read_exactly(int descriptor, uint8_t *bytes, size_t count)
{
    while (count) {
        ssize_t got = read(descriptor, bytes, count);
        if (got <= 0) {
            return false;
        }
        bytes += got;
        count -= (size_t)got;
    }
    return true;
}

static int run_tcp(const struct game *game)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(WIRE_PORT),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct agent_memory memory = {.has_board = false};
    uint8_t team[4] = {1, 0, 0, 0};
    uint8_t board[WIRE_BOARD_BYTES];
    uint8_t reply[8 + 8 * GAME_MAX_PATH];
    int on = 1;
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(line, (struct sockaddr *)&address, sizeof address) || write(line, team, 4) != 4) {
        return EXIT_FAILURE;
    }
    setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    while (read_exactly(line, board, 8) && wire_read_number(board) != 0 &&
           read_exactly(line, board + 8, sizeof board - 8)) {
        int cells[64];
        struct state state;
        struct note note;
        for (int i = 0; i < 64; i++) {
            cells[i] = wire_read_number(board + 8 + 4 * i);
        }
        enum side side = wire_read_number(board + 264) ? SIDE_BLACK : SIDE_WHITE;
        if (agent_recall(&memory, game, cells, side, &state, &note)) {
            return EXIT_FAILURE;
        }
        struct move move = any_move(game, &state);
        wire_write_number(reply, move.count);
        memcpy(reply + 4, board + 4, 4);
        for (int i = 0; i < move.count; i++) {
            wire_write_number(reply + 8 + 8 * i, move.squares[i] / game->columns);
            wire_write_number(reply + 12 + 8 * i, move.squares[i] % game->columns);
        }
        ssize_t bytes = 8 + 8 * move.count;
        if (write(line, reply, (size_t)bytes) != bytes) {
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

/* "position startpos|fen P [moves …]" */
static void set_position(const struct game *game, char *line, struct state *state)
{
    struct note note;
    line[strcspn(line, "\n")] = '\0';
    char *moves = strstr(line, " moves ");
    char *fen = strstr(line, " fen ");
    if (moves) {
        *moves = '\0';
    }
    if (!fen || game_read_position(game, fen + 5, state, &note)) {
        *state = game->start();
    }
    for (char *word = moves ? strtok_r(moves + 7, " ", &moves) : NULL; word;
         word = strtok_r(NULL, " ", &moves)) {
        struct move move;
        if (game_read_move(game, word, &move, &note) || game->apply(state, &move, &note)) {
            exit(EXIT_FAILURE);
        }
    }
}

static int run_ugi(const struct game *game)
{
    static char line[65536];
    struct state state = game->start();
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "ugi\n", 4) == 0) {
            puts("ugiok");
        } else if (strncmp(line, "isready", 7) == 0) {
            puts("readyok");
        } else if (strncmp(line, "position", 8) == 0) {
            set_position(game, line, &state);
        } else if (strncmp(line, "query bid", 9) == 0) {
            puts("response 0 1");
        } else if (strncmp(line, "go", 2) == 0) {
            char text[GAME_MOVE_BYTES];
            struct move move = any_move(game, &state);
            game_write_move(game, &move, text);
            printf("bestmove %s\n", text);
        } else if (strncmp(line, "quit", 4) == 0) {
            break;
        }
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct note note;
    const struct game *game = argc >= 3 ? registry_find(cpu_best(), argv[2], &note) : NULL;
    if (!game) {
        fprintf(stderr, "usage: bench_instant tcp|ugi GAME [MS]\n");
        return EXIT_FAILURE;
    }
    pause_us = argc > 3 ? 1000 * (useconds_t)strtoul(argv[3], NULL, 10) : 0;
    return strcmp(argv[1], "tcp") == 0 ? run_tcp(game) : run_ugi(game);
}
