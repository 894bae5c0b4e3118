/* source_tree: copies of a program's sources that gcc on Linux understands.
 *
 * Each source given, and each file of the program that it includes, is copied into one folder: in
 * UTF-8 (source_text.h), with includes that name the copies, and with the names of installed
 * headers in lower case, as Windows does not mind and Linux does. For a program written for Windows
 * the words of Visual Studio's dialect (source_dialect.h) are also replaced. The compiler's
 * messages show the author's lines with their numbers. The originals are only read.
 *
 * The files are read by the judge's user, outside any sandbox. So only files in the program's own
 * folder are copied, wherever an include or a link leads: what a hand-in must not read, such as
 * another hand-in, never comes into the tree.
 */
#ifndef COURSE_SOURCE_TREE_H
#define COURSE_SOURCE_TREE_H

#include <glob.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/note.h"

enum {
    SOURCE_TREE_MAX_FILES = 512,
    SOURCE_TREE_MAX_BYTES = 16 << 20, /* of one file */
};

struct source_file {
    char *name; /* as a person would find it */
    char *path; /* the file itself: absolute, without links */
};

/* Zeroed with a folder is empty. The folder must exist and outlive the tree; a tree for Windows and
 * another one may share it. */
struct source_tree {
    const char *folder;
    char root[PATH_MAX]; /* the program's folder: absolute, without links */
    bool is_for_windows;
    int64_t end_ns;          /* when copying ends, done or not; 0: never */
    const atomic_bool *stop; /* true: copying ends; NULL: never */
    glob_t headers;          /* the folders of installed headers */
    uint64_t checksum;       /* of the files' text, as their authors wrote it */
    size_t given;            /* the sources asked for come first … */
    size_t count;            /* … then what they include */
    struct source_file files[SOURCE_TREE_MAX_FILES];
};

/* Copies `count` sources and all that they include in the program's folder, `root`; NULL: the
 * folder that all sources are in. Source i becomes file i. A name that leads to no source, or out
 * of the program's folder, is ERR_INPUT. ERR_NEGATIVE: it takes too long. ERR_INTERRUPTED: by
 * `stop`. Free the tree in any case. */
MUST_USE enum err source_tree_copy(struct source_tree *tree, const char *root,
                                   const char *const *sources, size_t count, struct note *why);

/* The copy of file `index`: snprintf's result. */
int source_tree_path(const struct source_tree *tree, size_t index, char *out, size_t room);

/* The text of file `index` in UTF-8, but otherwise as its author wrote it: what a compiler's
 * messages are about. */
int source_tree_text_path(const struct source_tree *tree, size_t index, char *out, size_t room);

/* Writes `text` with the names of the copies turned back into those of the originals, and the
 * folder of anything else in it into "<plum>". */
void source_tree_print(const struct source_tree *tree, const char *text, FILE *out);

void source_tree_free(struct source_tree *tree);

#endif
