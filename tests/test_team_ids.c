/* Which id each submission gets when their claims agree, disagree and collide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "course/team_ids.h"

enum { MOST = 6 };

/* Claims with commas between them; after a slash the id that the name says exactly. */
static struct team_claims read_claims(const char *text)
{
    struct team_claims claims = {0};
    const char *slash = strchr(text, '/');
    for (const char *at = text; *at && *at != '/';) {
        char id[ROSTER_ID_BYTES] = "";
        size_t length = strcspn(at, ",/");
        memcpy(id, at, length);
        team_claims_add(&claims, id);
        at += length + (at[length] == ',');
    }
    snprintf(claims.exact, sizeof claims.exact, "%s", slash ? slash + 1 : "");
    return claims;
}

static void expect(bool are_numbers, const char *const *claims, const char *const *ids)
{
    struct team_claims list[MOST] = {0};
    struct team_id out[MOST];
    struct note why;
    size_t count = 0;
    for (; claims[count]; count++) {
        list[count] = read_claims(claims[count]);
    }
    assert_int_equal(team_ids_assign(list, count, are_numbers, out, &why), ERR_NONE);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(out[i].id, ids[i]);
        assert_true(out[i].rival != (int)i);
    }
}

#define LIST(...) \
    (const char *const[]) { __VA_ARGS__, NULL }

static void the_first_claim_counts(void **state)
{
    (void)state;
    expect(true, LIST("7,3/3", "4/4", "9"), LIST("7", "4", "9"));
}

static void an_id_that_two_programs_send_goes_to_the_one_named_so(void **state)
{
    (void)state;
    expect(true, LIST("3,5/5", "3,3/3"), LIST("5", "3"));
    expect(true, LIST("3,5/5", "3/3"), LIST("5", "3")); /* the second has an idTeam of -1 */
    expect(true, LIST("3,5", "3"), LIST("5", "3"));
}

static void equal_claims_give_the_id_to_none(void **state)
{
    (void)state;
    expect(true, LIST("3", "3", "8"), LIST("9", "10", "8"));
    expect(true, LIST("3,5", "3,6"), LIST("5", "6"));
}

static void a_second_try_gets_a_free_id(void **state)
{
    (void)state;
    expect(true, LIST("3,3/03", "3,3/3", "3,3"), LIST("4", "3", "5"));
    expect(false, LIST("0816001,0816001", "0816001,0816001/0816001"), LIST("0816001-2", "0816001"));
}

static void a_program_named_after_another_student_falls_back_on_its_zip(void **state)
{
    (void)state;
    expect(false, LIST("0816001,0816002/0816002", "0816001,0816001/0816001"),
           LIST("0816002", "0816001"));
}

static void an_unclaimed_id_is_free(void **state)
{
    (void)state;
    expect(true, LIST("", "", "0856701", "12"), LIST("13", "14", "0856701", "12"));
    expect(false, LIST("", ""), LIST("team-2", "team-3"));
}

static void letters_that_an_id_may_not_have_are_replaced(void **state)
{
    (void)state;
    expect(false, LIST("a b", "a_b"), LIST("a_b-2", "a_b-3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_claim_counts),
        cmocka_unit_test(an_id_that_two_programs_send_goes_to_the_one_named_so),
        cmocka_unit_test(equal_claims_give_the_id_to_none),
        cmocka_unit_test(a_second_try_gets_a_free_id),
        cmocka_unit_test(a_program_named_after_another_student_falls_back_on_its_zip),
        cmocka_unit_test(an_unclaimed_id_is_free),
        cmocka_unit_test(letters_that_an_id_may_not_have_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
