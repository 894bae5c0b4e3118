/* The mailbox between threads: order, the limit, closing, and nothing that is lost or comes twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mailbox.h"

enum { CAPACITY = 3, SENDERS = 4, EACH = 2000 };

static void make(struct mailbox *box, size_t capacity)
{
    struct note why;
    assert_int_equal(mailbox_init(box, capacity, sizeof(int), NULL, NULL, &why), ERR_NONE);
}

static bool put(struct mailbox *box, int value) { return mailbox_put(box, &value); }

static void assert_next(struct mailbox *box, int expected)
{
    int value = -1;
    assert_true(mailbox_take(box, &value));
    assert_int_equal(value, expected);
}

static void assert_empty(struct mailbox *box)
{
    int value = -1;
    assert_false(mailbox_take(box, &value));
    assert_int_equal(value, -1);
}

static void values_come_in_the_order_in_which_they_were_put(void **state)
{
    (void)state;
    struct mailbox box;
    make(&box, CAPACITY);
    for (int round = 0, value = 0; round < 10; round++, value += 2) { /* also around the end */
        assert_true(put(&box, value));
        assert_true(put(&box, value + 1));
        assert_true(put(&box, value + 2));
        assert_next(&box, value);
        assert_next(&box, value + 1);
        assert_true(put(&box, value + 3));
        assert_next(&box, value + 2);
        assert_next(&box, value + 3);
        assert_empty(&box);
    }
    mailbox_free(&box);
}

static void a_full_mailbox_refuses_and_keeps_what_it_has(void **state)
{
    (void)state;
    struct mailbox box;
    make(&box, CAPACITY);
    for (int i = 0; i < CAPACITY; i++) {
        assert_true(put(&box, i));
    }
    assert_false(put(&box, CAPACITY));
    for (int i = 0; i < CAPACITY; i++) {
        assert_next(&box, i);
    }
    assert_empty(&box);
    assert_true(put(&box, CAPACITY));
    mailbox_free(&box);
}

static void what_is_worth_less_is_refused_earlier(void **state)
{
    (void)state;
    struct mailbox box;
    make(&box, CAPACITY);
    int value = 7;
    assert_true(put(&box, 1));
    assert_true(mailbox_put_within(&box, 2, &value));
    assert_false(mailbox_put_within(&box, 2, &value));
    assert_true(put(&box, 3));
    mailbox_free(&box);
}

static void a_closed_mailbox_refuses_and_gives_what_is_left(void **state)
{
    (void)state;
    struct mailbox box;
    make(&box, CAPACITY);
    int value = -1;
    assert_true(put(&box, 1));
    assert_true(put(&box, 2));
    assert_false(mailbox_is_closed(&box));
    mailbox_close(&box);
    assert_true(mailbox_is_closed(&box));
    assert_false(put(&box, 3));
    assert_true(mailbox_wait(&box, &value));
    assert_int_equal(value, 1);
    assert_next(&box, 2);
    assert_false(mailbox_wait(&box, &value));
    mailbox_free(&box);
}

static size_t rank_tens(void *owner, const void *value)
{
    const int *number = value;
    (void)owner;
    return (size_t)*number / 10;
}

static void the_first_of_the_best_is_taken_and_the_others_keep_their_order(void **state)
{
    (void)state;
    struct mailbox box;
    make(&box, 4);
    int value = 0;
    assert_true(put(&box, 99));
    assert_true(put(&box, 11));
    assert_next(&box, 99); /* the ring does not begin at its start */
    assert_true(put(&box, 21));
    assert_true(put(&box, 22));
    assert_true(put(&box, 3));
    assert_int_equal(mailbox_count(&box, rank_tens, NULL), 3);
    assert_true(mailbox_wait_best(&box, rank_tens, NULL, &value));
    assert_int_equal(value, 21);
    assert_true(mailbox_wait_best(&box, rank_tens, NULL, &value));
    assert_int_equal(value, 22);
    assert_next(&box, 11);
    assert_next(&box, 3);
    assert_empty(&box);
    mailbox_free(&box);
}

static void count_wake(void *owner) { ++*(int *)owner; }

static void each_value_that_is_put_wakes_the_owner(void **state)
{
    (void)state;
    struct mailbox box;
    struct note why;
    int wakes = 0;
    assert_int_equal(mailbox_init(&box, 1, sizeof(int), &wakes, count_wake, &why), ERR_NONE);
    assert_true(put(&box, 1));
    assert_int_equal(wakes, 1);
    assert_false(put(&box, 2));
    assert_int_equal(wakes, 1);
    assert_next(&box, 1);
    assert_true(put(&box, 3));
    assert_int_equal(wakes, 2);
    mailbox_free(&box);
}

struct sender {
    pthread_t id;
    struct mailbox *box;
    int number;
};

static void *send_all(void *owner)
{
    const struct sender *self = owner;
    for (int i = 0; i < EACH;) {
        i += put(self->box, self->number * EACH + i); /* it is full now and then */
    }
    return NULL;
}

static void nothing_is_lost_between_threads_and_each_keeps_its_order(void **state)
{
    (void)state;
    struct mailbox box;
    make(&box, CAPACITY);
    struct sender senders[SENDERS];
    int next[SENDERS] = {0};
    int value = 0;
    for (int i = 0; i < SENDERS; i++) {
        senders[i] = (struct sender){.box = &box, .number = i};
        assert_int_equal(pthread_create(&senders[i].id, NULL, send_all, &senders[i]), 0);
    }
    for (int taken = 0; taken < SENDERS * EACH; taken++) {
        assert_true(mailbox_wait(&box, &value));
        assert_int_equal(value % EACH, next[value / EACH]++);
    }
    for (int i = 0; i < SENDERS; i++) {
        assert_int_equal(pthread_join(senders[i].id, NULL), 0);
    }
    assert_empty(&box);
    mailbox_free(&box);
}

static void *wait_until_closed(void *owner)
{
    int value = 0;
    while (mailbox_wait(owner, &value)) {
    }
    return NULL;
}

static void closing_wakes_every_thread_that_waits(void **state)
{
    (void)state;
    for (int round = 0; round < 100; round++) { /* not all of them wait in each */
        struct mailbox box;
        make(&box, CAPACITY);
        pthread_t ids[SENDERS];
        for (int i = 0; i < SENDERS; i++) {
            assert_int_equal(pthread_create(&ids[i], NULL, wait_until_closed, &box), 0);
        }
        assert_true(put(&box, 10));
        while (mailbox_count(&box, rank_tens, NULL) > 0) {
        }
        mailbox_close(&box);
        for (int i = 0; i < SENDERS; i++) {
            assert_int_equal(pthread_join(ids[i], NULL), 0);
        }
        mailbox_free(&box);
    }
}

static void a_zeroed_mailbox_is_empty_and_can_be_freed(void **state)
{
    (void)state;
    struct mailbox box = {0};
    assert_empty(&box);
    mailbox_free(&box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_in_the_order_in_which_they_were_put),
        cmocka_unit_test(a_full_mailbox_refuses_and_keeps_what_it_has),
        cmocka_unit_test(what_is_worth_less_is_refused_earlier),
        cmocka_unit_test(a_closed_mailbox_refuses_and_gives_what_is_left),
        cmocka_unit_test(the_first_of_the_best_is_taken_and_the_others_keep_their_order),
        cmocka_unit_test(each_value_that_is_put_wakes_the_owner),
        cmocka_unit_test(nothing_is_lost_between_threads_and_each_keeps_its_order),
        cmocka_unit_test(closing_wakes_every_thread_that_waits),
        cmocka_unit_test(a_zeroed_mailbox_is_empty_and_can_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
