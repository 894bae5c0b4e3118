/* STcpClient: the connection to the judge. Set idTeam; there is nothing else to change here.
 *
 * The judge listens on port 8888 of this machine. All numbers are 32-bit little-endian integers:
 * we send our team's number once; a board comes as code, id_package, 64 cells and is_black; an
 * answer goes as the number of squares, id_package, and row and column of each square. Code 0
 * means stop. Long because one file serves Linux and Windows (link with ws2_32).@CELLS@
 */
#ifndef STCPCLIENT_H
#define STCPCLIENT_H

static int idTeam = -1;
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifdef _WIN32
#include <winsock2.h>
#ifdef _MSC_VER
#pragma comment(lib, "ws2_32.lib")
#endif
#define MSG_NOSIGNAL 0
#else
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace tcp_client
{
enum { PORT = 8888, TRIES = 300, PAUSE_MS = 100, CELLS = 64 };

#ifdef _WIN32
typedef SOCKET Socket;
static const Socket NO_SOCKET = INVALID_SOCKET;
inline void CloseSocket(Socket s) { closesocket(s); }
inline void Pause() { Sleep(PAUSE_MS); }
inline bool Prepare()
{
    WSADATA data;
    return WSAStartup(MAKEWORD(2, 2), &data) == 0;
}
#else
typedef int Socket;
static const Socket NO_SOCKET = -1;
inline void CloseSocket(Socket s) { close(s); }
inline void Pause() { usleep(PAUSE_MS * 1000); }
inline bool Prepare() { return true; }
#endif

static Socket connection = NO_SOCKET;

inline void Disconnect()
{
    if (connection != NO_SOCKET)
        CloseSocket(connection);
    connection = NO_SOCKET;
}

inline bool Send(const std::vector<std::int32_t> &numbers)
{
    const char *data = reinterpret_cast<const char *>(numbers.data());
    int left = static_cast<int>(4 * numbers.size());
    while (left > 0) {
        int sent = static_cast<int>(send(connection, data, left, MSG_NOSIGNAL));
        if (sent <= 0)
            return false;
        data += sent;
        left -= sent;
    }
    return true;
}

inline bool Receive(std::vector<std::int32_t> &numbers)
{
    char *data = reinterpret_cast<char *>(numbers.data());
    int left = static_cast<int>(4 * numbers.size());
    while (left > 0) {
        int received = static_cast<int>(recv(connection, data, left, 0));
        if (received <= 0)
            return false;
        data += received;
        left -= received;
    }
    return true;
}

inline bool Connect()
{
    static const bool is_prepared = Prepare();
    connection = is_prepared ? socket(AF_INET, SOCK_STREAM, 0) : NO_SOCKET;
    if (connection == NO_SOCKET)
        return false;
    const int no_delay = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, reinterpret_cast<const char *>(&no_delay),
               sizeof no_delay);
    sockaddr_in address = sockaddr_in();
    address.sin_family = AF_INET;
    address.sin_port = htons(PORT);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(connection, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0 &&
           Send({idTeam});
}

/* What is not a move ends the program with a sentence; no square at all is left to the judge. */
inline void CheckStep(const std::vector<std::vector<int>> &step)
{
    if (step.empty())
        std::fprintf(stderr, "STcpClient: GetStep returned no square; a move has at least one "
                             "{row, column}\n");
    for (const std::vector<int> &square : step) {
        if (square.size() != 2) {
            std::fprintf(stderr,
                         "STcpClient: GetStep returned a square with %d numbers; a square has "
                         "two, {row, column}\n",
                         static_cast<int>(square.size()));
            std::exit(1);
        }
    }
}
} // namespace tcp_client

/* Waits for your turn. Returns true when the program has to stop. board[row][column] is 0 empty,
 * 1 Black, 2 White, -1 not a square. A lost connection is made again; the judge then sends the
 * same board once more. */
inline bool GetBoard(int &id_package, std::vector<std::vector<int>> &board, bool &is_black)
{
    using namespace tcp_client;
    std::vector<std::int32_t> head(2), body(CELLS + 1);
    for (int tries = 0; tries < TRIES; tries++) {
        if ((connection != NO_SOCKET || Connect()) && Receive(head)) {
            id_package = head[1];
            if (head[0] == 0) {
                Disconnect();
                return true;
            }
            if (Receive(body)) {
                board.assign(8, std::vector<int>(8));
                for (int i = 0; i < CELLS; i++)
                    board[i / 8][i % 8] = body[i];
                is_black = body[CELLS] == 1;
                return false;
            }
        }
        Disconnect();
        Pause();
    }
    std::fprintf(stderr, "STcpClient: no judge at 127.0.0.1:%d\n", PORT);
    std::exit(1);
}

/* Answers the board `id_package` with the squares {row, column} of `step`, the first one first. */
inline void SendStep(int id_package, const std::vector<std::vector<int>> &step)
{
    tcp_client::CheckStep(step);
    std::vector<std::int32_t> numbers = {static_cast<std::int32_t>(step.size()), id_package};
    for (const std::vector<int> &square : step)
        numbers.insert(numbers.end(), {square[0], square[1]});
    if (!tcp_client::Send(numbers))
        tcp_client::Disconnect();
}

/* The same for one square. */
inline void SendStep(int id_package, const std::vector<int> &square)
{
    SendStep(id_package, std::vector<std::vector<int>>(1, square));
}

#endif
