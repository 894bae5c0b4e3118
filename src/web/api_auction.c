#include "game/game.h"
#include "judge/bids.h"
#include "report/json_game.h"
#include "web/api.h"

/* The game of the query; ERR_INPUT: it has no auction. */
static enum err read_auction(const struct api_context *context, const struct api_query *query,
                             const struct game **out, struct note *why)
{
    struct state state;
    const struct game *game = NULL;
    enum err err = api_query_position(query, context->cpu, &game, &state, why);
    if (err) {
        return err;
    }
    if (!game->auction) {
        return note_fail(why, ERR_INPUT, "%s has no auction", game->name);
    }
    *out = game;
    return ERR_NONE;
}

static enum err write_bid(const struct api_context *context, const struct api_query *query,
                          FILE *out, struct note *why)
{
    struct json json = json_make(out, JSON_COMPACT);
    const struct game *game = NULL;
    enum err err = read_auction(context, query, &game, why);
    if (!err) {
        json_game_bid(&json, game);
    }
    return err;
}

static enum err read_bids(const struct api_query *query, struct bids *out, struct note *why)
{
    const char *text = api_query_get(query, "bids");
    if (!text) {
        return note_fail(why, ERR_INPUT,
                         "the field 'bids' is missing; it is written like '0 5, 0 40'");
    }
    return bids_read(text, out, why);
}

static void write_outcome(FILE *out, const struct game *game, const struct bids *bids,
                          const struct auction_outcome *outcome)
{
    struct json json = json_make(out, JSON_COMPACT);
    char text[BIDS_BYTES];
    char position[GAME_POSITION_BYTES];
    struct state state = game->start_with(outcome->budget);
    game->write_position(&state, position);
    bids_write(bids, text);
    json_begin_object(&json, NULL);
    json_string(&json, "bids", text);
    json_pair(&json, "colour", (int)outcome->colour[0], (int)outcome->colour[1]);
    json_pair(&json, "budget", outcome->budget[SIDE_BLACK], outcome->budget[SIDE_WHITE]);
    json_bool(&json, "lot", bids->lot >= 0);
    json_string(&json, "position", position);
    json_end(&json);
}

static enum err write_auction(const struct api_context *context, const struct api_query *query,
                              FILE *out, struct note *why)
{
    const struct game *game = NULL;
    struct bids bids;
    int64_t seed = 0;
    enum err err = read_auction(context, query, &game, why);
    if (err || (err = read_bids(query, &bids, why)) ||
        (err = api_query_number(query, "seed", 0, INT64_MAX, &seed, why))) {
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

const struct api_endpoint api_bid = {.name = "bid", .fields = {"game"}, .write = write_bid};
const struct api_endpoint api_auction = {
    .name = "auction", .fields = {"game", "bids", "seed"}, .write = write_auction};
