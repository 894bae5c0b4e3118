/* Game records: whatever is read can be written and read again to the same text, and
 * replaying it gives an answer. */
#include "fuzz.h"

#include <string.h>

#include "judge/record_reader.h"
#include "judge/replay.h"

static char *write_text(const struct record *record, size_t *length)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    CLAIM(file);
    CLAIM(record_write(record, file, NULL) == ERR_NONE);
    fclose(file);
    return text;
}

/* Reads the one game in `text` back and compares. */
static void check_round_trip(char *text, size_t length)
{
    FILE *file = fmemopen(text, length, "r");
    CLAIM(file);
    struct record_reader reader = record_reader_make(file);
    struct record record = {0};
    bool is_found = false;
    size_t again_length = 0;
    CLAIM(record_reader_next(&reader, &record, &is_found, NULL) == ERR_NONE && is_found);
    char *again = write_text(&record, &again_length);
    CLAIM(again_length == length && memcmp(again, text, length) == 0);
    CLAIM(record_reader_next(&reader, &record, &is_found, NULL) == ERR_NONE && !is_found);
    free(again);
    record_free(&record);
    fclose(file);
}

static void check_replay(const struct record *record, struct replay *replay)
{
    struct note why = {""};
    enum err err = replay_run(cpu_best(), record, replay, &why);
    CLAIM(err == ERR_NONE || err == ERR_NEGATIVE || err == ERR_INPUT);
    CLAIM(!err || *why.text);
    CLAIM(replay->state_count <= record->ply_count + 1);
    CLAIM(err || replay->state_count == record->ply_count + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *file = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!file) {
        return 0;
    }
    struct record_reader reader = record_reader_make(file);
    struct record record = {0};
    struct replay replay = {0};
    struct note why = {""};
    bool is_found = true;
    enum err err = ERR_NONE;
    while (!(err = record_reader_next(&reader, &record, &is_found, &why)) && is_found) {
        size_t length = 0;
        char *text = write_text(&record, &length);
        check_round_trip(text, length);
        free(text);
        check_replay(&record, &replay);
    }
    CLAIM(!err || (err == ERR_INPUT && strncmp(why.text, "line ", 5) == 0));
    replay_free(&replay);
    record_free(&record);
    fclose(file);
    return 0;
}
