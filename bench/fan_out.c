/* fan_out: how soon an event reaches the last of many spectators, in the arena and in a program
 * that does nothing else.
 *
 * usage: bench_fan_out bare
 *            serves, and prints its port; each line of stdin goes to all clients
 *        bench_fan_out lines COUNT
 *            prints COUNT events, for the bare program
 *        bench_fan_out events DATABASE COUNT
 *            writes them into a tournament, as its judge does
 *        bench_fan_out watch PORT SPECTATORS COUNT
 *            prints "ready", then the times of COUNT events; with 0 it reads until the server ends
 *
 * An event contains the moment at which it was made. The kernel notes when the bytes arrive at a
 * socket; on the loopback device that is when they are written. Therefore the spectators' own
 * slowness is not measured.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "store/store.h"
#include "store/writer.h"

enum { MAX_CLIENTS = 4000, LINE_BYTES = 4096, PAUSE_MS = 40, MAX_EVENTS = 100000 };

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void pause_a_moment(void) { nanosleep(&(struct timespec){0, PAUSE_MS * 1000000}, NULL); }

static void fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static struct sockaddr_in loopback(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* --- The bare program. --- */

static int accept_client(int listener)
{
    char request[LINE_BYTES];
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    int on = 1;
    int client = accept(listener, NULL, NULL);
    if (client < 0 || recv(client, request, sizeof request, 0) <= 0 ||
        send(client, head, sizeof head - 1, MSG_NOSIGNAL) < 0) {
        fail("a client");
    }
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return client;
}

static int run_bare(void)
{
    static int clients[MAX_CLIENTS];
    static char line[LINE_BYTES];
    size_t count = 0;
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 512) ||
        getsockname(listener, (struct sockaddr *)&address, &size)) {
        fail("listen");
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct pollfd waits[] = {{.fd = 0, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
    while (poll(waits, 2, -1) > 0) {
        if (waits[1].revents && count < MAX_CLIENTS) {
            clients[count++] = accept_client(listener);
        }
        ssize_t bytes = waits[0].revents ? read(0, line, sizeof line) : 1;
        if (bytes <= 0) {
            break;
        }
        for (size_t i = 0; waits[0].revents && i < count; i++) {
            send(clients[i], line, (size_t)bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
        }
    }
    return EXIT_SUCCESS;
}

/* --- Events. --- */

static int print_lines(int count)
{
    for (int i = 1; i <= count; i++) {
        int64_t now = now_ns();
        printf("id: %d\ndata: {\"id\":%d,\"at_ms\":%" PRId64
               ",\"game\":1,\"kind\":\"ply\",\"text\":\"%" PRId64 "\"}\n\n",
               i, i, now / 1000000, now);
        fflush(stdout);
        pause_a_moment();
    }
    return EXIT_SUCCESS;
}

static void ignore(void *owner) { (void)owner; }

static int write_events(const char *path, int count)
{
    struct store *store = NULL;
    struct writer *writer = NULL;
    struct note why;
    if (store_open(path, STORE_CHANGE, &store, &why) ||
        writer_start(&writer, store, NULL, ignore, &why)) {
        fprintf(stderr, "%s\n", why.text);
        return EXIT_FAILURE;
    }
    sleep(2); /* the arena notices that a process plays */
    for (int i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%" PRId64, now_ns());
        writer_add_ply(writer, 0, text);
        pause_a_moment();
    }
    enum err err = writer_stop(writer, &why);
    store_close(store);
    return err ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* --- Spectators. --- */

struct arrivals {
    int count;
    int64_t first_ns; /* the moment of the first event of this run: older ones do not count */
    int64_t made_ns[MAX_EVENTS];
    int64_t last_ns[MAX_EVENTS];
    int received[MAX_EVENTS];
};

static int open_spectator(int port)
{
    static const char request[] = "GET /api/v1/tournaments/1/events HTTP/1.1\r\nHost: "
                                  "localhost\r\n\r\n";
    struct sockaddr_in address = loopback(port);
    int on = 1;
    int client = socket(AF_INET, SOCK_STREAM, 0);
    if (client < 0 || connect(client, (struct sockaddr *)&address, sizeof address) ||
        setsockopt(client, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) ||
        send(client, request, sizeof request - 1, 0) < 0) {
        fail("connect");
    }
    return client;
}

/* The bytes that have arrived, as text, and when the last of them did; false: none are left. */
static bool receive(int client, char *text, size_t room, int64_t *at_ns)
{
    union {
        char bytes[256];
        struct cmsghdr align;
    } control;
    struct iovec part = {text, room - 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t bytes = recvmsg(client, &message, MSG_DONTWAIT);
    if (bytes == 0) {
        fprintf(stderr, "a spectator was disconnected\n");
        exit(EXIT_FAILURE);
    }
    if (bytes < 0) {
        return false;
    }
    text[bytes] = '\0';
    *at_ns = now_ns();
    for (struct cmsghdr *part_of = CMSG_FIRSTHDR(&message); part_of;
         part_of = CMSG_NXTHDR(&message, part_of)) {
        if (part_of->cmsg_level == SOL_SOCKET && part_of->cmsg_type == SO_TIMESTAMPNS) {
            struct timespec stamp;
            memcpy(&stamp, CMSG_DATA(part_of), sizeof stamp);
            *at_ns = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
        }
    }
    return true;
}

static int find_event(struct arrivals *all, int64_t made_ns)
{
    for (int i = all->count; i-- > 0;) {
        if (all->made_ns[i] == made_ns) {
            return i;
        }
    }
    if (all->count < MAX_EVENTS) {
        all->made_ns[all->count] = made_ns;
        all->count++;
    }
    return all->count - 1;
}

static void note_arrivals(struct arrivals *all, const char *text, int64_t at_ns)
{
    for (const char *at = text; (at = strstr(at, "\"text\":\""));) {
        at += strlen("\"text\":\"");
        int64_t made_ns = strtoll(at, NULL, 10);
        if (made_ns < all->first_ns) {
            continue;
        }
        int event = find_event(all, made_ns);
        all->received[event]++;
        all->last_ns[event] = at_ns > all->last_ns[event] ? at_ns : all->last_ns[event];
    }
}

static int by_size(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a;
    int64_t two = *(const int64_t *)b;
    return (one > two) - (one < two);
}

static int run_watch(int port, int spectators, int count)
{
    static struct arrivals all;
    static int64_t times[MAX_EVENTS];
    static char text[65536];
    struct epoll_event ready[512];
    int waits = epoll_create1(0);
    for (int i = 0; i < spectators; i++) {
        int client = open_spectator(port);
        struct epoll_event wanted = {.events = EPOLLIN, .data.fd = client};
        char head[LINE_BYTES];
        if (recv(client, head, sizeof head, MSG_PEEK) <= 0 ||
            epoll_ctl(waits, EPOLL_CTL_ADD, client, &wanted)) {
            fail("a spectator");
        }
    }
    all.first_ns = now_ns();
    puts("ready");
    fflush(stdout);
    for (int complete = 0; complete < count || !count;) {
        int found = epoll_wait(waits, ready, 512, 30000);
        if (found <= 0) {
            fprintf(stderr, "only %d of %d events arrived\n", complete, count);
            return EXIT_FAILURE;
        }
        for (int i = 0; i < found; i++) {
            int64_t at_ns = 0;
            while (receive(ready[i].data.fd, text, sizeof text, &at_ns)) {
                note_arrivals(&all, text, at_ns);
            }
        }
        complete = 0;
        for (int i = 0; i < all.count; i++) {
            complete += all.received[i] == spectators;
        }
    }
    for (int i = 0; i < count; i++) {
        times[i] = all.last_ns[i] - all.made_ns[i];
    }
    qsort(times, (size_t)count, sizeof *times, by_size);
    int64_t median_ns = times[count / 2];
    int64_t slow_ns = times[count * 99 / 100];
    printf("%.2f %.2f\n", (double)median_ns / 1e6, (double)slow_ns / 1e6);
    return EXIT_SUCCESS;
}

static int number_in(const char *text) { return (int)strtol(text, NULL, 10); }

int main(int argc, char **argv)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (argc == 2 && strcmp(argv[1], "bare") == 0) {
        return run_bare();
    }
    if (argc == 3 && strcmp(argv[1], "lines") == 0) {
        return print_lines(number_in(argv[2]));
    }
    if (argc == 4 && strcmp(argv[1], "events") == 0) {
        return write_events(argv[2], number_in(argv[3]));
    }
    if (argc == 5 && strcmp(argv[1], "watch") == 0) {
        return run_watch(number_in(argv[2]), number_in(argv[3]), number_in(argv[4]));
    }
    fprintf(stderr, "usage: bench_fan_out bare | lines COUNT | events DATABASE COUNT | watch PORT "
                    "SPECTATORS COUNT\n");
    return EXIT_FAILURE;
}
