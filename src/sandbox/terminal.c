#include "sandbox/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int make_plain(int fd)
{
    struct termios mode;
    if (tcgetattr(fd, &mode) != 0) {
        return -1;
    }
    cfmakeraw(&mode);
    mode.c_lflag |= ICANON;
    mode.c_cc[VEOF] = TERMINAL_END;
    mode.c_cc[VEOL] = _POSIX_VDISABLE;
    mode.c_cc[VEOL2] = _POSIX_VDISABLE;
    mode.c_cc[VERASE] = _POSIX_VDISABLE;
    mode.c_cc[VKILL] = _POSIX_VDISABLE;
    return tcsetattr(fd, TCSANOW, &mode);
}

enum err terminal_open(int *our_end, int *program_end, struct note *why)
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
