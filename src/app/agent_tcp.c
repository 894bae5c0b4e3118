/* agent_tcp: a client of the courses' TCP judge. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "app/agent.h"
#include "protocol/wire.h"

enum {
    CONNECT_TRIES = 100,
    CONNECT_PAUSE_MS = 100,
};

static void pause_ms(int ms)
{
    struct timespec span = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&span, NULL);
}

static int connect_once(const char *host, int port)
{
    char service[8];
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int descriptor = -1;
    snprintf(service, sizeof service, "%d", port);
    if (getaddrinfo(host, service, &hints, &found)) {
        return -1;
    }
    for (struct addrinfo *at = found; at && descriptor < 0; at = at->ai_next) {
        descriptor = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
        if (descriptor >= 0 && connect(descriptor, at->ai_addr, at->ai_addrlen)) {
            close(descriptor);
            descriptor = -1;
        }
    }
    freeaddrinfo(found);
    return descriptor;
}

static bool send_all(int descriptor, const uint8_t *bytes, size_t count)
{
    while (count) {
        ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        count -= (size_t)sent;
    }
    return true;
}

static bool read_all(int descriptor, uint8_t *bytes, size_t count)
{
    while (count) {
        ssize_t got = recv(descriptor, bytes, count, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        bytes += got;
        count -= (size_t)got;
    }
    return true;
}

/* Connects and sends the team number; -1: no answer. */
static int join(const char *host, int port, int team)
{
    uint8_t hello[WIRE_TEAM_BYTES];
    int on = 1;
    wire_write_number(hello, team);
    for (int i = 0; i < CONNECT_TRIES; i++) {
        int descriptor = connect_once(host, port);
        if (descriptor >= 0) {
            setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            if (send_all(descriptor, hello, sizeof hello)) {
                return descriptor;
            }
            close(descriptor);
        }
        pause_ms(CONNECT_PAUSE_MS);
    }
    return -1;
}

/* The last question and its answer: after a lost connection the same question may come again. */
struct agent_connection {
    struct agent_memory memory;
    uint8_t question[WIRE_BOARD_BYTES];
    uint8_t answer[WIRE_ANSWER_BYTES];
    size_t answer_bytes; /* 0: nothing was asked yet */
};

static enum err find_answer(const struct agent *agent, struct agent_connection *talk,
                            struct note *why)
{
    struct wire_question question = wire_read_board(talk->question);
    struct move move;
    enum err err = agent_answer(agent, &talk->memory, question.cells, question.side, &move, why);
    if (err) {
        note_prefix(why, "the judge sent a board that is none");
        return err;
    }
    talk->answer_bytes = wire_write_answer(agent->game, &move, question.id, talk->answer);
    return ERR_NONE;
}

/* Answers until the judge sends stop or the connection breaks. */
static enum err answer_boards(const struct agent *agent, int descriptor,
                              struct agent_connection *talk, bool *was_stopped, struct note *why)
{
    uint8_t question[WIRE_BOARD_BYTES];
    bool can_be_repeated = talk->answer_bytes > 0;
    while (read_all(descriptor, question, WIRE_STOP_BYTES)) {
        if (wire_read_number(question) == 0) {
            *was_stopped = true;
            return ERR_NONE;
        }
        if (!read_all(descriptor, question + WIRE_STOP_BYTES, sizeof question - WIRE_STOP_BYTES)) {
            return ERR_NONE;
        }
        if (!can_be_repeated || memcmp(question, talk->question, sizeof question) != 0) {
            memcpy(talk->question, question, sizeof question);
            enum err err = find_answer(agent, talk, why);
            if (err) {
                return err;
            }
        }
        can_be_repeated = false;
        if (!send_all(descriptor, talk->answer, talk->answer_bytes)) {
            return ERR_NONE;
        }
    }
    return ERR_NONE;
}

enum err agent_tcp(const struct agent *agent, const char *host, int port, int team,
                   struct note *why)
{
    struct agent_connection talk = {.answer_bytes = 0};
    bool was_stopped = false;
    while (!was_stopped) {
        int descriptor = join(host, port, team);
        if (descriptor < 0) {
            return note_fail(why, ERR_ENVIRONMENT,
                             "no answer at %.100s, port %d; is the judge running?", host, port);
        }
        enum err err = answer_boards(agent, descriptor, &talk, &was_stopped, why);
        close(descriptor);
        if (err) {
            return err;
        }
    }
    return ERR_NONE;
}
