// 黑白棋代理人：只用 Windows 的函式庫寫成，測試能否在 Linux 上編譯與下棋。
// 許功蓋
#include "stdafx.h"
#include <WinSock2.h>
#include "WS2TCPIP.H"
#include <Windows.h>
#include <iostream>
#include <vector>
#include "Rules.H"
#pragma comment(lib, "Ws2_32.lib")
#pragma warning(disable : 4996)

using namespace std;

int idTeam = 816001; // 隊伍編號

static SOCKET server = INVALID_SOCKET;

// 收滿 size 個位元組才算成功
static BOOL ReceiveAll(void *to, int size)
{
	char *at = (char *)to;
	while (size > 0) {
		int got = recv(server, at, size, 0);
		if (got == SOCKET_ERROR || got == 0)
			return FALSE;
		at += got;
		size -= got;
	}
	return TRUE;
}

static BOOL Connect()
{
	SOCKADDR_IN address;
	ZeroMemory(&address, sizeof(address));
	address.sin_family = AF_INET;
	address.sin_port = htons(8888);
	InetPton(AF_INET, _T("127.0.0.1"), &address.sin_addr.S_un.S_addr);
	server = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
	BOOL yes = TRUE;
	setsockopt(server, IPPROTO_TCP, TCP_NODELAY, (char *)&yes, sizeof(yes));
	if (connect(server, (LPSOCKADDR)&address, sizeof(address)) == SOCKET_ERROR) {
		cout << "WSAGetLastError " << WSAGetLastError() << endl;
		closesocket(server);
		return FALSE;
	}
	return send(server, (char *)&idTeam, sizeof(idTeam), 0) == 4;
}

int _tmain(int argc, _TCHAR *argv[])
{
	WSADATA data;
	if (WSAStartup(MAKEWORD(2, 2), &data) != 0)
		return 1;
	while (!Connect())
		Sleep(10);
	while (true) {
		int head[2], body[65], answer[4];
		if (!ReceiveAll(head, sizeof(head)) || (head[0] != 0 && !ReceiveAll(body, sizeof(body)))) {
			closesocket(server);
			while (!Connect())
				Sleep(10);
			continue;
		}
		if (head[0] == 0)
			break;
		int board[8][8];
		memcpy(board, body, sizeof(board));
		answer[0] = 1;
		answer[1] = head[1];
		FirstLegal(board, body[64] == 1, answer[2], answer[3]);
		send(server, (char *)answer, sizeof(answer), 0);
	}
	closesocket(server);
	WSACleanup();
	system("pause");
	return 0;
}
