/* Visual Studio's words, and what gcc gets instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "course/source_dialect.h"

static void expect(const char *before, const char *after)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    source_dialect_write(before, out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, after);
    free(text);
}

static void expect_same(const char *text) { expect(text, text); }

static void an_enum_that_is_declared_first_is_an_int(void **state)
{
    (void)state;
    expect("enum E;\nenum E { A };", "enum E COMPAT_ENUM;\nenum E COMPAT_ENUM { A };");
    expect_same("enum E { A }; enum E e; enum F : char; enum class G; enum { B };");
}

static void a_wide_main_gets_its_caller(void **state)
{
    (void)state;
    expect("int wmain(int c, wchar_t *v[])\n{ }",
           "int compat_wmain(int c, wchar_t *v[])\n{ }\nCOMPAT_MAIN\n");
    expect("int wmain();", "int compat_wmain();");
}

static void main_returns_a_number(void **state)
{
    (void)state;
    expect("void main()", "int  main()");
    expect("void\nmain (void)", "int \nmain (void)");
    expect("void __cdecl _tmain()", "int  __cdecl _tmain()");
    expect_same("void domain(); void mains(); avoid main();");
    expect_same("// void main()\n/* void main() */ \"void main()\"");
}

static void a_constructor_has_no_keyword(void **state)
{
    (void)state;
    expect("struct P { struct P(int a); };", "struct P {        P(int a); };");
    expect("class P : B { class P (); };", "class P : B {       P (); };");
    expect_same("struct P { int a; }; struct P (*f)(int);");
    expect_same("struct alignas(16) P { int a; };");
    expect_same("struct Q(int a);");
}

static void for_each_becomes_a_range(void **state)
{
    (void)state;
    expect("for each (int in1 in list)", "for (     int in1 :  list)");
    expect("for each (int x in f(in))", "for (     int x :  f(in))");
    expect_same("for (int in = 0; in < 3; in++)");
    expect_same("int each; foreach(in)");
}

static void numbers_and_formats_have_other_names(void **state)
{
    (void)state;
    expect("1i64 0xFFui64 2UI64 3i32", "1ll  0xFFull  2ull  3   ");
    expect("\"%I64d %5I64u\"", "\"%lld %5llu\"");
    expect_same("\"%%I64 I64\" x1i64 0x1i 1'000");
}

static void an_exception_of_a_text_is_ours(void **state)
{
    (void)state;
    expect("throw std::exception(\"x\");", "throw std::compat_exception(\"x\");");
    expect("class E : public exception {", "class E : public compat_exception {");
    expect_same("catch (std::exception &e) {} throw exception();");
    expect_same("class exception { exception(int); };");
}

static void quotes_and_comments_end_where_they_end(void **state)
{
    (void)state;
    expect("'\\'' void main()", "'\\'' int  main()");
    expect("// a \\\nvoid main()\nvoid main()", "// a \\\nvoid main()\nint  main()");
    expect("R\"x(void main()\")x\" void main()", "R\"x(void main()\")x\" int  main()");
    expect("\"open\nvoid main()", "\"open\nint  main()");
    expect_same("/* never closed void main()");
    expect_same("\"\\");
    expect_same("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_enum_that_is_declared_first_is_an_int),
        cmocka_unit_test(a_wide_main_gets_its_caller),
        cmocka_unit_test(main_returns_a_number),
        cmocka_unit_test(a_constructor_has_no_keyword),
        cmocka_unit_test(for_each_becomes_a_range),
        cmocka_unit_test(numbers_and_formats_have_other_names),
        cmocka_unit_test(an_exception_of_a_text_is_ours),
        cmocka_unit_test(quotes_and_comments_end_where_they_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
