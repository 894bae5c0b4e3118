/* plain_http: libmicrohttpd with one page and nothing else, to measure the arena against.
 *
 * usage: bench_plain_http FILE; prints its port, then serves until a signal ends it
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <microhttpd.h>

enum { MAX_BYTES = 1 << 20 };

static enum MHD_Result on_access(void *owner, struct MHD_Connection *connection, const char *path,
                                 const char *method, const char *version, const char *body,
                                 size_t *size, void **slot)
{
    (void)path;
    (void)method;
    (void)version;
    (void)body;
    *size = 0; /* whatever came was read */
    /* An answer before the second call would close the connection. */
    if (!*slot) {
        *slot = owner;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, owner);
}

int main(int argc, char **argv)
{
    static char page[MAX_BYTES];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        return 2;
    }
    size_t bytes = fread(page, 1, sizeof page, file);
    fclose(file);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(bytes, page, MHD_RESPMEM_PERSISTENT);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon =
        MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_access, response,
                         MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_END);
    if (!daemon) {
        return 3;
    }
    printf("%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    pause();
    return 0;
}
