#include "judge/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "game/registry.h"
#include "judge/bids.h"

enum { MAX_SCORE = 9999, SCORE_BYTES = 16 };

struct replay_run {
    enum cpu_level cpu;
    const struct record *record;
    const struct game *game;
    struct state state;
    bool is_numbered_by_ply;  /* so far: 1, 2, 3, 4 … */
    bool is_numbered_by_pair; /* so far: 1, 1, 2, 2 … as chess players count */
    bool is_replaced[2];      /* by side: the judge plays its turns to the end */
};

/* Prefixes the sentence with the place in the file and in the game. */
static enum err blame(int line, const char *what, enum err err, struct note *why)
{
    if (line) {
        note_prefix(why, "line %d: %s", line, what);
    } else {
        note_prefix(why, "%s", what);
    }
    return err;
}

static enum err blame_tag(const struct record *record, enum record_tag tag, enum err err,
                          struct note *why)
{
    struct note what;
    note_set(&what, "tag %s", record_tag_name(tag));
    return blame(record->tags[tag].line, what.text, err, why);
}

static enum err blame_turn(const struct record *record, const struct record_turn *turn, size_t ply,
                           enum err err, struct note *why)
{
    struct note what;
    const char *move = record_words(record, turn->move);
    note_set(&what, "ply %zu, %s %.60s", ply, side_title(turn->side), move ? move : "to move");
    return blame(turn->line, what.text, err, why);
}

static enum err find_game(struct replay_run *run, struct note *why)
{
    const char *name = record_tag(run->record, RECORD_GAME);
    if (!name) {
        return note_fail(why, ERR_INPUT, "the record has no tag Game");
    }
    run->game = registry_find(run->cpu, name, why);
    return run->game ? ERR_NONE : blame_tag(run->record, RECORD_GAME, ERR_INPUT, why);
}

static enum err find_start(struct replay_run *run, struct note *why)
{
    const char *bids_text = record_tag(run->record, RECORD_BIDS);
    const char *start_text = record_tag(run->record, RECORD_START);
    enum err err = ERR_NONE;
    run->state = run->game->start();
    if (bids_text) {
        struct bids bids;
        err = bids_read(bids_text, &bids, why);
        if (err || (err = bids_settle(run->game, &bids, &run->state, why))) {
            return blame_tag(run->record, RECORD_BIDS, err, why);
        }
    }
    if (start_text) {
        err = game_read_position(run->game, start_text, &run->state, why);
    }
    return err ? blame_tag(run->record, RECORD_START, err, why) : ERR_NONE;
}

static enum err check_number(struct replay_run *run, size_t index, struct note *why)
{
    const struct record_turn *turn = &run->record->plies[index];
    bool white_began = (run->game->to_move(&run->state) == SIDE_WHITE) == (index % 2 == 0);
    size_t number = (size_t)turn->number;
    run->is_numbered_by_ply = run->is_numbered_by_ply && number == index + 1;
    run->is_numbered_by_pair = run->is_numbered_by_pair && number == (index + white_began) / 2 + 1;
    if (!run->is_numbered_by_ply && !run->is_numbered_by_pair) {
        return note_fail(why, ERR_NEGATIVE, "it is numbered %d", turn->number);
    }
    return ERR_NONE;
}

/* A fault that costs the turn leaves only one move, whatever the player wanted. */
static enum err check_fault(struct replay_run *run, const struct record_turn *turn,
                            const struct move *move, struct note *why)
{
    bool is_replaced = run->is_replaced[turn->side];
    if (turn->facts.has_fault) {
        enum penalty penalty = run->game->penalties[turn->facts.fault];
        if (penalty == PENALTY_LOSS) {
            return note_fail(why, ERR_NEGATIVE,
                             "fault=%s loses a game of %s at once, so no move comes with it",
                             fault_name(turn->facts.fault), run->game->name);
        }
        is_replaced = is_replaced || penalty != PENALTY_NOTE;
        run->is_replaced[turn->side] |= penalty == PENALTY_REPLACE_FOREVER;
    }
    struct move demanded = run->game->replacement(&run->state);
    if (is_replaced && move_compare(move, &demanded) != 0) {
        char text[GAME_MOVE_BYTES];
        game_write_move(run->game, &demanded, text);
        return note_fail(why, ERR_NEGATIVE, "after the fault the judge plays %s for this side",
                         text);
    }
    return ERR_NONE;
}

static enum err play(struct replay_run *run, size_t index, struct note *why)
{
    const struct record_turn *turn = &run->record->plies[index];
    const struct game *game = run->game;
    struct move move;
    if (game_is_over(game, &run->state)) {
        return note_fail(why, ERR_NEGATIVE, "the game was already over: %s",
                         game->result(&run->state).reason);
    }
    enum err err = check_number(run, index, why);
    if (err) {
        return err;
    }
    if (turn->side != game->to_move(&run->state)) {
        return note_fail(why, ERR_NEGATIVE, "it is %s's turn", side_title(side_other(turn->side)));
    }
    err = game_read_move(game, record_words(run->record, turn->move), &move, why);
    err = err ? err : check_fault(run, turn, &move, why);
    return err ? err : game->apply(&run->state, &move, why);
}

static enum err read_result(const struct record *record, enum outcome *out, struct note *why)
{
    const char *text = record_tag(record, RECORD_RESULT);
    if (!text) {
        return note_fail(why, ERR_INPUT, "the record has no tag Result");
    }
    for (enum outcome outcome = OUTCOME_ONGOING; outcome <= OUTCOME_BOTH_LOST; outcome++) {
        if (strcmp(text, record_result_word(outcome)) == 0) {
            *out = outcome;
            return ERR_NONE;
        }
    }
    note_set(why, "a result is 1-0, 0-1, 1/2-1/2, 0-0 or *, not '%.40s'", text);
    return blame_tag(record, RECORD_RESULT, ERR_INPUT, why);
}

/* "5-3", "8--8": the first minus after a digit separates the two. */
static enum err read_score(const char *text, int64_t out[2], struct note *why)
{
    char black[SCORE_BYTES];
    size_t minus = *text ? 1 + strcspn(text + 1, "-") : 0;
    if (minus == 0 || minus >= sizeof black || text[minus] != '-') {
        return note_fail(why, ERR_INPUT,
                         "a score is Black's and White's points, as in 5-3, not '%.40s'", text);
    }
    memcpy(black, text, minus);
    black[minus] = '\0';
    enum err err = number_read(black, "Black's score", -MAX_SCORE, MAX_SCORE, &out[0], why);
    return err ? err
               : number_read(text + minus + 1, "White's score", -MAX_SCORE, MAX_SCORE, &out[1],
                             why);
}

static enum err check_score(const struct record *record, const int expected[2], struct note *why)
{
    const char *text = record_tag(record, RECORD_SCORE);
    int64_t score[2];
    if (!text) {
        return ERR_NONE;
    }
    enum err err = read_score(text, score, why);
    if (!err && (score[0] != expected[0] || score[1] != expected[1])) {
        err = note_fail(why, ERR_NEGATIVE, "it is %s, but the game ended %d-%d", text, expected[0],
                        expected[1]);
    }
    return err ? blame_tag(record, RECORD_SCORE, err, why) : ERR_NONE;
}

/* Whether games of any kind end on the board for this reason. */
static bool is_board_reason(enum cpu_level cpu, const char *word)
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu, i)); i++) {
        for (const struct game_reason *reason = game->reasons; reason->word; reason++) {
            if (strcmp(word, reason->word) == 0) {
                return true;
            }
        }
    }
    return false;
}

static enum err check_end_on_board(const struct replay_run *run, enum outcome claimed,
                                   struct note *why)
{
    const struct record *record = run->record;
    struct result result = run->game->result(&run->state);
    const char *reason = record_tag(record, RECORD_REASON);
    enum fault fault;
    if (record->is_closed) {
        note_set(why, "the game was already over: %s", result.reason);
        return blame_turn(record, &record->closing, record->ply_count + 1, ERR_NEGATIVE, why);
    }
    if (claimed != result.outcome) {
        note_set(why, "it is %s, but the game ended %s: %s", record_result_word(claimed),
                 record_result_word(result.outcome), result.reason);
        return blame_tag(record, RECORD_RESULT, ERR_NEGATIVE, why);
    }
    if (reason && strcmp(reason, result.reason) != 0 &&
        (annotation_name_fault(reason, &fault) || is_board_reason(run->cpu, reason))) {
        note_set(why, "it is %s, but the game ended with %s", reason, result.reason);
        return blame_tag(record, RECORD_REASON, ERR_NEGATIVE, why);
    }
    return check_score(record, result.score, why);
}

/* The turn in which the game was lost, where the record has it. */
static enum err check_closing(const struct replay_run *run, enum side loser, struct note *why)
{
    const struct record *record = run->record;
    const struct record_turn *closing = &record->closing;
    const char *reason = record_tag(record, RECORD_REASON);
    enum fault named;
    enum err err = ERR_NONE;
    if (!record->is_closed) {
        return ERR_NONE;
    }
    if (closing->side != loser) {
        err = note_fail(why, ERR_NEGATIVE, "the closing turn is %s's, but %s lost",
                        side_title(closing->side), side_title(loser));
    } else if (closing->facts.has_fault && annotation_name_fault(reason, &named) &&
               named != closing->facts.fault) {
        err = note_fail(why, ERR_NEGATIVE, "the closing turn has fault=%s, but the Reason is %s",
                        fault_name(closing->facts.fault), reason);
    }
    return err ? blame_turn(record, closing, record->ply_count + 1, err, why) : ERR_NONE;
}

static enum err refuse_board_reason(const struct record *record, const char *reason,
                                    struct note *why)
{
    note_set(why, "it is %s, but the game is not over on the board", reason);
    return blame_tag(record, RECORD_REASON, ERR_NEGATIVE, why);
}

/* A noted fault also loses the game after the second limit. */
static bool can_lose_by(const struct game *game, enum fault fault)
{
    return game->penalties[fault] == PENALTY_LOSS || game->penalties[fault] == PENALTY_NOTE;
}

/* The closing turn is late, and so are the loser's turns before it. A pass is not a turn that it
 * was asked for. */
static enum err check_late_limit(const struct record *record, struct note *why)
{
    const char *text = record_tag(record, RECORD_LATE_LIMIT);
    int64_t limit = 0;
    if (!text) {
        note_set(why, "it is late-limit, and no tag LateLimit gives the limit");
        return blame_tag(record, RECORD_REASON, ERR_NEGATIVE, why);
    }
    enum err err = number_read(text, "LateLimit", 1, RECORD_MAX_PLIES, &limit, why);
    if (err) {
        return blame_tag(record, RECORD_LATE_LIMIT, err, why);
    }
    const struct record_turn *closing = &record->closing;
    bool is_late =
        record->is_closed && closing->facts.has_fault && closing->facts.fault == FAULT_LATE;
    int64_t late = is_late;
    for (size_t i = record->ply_count; is_late && i-- > 0;) {
        const struct record_turn *turn = &record->plies[i];
        if (turn->side != closing->side || strcmp(record_words(record, turn->move), "pass") == 0) {
            continue;
        }
        is_late = turn->facts.has_fault && turn->facts.fault == FAULT_LATE;
        late += is_late;
    }
    if (late != limit) {
        note_set(why,
                 "it is late-limit, but %lld of the loser's last turns in a row are late and "
                 "the limit is %lld",
                 (long long)late, (long long)limit);
        return blame_tag(record, RECORD_REASON, ERR_NEGATIVE, why);
    }
    return ERR_NONE;
}

static enum err check_reason_of_loss(const struct replay_run *run, struct note *why)
{
    const struct record *record = run->record;
    const char *reason = record_tag(record, RECORD_REASON);
    enum fault fault = FAULT_LATE;
    if (!reason || !*reason) {
        note_set(why, "the game is not over on the board, and no tag Reason gives the reason");
        return blame_tag(record, RECORD_RESULT, ERR_NEGATIVE, why);
    }
    if (is_board_reason(run->cpu, reason)) {
        return refuse_board_reason(record, reason, why);
    }
    if (strcmp(reason, "late-limit") == 0) {
        return check_late_limit(record, why);
    }
    bool is_fault = annotation_name_fault(reason, &fault);
    if (!is_fault && record->is_closed && record->closing.facts.has_fault) {
        is_fault = true;
        fault = record->closing.facts.fault;
    }
    if (is_fault && !can_lose_by(run->game, fault)) {
        note_set(why, "a game of %s is not lost by being %s", run->game->name, fault_name(fault));
        return blame_tag(record, RECORD_REASON, ERR_NEGATIVE, why);
    }
    return ERR_NONE;
}

/* Neither player got as far as the first move. Records of 0.1 call that a draw by no-start. */
static enum err check_both_missing(const struct record *record, enum outcome claimed,
                                   struct note *why)
{
    static const int score[2] = {0, 0};
    const char *reason = record_tag(record, RECORD_REASON);
    const char *no_start = claimed == OUTCOME_DRAW ? "no-start" : "both-absent";
    bool is_missing = reason && (strcmp(reason, no_start) == 0 || strcmp(reason, "no-bid") == 0);
    if (!is_missing || record->ply_count || record->is_closed) {
        note_set(why, "the game is not over on the board, so it is not %s",
                 claimed == OUTCOME_DRAW ? "a draw" : "lost by both");
        return blame_tag(record, RECORD_RESULT, ERR_NEGATIVE, why);
    }
    return check_score(record, score, why);
}

static enum err check_loss(const struct replay_run *run, enum outcome claimed, struct note *why)
{
    enum side winner = claimed == OUTCOME_BLACK ? SIDE_BLACK : SIDE_WHITE;
    enum side loser = side_other(winner);
    struct result result = run->game->result(&run->state);
    if (claimed == OUTCOME_DRAW || claimed == OUTCOME_BOTH_LOST) {
        return check_both_missing(run->record, claimed, why);
    }
    enum err err = check_reason_of_loss(run, why);
    err = err ? err : check_closing(run, loser, why);
    if (result.score[winner] <= result.score[loser]) {
        result.score[winner] = result.score[loser] + 1;
    }
    return err ? err : check_score(run->record, result.score, why);
}

static enum err check_unfinished(const struct replay_run *run, struct note *why)
{
    const char *reason = record_tag(run->record, RECORD_REASON);
    if (reason && is_board_reason(run->cpu, reason)) {
        return refuse_board_reason(run->record, reason, why);
    }
    return check_score(run->record, run->game->result(&run->state).score, why);
}

static enum err check_end(const struct replay_run *run, struct note *why)
{
    enum outcome claimed = OUTCOME_ONGOING;
    enum err err = read_result(run->record, &claimed, why);
    if (err) {
        return err;
    }
    if (game_is_over(run->game, &run->state)) {
        return check_end_on_board(run, claimed, why);
    }
    return claimed == OUTCOME_ONGOING ? check_unfinished(run, why) : check_loss(run, claimed, why);
}

static enum err reserve(struct replay *replay, size_t wanted, struct note *why)
{
    struct state *states =
        array_reserve(replay->states, &replay->state_capacity, wanted, sizeof *states);
    if (!states) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the positions of a game");
    }
    replay->states = states;
    return ERR_NONE;
}

enum err replay_run(enum cpu_level cpu, const struct record *record, struct replay *out,
                    struct note *why)
{
    struct replay_run run = {
        .cpu = cpu, .record = record, .is_numbered_by_ply = true, .is_numbered_by_pair = true};
    out->game = NULL;
    out->state_count = 0;
    enum err err = reserve(out, record->ply_count + 1, why);
    err = err ? err : find_game(&run, why);
    out->game = run.game;
    if (err || (err = find_start(&run, why))) {
        return err;
    }
    out->states[out->state_count++] = run.state;
    for (size_t i = 0; i < record->ply_count; i++) {
        err = play(&run, i, why);
        if (err) {
            return blame_turn(record, &record->plies[i], i + 1, err, why);
        }
        out->states[out->state_count++] = run.state;
    }
    return check_end(&run, why);
}

void replay_free(struct replay *replay)
{
    free(replay->states);
    *replay = (struct replay){0};
}
