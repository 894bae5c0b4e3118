#include "course/download.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "course/intake.h"

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* A class is more than one team: a lone folder is the one that was packed. */
static void enter_lone_folder(struct download *download)
{
    struct dirent **entries = NULL;
    int count = scandir(download->folder, &entries, is_visible, NULL);
    if (count == 1 && entries[0]->d_type == DT_DIR &&
        !strstr(entries[0]->d_name, "_assignsubmission_")) {
        size_t used = strlen(download->folder);
        snprintf(download->folder + used, sizeof download->folder - used, "/%s",
                 entries[0]->d_name);
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
}

static enum err unpack(struct download *download, const char *path, void *owner,
                       void (*on_remark)(void *owner, const char *sentence), struct note *why)
{
    struct intake_result result;
    char of_what[160];
    enum err err = folder_scratch_make(&download->scratch, why);
    if (err) {
        return err;
    }
    snprintf(download->folder, sizeof download->folder, "%s", download->scratch.path);
    err = intake_unpack_class(path, download->folder, &result, why);
    if (err) {
        note_prefix(why, "%.150s", path);
        return err;
    }
    snprintf(of_what, sizeof of_what, " of %.150s", path);
    if (on_remark) {
        intake_describe(&result, of_what, owner, on_remark);
    }
    enter_lone_folder(download);
    return ERR_NONE;
}

enum err download_open(struct download *download, const char *path, void *owner,
                       void (*on_remark)(void *owner, const char *sentence), struct note *why)
{
    struct stat about;
    *download = (struct download){0};
    if (stat(path, &about) != 0) {
        return note_fail(why, ERR_INPUT, "cannot read %.150s: %s", path, strerror(errno));
    }
    if (S_ISDIR(about.st_mode)) {
        snprintf(download->folder, sizeof download->folder, "%s", path);
        return submission_folder_read(path, &download->list, why);
    }
    if (!S_ISREG(about.st_mode) || !intake_is_zip(path)) {
        return note_fail(why, ERR_INPUT,
                         "%.150s is neither a folder nor a zip: unpack it into a folder", path);
    }
    enum err err = unpack(download, path, owner, on_remark, why);
    err = err ? err : submission_folder_read(download->folder, &download->list, why);
    if (err == ERR_INPUT) { /* not the name of a temporary folder */
        note_set(why, "no submissions in %.150s: a folder, zip or source for each team", path);
    }
    return err;
}

void download_close(struct download *download)
{
    submission_folder_free(&download->list);
    folder_scratch_remove(&download->scratch);
    *download = (struct download){0};
}
