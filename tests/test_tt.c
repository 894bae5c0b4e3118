/* The transposition table: what it keeps, what it gives up, and that threads cannot confuse it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "base/hash.h"
#include "base/rng.h"
#include "engine/tt.h"
#include "scale.h"

static struct tt make_table(void)
{
    struct tt table = {0};
    struct note why;
    assert_int_equal(tt_init(&table, 1, &why), ERR_NONE);
    return table;
}

static struct tt_entry entry_of(int depth, int score)
{
    return (struct tt_entry){
        .move = 123456, .score = (int16_t)score, .depth = (uint8_t)depth, .bound = TT_EXACT};
}

static void a_stored_entry_is_found(void **state)
{
    (void)state;
    struct tt table = make_table();
    struct rng rng = rng_make(1);
    for (int i = 0; i < 1000; i++) {
        uint64_t key = rng_next(&rng);
        struct tt_entry in = {.move = (uint32_t)rng_below(&rng, 1 << 24),
                              .score = (int16_t)rng_below(&rng, 1 << 16),
                              .depth = (uint8_t)rng_below(&rng, 256),
                              .bound = (uint8_t)(1 + rng_below(&rng, 3))};
        struct tt_entry out;
        tt_store(&table, key, in);
        assert_true(tt_find(&table, key, &out));
        assert_int_equal(out.move, in.move);
        assert_int_equal(out.score, in.score);
        assert_int_equal(out.depth, in.depth);
        assert_int_equal(out.bound, in.bound);
    }
    tt_free(&table);
}

static void an_entry_never_stored_is_not_found(void **state)
{
    (void)state;
    struct tt table = make_table();
    struct tt_entry out;
    assert_false(tt_find(&table, 0, &out));
    assert_false(tt_find(&table, 1, &out));
    tt_store(&table, UINT64_C(1) << 40, entry_of(5, 1));
    assert_false(tt_find(&table, (UINT64_C(1) << 40) + 1, &out));
    tt_free(&table);
}

static void the_table_is_as_large_as_asked(void **state)
{
    (void)state;
    struct tt table = {0};
    struct note why;
    assert_int_equal(tt_init(&table, 3, &why), ERR_NONE);
    assert_int_equal(table.count * sizeof(struct tt_line), 3 << 20);
    assert_int_equal(sizeof(struct tt_slot), 16);
    tt_free(&table);
}

static void clearing_forgets_everything(void **state)
{
    (void)state;
    struct tt table = make_table();
    struct tt_entry out;
    tt_store(&table, 77, entry_of(5, 1));
    tt_clear(&table);
    assert_false(tt_find(&table, 77, &out));
    tt_free(&table);
}

/* Keys of one line: the index is made from the upper bits. */
static uint64_t neighbour(uint64_t i) { return (UINT64_C(5) << 60) + i; }

static void the_shallowest_entry_of_a_full_line_is_replaced(void **state)
{
    (void)state;
    struct tt table = make_table();
    struct tt_entry out;
    const int depths[TT_WAYS] = {9, 3, 7, 5};
    for (uint64_t i = 0; i < TT_WAYS; i++) {
        tt_store(&table, neighbour(i), entry_of(depths[i], 0));
    }
    tt_store(&table, neighbour(TT_WAYS), entry_of(4, 0));
    assert_true(tt_find(&table, neighbour(0), &out));
    assert_false(tt_find(&table, neighbour(1), &out));
    assert_true(tt_find(&table, neighbour(2), &out));
    assert_true(tt_find(&table, neighbour(3), &out));
    assert_true(tt_find(&table, neighbour(TT_WAYS), &out));
    tt_free(&table);
}

static void an_old_entry_is_replaced_before_a_new_one(void **state)
{
    (void)state;
    struct tt table = make_table();
    struct tt_entry out;
    tt_store(&table, neighbour(0), entry_of(9, 0));
    for (int age = 0; age < 2; age++) {
        tt_age(&table);
    }
    for (uint64_t i = 1; i <= TT_WAYS; i++) {
        tt_store(&table, neighbour(i), entry_of(2, 0));
    }
    assert_false(tt_find(&table, neighbour(0), &out));
    for (uint64_t i = 1; i <= TT_WAYS; i++) {
        assert_true(tt_find(&table, neighbour(i), &out));
    }
    tt_free(&table);
}

static void an_entry_without_a_move_keeps_the_known_one(void **state)
{
    (void)state;
    struct tt table = make_table();
    struct tt_entry out;
    struct tt_entry blind = entry_of(6, 2);
    blind.move = TT_NO_MOVE;
    tt_store(&table, 77, entry_of(5, 1));
    tt_store(&table, 77, blind);
    assert_true(tt_find(&table, 77, &out));
    assert_int_equal(out.move, 123456);
    assert_int_equal(out.score, 2);
    tt_free(&table);
}

static void a_much_shallower_bound_does_not_replace_a_deep_one(void **state)
{
    (void)state;
    struct tt table = make_table();
    struct tt_entry out;
    struct tt_entry shallow = entry_of(2, 2);
    shallow.bound = TT_LOWER;
    tt_store(&table, 77, entry_of(12, 1));
    tt_store(&table, 77, shallow);
    assert_true(tt_find(&table, 77, &out));
    assert_int_equal(out.depth, 12);
    tt_age(&table);
    tt_store(&table, 77, shallow);
    assert_true(tt_find(&table, 77, &out));
    assert_int_equal(out.depth, 2);
    tt_free(&table);
}

static void half_an_entry_is_none(void **state)
{
    (void)state;
    struct tt table = make_table();
    struct tt_entry out;
    tt_store(&table, 77, entry_of(5, 1));
    struct tt_slot *slot = &tt_line_of(&table, 77)->slots[0];
    atomic_store(&slot->data, tt_pack(entry_of(6, 30), 0));
    assert_false(tt_find(&table, 77, &out));
    tt_free(&table);
}

/* An entry that says by itself whether it belongs to its key. */
static struct tt_entry entry_for(uint64_t key)
{
    uint64_t hash = hash_word(key);
    return (struct tt_entry){.move = (uint32_t)(hash & 0xffffff),
                             .score = (int16_t)(uint16_t)(hash >> 24),
                             .depth = (uint8_t)(hash >> 40),
                             .bound = TT_EXACT};
}

struct hammer {
    struct tt *table;
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
        struct tt_entry wanted = entry_for(key);
        struct tt_entry out;
        if (rng_below(&rng, 2)) {
            tt_store(h->table, key, wanted);
        } else if (tt_find(h->table, key, &out)) {
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
    struct tt table = make_table();
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
    tt_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stored_entry_is_found),
        cmocka_unit_test(an_entry_never_stored_is_not_found),
        cmocka_unit_test(the_table_is_as_large_as_asked),
        cmocka_unit_test(clearing_forgets_everything),
        cmocka_unit_test(the_shallowest_entry_of_a_full_line_is_replaced),
        cmocka_unit_test(an_old_entry_is_replaced_before_a_new_one),
        cmocka_unit_test(an_entry_without_a_move_keeps_the_known_one),
        cmocka_unit_test(a_much_shallower_bound_does_not_replace_a_deep_one),
        cmocka_unit_test(half_an_entry_is_none),
        cmocka_unit_test(threads_never_read_each_others_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
