/* record_reader: the game records in a file, one after another.
 *
 * Lenient where nothing is lost by it: tags in any order, several on a line, \r\n, a byte
 * order mark, spaces at either end of a line, more empty lines or none, a missing last line
 * end. A tag after an empty line, a ply or a closing line begins the next game.
 */
#ifndef JUDGE_RECORD_READER_H
#define JUDGE_RECORD_READER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/note.h"
#include "judge/record.h"

/* Holds one line, so that files of any size can be read. Nothing to free. */
struct record_reader {
    FILE *file;
    int line;     /* the number of the line in `text` */
    bool is_held; /* that line belongs to the next game */
    char text[RECORD_LINE_BYTES];
};

/* The file stays the caller's. Memory is read through fmemopen. */
struct record_reader record_reader_make(FILE *file);

/* Reads the next game into *out, an initialised record, whose contents are replaced.
 * *is_found is false at the end of the file. Malformed: ERR_INPUT, `why` begins with the
 * line's number, *out is empty; the rest of the file makes no sense then. ERR_ENVIRONMENT:
 * the file could not be read. */
MUST_USE enum err record_reader_next(struct record_reader *reader, struct record *out,
                                     bool *is_found, struct note *why);

#endif
