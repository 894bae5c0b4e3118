/* Games that a server plays: from another thread, with players that need no program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <semaphore.h>

#include "app/game_sessions.h"
#include "base/clock.h"
#include "base/rng.h"
#include "game/registry.h"

struct world {
    struct game_agent agents[2];
    struct game_sessions *sessions;
    sem_t changed;
    int64_t id;
    char tokens[2][GAME_SESSION_TOKEN_BYTES];
    struct note why;
};

static void on_change(void *owner)
{
    struct world *world = owner;
    sem_post(&world->changed);
}

static void open_world(struct world *world, int64_t away_ms)
{
    memset(world, 0, sizeof *world);
    sem_init(&world->changed, 0, 0);
    assert_int_equal(game_agent_read("Rnd=random", CPU_BASELINE, &world->agents[0], &world->why),
                     ERR_NONE);
    assert_int_equal(
        game_agent_read("<b>Seven</b>=random:seed=7", CPU_BASELINE, &world->agents[1], &world->why),
        ERR_NONE);
    const struct game_sessions_options options = {.agents = world->agents,
                                                  .agent_count = 2,
                                                  .cpu_level = CPU_BASELINE,
                                                  .away_ns = away_ms * CLOCK_NS_PER_MS};
    assert_int_equal(game_sessions_start(&options, &world->sessions, &world->why), ERR_NONE);
    game_sessions_listen(world->sessions, world, on_change);
}

static void close_world(struct world *world)
{
    game_sessions_stop(world->sessions);
    game_sessions_free(world->sessions);
    sem_destroy(&world->changed);
}

static enum err create(struct world *world, const char *game, struct seat_wish first,
                       struct seat_wish second)
{
    const struct session_wish wish = {.game = registry_find(CPU_BASELINE, game, NULL),
                                      .seats = {first, second}};
    return game_sessions_create(world->sessions, &wish, &world->id, world->tokens, &world->why);
}

static char *text_of(struct world *world)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(game_sessions_write(world->sessions, world->id, 0, out));
    fclose(out);
    return text;
}

/* Waits for this text in the session's JSON; the caller frees it. */
static char *wait_for(struct world *world, const char *wanted)
{
    for (;;) {
        assert_true(game_sessions_visit(world->sessions, world->id));
        char *text = text_of(world);
        if (strstr(text, wanted)) {
            return text;
        }
        free(text);
        sem_wait(&world->changed);
    }
}

static const struct seat_wish person = {SEAT_PERSON, 0};
static const struct seat_wish agent = {SEAT_AGENT, 0};

/* The text of a member: up to the next quote. */
static void read_member(const char *json, const char *name, char *out, size_t room)
{
    const char *last = NULL;
    for (const char *at = json; (at = strstr(at, name)); at++) {
        last = at;
    }
    assert_non_null(last);
    const char *value = last + strlen(name);
    size_t length = strcspn(value, "\"");
    assert_true(length < room);
    memcpy(out, value, length);
    out[length] = '\0';
}

static enum err send_move(struct world *world, int seat, const struct game *game, const char *text,
                          int64_t ply)
{
    struct session_action action = {.kind = SESSION_MOVE, .ply = ply};
    assert_int_equal(game_read_move(game, text, &action.move, &world->why), ERR_NONE);
    return game_sessions_act(world->sessions, world->id, seat, &action, &world->why);
}

/* Plays random moves for the person at `seat` to the end. */
static void play_to_the_end(struct world *world, const char *name, int seat)
{
    const struct game *game = registry_find(CPU_BASELINE, name, NULL);
    struct rng rng = rng_make(3);
    for (;;) {
        char *text = wait_for(world, "\"ply_count\"");
        bool is_over = strstr(text, "\"phase\":\"over\"");
        if (!is_over && strstr(text, "\"expects\":\"move\"")) {
            char position[GAME_POSITION_BYTES];
            struct move moves[GAME_MAX_MOVES];
            struct state state;
            struct session_action action = {.kind = SESSION_MOVE};
            read_member(text, strstr(text, "\"position\":\"") ? "\"position\":\"" : "\"start\":\"",
                        position, sizeof position);
            assert_int_equal(game_read_position(game, position, &state, &world->why), ERR_NONE);
            size_t count = game->moves(&state, moves);
            action.move = moves[rng_below(&rng, count)];
            action.ply =
                strtoll(strstr(text, "\"ply_count\":") + strlen("\"ply_count\":"), NULL, 10);
            assert_int_equal(
                game_sessions_act(world->sessions, world->id, seat, &action, &world->why),
                ERR_NONE);
            /* The same request again is refused. */
            assert_int_equal(
                game_sessions_act(world->sessions, world->id, seat, &action, &world->why),
                ERR_NEGATIVE);
        } else if (!is_over) {
            sem_wait(&world->changed);
        }
        free(text);
        if (is_over) {
            return;
        }
    }
}

static void two_agents_play_to_the_end(void **unused)
{
    (void)unused;
    struct world world;
    open_world(&world, 60000);
    assert_int_equal(create(&world, "reversi", agent, (struct seat_wish){SEAT_AGENT, 1}), ERR_NONE);
    char *text = wait_for(&world, "\"running\":false");
    assert_non_null(strstr(text, "\"phase\":\"over\""));
    assert_non_null(strstr(text, "\\u003cb\\u003eSeven"));
    assert_non_null(strstr(text, "[Black \\\"Rnd\\\"]"));
    assert_non_null(strstr(text, "\"turn\":null"));
    free(text);
    close_world(&world);
}

static void a_person_plays_an_agent(void **unused)
{
    (void)unused;
    struct world world;
    open_world(&world, 60000);
    assert_int_equal(create(&world, "hop", agent, person), ERR_NONE);
    assert_int_equal(game_sessions_seat(world.sessions, world.id, world.tokens[1]), 1);
    assert_int_equal(game_sessions_seat(world.sessions, world.id, ""), -1);
    assert_int_equal(game_sessions_seat(world.sessions, world.id + 1, world.tokens[1]), -1);
    free(wait_for(&world, "\"expects\":\"move\""));
    const struct game *game = registry_find(CPU_BASELINE, "hop", NULL);
    /* Of the agent's side, in the wrong turn, and against the rules. */
    assert_int_equal(send_move(&world, 0, game, "20-21", 1), ERR_NEGATIVE);
    assert_int_equal(send_move(&world, 1, game, "17-16", 0), ERR_NEGATIVE);
    assert_int_equal(send_move(&world, 1, game, "11-13", 1), ERR_NEGATIVE);
    assert_int_equal(send_move(&world, 1, game, "skip", 1), ERR_NEGATIVE);
    play_to_the_end(&world, "hop", 1);
    char *text = wait_for(&world, "\"running\":false");
    assert_non_null(strstr(text, "\"faults\":[]"));
    free(text);
    close_world(&world);
}

static void a_person_bids(void **unused)
{
    (void)unused;
    struct world world;
    open_world(&world, 60000);
    assert_int_equal(create(&world, "meichu", person, agent), ERR_NONE);
    free(wait_for(&world, "\"expects\":\"bid\""));
    const struct session_action bid = {.kind = SESSION_BID, .bid = {SIDE_BLACK, 140}};
    assert_int_equal(game_sessions_act(world.sessions, world.id, 0, &bid, &world.why), ERR_NONE);
    assert_int_equal(game_sessions_act(world.sessions, world.id, 0, &bid, &world.why),
                     ERR_NEGATIVE);
    char *text = wait_for(&world, "\"bids\":\"0 140, ");
    assert_non_null(strstr(text, "\"phase\":\"playing\""));
    free(text);
    const struct session_action resign = {.kind = SESSION_RESIGN};
    assert_int_equal(game_sessions_act(world.sessions, world.id, 0, &resign, &world.why), ERR_NONE);
    text = wait_for(&world, "\"phase\":\"over\"");
    assert_non_null(strstr(text, "\"reason\":\"resigned\""));
    free(text);
    close_world(&world);
}

static void a_resignation_counts_before_a_stop(void **unused)
{
    (void)unused;
    enum { GAMES = 20 }; /* both requests must be waiting together at least once */
    struct world world;
    const struct session_action resign = {.kind = SESSION_RESIGN};
    const struct session_action stop = {.kind = SESSION_STOP};
    open_world(&world, 60000);
    for (int i = 0; i < GAMES; i++) {
        bool is_bidding = i % 2;
        assert_int_equal(create(&world, is_bidding ? "meichu" : "reversi", person, agent),
                         ERR_NONE);
        free(wait_for(&world, is_bidding ? "\"expects\":\"bid\"" : "\"expects\":\"move\""));
        assert_int_equal(game_sessions_act(world.sessions, world.id, 0, &resign, &world.why),
                         ERR_NONE);
        assert_int_equal(game_sessions_act(world.sessions, world.id, 0, &stop, &world.why),
                         ERR_NONE);
        char *text = wait_for(&world, "\"running\":false");
        assert_non_null(strstr(text, "\"reason\":\"resigned\""));
        free(text);
    }
    close_world(&world);
}

static void only_a_few_games_run_and_a_stopped_one_makes_room(void **unused)
{
    (void)unused;
    struct world world;
    open_world(&world, 60000);
    for (int i = 0; i < GAME_SESSIONS_MAX_RUNNING; i++) {
        assert_int_equal(create(&world, "reversi", person, agent), ERR_NONE);
    }
    int64_t last = world.id;
    assert_int_equal(create(&world, "reversi", person, agent), ERR_ENVIRONMENT);
    assert_int_equal(create(&world, "reversi", person, person), ERR_INPUT);
    assert_int_equal(create(&world, "reversi", person, (struct seat_wish){SEAT_AGENT, 2}),
                     ERR_INPUT);
    const struct session_action stop = {.kind = SESSION_STOP};
    world.id = last;
    assert_int_equal(game_sessions_act(world.sessions, last, 0, &stop, &world.why), ERR_NONE);
    char *text = wait_for(&world, "\"running\":false");
    assert_non_null(strstr(text, "it was ended in the page"));
    free(text);
    /* Old games give their places to new ones. */
    for (int i = 0; i < GAME_SESSIONS_MAX_KEPT + 1; i++) {
        assert_int_equal(create(&world, "reversi", agent, agent), ERR_NONE);
        free(wait_for(&world, "\"running\":false"));
    }
    assert_int_equal(game_sessions_version(world.sessions, last), -1);
    close_world(&world); /* three games are still running */
}

static void a_game_without_a_page_is_ended(void **unused)
{
    (void)unused;
    struct world world;
    open_world(&world, 1);
    assert_int_equal(create(&world, "reversi", person, agent), ERR_NONE);
    for (;;) {
        /* Neither counts as a request of the page. */
        assert_true(game_sessions_version(world.sessions, world.id) >= 0);
        char *text = text_of(&world);
        bool is_ended = strstr(text, "its page was closed") && strstr(text, "\"running\":false");
        free(text);
        if (is_ended) {
            break;
        }
        sem_wait(&world.changed);
    }
    close_world(&world);
}

static void an_agent_needs_a_name_and_a_player(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"",
                                      "=random",
                                      "random",
                                      "A=",
                                      "A=human",
                                      "A=nonsense",
                                      "\033[1m=random",
                                      "\xff=random",
                                      "  =random",
                                      "\xe2\x80\x8b=random",
                                      "\xe2\x80\x8b =random",
                                      "\xc2\xa0=random",
                                      "\xe3\x80\x80\xef\xbb\xbf=random",
                                      "You=random",
                                      "human=random"};
    struct game_agent out;
    struct note why;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(game_agent_read(bad[i], CPU_BASELINE, &out, &why), ERR_INPUT);
    }
    note_set(&why, "%s", "");
    assert_int_equal(game_agent_read("A b=template:python3 x.py", CPU_BASELINE, &out, &why),
                     ERR_NONE);
    assert_string_equal(why.text, ""); /* although other games refuse this player */
    assert_string_equal(out.name, "A b");
    assert_true(game_agent_plays(&out, registry_find(CPU_BASELINE, "meichu", NULL)));
    assert_false(game_agent_plays(&out, registry_find(CPU_BASELINE, "hop", NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_agents_play_to_the_end),
        cmocka_unit_test(a_person_plays_an_agent),
        cmocka_unit_test(a_person_bids),
        cmocka_unit_test(a_resignation_counts_before_a_stop),
        cmocka_unit_test(only_a_few_games_run_and_a_stopped_one_makes_room),
        cmocka_unit_test(a_game_without_a_page_is_ended),
        cmocka_unit_test(an_agent_needs_a_name_and_a_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
