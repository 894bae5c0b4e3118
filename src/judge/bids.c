#include "judge/bids.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { WORDS = 4, WORDS_WITH_LOT = 6 };

/* Cuts `text` at its spaces. Returns the number of words, at most WORDS_WITH_LOT + 1. */
static int split(char *text, char *words[WORDS_WITH_LOT + 1])
{
    int count = 0;
    for (char *word = NULL; count <= WORDS_WITH_LOT && (word = strsep(&text, " "));) {
        words[count++] = word;
    }
    return count;
}

static bool drop_comma(char *word)
{
    size_t length = strlen(word);
    bool has_comma = length > 0 && word[length - 1] == ',';
    word[length - has_comma] = '\0';
    return has_comma;
}

static enum err read_bid(char **words, struct bid *out, struct note *why)
{
    int64_t colour = 0;
    enum err err = number_read(words[0], "the colour of a bid", 0, 1, &colour, why);
    err = err ? err
              : number_read(words[1], "the price of a bid", INT64_MIN, INT64_MAX, &out->price, why);
    out->colour = (int)colour;
    return err;
}

enum err bids_read(const char *text, struct bids *out, struct note *why)
{
    char copy[BIDS_BYTES];
    char *words[WORDS_WITH_LOT + 1];
    struct bids bids = {.lot = -1};
    snprintf(copy, sizeof copy, "%s", text);
    int count = split(copy, words);
    bool has_lot = count == WORDS_WITH_LOT;
    if (strlen(text) >= BIDS_BYTES || (count != WORDS && !has_lot) || !drop_comma(words[1]) ||
        (has_lot && (!drop_comma(words[3]) || strcmp(words[4], "tie") != 0))) {
        return note_fail(why, ERR_INPUT,
                         "bids have the form '0 5, 0 40' or '0 5, 0 5, tie 1', not '%.60s'", text);
    }
    enum err err = read_bid(words, &bids.bids[0], why);
    err = err ? err : read_bid(words + 2, &bids.bids[1], why);
    if (!err && has_lot) {
        int64_t lot = 0;
        err = number_read(words[5], "the colour drawn by lot", 0, 1, &lot, why);
        bids.lot = (int)lot;
    }
    if (!err) {
        *out = bids;
    }
    return err;
}

void bids_write(const struct bids *bids, char out[BIDS_BYTES])
{
    int length = snprintf(out, BIDS_BYTES, "%d %" PRId64 ", %d %" PRId64, bids->bids[0].colour,
                          bids->bids[0].price, bids->bids[1].colour, bids->bids[1].price);
    if (bids->lot >= 0) {
        snprintf(out + length, (size_t)(BIDS_BYTES - length), ", tie %d", bids->lot);
    }
}

enum err bids_settle(const struct game *game, const struct bids *bids, struct state *out,
                     struct note *why)
{
    if (!game->auction) {
        return note_fail(why, ERR_INPUT, "%s has no auction", game->name);
    }
    struct auction_outcome outcome = game->auction(bids->bids, bids->lot);
    if (outcome.needs_lot) {
        return note_fail(why, ERR_INPUT,
                         "equal bids need a lot: ', tie 0' or ', tie 1' at the end");
    }
    *out = game->start_with(outcome.budget);
    return ERR_NONE;
}
