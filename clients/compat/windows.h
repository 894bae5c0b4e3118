/* windows.h over POSIX: the types, the time, and a console that is not there.
 *
 * Enough for agents that play a board game over a socket or a pipe; see compat_threads.h for
 * threads and locks. Time is wall time in milliseconds, also from clock(), as on Windows.
 */
#ifndef COMPAT_WINDOWS_H
#define COMPAT_WINDOWS_H

#ifdef __cplusplus
#include <climits>
#include <cstring>
#include <type_traits>
#endif
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "compat_prelude.h"
#include "tchar.h"

typedef uint8_t BYTE, *PBYTE, *LPBYTE, UCHAR, BOOLEAN;
typedef uint16_t WORD, *LPWORD, USHORT;
typedef uint32_t DWORD, *PDWORD, *LPDWORD, ULONG, UINT, UINT32;
typedef uint64_t ULONGLONG, DWORD64, UINT64, DWORDLONG;
typedef int64_t LONGLONG, INT64, LONG64;
typedef int32_t LONG, *PLONG, INT, INT32, BOOL, HRESULT;
typedef int16_t SHORT;
typedef char CHAR, *PCHAR, *LPSTR, *PSTR, *LPTSTR;
typedef const char *LPCSTR, *PCSTR, *LPCTSTR;
typedef wchar_t WCHAR, *LPWSTR, *PWSTR;
typedef const wchar_t *LPCWSTR, *PCWSTR;
typedef float FLOAT;
typedef void *PVOID, *LPVOID, *HANDLE, *HWND, *HINSTANCE, *HMODULE;
typedef uintptr_t UINT_PTR, ULONG_PTR, DWORD_PTR;
typedef intptr_t INT_PTR, LONG_PTR;
typedef size_t SIZE_T;

#define VOID void
#define CONST const
#define WINAPI
#define CALLBACK
#define APIENTRY
#define TRUE 1
#define FALSE 0
#define MAX_PATH 260
#define INFINITE 0xffffffffu
#define INVALID_HANDLE_VALUE ((HANDLE)(intptr_t)-1)
#define UNREFERENCED_PARAMETER(name) ((void)(name))
#define ARRAYSIZE(array) _countof(array)

#define MAKEWORD(low, high) ((WORD)(((low)&0xff) | ((high)&0xff) << 8))
#define MAKELONG(low, high) ((LONG)(((low)&0xffff) | ((DWORD)(high)&0xffff) << 16))
#define LOBYTE(word) ((BYTE)((word)&0xff))
#define HIBYTE(word) ((BYTE)((word) >> 8 & 0xff))
#define LOWORD(word) ((WORD)((word)&0xffff))
#define HIWORD(word) ((WORD)((word) >> 16 & 0xffff))

#define ZeroMemory(to, size) memset((to), 0, (size))
#define SecureZeroMemory(to, size) memset((to), 0, (size))
#define FillMemory(to, size, byte) memset((to), (byte), (size))
#define CopyMemory(to, from, size) memcpy((to), (from), (size))
#define MoveMemory(to, from, size) memmove((to), (from), (size))

#ifndef NOMINMAX
#ifdef __cplusplus
/* Templates, not macros, so that std::min and std::max stay usable. Of equal types std's are
 * the better match. */
#ifndef min
template <class A, class B>
constexpr typename std::common_type<A, B>::type min(const A &a, const B &b)
{
    return b < a ? b : a;
}
#endif
#ifndef max
template <class A, class B>
constexpr typename std::common_type<A, B>::type max(const A &a, const B &b)
{
    return a < b ? b : a;
}
#endif
#else
#ifndef min
#define min(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef max
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
#endif

static inline DWORD GetLastError(void) { return (DWORD)errno; }
static inline void SetLastError(DWORD error) { errno = (int)error; }
static inline DWORD GetCurrentProcessId(void) { return (DWORD)getpid(); }
static inline void ExitProcess(UINT code) { exit((int)code); }
static inline void OutputDebugStringA(const char *text) { fputs(text, stderr); }
#define OutputDebugString OutputDebugStringA

#include "compat_time.h"
#include "compat_console.h"
#include "compat_threads.h"
#include "compat_process.h"

#endif
