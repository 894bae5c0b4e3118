// An agent for reversi over TCP with plain sockets: the first legal square, or with `black` as second
// argument always Black's.
#include <arpa/inet.h>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

static bool receive(int line, void *out, size_t count)
{
    char *at = static_cast<char *>(out);
    while (count > 0) {
        ssize_t got = read(line, at, count);
        if (got <= 0) {
            return false;
        }
        at += got;
        count -= static_cast<size_t>(got);
    }
    return true;
}

static int connect_as(int32_t team)
{
    for (;;) {
        int line = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(8888);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(line, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0) {
            if (write(line, &team, 4) == 4) {
                return line;
            }
        }
        close(line);
        usleep(20000);
    }
}

static bool flips(const int32_t *board, int row, int column, int own)
{
    for (int dr = -1; dr <= 1; dr++) {
        for (int dc = -1; dc <= 1; dc++) {
            int r = row + dr, c = column + dc, seen = 0;
            while ((dr || dc) && r >= 0 && r < 8 && c >= 0 && c < 8 && board[8 * r + c] == 3 - own) {
                r += dr, c += dc, seen++;
            }
            if (seen && r >= 0 && r < 8 && c >= 0 && c < 8 && board[8 * r + c] == own) {
                return true;
            }
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    const int32_t team = std::atoi(argv[1]);
    const bool is_blind = argc > 2 && std::string(argv[2]) == "black";
    int line = connect_as(team);
    for (;;) {
        int32_t head[2], rest[65];
        if (!receive(line, head, 8) || (head[0] != 0 && !receive(line, rest, sizeof rest))) {
            close(line);
            line = connect_as(team);
            continue;
        }
        if (head[0] == 0) {
            return 0;
        }
        const int own = rest[64] || is_blind ? 1 : 2;
        int32_t answer[4] = {1, head[1], 0, 0};
        for (int i = 63; i >= 0; i--) {
            const int square = is_blind ? i : 63 - i;
            const int row = square / 8, column = square % 8;
            const bool is_border = row == 0 || row == 7 || column == 0 || column == 7;
            if (rest[square] == 0 && (is_border ? flips(rest, row, column, own) : true)) {
                answer[2] = row, answer[3] = column;
                if (is_border || !is_blind) {
                    break;
                }
            }
        }
        if (write(line, answer, sizeof answer) != sizeof answer) {
            return 1;
        }
    }
}
