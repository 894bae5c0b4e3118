#include "random_tournament.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "judge/bids.h"
#include "judge/replay.h"
#include "random_game.h"
#include "record_support.h"
#include "store/store.h"
#include "store/writer.h"

static const int64_t first_moment_ms = INT64_C(1767225600000); /* 2026 */

struct play {
    struct roster roster;
    struct tournament tournament;
    struct writer *writer;
    struct rng rng;
    struct record record;
};

static void keep_round(void *owner, int round, size_t first, size_t count)
{
    struct play *play = owner;
    writer_add_round(play->writer, round, (int)first, play->tournament.pairings + first, count);
}

static void do_nothing(void *owner) { (void)owner; }

/* The player of Black: by the auction where there is one. */
static int black_of(const struct play *play)
{
    const char *text = record_tag(&play->record, RECORD_BIDS);
    struct bids bids;
    struct note why;
    if (!text) {
        return 0;
    }
    assert_int_equal(bids_read(text, &bids, &why), ERR_NONE);
    return play->roster.game->auction(bids.bids, bids.lot).colour[0] == SIDE_BLACK ? 0 : 1;
}

static void add_turn(struct tournament_game *game, const struct record_turn *turn)
{
    int place = game->summary.colour[0] == turn->side ? 0 : 1;
    int64_t ms = turn->facts.has_time ? turn->facts.time_ns / 1000000 : 0;
    game->summary.thinking_ms[place] += ms;
    game->summary.slowest_ms[place] =
        ms > game->summary.slowest_ms[place] ? ms : game->summary.slowest_ms[place];
    if (turn->facts.has_fault) {
        game->summary.faults[place][turn->facts.fault]++;
    }
}

static void read_result(const struct play *play, struct tournament_game *game)
{
    const char *result = record_tag(&play->record, RECORD_RESULT);
    game->summary.outcome = strcmp(result, "1-0") == 0   ? OUTCOME_BLACK
                            : strcmp(result, "0-1") == 0 ? OUTCOME_WHITE
                                                         : OUTCOME_DRAW;
    assert_int_equal(sscanf(record_tag(&play->record, RECORD_SCORE), "%d-%d",
                            &game->summary.score[0], &game->summary.score[1]),
                     2);
    snprintf(game->summary.reason, sizeof game->summary.reason, "%s",
             record_tag(&play->record, RECORD_REASON));
    game->summary.is_forfeit = play->record.is_closed;
    game->summary.plies = (int)play->record.ply_count;
    for (size_t i = 0; i < play->record.ply_count; i++) {
        add_turn(game, &play->record.plies[i]);
    }
    if (play->record.is_closed) {
        add_turn(game, &play->record.closing);
    }
}

static void add_fault(const struct play *play, const struct tournament_game *game,
                      const struct replay *replay, size_t ply, const struct record_turn *turn,
                      struct game_fault *out)
{
    *out = (struct game_fault){
        .player = game->summary.colour[0] == turn->side ? 0 : 1,
        .ply = (int)ply,
        .kind = turn->facts.fault,
        .time_ms = turn->facts.has_time ? turn->facts.time_ns / 1000000 : -1,
    };
    note_set(&out->why, "it <b>did</b> \"anything\" & more");
    play->roster.game->write_position(&replay->states[ply], out->position);
}

static struct game_fault *list_faults(const struct play *play, const struct tournament_game *game,
                                      size_t *count)
{
    struct replay replay = {0};
    struct note why;
    struct game_fault *faults = calloc(play->record.ply_count + 1, sizeof *faults);
    assert_non_null(faults);
    assert_int_equal(replay_run(CPU_BASELINE, &play->record, &replay, &why), ERR_NONE);
    *count = 0;
    for (size_t i = 0; i < play->record.ply_count; i++) {
        if (play->record.plies[i].facts.has_fault) {
            add_fault(play, game, &replay, i, &play->record.plies[i], &faults[(*count)++]);
        }
    }
    if (play->record.is_closed) {
        add_fault(play, game, &replay, play->record.ply_count, &play->record.closing,
                  &faults[(*count)++]);
    }
    replay_free(&replay);
    return faults;
}

static void play_game(struct play *play, int number)
{
    struct tournament_game game = play->tournament.games[number];
    random_game(play->roster.game, &play->rng, &play->record);
    int black = black_of(play);
    game.summary.colour[black] = SIDE_BLACK;
    game.summary.colour[1 - black] = SIDE_WHITE;
    game.status = GAME_PLAYED;
    game.started_ms = first_moment_ms + number * 60000;
    game.ended_ms = game.started_ms + 30000;
    read_result(play, &game);
    struct finished_game finished = {.record = record_to_text(&play->record)};
    finished.fault_list = list_faults(play, &game, &finished.fault_count);
    writer_add_game(play->writer, &game, "", &finished);
    struct tournament_game committed;
    while (!writer_take_committed(play->writer, &committed)) {
        struct note why = {""};
        assert_int_equal(writer_failure(play->writer, &why), ERR_NONE);
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    tournament_finish_game(&play->tournament, &committed);
}

static void play_all(struct play *play)
{
    struct tournament_work work;
    struct note why;
    assert_int_equal(tournament_plan(&play->tournament, &why), ERR_NONE);
    while (tournament_next(&play->tournament, &work)) {
        for (int i = work.from; i < work.to; i++) {
            play_game(play, work.first_game + i);
        }
        writer_add_log(play->writer, &work, work.team[0],
                       strdup("a line of its own\n\033[31mand </script> another\n"));
        assert_int_equal(tournament_plan(&play->tournament, &why), ERR_NONE);
    }
    assert_true(tournament_is_over(&play->tournament));
}

void random_tournament(const char *path, const char *roster, uint64_t seed)
{
    struct play *play = calloc(1, sizeof *play);
    struct roster_problems *problems = calloc(1, sizeof *problems);
    struct store *store = NULL;
    struct note why = {""};
    assert_true(play && problems);
    play->rng = rng_make(seed);
    if (roster_read(roster, strlen(roster), CPU_BASELINE, &play->roster, problems)) {
        fail_msg("%s", problems->list[0].text);
    }
    if (store_create(path, &play->roster, roster, "/", "random.ini", &store, &why)) {
        fail_msg("%s", why.text);
    }
    struct tournament_sink sink = {.owner = play, .on_round = keep_round};
    assert_int_equal(tournament_init(&play->tournament, &play->roster, &sink, &why), ERR_NONE);
    assert_int_equal(writer_start(&play->writer, store, NULL, do_nothing, &why), ERR_NONE);
    play_all(play);
    assert_int_equal(writer_stop(play->writer, &why), ERR_NONE);
    store_close(store);
    record_free(&play->record);
    tournament_free(&play->tournament);
    roster_free(&play->roster);
    free(problems);
    free(play);
}
