#include "cluster/secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VALID_DAYS = 3650, CLOCK_SKEW_DAYS = 2 };

static void write_digits(const unsigned char *bytes, size_t count, char *out)
{
    for (size_t i = 0; i < count; i++) {
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    }
}

enum err secrets_hash(const void *data, size_t count, char out[CLUSTER_HASH_BYTES])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    if (!EVP_Digest(data, count, digest, &length, EVP_sha256(), NULL)) {
        return ERR_ENVIRONMENT;
    }
    write_digits(digest, length, out);
    return ERR_NONE;
}

enum err secrets_password(char out[SECRETS_PASSWORD_BYTES], struct note *why)
{
    unsigned char bytes[(SECRETS_PASSWORD_BYTES - 1) / 2];
    if (RAND_bytes(bytes, sizeof bytes) != 1) {
        return note_fail(why, ERR_ENVIRONMENT, "no random numbers for a password");
    }
    write_digits(bytes, sizeof bytes, out);
    return ERR_NONE;
}

/* --- Certificates --- */

static bool add_extension(X509 *certificate, X509 *issuer, int kind, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    bool is_added = extension && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return is_added;
}

/* Without extensions and signature. */
static X509 *make_certificate(EVP_PKEY *key, const char *name, const X509_NAME *issuer)
{
    X509 *certificate = X509_new();
    unsigned char serial[8];
    if (!certificate || RAND_bytes(serial, sizeof serial) != 1) {
        X509_free(certificate);
        return NULL;
    }
    serial[0] &= 0x7f;
    X509_NAME *subject = X509_get_subject_name(certificate);
    BIGNUM *number = BN_bin2bn(serial, sizeof serial, NULL);
    bool is_made = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) &&
                   X509_set_version(certificate, X509_VERSION_3) &&
                   X509_gmtime_adj(X509_getm_notBefore(certificate), -CLOCK_SKEW_DAYS * 86400L) &&
                   X509_gmtime_adj(X509_getm_notAfter(certificate), VALID_DAYS * 86400L) &&
                   X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                              (const unsigned char *)name, -1, -1, 0) &&
                   X509_set_issuer_name(certificate, issuer ? issuer : subject) &&
                   X509_set_pubkey(certificate, key);
    BN_free(number);
    if (!is_made) {
        X509_free(certificate);
        return NULL;
    }
    return certificate;
}

static X509 *make_authority(EVP_PKEY *key)
{
    X509 *ca = make_certificate(key, "Plum tournament queue", NULL);
    if (ca && add_extension(ca, ca, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
        add_extension(ca, ca, NID_key_usage, "critical,keyCertSign") &&
        add_extension(ca, ca, NID_subject_key_identifier, "hash") &&
        X509_sign(ca, key, EVP_sha256())) {
        return ca;
    }
    X509_free(ca);
    return NULL;
}

static X509 *make_server(EVP_PKEY *key, const char *name, X509 *ca, EVP_PKEY *ca_key)
{
    char names[128];
    X509 *server = make_certificate(key, name, X509_get_subject_name(ca));
    snprintf(names, sizeof names, "DNS:%s", name);
    if (server && add_extension(server, ca, NID_basic_constraints, "critical,CA:FALSE") &&
        add_extension(server, ca, NID_ext_key_usage, "serverAuth") &&
        add_extension(server, ca, NID_subject_alt_name, names) &&
        add_extension(server, ca, NID_authority_key_identifier, "keyid") &&
        X509_sign(server, ca_key, EVP_sha256())) {
        return server;
    }
    X509_free(server);
    return NULL;
}

static bool write_pem(const char *folder, const char *name, X509 *certificate, EVP_PKEY *key)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file) {
        if (descriptor >= 0) {
            close(descriptor);
        }
        return false;
    }
    bool is_written = certificate ? PEM_write_X509(file, certificate)
                                  : PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL);
    return fclose(file) == 0 && is_written;
}

enum err secrets_make_certificates(const char *folder, const char *name, struct note *why)
{
    EVP_PKEY *ca_key = EVP_EC_gen("P-256");
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *ca = ca_key && key ? make_authority(ca_key) : NULL;
    X509 *server = ca ? make_server(key, name, ca, ca_key) : NULL;
    enum err err = ERR_NONE;
    errno = 0;
    if (!server) {
        err = note_fail(why, ERR_ENVIRONMENT, "libcrypto cannot make a certificate");
    } else if (!write_pem(folder, "server.key", NULL, key) ||
               !write_pem(folder, "server.pem", server, NULL) ||
               !write_pem(folder, "ca.pem", ca, NULL)) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write certificates into %.200s: %s", folder,
                        strerror(errno));
    }
    X509_free(server);
    X509_free(ca);
    EVP_PKEY_free(key);
    EVP_PKEY_free(ca_key);
    return err;
}

enum err secrets_check_certificate(const char *pem)
{
    BIO *source = BIO_new_mem_buf(pem, -1);
    X509 *certificate = source ? PEM_read_bio_X509(source, NULL, NULL, NULL) : NULL;
    enum err err = certificate ? ERR_NONE : ERR_INPUT;
    X509_free(certificate);
    BIO_free(source);
    ERR_clear_error();
    return err;
}
