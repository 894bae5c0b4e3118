#include "report/game_viewer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "judge/record.h"
#include "judge/record_reader.h"
#include "judge/replay.h"
#include "report/caption.h"

static char letter_at(const struct game *game, const struct state *state, int square)
{
    return caption_letter(game, game->cell(state, square));
}

static void write_board(FILE *out, const struct game *game, const struct state *state)
{
    for (int square = 0; square < game->rows * game->columns; square++) {
        fputc(letter_at(game, state, square), out);
    }
}

static bool is_same_board(const struct game *game, const struct state *a, const struct state *b)
{
    int square = 0;
    while (square < game->rows * game->columns &&
           letter_at(game, a, square) == letter_at(game, b, square)) {
        square++;
    }
    return square == game->rows * game->columns;
}

static void write_start(FILE *out, const struct game *game, const struct state *state)
{
    char status[GAME_STATUS_BYTES];
    struct state usual = game->start();
    if (is_same_board(game, state, &usual)) {
        fputc('-', out);
    } else {
        write_board(out, game, state);
    }
    game->status(state, status);
    fprintf(out, " %s\n", status);
}

static void write_turn(FILE *out, const struct record_turn *turn, const char *move)
{
    fprintf(out, "%c %s ", turn->side == SIDE_BLACK ? 'b' : 'w', move);
    if (turn->facts.has_time) {
        fprintf(out, "%" PRId64, turn->facts.time_ns / CLOCK_NS_PER_MS);
    } else {
        fputc('-', out);
    }
    fprintf(out, " %s ", turn->facts.has_fault ? fault_name(turn->facts.fault) : "-");
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Whether the two differ in nothing but their numbers. */
static bool has_same_words(const char *a, const char *b)
{
    while (*a && *b) {
        if (is_digit(*a) && is_digit(*b)) {
            a += strspn(a, "0123456789");
            b += strspn(b, "0123456789");
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return !*a && !*b;
}

/* The phrase changes with every move in some games, but only its numbers do. */
static void write_phrase(FILE *out, const char *before, const char *after)
{
    if (strcmp(before, after) == 0) {
        return;
    }
    if (!has_same_words(before, after)) {
        fprintf(out, " %s", after);
        return;
    }
    const char *separator = " ";
    for (const char *at = after; *at; at++) {
        size_t digits = strspn(at, "0123456789");
        if (digits) {
            fprintf(out, "%s%.*s", separator, (int)digits, at);
            separator = ",";
            at += digits - 1;
        }
    }
}

static void write_changes(FILE *out, const struct game *game, const struct state *before,
                          const struct state *after)
{
    char status[2][GAME_STATUS_BYTES];
    bool has_change = false;
    for (int square = 0; square < game->rows * game->columns; square++) {
        char letter = letter_at(game, after, square);
        if (letter != letter_at(game, before, square)) {
            char name[3];
            game_square_name(game, square, name);
            fprintf(out, "%s%c", name, letter);
            has_change = true;
        }
    }
    if (!has_change) {
        fputc('-', out);
    }
    game->status(before, status[0]);
    game->status(after, status[1]);
    write_phrase(out, status[0], status[1]);
    fputc('\n', out);
}

static void write_game(FILE *out, const struct record *record, const struct replay *replay)
{
    write_start(out, replay->game, &replay->states[0]);
    for (size_t i = 0; i < record->ply_count; i++) {
        const struct record_turn *turn = &record->plies[i];
        write_turn(out, turn, record_words(record, turn->move));
        write_changes(out, replay->game, &replay->states[i], &replay->states[i + 1]);
    }
    if (record->is_closed) {
        write_turn(out, &record->closing, "-");
        fputs("-\n", out);
    }
}

static enum err read_record(const char *text, struct record *out, struct note *why)
{
    bool is_found = false;
    FILE *file = fmemopen((char *)text, strlen(text), "r");
    if (!file) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    struct record_reader reader = record_reader_make(file);
    enum err err = record_reader_next(&reader, out, &is_found, why);
    fclose(file);
    if (!err && !is_found) {
        return note_fail(why, ERR_INPUT, "there is no game in the record");
    }
    return err;
}

enum err game_viewer_text(enum cpu_level cpu, const char *record, char **out, struct note *why)
{
    struct record words = {0};
    struct replay replay = {0};
    char *text = NULL;
    size_t size = 0;
    enum err err = read_record(record, &words, why);
    err = err ? err : replay_run(cpu, &words, &replay, why);
    if (!err) {
        FILE *stream = open_memstream(&text, &size);
        if (stream) {
            write_game(stream, &words, &replay);
        }
        if (!stream || fclose(stream) != 0) {
            free(text);
            err = note_fail(why, ERR_ENVIRONMENT, "out of memory");
        }
    }
    if (!err) {
        *out = text;
    }
    replay_free(&replay);
    record_free(&words);
    return err;
}
