/* ws2tcpip.h: addresses as text. */
#ifndef COMPAT_WS2TCPIP_H
#define COMPAT_WS2TCPIP_H

#include "winsock2.h"

typedef struct addrinfo ADDRINFO, ADDRINFOA, *PADDRINFOA, *LPADDRINFO;

#define InetPton inet_pton
#define InetPtonA inet_pton
#define InetNtop inet_ntop
#define InetNtopA inet_ntop
#define gai_strerrorA gai_strerror

#endif
