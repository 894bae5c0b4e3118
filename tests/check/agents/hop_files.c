/* An agent for hop-noloop through files: the first step that it finds.
 *
 * usage: hop_files TEAM [crash|hang|quit|no-end] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int board[8][8];

static int read_state(const char *name, int *move, int *color)
{
    char word[16] = "";
    FILE *file = fopen(name, "r");
    if (!file) {
        return 0;
    }
    int is_read = fscanf(file, " move %d", move) == 1;
    if (is_read && *move != 0) {
        is_read = fscanf(file, " color %d board", color) == 1;
        for (int i = 0; is_read && i < 64; i++) {
            is_read = fscanf(file, "%d", &board[i / 8][i % 8]) == 1;
        }
    }
    is_read = is_read && fscanf(file, "%15s", word) == 1 && strcmp(word, "end") == 0;
    fclose(file);
    return is_read;
}

static void answer(const char *name, int move, int color, const char *end)
{
    static const int ways[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    FILE *file = fopen("answer.tmp", "w");
    int is_found = 0;
    fprintf(file, "move %d\n", move);
    for (int way = 0; way < 4; way++) {
        for (int i = 0; i < 64 && !is_found; i++) {
            int square = (i * 11 + move * 5) % 64;
            int row = square / 8;
            int column = square % 8;
            int r = row + ways[(way + (color == 2 ? 2 : 0)) % 4][0];
            int c = column + ways[(way + (color == 2 ? 2 : 0)) % 4][1];
            if (board[row][column] == color && r >= 0 && r < 8 && c >= 0 && c < 8 &&
                board[r][c] == 0) {
                fprintf(file, "%d %d\n%d %d\n", row, column, r, c);
                is_found = 1;
            }
        }
    }
    fputs(end, file);
    fclose(file);
    rename("answer.tmp", name);
}

int main(int argc, char **argv)
{
    const struct timespec nap = {0, 2000000};
    char state[32];
    char reply[32];
    int last = 0;
    snprintf(state, sizeof state, "state_%s.txt", argv[1]);
    snprintf(reply, sizeof reply, "move_%s.txt", argv[1]);
    for (;;) {
        int move = -1;
        int color = 0;
        if (read_state(state, &move, &color) && move != last) {
            if (move == 0) {
                return 0;
            }
            if (argc > 2 && move == 3 && strcmp(argv[2], "crash") == 0) {
                abort();
            }
            if (argc > 2 && move == 3 && strcmp(argv[2], "quit") == 0) {
                return 0;
            }
            while (argc > 2 && move == 3 && strcmp(argv[2], "hang") == 0) {
                nanosleep(&nap, NULL);
            }
            last = move;
            answer(reply, move, color, argc > 2 && strcmp(argv[2], "no-end") == 0 ? "" : "end\n");
        }
        nanosleep(&nap, NULL);
    }
}
