#include "record_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "judge/record_reader.h"

enum err games_read_bytes(struct games *games, const char *text, size_t length, struct note *why)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, length, "r");
    assert_non_null(file);
    struct record_reader reader = record_reader_make(file);
    bool is_found = true;
    enum err err = ERR_NONE;
    *games = (struct games){.count = 0};
    while (!err && is_found) {
        assert_true(games->count < MAX_GAMES);
        err = record_reader_next(&reader, &games->records[games->count], &is_found, why);
        games->count += !err && is_found;
    }
    fclose(file);
    return err;
}

enum err games_read(struct games *games, const char *text, struct note *why)
{
    return games_read_bytes(games, text, strlen(text), why);
}

void games_free(struct games *games)
{
    for (size_t i = 0; i < MAX_GAMES; i++) {
        record_free(&games->records[i]);
    }
}

char *record_to_text(const struct record *record)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    struct note why;
    assert_non_null(file);
    assert_int_equal(record_write(record, file, &why), ERR_NONE);
    fclose(file);
    return text;
}
