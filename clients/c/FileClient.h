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

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

static int idTeam = -1;

enum {
    FILE_PAUSE_MS = 5,
    FILE_PATIENCE_MS = 3600 * 1000,
    FILE_NAME_BYTES = 32,
    FILE_MAX_SQUARES = 100
};

#ifdef _WIN32
static void file_pause(void) { Sleep(FILE_PAUSE_MS); }
#else
static void file_pause(void) { usleep(FILE_PAUSE_MS * 1000); }
#endif

struct file_state {
    int move, color;
    int board[8][8];
};

/* False unless the file is complete. */
static bool file_read(FILE *file, struct file_state *state)
{
    char word[8] = "";
    if (fscanf(file, "move %d", &state->move) != 1) {
        return false;
    }
    if (state->move != 0) {
        int read = fscanf(file, " color %d board", &state->color);
        for (int i = 0; i < 64; i++) {
            read += fscanf(file, "%d", &state->board[i / 8][i % 8]);
        }
        if (read != 65) {
            return false;
        }
    }
    return fscanf(file, "%7s", word) == 1 && strcmp(word, "end") == 0;
}

/* Waits for your turn. Returns true when the program has to stop. board[row][column] is 0 empty,
 * 1 Black, 2 White. */
static bool GetBoard(int *id_package, int board[8][8], bool *is_black)
{
    static int last_move = 0;
    char name[FILE_NAME_BYTES];
    snprintf(name, sizeof name, "state_%d.txt", idTeam);
    for (int waited_ms = 0; waited_ms < FILE_PATIENCE_MS; waited_ms += FILE_PAUSE_MS) {
        struct file_state state = {0};
        FILE *file = fopen(name, "r");
        bool is_complete = file && file_read(file, &state);
        if (file) {
            fclose(file);
        } else {
            last_move = 0; /* a new game begins with an empty folder */
        }
        if (is_complete && state.move != last_move) {
            *id_package = last_move = state.move;
            memcpy(board, state.board, sizeof state.board);
            *is_black = state.color == 1;
            return state.move == 0;
        }
        file_pause();
    }
    fprintf(stderr, "FileClient: no judge writes %s\n", name);
    exit(1);
}

/* What is not a move ends the program with a sentence; no square at all is left to the judge. */
static void file_check(int count)
{
    if (count < 1 || count > FILE_MAX_SQUARES) {
        fprintf(stderr,
                "FileClient: GetStep returned %d as the number of squares; a move has 1 to %d\n",
                count, FILE_MAX_SQUARES);
    }
    if (count < 0 || count > FILE_MAX_SQUARES) {
        exit(1);
    }
}

/* Answers board `id_package` with `count` squares {row, column}, the first one first. */
static void SendStep(int id_package, int count, int step[][2])
{
    char name[FILE_NAME_BYTES];
    snprintf(name, sizeof name, "move_%d.txt", idTeam);
    file_check(count);
    FILE *file = fopen(name, "w");
    if (!file) {
        perror(name);
        exit(1);
    }
    fprintf(file, "move %d\n", id_package);
    for (int i = 0; i < count; i++) {
        fprintf(file, "%d %d\n", step[i][0], step[i][1]);
    }
    fprintf(file, "end\n");
    fclose(file);
}

#endif
