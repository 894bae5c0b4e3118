/* The layer base: numbers, notes, random numbers, bits, hashes, text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/cpu.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/note.h"
#include "base/number.h"
#include "base/rng.h"
#include "base/shell_word.h"
#include "base/utf8.h"

/* --- Numbers --- */

static void expect_number(const char *text, int64_t low, int64_t high, int64_t expected)
{
    int64_t value = ~expected;
    struct note note = {"silence"};
    assert_int_equal(number_read(text, "the number", low, high, &value, &note), ERR_NONE);
    assert_true(value == expected);
    assert_string_equal(note.text, "silence");
}

static void expect_no_number(const char *text, int64_t low, int64_t high)
{
    int64_t value = 4711;
    struct note note = {""};
    assert_int_equal(number_read(text, "the speed", low, high, &value, &note), ERR_INPUT);
    assert_true(value == 4711);
    assert_non_null(strstr(note.text, "the speed"));
    assert_int_equal(number_read(text, "the speed", low, high, &value, NULL), ERR_INPUT);
}

static void number_is_an_optional_minus_sign_and_digits(void **unused)
{
    (void)unused;
    expect_number("0", -5, 5, 0);
    expect_number("-5", -5, 5, -5);
    expect_number("42", 0, 100, 42);
    expect_number("-0", 0, 0, 0);
    expect_number("007", 0, 10, 7);
}

static void number_with_anything_else_in_it_is_refused(void **unused)
{
    (void)unused;
    static const char *const junk[] = {"",    "-",     "+1",  "--1",      "1-",
                                       " 1",  "1 ",    "1\n", "0x1",      "1e3",
                                       "1.0", "1,000", "one", "\xd9\xa1", "1\xff"};
    for (size_t i = 0; i < sizeof junk / sizeof junk[0]; i++) {
        expect_no_number(junk[i], INT64_MIN, INT64_MAX);
    }
}

static void number_range_includes_both_ends_and_nothing_beyond(void **unused)
{
    (void)unused;
    expect_number("3", 3, 7, 3);
    expect_number("7", 3, 7, 7);
    expect_no_number("2", 3, 7);
    expect_no_number("8", 3, 7);
    expect_no_number("-3", 3, 7);
}

static void number_never_overflows(void **unused)
{
    (void)unused;
    expect_number("9223372036854775807", INT64_MIN, INT64_MAX, INT64_MAX);
    expect_number("-9223372036854775808", INT64_MIN, INT64_MAX, INT64_MIN);
    expect_number("00000000000000000000000000000000000001", 0, 1, 1);
    expect_no_number("9223372036854775808", INT64_MIN, INT64_MAX);
    expect_no_number("-9223372036854775809", INT64_MIN, INT64_MAX);
    expect_no_number("18446744073709551617", INT64_MIN, INT64_MAX);
    expect_no_number("99999999999999999999999999999999999999", INT64_MIN, INT64_MAX);
}

static void number_note_has_the_text_and_the_range(void **unused)
{
    (void)unused;
    int64_t value = 0;
    struct note note = {""};
    assert_int_equal(number_read("12x", "the depth", 1, 99, &value, &note), ERR_INPUT);
    assert_non_null(strstr(note.text, "12x"));
    assert_non_null(strstr(note.text, "1 to 99"));
}

/* --- Notes --- */

static void note_longer_than_its_buffer_is_cut(void **unused)
{
    (void)unused;
    char text[3 * NOTE_BYTES];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct {
        struct note note;
        char after[8];
    } guarded = {.after = "guard"};
    note_set(&guarded.note, "%s", text);
    assert_int_equal(strlen(guarded.note.text), NOTE_BYTES - 1);
    assert_memory_equal(guarded.note.text, text, NOTE_BYTES - 1);
    note_prefix(&guarded.note, "%s", text);
    assert_in_range(strlen(guarded.note.text), NOTE_BYTES / 2, NOTE_BYTES - 1);
    assert_string_equal(guarded.after, "guard");
}

static void note_prefix_comes_before_the_text(void **unused)
{
    (void)unused;
    struct note note;
    note_set(&note, "square %d%d is %s", 2, 3, "empty");
    assert_string_equal(note.text, "square 23 is empty");
    note_prefix(&note, "move %d", 7);
    assert_string_equal(note.text, "move 7: square 23 is empty");
}

static void a_missing_note_is_not_written(void **unused)
{
    (void)unused;
    note_set(NULL, "%s", "nothing");
    note_prefix(NULL, "%s", "nothing");
}

/* --- Random numbers --- */

static void rng_gives_the_known_numbers_of_a_seed(void **unused)
{
    (void)unused;
    static const uint64_t known[2][4] = {
        {UINT64_C(0x99ec5f36cb75f2b4), UINT64_C(0xbf6e1f784956452a), UINT64_C(0x1a5f849d4933e6e0),
         UINT64_C(0x6aa594f1262d2d2c)},
        {UINT64_C(0xf61612c2ff4d9bc1), UINT64_C(0x584f61ab0b9a78b4), UINT64_C(0x8153a8240f70a3e2),
         UINT64_C(0xf7825de81809f5f1)},
    };
    static const uint64_t seeds[2] = {0, 2021};
    for (int i = 0; i < 2; i++) {
        struct rng rng = rng_make(seeds[i]);
        for (int j = 0; j < 4; j++) {
            assert_true(rng_next(&rng) == known[i][j]);
        }
    }
}

static void rng_copy_continues_the_same_stream(void **unused)
{
    (void)unused;
    struct rng rng = rng_make(7);
    rng_next(&rng);
    struct rng copy = rng;
    for (int i = 0; i < 100; i++) {
        assert_true(rng_next(&rng) == rng_next(&copy));
    }
}

static void rng_neighbouring_seeds_have_nothing_in_common(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct rng a = rng_make(seed);
        struct rng b = rng_make(seed + 1);
        int different_bits = bits_count(rng_next(&a) ^ rng_next(&b));
        assert_in_range(different_bits, 8, 56);
    }
}

static void rng_below_is_uniform_and_stays_below(void **unused)
{
    (void)unused;
    enum { BOUND = 6, DRAWS = 60000, EXPECTED = DRAWS / BOUND };
    int seen[BOUND] = {0};
    struct rng rng = rng_make(1);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t value = rng_below(&rng, BOUND);
        assert_true(value < BOUND);
        seen[value]++;
    }
    for (int i = 0; i < BOUND; i++) {
        assert_in_range(seen[i], EXPECTED - 500, EXPECTED + 500);
    }
}

static void rng_below_works_at_both_ends_of_its_range(void **unused)
{
    (void)unused;
    struct rng rng = rng_make(3);
    bool seen_high = false;
    for (int i = 0; i < 1000; i++) {
        assert_true(rng_below(&rng, 1) == 0);
        uint64_t value = rng_below(&rng, UINT64_MAX);
        assert_true(value < UINT64_MAX);
        seen_high |= value >= UINT64_C(1) << 63;
    }
    assert_true(seen_high);
}

/* Half of all draws would be biased here without rejection. */
static void rng_below_is_unbiased_for_a_huge_bound(void **unused)
{
    (void)unused;
    enum { DRAWS = 30000 };
    uint64_t bound = UINT64_C(3) << 62;
    struct rng rng = rng_make(11);
    int thirds[3] = {0};
    for (int i = 0; i < DRAWS; i++) {
        thirds[rng_below(&rng, bound) >> 62]++;
    }
    for (int i = 0; i < 3; i++) {
        assert_in_range(thirds[i], DRAWS / 3 - 500, DRAWS / 3 + 500);
    }
}

/* --- Bits --- */

static void bits_are_counted_found_and_popped_in_order(void **unused)
{
    (void)unused;
    assert_int_equal(bits_count(0), 0);
    assert_int_equal(bits_count(UINT64_MAX), 64);
    assert_true(bits_one(63) == UINT64_C(0x8000000000000000));
    uint64_t set = bits_one(0) | bits_one(5) | bits_one(31) | bits_one(32) | bits_one(63);
    static const int members[] = {0, 5, 31, 32, 63};
    assert_int_equal(bits_count(set), 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(bits_lowest(set), members[i]);
        assert_int_equal(bits_pop(&set), members[i]);
    }
    assert_true(set == 0);
}

/* --- Hashes --- */

/* Undoes x ^= x >> shift. */
static uint64_t unshift(uint64_t x, int shift)
{
    uint64_t result = x;
    for (int done = shift; done < 64; done += shift) {
        result = x ^ (result >> shift);
    }
    return result;
}

/* The inverse of an odd number modulo 2^64, by Newton's iteration. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 5; i++) {
        x *= 2 - odd * x;
    }
    return x;
}

static void hash_word_can_be_undone(void **unused)
{
    (void)unused;
    struct rng rng = rng_make(5);
    for (int i = 0; i < 10000; i++) {
        uint64_t word = i < 1000 ? (uint64_t)i : rng_next(&rng);
        uint64_t x = unshift(hash_word(word), 31) * inverse(UINT64_C(0x94d049bb133111eb));
        x = unshift(x, 27) * inverse(UINT64_C(0xbf58476d1ce4e5b9));
        assert_true(unshift(x, 30) - HASH_SEED == word);
    }
}

static void hash_word_changes_about_half_the_bits_for_each_bit(void **unused)
{
    (void)unused;
    enum { WORDS = 1000 };
    for (int bit = 0; bit < 64; bit++) {
        int changed = 0;
        for (uint64_t word = 0; word < WORDS; word++) {
            changed += bits_count(hash_word(word) ^ hash_word(word ^ bits_one(bit)));
        }
        assert_in_range(changed, 31 * WORDS, 33 * WORDS);
    }
}

static void hash_pair_depends_on_the_order(void **unused)
{
    (void)unused;
    for (uint64_t a = 0; a < 100; a++) {
        for (uint64_t b = 0; b < a; b++) {
            assert_true(hash_pair(a, b) != hash_pair(b, a));
        }
    }
}

static void hash_bytes_sees_every_byte_and_the_end(void **unused)
{
    (void)unused;
    const char text[] = "seventeen letters and more";
    for (size_t length = 0; length < sizeof text; length++) {
        char changed[sizeof text];
        memcpy(changed, text, sizeof text);
        changed[length] ^= 1;
        assert_true(hash_bytes(1, text, length) == hash_bytes(1, changed, length));
        assert_true(hash_bytes(1, text, length + 1) != hash_bytes(1, changed, length + 1));
        assert_true(hash_bytes(1, text, length) != hash_bytes(1, text, length + 1));
    }
    assert_true(hash_bytes(1, "\0", 1) != hash_bytes(1, "\0\0", 2));
}

/* --- Text --- */

static void wide_characters_take_two_columns_and_marks_none(void **unused)
{
    (void)unused;
    assert_int_equal(utf8_columns("a"), 1);
    assert_int_equal(utf8_columns("\xc3\xa9"), 1);         /* e acute */
    assert_int_equal(utf8_columns("\xcc\x81"), 0);         /* a combining acute */
    assert_int_equal(utf8_columns("\xe6\xa2\x85"), 2);     /* plum */
    assert_int_equal(utf8_columns("\xed\x95\x9c"), 2);     /* han */
    assert_int_equal(utf8_columns("\xef\xbc\xa1"), 2);     /* full-width A */
    assert_int_equal(utf8_columns("\xf0\x9f\x8e\xb2"), 2); /* a die */
}

static void a_shell_reads_a_word_back(void **unused)
{
    static const struct {
        const char *text;
        const char *word;
    } rows[] = {
        {"class.db", "class.db"},
        {"a/b-c_1.db", "a/b-c_1.db"},
        {"my class.db", "'my class.db'"},
        {"a\"b", "'a\"b'"},
        {"it's", "'it'\\''s'"},
        {"", "''"},
        {"-x", "'-x'"},
        {"$HOME", "'$HOME'"},
        {"a\nb", "'a\nb'"},
        {"much too long here", "''"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char word[16];
        assert_string_equal(shell_word(rows[i].text, word, sizeof word), rows[i].word);
    }
}

static void cpu_levels_have_names_and_the_best_is_one_of_them(void **unused)
{
    (void)unused;
    assert_string_equal(cpu_name(CPU_BASELINE), "baseline");
    assert_string_equal(cpu_name(CPU_AVX2), "avx2");
    assert_true(cpu_best() < CPU_LEVELS);
}

static void decimal_has_a_point_or_none_and_stays_in_its_range(void **unused)
{
    static const char *const bad[] = {"", "-1", "1.", ".5", "1e2", "100.1", "nan", "1,5", " 1"};
    double value = 0;
    struct note note;
    (void)unused;
    assert_int_equal(number_read_decimal("33.25", "the base", 0, 100, &value, &note), ERR_NONE);
    assert_true(value == 33.25);
    assert_int_equal(number_read_decimal("100", "the base", 0, 100, &value, &note), ERR_NONE);
    assert_true(value == 100);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(number_read_decimal(bad[i], "the base", 0, 100, &value, &note), ERR_INPUT);
        assert_non_null(strstr(note.text, "the base must be a number from 0 to 100"));
        assert_true(value == 100);
    }
}

static void the_scratch_folder_of_a_killed_process_is_removed_by_the_next(void **unused)
{
    (void)unused;
    char parent[] = "/tmp/test-scratch-XXXXXX";
    struct folder_scratch mine = {0};
    struct folder_scratch later = {0};
    struct folder_scratch left = {0};
    struct note why;
    int ends[2];
    assert_non_null(mkdtemp(parent));
    assert_int_equal(setenv("TMPDIR", parent, 1), 0);
    assert_int_equal(folder_scratch_make(&mine, &why), ERR_NONE);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        enum err err = folder_scratch_make(&left, &why);
        (void)!write(ends[1], &left, sizeof left);
        pause();
        _exit((int)err);
    }
    assert_int_equal(read(ends[0], &left, sizeof left), sizeof left);
    assert_int_equal(folder_scratch_make(&later, &why), ERR_NONE);
    folder_scratch_remove(&later);
    assert_int_equal(access(left.path, F_OK), 0); /* its process runs */
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access(left.path, F_OK), 0);
    assert_int_equal(folder_scratch_make(&later, &why), ERR_NONE);
    assert_int_equal(access(left.path, F_OK), -1);
    assert_int_equal(access(mine.path, F_OK), 0);
    folder_scratch_remove(&later);
    folder_scratch_remove(&mine);
    assert_int_equal(rmdir(parent), 0);
    unsetenv("TMPDIR");
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_is_an_optional_minus_sign_and_digits),
        cmocka_unit_test(number_with_anything_else_in_it_is_refused),
        cmocka_unit_test(number_range_includes_both_ends_and_nothing_beyond),
        cmocka_unit_test(number_never_overflows),
        cmocka_unit_test(number_note_has_the_text_and_the_range),
        cmocka_unit_test(decimal_has_a_point_or_none_and_stays_in_its_range),
        cmocka_unit_test(note_longer_than_its_buffer_is_cut),
        cmocka_unit_test(note_prefix_comes_before_the_text),
        cmocka_unit_test(a_missing_note_is_not_written),
        cmocka_unit_test(rng_gives_the_known_numbers_of_a_seed),
        cmocka_unit_test(rng_copy_continues_the_same_stream),
        cmocka_unit_test(rng_neighbouring_seeds_have_nothing_in_common),
        cmocka_unit_test(rng_below_is_uniform_and_stays_below),
        cmocka_unit_test(rng_below_works_at_both_ends_of_its_range),
        cmocka_unit_test(rng_below_is_unbiased_for_a_huge_bound),
        cmocka_unit_test(bits_are_counted_found_and_popped_in_order),
        cmocka_unit_test(hash_word_can_be_undone),
        cmocka_unit_test(hash_word_changes_about_half_the_bits_for_each_bit),
        cmocka_unit_test(hash_pair_depends_on_the_order),
        cmocka_unit_test(hash_bytes_sees_every_byte_and_the_end),
        cmocka_unit_test(wide_characters_take_two_columns_and_marks_none),
        cmocka_unit_test(a_shell_reads_a_word_back),
        cmocka_unit_test(the_scratch_folder_of_a_killed_process_is_removed_by_the_next),
        cmocka_unit_test(cpu_levels_have_names_and_the_best_is_one_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
