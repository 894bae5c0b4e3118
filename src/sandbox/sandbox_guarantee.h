/* sandbox_guarantee: what a sandbox prevents, and what a machine needs for it.
 *
 * Two tables: the features that a machine may offer, and the guarantees that they make possible.
 * plum sandbox prints them, docs/sandbox.md contains them, and tests/attacks.c has an attack for
 * each guarantee. A test compares the three. The tables do not start anything: sandbox_probe finds
 * out what this machine offers.
 */
#ifndef SANDBOX_SANDBOX_GUARANTEE_H
#define SANDBOX_SANDBOX_GUARANTEE_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/sandbox.h"

struct sandbox_offer {
    enum sandbox_feature feature;
    const char *name;
    const char *purpose; /* a phrase */
    const char *how;     /* how to get it where it is missing */
};

extern const struct sandbox_offer sandbox_offers[];
extern const size_t sandbox_offer_count;

enum { SANDBOX_ALTERNATIVES = 3 };

struct sandbox_guarantee {
    const char *name;     /* of the attack as well */
    const char *sentence; /* continues "an agent …" */
    /* Sets of features, up to a 0. One complete set is enough. None at all: every sandbox but "off"
     * has it. */
    unsigned upheld_by[SANDBOX_ALTERNATIVES];
    int landlock_version; /* from which SANDBOX_LANDLOCK alone is enough */
    bool is_always_held;  /* also with SANDBOX_OFF */
};

extern const struct sandbox_guarantee sandbox_guarantees[];
extern const size_t sandbox_guarantee_count;

/* Does a sandbox with that mode and those features uphold it? `landlock_version` is that of the
 * kernel, sandbox_landlock_version(). */
bool sandbox_guarantee_is_held(const struct sandbox_guarantee *guarantee,
                               const struct sandbox *sandbox, int landlock_version);

enum { SANDBOX_LEVELS = 4 };

/* The levels from "strict" to "off", each as a sandbox with as many of the features of `here` as it
 * may have; one that `here` does not reach gets the features that its name requires. */
void sandbox_guarantee_levels(const struct sandbox *here, struct sandbox out[SANDBOX_LEVELS]);

#endif
