/* number: numbers written by people. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

#include "base/note.h"

/* Reads an optional minus sign and decimal digits, nothing else: no spaces, no
 * plus sign, no hexadecimal. Outside low…high or unreadable: ERR_INPUT, the
 * note names `what`, the text and the range; *out is untouched. */
MUST_USE enum err number_read(const char *text, const char *what, int64_t low, int64_t high,
                              int64_t *out, struct note *note);

/* Reads seconds such as 5, 0.25 or 1.5 into nanoseconds; at most nine decimals. */
MUST_USE enum err number_read_seconds(const char *text, const char *what, int64_t low_ns,
                                      int64_t high_ns, int64_t *out_ns, struct note *note);

/* Reads a number without a sign such as 60, 0.5 or 33.25; at most nine decimals. */
MUST_USE enum err number_read_decimal(const char *text, const char *what, double low, double high,
                                      double *out, struct note *note);

enum { NUMBER_HUNDREDTHS_BYTES = 24 };

/* Always with a sign and two decimals: "+0.52", "-12.00". */
void number_write_hundredths(int64_t hundredths, char out[NUMBER_HUNDREDTHS_BYTES]);

/* Reads a size such as 512M or 8G (MiB, GiB) into bytes. */
MUST_USE enum err number_read_size(const char *text, const char *what, int64_t low, int64_t high,
                                   int64_t *out, struct note *note);

#endif
