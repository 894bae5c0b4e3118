/* The transposition table: what it keeps, what it gives up, and that threads cannot confuse it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "base/hash.h"
#include "base/rng.h"
#include "engine/table.h"
#include "scale.h"

static struct table make_table(void)
{
    struct table table = {0};
    struct note why;
    assert_int_equal(table_init(&table, 1, &why), ERR_NONE);
    return table;
}

static struct table_entry entry_of(int depth, int score)
{
    return (struct table_entry){
        .move = 123456, .score = (int16_t)score, .depth = (uint8_t)depth, .bound = BOUND_EXACT};
}

static void what_is_stored_is_found(void **state)
{
    (void)state;
    struct table table = make_table();
    struct rng rng = rng_make(1);
    for (int i = 0; i < 1000; i++) {
        uint64_t key = rng_next(&rng);
        struct table_entry in = {.move = (uint32_t)rng_below(&rng, 1 << 24),
                                 .score = (int16_t)rng_below(&rng, 1 << 16),
                                 .depth = (uint8_t)rng_below(&rng, 256),
                                 .bound = (uint8_t)(1 + rng_below(&rng, 3))};
        struct table_entry out;
        table_store(&table, key, in);
        assert_true(table_find(&table, key, &out));
        assert_int_equal(out.move, in.move);
        assert_int_equal(out.score, in.score);
        assert_int_equal(out.depth, in.depth);
        assert_int_equal(out.bound, in.bound);
    }
    table_free(&table);
}

static void what_was_never_stored_is_not_found(void **state)
{
    (void)state;
    struct table table = make_table();
    struct table_entry out;
    assert_false(table_find(&table, 0, &out));
    assert_false(table_find(&table, 1, &out));
    table_store(&table, UINT64_C(1) << 40, entry_of(5, 1));
    assert_false(table_find(&table, (UINT64_C(1) << 40) + 1, &out));
    table_free(&table);
}

static void the_table_is_as_large_as_asked(void **state)
{
    (void)state;
    struct table table = {0};
    struct note why;
    assert_int_equal(table_init(&table, 3, &why), ERR_NONE);
    assert_int_equal(table.count * sizeof(struct table_line), 3 << 20);
    assert_int_equal(sizeof(struct table_slot), 16);
    table_free(&table);
}

static void clearing_forgets_everything(void **state)
{
    (void)state;
    struct table table = make_table();
    struct table_entry out;
    table_store(&table, 77, entry_of(5, 1));
    table_clear(&table);
    assert_false(table_find(&table, 77, &out));
    table_free(&table);
}

/* Keys of one line: the index is made from the upper bits. */
static uint64_t neighbour(uint64_t i) { return (UINT64_C(5) << 60) + i; }

static void the_shallowest_entry_of_a_full_line_goes(void **state)
{
    (void)state;
    struct table table = make_table();
    struct table_entry out;
    const int depths[TABLE_WAYS] = {9, 3, 7, 5};
    for (uint64_t i = 0; i < TABLE_WAYS; i++) {
        table_store(&table, neighbour(i), entry_of(depths[i], 0));
    }
    table_store(&table, neighbour(TABLE_WAYS), entry_of(4, 0));
    assert_true(table_find(&table, neighbour(0), &out));
    assert_false(table_find(&table, neighbour(1), &out));
    assert_true(table_find(&table, neighbour(2), &out));
    assert_true(table_find(&table, neighbour(3), &out));
    assert_true(table_find(&table, neighbour(TABLE_WAYS), &out));
    table_free(&table);
}

static void an_old_entry_goes_before_a_new_one(void **state)
{
    (void)state;
    struct table table = make_table();
    struct table_entry out;
    table_store(&table, neighbour(0), entry_of(9, 0));
    for (int age = 0; age < 2; age++) {
        table_age(&table);
    }
    for (uint64_t i = 1; i <= TABLE_WAYS; i++) {
        table_store(&table, neighbour(i), entry_of(2, 0));
    }
    assert_false(table_find(&table, neighbour(0), &out));
    for (uint64_t i = 1; i <= TABLE_WAYS; i++) {
        assert_true(table_find(&table, neighbour(i), &out));
    }
    table_free(&table);
}

static void an_entry_without_a_move_keeps_the_known_one(void **state)
{
    (void)state;
    struct table table = make_table();
    struct table_entry out;
    struct table_entry blind = entry_of(6, 2);
    blind.move = TABLE_NO_MOVE;
    table_store(&table, 77, entry_of(5, 1));
    table_store(&table, 77, blind);
    assert_true(table_find(&table, 77, &out));
    assert_int_equal(out.move, 123456);
    assert_int_equal(out.score, 2);
    table_free(&table);
}

static void a_much_shallower_bound_does_not_replace_a_deep_one(void **state)
{
    (void)state;
    struct table table = make_table();
    struct table_entry out;
    struct table_entry shallow = entry_of(2, 2);
    shallow.bound = BOUND_LOWER;
    table_store(&table, 77, entry_of(12, 1));
    table_store(&table, 77, shallow);
    assert_true(table_find(&table, 77, &out));
    assert_int_equal(out.depth, 12);
    table_age(&table);
    table_store(&table, 77, shallow);
    assert_true(table_find(&table, 77, &out));
    assert_int_equal(out.depth, 2);
    table_free(&table);
}

static void half_an_entry_is_none(void **state)
{
    (void)state;
    struct table table = make_table();
    struct table_entry out;
    table_store(&table, 77, entry_of(5, 1));
    struct table_slot *slot = &table_line_of(&table, 77)->slots[0];
    atomic_store(&slot->data, table_pack(entry_of(6, 30), 0));
    assert_false(table_find(&table, 77, &out));
    table_free(&table);
}

/* An entry that says by itself whether it belongs to its key. */
static struct table_entry entry_for(uint64_t key)
{
    uint64_t hash = hash_word(key);
    return (struct table_entry){.move = (uint32_t)(hash & 0xffffff),
                                .score = (int16_t)(uint16_t)(hash >> 24),
                                .depth = (uint8_t)(hash >> 40),
                                .bound = BOUND_EXACT};
}

struct hammer {
    struct table *table;
    uint64_t seed;
    long rounds;
    long found;
    long wrong;
};

static void *hammer(void *argument)
{
    struct hammer *h = argument;
    struct rng rng = rng_make(h->seed);
    for (long i = 0; i < h->rounds; i++) {
        uint64_t key = neighbour(rng_below(&rng, 16));
        struct table_entry wanted = entry_for(key);
        struct table_entry out;
        if (rng_below(&rng, 2)) {
            table_store(h->table, key, wanted);
        } else if (table_find(h->table, key, &out)) {
            h->found++;
            h->wrong +=
                out.move != wanted.move || out.score != wanted.score || out.depth != wanted.depth;
        }
    }
    return NULL;
}

static void threads_never_read_each_others_halves(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct table table = make_table();
    struct hammer hammers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        hammers[i] = (struct hammer){&table, (uint64_t)i, scaled(500000), 0, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, &hammers[i]), 0);
    }
    long found = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(hammers[i].wrong, 0);
        found += hammers[i].found;
    }
    assert_true(found > 0);
    table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_stored_is_found),
        cmocka_unit_test(what_was_never_stored_is_not_found),
        cmocka_unit_test(the_table_is_as_large_as_asked),
        cmocka_unit_test(clearing_forgets_everything),
        cmocka_unit_test(the_shallowest_entry_of_a_full_line_goes),
        cmocka_unit_test(an_old_entry_goes_before_a_new_one),
        cmocka_unit_test(an_entry_without_a_move_keeps_the_known_one),
        cmocka_unit_test(a_much_shallower_bound_does_not_replace_a_deep_one),
        cmocka_unit_test(half_an_entry_is_none),
        cmocka_unit_test(threads_never_read_each_others_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
