/* winsock2.h over POSIX sockets. */
#ifndef COMPAT_WINSOCK2_H
#define COMPAT_WINSOCK2_H

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "windows.h"

typedef int SOCKET;
typedef struct sockaddr SOCKADDR, *PSOCKADDR, *LPSOCKADDR;
typedef struct sockaddr_in SOCKADDR_IN, *PSOCKADDR_IN, *LPSOCKADDR_IN;
typedef struct sockaddr_storage SOCKADDR_STORAGE;
typedef struct in_addr IN_ADDR;
typedef struct hostent HOSTENT, *PHOSTENT, *LPHOSTENT;
typedef struct timeval TIMEVAL;

#define INVALID_SOCKET ((SOCKET)-1)
#define SOCKET_ERROR (-1)
#define SD_RECEIVE SHUT_RD
#define SD_SEND SHUT_WR
#define SD_BOTH SHUT_RDWR

#define WSAEINTR EINTR
#define WSAEBADF EBADF
#define WSAEACCES EACCES
#define WSAEINVAL EINVAL
#define WSAEWOULDBLOCK EWOULDBLOCK
#define WSAEINPROGRESS EINPROGRESS
#define WSAEALREADY EALREADY
#define WSAENOTSOCK ENOTSOCK
#define WSAEADDRINUSE EADDRINUSE
#define WSAENETDOWN ENETDOWN
#define WSAENETUNREACH ENETUNREACH
#define WSAECONNABORTED ECONNABORTED
#define WSAECONNRESET ECONNRESET
#define WSAENOBUFS ENOBUFS
#define WSAEISCONN EISCONN
#define WSAENOTCONN ENOTCONN
#define WSAESHUTDOWN ESHUTDOWN
#define WSAETIMEDOUT ETIMEDOUT
#define WSAECONNREFUSED ECONNREFUSED
#define WSAEHOSTUNREACH EHOSTUNREACH

typedef struct {
    WORD wVersion, wHighVersion;
    char szDescription[257], szSystemStatus[129];
} WSADATA, *LPWSADATA;

/* Windows has no SIGPIPE: a broken connection is an error that send returns. */
static inline int WSAStartup(WORD version, WSADATA *data)
{
    signal(SIGPIPE, SIG_IGN);
    memset(data, 0, sizeof *data);
    data->wVersion = version;
    data->wHighVersion = version;
    return 0;
}

static inline int WSACleanup(void) { return 0; }
static inline int WSAGetLastError(void) { return errno; }
static inline void WSASetLastError(int error) { errno = error; }
static inline int closesocket(SOCKET s) { return close(s); }

static inline int ioctlsocket(SOCKET s, long command, unsigned long *argument)
{
    int value = (int)*argument;
    int result = ioctl(s, (unsigned long)command, &value);
    *argument = (unsigned long)value;
    return result;
}

/* Windows gives these two times in milliseconds. */
static inline int compat_setsockopt(SOCKET s, int level, int name, const void *value, int size)
{
    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO) &&
        size == sizeof(DWORD)) {
        struct timeval time;
        DWORD ms;
        memcpy(&ms, value, sizeof ms);
        time.tv_sec = (time_t)(ms / 1000);
        time.tv_usec = (suseconds_t)(ms % 1000) * 1000;
        return setsockopt(s, level, name, &time, sizeof time);
    }
    return setsockopt(s, level, name, value, (socklen_t)size);
}
#define setsockopt compat_setsockopt

/* Windows ignores the first argument. */
static inline int compat_select(int ignored, fd_set *in, fd_set *out, fd_set *other,
                                const struct timeval *time)
{
    struct timeval left = {0, 0};
    (void)ignored;
    if (time) {
        left = *time;
    }
    return select(FD_SETSIZE, in, out, other, time ? &left : NULL);
}
#define select compat_select

#ifdef __cplusplus
static inline int getsockopt(SOCKET s, int level, int name, char *value, int *size)
{
    socklen_t length = (socklen_t)*size;
    int result = getsockopt(s, level, name, (void *)value, &length);
    *size = (int)length;
    return result;
}
#endif

#endif
