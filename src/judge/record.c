#include "judge/record.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/utf8.h"

static const char *const tag_names[RECORD_TAGS] = {
    [RECORD_GAME] = "Game",
    [RECORD_EVENT] = "Event",
    [RECORD_ROUND] = "Round",
    [RECORD_DATE] = "Date",
    [RECORD_BLACK] = "Black",
    [RECORD_WHITE] = "White",
    [RECORD_RESULT] = "Result",
    [RECORD_SCORE] = "Score",
    [RECORD_REASON] = "Reason",
    [RECORD_SEED] = "Seed",
    [RECORD_TIME_LIMIT] = "TimeLimit",
    [RECORD_GRACE] = "Grace",
    [RECORD_SANDBOX] = "Sandbox",
    [RECORD_START] = "Start",
    [RECORD_BIDS] = "Bids",
    [RECORD_LATE_LIMIT] = "LateLimit",
};

void record_clear(struct record *record)
{
    *record = (struct record){
        .plies = record->plies,
        .ply_capacity = record->ply_capacity,
        .words = record->words,
        .word_capacity = record->word_capacity,
    };
}

void record_free(struct record *record)
{
    free(record->plies);
    free(record->words);
    *record = (struct record){0};
}

const char *record_tag_name(enum record_tag tag) { return tag_names[tag]; }

const char *record_result_word(enum outcome outcome)
{
    static const char *const words[] = {
        [OUTCOME_ONGOING] = "*",    [OUTCOME_BLACK] = "1-0",     [OUTCOME_WHITE] = "0-1",
        [OUTCOME_DRAW] = "1/2-1/2", [OUTCOME_BOTH_LOST] = "0-0",
    };
    return words[outcome];
}

const char *record_words(const struct record *record, record_text text)
{
    return text ? record->words + text : NULL;
}

const char *record_tag(const struct record *record, enum record_tag tag)
{
    return record_words(record, record->tags[tag].value);
}

bool record_has_tag(const struct record *record, enum record_tag tag, const char *value)
{
    const char *own = record_tag(record, tag);
    return strcmp(own ? own : "", value) == 0;
}

bool record_has_seconds(const struct record *record, enum record_tag tag, int64_t ns)
{
    char text[32];
    snprintf(text, sizeof text, "%.3f", (double)ns / 1e9);
    return record_has_tag(record, tag, text);
}

static enum err out_of_memory(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "out of memory for a game record");
}

static enum err add_words(struct record *record, const char *text, record_text *out,
                          struct note *why)
{
    size_t bytes = strlen(text) + 1;
    size_t start = record->word_bytes ? record->word_bytes : 1; /* 0 means none */
    char *words = array_reserve(record->words, &record->word_capacity, start + bytes, 1);
    if (!words) {
        return out_of_memory(why);
    }
    record->words = words;
    memcpy(words + start, text, bytes);
    record->word_bytes = start + bytes;
    *out = (record_text)start;
    return ERR_NONE;
}

static enum err check_text(const char *what, const char *text, size_t max_bytes, struct note *why)
{
    size_t length = strlen(text);
    if (length >= max_bytes) {
        return note_fail(why, ERR_INPUT, "%s is longer than %zu bytes", what, max_bytes - 1);
    }
    size_t clean = utf8_clean_prefix(text, length);
    if (clean < length) {
        return note_fail(why, ERR_INPUT, "%s has a byte 0x%02x that is not valid UTF-8", what,
                         (unsigned)(unsigned char)text[clean]);
    }
    return ERR_NONE;
}

static bool is_tag_name(const char *name)
{
    size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && length < RECORD_NAME_BYTES && name[length] == '\0';
}

/* Where a tag of that name belongs; NULL: there is no room left. */
static struct record_entry *place_of_tag(struct record *record, const char *name)
{
    for (int tag = 0; tag < RECORD_TAGS; tag++) {
        if (strcmp(name, tag_names[tag]) == 0) {
            return &record->tags[tag];
        }
    }
    for (size_t i = 0; i < record->other_tag_count; i++) {
        if (strcmp(name, record_words(record, record->other_tags[i].name)) == 0) {
            return &record->other_tags[i];
        }
    }
    bool is_full = record->other_tag_count == RECORD_MAX_OTHER_TAGS;
    return is_full ? NULL : &record->other_tags[record->other_tag_count];
}

enum err record_add_tag(struct record *record, const char *name, const char *value,
                        struct note *why)
{
    if (!is_tag_name(name)) {
        return note_fail(why, ERR_INPUT,
                         "a tag's name has 1 to %d letters, digits and underscores, not '%.40s'",
                         RECORD_NAME_BYTES - 1, name);
    }
    struct note what;
    note_set(&what, "the value of tag %s", name);
    enum err err = check_text(what.text, value, RECORD_VALUE_BYTES, why);
    if (err) {
        return err;
    }
    struct record_entry *place = place_of_tag(record, name);
    if (!place) {
        return note_fail(why, ERR_INPUT,
                         "tag %s is one too many: a game has at most %d tags of its own", name,
                         RECORD_MAX_OTHER_TAGS);
    }
    if (place->value) {
        return note_fail(why, ERR_INPUT, "duplicate tag %s", name);
    }
    struct record_entry entry = {.line = record->line};
    err = add_words(record, name, &entry.name, why);
    err = err ? err : add_words(record, value, &entry.value, why);
    if (!err) {
        *place = entry;
        record->other_tag_count += place == &record->other_tags[record->other_tag_count];
    }
    return err;
}

/* Checks the comment, and keeps it with the facts in it. */
static enum err add_comment(struct record *record, struct record_turn *turn, const char *comment,
                            struct note *why)
{
    if (!comment) {
        return ERR_NONE;
    }
    enum err err = check_text("the text in braces", comment, ANNOTATION_BYTES, why);
    if (err) {
        return err;
    }
    if (strpbrk(comment, "{}")) {
        return note_fail(why, ERR_INPUT, "there is a brace within braces");
    }
    err = annotation_read(comment, &turn->facts, why);
    return err ? err : add_words(record, comment, &turn->comment, why);
}

static enum err check_is_open(const struct record *record, struct note *why)
{
    if (record->is_closed) {
        return note_fail(why, ERR_INPUT, "nothing can follow the closing line of a game");
    }
    return ERR_NONE;
}

static enum err check_move(const char *move, struct note *why)
{
    enum err err = check_text("the move", move, GAME_MOVE_BYTES, why);
    if (!err && (!*move || move[strcspn(move, " \t{}")])) {
        err = note_fail(why, ERR_INPUT, "a move is one word without braces, not '%.40s'", move);
    }
    return err;
}

enum err record_add_ply(struct record *record, int number, enum side side, const char *move,
                        const char *comment, struct note *why)
{
    struct record_turn turn = {.number = number, .line = record->line, .side = side};
    enum err err = check_is_open(record, why);
    if (err) {
        return err;
    }
    if (number < 1 || number > RECORD_MAX_NUMBER) {
        return note_fail(why, ERR_INPUT, "plies are numbered from 1 to %d, not %d",
                         RECORD_MAX_NUMBER, number);
    }
    if (record->ply_count == RECORD_MAX_PLIES) {
        return note_fail(why, ERR_INPUT, "a game has at most %d plies", RECORD_MAX_PLIES);
    }
    struct record_turn *plies =
        array_reserve(record->plies, &record->ply_capacity, record->ply_count + 1, sizeof *plies);
    if (!plies) {
        return out_of_memory(why);
    }
    record->plies = plies;
    err = check_move(move, why);
    err = err ? err : add_words(record, move, &turn.move, why);
    err = err ? err : add_comment(record, &turn, comment, why);
    if (!err) {
        record->plies[record->ply_count++] = turn;
    }
    return err;
}

enum err record_close(struct record *record, enum side side, const char *comment, struct note *why)
{
    struct record_turn turn = {.line = record->line, .side = side};
    enum err err = check_is_open(record, why);
    err = err ? err : add_comment(record, &turn, comment, why);
    if (!err) {
        record->closing = turn;
        record->is_closed = true;
    }
    return err;
}

static void write_tag(const struct record *record, const struct record_entry *tag, FILE *file)
{
    fprintf(file, "[%s \"", record_words(record, tag->name));
    for (const char *at = record_words(record, tag->value); *at; at++) {
        if (*at == '"' || *at == '\\') {
            fputc('\\', file);
        }
        fputc(*at, file);
    }
    fputs("\"]\n", file);
}

static char side_letter(enum side side) { return side == SIDE_BLACK ? 'b' : 'w'; }

static void write_ply(const struct record *record, const struct record_turn *ply, FILE *file)
{
    const char *comment = record_words(record, ply->comment);
    fprintf(file, "%d. %c %s", ply->number, side_letter(ply->side),
            record_words(record, ply->move));
    if (comment) {
        fprintf(file, " {%s}", comment);
    }
    fputc('\n', file);
}

static void write_closing(const struct record *record, FILE *file)
{
    const char *comment = record_words(record, record->closing.comment);
    bool has_words = comment && *comment;
    fprintf(file, "{%c%s%s}\n", side_letter(record->closing.side), has_words ? " " : "",
            has_words ? comment : "");
}

enum err record_write(const struct record *record, FILE *file, struct note *why)
{
    for (int tag = 0; tag < RECORD_TAGS; tag++) {
        if (record->tags[tag].value) {
            write_tag(record, &record->tags[tag], file);
        }
    }
    for (size_t i = 0; i < record->other_tag_count; i++) {
        write_tag(record, &record->other_tags[i], file);
    }
    fputc('\n', file);
    for (size_t i = 0; i < record->ply_count; i++) {
        write_ply(record, &record->plies[i], file);
    }
    if (record->is_closed) {
        write_closing(record, file);
    }
    if (fputc('\n', file) == EOF || ferror(file)) {
        return note_fail(why, ERR_ENVIRONMENT, "a game record could not be written: %s",
                         strerror(errno));
    }
    return ERR_NONE;
}

enum err record_append_text(const char *text, FILE *file, const char *path, struct note *why)
{
    off_t before = ftello(file);
    bool is_written = fputs(text, file) >= 0 && fflush(file) == 0;
    if (is_written) {
        return ERR_NONE;
    }
    note_set(why, "cannot write %.200s: %m", path);
    __fpurge(file);
    if (before >= 0 && ftruncate(fileno(file), before)) {
        note_set(why, "cannot write %.200s, whose last record is incomplete: %m", path);
    }
    return ERR_ENVIRONMENT;
}

char *record_to_string(const struct record *record)
{
    char *text = NULL;
    size_t bytes = 0;
    struct note why;
    FILE *memory = open_memstream(&text, &bytes);
    bool is_written = memory && !record_write(record, memory, &why);
    if ((memory && fclose(memory)) || !is_written) {
        free(text);
        return NULL;
    }
    return text;
}

void record_ply_line(const struct game *game, const struct move *move, enum side side, int number,
                     const struct annotation *facts, char *out, size_t room)
{
    char text[GAME_MOVE_BYTES];
    char comment[ANNOTATION_BYTES];
    game_write_move(game, move, text);
    annotation_write(facts, comment);
    snprintf(out, room, "%d. %c %s%s%s%s", number, side_letter(side), text, *comment ? " {" : "",
             comment, *comment ? "}" : "");
}
