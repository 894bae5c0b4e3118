#include "store/writer.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mailbox.h"
#include "judge/record.h"
#include "store/store_db.h"

enum {
    MAX_WAITING = 100000,     /* messages; games are few, see WRITER_MAX_WAITING */
    MAX_BEFORE_PLIES = 20000, /* with more, plies are dropped: a record has them all */
    GROUP_NS = 5000000,
};

enum writer_message_kind {
    MESSAGE_ROUND,
    MESSAGE_EVENT,
    MESSAGE_PLY,
    MESSAGE_GAME,
    MESSAGE_LOG,
    MESSAGE_VIOLATION,
    MESSAGE_MACHINE,
    MESSAGE_AGAIN,
    MESSAGE_AUDIT
};

struct writer_message {
    struct writer_message *next; /* of its batch */
    enum writer_message_kind kind;
    int64_t at_ms;
    int number; /* of the game; the first pairing of a round */
    int team;
    struct tournament_work work; /* of a log */
    int round;
    const char *word;                    /* kind of an event, or of an audit entry */
    char *text;                          /* owned */
    char *machine;                       /* owned */
    struct store_machine_counts counts;  /* of it */
    struct tournament_pairing *pairings; /* owned */
    size_t pairing_count;
    struct tournament_game game;
    struct game_fault *faults; /* owned */
    size_t fault_count;
    struct violation *violation; /* owned */
};

/* Messages of one transaction. */
struct writer_batch {
    struct writer_message *first;
    struct writer_message **end;
    bool is_urgent; /* not only for spectators */
};

enum writer_statement {
    INSERT_PAIRING,
    INSERT_EVENT,
    DELETE_PLIES,
    INSERT_RECORD,
    INSERT_GAME,
    INSERT_FAULT,
    INSERT_LOG,
    INSERT_VIOLATION,
    INSERT_MACHINE,
    STATEMENTS
};

static const char *const statement_texts[STATEMENTS] = {
    [INSERT_PAIRING] = "INSERT INTO pairing VALUES (?, ?, ?, nullif(?, -1), ?)",
    [INSERT_EVENT] = "INSERT INTO event (at_ms, kind, game, text) VALUES (?, ?, nullif(?, -1), ?)",
    [DELETE_PLIES] = "DELETE FROM event WHERE game = ? AND kind = 'ply'",
    [INSERT_RECORD] = "INSERT INTO record (text, checksum) VALUES (?1, checksum_hash(?1))",
    [INSERT_GAME] =
        "INSERT INTO game VALUES (?, ?, ?, nullif(?, -1), nullif(?, -1), ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?)",
    [INSERT_FAULT] = "INSERT INTO fault (game, attempt, team, ply, kind, why, position, time_ms)"
                     " VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, -1))",
    [INSERT_LOG] = "INSERT INTO log (pairing, team, from_game, text) VALUES (?, ?, ?, ?)",
    [INSERT_VIOLATION] =
        "INSERT INTO violation (pairing, team, from_game, kind, what, count, first_ms)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
    [INSERT_MACHINE] = "INSERT INTO machine (machine, refused, returned, lost) VALUES (?, ?, ?, ?)"
                       " ON CONFLICT (machine) DO UPDATE SET refused = refused + excluded.refused,"
                       " returned = returned + excluded.returned, lost = lost + excluded.lost",
};

struct writer {
    struct store *store;
    void *owner;
    void (*on_progress)(void *owner);
    pthread_t thread;

    struct mailbox queue;     /* of struct writer_message *: to the thread */
    struct mailbox committed; /* likewise, of games: back */

    pthread_mutex_t mutex; /* of what follows */
    enum err err;
    struct note why;

    sqlite3_stmt *statements[STATEMENTS]; /* the thread's own */
};

/* --- Messages --- */

static void free_contents(const struct writer_message *message)
{
    free(message->text);
    free(message->machine);
    free(message->pairings);
    free(message->faults);
    free(message->violation);
}

static void message_free(struct writer_message *message)
{
    free_contents(message);
    free(message);
}

static void box_free(struct mailbox *box)
{
    for (struct writer_message *message; mailbox_take(box, &message);) {
        message_free(message);
    }
    mailbox_free(box);
}

/* --- The thread: statements --- */

static enum err write_round(struct writer *w, const struct writer_message *m, struct note *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < m->pairing_count; i++) {
        const struct pairing *teams = &m->pairings[i].teams;
        int number = m->number + (int)i;
        err = store_do_again(w->store, w->statements[INSERT_PAIRING], why, "iiiil", number,
                             m->round, teams->team[0], teams->team[1],
                             checksum_pairing(number, m->round, teams));
    }
    return err;
}

static enum err write_event(struct writer *w, const struct writer_message *m, struct note *why)
{
    return store_do_again(w->store, w->statements[INSERT_EVENT], why, "ltit", m->at_ms, m->word,
                          m->number, m->text);
}

static enum err write_log(struct writer *w, const struct writer_message *m, struct note *why)
{
    return store_do_again(w->store, w->statements[INSERT_LOG], why, "iiit",
                          store_number(m->work.phase, m->work.pairing), m->team,
                          store_number(m->work.phase, m->work.first_game + m->work.from), m->text);
}

static enum err write_violation(struct writer *w, const struct writer_message *m, struct note *why)
{
    return store_do_again(w->store, w->statements[INSERT_VIOLATION], why, "iiittll",
                          store_number(m->work.phase, m->work.pairing), m->team,
                          store_number(m->work.phase, m->work.first_game + m->work.from),
                          violation_kind_name(m->violation->kind), m->violation->what,
                          m->violation->count, m->violation->first_ms);
}

static enum err write_machine(struct writer *w, const struct writer_message *m, struct note *why)
{
    return store_do_again(w->store, w->statements[INSERT_MACHINE], why, "tlll", m->machine,
                          m->counts.refused, m->counts.returned, m->counts.lost);
}

static enum err write_result(struct writer *w, const struct tournament_game *game,
                             const char *machine, struct note *why)
{
    const char *status = game->phase == PHASE_QUALIFICATION ? "qualification" : "played";
    int black = game->summary.colour[0] == SIDE_BLACK ? 0 : 1;
    int white = 1 - black;
    return store_do_again(
        w->store, w->statements[INSERT_GAME], why, "iitiitiitiillllllllt",
        store_number(game->phase, game->number), game->attempt, status, game->team[black],
        game->team[white], record_result_word(game->summary.outcome), game->summary.score[0],
        game->summary.score[1], game->summary.reason, (int)game->summary.is_forfeit,
        game->summary.plies, game->summary.thinking_ms[black], game->summary.thinking_ms[white],
        game->summary.slowest_ms[black], game->summary.slowest_ms[white], game->started_ms,
        game->ended_ms, (int64_t)sqlite3_last_insert_rowid(w->store->db),
        checksum_game(game, status), machine);
}

static enum err write_faults(struct writer *w, const struct writer_message *m, struct note *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < m->fault_count; i++) {
        const struct game_fault *fault = &m->faults[i];
        err = store_do_again(w->store, w->statements[INSERT_FAULT], why, "iiiitttl",
                             store_number(m->game.phase, m->game.number), m->game.attempt,
                             m->game.team[fault->player], fault->ply, fault_name(fault->kind),
                             fault->why.text, fault->position, fault->time_ms);
    }
    return err;
}

static enum err write_game(struct writer *w, const struct writer_message *m, struct note *why)
{
    const struct tournament_game *game = &m->game;
    char text[96];
    snprintf(text, sizeof text, "%s %d-%d %s", record_result_word(game->summary.outcome),
             game->summary.score[0], game->summary.score[1], game->summary.reason);
    enum err err = store_do_again(w->store, w->statements[INSERT_RECORD], why, "t", m->text);
    err = err ? err : write_result(w, game, m->machine, why);
    err = err ? err : write_faults(w, m, why);
    if (err || game->phase == PHASE_QUALIFICATION) {
        return err;
    }
    /* Its moves are in the record now. */
    err = store_do_again(w->store, w->statements[DELETE_PLIES], why, "i", game->number);
    return err ? err
               : store_do_again(w->store, w->statements[INSERT_EVENT], why, "ltit", m->at_ms,
                                "over", game->number, text);
}

static enum err write_message(struct writer *w, const struct writer_message *m, struct note *why)
{
    switch (m->kind) {
    case MESSAGE_ROUND:
        return write_round(w, m, why);
    case MESSAGE_GAME:
        return write_game(w, m, why);
    case MESSAGE_LOG:
        return write_log(w, m, why);
    case MESSAGE_VIOLATION:
        return write_violation(w, m, why);
    case MESSAGE_MACHINE:
        return write_machine(w, m, why);
    case MESSAGE_AGAIN:
        return store_do_again(w->store, w->statements[DELETE_PLIES], why, "i", m->number);
    case MESSAGE_AUDIT:
        return store_add_entry(w->store, m->at_ms, m->word, m->number, -1, m->text, why);
    default:
        return write_event(w, m, why);
    }
}

/* --- The thread: one batch --- */

static void batch_add(struct writer_batch *batch, struct writer_message *message)
{
    *batch->end = message;
    batch->end = &message->next;
    batch->is_urgent |= message->kind != MESSAGE_EVENT && message->kind != MESSAGE_PLY;
}

/* All of the batch or nothing. What is only for spectators does not wait for the disk. */
static enum err write_batch(struct writer *w, const struct writer_batch *batch, struct note *why)
{
    /* A -wal that was cut off would be as long as before after the next commit. */
    enum err err = store_confirm(w->store, why);
    if (!err) {
        err = store_run(w->store,
                        batch->is_urgent ? "PRAGMA synchronous = FULL; BEGIN IMMEDIATE"
                                         : "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE",
                        why);
    }
    if (err) {
        return err;
    }
    for (const struct writer_message *m = batch->first; !err && m; m = m->next) {
        err = write_message(w, m, why);
    }
    err = store_end(w->store, err, why);
    return err ? err : store_confirm(w->store, why);
}

/* In any thread; the first reason counts. */
static void give_up(struct writer *w, enum err err, const char *why)
{
    pthread_mutex_lock(&w->mutex);
    if (!w->err) {
        w->err = err;
        note_set(&w->why, "%s", why);
    }
    pthread_mutex_unlock(&w->mutex);
    w->on_progress(w->owner);
}

/* Frees the batch. If it is on the disk, its games are reported. */
static void end_batch(struct writer *w, const struct writer_batch *batch, bool is_committed)
{
    for (struct writer_message *m = batch->first, *next = NULL; m; m = next) {
        next = m->next;
        if (is_committed && m->kind == MESSAGE_GAME) {
            bool has_room = mailbox_put(&w->committed, &m);
            assert(has_room); /* the caller takes them before it adds more: WRITER_MAX_WAITING */
        } else {
            message_free(m);
        }
    }
}

/* Waits for messages; false: it is stopped, and none is left. Messages that come shortly after a
 * game are included: a disk syncs ten games as fast as one. Spectators do not wait for that. */
static bool wait_for_batch(struct writer *w, struct writer_batch *batch)
{
    struct writer_message *message = NULL;
    *batch = (struct writer_batch){.end = &batch->first};
    if (!mailbox_wait(&w->queue, &message)) {
        return false;
    }
    do {
        batch_add(batch, message);
    } while (mailbox_take(&w->queue, &message));
    if (batch->is_urgent && !mailbox_is_closed(&w->queue)) {
        nanosleep(&(struct timespec){.tv_nsec = GROUP_NS}, NULL);
        while (mailbox_take(&w->queue, &message)) {
            batch_add(batch, message);
        }
    }
    return true;
}

static void *write_all(void *owner)
{
    struct writer *w = owner;
    struct writer_batch batch;
    enum err err = ERR_NONE;
    while (wait_for_batch(w, &batch)) {
        struct note why;
        bool was_good = !err;
        if (was_good) {
            err = write_batch(w, &batch, &why);
        }
        end_batch(w, &batch, !err);
        if (err && was_good) {
            give_up(w, err, why.text);
        }
    }
    return NULL;
}

/* --- Public --- */

static enum err prepare(struct writer *w, struct note *why)
{
    for (int i = 0; i < STATEMENTS; i++) {
        w->statements[i] = store_prepare(w->store, why, statement_texts[i], "");
        if (!w->statements[i]) {
            return ERR_ENVIRONMENT;
        }
    }
    return ERR_NONE;
}

static void free_writer(struct writer *w)
{
    for (int i = 0; i < STATEMENTS; i++) {
        sqlite3_finalize(w->statements[i]);
    }
    box_free(&w->queue);
    box_free(&w->committed);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}

enum err writer_start(struct writer **out, struct store *store, void *owner,
                      void (*on_progress)(void *owner), struct note *why)
{
    struct writer *w = calloc(1, sizeof *w);
    if (!w) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory to store the tournament");
    }
    w->store = store;
    w->owner = owner;
    w->on_progress = on_progress;
    pthread_mutex_init(&w->mutex, NULL);
    enum err err = mailbox_init(&w->queue, MAX_WAITING, sizeof(void *), NULL, NULL, why);
    err = err ? err
              : mailbox_init(&w->committed, MAX_WAITING, sizeof(void *), owner, on_progress, why);
    err = err ? err : prepare(w, why);
    if (!err) { /* of interrupted games, which start again */
        err = store_run(store, "DELETE FROM event WHERE kind = 'ply'", why);
    }
    if (!err && pthread_create(&w->thread, NULL, write_all, w)) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot start a thread to store the tournament");
    }
    if (err) {
        free_writer(w);
    } else {
        *out = w;
    }
    return err;
}

/* Without memory the tournament cannot continue: a lost message would be a lost game. What follows
 * a lost message is not written, because it may depend on it: games on their round. */
static void *copy_bytes(struct writer *w, const void *bytes, size_t count)
{
    void *copy = malloc(count + 1);
    if (copy) {
        memcpy(copy, bytes, count);
    } else {
        give_up(w, ERR_ENVIRONMENT, "no memory to store the tournament");
    }
    return copy;
}

static char *copy_text(struct writer *w, const char *text)
{
    return text ? copy_bytes(w, text, strlen(text) + 1) : NULL;
}

/* Takes over what it owns. */
static void post(struct writer *w, const struct writer_message *message)
{
    size_t most = message->kind == MESSAGE_PLY ? MAX_BEFORE_PLIES : MAX_WAITING;
    struct writer_message *posted = copy_bytes(w, message, sizeof *message);
    struct note why;
    if (!posted) {
        free_contents(message);
        return;
    }
    posted->at_ms = clock_unix_ms();
    if (writer_failure(w, &why)) {
        message_free(posted);
    } else if (!mailbox_put_within(&w->queue, most, &posted)) {
        if (message->kind != MESSAGE_PLY) {
            give_up(w, ERR_ENVIRONMENT, "the disk is too slow to store the tournament");
        }
        message_free(posted);
    }
}

void writer_add_round(struct writer *w, int round, int first_pairing,
                      const struct tournament_pairing *pairings, size_t count)
{
    char text[16];
    snprintf(text, sizeof text, "%d", round);
    post(w, &(struct writer_message){.kind = MESSAGE_ROUND,
                                     .number = first_pairing,
                                     .round = round,
                                     .pairings = copy_bytes(w, pairings, count * sizeof *pairings),
                                     .pairing_count = count});
    writer_add_event(w, "round", -1, text);
}

void writer_add_event(struct writer *w, const char *kind, int game, const char *text)
{
    post(w, &(struct writer_message){
                .kind = MESSAGE_EVENT, .number = game, .word = kind, .text = copy_text(w, text)});
}

void writer_add_ply(struct writer *w, int game, const char *text)
{
    post(w, &(struct writer_message){
                .kind = MESSAGE_PLY, .number = game, .word = "ply", .text = copy_text(w, text)});
}

void writer_begin_again(struct writer *w, int game)
{
    post(w, &(struct writer_message){.kind = MESSAGE_AGAIN, .number = game});
}

void writer_add_audit(struct writer *w, const char *what, int game, const char *reason)
{
    post(w, &(struct writer_message){
                .kind = MESSAGE_AUDIT, .number = game, .word = what, .text = copy_text(w, reason)});
}

/* A game of the qualification has no number there. */
static void add_again(struct writer *w, const struct tournament_game *game,
                      const struct game_again *again)
{
    int number = game->phase == PHASE_QUALIFICATION ? -1 : game->number;
    struct note reason = again->why;
    if (again->count > 1) {
        note_prefix(&reason, "%d times, the last time", again->count);
    }
    if (again->count > 0) {
        writer_add_audit(w, "played again", number, reason.text);
    }
}

void writer_add_game(struct writer *w, const struct tournament_game *game, const char *machine,
                     struct finished_game *take_game)
{
    add_again(w, game, &take_game->again);
    post(w, &(struct writer_message){.kind = MESSAGE_GAME,
                                     .number = game->number,
                                     .machine = copy_text(w, machine),
                                     .game = *game,
                                     .text = take_game->record,
                                     .faults = take_game->fault_list,
                                     .fault_count = take_game->fault_count});
    *take_game = (struct finished_game){0};
}

void writer_add_machine(struct writer *w, const char *machine,
                        const struct store_machine_counts *counts)
{
    post(w, &(struct writer_message){
                .kind = MESSAGE_MACHINE, .machine = copy_text(w, machine), .counts = *counts});
}

void writer_add_violation(struct writer *w, const struct tournament_work *work, int team,
                          const struct violation *violation)
{
    post(w, &(struct writer_message){.kind = MESSAGE_VIOLATION,
                                     .team = team,
                                     .work = *work,
                                     .violation = copy_bytes(w, violation, sizeof *violation)});
}

void writer_add_log(struct writer *w, const struct tournament_work *work, int team, char *take_text)
{
    post(w, &(struct writer_message){
                .kind = MESSAGE_LOG, .team = team, .work = *work, .text = take_text});
}

bool writer_take_committed(struct writer *w, struct tournament_game *out)
{
    struct writer_message *message = NULL;
    bool is_found = mailbox_take(&w->committed, &message);
    if (is_found) {
        *out = message->game;
        message_free(message);
    }
    return is_found;
}

enum err writer_failure(struct writer *w, struct note *why)
{
    pthread_mutex_lock(&w->mutex);
    enum err err = w->err;
    if (err) {
        *why = w->why;
    }
    pthread_mutex_unlock(&w->mutex);
    return err;
}

enum err writer_stop(struct writer *w, struct note *why)
{
    mailbox_close(&w->queue);
    pthread_join(w->thread, NULL);
    enum err err = writer_failure(w, why);
    free_writer(w);
    return err;
}
