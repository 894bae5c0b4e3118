/* mswsock.h: a part of winsock2.h here. */
#include "winsock2.h"
