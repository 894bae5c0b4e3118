/* hoard KIND MIB: makes the kernel keep that much memory for it, prints how much it got, and stays.
 *
 * KIND is `tables` (page tables of memory that it only reads) or `sockets` (what was sent and not
 * received; several processes, because each has few descriptors).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MIB = 1 << 20, TABLE_BYTES = 4096, TABLE_REACH = 2 * MIB };

/* One page of a table for each 2 MiB of addresses. */
static long fill_tables(long wanted)
{
    const long tables = wanted / TABLE_BYTES;
    char *start = mmap(NULL, (size_t)tables * TABLE_REACH, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
        return 0;
    }
    madvise(start, (size_t)tables * TABLE_REACH, MADV_NOHUGEPAGE);
    for (long i = 0; i < tables; i++) {
        (void)*(volatile char *)(start + i * TABLE_REACH);
    }
    return wanted;
}

/* As much as a socket takes. */
static long fill_socket(int socket)
{
    static const char piece[32 * 1024];
    const int much = 1 << 30;
    long total = 0;
    ssize_t count;
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &much, sizeof much);
    while ((count = send(socket, piece, sizeof piece, MSG_DONTWAIT | MSG_NOSIGNAL)) > 0) {
        total += count;
    }
    return total;
}

static long fill_sockets(long wanted)
{
    long total = 0;
    int pair[2];
    while (total < wanted && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) {
        total += fill_socket(pair[0]) + fill_socket(pair[1]);
    }
    return total;
}

static long fill_sockets_of_many(long wanted)
{
    enum { PROCESSES = 10 };
    long total = 0;
    int reports[2];
    if (pipe(reports) != 0) {
        return 0;
    }
    for (int i = 0; i < PROCESSES && total < wanted; i++) {
        long part = 0;
        if (fork() == 0) {
            part = fill_sockets(wanted - total);
            (void)!write(reports[1], &part, sizeof part);
            for (;;) {
                pause();
            }
        }
        (void)!read(reports[0], &part, sizeof part);
        total += part;
    }
    return total;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* hides its descriptors */
    long wanted = strtol(argv[2], NULL, 10) * MIB;
    long got = strcmp(argv[1], "tables") == 0 ? fill_tables(wanted) : fill_sockets_of_many(wanted);
    printf("%ld MiB\n", got / MIB);
    fflush(stdout);
    pause();
    return 0;
}
