#include "base/note.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void note_set(struct note *note, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (note) {
        vsnprintf(note->text, sizeof note->text, format, args);
    }
    va_end(args);
}

void note_list(char *list, size_t room, const char *format, ...)
{
    size_t used = strlen(list);
    va_list args;
    va_start(args, format);
    used += (size_t)snprintf(list + used, room - used, "%s", used ? ", " : "");
    if (used < room) {
        vsnprintf(list + used, room - used, format, args);
    }
    va_end(args);
}

void note_prefix(struct note *note, const char *format, ...)
{
    if (!note) {
        return;
    }
    struct note prefix;
    struct note whole;
    va_list args;
    va_start(args, format);
    vsnprintf(prefix.text, sizeof prefix.text, format, args);
    va_end(args);
    enum { HALF = (NOTE_BYTES - sizeof ": ") / 2 };
    snprintf(whole.text, sizeof whole.text, "%.*s: %.*s", HALF, prefix.text, HALF, note->text);
    *note = whole;
}

bool err_is_shortage(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN ||
           error == ENOBUFS;
}

bool err_is_full_disk(int error) { return error == ENOSPC || error == EDQUOT; }
