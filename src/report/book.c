#include "report/book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "store/tournament_file.h"

/* While the store is read. */
struct reading {
    struct book *book;
    size_t capacity;
    bool is_out_of_memory;
};

static enum err refuse_memory(struct note *why)
{
    note_set(why, "out of memory");
    return ERR_ENVIRONMENT;
}

int book_player(const struct tournament_game *game, enum side side)
{
    return game->team[game->colour[0] == side ? 0 : 1];
}

bool book_is_own_forfeit(const struct tournament_game *game, int team)
{
    enum side side = book_player(game, SIDE_BLACK) == team ? SIDE_BLACK : SIDE_WHITE;
    enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    return game->is_forfeit && game->outcome != win;
}

void book_fault_place(const struct book_fault *fault, char out[BOOK_PLACE_BYTES])
{
    switch (fault->phase) {
    case BOOK_START:
        snprintf(out, BOOK_PLACE_BYTES, "start");
        break;
    case BOOK_BID:
        snprintf(out, BOOK_PLACE_BYTES, "bid");
        break;
    case BOOK_MOVE:
        snprintf(out, BOOK_PLACE_BYTES, "move %d", fault->ply + 1);
        break;
    }
}

const char *book_fault_word(const struct book_fault *fault)
{
    bool is_hard = fault->kind == FAULT_LATE && fault->is_fatal && fault->phase == BOOK_MOVE;
    return is_hard ? "hard limit" : fault_name(fault->kind);
}

/* --- What the store keeps in lists. --- */

/* Room for one more of `item_bytes`; NULL: there is none. */
static void *grow(struct reading *reading, void *list, size_t count, size_t item_bytes)
{
    void *grown = array_reserve(list, &reading->capacity, count + 1, item_bytes);
    reading->is_out_of_memory |= !grown;
    return grown;
}

/* One line of plain text, whatever a program made the judge quote. */
static char *clean_copy(const char *text)
{
    size_t room = text ? strlen(text) + 1 : 1;
    char *copy = malloc(room);
    if (copy) {
        utf8_clean(text ? text : "", copy, room);
    }
    return copy;
}

static bool add_fault(void *owner, const struct store_fault *fault)
{
    struct reading *reading = owner;
    struct book *book = reading->book;
    if (book->tournament.games[fault->game].status != GAME_PLAYED) {
        return true;
    }
    struct book_fault *list = grow(reading, book->faults, book->fault_count, sizeof *book->faults);
    if (!list) {
        return false;
    }
    book->faults = list;
    list[book->fault_count++] = (struct book_fault){
        .game = fault->game,
        .team = fault->team,
        .ply = fault->ply,
        .kind = fault->kind,
        .time_ms = fault->time_ms,
        .why = clean_copy(fault->why),
        .position = clean_copy(fault->position),
    };
    reading->is_out_of_memory =
        !list[book->fault_count - 1].why || !list[book->fault_count - 1].position;
    return !reading->is_out_of_memory;
}

static bool add_log(void *owner, const struct store_log *log)
{
    struct reading *reading = owner;
    struct book *book = reading->book;
    struct book_log *list = grow(reading, book->logs, book->log_count, sizeof *book->logs);
    if (!list) {
        return false;
    }
    book->logs = list;
    list[book->log_count++] = (struct book_log){
        .pairing = log->pairing,
        .team = log->team,
        .from_game = log->from_game,
        .text = strdup(log->text ? log->text : ""),
    };
    reading->is_out_of_memory = !list[book->log_count - 1].text;
    return !reading->is_out_of_memory;
}

static bool add_build(void *owner, const struct store_build *build)
{
    struct reading *reading = owner;
    struct book_team *team = &reading->book->teams[build->team];
    free(team->build_messages);
    team->is_built = build->is_built;
    team->build_messages = strdup(build->messages ? build->messages : "");
    reading->is_out_of_memory = !team->build_messages;
    return !reading->is_out_of_memory;
}

void book_weigh_faults(struct book *book)
{
    for (size_t i = 0; i < book->fault_count; i++) {
        struct book_fault *fault = &book->faults[i];
        const struct tournament_game *game = &book->tournament.games[fault->game];
        if (!book_is_own_forfeit(game, fault->team) || strcmp(game->reason, "resigned") == 0) {
            continue;
        }
        fault->phase = strcmp(game->reason, "no-start") == 0 ? BOOK_START
                       : strcmp(game->reason, "no-bid") == 0 ? BOOK_BID
                                                             : BOOK_MOVE;
        fault->is_fatal = true;
        for (size_t k = i + 1; k < book->fault_count && book->faults[k].game == fault->game; k++) {
            fault->is_fatal &= book->faults[k].team != fault->team;
        }
    }
}

static bool add_entry(void *owner, const struct store_audit_entry *entry)
{
    struct book *book = owner;
    enum ruling_key key;
    if (entry->team >= 0 && entry->team < book->roster.team_count &&
        ruling_apply(entry->what, &book->roster.teams[entry->team], &key)) {
        utf8_clean(entry->reason, book->teams[entry->team].rulings[key].text, NOTE_BYTES);
    }
    return true;
}

static enum err read_lists(struct book *book, struct note *why)
{
    struct reading faults = {.book = book};
    struct reading builds = {.book = book};
    enum err err = store_each_fault(book->store, add_fault, &faults, why);
    if (!err) {
        book_weigh_faults(book);
        err = store_each_build(book->store, add_build, &builds, why);
    }
    if (!err) {
        err = store_each_audit_entry(book->store, add_entry, book, why);
    }
    return !err && (faults.is_out_of_memory || builds.is_out_of_memory) ? refuse_memory(why) : err;
}

/* --- The tournament. --- */

static void add_game(struct book *book, const struct tournament_game *game, int place)
{
    struct book_team *team = &book->teams[game->team[place]];
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        team->faults[kind] += game->faults[place][kind];
    }
    team->games++;
    team->thinking_ms += game->thinking_ms[place];
    if (game->slowest_ms[place] > team->slowest_ms) {
        team->slowest_ms = game->slowest_ms[place];
        team->slowest_game = game->number;
    }
}

static void add_up_teams(struct book *book, const bool *is_qualified)
{
    for (int i = 0; i < book->roster.team_count; i++) {
        struct book_team *team = &book->teams[book->rows[i].team];
        team->entry = &book->roster.teams[book->rows[i].team];
        team->row = &book->rows[i];
        team->rating = book->ratings.ratings[book->rows[i].team];
        team->is_qualified = is_qualified[book->rows[i].team];
        team->is_built = true;
        team->slowest_game = -1;
    }
    for (size_t i = 0; i < book->tournament.game_count; i++) {
        const struct tournament_game *game = &book->tournament.games[i];
        for (int place = 0; game->status == GAME_PLAYED && place < 2; place++) {
            add_game(book, game, place);
        }
    }
}

static enum err rank(struct book *book, struct note *why)
{
    size_t count = (size_t)book->roster.team_count;
    struct ranking_game *games = NULL;
    size_t game_count = 0;
    bool *is_qualified = calloc(count, sizeof *is_qualified);
    book->rows = calloc(count, sizeof *book->rows);
    book->teams = calloc(count, sizeof *book->teams);
    enum err err = is_qualified && book->rows && book->teams ? ERR_NONE : refuse_memory(why);
    if (!err) {
        err = tournament_standings(&book->tournament, book->rows, why);
    }
    if (!err) {
        err = tournament_counted(&book->tournament, &games, &game_count, why);
    }
    if (!err) {
        err = rating_make((int)count, games, game_count, &book->ratings, why);
    }
    if (!err) {
        tournament_qualified(&book->tournament, is_qualified);
        add_up_teams(book, is_qualified);
    }
    free(games);
    free(is_qualified);
    return err;
}

/* --- Names. --- */

/* A, B, … Z, AA, AB, … */
static void write_letters(int number, char *out, size_t room)
{
    char letters[8];
    size_t at = sizeof letters - 1;
    letters[at] = '\0';
    for (number++; number > 0 && at > 0; number = (number - 1) / 26) {
        letters[--at] = (char)('A' + (number - 1) % 26);
    }
    snprintf(out, room, "Team %s", letters + at);
}

static void name_teams(struct book *book, bool is_anonymous)
{
    int count = book->roster.team_count;
    for (int i = 0; i < count; i++) {
        struct book_team *team = &book->teams[i];
        snprintf(team->label, sizeof team->label, "%s", team->entry->name);
        if (is_anonymous) {
            int before = 0;
            uint64_t own = hash_pair(~book->roster.seed, (uint64_t)i);
            for (int k = 0; k < count; k++) {
                uint64_t other = hash_pair(~book->roster.seed, (uint64_t)k);
                before += other < own || (other == own && k < i);
            }
            write_letters(before, team->label, sizeof team->label);
        }
    }
}

enum err book_open(struct book *book, const char *path, enum cpu_level cpu, bool is_anonymous,
                   struct note *why)
{
    *book = (struct book){.cpu = cpu};
    enum err err = store_open(path, STORE_READ, &book->store, why);
    if (!err) {
        err = tournament_file_load(book->store, cpu, &book->roster, &book->tournament, why);
    }
    if (!err) {
        err = store_check_records(book->store, why);
    }
    if (!err) {
        err = rank(book, why);
    }
    if (!err) {
        err = read_lists(book, why);
    }
    if (err) {
        book_close(book);
        return err;
    }
    name_teams(book, is_anonymous);
    return ERR_NONE;
}

void book_close(struct book *book)
{
    for (size_t i = 0; i < book->log_count; i++) {
        free(book->logs[i].text);
    }
    for (size_t i = 0; i < book->fault_count; i++) {
        free(book->faults[i].why);
        free(book->faults[i].position);
    }
    for (int i = 0; book->teams && i < book->roster.team_count; i++) {
        free(book->teams[i].build_messages);
    }
    free(book->logs);
    free(book->faults);
    free(book->teams);
    free(book->rows);
    rating_free(&book->ratings);
    tournament_free(&book->tournament);
    roster_free(&book->roster);
    store_close(book->store);
    *book = (struct book){0};
}

enum err book_read_logs(struct book *book, struct note *why)
{
    struct reading logs = {.book = book};
    enum err err = store_each_log(book->store, add_log, &logs, why);
    return !err && logs.is_out_of_memory ? refuse_memory(why) : err;
}
