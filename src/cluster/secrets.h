/* secrets: hashes of files, passwords, and the certificates of a queue's server.
 *
 * Made by libcrypto, which libnats needs anyway: no other program has to be installed, and no key
 * is ever on a command line. The authority signs one certificate, and its key is never written.
 */
#ifndef CLUSTER_SECRETS_H
#define CLUSTER_SECRETS_H

#include <stddef.h>

#include "base/note.h"
#include "cluster/cluster_codec.h"

enum { SECRETS_PASSWORD_BYTES = 33 };

/* SHA-256, in hexadecimal digits. */
MUST_USE enum err secrets_hash(const void *data, size_t count, char out[CLUSTER_HASH_BYTES]);

/* 128 random bits, in hexadecimal digits. */
MUST_USE enum err secrets_password(char out[SECRETS_PASSWORD_BYTES], struct note *why);

/* Writes FOLDER/ca.pem, FOLDER/server.pem and FOLDER/server.key (mode 0600). `name` is that of the
 * server. */
MUST_USE enum err secrets_make_certificates(const char *folder, const char *name, struct note *why);

/* ERR_INPUT: it is not a certificate in PEM. */
MUST_USE enum err secrets_check_certificate(const char *pem);

#endif
