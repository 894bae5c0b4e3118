// Everything of Microsoft's libraries that clients/compat offers, used the way Windows programs do.
#define _CRT_SECURE_NO_WARNINGS
#include <WinSock2.h>
#include <Windows.h>
#include <MMSystem.h>
#include <conio.h>
#include <Direct.h>
#include <Intrin.h>
#include <io.h>
#include <process.h>
#include <ctime>
#include <vector>
#include <iostream>
#include <algorithm>
#include <crtdbg.h>
#pragma comment(lib, "winmm.lib")
using namespace std;

#define CHECK(condition) (condition ? (void)0 : (cout << "wrong, line " << __LINE__ << ": " #condition << endl, exit(1)))

typedef unsigned __int64 Bits;

static CRITICAL_SECTION lock_;
static volatile LONG counter = 0;

DWORD WINAPI Count(LPVOID argument)
{
	EnterCriticalSection(&lock_);
	counter += *(int *)argument;
	LeaveCriticalSection(&lock_);
	return 0;
}

unsigned __stdcall Wait(void *ms)
{
	Sleep(*(DWORD *)ms);
	return 0;
}

static void Strings()
{
	char text[16], other[16];
	strcpy_s(text, "hop");
	strcat_s(text, sizeof(text), "-noloop");
	CHECK(strcmp(text, "hop-noloop") == 0);
	CHECK(strcpy_s(other, 4, "four") != 0 && other[0] == '\0');
	strncpy_s(other, "abcdef", 3);
	CHECK(_stricmp(other, "ABC") == 0 && _strnicmp("ABx", "aby", 2) == 0);
	sprintf_s(text, "%d-%s", 12, "x");
	CHECK(strcmp(text, "12-x") == 0);
	sprintf_s(text, sizeof(text), "%I64s", "y");
	int a = 0, b = 0;
	char c = 0;
	CHECK(sscanf_s("12 word q 34", "%d %s %c %d", &a, text, (unsigned)_countof(text), &c, 1, &b) == 4);
	CHECK(a == 12 && b == 34 && c == 'q' && strcmp(text, "word") == 0);
	char line[] = "a,b", *rest;
	CHECK(strcmp(strtok_s(line, ",", &rest), "a") == 0);
	FILE *file;
	CHECK(fopen_s(&file, "no such file", "r") != 0 && !file);
	time_t now = time(NULL);
	struct tm date;
	CHECK(localtime_s(&date, &now) == 0 && date.tm_year > 100);
}

static void Numbers()
{
	Bits bits = 0x100000000ULL;
	unsigned long index;
	CHECK(_BitScanForward64(&index, bits) && index == 32);
	CHECK(_BitScanReverse64(&index, bits | 1) && index == 32);
	CHECK(!_BitScanForward(&index, 0) && __popcnt64(bits | 7) == 4);
	CHECK(max(3, 4.5) == 4.5 && min(2, 7L) == 2 && std::max(1, 2) == 2 && (max)(5, 6) == 6);
	CHECK(MAKEWORD(2, 1) == 0x102 && LOBYTE(0x102) == 2 && HIWORD(0x50000) == 5);
	BYTE byte = 255;
	DWORD word = -1;
	CHECK(++byte == 0 && ++word == 0 && sizeof(DWORD) == 4 && sizeof(__int64) == 8);
}

static void Time()
{
	LARGE_INTEGER frequency, begin, end;
	clock_t ticks = clock();
	DWORD count = GetTickCount(), timer = timeGetTime();
	ULONGLONG count64 = GetTickCount64();
	QueryPerformanceFrequency(&frequency);
	QueryPerformanceCounter(&begin);
	Sleep(50);
	QueryPerformanceCounter(&end);
	double seconds = double(end.QuadPart - begin.QuadPart) / frequency.QuadPart;
	CHECK(seconds >= 0.049 && seconds < 5);
	CHECK(clock() - ticks >= 49 && clock() - ticks < 5000 && CLOCKS_PER_SEC == 1000);
	CHECK(std::clock() >= 49 && GetTickCount() - count >= 49 && timeGetTime() - timer >= 49);
	CHECK(GetTickCount64() - count64 >= 49);
}

static void Threads()
{
	int one = 1;
	DWORD long_time = 300;
	InitializeCriticalSection(&lock_);
	vector<HANDLE> threads;
	for (int i = 0; i < 8; i++)
		threads.push_back(CreateThread(NULL, 0, Count, &one, 0, NULL));
	for (HANDLE thread : threads) {
		CHECK(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
		CloseHandle(thread);
	}
	CHECK(counter == 8 && InterlockedIncrement(&counter) == 9);
	HANDLE slow = (HANDLE)_beginthreadex(NULL, 0, Wait, &long_time, 0, NULL);
	CHECK(WaitForSingleObject(slow, 10) == WAIT_TIMEOUT);
	CHECK(WaitForSingleObject(slow, 5000) == WAIT_OBJECT_0);
	DeleteCriticalSection(&lock_);
}

static void Sockets()
{
	WSADATA data;
	CHECK(WSAStartup(MAKEWORD(2, 2), &data) == 0 && LOBYTE(data.wVersion) == 2);
	SOCKET listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	SOCKADDR_IN address = {0};
	address.sin_family = AF_INET;
	address.sin_addr.S_un.S_addr = inet_addr("127.0.0.1");
	CHECK(::bind(listener, (SOCKADDR *)&address, sizeof(address)) == 0 && listen(listener, 1) == 0);
	socklen_t size = sizeof(address);
	getsockname(listener, (SOCKADDR *)&address, &size);
	CHECK(connect(client, (SOCKADDR *)&address, sizeof(address)) == 0);
	SOCKET server = accept(listener, NULL, NULL);
	CHECK(server != INVALID_SOCKET);

	fd_set readable;
	FD_ZERO(&readable);
	FD_SET(client, &readable);
	timeval soon = {0, 20000};
	CHECK(select(0, &readable, NULL, NULL, &soon) == 0);
	CHECK(send(server, "x", 1, 0) == 1);
	FD_SET(client, &readable);
	timeval later = {5, 0};
	CHECK(select(0, &readable, NULL, NULL, &later) == 1 && FD_ISSET(client, &readable));
	char got;
	CHECK(recv(client, &got, 1, 0) == 1 && got == 'x');

	DWORD timeout_ms = 30;
	CHECK(setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, (const char *)&timeout_ms, sizeof(timeout_ms)) == 0);
	DWORD begin = GetTickCount();
	CHECK(recv(client, &got, 1, 0) == SOCKET_ERROR && GetTickCount() - begin >= 25);
	u_long nonblocking = 1;
	CHECK(ioctlsocket(client, FIONBIO, &nonblocking) == 0);
	CHECK(recv(client, &got, 1, 0) == SOCKET_ERROR && WSAGetLastError() == WSAEWOULDBLOCK);
	int error = 1, length = sizeof(error);
	CHECK(getsockopt(client, SOL_SOCKET, SO_ERROR, (char *)&error, &length) == 0 && error == 0);

	closesocket(server);
	Sleep(20);
	send(client, "x", 1, 0);
	Sleep(20);
	CHECK(send(client, "x", 1, 0) == SOCKET_ERROR); // and no signal that kills us
	closesocket(client);
	closesocket(listener);
	WSACleanup();
}

static void Console()
{
	HANDLE out = GetStdHandle(STD_OUTPUT_HANDLE);
	COORD where = {1, 2};
	CONSOLE_SCREEN_BUFFER_INFO info;
	CHECK(SetConsoleOutputCP(CP_UTF8) && SetConsoleCursorPosition(out, where));
	CHECK(SetConsoleTextAttribute(out, FOREGROUND_RED | FOREGROUND_INTENSITY));
	CHECK(GetConsoleScreenBufferInfo(out, &info) && SetConsoleTitle(TEXT("agent")));
	CHECK(!_kbhit() && _getch() && _access("/", 0) == 0 && _getpid() > 0);
	_CrtSetDbgFlag(_CRTDBG_ALLOC_MEM_DF | _CRTDBG_LEAK_CHECK_DF);
	CHECK(system("cls") == 0 && std::system("PAUSE") == 0);
	CHECK(system("exit 3") != 0);
}

void main()
{
	Strings();
	Numbers();
	Time();
	Threads();
	Sockets();
	Console();
	cout << "ok" << endl;
	system("pause");
	return;
}
