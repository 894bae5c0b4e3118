/* record_json: a replayed game record for programs. */
#ifndef CLI_RECORD_JSON_H
#define CLI_RECORD_JSON_H

#include <jansson.h>

#include "judge/record.h"
#include "judge/replay.h"

/* {"number", "game", "tags": {…}, "start", "plies": [{"number", "side", "move", "position", …},
 * …], "closing", "result", "ok", "error"}: positions are null from the first ply that could not
 * be played. With `at` not negative also "position", that after so many plies. `error` is NULL
 * when all is well. The answer is NULL without memory. */
json_t *record_json(size_t number, const struct record *record, const struct replay *replay,
                    int64_t at, const char *error);

#endif
