/* err: how a function says that the world, not the program, is at fault.
 *
 * The values are the exit codes of the command line, so that the outermost
 * layer returns what the innermost one found. The sentence for a person
 * travels beside it in a `struct note`.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err {
    ERR_NONE = 0,
    ERR_NEGATIVE = 1,      /* a clear "no": illegal move, failed check or replay */
    ERR_INPUT = 2,         /* usage or malformed input */
    ERR_ENVIRONMENT = 3,   /* disk, memory, a missing permission */
    ERR_INTERRUPTED = 130, /* the person pressed Ctrl-C */
};

#define MUST_USE __attribute__((warn_unused_result))

#endif
