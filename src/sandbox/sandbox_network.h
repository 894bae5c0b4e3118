/* sandbox_network: the loopback of a fresh network namespace, and the judge's listener on it. */
#ifndef SANDBOX_SANDBOX_NETWORK_H
#define SANDBOX_SANDBOX_NETWORK_H

#include "base/err.h"
#include "base/note.h"

MUST_USE enum err sandbox_network_raise_loopback(struct note *why);

/* A listener on 127.0.0.1; the caller closes it. */
MUST_USE enum err sandbox_network_listen(int port, int *out, struct note *why);

#endif
