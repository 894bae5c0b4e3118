#include "store/event.h"

#include "store/store_db.h"

static struct store_event read_event(sqlite3_stmt *row)
{
    return (struct store_event){
        .id = sqlite3_column_int64(row, 0),
        .at_ms = sqlite3_column_int64(row, 1),
        .kind = store_text(row, 2),
        .game = sqlite3_column_type(row, 3) == SQLITE_NULL ? -1 : sqlite3_column_int(row, 3),
        .text = store_text(row, 4),
    };
}

enum err store_each_event(struct store *store, int64_t after, int limit, store_event_visit *visit,
                          void *owner, struct note *why)
{
    sqlite3_stmt *row = store_prepare(
        store, why,
        "SELECT id, at_ms, kind, game, text FROM event WHERE id > ? ORDER BY id LIMIT ?", "li",
        after, limit);
    bool has_row = row != NULL;
    enum err err = row ? ERR_NONE : ERR_ENVIRONMENT;
    while (has_row && !(err = store_step(store, row, &has_row, why)) && has_row) {
        struct store_event event = read_event(row);
        has_row = visit(owner, &event);
    }
    sqlite3_finalize(row);
    return err;
}
