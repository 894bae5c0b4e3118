/* compat_console: a console window that accepts everything and shows nothing. */
#ifndef COMPAT_CONSOLE_H
#define COMPAT_CONSOLE_H

typedef struct {
    SHORT X, Y;
} COORD;

typedef struct {
    SHORT Left, Top, Right, Bottom;
} SMALL_RECT;

typedef struct {
    COORD dwSize, dwCursorPosition;
    WORD wAttributes;
    SMALL_RECT srWindow;
    COORD dwMaximumWindowSize;
} CONSOLE_SCREEN_BUFFER_INFO;

typedef struct {
    DWORD dwSize;
    BOOL bVisible;
} CONSOLE_CURSOR_INFO;

#define STD_INPUT_HANDLE ((DWORD)-10)
#define STD_OUTPUT_HANDLE ((DWORD)-11)
#define STD_ERROR_HANDLE ((DWORD)-12)
#define CP_ACP 0
#define CP_UTF8 65001
#define FOREGROUND_BLUE 1
#define FOREGROUND_GREEN 2
#define FOREGROUND_RED 4
#define FOREGROUND_INTENSITY 8
#define BACKGROUND_BLUE 16
#define BACKGROUND_GREEN 32
#define BACKGROUND_RED 64
#define BACKGROUND_INTENSITY 128
#define ENABLE_VIRTUAL_TERMINAL_PROCESSING 4

#define GetStdHandle(which) ((HANDLE)(intptr_t)(int)(which))
#define GetConsoleWindow() ((HWND)0)
#define SetConsoleCP(page) ((void)(page), TRUE)
#define SetConsoleOutputCP(page) ((void)(page), TRUE)
#define SetConsoleTitle(text) ((void)(text), TRUE)
#define SetConsoleTitleA(text) ((void)(text), TRUE)
#define SetConsoleTextAttribute(handle, colour) ((void)(handle), (void)(colour), TRUE)
#define SetConsoleCursorPosition(handle, where) ((void)(handle), (void)(where), TRUE)
#define SetConsoleCursorInfo(handle, info) ((void)(handle), (void)(info), TRUE)
#define GetConsoleCursorInfo(handle, info) (memset((info), 0, sizeof *(info)), TRUE)
#define GetConsoleScreenBufferInfo(handle, info) (memset((info), 0, sizeof *(info)), TRUE)
#define GetConsoleMode(handle, mode) (*(mode) = 0, TRUE)
#define SetConsoleMode(handle, mode) ((void)(handle), (void)(mode), TRUE)

#endif
