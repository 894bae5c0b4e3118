#include "cluster/queue_server.h"

#include <errno.h>
#include <fcntl.h>
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
#include "cluster/secrets.h"

enum { MAX_PAYLOAD_BYTES = 32 << 20, FILE_BYTES = 4 << 20, STOP_MS = 5000, LOCK_MS = 20000 };

static const char own_user[] = "coordinator";

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

enum err queue_server_make_folder(const char *folder, char tournament[24], struct note *why)
{
    char password[SECRETS_PASSWORD_BYTES];
    char path[PATH_MAX];
    enum err err = folder_make(folder, 0700, why);
    name_file(folder, "blobs", path);
    err = err ? err : folder_make(path, 0700, why);
    if (err) {
        return err;
    }
    read_line(folder, "tournament", tournament, 24);
    if (tournament[0]) {
        return ERR_NONE;
    }
    err = secrets_password(password, why);
    snprintf(tournament, 24, "%.16s", password);
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

enum err queue_server_user(const char *folder, const char *name, struct queue_address *out,
                           struct note *why)
{
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
    read_line(folder, "url", address.url, sizeof address.url);
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

static enum err write_configuration(const char *folder, struct note *why)
{
    char listen[QUEUE_URL_BYTES];
    char tournament[24];
    char *text = NULL;
    size_t bytes = 0;
    char *users = read_text(folder, "users");
    FILE *out = open_memstream(&text, &bytes);
    read_line(folder, "listen", listen, sizeof listen);
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
            listen, tournament, MAX_PAYLOAD_BYTES);
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

/* "HOST:PORT": listens there, and workers connect there. */
static enum err save_address(const char *folder, const char *address, struct note *why)
{
    char host[256];
    char url[QUEUE_URL_BYTES];
    char listen[QUEUE_URL_BYTES];
    int64_t port = QUEUE_SERVER_PORT;
    const char *colon = strrchr(address, ':');
    if (strstr(address, "://")) {
        return note_fail(why, ERR_INPUT,
                         "--workers %.100s: write HOST:PORT; --queue takes an address with ://",
                         address);
    }
    if (!*address) {
        if (gethostname(host, sizeof host)) {
            snprintf(host, sizeof host, "localhost");
        }
        host[sizeof host - 1] = '\0';
        snprintf(listen, sizeof listen, "0.0.0.0:%d", QUEUE_SERVER_PORT);
    } else {
        enum err err =
            number_read(colon ? colon + 1 : "", "the port of --workers", 1, 65535, &port, why);
        if (err || strpbrk(address, "\"\\\n ") || colon == address || colon - address > 200) {
            return note_fail(why, ERR_INPUT,
                             "--workers: '%.100s' is not an address and a port, such as "
                             "192.168.1.10:7586",
                             address);
        }
        snprintf(host, sizeof host, "%.*s", (int)(colon - address), address);
        snprintf(listen, sizeof listen, "%s", address);
    }
    snprintf(url, sizeof url, "tls://%s:%d", host, (int)port);
    enum err err = write_text(folder, "listen", "w", listen, why);
    return err ? err : write_text(folder, "url", "w", url, why);
}

enum err queue_server_prepare(const char *folder, const char *address, struct queue_address *out,
                              struct note *why)
{
    char tournament[24];
    char path[PATH_MAX];
    char url[QUEUE_URL_BYTES];
    char listen[QUEUE_URL_BYTES];
    enum err err = queue_server_make_folder(folder, tournament, why);
    name_file(folder, "ca.pem", path);
    if (!err && access(path, F_OK) != 0) {
        err = secrets_make_certificates(folder, QUEUE_SERVER_NAME, why);
    }
    read_line(folder, "url", url, sizeof url);
    if (!err && (*address || !*url)) {
        err = save_address(folder, address, why);
    }
    if (err) {
        return err;
    }
    err = queue_server_user(folder, own_user, out, why);
    read_line(folder, "listen", listen, sizeof listen);
    if (!err &&
        strncmp(listen, "0.0.0.0:", 8) == 0) { /* the name of this host may mean nothing here */
        snprintf(out->url, sizeof out->url, "tls://127.0.0.1:%.8s", listen + 8);
    }
    return err ? err : write_configuration(folder, why);
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
    prctl(PR_SET_PDEATHSIG, SIGTERM);
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
    enum err err = write_configuration(server->folder, why);
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

/* The last line of the log that is an error. */
static void find_reason(const char *folder, struct note *why)
{
    char *log = read_text(folder, "server.log");
    const char *found = NULL;
    for (const char *at = log; at && (at = strstr(at, "[FTL]")); at++) {
        found = at + 5;
    }
    for (const char *at = log; !found && at && (at = strstr(at, "[ERR]")); at++) {
        found = at + 5;
    }
    if (found) {
        found += strspn(found, " ");
        note_set(why, "nats-server ended: %.*s", (int)strcspn(found, "\n"), found);
    } else {
        note_set(why, "nats-server ended; %.200s/server.log may say why", folder);
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
        find_reason(server->folder, why);
    }
    return true;
}

void queue_server_update(struct queue_server *server)
{
    struct note ignored;
    int64_t now_ms = changed_ms(server->folder);
    if (server->process && now_ms != server->users_ms &&
        !write_configuration(server->folder, &ignored)) {
        server->users_ms = now_ms;
        kill(server->process, SIGHUP);
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
