/* json: writes JSON to a stream, value by value.
 *
 * The one writer of the program: command line, web API, reports and the engine in the browser
 * share it. It only needs the C library, keeps no tree in memory, and reads nothing. A failed
 * write shows in the stream's error flag.
 *
 * Every function takes the name of the member that it writes. Inside an array, and for the
 * outermost value, the name is NULL. The caller keeps names unique and closes what it opened.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum json_style {
    JSON_LINE,     /* {"a": 1, "b": [2, 3]} */
    JSON_COMPACT,  /* {"a":1,"b":[2,3]} */
    JSON_INDENTED, /* one value a line, one space for each level */
};

enum { JSON_MAX_DEPTH = 32, JSON_MAX_DECIMALS = 9 };

struct json {
    FILE *out;
    enum json_style style;
    int depth;
    bool is_array[JSON_MAX_DEPTH];
    bool has_members[JSON_MAX_DEPTH];
};

struct json json_make(FILE *out, enum json_style style);

/* Writes members of an object without its braces, for json_copy_members. */
struct json json_make_members(FILE *out, enum json_style style);

void json_begin_object(struct json *json, const char *name);
void json_begin_array(struct json *json, const char *name);
void json_end(struct json *json); /* of the innermost object or array */

/* A NULL text is null. A control character becomes an escape; so do '<', '>' and '&', which keeps
 * the text harmless inside a page. Each byte that is not part of well-formed UTF-8 becomes '?'. */
void json_string(struct json *json, const char *name, const char *text);
void json_integer(struct json *json, const char *name, int64_t value);
void json_bool(struct json *json, const char *name, bool value);
void json_null(struct json *json, const char *name);

/* Rounded to at most `decimals` digits after the point, at least one: 0.5, 60.0. A value that is
 * not finite is null. */
void json_fixed(struct json *json, const char *name, double value, int decimals);

/* Where a value may be unknown. */
void json_integer_or_null(struct json *json, const char *name, bool is_known, int64_t value);

/* [first, second] */
void json_pair(struct json *json, const char *name, int64_t first, int64_t second);

/* A value that was written before, by another writer. */
void json_copy(struct json *json, const char *name, const char *text, size_t bytes);

/* Members that were written before. */
void json_copy_members(struct json *json, const char *text, size_t bytes);

#endif
