/* What a pool promises its source: games in the order of their numbers, all events of a game,
 * players that the source makes, an end for one pairing alone, new pairings and a stop at any time,
 * from another thread. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "game/registry.h"
#include "play/pool.h"

enum { PAIRINGS = 12, GAMES = 2, SLOTS = 3, ENDED = 4, FIRST_GAME = 3 };

struct listener {
    struct pool *pool;
    struct player_spec spec;
    const struct game *game;
    int limit;   /* pairings that there are, */
    int offered; /* and that were begun */
    int next_number;
    int done;
    int cut;
    int made;
    int starts;
    int plies;
    int faults;
    int closed;
    int settled;
    bool has_enough;
    bool has_failure; /* this machine fails in one pairing */
    bool outlives_failures;
    pthread_mutex_t lock; /* of the next two, which another thread sets */
    int wished;
    bool is_ending;
    sem_t played; /* all pairings are */
};

static bool next(void *owner, struct tournament_work *out)
{
    struct listener *l = owner;
    if (l->offered == l->limit) {
        return false;
    }
    *out = (struct tournament_work){
        .pairing = l->offered, .first_game = GAMES * l->offered, .to = GAMES};
    l->offered++;
    return true;
}

/* The second player is the source's; it resigns, when it is asked for the first time. */
static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    struct listener *l = owner;
    (void)work;
    out->task = (struct pairing_task){.rules.judge = judge_rules_usual(l->game),
                                      .specs = {&l->spec},
                                      .names = {"random", "guest"}};
    out->task.is_final = true;
}

static void begin(struct player *player, const struct player_view *view)
{
    (void)view;
    player_report_now(player, (struct player_event){.kind = PLAYER_READY});
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    (void)view;
    player_report_now(player, (struct player_event){.kind = PLAYER_FAULT, .fault = FAULT_INVALID});
    player_report_now(player, (struct player_event){.kind = PLAYER_RESIGNS});
    return 0;
}

static void forget(struct player *player) { (void)player; }

static void close_player(struct player *player)
{
    player_report_now(player, (struct player_event){.kind = PLAYER_CLOSED});
}

static const struct player_class guest_class = {.begin = begin,
                                                .ask_move = ask_move,
                                                .forget = forget,
                                                .close = close_player,
                                                .free = player_free};

static struct player *make_player(void *owner, const struct tournament_work *work, int player,
                                  struct note *why)
{
    struct listener *l = owner;
    assert_int_equal(player, 1);
    if (l->has_failure && work->pairing == ENDED) {
        note_set(why, "there is no guest");
        return NULL;
    }
    l->made++;
    return player_new(sizeof(struct player), &guest_class, "guest", why);
}

static void on_event(void *owner, const struct pool_place *place, const struct game_event *event)
{
    struct listener *l = owner;
    l->starts += event->kind == GAME_EVENT_START;
    l->plies += event->kind == GAME_EVENT_PLY;
    l->faults += event->kind == GAME_EVENT_FAULT && event->fault->player == 1;
    l->closed += event->kind == GAME_EVENT_PLAYER_CLOSED;
    assert_in_range(place->slot, 0, SLOTS - 1);
    if (event->kind == GAME_EVENT_START) {
        assert_ptr_equal(pool_player(l->pool, place->work, 1)->class, &guest_class);
    } else if (event->kind == GAME_EVENT_PLAYER_CLOSED) {
        assert_null(pool_player(l->pool, place->work, event->player));
    }
    if (event->kind == GAME_EVENT_START && place->work->pairing == ENDED && l->has_enough) {
        pool_end(l->pool, place->work);
    }
}

static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct listener *l = owner;
    (void)machine;
    assert_int_equal(work->first_game + take_game->index, l->next_number++);
    assert_non_null(take_game->record);
    finished_game_free(take_game);
}

static void on_done(void *owner, const struct tournament_work *work, enum err err,
                    const struct note *why)
{
    struct listener *l = owner;
    l->done += !err;
    l->cut += err && work->pairing == ENDED;
    if (err == ERR_ENVIRONMENT) {
        assert_string_equal(why->text, "there is no guest");
    }
    if (err && (!l->has_failure || l->outlives_failures)) {
        assert_int_equal(work->pairing, ENDED);
    }
    if (l->done == PAIRINGS) {
        sem_post(&l->played);
    }
}

static bool is_over(void *owner, bool is_stopping)
{
    const struct listener *l = owner;
    return is_stopping || (!l->wished && l->done + l->cut == l->limit);
}

static bool on_wake(void *owner)
{
    struct listener *l = owner;
    pthread_mutex_lock(&l->lock);
    bool is_ending = l->is_ending;
    l->limit = l->wished > 0 ? l->wished : l->limit;
    pthread_mutex_unlock(&l->lock);
    if (is_ending) {
        pool_stop(l->pool, ERR_NONE, &(struct note){"it is closed"});
    }
    return false;
}

static void on_settled(void *owner) { ((struct listener *)owner)->settled++; }

static void on_remark(void *owner, const char *sentence) { (void)owner, (void)sentence; }

static const struct pool_source source = {.next = next,
                                          .describe = describe,
                                          .make_player = make_player,
                                          .on_event = on_event,
                                          .on_game = on_game,
                                          .on_done = on_done,
                                          .is_over = is_over,
                                          .on_wake = on_wake,
                                          .on_settled = on_settled,
                                          .on_remark = on_remark};

static void open_pool(struct listener *l, int first_game)
{
    struct note why;
    l->game = registry_find(CPU_BASELINE, "reversi", &why);
    assert_int_equal(player_spec_read("random", l->game, &l->spec, &why), ERR_NONE);
    pthread_mutex_init(&l->lock, NULL);
    sem_init(&l->played, 0, 0);
    l->next_number = first_game;
    const struct pool_options options = {.source = &source,
                                         .owner = l,
                                         .setup = {.cpu_level = CPU_BASELINE},
                                         .slots = SLOTS,
                                         .leaves_signals = true,
                                         .outlives_failures = l->outlives_failures,
                                         .is_ordered = true,
                                         .first_game = first_game};
    assert_int_equal(pool_open(&l->pool, &options, &why), ERR_NONE);
}

static void games_are_handed_over_in_order(void **state)
{
    (void)state;
    struct note why;
    struct listener l = {.limit = PAIRINGS};
    open_pool(&l, FIRST_GAME);
    assert_int_equal(pool_run(l.pool, &why), ERR_NONE);
    pool_free(l.pool);
    assert_int_equal(l.done, PAIRINGS);
    assert_int_equal(l.next_number, PAIRINGS * GAMES);
    assert_int_equal(l.starts, PAIRINGS * GAMES);
    assert_int_equal(l.faults, PAIRINGS * GAMES);
    assert_int_equal(l.made, PAIRINGS);
    assert_int_equal(l.closed, 2 * PAIRINGS);
    assert_true(l.plies >= PAIRINGS && l.settled > 0);
}

/* Its games have no result, so that those after it are not handed over. */
static void one_pairing_ends_alone(void **state)
{
    (void)state;
    struct note why;
    struct listener l = {.limit = PAIRINGS, .has_enough = true};
    open_pool(&l, 0);
    assert_int_equal(pool_run(l.pool, &why), ERR_NONE);
    pool_free(l.pool);
    assert_int_equal(l.done, PAIRINGS - 1);
    assert_int_equal(l.cut, 1);
    assert_int_equal(l.next_number, ENDED * GAMES);
}

static void a_failure_of_this_machine_stops_the_pool_or_ends_one_pairing(void **state)
{
    (void)state;
    for (int outlives = 0; outlives < 2; outlives++) {
        struct note why;
        struct listener l = {.limit = PAIRINGS, .has_failure = true, .outlives_failures = outlives};
        open_pool(&l, 0);
        assert_int_equal(pool_run(l.pool, &why), outlives ? ERR_NONE : ERR_ENVIRONMENT);
        pool_free(l.pool);
        assert_int_equal(l.cut, 1);
        assert_int_equal(l.done == PAIRINGS - 1, outlives);
    }
}

static void *run(void *owner)
{
    struct listener *l = owner;
    struct note why;
    assert_int_equal(pool_run(l->pool, &why), ERR_NONE);
    return NULL;
}

static void wish(struct listener *l, int pairings, bool is_ending)
{
    pthread_mutex_lock(&l->lock);
    l->wished = pairings;
    l->is_ending = is_ending;
    pthread_mutex_unlock(&l->lock);
    pool_wake(l->pool);
}

static void another_thread_adds_pairings_and_ends_it(void **state)
{
    (void)state;
    pthread_t thread;
    struct listener l = {.wished = -1};
    open_pool(&l, 0);
    assert_int_equal(pthread_create(&thread, NULL, run, &l), 0);
    wish(&l, PAIRINGS, false);
    sem_wait(&l.played);
    wish(&l, PAIRINGS, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pool_free(l.pool);
    assert_int_equal(l.done, PAIRINGS);
    assert_int_equal(l.next_number, PAIRINGS * GAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_handed_over_in_order),
        cmocka_unit_test(one_pairing_ends_alone),
        cmocka_unit_test(a_failure_of_this_machine_stops_the_pool_or_ends_one_pairing),
        cmocka_unit_test(another_thread_adds_pairings_and_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
