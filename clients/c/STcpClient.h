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

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum { TCP_PORT = 8888, TCP_TRIES = 300, TCP_PAUSE_MS = 100, TCP_MAX_SQUARES = 100 };

#ifdef _WIN32
typedef SOCKET tcp_socket;
#define TCP_NO_SOCKET INVALID_SOCKET
static void tcp_close(tcp_socket s) { closesocket(s); }
static void tcp_pause(void) { Sleep(TCP_PAUSE_MS); }
static bool tcp_prepare(void)
{
    WSADATA data;
    return WSAStartup(MAKEWORD(2, 2), &data) == 0;
}
#else
typedef int tcp_socket;
#define TCP_NO_SOCKET (-1)
static void tcp_close(tcp_socket s) { close(s); }
static void tcp_pause(void) { usleep(TCP_PAUSE_MS * 1000); }
static bool tcp_prepare(void) { return true; }
#endif

static tcp_socket tcp_connection = TCP_NO_SOCKET;

static void tcp_disconnect(void)
{
    if (tcp_connection != TCP_NO_SOCKET) {
        tcp_close(tcp_connection);
    }
    tcp_connection = TCP_NO_SOCKET;
}

static bool tcp_send(const int32_t *numbers, int count)
{
    const char *data = (const char *)numbers;
    for (int left = 4 * count, sent; left > 0; data += sent, left -= sent) {
        sent = (int)send(tcp_connection, data, left, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
    }
    return true;
}

static bool tcp_receive(int32_t *numbers, int count)
{
    char *data = (char *)numbers;
    for (int left = 4 * count, received; left > 0; data += received, left -= received) {
        received = (int)recv(tcp_connection, data, left, 0);
        if (received <= 0) {
            return false;
        }
    }
    return true;
}

static bool tcp_connect(void)
{
    int no_delay = 1;
    int32_t team = idTeam;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(TCP_PORT)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    tcp_connection = tcp_prepare() ? socket(AF_INET, SOCK_STREAM, 0) : TCP_NO_SOCKET;
    if (tcp_connection == TCP_NO_SOCKET) {
        return false;
    }
    setsockopt(tcp_connection, IPPROTO_TCP, TCP_NODELAY, (const char *)&no_delay, sizeof no_delay);
    return connect(tcp_connection, (struct sockaddr *)&address, sizeof address) == 0 &&
           tcp_send(&team, 1);
}

/* Waits for your turn. Returns true when the program has to stop. board[row][column] is 0 empty,
 * 1 Black, 2 White, -1 not a square. A lost connection is made again; the judge then sends the
 * same board once more. */
static bool GetBoard(int *id_package, int board[8][8], bool *is_black)
{
    int32_t head[2], body[65];
    for (int tries = 0; tries < TCP_TRIES; tries++) {
        if ((tcp_connection != TCP_NO_SOCKET || tcp_connect()) && tcp_receive(head, 2)) {
            *id_package = head[1];
            if (head[0] == 0) {
                tcp_disconnect();
                return true;
            }
            if (tcp_receive(body, 65)) {
                for (int i = 0; i < 64; i++) {
                    board[i / 8][i % 8] = body[i];
                }
                *is_black = body[64] == 1;
                return false;
            }
        }
        tcp_disconnect();
        tcp_pause();
    }
    fprintf(stderr, "STcpClient: no judge at 127.0.0.1:%d\n", TCP_PORT);
    exit(1);
}

/* What is not a move ends the program with a sentence; no square at all is left to the judge. */
static void tcp_check(int count)
{
    if (count < 1 || count > TCP_MAX_SQUARES) {
        fprintf(stderr,
                "STcpClient: GetStep returned %d as the number of squares; a move has 1 to %d\n",
                count, TCP_MAX_SQUARES);
    }
    if (count < 0 || count > TCP_MAX_SQUARES) {
        exit(1);
    }
}

/* Answers the board `id_package` with `count` squares {row, column}, the first one first. */
static void SendStep(int id_package, int count, int step[][2])
{
    tcp_check(count);
    int32_t numbers[2 + 2 * TCP_MAX_SQUARES] = {count, id_package};
    for (int i = 0; i < count; i++) {
        numbers[2 + 2 * i] = step[i][0];
        numbers[3 + 2 * i] = step[i][1];
    }
    if (!tcp_send(numbers, 2 + 2 * count)) {
        tcp_disconnect();
    }
}

#endif
