/* report_folder: a report as files: a page, JSON and CSV. */
#ifndef REPORT_REPORT_FOLDER_H
#define REPORT_REPORT_FOLDER_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"
#include "report/report_data.h"

/* Writes index.html, report.json, standings.csv, games.csv and faults.csv into a folder, which is
 * made if it does not exist. `is_public`: without what only the teaching assistant may see. */
MUST_USE enum err report_folder_write(const char *folder, const struct report_data *data,
                                      bool is_public, struct note *why);

#endif
