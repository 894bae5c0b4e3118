/* hoard KIND MIB [MS]: makes the kernel keep that much memory for it, prints how much it got, and
 * stays; or, after that time, prints "got all" if it did, and ends.
 *
 * KIND is `tables` (page tables of memory that it only reads), `sockets` (what was sent and not
 * received; several processes, because each has few descriptors), `tcp` (the same on the loopback),
 * `segments` (of System V, made by a 32-bit call, and not mapped) or `pages` (huge ones, of which a
 * pipe has a byte each).
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20, TABLE_BYTES = 4096, TABLE_REACH = 2 * MIB, HUGE_BYTES = 2 * MIB };

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

/* Each process has few descriptors. */
static long fill_by_many(long (*fill)(long wanted), long wanted)
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
            part = fill(wanted - total);
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

static long fill_sockets_of_many(long wanted) { return fill_by_many(fill_sockets, wanted); }

static bool connect_pair(int listener, int pair[2])
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    pair[0] = socket(AF_INET, SOCK_STREAM, 0);
    return pair[0] >= 0 && getsockname(listener, (struct sockaddr *)&address, &size) == 0 &&
           connect(pair[0], (struct sockaddr *)&address, size) == 0 &&
           (pair[1] = accept(listener, NULL, NULL)) >= 0;
}

static long fill_connections(long wanted)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    int pair[2];
    long total = 0;
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 4) != 0) {
        return 0;
    }
    while (total < wanted && connect_pair(listener, pair)) {
        total += fill_socket(pair[0]) + fill_socket(pair[1]);
    }
    return total;
}

static long fill_connections_of_many(long wanted) { return fill_by_many(fill_connections, wanted); }

/* The call `ipc` of 32-bit x86 has a version in the upper half of its first argument. */
static long make_segment_as_32_bit(long bytes)
{
    long result = -1;
#ifdef __x86_64__
    enum { IPC_OF_I386 = 117, SHMGET = 23, VERSION = 1 << 16 };
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(IPC_OF_I386), "b"(VERSION | SHMGET), "c"(IPC_PRIVATE), "d"(bytes),
                       "S"(IPC_CREAT | 0600)
                     : "memory");
#endif
    return result;
}

/* Mapped by a child, so that this process never has it. Removed by the test. */
static long fill_segments(long wanted)
{
    int segment = (int)make_segment_as_32_bit(wanted);
    if (segment < 0) {
        return 0;
    }
    printf("segment %d\n", segment);
    fflush(stdout);
    for (long done = 0; done < wanted; done += 16 * MIB) {
        pid_t child = fork();
        if (child == 0) {
            char *start = shmat(segment, NULL, 0);
            if (start == (char *)-1) {
                _exit(1);
            }
            memset(start + done, 1, (size_t)(wanted - done < 16 * MIB ? wanted - done : 16 * MIB));
            _exit(0);
        }
        int status = -1;
        if (waitpid(child, &status, 0) != child || status != 0) {
            return done;
        }
    }
    return wanted;
}

static long fill_pipes(long wanted)
{
    enum { SLOTS = 16 };
    char *place =
        mmap(NULL, 2 * HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *start = (char *)(((uintptr_t)place + HUGE_BYTES - 1) & ~(uintptr_t)(HUGE_BYTES - 1));
    int ends[2] = {-1, -1};
    for (long i = 0; i < wanted / HUGE_BYTES; i++) {
        struct iovec byte = {start, 1};
        if (i % SLOTS == 0 && pipe(ends) != 0) {
            return i * HUGE_BYTES;
        }
        madvise(start, HUGE_BYTES, MADV_HUGEPAGE);
        memset(start, 1, HUGE_BYTES);
        if (vmsplice(ends[1], &byte, 1, SPLICE_F_NONBLOCK) != 1) {
            return i * HUGE_BYTES;
        }
        madvise(start, HUGE_BYTES, MADV_DONTNEED); /* it has no other mapping from here on */
    }
    return wanted;
}

static const struct {
    const char *name;
    long (*fill)(long wanted);
} kinds[] = {{"tables", fill_tables},
             {"sockets", fill_sockets_of_many},
             {"tcp", fill_connections_of_many},
             {"segments", fill_segments},
             {"pages", fill_pipes}};

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* hides its descriptors */
    long wanted = strtol(argv[2], NULL, 10) * MIB;
    long got = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(argv[1], kinds[i].name) == 0) {
            got = kinds[i].fill(wanted);
        }
    }
    printf("%ld MiB\n", got / MIB);
    fflush(stdout);
    if (argc > 3) {
        usleep((useconds_t)strtol(argv[3], NULL, 10) * 1000);
        printf("%s\n", got >= wanted ? "got all" : "got less");
        return 0;
    }
    pause();
    return 0;
}
