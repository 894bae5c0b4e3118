#include "sandbox/process_setup.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* --- Environment --- */

static const char *const kept[] = {
    "PATH",         "LANG",       "LANGUAGE",        "TZ",
    "TERM",         "PYENV_ROOT", "PYENV_VERSION",   "VIRTUAL_ENV",
    "CONDA_PREFIX", "JAVA_HOME",  "LD_LIBRARY_PATH",
};

static const char *const added[] = {"USER=agent", "LOGNAME=agent"};

static size_t name_length(const char *entry) { return strcspn(entry, "="); }

static bool is_same_name(const char *a, const char *b)
{
    size_t length = name_length(a);
    return length == name_length(b) && strncmp(a, b, length) == 0;
}

static bool is_kept(const char *entry)
{
    if (strncmp(entry, "LC_", 3) == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        if (is_same_name(entry, kept[i])) {
            return true;
        }
    }
    return false;
}

static bool has_name(const char *const *entries, const char *entry)
{
    for (; entries && *entries; entries++) {
        if (is_same_name(*entries, entry)) {
            return true;
        }
    }
    return false;
}

static size_t length_of(const char *const *entries)
{
    size_t length = 0;
    while (entries && entries[length]) {
        length++;
    }
    return length;
}

static bool append(char **list, size_t *count, const char *entry)
{
    list[*count] = strdup(entry);
    return list[*count] && ++*count;
}

char **process_environment_make(bool is_sandboxed, const char *const *extra)
{
    const char *const *inherited = (const char *const *)environ;
    enum { ADDED = sizeof added / sizeof added[0] };
    size_t most = length_of(inherited) + length_of(extra) + ADDED + 1;
    char **list = calloc(most, sizeof *list);
    size_t count = 0;
    bool is_done = list != NULL;
    for (; is_done && inherited && *inherited; inherited++) {
        if ((!is_sandboxed || is_kept(*inherited)) && !has_name(extra, *inherited)) {
            is_done = append(list, &count, *inherited);
        }
    }
    for (size_t i = 0; is_done && is_sandboxed && i < ADDED; i++) {
        if (!has_name(extra, added[i])) {
            is_done = append(list, &count, added[i]);
        }
    }
    for (; is_done && extra && *extra; extra++) {
        is_done = append(list, &count, *extra);
    }
    if (!is_done) {
        process_environment_free(list);
        return NULL;
    }
    return list;
}

void process_environment_free(char **environment)
{
    for (char **entry = environment; entry && *entry; entry++) {
        free(*entry);
    }
    free(environment);
}

/* --- Terminal --- */

static int make_plain(int fd)
{
    struct termios mode;
    if (tcgetattr(fd, &mode) != 0) {
        return -1;
    }
    cfmakeraw(&mode);
    mode.c_lflag |= ICANON;
    mode.c_cc[VEOF] = PROCESS_TERMINAL_END;
    mode.c_cc[VEOL] = _POSIX_VDISABLE;
    mode.c_cc[VEOL2] = _POSIX_VDISABLE;
    mode.c_cc[VERASE] = _POSIX_VDISABLE;
    mode.c_cc[VKILL] = _POSIX_VDISABLE;
    return tcsetattr(fd, TCSANOW, &mode);
}

enum err process_terminal_open(int *our_end, int *program_end, struct note *why)
{
    int theirs = -1;
    int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ours >= 0 && grantpt(ours) == 0 && unlockpt(ours) == 0) {
        theirs = ioctl(ours, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    if (theirs < 0 || make_plain(theirs) != 0) {
        note_set(why, "no pseudo-terminal: %s", strerror(errno));
        if (theirs >= 0) {
            close(theirs);
        }
        if (ours >= 0) {
            close(ours);
        }
        return ERR_ENVIRONMENT;
    }
    *our_end = ours;
    *program_end = theirs;
    return ERR_NONE;
}
