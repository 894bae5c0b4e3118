/* json_check: whether a text is one JSON value (RFC 8259). For tests: plum itself reads no JSON. */
#ifndef TESTS_JSON_CHECK_H
#define TESTS_JSON_CHECK_H

#include <stdbool.h>

bool json_check(const char *text);

#endif
