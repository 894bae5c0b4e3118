#include "judge_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/number.h"
#include "game/registry.h"
#include "judge/replay.h"
#include "record_support.h"

enum { WORD_BYTES = 400 };

/* --- Rules --- */

struct judge_rules table_rules(const char *name, const char *position)
{
    struct note why = {""};
    const struct game *game = registry_find(cpu_best(), name, &why);
    assert_non_null(game);
    struct judge_rules rules = {
        .game = game,
        .seed = 1,
        .limit_ns = (int64_t)(game->time_limit_s * 1e9),
        .grace_ns = FAKE_SECOND / 4,
        .hard_limit_ns = (int64_t)(game->hard_limit_s * 1e9),
        .game_limit_ns = 3600 * FAKE_SECOND,
        .startup_ns = 10 * FAKE_SECOND,
    };
    if (game_read_position(game, position, &rules.start, &why)) {
        fail_msg("%s: %s", position, why.text);
    }
    return rules;
}

struct judge_rules table_auction_rules(void)
{
    struct judge_rules rules = table_rules("meichu", "start");
    rules.has_auction = true;
    return rules;
}

/* --- What happened, in words --- */

static void write_words(struct table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void write_words(struct table *table, const char *format, ...)
{
    va_list arguments;
    char *at = table->log + table->log_used;
    size_t room = sizeof table->log - table->log_used;
    va_start(arguments, format);
    int length = vsnprintf(at, room, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, room - 1);
    table->log_used += (size_t)length;
}

static void write_ply(struct table *table, const struct judge_ply *ply)
{
    char move[GAME_MOVE_BYTES];
    game_write_move(table->rules.game, &ply->move, move);
    write_words(table, "%c:%s%s%s%s ", ply->side == SIDE_BLACK ? 'b' : 'w', move,
                ply->was_asked ? "" : "*", ply->has_fault ? "!" : "",
                ply->has_fault ? fault_name(ply->fault) : "");
}

static void write_end(struct table *table, const struct verdict *verdict)
{
    static const char *const outcomes[] = {[OUTCOME_BLACK] = "1-0",
                                           [OUTCOME_WHITE] = "0-1",
                                           [OUTCOME_DRAW] = "1/2",
                                           [OUTCOME_BOTH_LOST] = "0-0"};
    const struct result *result = &verdict->result;
    assert_int_not_equal(result->outcome, OUTCOME_ONGOING);
    write_words(table, "= %s %d %d %s%s", outcomes[result->outcome], result->score[0],
                result->score[1], result->reason, verdict->is_forfeit ? "!" : "");
}

/* --- The host --- */

static int64_t host_now(void *owner) { return ((struct table *)owner)->world.now_ns; }

static void host_wake_at(void *owner, int64_t when_ns)
{
    struct table *table = owner;
    int64_t soon_ns = table->world.now_ns + FAKE_SECOND;
    int64_t at_ns = table->is_hasty && soon_ns < when_ns ? soon_ns : when_ns;
    fake_world_set_alarm(&table->world, 0, table->is_sleepy ? INT64_MAX : at_ns);
}

static void host_ring(void *owner, int alarm)
{
    (void)alarm;
    judge_wake(&((struct table *)owner)->judge);
}

/* A player is late if and only if it exceeded its time. */
static void check_time(const struct judge *judge, const struct judge_ply *ply)
{
    int64_t most_ns = judge->rules.limit_ns + judge->rules.grace_ns;
    if (ply->was_asked && ply->has_fault && ply->fault == FAULT_LATE) {
        assert_true(ply->time_ns >= most_ns);
    } else if (ply->was_asked) {
        assert_true(ply->time_ns <= most_ns);
    }
}

static void on_event(void *owner, const struct game_event *event)
{
    struct table *table = owner;
    const struct judge *judge = event->judge;
    struct note why = {""};
    char position[GAME_POSITION_BYTES];
    assert_false(table->is_over);
    switch (event->kind) {
    case GAME_EVENT_START:
        assert_false(table->is_started);
        assert_int_equal(judge->move_count, 0);
        table->is_started = true;
        break;
    case GAME_EVENT_PLY:
        assert_true(table->is_started);
        if (!table->is_sleepy) {
            check_time(judge, event->ply);
        }
        table->last_ply = *event->ply;
        write_ply(table, event->ply);
        assert_int_equal(recorder_add_ply(&table->record, judge, event->ply, &why), ERR_NONE);
        break;
    case GAME_EVENT_FAULT:
        assert_true(*event->fault->why.text);
        assert_int_equal(event->fault->ply, judge->move_count);
        judge->rules.game->write_position(&judge->state, position);
        assert_string_equal(event->fault->position, position);
        table->last_fault = *event->fault;
        table->last_cause = *event->cause;
        table->has_fault = true;
        write_words(table, "{%d %s} ", event->fault->player, fault_name(event->fault->kind));
        break;
    case GAME_EVENT_OVER:
        assert_int_equal(judge->phase, JUDGE_DONE);
        table->is_over = true;
        write_end(table, &judge->verdict);
        break;
    case GAME_EVENT_FAILED:
        assert_int_equal(judge->phase, JUDGE_DONE);
        assert_true(*event->why->text);
        table->is_over = true;
        table->has_failed = true;
        write_words(table, "failed");
        break;
    default:
        fail_msg("a judge does not send event %d", event->kind);
    }
    if (++table->events == table->events_till_abandoned) {
        table->is_over = true; /* no event may follow */
        judge_abandon(&table->judge);
    }
}

void table_init(struct table *table, const struct judge_rules *rules, fake_mind *minds[2],
                void *const thoughts[2])
{
    static const char *const names[2] = {"alice", "b\303\266b \377\"\\"};
    memset(table, 0, sizeof *table);
    table->rules = *rules;
    fake_world_init(&table->world, table, host_ring);
    for (int i = 0; i < 2; i++) {
        table->players[i] = fake_player_make(&table->world, names[i], minds[i], thoughts[i]);
    }
}

/* --- The record --- */

static void check_record(struct table *table)
{
    struct note why = {""};
    struct recorder_labels labels = {
        .event = "a test", .round = "1", .date = "2026-01-31", .sandbox = "off"};
    struct replay replay = {0};
    if (recorder_finish(&table->record, &table->judge, &labels, &why)) {
        fail_msg("%s\n%s", why.text, table->log);
    }
    char *text = record_to_text(&table->record);
    struct games games;
    if (games_read(&games, text, &why)) {
        fail_msg("the record is unreadable: %s\n%s", why.text, text);
    }
    assert_int_equal(games.count, 1);
    char *again = record_to_text(&games.records[0]);
    assert_string_equal(text, again);
    if (replay_run(cpu_best(), &games.records[0], &replay, &why)) {
        fail_msg("the record does not replay: %s\n%s", why.text, text);
    }
    assert_int_equal(replay.state_count, table->judge.move_count + 1);
    assert_memory_equal(&replay.states[replay.state_count - 1], &table->judge.state,
                        sizeof(struct state));
    replay_free(&replay);
    games_free(&games);
    free(again);
    free(text);
}

/* --- Playing --- */

void table_play(struct table *table)
{
    struct judge_host host = {table, host_now, host_wake_at};
    struct game_sink sink = {table, on_event};
    struct note why;
    assert_int_equal(judge_start(&table->judge, &table->rules, &host, &sink,
                                 &table->players[0]->player, &table->players[1]->player, &why),
                     ERR_NONE);
    while (fake_world_step(&table->world)) {
    }
    assert_true(table->is_over);
    if (!table->events_till_abandoned && !table->has_failed) {
        assert_int_equal(table->players[0]->ends, 1);
        assert_int_equal(table->players[1]->ends, 1);
        assert_int_equal(table->players[0]->outcome, table->judge.verdict.result.outcome);
        check_record(table);
    }
}

void table_free(struct table *table)
{
    judge_free(&table->judge);
    for (int i = 0; i < 2; i++) {
        table->players[i]->player.class->free(&table->players[i]->player);
    }
    record_free(&table->record);
    fake_world_free(&table->world);
}

/* --- Scripts --- */

/* Copies the next word and moves on; false at the end, or if it does not begin like that. */
static bool take_word(const char **script, bool is_besides, char word[WORD_BYTES])
{
    const char *at = *script + strspn(*script, " ");
    size_t length = strcspn(at, " ");
    if (length == 0 || (*at == '+') != is_besides) {
        return false;
    }
    at += is_besides;
    length -= is_besides;
    assert_in_range(length, 1, WORD_BYTES - 1);
    memcpy(word, at, length);
    word[length] = '\0';
    *script = at + length;
    return true;
}

/* Cuts the delay off the word. */
static int64_t take_delay(char *word, bool *is_known)
{
    int64_t delay_ns = FAKE_SECOND / 10;
    struct note why = {""};
    char *at = strchr(word, '@');
    if (!at) {
        return delay_ns;
    }
    *at = '\0';
    if (strcmp(at + 1, "now") == 0) {
        return FAKE_AT_ONCE;
    }
    *is_known = at[1] == '=';
    at += *is_known;
    if (number_read_seconds(at + 1, "a delay", 0, INT64_MAX, &delay_ns, &why)) {
        fail_msg("%s", why.text);
    }
    return delay_ns;
}

static struct player_event to_event(const struct game *game, const char *word)
{
    static const struct {
        const char *word;
        struct player_event event;
    } events[] = {
        {"ready", {.kind = PLAYER_READY}},
        {"restart", {.kind = PLAYER_RESTARTS}},
        {"resign", {.kind = PLAYER_RESIGNS}},
        {"fail", {.kind = PLAYER_FAILED, .why = {"no descriptors"}}},
        {"crash", {.kind = PLAYER_FAULT, .fault = FAULT_CRASHED, .why = {"it is gone"}}},
        {"malformed", {.kind = PLAYER_FAULT, .fault = FAULT_MALFORMED, .why = {"no sense"}}},
        {"hostile", {.kind = PLAYER_FAULT, .fault = FAULT_HOSTILE, .why = {"an attack"}}},
        {"invalid", {.kind = PLAYER_FAULT, .fault = FAULT_INVALID, .why = {"no answer"}}},
        {"pass", {.kind = PLAYER_MOVE, .move = {.kind = MOVE_PASS}}},
        {"skip", {.kind = PLAYER_MOVE, .move = {.kind = MOVE_SKIP}}},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (strcmp(word, events[i].word) == 0) {
            return events[i].event;
        }
    }
    struct player_event event = {.kind = PLAYER_BID};
    struct note why = {""};
    long long price = 0;
    if (sscanf(word, "bid:%d/%lld", &event.bid.colour, &price) == 2) {
        event.bid.price = price;
        return event;
    }
    event.kind = PLAYER_MOVE;
    if (game_read_move(game, word, &event.move, &why)) {
        fail_msg("%s: %s", word, why.text);
    }
    return event;
}

static void answer_first_move(struct fake_player *player, const struct player_view *view)
{
    static struct move moves[GAME_MAX_MOVES];
    assert_true(view->game->moves(view->now, moves) > 0);
    fake_answer(player, FAKE_SECOND / 10,
                (struct player_event){.kind = PLAYER_MOVE, .move = moves[0]});
}

void scripted_mind(struct fake_player *player, enum fake_question question,
                   const struct player_view *view)
{
    const char **script = player->thoughts;
    char word[WORD_BYTES];
    if (!take_word(script, false, word)) {
        assert_int_equal(question, FAKE_MOVE);
        answer_first_move(player, view);
        return;
    }
    bool is_known = false;
    int64_t delay_ns = take_delay(word, &is_known);
    if (strcmp(word, "silent") != 0) {
        struct player_event event = to_event(view->game, word);
        event.came_ns = is_known;
        fake_answer(player, delay_ns, event);
    }
    while (take_word(script, true, word)) {
        delay_ns = take_delay(word, &is_known);
        fake_say(player, delay_ns, to_event(view->game, word));
    }
}

void play_scripts(struct table *table, const struct judge_rules *rules, const char *first,
                  const char *second)
{
    fake_mind *minds[2] = {scripted_mind, scripted_mind};
    const char *scripts[2] = {first, second};
    void *thoughts[2] = {&scripts[0], &scripts[1]};
    table_init(table, rules, minds, thoughts);
    table_play(table);
}

void expect_game(const struct judge_rules *rules, const char *first, const char *second,
                 const char *words)
{
    struct table table;
    play_scripts(&table, rules, first, second);
    assert_string_equal(table.log, words);
    table_free(&table);
}

void expect_at(const char *game, const char *position, const char *first, const char *second,
               const char *words)
{
    struct judge_rules rules = table_rules(game, position);
    expect_game(&rules, first, second, words);
}

void expect_auction(const char *first, const char *second, const char *words)
{
    struct judge_rules rules = table_auction_rules();
    expect_game(&rules, first, second, words);
}
