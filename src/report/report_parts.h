/* report_parts: what the page of a report loads on demand: scripts with the data of a team, of some
 * games, and of some rows of the cross-table.
 *
 * A page that is opened from a folder may not read files, but it may run scripts. So a part is a
 * script with one call, plumReport(NAME, DATA); its file is NAME.js. Where it is stored is up to
 * the sink. Parts are numbered from 1:
 *
 *     team-N    row N of the standings, a team or a reference: its games, byes, faults and refused
 *               attempts
 *     games-N   the Nth REPORT_PARTS_GAMES games, with their moves (report/game_viewer.h)
 *     cross-N   the Nth REPORT_PARTS_ROWS rows of the cross-table, and of the table of rounds
 *
 * The time and the size grow with the number of games, and with the square of the number of teams
 * for the cross-table.
 */
#ifndef REPORT_REPORT_PARTS_H
#define REPORT_REPORT_PARTS_H

#include <stddef.h>

#include "base/note.h"
#include "report/report_json.h"

enum { REPORT_PARTS_GAMES = 100, REPORT_PARTS_ROWS = 25, REPORT_PARTS_NAME_BYTES = 32 };

/* Every part begins with this line. */
#define REPORT_PARTS_HEAD "// Written by plum tournament report. index.html loads it.\n"

struct report_parts_sink {
    void *owner;
    enum err (*add)(void *owner, const char *name, const char *text, size_t bytes,
                    struct note *why);
};

/* ERR_ENVIRONMENT: out of memory, or the store cannot be read. Errors of the sink are returned. */
MUST_USE enum err report_parts_write(const struct report_view *view,
                                     const struct report_parts_sink *sink, struct note *why);

#endif
