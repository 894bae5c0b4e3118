/* file: programs that poll a text file for the board and answer with another.
 *
 * Each game has an exchange folder of its own, fresh and writable, which is the
 * program's working directory; what lies in the agent's folder is linked into it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "player/file_text.h"
#include "player/loop.h"
#include "player/piped.h"

enum {
    GOODBYE_GRACE_MS = 500,
    POLL_MS = 5, /* a change that the system did not tell of is seen this late */
};

struct file_player {
    struct piped piped;
    char exchange[64]; /* "": there is none */
    int index;         /* of the last question */
    bool is_asked;
    uv_timer_t poll;
    uv_fs_event_t watch;
    int open_handles;
};

static void path_of(const struct file_player *self, const char *kind, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s/%s_%d.txt", self->exchange, kind, self->piped.program.spec->team);
}

/* Written under another name first, so that the agent never sees half of it. */
static enum err write_state(struct file_player *self, const char *text, struct note *why)
{
    char path[PATH_MAX];
    char temporary[PATH_MAX + 8];
    path_of(self, "state", path);
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    FILE *file = fopen(temporary, "w");
    bool is_written = file && fputs(text, file) >= 0;
    if ((file && fclose(file)) || !is_written || rename(temporary, path)) {
        note_set(why, "cannot write %.200s: %s", path, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

/* --- The exchange folder --- */

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    remove(path);
    return 0;
}

static void remove_exchange(struct file_player *self)
{
    if (self->exchange[0]) {
        nftw(self->exchange, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
        self->exchange[0] = '\0';
    }
}

static void link_agent_files(const struct file_player *self)
{
    const char *folder = self->piped.program.command.folder;
    DIR *entries = opendir(folder);
    struct dirent *entry = NULL;
    while (entries && (entry = readdir(entries))) {
        char target[PATH_MAX];
        char name[PATH_MAX];
        if (entry->d_name[0] == '.' || strncmp(entry->d_name, "state_", 6) == 0 ||
            strncmp(entry->d_name, "move_", 5) == 0) {
            continue;
        }
        snprintf(target, sizeof target, "%s/%s", folder, entry->d_name);
        snprintf(name, sizeof name, "%s/%s", self->exchange, entry->d_name);
        if (symlink(target, name)) {
            continue; /* the program will say what it misses */
        }
    }
    if (entries) {
        closedir(entries);
    }
}

static enum err make_exchange(struct file_player *self, struct note *why)
{
    strcpy(self->exchange, "/tmp/plum-exchange-XXXXXX");
    if (!mkdtemp(self->exchange)) {
        note_set(why, "cannot make a folder in /tmp: %s", strerror(errno));
        self->exchange[0] = '\0';
        return ERR_ENVIRONMENT;
    }
    link_agent_files(self);
    return ERR_NONE;
}

/* --- Answers --- */

static ssize_t read_move_file(const struct file_player *self, char out[FILE_MOVE_BYTES])
{
    char path[PATH_MAX];
    path_of(self, "move", path);
    /* Whatever an agent puts there: a link leads nowhere, a pipe does not block. */
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return -1;
    }
    ssize_t length = read(descriptor, out, FILE_MOVE_BYTES);
    close(descriptor);
    return length;
}

static void look(struct file_player *self)
{
    char text[FILE_MOVE_BYTES];
    struct player_event event = {.kind = PLAYER_MOVE};
    ssize_t length = self->is_asked ? read_move_file(self, text) : -1;
    if (length <= 0) {
        return;
    }
    switch (file_read_move(self->piped.game, self->index, text, (size_t)length, &event.move,
                           &event.why)) {
    case FILE_NOT_YET:
        return;
    case FILE_INVALID:
        event.kind = PLAYER_FAULT;
        event.fault = FAULT_INVALID;
        break;
    case FILE_MOVE:
        break;
    }
    self->is_asked = false;
    uv_timer_stop(&self->poll);
    piped_tell(&self->piped, event);
}

static void on_poll(uv_timer_t *timer) { look(timer->data); }

static void on_change(uv_fs_event_t *watch, const char *name, int events, int status)
{
    (void)name;
    (void)events;
    if (!status) {
        look(watch->data);
    }
}

/* --- Its life --- */

static enum err prepare(struct piped *piped, struct process_spec *wishes, struct note *why)
{
    struct file_player *self = (struct file_player *)piped;
    self->index = 0;
    self->is_asked = false;
    enum err err = make_exchange(self, why);
    if (!err) {
        wishes->private_folder = self->exchange;
        wishes->private_is_cwd = true;
        uv_fs_event_start(&self->watch, on_change, self->exchange, 0);
    }
    return err;
}

static void greet(struct piped *piped)
{
    piped_tell(piped, (struct player_event){.kind = PLAYER_READY});
}

static void goodbye(struct piped *piped)
{
    struct file_player *self = (struct file_player *)piped;
    struct note why;
    if (write_state(self, "move 0\nend\n", &why)) {
        return; /* it will be killed instead */
    }
}

static void tidy(struct piped *piped)
{
    struct file_player *self = (struct file_player *)piped;
    uv_fs_event_stop(&self->watch);
    uv_timer_stop(&self->poll);
    remove_exchange(self);
}

static const struct piped_talk file_talk = {
    .grace_ms = GOODBYE_GRACE_MS,
    .prepare = prepare,
    .greet = greet,
    .goodbye = goodbye,
    .tidy = tidy,
};

/* --- What the judge calls --- */

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct file_player *self = (struct file_player *)player;
    char text[FILE_STATE_BYTES];
    struct note why;
    self->index++;
    self->is_asked = true;
    file_write_state(view->game, view->now, view->side, self->index, text);
    if (write_state(self, text, &why)) {
        self->is_asked = false;
        piped_fault(&self->piped, FAULT_CRASHED, &why);
        return loop_now_ns();
    }
    uv_timer_start(&self->poll, on_poll, POLL_MS, POLL_MS);
    return loop_now_ns();
}

static void forget(struct player *player)
{
    struct file_player *self = (struct file_player *)player;
    self->is_asked = false;
    uv_timer_stop(&self->poll);
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct file_player *self = handle->data;
    if (--self->open_handles == 0) {
        piped_close(&self->piped.player);
    }
}

static void close_player(struct player *player)
{
    struct file_player *self = (struct file_player *)player;
    self->is_asked = false;
    self->open_handles = 2;
    uv_close((uv_handle_t *)&self->poll, on_handle_closed);
    uv_close((uv_handle_t *)&self->watch, on_handle_closed);
}

static const struct player_class file_class = {
    .begin = piped_begin,
    .ask_move = ask_move,
    .forget = forget,
    .end = piped_end,
    .close = close_player,
    .free = piped_free,
    .log = piped_log,
};

struct player *file_make(const struct player_spec *spec, const struct player_setup *setup,
                         struct note *why)
{
    struct file_player *self = (struct file_player *)piped_make(
        sizeof *self, &file_class, &file_talk, spec, setup, why);
    if (!self) {
        return NULL;
    }
    uv_timer_init(setup->loop, &self->poll);
    uv_fs_event_init(setup->loop, &self->watch);
    self->poll.data = self->watch.data = self;
    return &self->piped.player;
}
