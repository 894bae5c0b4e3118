#include "judge/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "judge/bids.h"
#include "judge/annotation.h"

static struct annotation annotation_of(const struct judge_ply *ply)
{
    return (struct annotation){
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

enum err recorder_add_ply(struct record *record, const struct judge *judge,
                          const struct judge_ply *ply, struct note *why)
{
    char move[GAME_MOVE_BYTES];
    char comment[ANNOTATION_BYTES];
    struct annotation annotation = annotation_of(ply);
    game_write_move(judge->rules.game, &ply->move, move);
    annotation_write(&annotation, comment);
    return record_add_ply(record, (int)judge->move_count, ply->side, move,
                          *comment ? comment : NULL, why);
}

/* A record to which tags are added until one of them fails. */
struct tagger {
    struct record *record;
    struct note *why;
    enum err err;
};

static void add(struct tagger *to, enum record_tag tag, const char *value)
{
    if (value && !to->err) {
        to->err = record_add_tag(to->record, record_tag_name(tag), value, to->why);
    }
}

static void add_seconds(struct tagger *to, enum record_tag tag, int64_t ns)
{
    char text[32];
    snprintf(text, sizeof text, "%.3f", (double)ns / 1e9);
    add(to, tag, text);
}

/* A name as a tag may contain it: other bytes become '?', and a long name is cut. */
static void add_name(struct tagger *to, enum record_tag tag, const char *name)
{
    char text[RECORD_VALUE_BYTES];
    size_t used = 0;
    while (*name) {
        size_t length = utf8_printable(name);
        size_t taken = length ? length : 1;
        if (used + taken >= sizeof text) {
            break;
        }
        memcpy(text + used, length ? name : "?", taken);
        used += taken;
        name += taken;
    }
    text[used] = '\0';
    add(to, tag, text);
}

static const char *name_of(const struct judge *judge, enum side side)
{
    return judge->players[judge_player_of(judge, side)]->name;
}

static void add_result(struct tagger *to, const struct result *result)
{
    char score[32];
    snprintf(score, sizeof score, "%d-%d", result->score[0], result->score[1]);
    add(to, RECORD_RESULT, record_result_word(result->outcome));
    add(to, RECORD_SCORE, score);
    add(to, RECORD_REASON, result->reason);
}

static void add_conditions(struct tagger *to, const struct judge_rules *rules)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, rules->seed);
    add(to, RECORD_SEED, seed);
    add_seconds(to, RECORD_TIME_LIMIT, rules->limit_ns);
    add_seconds(to, RECORD_GRACE, rules->grace_ns);
}

static void add_bids(struct tagger *to, const struct judge *judge)
{
    char text[BIDS_BYTES];
    struct bids bids = {{judge->bids[0], judge->bids[1]}, judge->lot};
    bool is_settled =
        judge->has_bid[0] && judge->has_bid[1] && !judge->lost_by[0] && !judge->lost_by[1];
    if (is_settled) {
        bids_write(&bids, text);
        add(to, RECORD_BIDS, text);
    }
}

static void add_start(struct tagger *to, const struct judge *judge)
{
    char text[GAME_POSITION_BYTES];
    struct state usual = judge->rules.game->start();
    if (judge->rules.has_auction) {
        add_bids(to, judge);
    } else if (memcmp(&usual, &judge->start, sizeof usual) != 0) {
        judge->rules.game->write_position(&judge->start, text);
        add(to, RECORD_START, text);
    }
}

static enum err add_closing(struct record *record, const struct judge *judge,
                            const struct judge_fault *last_fault, struct note *why)
{
    if (!last_fault || !judge->verdict.is_forfeit ||
        strcmp(judge->verdict.result.reason, fault_name(last_fault->kind)) != 0) {
        return ERR_NONE;
    }
    char comment[ANNOTATION_BYTES];
    struct annotation annotation = {
        .has_time = last_fault->was_asked,
        .time_ns = last_fault->time_ns,
        .has_fault = true,
        .fault = last_fault->kind,
    };
    annotation_write(&annotation, comment);
    return record_close(record, judge->colour[last_fault->player], comment, why);
}

enum err recorder_finish(struct record *record, const struct judge *judge,
                         const struct judge_fault *last_fault, const struct recorder_labels *labels,
                         struct note *why)
{
    struct tagger to = {record, why, add_closing(record, judge, last_fault, why)};
    add(&to, RECORD_GAME, judge->rules.game->name);
    add(&to, RECORD_EVENT, labels->event);
    add(&to, RECORD_ROUND, labels->round);
    add(&to, RECORD_DATE, labels->date);
    add_name(&to, RECORD_BLACK, name_of(judge, SIDE_BLACK));
    add_name(&to, RECORD_WHITE, name_of(judge, SIDE_WHITE));
    add_result(&to, &judge->verdict.result);
    add_conditions(&to, &judge->rules);
    add(&to, RECORD_SANDBOX, labels->sandbox);
    add_start(&to, judge);
    return to.err;
}
