/* commit: from which commit of the project this program was built.
 *
 * The build writes the source (tools/commit.sh) whenever the answer changes.
 */
#ifndef CLI_COMMIT_H
#define CLI_COMMIT_H

/* Twelve digits of its hash, then "-dirty" if files were changed since; or "unknown". */
extern const char commit_name[];

#endif
