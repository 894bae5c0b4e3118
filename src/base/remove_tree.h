/* remove_tree: a folder goes away with everything in it, whatever that is. */
#ifndef BASE_REMOVE_TREE_H
#define BASE_REMOVE_TREE_H

/* Follows no link, needs no long path, and takes away folders that their owner has closed.
 * What cannot be removed stays. */
void remove_tree(const char *folder);

#endif
