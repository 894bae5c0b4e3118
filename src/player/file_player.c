/* file: programs that poll a text file for the board and answer with another.
 *
 * The exchange folder is the sandbox's private one, fresh for each game, and the program's
 * working directory. It belongs to the program, so nothing in it is trusted: links are not
 * followed, and only a regular file is an answer.
 *
 * The protocol has no greeting. A program has started when it has read its first question; its
 * clock runs from there. The kernel reports the reading, for the file that was written: names,
 * access times and the folder belong to the program, which could use them to read in secret.
 *
 * The folder is not watched, since a program could change it endlessly and keep the judge busy. The
 * answer is looked for once in each turn of the loop. It came after the look before, and not before
 * the last change of the file's status, a time that the program cannot set.
 *
 * What was in the folder before a question was written is not an answer to it: an unreadable file
 * costs one turn, however long it stays, and one with a higher index never becomes the answer.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/err.h"
#include "protocol/file_text.h"
#include "base/loop.h"
#include "player/pipe_player.h"

enum {
    GOODBYE_GRACE_MS = 500,
    FIRST_PAUSE_MS = 1, /* between two looks at most; the pauses double up to the last one */
    LAST_PAUSE_MS = 10,
    LARGE_BYTES = 1 << 20, /* to delete 64 MiB takes tens of milliseconds */
    NAME_BYTES = 32,
    PATH_BYTES = 32,
};

struct file_player {
    struct pipe_player pipe;
    int folder;    /* -1: none */
    int index;     /* of the last question */
    uint64_t seen; /* the move file when that was asked, as look_at_move_file returns it */
    bool is_asked;
    bool is_owing;   /* no answer to the last question was seen, not even a late one */
    int64_t look_ns; /* of the last look, which found none */
    bool is_waking;  /* asked for the first time, has not read it yet */
    bool lacks_end;  /* its move file is there, without its last line */
    bool has_read;   /* some question of this game */
    int reading;     /* readable once the last question was read; -1: not watched */
    uint64_t pause_ms;
    uv_timer_t pause;   /* ends it: the loop turns */
    uv_prepare_t looks; /* while an answer is owed */
    int open_handles;
};

static void name_of(const struct file_player *self, const char *kind, char out[NAME_BYTES])
{
    snprintf(out, NAME_BYTES, "%s_%d.txt", kind, self->pipe.program.spec->team);
}

/* --- Questions --- */

static void close_descriptor(int *descriptor)
{
    if (*descriptor >= 0) {
        close(*descriptor);
        *descriptor = -1;
    }
}

static void descriptor_path(int descriptor, char out[PATH_BYTES])
{
    snprintf(out, PATH_BYTES, "/proc/self/fd/%d", descriptor);
}

/* A file without a name, because the program could open a named one before it is watched. Where the
 * file system has none, one that only its owner could open before. */
static int create_state(int folder, const char *name, bool *has_name)
{
    int descriptor = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644);
    *has_name = descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR);
    return *has_name
               ? openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)
               : descriptor;
}

/* Any event counts as a reading. The kernel also reports that it has stopped watching, when the
 * file has lost its last name: a descriptor opened with O_PATH still leads to it. */
static bool watch_reading(struct file_player *self, int descriptor)
{
    char path[PATH_BYTES];
    descriptor_path(descriptor, path);
    self->reading = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    return self->reading >= 0 && inotify_add_watch(self->reading, path, IN_OPEN | IN_ACCESS) >= 0;
}

static bool was_read(const struct file_player *self)
{
    struct pollfd reading = {.fd = self->reading, .events = POLLIN};
    return self->reading >= 0 && poll(&reading, 1, 0) > 0;
}

static bool give_name(int folder, int descriptor, const char *name)
{
    char path[PATH_BYTES];
    descriptor_path(descriptor, path);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool write_text(int descriptor, const char *text)
{
    size_t length = strlen(text);
    return write(descriptor, text, length) == (ssize_t)length && fchmod(descriptor, 0644) == 0;
}

/* What went wrong with its folder: this machine's shortage, or what the program did to it. In
 * namespaces the folder's disk is the program's own. */
static void blame(struct file_player *self, int error, const struct note *why)
{
    bool has_own_disk = self->pipe.program.setup.sandbox->features & SANDBOX_NAMESPACES;
    if (err_is_shortage(error) || (err_is_full_disk(error) && !has_own_disk)) {
        player_program_fail(&self->pipe.program, why);
    } else {
        player_program_fault(&self->pipe.program, FAULT_CRASHED, why);
    }
}

/* The program may have put a file of its own there, as large as its disk. */
static bool is_large(int folder, const char *name)
{
    enum { BLOCK_BYTES = 512 };
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
           status.st_blocks > LARGE_BYTES / BLOCK_BYTES;
}

/* It gets its name when it is complete, so that the agent never sees half of it. errno has the
 * reason. */
static enum err write_state(struct file_player *self, const char *text, struct note *why)
{
    static const char temporary[] = ".state.tmp";
    char name[NAME_BYTES];
    bool has_name = false;
    int error = 0;
    name_of(self, "state", name);
    close_descriptor(&self->reading);
    if (is_large(self->folder, temporary) || is_large(self->folder, name)) {
        note_set(why, "%s cannot be written in its folder: a large file is in its place", name);
        errno = EFBIG;
        return ERR_ENVIRONMENT;
    }
    (void)unlinkat(self->folder, temporary, 0);
    int descriptor = create_state(self->folder, temporary, &has_name);
    if (descriptor >= 0 && !self->has_read && !watch_reading(self, descriptor)) {
        note_set(why, "the reading of %s cannot be watched: %s", name, strerror(errno));
        error = EMFILE; /* of inotify's, whatever it was */
    } else if (descriptor < 0 || !write_text(descriptor, text) ||
               (!has_name && !give_name(self->folder, descriptor, temporary)) ||
               renameat(self->folder, temporary, self->folder, name) != 0) {
        error = errno;
        note_set(why, "%s cannot be written in its folder: %s", name, strerror(error));
    }
    close_descriptor(&descriptor);
    errno = error;
    return error ? ERR_ENVIRONMENT : ERR_NONE;
}

/* --- Answers --- */

struct move_file {
    uint64_t identity; /* of this file with this content, never rewritten since; 0: none is there */
    int shortage;      /* 0, or the errno of what this machine lacks to read it */
    struct timespec changed; /* its content or its name */
    bool is_regular;
    ssize_t length;
    char text[FILE_MOVE_BYTES];
};

/* A pipe does not block, a link leads nowhere. A file with a lease of the program cannot be opened
 * (EAGAIN): that is the program's own doing, and no shortage of this machine. */
static void look_at_move_file(const struct file_player *self, struct move_file *out)
{
    char name[NAME_BYTES];
    struct stat status;
    name_of(self, "move", name);
    int descriptor = openat(self->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    out->shortage = descriptor < 0 && errno != EAGAIN && err_is_shortage(errno) ? errno : 0;
    int error = descriptor >= 0 ? fstat(descriptor, &status)
                                : fstatat(self->folder, name, &status, AT_SYMLINK_NOFOLLOW);
    out->identity = 0;
    out->is_regular = !error && S_ISREG(status.st_mode);
    out->length =
        descriptor >= 0 && out->is_regular ? read(descriptor, out->text, sizeof out->text) : -1;
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (!error) {
        out->changed = status.st_ctim;
        const int64_t words[] = {
            (int64_t)status.st_ino,
            status.st_size,
            status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec,
        };
        uint64_t hash = hash_bytes(HASH_SEED, words, sizeof words);
        /* The times of a file are coarse: its content shows what was rewritten at once. The time of
         * the last status change is not used: it also changes while the next file is renamed over
         * this one, and the file that was judged before would be read as a new answer. */
        hash = hash_bytes(hash, out->text, out->length > 0 ? (size_t)out->length : 0);
        out->identity = hash ? hash : 1;
    }
}

/* By how much the kernel may have rounded the time of a file down. */
static int64_t stamp_step_ns(void)
{
    struct timespec step;
    return clock_getres(CLOCK_REALTIME_COARSE, &step) == 0 ? step.tv_nsec : 10 * CLOCK_NS_PER_MS;
}

/* Not before the last look, which it would have been found by: a mapped file can change without a
 * new time. */
static void date_answer(int64_t last_look_ns, const struct move_file *file,
                        struct player_event *out)
{
    int64_t now_ns = clock_now_ns();
    int64_t changed_ns = clock_of_stamp(&file->changed, now_ns);
    int64_t latest_ns = changed_ns + stamp_step_ns();
    out->came_ns = changed_ns > last_look_ns ? changed_ns : last_look_ns;
    latest_ns = latest_ns > out->came_ns ? latest_ns : out->came_ns;
    out->at_ns = latest_ns < now_ns ? latest_ns : now_ns;
}

/* Fills in the event's move, or why it is none, and when it came. */
static enum file_answer read_answer(struct file_player *self, struct player_event *out,
                                    int *shortage)
{
    struct move_file file;
    int64_t last_look_ns = self->look_ns;
    self->look_ns = clock_now_ns();
    look_at_move_file(self, &file);
    *shortage = file.shortage;
    if (file.shortage || !file.identity || file.identity == self->seen) {
        return FILE_NOT_YET;
    }
    date_answer(last_look_ns, &file, out);
    if (!file.is_regular) {
        note_set(&out->why, "its move is not in a regular file");
        return FILE_INVALID;
    }
    if (file.length <= 0) {
        return FILE_NOT_YET;
    }
    self->lacks_end = !file_is_complete(file.text, (size_t)file.length);
    enum file_answer answer = file_read_move(self->pipe.game, self->index, file.text,
                                             (size_t)file.length, &out->move, &out->why);
    if (answer == FILE_INVALID) {
        file_describe_move(file.text, (size_t)file.length, &out->answer);
    }
    return answer;
}

static void stop_looking(struct file_player *self)
{
    self->is_asked = false;
    self->is_waking = false;
    self->is_owing = false;
    uv_timer_stop(&self->pause);
    uv_prepare_stop(&self->looks);
}

static void fail_unread(struct file_player *self, int shortage)
{
    struct note why;
    note_set(&why, "its move cannot be read: %s", strerror(shortage));
    stop_looking(self);
    player_program_fail(&self->pipe.program, &why);
}

static void look(struct file_player *self)
{
    struct player_event event = {.kind = PLAYER_MOVE};
    if (was_read(self)) {
        self->has_read = true;
        close_descriptor(&self->reading);
    }
    if (self->is_waking && self->has_read) {
        self->is_waking = false;
        player_program_begin_turn(&self->pipe.program); /* its clock runs from here */
        pipe_player_report(&self->pipe, (struct player_event){.kind = PLAYER_READY});
    }
    int shortage = 0;
    enum file_answer answer = self->is_owing ? read_answer(self, &event, &shortage) : FILE_NOT_YET;
    if (shortage && self->is_asked) {
        fail_unread(self, shortage);
        return;
    }
    if (answer == FILE_NOT_YET) {
        return;
    }
    bool is_asked = self->is_asked;
    stop_looking(self);
    player_program_end_turn(&self->pipe.program);
    if (!is_asked) {
        return; /* late, and already charged */
    }
    if (answer == FILE_INVALID) {
        event.kind = PLAYER_FAULT;
        event.fault = FAULT_INVALID;
    }
    player_report(&self->pipe.program.player, &event);
}

static void on_turn(uv_prepare_t *looks) { look(looks->data); }

static void end_pause(uv_timer_t *pause)
{
    struct file_player *self = pause->data;
    self->pause_ms = self->pause_ms < LAST_PAUSE_MS / 2 ? 2 * self->pause_ms : LAST_PAUSE_MS;
    uv_timer_start(pause, end_pause, self->pause_ms, 0);
}

/* A prepare callback also runs in the turn in which the time is up, before that is said. */
static void start_looking(struct file_player *self)
{
    self->look_ns = clock_now_ns();
    self->pause_ms = FIRST_PAUSE_MS;
    uv_timer_start(&self->pause, end_pause, self->pause_ms, 0);
    uv_prepare_start(&self->looks, on_turn);
}

/* --- Its life --- */

static void prepare(struct pipe_player *pipe, struct process_spec *wishes)
{
    struct file_player *self = (struct file_player *)pipe;
    wishes->private_is_cwd = true;
    wishes->environment = player_program_unbuffered;
    self->index = 0;
    self->has_read = false;
    self->is_owing = false;
}

/* What an earlier game left in the agent's own folder was also linked here. */
static void remove_link(const struct file_player *self, const char *kind)
{
    char name[NAME_BYTES];
    struct stat status;
    name_of(self, kind, name);
    if (fstatat(self->folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode)) {
        (void)unlinkat(self->folder, name, 0);
    }
}

static void on_start(struct pipe_player *pipe)
{
    struct file_player *self = (struct file_player *)pipe;
    const char *folder = process_private_folder(pipe->program.process);
    self->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (self->folder < 0) {
        struct note why;
        int error = errno;
        note_set(&why, "its folder cannot be opened: %s", strerror(error));
        blame(self, error, &why);
        return;
    }
    remove_link(self, "state");
    remove_link(self, "move");
    pipe_player_report(pipe, (struct player_event){.kind = PLAYER_READY});
}

static void ask_to_exit(struct pipe_player *pipe)
{
    struct file_player *self = (struct file_player *)pipe;
    struct note why;
    if (self->folder >= 0 && write_state(self, "move 0\nend\n", &why)) {
        return; /* it will be killed instead */
    }
}

static void on_program_end(struct pipe_player *pipe)
{
    struct file_player *self = (struct file_player *)pipe;
    if (self->is_asked && self->folder >= 0) {
        look(self); /* its last words */
    }
    stop_looking(self);
    close_descriptor(&self->reading);
    close_descriptor(&self->folder);
}

static const struct pipe_protocol file_protocol = {
    .grace_ms = GOODBYE_GRACE_MS,
    .prepare = prepare,
    .on_start = on_start,
    .ask_to_exit = ask_to_exit,
    .on_program_end = on_program_end,
};

/* --- What the judge calls --- */

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct file_player *self = (struct file_player *)player;
    char text[FILE_STATE_BYTES];
    struct note why;
    struct move_file earlier;
    player_program_begin_turn(&self->pipe.program);
    look_at_move_file(self, &earlier);
    if (earlier.shortage) {
        fail_unread(self, earlier.shortage);
        return clock_now_ns();
    }
    self->seen = earlier.identity;
    self->index++;
    file_write_state(view->game, view->now, view->side, self->index, text);
    if (write_state(self, text, &why)) {
        blame(self, errno, &why);
        return clock_now_ns();
    }
    self->is_asked = true;
    self->is_owing = true;
    self->lacks_end = false;
    self->is_waking = self->index == 1;
    start_looking(self);
    return clock_now_ns() + (self->is_waking ? view->startup_ns : 0);
}

/* It still looks for the late answer: from then on the program has nothing to do. */
static void forget(struct player *player)
{
    struct file_player *self = (struct file_player *)player;
    self->is_asked = false;
    self->is_waking = false;
}

/* A program that looks for another file name has a wrong team number. */
static struct player_delay explain_delay(const struct player *player)
{
    const struct file_player *self = (const struct file_player *)player;
    struct player_delay delay = player_program_delay(player);
    char name[NAME_BYTES];
    if (self->reading >= 0 && !was_read(self)) {
        name_of(self, "state", name);
        delay.is_explained = true;
        note_set(&delay.reason,
                 "the program has not read %s: is idTeam %d? One that uses TCP is checked as "
                 "tcp:%d:COMMAND",
                 name, self->pipe.program.spec->team, self->pipe.program.spec->team);
    } else if (self->lacks_end) {
        name_of(self, "move", name);
        delay.is_explained = true;
        note_set(&delay.reason, "%s has no line 'end' as its last line", name);
    }
    return delay;
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct file_player *self = handle->data;
    if (--self->open_handles == 0) {
        pipe_player_close(&self->pipe.program.player);
    }
}

static void close_player(struct player *player)
{
    struct file_player *self = (struct file_player *)player;
    stop_looking(self);
    self->open_handles = 2;
    uv_close((uv_handle_t *)&self->pause, on_handle_closed);
    uv_close((uv_handle_t *)&self->looks, on_handle_closed);
}

static const struct player_class file_class = {
    .begin = pipe_player_begin,
    .ask_move = ask_move,
    .explain_delay = explain_delay,
    .used_ns = player_program_used_ns,
    .forget = forget,
    .end = pipe_player_end,
    .close = close_player,
    .free = player_program_free,
    .log = player_program_log,
    .output = player_program_output,
    .conduct = player_program_conduct,
};

struct player *file_make(const struct player_spec *spec, const struct player_setup *setup,
                         struct note *why)
{
    struct file_player *self = (struct file_player *)pipe_player_make(
        sizeof *self, &file_class, &file_protocol, spec, setup, why);
    if (!self) {
        return NULL;
    }
    self->folder = -1;
    self->reading = -1;
    uv_timer_init(setup->loop, &self->pause);
    uv_prepare_init(setup->loop, &self->looks);
    self->pause.data = self->looks.data = self;
    return &self->pipe.program.player;
}
