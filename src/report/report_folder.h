/* report_folder: a report as files: a page with the parts that it loads, JSON and CSV. */
#ifndef REPORT_REPORT_FOLDER_H
#define REPORT_REPORT_FOLDER_H

#include <stdbool.h>

#include "base/note.h"
#include "report/report_data.h"

/* Writes report.json, standings.csv, games.csv, faults.csv, a folder data-HASH with the parts, and
 * at last index.html into a folder, which is made if it does not exist. Until index.html is
 * replaced the old page and its parts are complete. Afterwards the parts of older reports are
 * removed, and nothing else. Waits while another process writes to the folder. `is_public`: without
 * what only the teaching assistant may see. */
MUST_USE enum err report_folder_write(const char *folder, const struct report_data *data,
                                      bool is_public, struct note *why);

#endif
