/* queue_url: the address of a NATS server as a user writes it. */
#ifndef CLUSTER_QUEUE_URL_H
#define CLUSTER_QUEUE_URL_H

#include "base/note.h"

/* ERR_INPUT: it does not have the form nats://[USER:PASSWORD@]HOST[:PORT] or tls://… */
MUST_USE enum err queue_url_check(const char *url, struct note *why);

/* "HOST:PORT" in it: a password is before that. */
const char *queue_url_place(const char *url);

#endif
