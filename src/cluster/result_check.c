#include "cluster/result_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/selfplay_check.h"
#include "judge/record.h"
#include "judge/record_reader.h"
#include "judge/replay.h"
#include "tournament/match.h"

/* It is stored as it came: others can follow it in a file. */
static enum err read_record(char *text, struct record *record, struct note *why)
{
    bool is_found = false;
    bool has_more = false;
    struct record second = {0};
    size_t length = strlen(text);
    bool is_whole = text[0] == '[' && length > 2 && strcmp(text + length - 2, "\n\n") == 0;
    FILE *file = is_whole ? fmemopen(text, length, "r") : NULL;
    if (!file) {
        return note_fail(why, ERR_INPUT, "it has no record, with an empty line after it");
    }
    struct record_reader reader = record_reader_make(file);
    enum err err = record_reader_next(&reader, record, &is_found, why);
    err = err ? err : record_reader_next(&reader, &second, &has_more, why);
    fclose(file);
    record_free(&second);
    return err                     ? ERR_INPUT
           : !is_found || has_more ? note_fail(why, ERR_INPUT, "it must have one record")
                                   : ERR_NONE;
}

/* In a name what cannot be printed is replaced. */
static bool is_name(const struct record *record, enum record_tag tag, const char *name)
{
    const char *own = record_tag(record, tag);
    bool is_same = own && strlen(own) == strlen(name);
    for (; is_same && *own; own++, name++) {
        is_same = *own == *name || *own == '?';
    }
    return is_same;
}

/* 0: there is no such tag. */
static bool is_number(const struct record *record, enum record_tag tag, uint64_t number)
{
    char text[32] = "";
    if (number) {
        snprintf(text, sizeof text, "%" PRIu64, number);
    }
    return record_has_tag(record, tag, text);
}

static bool is_round(const struct record *record, const char *round, int number)
{
    char text[64];
    snprintf(text, sizeof text, "%s%s%d", round, *round ? "." : "", number + 1);
    return record_has_tag(record, RECORD_ROUND, text);
}

static bool names_machine(const struct record *record, const char *machine)
{
    for (size_t i = 0; i < record->other_tag_count; i++) {
        const struct record_entry *tag = &record->other_tags[i];
        if (strcmp(record_words(record, tag->name), "Machine") == 0) {
            return strcmp(record_words(record, tag->value), machine) == 0;
        }
    }
    return false;
}

/* The numbers of faults are those of the list. */
static bool has_its_faults(const struct finished_game *game)
{
    int faults[2][FAULT_KINDS] = {{0}};
    for (size_t i = 0; i < game->fault_count; i++) {
        const struct game_fault *fault = &game->fault_list[i];
        faults[fault->player][fault->kind]++;
        if (fault->ply > game->summary.plies) {
            return false;
        }
    }
    return memcmp(faults, game->summary.faults, sizeof faults) == 0;
}

static enum err compare(const struct cluster_terms *terms, const struct cluster_job *job,
                        const char *machine, const struct finished_game *game,
                        const struct record *record, struct note *why)
{
    const struct judge_rules *rules = &terms->rules.judge;
    char score[32];
    int number = job->key.work.first_game + game->index;
    int black = game->summary.colour[0] == SIDE_BLACK ? 0 : 1;
    uint64_t seed = match_game_seed(job->seed, number);
    snprintf(score, sizeof score, "%d-%d", game->summary.score[0], game->summary.score[1]);
    const char *what =
        game->summary.colour[0] == game->summary.colour[1]                   ? "colours"
        : !rules->has_auction && black != game->index % 2                    ? "colours"
        : !record_has_tag(record, RECORD_GAME, terms->game)                  ? "tag Game"
        : !record_has_tag(record, RECORD_EVENT, terms->event)                ? "tag Event"
        : !is_round(record, job->round, number)                              ? "tag Round"
        : !is_number(record, RECORD_SEED, seed)                              ? "tag Seed"
        : !record_has_seconds(record, RECORD_TIME_LIMIT, rules->limit_ns)    ? "tag TimeLimit"
        : !record_has_seconds(record, RECORD_GRACE, rules->grace_ns)         ? "tag Grace"
        : !is_number(record, RECORD_LATE_LIMIT, (uint64_t)rules->late_limit) ? "tag LateLimit"
        : !record_has_tag(record, RECORD_START, job->start)                  ? "tag Start"
        : !rules->has_auction && !record_has_tag(record, RECORD_BIDS, "")    ? "tag Bids"
        : !is_name(record, RECORD_BLACK, job->players[black].name)           ? "tag Black"
        : !is_name(record, RECORD_WHITE, job->players[1 - black].name)       ? "tag White"
        : !names_machine(record, machine)                                    ? "tag Machine"
        : !record_has_tag(record, RECORD_RESULT, record_result_word(game->summary.outcome))
            ? "tag Result"
        : !record_has_tag(record, RECORD_SCORE, score)                 ? "tag Score"
        : !record_has_tag(record, RECORD_REASON, game->summary.reason) ? "tag Reason"
        : game->summary.outcome == OUTCOME_ONGOING                     ? "outcome"
        : (size_t)game->summary.plies != record->ply_count             ? "number of plies"
        : !has_its_faults(game)                                        ? "list of faults"
                                                                       : NULL;
    return what ? note_fail(why, ERR_INPUT, "its %s is not that of the job or its record", what)
                : ERR_NONE;
}

static enum err check_game(enum cpu_level cpu, const struct cluster_terms *terms,
                           const struct cluster_job *job, const char *machine,
                           const struct finished_game *game, struct replay *replay,
                           struct note *why)
{
    struct record record = {0};
    enum err err = read_record(game->record, &record, why);
    err = err || terms->rules.is_selfplay ? err : compare(terms, job, machine, game, &record, why);
    if (!err && replay_run(cpu, &record, replay, why)) {
        err = ERR_INPUT;
    }
    if (!err && terms->rules.is_selfplay) {
        err = selfplay_check(terms, job, game, &record, replay, why);
    }
    record_free(&record);
    return err;
}

enum err result_check(enum cpu_level cpu, const struct cluster_terms *terms,
                      const struct cluster_job *job, const struct cluster_result *result,
                      struct note *why)
{
    struct replay replay = {0};
    enum err err = ERR_NONE;
    if (!cluster_key_equal(&job->key, &result->key)) {
        err = note_fail(why, ERR_INPUT, "it is not about the games of the job");
    }
    for (int i = 0; !err && i < result->key.work.to - result->key.work.from; i++) {
        const struct finished_game *game = &result->games[i];
        err = check_game(cpu, terms, job, result->machine, game, &replay, why);
        if (err) {
            note_prefix(why, "game %d", result->key.work.first_game + game->index + 1);
        }
    }
    replay_free(&replay);
    return err;
}

/* The first ply, from 1, in which two records differ; 0: none. */
static size_t find_difference(const struct record *one, const struct record *other)
{
    size_t count = one->ply_count > other->ply_count ? one->ply_count : other->ply_count;
    for (size_t i = 0; i < count; i++) {
        if (i >= one->ply_count || i >= other->ply_count ||
            strcmp(record_words(one, one->plies[i].move),
                   record_words(other, other->plies[i].move)) != 0) {
            return i + 1;
        }
    }
    return 0;
}

static enum err compare_games(const struct finished_game *one, const struct finished_game *other,
                              struct note *why)
{
    struct record records[2] = {{0}, {0}};
    enum err err = read_record(one->record, &records[0], why);
    err = err ? err : read_record(other->record, &records[1], why);
    size_t ply = err ? 0 : find_difference(&records[0], &records[1]);
    if (ply) {
        err = note_fail(why, ERR_NEGATIVE, "ply %zu is another move", ply);
    } else if (!err && (one->summary.outcome != other->summary.outcome ||
                        one->summary.score[0] != other->summary.score[0] ||
                        one->summary.score[1] != other->summary.score[1] ||
                        one->summary.colour[0] != other->summary.colour[0] ||
                        strcmp(one->summary.reason, other->summary.reason) != 0)) {
        err = note_fail(why, ERR_NEGATIVE, "it ended %s (%s) and %s (%s)",
                        record_result_word(one->summary.outcome), one->summary.reason,
                        record_result_word(other->summary.outcome), other->summary.reason);
    }
    record_free(&records[0]);
    record_free(&records[1]);
    return err ? ERR_NEGATIVE : ERR_NONE;
}

enum err result_compare(const struct cluster_result *one, const struct cluster_result *other,
                        struct note *why)
{
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < one->key.work.to - one->key.work.from; i++) {
        err = compare_games(&one->games[i], &other->games[i], why);
        if (err) {
            note_prefix(why, "game %d", one->key.work.first_game + one->games[i].index + 1);
        }
    }
    return err;
}
