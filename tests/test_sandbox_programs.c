/* What a command runs, and why it may not run here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/folder.h"
#include "sandbox/sandbox_programs.h"

static struct folder_scratch folder;

static int make_folder(void **state)
{
    struct note why;
    (void)state;
    return folder_scratch_make(&folder, &why) ? -1 : 0;
}

static int remove_folder(void **state)
{
    (void)state;
    folder_scratch_remove(&folder);
    return 0;
}

/* The beginning of a file; the rest is zeros. */
struct head {
    char bytes[64];
};

/* Writes `agent.exe` and returns its path. */
static const char *write_program(struct head head, mode_t mode)
{
    static char path[FOLDER_SCRATCH_BYTES + 16];
    snprintf(path, sizeof path, "%s/agent.exe", folder.path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(head.bytes, 1, sizeof head.bytes, file), sizeof head.bytes);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static void a_program_for_another_machine_is_named_as_such(void **state)
{
    (void)state;
    static const struct {
        struct head head;
        const char *sentence;
    } rows[] = {
        {{"MZ\x90"}, "agent.exe is a Windows program: hand in the source"},
        {{"\xcf\xfa\xed\xfe"}, "agent.exe is a macOS program: hand in the source"},
        {{"\xca\xfe\xba\xbe\0\0\0\2"}, "agent.exe is a macOS program: hand in the source"},
        {{"\x7f"
          "ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\x08\0"},
         "agent.exe is a program for another processor (MIPS): hand in the source"},
        {{"\x7f"
          "ELF\1\2\1\0\0\0\0\0\0\0\0\0\0\2\0\x16"},
         "agent.exe is a program for another processor (IBM Z (s390)): hand in the source"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct note why = {""};
        assert_true(sandbox_programs_is_foreign(write_program(rows[i].head, 0644), &why));
        assert_string_equal(why.text, rows[i].sentence);
    }
}

static void a_program_of_this_machine_a_script_and_a_missing_one_are_not_foreign(void **state)
{
    (void)state;
    struct note why = {""};
    assert_false(sandbox_programs_is_foreign("/proc/self/exe", &why));
    assert_false(sandbox_programs_is_foreign(
        write_program((struct head){"#!/bin/sh\nexit 1\n"}, 0755), &why));
    assert_false(sandbox_programs_is_foreign("/no/such/program", &why));
    assert_false(sandbox_programs_is_foreign("", &why));
}

static void a_missing_module_is_named_with_its_interpreter(void **state)
{
    (void)state;
    struct note why = {""};
    assert_true(sandbox_programs_lacks_module(
        "/opt/python3", "Traceback\nModuleNotFoundError: No module named 'numpy'\n", "", &why));
    assert_non_null(strstr(why.text, "/opt/python3 does not find the Python module numpy;"));
    assert_true(
        sandbox_programs_lacks_module("/p", "ModuleNotFoundError: No module named ", "", &why));
    assert_false(
        sandbox_programs_lacks_module("/p", "ImportError: cannot import name 'a'\n", "", &why));
    assert_false(sandbox_programs_lacks_module("/p", "", "", &why));
    assert_true(sandbox_programs_lacks_module("/p", "ModuleNotFoundError: No module named 'a'\n",
                                              "it shares its folder", &why));
    assert_string_equal(why.text, "it does not find the Python module a; it shares its folder");
}

static void the_first_word_is_the_program(void **state)
{
    (void)state;
    char path[PATH_MAX];
    char wanted[PATH_MAX];
    snprintf(wanted, sizeof wanted, "%s/./agent.exe", folder.path);
    write_program((struct head){"MZ"}, 0644);
    assert_true(sandbox_programs_find_first("./agent.exe 7", folder.path, path));
    assert_string_equal(path, wanted);
    assert_true(sandbox_programs_find_first("  './agent.exe'", folder.path, path));
    assert_string_equal(path, wanted);
    assert_true(sandbox_programs_find_first("sh -c 'exit 1'", folder.path, path));
    assert_string_equal(strrchr(path, '/'), "/sh");
    assert_false(sandbox_programs_find_first("./missing", folder.path, path));
    assert_false(sandbox_programs_find_first("agent.exe", folder.path, path)); /* not in PATH */
    assert_false(sandbox_programs_find_first("", folder.path, path));
}

static void a_script_with_an_unseen_interpreter_is_named_as_such(void **state)
{
    (void)state;
    static const struct {
        struct head head;
        const char *sentence;
    } rows[] = {
        {{"#!/opt/x/bin/python3 -u\n"},
         "agent.exe needs the interpreter /opt/x/bin/python3, which a sandbox does not show; write "
         "'/opt/x/bin/python3 agent.exe' as the player's command"},
        {{"#! /usr/bin/env no-such-snake\n"},
         "agent.exe needs the interpreter no-such-snake, which a sandbox does not show; write "
         "'no-such-snake agent.exe' as the player's command"},
        {{"#!/bin/sh\n"}, NULL},
        {{"#!/usr/bin/env sh\n"}, NULL},
        {{"#!/usr/bin/env -S sh x\n"}, NULL},
        {{"#!\n"}, NULL},
        {{"echo\n"}, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct note why = {""};
        bool is_lacking =
            sandbox_programs_lacks_interpreter(write_program(rows[i].head, 0755), &why);
        assert_int_equal(is_lacking, rows[i].sentence != NULL);
        assert_string_equal(why.text, rows[i].sentence ? rows[i].sentence : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_script_with_an_unseen_interpreter_is_named_as_such),
        cmocka_unit_test(a_program_for_another_machine_is_named_as_such),
        cmocka_unit_test(a_program_of_this_machine_a_script_and_a_missing_one_are_not_foreign),
        cmocka_unit_test(a_missing_module_is_named_with_its_interpreter),
        cmocka_unit_test(the_first_word_is_the_program),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
