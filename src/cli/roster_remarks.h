/* roster_remarks: says on standard error which lines of a tournament's roster were edited after it
 * began, and so have no effect. */
#ifndef CLI_ROSTER_REMARKS_H
#define CLI_ROSTER_REMARKS_H

#include "store/store.h"

void roster_remarks_print(struct store *store);

#endif
