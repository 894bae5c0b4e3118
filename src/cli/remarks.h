/* remarks: what players cause to be said, each sentence once and not without end. */
#ifndef CLI_REMARKS_H
#define CLI_REMARKS_H

#include "base/note.h"

enum { REMARKS_MAX = 20 };

/* A zeroed struct has heard nothing. */
struct remarks {
    struct note said[REMARKS_MAX];
    int count;
};

/* The sentence as it can be shown anywhere, or NULL: it was said before, or enough was said. Valid
 * as long as *remarks. */
const char *remarks_add(struct remarks *remarks, const char *sentence);

#endif
