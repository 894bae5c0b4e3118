#include "cli/play_game.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "judge/record.h"

void play_game_begin(struct play_game *play, enum side person, const struct state *start)
{
    play->person = person;
    play->start = *start;
    play->now = *start;
}

void play_game_add(struct play_game *play, const struct move *move, const struct annotation *facts)
{
    assert(play->count < JUDGE_MAX_PLIES);
    play->plies[play->count++] = (struct play_ply){play->now, *move, *facts};
    enum err err = play->game->apply(&play->now, move, NULL);
    assert(!err);
    (void)err;
}

bool play_game_undo(struct play_game *play)
{
    if (play->is_resigned) {
        play->is_resigned = false;
        return true;
    }
    for (size_t i = play->count; i > 0; i--) {
        const struct play_ply *ply = &play->plies[i - 1];
        if (ply->move.kind == MOVE_PATH && play->game->to_move(&ply->before) == play->person) {
            play->now = ply->before;
            play->count = i - 1;
            return true;
        }
    }
    return false;
}

bool play_game_is_over(const struct play_game *play)
{
    return play->is_resigned || game_is_over(play->game, &play->now);
}

struct result play_game_result(const struct play_game *play)
{
    struct result result = play->game->result(&play->now);
    enum side won = side_other(play->person);
    if (!play->is_resigned) {
        return result;
    }
    if (result.score[won] <= result.score[play->person]) {
        result.score[won] = result.score[play->person] + 1;
    }
    result.outcome = won == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    result.reason = "resigned";
    return result;
}

const struct move *play_game_last(const struct play_game *play)
{
    return play->count ? &play->plies[play->count - 1].move : NULL;
}

/* --- The record --- */

static enum err add_tag(struct record *record, enum record_tag tag, const char *value,
                        struct note *why)
{
    return record_add_tag(record, record_tag_name(tag), value, why);
}

static enum err add_players(struct record *record, const struct play_game *play, struct note *why)
{
    static const enum record_tag tags[2] = {RECORD_BLACK, RECORD_WHITE};
    char engine[32];
    snprintf(engine, sizeof engine, "builtin:%d", play->level);
    enum err err = add_tag(record, tags[play->person], "human", why);
    return err ? err : add_tag(record, tags[side_other(play->person)], engine, why);
}

static enum err add_result(struct record *record, const struct play_game *play, struct note *why)
{
    static const char *const words[] = {[OUTCOME_ONGOING] = "*",
                                        [OUTCOME_BLACK] = "1-0",
                                        [OUTCOME_WHITE] = "0-1",
                                        [OUTCOME_DRAW] = "1/2-1/2"};
    struct result result = play_game_result(play);
    char score[32];
    snprintf(score, sizeof score, "%d-%d", result.score[0], result.score[1]);
    enum err err = add_tag(record, RECORD_RESULT, words[result.outcome], why);
    if (!err) {
        err = add_tag(record, RECORD_SCORE, score, why);
    }
    if (!err && *result.reason) {
        err = add_tag(record, RECORD_REASON, result.reason, why);
    }
    return err;
}

/* The position or the bids that the game began with, unless it began as usual. */
static enum err add_start(struct record *record, const struct play_game *play, struct note *why)
{
    struct state usual = play->game->start();
    char text[GAME_POSITION_BYTES];
    if (play->has_auction) {
        char bids[BIDS_BYTES];
        bids_write(&play->bids, bids);
        return add_tag(record, RECORD_BIDS, bids, why);
    }
    if (memcmp(&usual, &play->start, sizeof usual) == 0) {
        return ERR_NONE;
    }
    play->game->write_position(&play->start, text);
    return add_tag(record, RECORD_START, text, why);
}

static enum err add_tags(struct record *record, const struct play_game *play, struct note *why)
{
    char date[CLOCK_DATE_BYTES];
    clock_write_today(date);
    enum err err = add_tag(record, RECORD_GAME, play->game->name, why);
    if (!err) {
        err = add_tag(record, RECORD_DATE, date, why);
    }
    if (!err) {
        err = add_players(record, play, why);
    }
    if (!err) {
        err = add_result(record, play, why);
    }
    return err ? err : add_start(record, play, why);
}

static enum err add_plies(struct record *record, const struct play_game *play, struct note *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < play->count; i++) {
        const struct play_ply *ply = &play->plies[i];
        char move[GAME_MOVE_BYTES];
        char comment[ANNOTATION_BYTES];
        game_write_move(play->game, &ply->move, move);
        annotation_write(&ply->facts, comment);
        err = record_add_ply(record, (int)i + 1, play->game->to_move(&ply->before), move,
                             *comment ? comment : NULL, why);
    }
    return err;
}

static enum err write_record(const struct record *record, const char *path, struct note *why)
{
    struct atomic_file file = {0};
    enum err err = atomic_file_open(&file, path, why);
    if (!err) {
        err = record_write(record, file.stream, why);
    }
    if (!err) {
        err = atomic_file_commit(&file, why);
    }
    atomic_file_discard(&file);
    return err;
}

enum err play_game_save(const struct play_game *play, const char *path, struct note *why)
{
    struct record record = {0};
    enum err err = add_tags(&record, play, why);
    if (!err) {
        err = add_plies(&record, play, why);
    }
    if (!err) {
        err = write_record(&record, path, why);
    }
    record_free(&record);
    return err;
}
