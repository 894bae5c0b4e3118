/* source_repair: where Visual Studio binds a temporary to a reference that is not const.
 *
 *     Value(Node(4))                   Value(compat_lvalue(Node(4)))
 *     vector<int> &list = Moves();     vector<int> &&list = Moves();
 *
 * Only a compiler knows the types, so this follows gcc's complaints: each names a line and marks
 * the expression in it. What is nested or takes several lines is left as it is, and so are calls
 * for which gcc finds no function at all.
 */
#ifndef COURSE_SOURCE_REPAIR_H
#define COURSE_SOURCE_REPAIR_H

#include "course/source_tree.h"

/* Changes the copies of `tree` as `messages` suggests, which come from a compiler that counts
 * columns in bytes. Returns how many places were changed; without memory or with a file that cannot
 * be written, 0. */
int source_repair(const struct source_tree *tree, const char *messages);

#endif
