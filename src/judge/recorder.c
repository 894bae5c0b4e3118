#include "judge/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

struct annotation recorder_annotation(const struct judge_ply *ply)
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

enum err recorder_add_move(struct record *record, const struct game *game, int number,
                           enum side side, const struct move *move,
                           const struct annotation *annotation, struct note *why)
{
    char text[GAME_MOVE_BYTES];
    char comment[ANNOTATION_BYTES];
    game_write_move(game, move, text);
    annotation_write(annotation, comment);
    return record_add_ply(record, number, side, text, *comment ? comment : NULL, why);
}

enum err recorder_add_ply(struct record *record, const struct judge *judge,
                          const struct judge_ply *ply, struct note *why)
{
    struct annotation annotation = recorder_annotation(ply);
    return recorder_add_move(record, judge->rules.game, (int)judge->move_count, ply->side,
                             &ply->move, &annotation, why);
}

/* A record to which tags are added until one of them fails. */
struct record_tagger {
    struct record *record;
    struct note *why;
    enum err err;
};

static void add(struct record_tagger *to, enum record_tag tag, const char *value)
{
    if (value && !to->err) {
        to->err = record_add_tag(to->record, record_tag_name(tag), value, to->why);
    }
}

static void add_seconds(struct record_tagger *to, enum record_tag tag, int64_t ns)
{
    char text[32];
    snprintf(text, sizeof text, "%.3f", (double)ns / 1e9);
    add(to, tag, text);
}

/* A name as a tag may contain it: other bytes become '?', and a long name is cut. */
static void add_name(struct record_tagger *to, enum record_tag tag, const char *name)
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

static void add_result(struct record_tagger *to, const struct result *result)
{
    char score[32];
    snprintf(score, sizeof score, "%d-%d", result->score[0], result->score[1]);
    add(to, RECORD_RESULT, record_result_word(result->outcome));
    add(to, RECORD_SCORE, score);
    add(to, RECORD_REASON, *result->reason ? result->reason : NULL);
}

static void add_conditions(struct record_tagger *to, const struct judge_rules *rules)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, rules->seed);
    add(to, RECORD_SEED, seed);
    add_seconds(to, RECORD_TIME_LIMIT, rules->limit_ns);
    add_seconds(to, RECORD_GRACE, rules->grace_ns);
    if (rules->late_limit) {
        char late_limit[16];
        snprintf(late_limit, sizeof late_limit, "%d", rules->late_limit);
        add(to, RECORD_LATE_LIMIT, late_limit);
    }
}

static void add_start(struct record_tagger *to, const struct recorder_game *game)
{
    char position[GAME_POSITION_BYTES];
    char bids[BIDS_BYTES];
    struct state usual = game->game->start();
    if (game->bids) {
        bids_write(game->bids, bids);
        add(to, RECORD_BIDS, bids);
    }
    if (game->start && memcmp(&usual, game->start, sizeof usual) != 0) {
        game->game->write_position(game->start, position);
        add(to, RECORD_START, position);
    }
}

enum err recorder_add_tags(struct record *record, const struct recorder_game *game,
                           const struct recorder_labels *labels, struct note *why)
{
    struct record_tagger to = {record, why, ERR_NONE};
    add(&to, RECORD_GAME, game->game->name);
    add(&to, RECORD_EVENT, labels->event);
    add(&to, RECORD_ROUND, labels->round);
    add(&to, RECORD_DATE, labels->date);
    add_name(&to, RECORD_BLACK, game->names[SIDE_BLACK]);
    add_name(&to, RECORD_WHITE, game->names[SIDE_WHITE]);
    add_result(&to, &game->result);
    if (game->rules) {
        add_conditions(&to, game->rules);
    }
    add(&to, RECORD_SANDBOX, labels->sandbox);
    add_start(&to, game);
    if (!to.err && labels->machine) {
        to.err = record_add_tag(record, "Machine", labels->machine, why);
    }
    return to.err;
}

static enum err add_closing(struct record *record, const struct judge *judge, struct note *why)
{
    const struct game_fault *last_fault = &judge->last_fault;
    const char *reason = judge->verdict.result.reason;
    bool is_decisive =
        judge->verdict.is_forfeit && judge->fault_count[last_fault->player][last_fault->kind] &&
        (strcmp(reason, fault_name(last_fault->kind)) == 0 || strcmp(reason, "late-limit") == 0);
    if (!is_decisive) {
        return ERR_NONE;
    }
    char comment[ANNOTATION_BYTES];
    struct annotation annotation = {
        .has_time = last_fault->time_ms >= 0,
        .time_ns = judge->last_fault_ns,
        .has_fault = true,
        .fault = last_fault->kind,
    };
    annotation_write(&annotation, comment);
    return record_close(record, judge->colour[last_fault->player], comment, why);
}

enum err recorder_finish(struct record *record, const struct judge *judge,
                         const struct recorder_labels *labels, struct note *why)
{
    struct bids bids = {{judge->bids[0], judge->bids[1]}, judge->lot};
    bool is_settled =
        judge->has_bid[0] && judge->has_bid[1] && !judge->lost_by[0] && !judge->lost_by[1];
    bool has_auction = judge->rules.has_auction;
    const struct recorder_game game = {
        .game = judge->rules.game,
        .names = {name_of(judge, SIDE_BLACK), name_of(judge, SIDE_WHITE)},
        .result = judge->verdict.result,
        .rules = &judge->rules,
        .start = has_auction ? NULL : &judge->start,
        .bids = has_auction && is_settled ? &bids : NULL,
    };
    enum err err = add_closing(record, judge, why);
    return err ? err : recorder_add_tags(record, &game, labels, why);
}
