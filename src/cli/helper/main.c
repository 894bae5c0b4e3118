/* plum-helper: the sandbox's helper as a static program of its own.
 *
 * Plum starts a helper for each agent. It can be its own helper, but loading plum with its shared
 * libraries takes longer than all that the helper does.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sandbox/sandbox.h"

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], SANDBOX_CHILD) == 0) {
        sandbox_child_main(argc, argv);
    }
    fprintf(stderr, "plum-helper: plum starts this program for each agent; try 'plum sandbox'\n");
    return ERR_INPUT;
}
