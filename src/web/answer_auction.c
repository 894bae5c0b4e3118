#include <inttypes.h>

#include "engine/bid.h"
#include "game/game.h"
#include "judge/bids.h"
#include "web/answer.h"
#include "web/json_text.h"

static enum err refuse_without_auction(const struct game *game, struct note *why)
{
    if (game->auction) {
        return ERR_NONE;
    }
    note_set(why, "%s has no auction", game->name);
    return ERR_INPUT;
}

static enum err write_bid(const struct answerer *answerer, const struct question *question,
                          FILE *out, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    enum err err = question_position(question, answerer->cpu, &game, &state, why);
    if (!err) {
        err = refuse_without_auction(game, why);
    }
    if (!err) {
        struct bid bid = engine_bid();
        fprintf(out, "{\"colour\":%d,\"price\":%" PRId64 "}", bid.colour, bid.price);
    }
    return err;
}

static enum err read_bids(const struct question *question, struct bids *out, struct note *why)
{
    const char *text = question_get(question, "bids");
    if (!text) {
        note_set(why, "the field 'bids' is missing; it is written like '0 5, 0 40'");
        return ERR_INPUT;
    }
    return bids_read(text, out, why);
}

static void write_outcome(FILE *out, const struct game *game, const struct bids *bids,
                          const struct auction_outcome *outcome)
{
    char text[BIDS_BYTES];
    char position[GAME_POSITION_BYTES];
    struct state state = game->start_with(outcome->budget);
    game->write_position(&state, position);
    bids_write(bids, text);
    json_text_field(out, "{", "bids", text);
    fprintf(out, ",\"colour\":[%d,%d],\"budget\":[%d,%d],\"lot\":%s", (int)outcome->colour[0],
            (int)outcome->colour[1], outcome->budget[SIDE_BLACK], outcome->budget[SIDE_WHITE],
            bids->lot < 0 ? "false" : "true");
    json_text_field(out, ",", "position", position);
    fputc('}', out);
}

static enum err write_auction(const struct answerer *answerer, const struct question *question,
                              FILE *out, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    struct bids bids;
    int64_t seed = 0;
    enum err err = question_position(question, answerer->cpu, &game, &state, why);
    if (!err) {
        err = refuse_without_auction(game, why);
    }
    if (!err) {
        err = read_bids(question, &bids, why);
    }
    if (!err) {
        err = question_number(question, "seed", 0, INT64_MAX, &seed, why);
    }
    if (err) {
        return err;
    }
    struct auction_outcome outcome = game->auction(bids.bids, bids.lot);
    if (outcome.needs_lot) {
        bids.lot = (int)game_draw_lot((uint64_t)seed);
        outcome = game->auction(bids.bids, bids.lot);
    }
    write_outcome(out, game, &bids, &outcome);
    return ERR_NONE;
}

const struct answer answer_bid = {
    .name = "bid", .type = "application/json", .fields = {"game"}, .write = write_bid};
const struct answer answer_auction = {.name = "auction",
                                      .type = "application/json",
                                      .fields = {"game", "bids", "seed"},
                                      .write = write_auction};
