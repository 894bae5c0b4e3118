#include "cli/tournament_change.h"

#include <string.h>

#include "base/utf8.h"
#include "store/tournament_file.h"

enum { REASON_BYTES = 300 };

enum err tournament_change_reason(const struct args *args, const char **out, struct note *why)
{
    const char *reason = args_option(args, "reason");
    if (!reason) {
        note_set(why, "--reason TEXT is missing: it is kept with what you do");
        return ERR_INPUT;
    }
    size_t length = strlen(reason);
    if (length > REASON_BYTES || utf8_clean_prefix(reason, length) != length) {
        note_set(why, "--reason must be plain text of at most %d bytes", REASON_BYTES);
        return ERR_INPUT;
    }
    *out = reason;
    return ERR_NONE;
}

enum err tournament_change_game(const struct args *args, tournament_change_fn *change, int *game,
                                struct note *why)
{
    struct tournament_file file = {0};
    const char *reason = NULL;
    int number = 0;
    enum err err = tournament_change_reason(args, &reason, why);
    if (!err) {
        err = tournament_file_open(&file, args->values[0], STORE_CHANGE, args->cpu, why);
    }
    if (!err) {
        err = tournament_file_game(&file, args->values[1], &number, why);
    }
    if (!err) {
        err = change(file.store, number, reason, why);
    }
    tournament_file_close(&file);
    if (!err) {
        *game = number;
    }
    return err;
}
