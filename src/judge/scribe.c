#include "judge/scribe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "judge/bids.h"
#include "judge/facts.h"

static struct facts facts_of(const struct judge_ply *ply)
{
    return (struct facts){
        .has_time = ply->was_asked,
        .time_ns = ply->time_ns,
        .has_depth = ply->thought.is_known,
        .depth = ply->thought.depth,
        .has_score = ply->thought.is_known,
        .score_hundredths = ply->thought.score_hundredths,
        .has_nodes = ply->thought.is_known,
        .nodes = (int64_t)ply->thought.nodes,
        .has_fault = ply->has_fault,
        .fault = ply->fault,
    };
}

enum err scribe_ply(struct record *record, const struct judge *judge, const struct judge_ply *ply,
                    struct note *why)
{
    char move[GAME_MOVE_BYTES];
    char comment[FACTS_BYTES];
    struct facts facts = facts_of(ply);
    game_write_move(judge->rules.game, &ply->move, move);
    facts_write(&facts, comment);
    return record_add_ply(record, (int)judge->move_count, ply->side, move,
                          *comment ? comment : NULL, why);
}

static enum err add(struct record *record, enum record_tag tag, const char *value, struct note *why)
{
    if (!value) {
        return ERR_NONE;
    }
    return record_add_tag(record, record_tag_name(tag), value, why);
}

static enum err add_seconds(struct record *record, enum record_tag tag, int64_t ns,
                            struct note *why)
{
    char text[32];
    snprintf(text, sizeof text, "%.3f", (double)ns / 1e9);
    return add(record, tag, text, why);
}

/* A name as a tag may hold it: what is no plain text becomes '?', what is too long is cut. */
static enum err add_name(struct record *record, enum record_tag tag, const char *name,
                         struct note *why)
{
    char text[RECORD_VALUE_BYTES];
    utf8_clean(name, text, sizeof text);
    return add(record, tag, text, why);
}

static enum err add_players(struct record *record, const struct judge *judge, struct note *why)
{
    enum err err = add_name(record, RECORD_BLACK,
                            judge->players[judge_player_of(judge, SIDE_BLACK)]->name, why);
    if (!err) {
        err = add_name(record, RECORD_WHITE,
                       judge->players[judge_player_of(judge, SIDE_WHITE)]->name, why);
    }
    return err;
}

static enum err add_result(struct record *record, const struct judge *judge, struct note *why)
{
    static const char *const words[] = {
        [OUTCOME_ONGOING] = "*",
        [OUTCOME_BLACK] = "1-0",
        [OUTCOME_WHITE] = "0-1",
        [OUTCOME_DRAW] = "1/2-1/2",
    };
    const struct result *result = &judge->verdict.result;
    char score[32];
    snprintf(score, sizeof score, "%d-%d", result->score[0], result->score[1]);
    enum err err = add(record, RECORD_RESULT, words[result->outcome], why);
    if (!err) {
        err = add(record, RECORD_SCORE, score, why);
    }
    if (!err) {
        err = add(record, RECORD_REASON, result->reason, why);
    }
    return err;
}

static enum err add_conditions(struct record *record, const struct judge *judge, struct note *why)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, judge->rules.seed);
    enum err err = add(record, RECORD_SEED, seed, why);
    if (!err) {
        err = add_seconds(record, RECORD_TIME_LIMIT, judge->rules.limit_ns, why);
    }
    if (!err) {
        err = add_seconds(record, RECORD_GRACE, judge->rules.grace_ns, why);
    }
    return err;
}

static enum err add_start(struct record *record, const struct judge *judge, struct note *why)
{
    if (judge->rules.has_auction) {
        bool is_settled =
            judge->has_bid[0] && judge->has_bid[1] && !judge->lost_by[0] && !judge->lost_by[1];
        if (!is_settled) {
            return ERR_NONE;
        }
        char text[BIDS_BYTES];
        struct bids bids = {{judge->bids[0], judge->bids[1]}, judge->lot};
        bids_write(&bids, text);
        return add(record, RECORD_BIDS, text, why);
    }
    struct state usual = judge->rules.game->start();
    if (memcmp(&usual, &judge->start, sizeof usual) == 0) {
        return ERR_NONE;
    }
    char text[GAME_POSITION_BYTES];
    judge->rules.game->write_position(&judge->start, text);
    return add(record, RECORD_START, text, why);
}

static enum err add_closing(struct record *record, const struct judge *judge,
                            const struct judge_fault *last_fault, struct note *why)
{
    if (!last_fault || !judge->verdict.is_forfeit ||
        strcmp(judge->verdict.result.reason, fault_name(last_fault->kind)) != 0) {
        return ERR_NONE;
    }
    char comment[FACTS_BYTES];
    struct facts facts = {
        .has_time = last_fault->was_asked,
        .time_ns = last_fault->time_ns,
        .has_fault = true,
        .fault = last_fault->kind,
    };
    facts_write(&facts, comment);
    return record_close(record, judge->colour[last_fault->player], comment, why);
}

enum err scribe_finish(struct record *record, const struct judge *judge,
                       const struct judge_fault *last_fault, const struct scribe_labels *labels,
                       struct note *why)
{
    enum err err = add_closing(record, judge, last_fault, why);
    if (!err) {
        err = add(record, RECORD_GAME, judge->rules.game->name, why);
    }
    if (!err) {
        err = add(record, RECORD_EVENT, labels->event, why);
    }
    if (!err) {
        err = add(record, RECORD_ROUND, labels->round, why);
    }
    if (!err) {
        err = add(record, RECORD_DATE, labels->date, why);
    }
    if (!err) {
        err = add_players(record, judge, why);
    }
    if (!err) {
        err = add_result(record, judge, why);
    }
    if (!err) {
        err = add_conditions(record, judge, why);
    }
    if (!err) {
        err = add(record, RECORD_SANDBOX, labels->sandbox, why);
    }
    if (!err) {
        err = add_start(record, judge, why);
    }
    return err;
}
