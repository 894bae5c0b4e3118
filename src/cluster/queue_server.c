#include "cluster/queue_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/number.h"
#include "cluster/cluster_subject.h"
#include "cluster/queue_url.h"
#include "cluster/secrets.h"

enum { MAX_PAYLOAD_BYTES = 32 << 20, FILE_BYTES = 4 << 20, STOP_MS = 5000, LOCK_MS = 20000 };

static const char own_user[] = "coordinator";
static const char all_networks[] = "0.0.0.0";

/* --- Files of the folder --- */

static void name_file(const char *folder, const char *name, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s/%s", folder, name);
}

/* Its text; NULL: there is none. The caller frees. */
static char *read_text(const char *folder, const char *name)
{
    char path[PATH_MAX];
    size_t bytes = 0;
    name_file(folder, name, path);
    return file_read_head(path, FILE_BYTES, &bytes);
}

static enum err write_text(const char *folder, const char *name, const char *mode, const char *text,
                           struct note *why)
{
    char path[PATH_MAX];
    name_file(folder, name, path);
    mode_t before = umask(077);
    bool is_written = file_write(path, mode, text, strlen(text));
    int error = errno;
    umask(before);
    return is_written
               ? ERR_NONE
               : note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(error));
}

/* The first line; "": there is none. */
static void read_line(const char *folder, const char *name, char *out, size_t room)
{
    char *text = read_text(folder, name);
    snprintf(out, room, "%.*s", text ? (int)strcspn(text, "\n") : 0, text ? text : "");
    free(text);
}

enum err queue_server_make_folder(const char *folder, char tournament[QUEUE_TOURNAMENT_BYTES],
                                  struct note *why)
{
    char password[SECRETS_PASSWORD_BYTES];
    char path[PATH_MAX];
    enum err err = folder_make(folder, 0700, why);
    name_file(folder, "blobs", path);
    err = err ? err : folder_make(path, 0700, why);
    if (err) {
        return err;
    }
    read_line(folder, "tournament", tournament, QUEUE_TOURNAMENT_BYTES);
    if (tournament[0]) {
        return ERR_NONE;
    }
    err = secrets_password(password, why);
    snprintf(tournament, QUEUE_TOURNAMENT_BYTES, "%.16s", password);
    return err ? err : write_text(folder, "tournament", "w", tournament, why);
}

/* --- Users --- */

static bool find_password(const char *users, const char *name, char out[QUEUE_SECRET_BYTES])
{
    size_t length = strlen(name);
    for (const char *line = users; line && *line;) {
        const char *end = strchr(line, '\n');
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            const char *password = line + length + 1;
            snprintf(out, QUEUE_SECRET_BYTES, "%.*s", (int)strcspn(password, "\n"), password);
            return true;
        }
        line = end ? end + 1 : NULL;
    }
    return false;
}

enum err queue_server_user(const struct queue_server *server, const char *name,
                           struct queue_address *out, struct note *why)
{
    const char *folder = server->folder;
    struct queue_address address = {.url = ""};
    char line[2 * QUEUE_SECRET_BYTES + 4];
    char *users = read_text(folder, "users");
    char *ca = read_text(folder, "ca.pem");
    enum err err = ERR_NONE;
    snprintf(address.user, sizeof address.user, "%s", name);
    if (!find_password(users, name, address.password)) {
        err = secrets_password(address.password, why);
        snprintf(line, sizeof line, "%s %s\n", name, address.password);
        err = err ? err : write_text(folder, "users", "a", line, why);
    }
    memcpy(address.url, server->url, sizeof address.url);
    read_line(folder, "tournament", address.tournament, sizeof address.tournament);
    snprintf(address.ca, sizeof address.ca, "%s", ca ? ca : "");
    free(users);
    free(ca);
    if (!err) {
        *out = address;
    }
    return err;
}

/* --- The configuration --- */

static void write_worker(FILE *out, const char *name, int name_length, const char *password,
                         int password_length, const char *tournament)
{
    struct cluster_subjects names = cluster_subjects_make(tournament);
    fprintf(out, "    { user: \"%.*s\", password: \"%.*s\", permissions: {\n", name_length, name,
            password_length, password);
    fprintf(out, "      publish: { allow: [\"%s\", \"%s\", \"%s\", \"%s\", \"%s.%.*s\",\n",
            names.result, names.hello, names.blob, names.report, names.ply, name_length, name);
    fprintf(out, "        \"$JS.API.CONSUMER.MSG.NEXT.%s.plum\", \"$JS.ACK.%s.plum.>\"] }\n",
            names.jobs, names.jobs);
    fprintf(out, "      subscribe: { allow: [\"_INBOX.%.*s.>\", \"%s\"] } } }\n", name_length, name,
            names.over);
}

static enum err write_configuration(const struct queue_server *server, struct note *why)
{
    const char *folder = server->folder;
    char tournament[QUEUE_TOURNAMENT_BYTES];
    char *text = NULL;
    size_t bytes = 0;
    char *users = read_text(folder, "users");
    FILE *out = open_memstream(&text, &bytes);
    read_line(folder, "tournament", tournament, sizeof tournament);
    if (!out || !users) {
        if (out) {
            fclose(out);
        }
        free(text);
        free(users);
        return note_fail(why, ERR_ENVIRONMENT, "cannot read %.200s/users", folder);
    }
    fprintf(out,
            "# Written by plum; changes are lost.\n"
            "listen: \"%s\"\nserver_name: \"plum-%s\"\nmax_payload: %d\npid_file: \"server.pid\"\n"
            "log_file: \"server.log\"\nlogfile_size_limit: 16777216\n"
            "jetstream { store_dir: \"streams\" }\n"
            "tls { cert_file: \"server.pem\", key_file: \"server.key\", timeout: 10 }\n"
            "authorization {\n  timeout: 15\n  users: [\n",
            server->listen, tournament, MAX_PAYLOAD_BYTES);
    for (const char *line = users; *line;) {
        int name = (int)strcspn(line, " \n");
        const char *password = line + name + (line[name] == ' ');
        int length = (int)strcspn(password, "\n");
        if (name == (int)strlen(own_user) && strncmp(line, own_user, (size_t)name) == 0) {
            fprintf(out, "    { user: \"%s\", password: \"%.*s\" }\n", own_user, length, password);
        } else if (name && length) {
            write_worker(out, line, name, password, length, tournament);
        }
        line = password + length + (password[length] == '\n');
    }
    fprintf(out, "  ]\n}\n");
    enum err err = ERR_NONE;
    if (fclose(out)) {
        err = note_fail(why, ERR_ENVIRONMENT, "no memory for server.conf");
    }
    err = err ? err : write_text(folder, "server.conf", "w", text, why);
    free(text);
    free(users);
    return err;
}

/* --- Addresses --- */

/* An address by which other machines may find this one: `preferred`, if this machine has it, else
 * the first that is not of the loopback. */
static void find_own_address(const char *preferred, char out[INET_ADDRSTRLEN])
{
    struct ifaddrs *list = NULL;
    snprintf(out, INET_ADDRSTRLEN, "127.0.0.1");
    if (getifaddrs(&list)) {
        return;
    }
    bool is_found = false;
    for (const struct ifaddrs *one = list; one; one = one->ifa_next) {
        char text[INET_ADDRSTRLEN];
        bool is_usable = one->ifa_addr && one->ifa_addr->sa_family == AF_INET &&
                         (one->ifa_flags & IFF_RUNNING) && !(one->ifa_flags & IFF_LOOPBACK);
        if (is_usable && inet_ntop(AF_INET, &((struct sockaddr_in *)one->ifa_addr)->sin_addr, text,
                                   sizeof text)) {
            bool is_preferred = strcmp(text, preferred) == 0;
            if (is_preferred || !is_found) {
                memcpy(out, text, sizeof text);
            }
            is_found = true;
            if (is_preferred) {
                break;
            }
        }
    }
    freeifaddrs(list);
}

/* Where it listens, and where workers connect. */
static enum err choose_address(struct queue_server *server, const char *address, struct note *why)
{
    char listen[QUEUE_URL_BYTES];
    char known[QUEUE_URL_BYTES];
    char host[256];
    char own[INET_ADDRSTRLEN];
    int64_t port = 0;
    read_line(server->folder, "listen", listen, sizeof listen);
    read_line(server->folder, "url", known, sizeof known);
    if (*address) {
        snprintf(listen, sizeof listen, "%s", address);
    } else if (!*listen) {
        snprintf(listen, sizeof listen, "%s:%d", all_networks, QUEUE_SERVER_PORT);
    }
    const char *colon = strrchr(listen, ':');
    if (strstr(listen, "://")) {
        return note_fail(why, ERR_INPUT,
                         "--workers %.100s: write HOST:PORT; --queue takes an address with ://",
                         listen);
    }
    if (number_read(colon ? colon + 1 : "", "the port of --workers", 1, 65535, &port, why) ||
        strpbrk(listen, "\"\\\n ") || colon == listen || colon - listen > 200) {
        return note_fail(why, ERR_INPUT,
                         "--workers: '%.100s' is not an address and a port, such as "
                         "192.168.1.10:7586",
                         listen);
    }
    snprintf(host, sizeof host, "%.*s", (int)(colon - listen), listen);
    if (strcmp(host, all_networks) == 0) {
        char before[QUEUE_URL_BYTES];
        snprintf(before, sizeof before, "%s", queue_url_place(known));
        before[strcspn(before, ":")] = '\0';
        find_own_address(before, own);
        snprintf(host, sizeof host, "%s", own);
    }
    memcpy(server->listen, listen, sizeof listen);
    snprintf(server->url, sizeof server->url, "tls://%s:%d", host, (int)port);
    return ERR_NONE;
}

enum err queue_server_prepare(struct queue_server *server, const char *address,
                              struct queue_address *out, struct note *why)
{
    const char *folder = server->folder;
    char tournament[QUEUE_TOURNAMENT_BYTES];
    char path[PATH_MAX];
    enum err err = queue_server_make_folder(folder, tournament, why);
    name_file(folder, "ca.pem", path);
    if (!err && access(path, F_OK) != 0) {
        err = secrets_make_certificates(folder, QUEUE_SERVER_NAME, why);
    }
    err = err ? err : choose_address(server, address, why);
    err = err ? err : queue_server_user(server, own_user, out, why);
    if (!err && strncmp(server->listen, all_networks, strlen(all_networks)) == 0) {
        snprintf(out->url, sizeof out->url, "tls://127.0.0.1%.8s", strrchr(server->listen, ':'));
    }
    return err;
}

enum err queue_server_save_address(const struct queue_server *server, struct note *change,
                                   struct note *why)
{
    char known[QUEUE_URL_BYTES];
    read_line(server->folder, "url", known, sizeof known);
    enum err err = write_text(server->folder, "listen", "w", server->listen, why);
    err = err ? err : write_text(server->folder, "url", "w", server->url, why);
    change->text[0] = '\0';
    if (!err && *known && strcmp(known, server->url) != 0) {
        note_set(change,
                 "the address for workers has changed: worker files that were written before "
                 "contain %.150s instead of %.150s; write them again and copy them",
                 queue_url_place(known), queue_url_place(server->url));
    }
    return err;
}

/* --- The process --- */

static int64_t changed_ms(const char *folder)
{
    char path[PATH_MAX];
    struct stat status;
    name_file(folder, "users", path);
    return stat(path, &status) ? 0
                               : status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1000000;
}

/* The server of a run that was killed may still be ending: two of them would damage the streams.
 * The lock is the server's as long as it runs. */
static enum err lock_folder(const char *folder, int *out, struct note *why)
{
    char path[PATH_MAX];
    int64_t until_ns = clock_now_ns() + LOCK_MS * CLOCK_NS_PER_MS;
    name_file(folder, "server.lock", path);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(errno));
    }
    while (flock(file, LOCK_EX | LOCK_NB)) {
        if (clock_now_ns() > until_ns) {
            close(file);
            return note_fail(why, ERR_ENVIRONMENT, "another nats-server uses %.200s", folder);
        }
        nanosleep(&(struct timespec){.tv_nsec = 10 * CLOCK_NS_PER_MS}, NULL);
    }
    *out = file;
    return ERR_NONE;
}

/* In the new process: only what is allowed after fork. */
_Noreturn static void become_server(const char *folder, int lock)
{
    static char *const words[] = {"nats-server", "-c", "server.conf", NULL};
    int null = open("/dev/null", O_RDWR);
    /* A server that hangs ignores SIGTERM, and would keep the lock. Its files survive. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid(); /* Ctrl-C is not meant for it */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    if (null >= 0) {
        dup2(null, 0);
        dup2(null, 1);
        dup2(null, 2);
    }
    enum { LOCK = 3 };
    if (lock != LOCK) {
        dup2(lock, LOCK);
    } else {
        fcntl(lock, F_SETFD, 0);
    }
    close_range(LOCK + 1, ~0U, 0);
    if (chdir(folder) == 0) {
        execvp("nats-server", words);
        execv("/usr/sbin/nats-server", words);
    }
    _exit(127);
}

enum err queue_server_start(struct queue_server *server, struct note *why)
{
    server->users_ms = changed_ms(server->folder);
    enum err err = write_configuration(server, why);
    if (err) {
        return err;
    }
    int lock = -1;
    err = lock_folder(server->folder, &lock, why);
    if (err) {
        return err;
    }
    char log[PATH_MAX];
    name_file(server->folder, "server.log", log);
    (void)unlink(log); /* find_reason looks for what happens from now on */
    pid_t process = fork();
    if (process == 0) {
        become_server(server->folder, lock);
    }
    close(lock); /* the server has it */
    if (process < 0) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot start nats-server: %s", strerror(errno));
    }
    server->process = process;
    return ERR_NONE;
}

/* The last line of the log that is an error; what a user can change has a sentence of its own. */
static void find_reason(const struct queue_server *server, struct note *why)
{
    char *log = read_text(server->folder, "server.log");
    const char *found = NULL;
    for (const char *at = log; at && (at = strstr(at, "[FTL]")); at++) {
        found = at + 5;
    }
    for (const char *at = log; !found && at && (at = strstr(at, "[ERR]")); at++) {
        found = at + 5;
    }
    if (!found) {
        note_set(why, "nats-server ended; %.200s/server.log may say why", server->folder);
    } else if (strstr(found, "address already in use")) {
        note_set(why,
                 "another program uses the port of %.150s: choose another one with "
                 "--workers=HOST:PORT",
                 server->listen);
    } else if (strstr(found, "cannot assign requested address") || strstr(found, "no such host")) {
        note_set(why,
                 "this machine does not have the address %.150s: choose one of its own with "
                 "--workers=HOST:PORT ('ip address' lists them)",
                 server->listen);
    } else {
        found += strspn(found, " ");
        note_set(why, "nats-server ended: %.*s", (int)strcspn(found, "\n"), found);
    }
    free(log);
}

bool queue_server_has_ended(struct queue_server *server, struct note *why)
{
    int status = 0;
    if (!server->process || waitpid(server->process, &status, WNOHANG) != server->process) {
        return false;
    }
    server->process = 0;
    server->was_killed = WIFSIGNALED(status);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        note_set(why, "nats-server is not installed: it is in the package nats-server");
    } else {
        find_reason(server, why);
    }
    return true;
}

void queue_server_update(struct queue_server *server)
{
    struct note ignored;
    int64_t now_ms = changed_ms(server->folder);
    if (server->process && now_ms != server->users_ms && !write_configuration(server, &ignored)) {
        server->users_ms = now_ms;
        kill(server->process, SIGHUP);
    }
}

void queue_server_kill(const struct queue_server *server)
{
    if (server->process) {
        kill(server->process, SIGKILL);
    }
}

void queue_server_stop(struct queue_server *server)
{
    if (!server->process) {
        return;
    }
    kill(server->process, SIGTERM);
    for (int waited_ms = 0; waitpid(server->process, NULL, WNOHANG) == 0; waited_ms += 10) {
        if (waited_ms == STOP_MS) {
            kill(server->process, SIGKILL);
        }
        nanosleep(&(struct timespec){.tv_nsec = 10 * CLOCK_NS_PER_MS}, NULL);
    }
    server->process = 0;
}
