#include <inttypes.h>
#include <string.h>

#include "judge/record_reader.h"
#include "judge/replay.h"
#include "web/answer.h"
#include "web/json_text.h"

enum { MAX_GAMES = 256 };

static void write_tags(FILE *out, const struct record *record)
{
    int written = 0;
    fputs(",\"tags\":{", out);
    for (int tag = 0; tag < RECORD_TAGS; tag++) {
        const char *value = record_tag(record, (enum record_tag)tag);
        if (value) {
            json_text_field(out, written++ ? "," : "", record_tag_name((enum record_tag)tag),
                            value);
        }
    }
    fputc('}', out);
}

static void write_facts(FILE *out, const struct annotation *facts)
{
    if (facts->has_time) {
        fprintf(out, ",\"time_ns\":%" PRId64, facts->time_ns);
    }
    if (facts->has_depth) {
        fprintf(out, ",\"depth\":%" PRId64, facts->depth);
    }
    if (facts->has_score) {
        fprintf(out, ",\"score\":%" PRId64, facts->score_hundredths);
    }
    if (facts->has_nodes) {
        fprintf(out, ",\"nodes\":%" PRId64, facts->nodes);
    }
    if (facts->has_fault) {
        json_text_field(out, ",", "fault", fault_name(facts->fault));
    }
}

/* After so many plies; null where the record could not be played so far. */
static void write_position(FILE *out, const char *name, const struct replay *replay, size_t plies)
{
    char text[GAME_POSITION_BYTES];
    bool is_known = replay->game && plies < replay->state_count;
    if (is_known) {
        replay->game->write_position(&replay->states[plies], text);
    }
    json_text_field(out, ",", name, is_known ? text : NULL);
}

static void write_plies(FILE *out, const struct record *record, const struct replay *replay)
{
    fputs(",\"plies\":[", out);
    for (size_t i = 0; i < record->ply_count; i++) {
        const struct record_turn *turn = &record->plies[i];
        json_text_field(out, i ? ",{" : "{", "side", side_name(turn->side));
        json_text_field(out, ",", "move", record_words(record, turn->move));
        write_position(out, "position", replay, i + 1);
        write_facts(out, &turn->facts);
        fputc('}', out);
    }
    fputc(']', out);
}

/* What ended the game in the middle of a turn; null where nothing did. */
static void write_closing(FILE *out, const struct record *record)
{
    if (!record->is_closed) {
        fputs(",\"closing\":null", out);
        return;
    }
    json_text_field(out, ",\"closing\":{", "side", side_name(record->closing.side));
    write_facts(out, &record->closing.facts);
    fputc('}', out);
}

static void write_replayed(FILE *out, const struct answerer *answerer, const struct record *record,
                           struct replay *replay)
{
    struct note why = {""};
    enum err err = replay_run(answerer->cpu, record, replay, &why);
    fprintf(out, "{\"ok\":%s", err ? "false" : "true");
    json_text_field(out, ",", "error", err ? why.text : NULL);
    json_text_field(out, ",", "game", replay->game ? replay->game->name : NULL);
    write_tags(out, record);
    write_position(out, "start", replay, 0);
    write_plies(out, record, replay);
    write_closing(out, record);
    fputc('}', out);
}

static enum err write_all(FILE *out, const struct answerer *answerer, FILE *file, struct note *why)
{
    struct record_reader reader = record_reader_make(file);
    struct record record = {0};
    struct replay replay = {0};
    bool is_found = true;
    bool is_enough = false;
    size_t plies = 0;
    enum err err = ERR_NONE;
    fputs("{\"games\":[", out);
    for (int count = 0; !is_enough; count++) {
        err = record_reader_next(&reader, &record, &is_found, why);
        if (err || !is_found) {
            break;
        }
        is_enough = count == MAX_GAMES || (answerer->max_plies && plies >= answerer->max_plies);
        if (!is_enough) {
            fputs(count ? "," : "", out);
            write_replayed(out, answerer, &record, &replay);
            plies += record.ply_count;
        }
    }
    fprintf(out, "],\"more\":%s}", is_enough ? "true" : "false");
    replay_free(&replay);
    record_free(&record);
    return err;
}

static enum err write(const struct answerer *answerer, const struct question *question, FILE *out,
                      struct note *why)
{
    const char *text = question_get(question, "text");
    if (!text || !*text) {
        note_set(why, "the body is empty; send one or more game records as text");
        return ERR_INPUT;
    }
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    if (!file) {
        note_set(why, "there is not enough memory to read the record");
        return ERR_ENVIRONMENT;
    }
    enum err err = write_all(out, answerer, file, why);
    fclose(file);
    return err;
}

const struct answer answer_record = {.name = "record",
                                     .type = "application/json",
                                     .fields = {"text"},
                                     .needs_text = true,
                                     .write = write};
