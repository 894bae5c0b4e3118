/* Matches on a simulated clock: the same results and records with any number of them at once and in
 * any order of events; and nothing is left over however they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/hash.h"
#include "base/rng.h"
#include "fake_world.h"
#include "judge_table.h"
#include "record_support.h"
#include "tournament/match.h"
#include "tournament/match_score.h"

enum { MANY = 64, NEVER = -1 };

#define LEAVING_NS FAKE_SECOND /* a player needs at most so long */

struct hall;

/* Where one match is played after the other, each of one unit. */
struct hall_slot {
    struct hall *hall;
    int number;
    struct match *match; /* NULL: free */
    int first;           /* game of the unit */
    bool is_done;
};

/* Slots with their host, which hands the games over in order, and what came of them. */
struct hall {
    struct fake_world world;
    struct hall_slot slots[MANY];
    struct match_options options; /* `games` of all matches */
    int concurrency;
    int next_game;
    struct finished_game finished[MANY]; /* until they are handed over */
    bool is_finished[MANY];
    bool is_stopping;
    struct match_score score;
    fake_mind *mind;
    struct rng delays; /* order of things; must not matter */
    int made;
    int closed;
    int fail_at;      /* make_player fails this time */
    int stop_at_game; /* match_stop while this game is handed out */
    int stop_at_ply;  /* … while this ply is reported */
    int stop_at_step; /* … between two things that happen */
    int64_t stopped_ns;
    int plies;
    int faults;
    enum err err;
    struct note why;
    int games;
    struct game_summary kept[MANY];
    char *story; /* all records without what may differ */
    size_t story_length;
    FILE *story_file;
};

/* Each player has the number of its match, and the hall, in its thoughts. */
struct seat {
    struct hall *hall;
    int player;
};

/* --- The host --- */

static int64_t host_now(void *owner) { return ((struct hall_slot *)owner)->hall->world.now_ns; }

static void host_wake_at(void *owner, int64_t when_ns)
{
    struct hall_slot *slot = owner;
    fake_world_set_alarm(&slot->hall->world, slot->number, when_ns);
}

static void host_ring(void *owner, int number)
{
    struct hall_slot *slot = &((struct hall *)owner)->slots[number];
    if (slot->match && !slot->is_done) {
        match_wake(slot->match);
    }
}

/* No more games. */
static void end_all(struct hall *hall)
{
    hall->is_stopping = true;
    for (int i = 0; i < hall->concurrency; i++) {
        if (hall->slots[i].match && !hall->slots[i].is_done) {
            match_stop(hall->slots[i].match);
        }
    }
}

static void stop(struct hall *hall)
{
    hall->stopped_ns = hall->world.now_ns;
    end_all(hall);
}

static int64_t any_delay(struct hall *hall, int64_t most_ns)
{
    return (int64_t)rng_below(&hall->delays, (uint64_t)most_ns);
}

static struct player *host_make_player(void *owner, int player, struct note *why)
{
    static const char *const names[2] = {"anna", "berta"};
    struct hall *hall = ((struct hall_slot *)owner)->hall;
    if (++hall->made == hall->fail_at) {
        note_set(why, "there is no such player");
        return NULL;
    }
    struct seat *seat = malloc(sizeof *seat);
    assert_non_null(seat);
    *seat = (struct seat){hall, player};
    struct fake_player *made = fake_player_make(&hall->world, names[player], hall->mind, seat);
    made->closing_ns = any_delay(hall, LEAVING_NS);
    return &made->player;
}

static void on_ply(struct hall *hall, const struct game_event *event)
{
    assert_true(event->judge->move_count > 0);
    assert_non_null(event->ply);
    if (event->ply->was_asked) {
        match_score_add_time(&hall->score, event->player, event->ply->time_ns);
    }
    if (++hall->plies == hall->stop_at_ply) {
        stop(hall);
    }
}

static void on_fault(struct hall *hall, const struct game_event *event)
{
    const struct fake_player *guilty =
        (const struct fake_player *)event->judge->players[event->judge->last_fault.player];
    assert_int_equal(((const struct seat *)guilty->thoughts)->player, event->fault->player);
    hall->faults++;
}

/* Copies a record without Date, Sandbox and the contents of braces. */
static void tell_record(struct hall *hall, char *text)
{
    for (char *line = NULL; (line = strsep(&text, "\n"));) {
        if (strncmp(line, "[Date", 5) != 0 && strncmp(line, "[Sandbox", 8) != 0) {
            fprintf(hall->story_file, "%.*s\n", (int)strcspn(line, "{"), line);
        }
    }
}

static void on_game(struct hall *hall, struct finished_game *game)
{
    hall->kept[hall->games++] = game->summary;
    match_score_add(&hall->score, &game->summary);
    if (hall->options.keeps_records) {
        tell_record(hall, game->record);
    }
    finished_game_free(game);
    if (hall->games == hall->stop_at_game) {
        stop(hall);
    }
    if (hall->score.sprt != SPRT_OPEN) {
        end_all(hall);
    }
}

static void hand_over(struct hall *hall)
{
    while (!hall->is_stopping && hall->games < hall->options.games &&
           hall->is_finished[hall->games]) {
        hall->is_finished[hall->games] = false;
        on_game(hall, &hall->finished[hall->games]);
    }
}

static void on_player_closed(struct hall *hall, const struct game_event *event)
{
    struct seat *seat = ((struct fake_player *)event->closed)->thoughts;
    assert_int_equal(seat->player, event->player);
    free(seat);
    hall->closed++;
}

static void on_event(void *owner, const struct game_event *event)
{
    struct hall_slot *slot = owner;
    struct hall *hall = slot->hall;
    assert_ptr_equal(event->match, slot->match);
    switch (event->kind) {
    case GAME_EVENT_START:
        assert_int_equal(event->judge->move_count, 0);
        break;
    case GAME_EVENT_PLY:
        on_ply(hall, event);
        break;
    case GAME_EVENT_FAULT:
        on_fault(hall, event);
        break;
    case GAME_EVENT_OVER:
        assert_int_equal(event->game, event->finished->index);
        assert_false(hall->is_finished[slot->first + event->game]);
        hall->is_finished[slot->first + event->game] = true;
        hall->finished[slot->first + event->game] = *event->finished;
        *event->finished = (struct finished_game){0};
        hand_over(hall);
        break;
    case GAME_EVENT_PLAYER_CLOSED:
        on_player_closed(hall, event);
        break;
    default:
        fail_msg("a match does not send event %d", event->kind);
    }
}

static void host_on_done(void *owner, enum err err, const struct note *why)
{
    struct hall_slot *slot = owner;
    struct hall *hall = slot->hall;
    assert_false(slot->is_done);
    slot->is_done = true;
    if (err && !hall->err && hall->score.sprt == SPRT_OPEN) {
        hall->err = err;
        hall->why = *why;
        if (!hall->is_stopping) {
            stop(hall);
        }
    }
}

/* --- Playing a match --- */

static struct match_options usual_options(const char *game, int games)
{
    return (struct match_options){
        .rules.judge = table_rules(game, "start"),
        .games = games,
        .seed = 42,
        .date = "2026-01-31",
        .sandbox = "off",
        .keeps_records = true,
    };
}

static void hall_open(struct hall *hall, const struct match_options *options, int concurrency,
                      fake_mind *mind)
{
    memset(hall, 0, sizeof *hall);
    hall->options = *options;
    hall->concurrency = concurrency;
    hall->score.has_pairs = !options->rules.is_selfplay;
    for (int i = 0; i < MANY; i++) {
        hall->slots[i].hall = hall;
        hall->slots[i].number = i;
    }
    hall->mind = mind;
    hall->stopped_ns = NEVER;
    hall->delays = rng_make((uint64_t)concurrency);
    hall->fail_at = hall->stop_at_game = hall->stop_at_ply = hall->stop_at_step = NEVER;
    fake_world_init(&hall->world, hall, host_ring);
    hall->story_file = open_memstream(&hall->story, &hall->story_length);
    assert_non_null(hall->story_file);
}

static void ask_test(struct hall *hall, double elo1)
{
    hall->score.has_sprt = elo1 != 0;
    hall->score.elo1 = elo1;
}

/* The next unit. */
static void start_unit(struct hall_slot *slot)
{
    const struct match_host host = {
        .owner = slot,
        .now = host_now,
        .wake_at = host_wake_at,
        .make_player = host_make_player,
        .on_done = host_on_done,
    };
    const struct game_sink sink = {slot, on_event};
    struct hall *hall = slot->hall;
    struct match_options options = hall->options;
    struct note why = {""};
    int left = hall->options.games - hall->next_game;
    options.first_game = slot->first = hall->next_game;
    options.games = !options.rules.is_selfplay && left > 1 ? 2 : 1;
    hall->next_game += options.games;
    slot->is_done = false;
    assert_int_equal(match_start(&slot->match, &options, &host, &sink, &why), ERR_NONE);
}

/* False: nothing is played. */
static bool fill_slots(struct hall *hall)
{
    bool is_busy = false;
    for (int i = 0; i < hall->concurrency; i++) {
        struct hall_slot *slot = &hall->slots[i];
        if (slot->match && slot->is_done) {
            match_free(slot->match);
            slot->match = NULL;
        }
        if (!slot->match && !hall->is_stopping && hall->next_game < hall->options.games) {
            start_unit(slot);
        }
        is_busy |= slot->match != NULL;
    }
    return is_busy;
}

static void hall_play(struct hall *hall)
{
    for (int step = 1; fill_slots(hall); step++) {
        if (step == hall->stop_at_step) {
            stop(hall);
        }
        assert_true(fake_world_step(&hall->world));
    }
    if (hall->stopped_ns != NEVER) { /* after a stop no game is waited for */
        assert_true(hall->world.now_ns <= hall->stopped_ns + LEAVING_NS);
    }
    while (fake_world_step(&hall->world)) { /* wakes that are not needed any more */
    }
    fclose(hall->story_file);
    int unmade = hall->fail_at != NEVER && hall->made >= hall->fail_at;
    assert_int_equal(hall->closed, hall->made - unmade);
    assert_int_equal(hall->world.event_count, 0);
}

static void hall_close(struct hall *hall)
{
    for (int i = 0; i < MANY; i++) {
        finished_game_free(&hall->finished[i]);
    }
    match_score_free(&hall->score);
    fake_world_free(&hall->world);
    free(hall->story);
}

/* --- Minds: what they do depends on the game and the position alone, when they do it on the
 * hall's order of things. --- */

static uint64_t draw(const struct fake_player *player, const struct player_view *view)
{
    return hash_pair(player->seed, view->game->key(view->now));
}

static void say_move(struct fake_player *player, const struct player_view *view, uint64_t lot,
                     int64_t delay_ns)
{
    static struct move moves[GAME_MAX_MOVES];
    size_t count = view->game->moves(view->now, moves);
    fake_answer(player, delay_ns,
                (struct player_event){.kind = PLAYER_MOVE, .move = moves[lot % count]});
}

/* Plays at random; now and then it is late, wrong, gone or worse. */
static void wild_mind(struct fake_player *player, enum fake_question question,
                      const struct player_view *view)
{
    struct hall *hall = ((struct seat *)player->thoughts)->hall;
    uint64_t lot = hash_word(draw(player, view));
    int64_t delay_ns = any_delay(hall, 4 * FAKE_SECOND);
    struct player_event event = {.kind = PLAYER_READY, .why = {"as the lot fell"}};
    if (question == FAKE_START) {
        fake_answer(player, delay_ns, event);
        return;
    }
    if (question == FAKE_BID) {
        event.kind = PLAYER_BID;
        event.bid = (struct bid){(int)(lot % 2), (int64_t)(lot / 2 % 4)};
        fake_answer(player, delay_ns, event);
        return;
    }
    event.kind = PLAYER_FAULT;
    switch (lot >> 32 & 255) {
    case 0:
        return;
    case 1:
        event.fault = FAULT_INVALID;
        break;
    case 2:
        event.fault = lot >> 40 & 1 ? FAULT_CRASHED : FAULT_INVALID;
        break;
    case 3:
        event.fault = lot >> 40 & 7 ? FAULT_INVALID : FAULT_HOSTILE;
        break;
    default:
        say_move(player, view, lot, delay_ns);
        return;
    }
    fake_answer(player, delay_ns, event);
}

/* Games of a move or two, of which player 0 wins about two in three. */
static void coin_mind(struct fake_player *player, enum fake_question question,
                      const struct player_view *view)
{
    struct seat *seat = player->thoughts;
    int64_t delay_ns = any_delay(seat->hall, 4 * FAKE_SECOND);
    uint64_t lot = hash_word(draw(player, view));
    bool resigns = view->side == SIDE_WHITE || lot % 3 < (seat->player == 0 ? 1 : 2);
    if (question == FAKE_START || resigns) {
        fake_answer(
            player, delay_ns,
            (struct player_event){.kind = question == FAKE_START ? PLAYER_READY : PLAYER_RESIGNS});
    } else {
        say_move(player, view, lot, delay_ns);
    }
}

/* Always the same: Black wins at once. */
static void black_mind(struct fake_player *player, enum fake_question question,
                       const struct player_view *view)
{
    struct player_event event = {.kind = question == FAKE_START ? PLAYER_READY : PLAYER_RESIGNS};
    if (question == FAKE_MOVE && view->side == SIDE_BLACK) {
        say_move(player, view, 0, FAKE_SECOND);
    } else {
        fake_answer(player, FAKE_AT_ONCE, event);
    }
}

/* --- Tests --- */

/* How often a text is in the story. */
static int mentions_of(const struct hall *hall, const char *text)
{
    int count = 0;
    for (const char *at = hall->story; (at = strstr(at, text)); at++) {
        count++;
    }
    return count;
}

/* `elo1` not 0: until the test decides between it and 0. */
static void expect_same_at_any_concurrency(struct match_options options, double elo1,
                                           fake_mind *mind)
{
    static const int concurrencies[] = {2, 7, 50};
    struct hall *reference = malloc(sizeof *reference);
    struct hall *hall = malloc(sizeof *hall);
    assert_true(reference && hall);
    hall_open(reference, &options, 1, mind);
    ask_test(reference, elo1);
    hall_play(reference);
    assert_int_equal(reference->err, ERR_NONE);
    for (size_t i = 0; i < sizeof concurrencies / sizeof *concurrencies; i++) {
        options.date = "2027-02-28";
        options.sandbox = "strict";
        hall_open(hall, &options, concurrencies[i], mind);
        ask_test(hall, elo1);
        hall_play(hall);
        assert_int_equal(hall->err, ERR_NONE);
        assert_int_equal(hall->games, reference->games);
        assert_string_equal(hall->story, reference->story);
        for (int game = 0; game < hall->games; game++) {
            const struct game_summary *a = &hall->kept[game];
            const struct game_summary *b = &reference->kept[game];
            assert_int_equal(a->outcome, b->outcome);
            assert_string_equal(a->reason, b->reason);
            assert_memory_equal(a->colour, b->colour, sizeof a->colour);
            assert_memory_equal(a->faults, b->faults, sizeof a->faults);
            assert_int_equal(a->plies, b->plies);
        }
        const struct match_score *score = &hall->score;
        const struct match_score *expected = &reference->score;
        assert_memory_equal(&score->units, &expected->units, sizeof score->units);
        assert_memory_equal(score->wins, expected->wins, sizeof score->wins);
        assert_memory_equal(score->faults, expected->faults, sizeof score->faults);
        assert_int_equal(score->draws, expected->draws);
        assert_int_equal(score->plies, expected->plies);
        assert_int_equal(score->sprt, expected->sprt);
        hall_close(hall);
    }
    hall_close(reference);
    free(reference);
    free(hall);
}

static void a_seed_gives_the_same_match_at_any_concurrency(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", 30);
    expect_same_at_any_concurrency(options, 0, wild_mind);
    options.rules.opening_plies = 6;
    options.rules.is_selfplay = true;
    expect_same_at_any_concurrency(options, 0, wild_mind);
    options = usual_options("hop", 9);
    options.rules.opening_plies = 4;
    expect_same_at_any_concurrency(options, 0, wild_mind);
    options = usual_options("meichu", 30);
    options.rules.judge.has_auction = true;
    expect_same_at_any_concurrency(options, 0, wild_mind);
}

static void another_seed_gives_another_match(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", 4);
    struct hall halls[2];
    for (int i = 0; i < 2; i++) {
        options.seed = (uint64_t)i;
        hall_open(&halls[i], &options, 2, wild_mind);
        hall_play(&halls[i]);
    }
    assert_string_not_equal(halls[0].story, halls[1].story);
    hall_close(&halls[0]);
    hall_close(&halls[1]);
}

static void sprt_stops_at_the_same_game_at_any_concurrency(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", MANY);
    expect_same_at_any_concurrency(options, 200, coin_mind);
    struct hall *hall = malloc(sizeof *hall);
    assert_non_null(hall);
    hall_open(hall, &options, 7, coin_mind);
    ask_test(hall, 200);
    hall_play(hall);
    assert_int_equal(hall->score.sprt, SPRT_ACCEPT_H1);
    assert_in_range(hall->games, 2, MANY - 1);
    assert_int_equal(hall->games % 2, 0); /* it looks at whole pairs */
    assert_in_range(hall->made, hall->games, hall->games + 2 * hall->concurrency);
    hall_close(hall);
    free(hall);
}

static void sprt_looks_at_single_games_without_swap(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", MANY);
    options.rules.is_selfplay = true;
    struct hall *hall = malloc(sizeof *hall);
    assert_non_null(hall);
    hall_open(hall, &options, 3, black_mind);
    ask_test(hall, 400);
    hall_play(hall);
    assert_int_equal(hall->score.sprt, SPRT_ACCEPT_H1);
    assert_int_equal(hall->games, hall->score.wins[0]);
    hall_close(hall);
    free(hall);
}

static void the_players_trade_places(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", 5);
    struct hall hall;
    hall_open(&hall, &options, 2, black_mind);
    hall_play(&hall);
    assert_int_equal(hall.games, 5);
    for (int game = 0; game < 5; game++) {
        assert_int_equal(hall.kept[game].colour[0], game % 2 == 0 ? SIDE_BLACK : SIDE_WHITE);
        assert_int_equal(hall.kept[game].colour[1], game % 2 == 0 ? SIDE_WHITE : SIDE_BLACK);
    }
    const struct match_score *score = &hall.score;
    assert_int_equal(score->games, 5);
    assert_int_equal(score->wins[0], 3);
    assert_int_equal(score->wins[1], 2);
    assert_int_equal(score->draws, 0);
    /* Two pairs of a point each; the fifth game is not a pair. */
    assert_int_equal(score->units.units[2], 2);
    assert_int_equal(hall.made, 6);
    assert_non_null(strstr(hall.story, "[Round \"5\"]\n[Black \"anna\"]\n[White \"berta\"]"));
    assert_non_null(strstr(hall.story, "[Round \"4\"]\n[Black \"berta\"]\n[White \"anna\"]"));
    hall_close(&hall);
}

static void every_game_has_a_seed_of_its_own(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", 6);
    struct hall hall;
    hall_open(&hall, &options, 2, black_mind);
    hall_play(&hall);
    for (const char *at = hall.story; (at = strstr(at, "[Seed ")); at++) {
        char tag[64];
        snprintf(tag, sizeof tag, "%.*s", (int)strcspn(at, "\n"), at);
        assert_int_equal(mentions_of(&hall, tag), 1);
    }
    hall_close(&hall);
}

static void without_swap_the_first_player_is_always_black(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", 3);
    struct hall hall;
    options.rules.is_selfplay = true;
    hall_open(&hall, &options, 2, black_mind);
    hall_play(&hall);
    assert_int_equal(hall.games, 3);
    assert_int_equal(hall.score.wins[0], 3);
    assert_int_equal(hall.score.units.units[4], 3);
    assert_int_equal(hall.made, 6);
    hall_close(&hall);
}

static void every_fault_is_counted_for_its_player(void **state)
{
    (void)state;
    struct match_options options = usual_options("hop", 8);
    struct hall hall;
    hall_open(&hall, &options, 3, wild_mind);
    hall_play(&hall);
    int64_t counted = 0;
    for (int i = 0; i < 2; i++) {
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            counted += hall.score.faults[i][kind];
        }
    }
    assert_true(counted > 8);
    assert_int_equal(counted, hall.faults);
    hall_close(&hall);
}

static void each_opening_of_a_list_is_played_twice(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "#......#/......../...X..../......../......../......../......../#......# w",
        "#......#/......../..X...../......../......../......../......../#......# w",
        "#......#/......../......../......../....O.../......../......../#......# b",
    };
    struct match_options options = usual_options("reversi", 8);
    struct state openings[3];
    for (int i = 0; i < 3; i++) {
        openings[i] = table_rules("reversi", texts[i]).start;
    }
    options.openings = openings;
    options.opening_count = 3;
    struct hall hall;
    hall_open(&hall, &options, 3, coin_mind);
    hall_play(&hall);
    assert_int_equal(mentions_of(&hall, texts[0]), 4); /* the fourth pair begins again */
    assert_int_equal(mentions_of(&hall, texts[1]), 2);
    assert_int_equal(mentions_of(&hall, texts[2]), 2);
    hall_close(&hall);
}

static void each_random_opening_is_played_twice(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", 12);
    options.rules.opening_plies = 5;
    struct hall hall;
    hall_open(&hall, &options, 3, coin_mind);
    hall_play(&hall);
    for (int unit = 0; unit < 6; unit++) {
        struct state opening = match_opening(&options, unit);
        char text[GAME_POSITION_BYTES];
        options.rules.judge.game->write_position(&opening, text);
        assert_int_equal(options.rules.judge.game->to_move(&opening), SIDE_WHITE);
        assert_int_equal(mentions_of(&hall, text), 2);
    }
    hall_close(&hall);
}

static void no_random_opening_is_over(void **state)
{
    (void)state;
    static const char *const games[] = {"hop", "reversi", "othello", "meichu"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct match_options options = usual_options(games[i], 2);
        for (int plies = 0; plies <= 100; plies += 20) {
            options.rules.opening_plies = plies;
            for (int unit = 0; unit < 20; unit++) {
                struct state opening = match_opening(&options, unit);
                assert_false(game_is_over(options.rules.judge.game, &opening));
            }
        }
    }
}

static void an_interrupted_match_leaks_nothing(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", 10);
    struct hall hall;
    for (int at = 1; at <= 400; at += at < 50 ? 1 : 17) {
        hall_open(&hall, &options, 3, at % 2 ? wild_mind : coin_mind);
        hall.stop_at_step = at;
        hall_play(&hall);
        assert_true(hall.err == ERR_INTERRUPTED || (hall.err == ERR_NONE && hall.games == 10));
        hall_close(&hall);
        hall_open(&hall, &options, 3, wild_mind);
        hall.stop_at_ply = at;
        hall_play(&hall);
        assert_int_equal(hall.err, ERR_INTERRUPTED);
        assert_int_equal(hall.plies, at);
        hall_close(&hall);
    }
    for (int game = 1; game <= 10; game++) {
        hall_open(&hall, &options, 3, coin_mind);
        hall.stop_at_game = game;
        hall_play(&hall);
        assert_int_equal(hall.err, ERR_INTERRUPTED);
        assert_int_equal(hall.games, game);
        assert_int_equal(hall.score.games, game);
        assert_non_null(strstr(hall.why.text, "of 2 games"));
        hall_close(&hall);
    }
}

static void a_player_that_cannot_be_made_ends_the_match(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", 10);
    struct hall hall;
    for (int at = 1; at <= 10; at++) {
        hall_open(&hall, &options, 3, coin_mind);
        hall.fail_at = at;
        hall_play(&hall);
        assert_int_equal(hall.err, ERR_ENVIRONMENT);
        assert_string_equal(hall.why.text, "there is no such player");
        assert_true(hall.games < 10);
        hall_close(&hall);
    }
}

static void a_record_that_cannot_be_written_ends_the_match(void **state)
{
    (void)state;
    struct match_options options = usual_options("reversi", 4);
    struct hall hall;
    options.date = "a\nb";
    hall_open(&hall, &options, 2, coin_mind);
    hall_play(&hall);
    assert_int_equal(hall.err, ERR_INPUT);
    assert_int_equal(hall.games, 0);
    hall_close(&hall);
}

static void times_are_picked_by_their_share(void **state)
{
    (void)state;
    uint32_t us[] = {5000, 1000, 3000, 2000, 4000};
    struct match_times times = {.us = us, .count = 5};
    assert_true(match_score_time_ms(&times, 0.5) == 3.0);
    assert_true(match_score_time_ms(&times, 0) == 1.0);
    assert_true(match_score_time_ms(&times, 1) == 5.0);
    assert_true(match_score_time_ms(&(struct match_times){.count = 0}, 0.5) == 0);
    struct match_options options = usual_options("reversi", 2);
    struct hall hall;
    hall_open(&hall, &options, 1, black_mind);
    hall_play(&hall);
    struct match_times first = hall.score.times[0];
    assert_int_equal(first.count, 1); /* the resignation is not a move */
    assert_true(match_score_time_ms(&first, 1) == 1000.0);
    hall_close(&hall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_gives_the_same_match_at_any_concurrency),
        cmocka_unit_test(another_seed_gives_another_match),
        cmocka_unit_test(sprt_stops_at_the_same_game_at_any_concurrency),
        cmocka_unit_test(sprt_looks_at_single_games_without_swap),
        cmocka_unit_test(the_players_trade_places),
        cmocka_unit_test(every_game_has_a_seed_of_its_own),
        cmocka_unit_test(without_swap_the_first_player_is_always_black),
        cmocka_unit_test(every_fault_is_counted_for_its_player),
        cmocka_unit_test(each_opening_of_a_list_is_played_twice),
        cmocka_unit_test(each_random_opening_is_played_twice),
        cmocka_unit_test(no_random_opening_is_over),
        cmocka_unit_test(an_interrupted_match_leaks_nothing),
        cmocka_unit_test(a_player_that_cannot_be_made_ends_the_match),
        cmocka_unit_test(a_record_that_cannot_be_written_ends_the_match),
        cmocka_unit_test(times_are_picked_by_their_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
