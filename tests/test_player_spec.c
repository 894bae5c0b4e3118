/* Players as people write them, and where their commands run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/folder.h"
#include "player/player_spec.h"
#include "rules_support.h"

static const struct game *game_called(const char *name) { return find_game(cpu_best(), name); }

static void read_spec(const char *game, const char *text, struct player_spec *spec)
{
    struct note why = {""};
    if (player_spec_read(text, game_called(game), spec, &why)) {
        fail_msg("%s: %s", text, why.text);
    }
    assert_string_equal(spec->text, text);
}

struct refusal {
    const char *game;
    const char *text;
    const char *words;
};

static void expect_refusal(const struct refusal *refusal)
{
    struct player_spec spec;
    struct player_spec before;
    struct note why = {""};
    memset(&spec, 0x5a, sizeof spec);
    before = spec;
    assert_int_equal(player_spec_read(refusal->text, game_called(refusal->game), &spec, &why),
                     ERR_INPUT);
    if (!strstr(why.text, refusal->words)) {
        fail_msg("%s: '%s' does not say '%s'", refusal->text, why.text, refusal->words);
    }
    assert_memory_equal(&spec, &before, sizeof spec);
}

static void every_kind_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        const char *text;
        enum player_kind kind;
        const char *command;
    } cases[] = {
        {"hop", "builtin", PLAYER_BUILTIN, NULL},
        {"meichu", "builtin:7", PLAYER_BUILTIN, NULL},
        {"hop", "random", PLAYER_RANDOM, NULL},
        {"hop", "tcp:7:./bot", PLAYER_TCP, "./bot"},
        {"reversi", "tcp:0:python3 a.py --x=1:2", PLAYER_TCP, "python3 a.py --x=1:2"},
        {"hop-noloop", "file:12:./bot", PLAYER_FILE, "./bot"},
        {"meichu", "template:python3 1234.py", PLAYER_TEMPLATE, "python3 1234.py"},
        {"othello", "ugi:./engine", PLAYER_UGI, "./engine"},
        {"meichu", "ugi: ./engine ", PLAYER_UGI, " ./engine "},
        {"hop", "human", PLAYER_HUMAN, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct player_spec spec;
        read_spec(cases[i].game, cases[i].text, &spec);
        assert_int_equal(spec.kind, cases[i].kind);
        assert_int_equal(player_spec_is_program(&spec), cases[i].command != NULL);
        if (cases[i].command) {
            assert_string_equal(spec.command, cases[i].command);
            assert_true(spec.command > spec.text && spec.command < spec.text + sizeof spec.text);
        }
    }
}

static void builtin_has_a_level_or_options(void **state)
{
    (void)state;
    struct player_spec spec;
    read_spec("hop", "builtin:10", &spec);
    assert_int_equal(spec.builtin.level, 10);
    assert_int_equal(spec.builtin.depth, 0);
    read_spec("hop", "builtin:level=2,depth=3,nodes=4000000000,movetime=5,threads=6,hash=7", &spec);
    assert_int_equal(spec.builtin.level, 2);
    assert_int_equal(spec.builtin.depth, 3);
    assert_int_equal(spec.builtin.nodes, 4000000000);
    assert_int_equal(spec.builtin.movetime_ms, 5);
    assert_int_equal(spec.builtin.threads, 6);
    assert_int_equal(spec.builtin.hash_mb, 7);
    read_spec("hop", "builtin:hash=64", &spec);
    assert_int_equal(spec.builtin.hash_mb, 64);
    assert_int_equal(spec.builtin.level, 0);
}

static void random_has_a_seed_and_teams_a_number(void **state)
{
    (void)state;
    struct player_spec spec;
    read_spec("hop", "random:seed=9223372036854775807", &spec);
    assert_int_equal(spec.seed, INT64_MAX);
    read_spec("hop", "tcp:999999999:x", &spec);
    assert_int_equal(spec.team, 999999999);
    read_spec("hop", "file:0:x", &spec);
    assert_int_equal(spec.team, 0);
}

static void a_senseless_text_is_refused(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"hop", "", "the kinds are"},
        {"hop", "robot", "'robot'"},
        {"hop", "Builtin", "'Builtin'"},
        {"hop", "builtinbuiltinbuiltin", "no player of kind"},
        {"hop", "builtin:", "level"},
        {"hop", "builtin:0", "1 to 10"},
        {"hop", "builtin:11", "1 to 10"},
        {"hop", "builtin:x", "1 to 10"},
        {"hop", "builtin:3:4", "level"},
        {"hop", "builtin:speed=3", "'speed'"},
        {"hop", "builtin:depth=", "depth"},
        {"hop", "builtin:depth=0", "depth"},
        {"hop", "builtin:nodes=-1", "nodes"},
        {"hop", "builtin:depth=3,nodes=9,depth=4", "'depth' is given twice"},
        {"hop", "random:seed=1,seed=1", "'seed' is given twice"},
        {"hop", "builtin:depth=3,", "key=value"},
        {"hop", "builtin:depth=3,7", "'7'"},
        {"hop", "builtin:=3", "''"},
        {"hop", "random:", "key=value"},
        {"hop", "random:7", "'7'"},
        {"hop", "random:seed=-1", "seed"},
        {"hop", "random:level=1", "'level'"},
        {"hop", "human:", "no options"},
        {"hop", "human:me", "':me'"},
        {"hop", "tcp", "tcp:TEAM:COMMAND"},
        {"hop", "tcp:", "tcp:TEAM:COMMAND"},
        {"hop", "tcp:7", "tcp:TEAM:COMMAND"},
        {"hop", "tcp:7:", "needs a command"},
        {"hop", "tcp:7: \t", "needs a command"},
        {"hop", "tcp:./bot:7", "team number"},
        {"hop", "tcp:-2:x", "team number"},
        {"hop", "tcp::x", "team number"},
        {"hop", "tcp:1000000000:x", "team number"},
        {"hop", "tcp:0000000000000000000000001x:x", "team number"},
        {"hop", "file:7", "file:TEAM:COMMAND"},
        {"meichu", "template", "template:COMMAND"},
        {"meichu", "template:", "template:COMMAND"},
        {"hop", "ugi", "ugi:COMMAND"},
        {"hop", "ugi:  ", "ugi:COMMAND"},
        {"meichu", "tcp:7:x", "do not play meichu"},
        {"meichu", "file:7:x", "template or ugi"},
        {"hop", "template:x", "do not play hop"},
        {"othello", "template:x", "tcp, file or ugi"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        expect_refusal(&refusals[i]);
    }
}

static void a_long_number_keeps_all_its_digits(void **state)
{
    (void)state;
    struct player_spec spec;
    read_spec("hop", "tcp:00000000000000000000000000042:x", &spec);
    assert_int_equal(spec.team, 42);
}

static void a_text_has_a_maximum_length(void **state)
{
    (void)state;
    char text[PLAYER_TEXT_BYTES + 1] = "ugi:";
    struct player_spec spec;
    memset(text + 4, 'x', PLAYER_TEXT_BYTES - 4);
    expect_refusal(&(struct refusal){"hop", text, "at most 1023 bytes"});
    text[PLAYER_TEXT_BYTES - 1] = '\0';
    read_spec("hop", text, &spec);
    assert_int_equal(strlen(spec.command), PLAYER_TEXT_BYTES - 5);
}

/* --- Commands. They are looked at in a folder of their own:
 *
 *     bot                 agents/a.py     agents/linked.py -> ../bot
 *     my agents/b.py      it's/c.py       venv/python3 -> /bin/sh
 *     deep -> agents
 */
static struct folder_scratch scratch;

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static int make_folder(void **state)
{
    struct note why = {""};
    (void)state;
    if (folder_scratch_make(&scratch, &why) || chdir(scratch.path)) {
        return -1;
    }
    assert_int_equal(mkdir("agents", 0700), 0);
    assert_int_equal(mkdir("my agents", 0700), 0);
    assert_int_equal(mkdir("it's", 0700), 0);
    assert_int_equal(mkdir("venv", 0700), 0);
    touch("bot");
    touch("agents/a.py");
    touch("my agents/b.py");
    touch("it's/c.py");
    assert_int_equal(symlink("../bot", "agents/linked.py"), 0);
    assert_int_equal(symlink("agents", "deep"), 0);
    assert_int_equal(symlink("/bin/sh", "venv/python3"), 0);
    char *real = realpath(".", NULL);
    assert_non_null(real);
    assert_string_equal(real, scratch.path);
    free(real);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    int left = chdir("/");
    folder_scratch_remove(&scratch);
    return left;
}

/* `%` in what is expected is the folder above. */
static void expand(const char *text, char out[4096])
{
    size_t used = 0;
    for (; *text; text++) {
        used += (size_t)(*text == '%' ? snprintf(out + used, 4096 - used, "%s", scratch.path)
                                      : snprintf(out + used, 4096 - used, "%c", *text));
    }
    out[used] = '\0';
}

static void expect_command_with(const char *python, const char *written, const char *folder,
                                const char *run)
{
    struct player_spec spec;
    struct player_command command;
    struct note why = {""};
    char text[PLAYER_TEXT_BYTES];
    char expanded[4096];
    char expected[4096];
    expand(written, expanded);
    snprintf(text, sizeof text, "ugi:%.900s", expanded);
    read_spec("hop", text, &spec);
    assert_int_equal(player_spec_command(&spec, python, &command, &why), ERR_NONE);
    expand(folder, expected);
    assert_string_equal(command.folder, expected);
    expand(run, expected);
    assert_string_equal(command.text, expected);
}

static void expect_command(const char *written, const char *folder, const char *run)
{
    expect_command_with(NULL, written, folder, run);
}

static void a_chosen_python_takes_the_place_of_python_and_python3(void **state)
{
    (void)state;
    expect_command_with("python3.99", "python3 agents/a.py", "%/agents",
                        "python3.99 %/agents/a.py");
    expect_command_with("bin/py", "python agents/a.py", "%/agents", "bin/py %/agents/a.py");
    expect_command_with("./bot", "nice python3 agents/a.py", "%/agents",
                        "nice %/bot %/agents/a.py");
    expect_command_with("./bot", "agents/a.py python3", "%/agents", "%/agents/a.py %/bot");
    expect_command_with("./bot", "python3.11 'python3' -x=python3", "%",
                        "python3.11 'python3' -x=python3");
    expect_command_with("", "python3 agents/a.py", "%/agents", "python3 %/agents/a.py");
}

static void a_program_runs_in_the_folder_of_its_file(void **state)
{
    (void)state;
    expect_command("python3 agents/a.py", "%/agents", "python3 %/agents/a.py");
    expect_command("./bot", "%", "%/bot");
    expect_command("bot", "%", "%/bot");
    expect_command("agents/../bot -x", "%", "%/bot -x");
    expect_command("%/agents/a.py", "%/agents", "%/agents/a.py");
    expect_command("/usr/bin/env python3 agents/a.py bot", "%/agents",
                   "/usr/bin/env python3 %/agents/a.py bot");
    expect_command("agents/a.py bot ./bot", "%/agents", "%/agents/a.py bot %/bot");
    expect_command("  python3\tagents/a.py  7 ", "%/agents", "  python3\t%/agents/a.py  7 ");
}

static void without_a_file_it_runs_here(void **state)
{
    (void)state;
    expect_command("python3 -m agent", "%", "python3 -m agent");
    expect_command("python3 missing/a.py", "%", "python3 missing/a.py");
    expect_command("agents", "%", "agents"); /* a folder */
    expect_command("/usr/bin/env", "%", "/usr/bin/env");
}

static void links_are_followed_in_the_folder_only(void **state)
{
    (void)state;
    expect_command("python3 deep/a.py", "%/agents", "python3 %/agents/a.py");
    expect_command("python3 agents/linked.py", "%/agents", "python3 %/agents/linked.py");
    /* An interpreter that knows its place by its name, and is none of the agent's files. */
    expect_command("venv/python3 agents/a.py", "%/agents", "%/venv/python3 %/agents/a.py");
}

static void shell_syntax_is_left_to_the_shell(void **state)
{
    (void)state;
    expect_command("python3 'agents/a.py'", "%", "python3 'agents/a.py'");
    expect_command("python3 \"my agents/b.py\"", "%", "python3 \"my agents/b.py\"");
    expect_command("sh -c 'python3 agents/a.py bot'", "%", "sh -c 'python3 agents/a.py bot'");
    expect_command("echo 'it is' agents/a.py", "%/agents", "echo 'it is' %/agents/a.py");
    expect_command("./bot; agents/a.py", "%/agents", "./bot; %/agents/a.py");
    expect_command("A=bot ./b* $bot", "%", "A=bot ./b* $bot");
}

static void a_folder_with_a_space_is_quoted(void **state)
{
    (void)state;
    assert_int_equal(chdir("my agents"), 0);
    expect_command("python3 b.py", "%/my agents", "python3 b.py");
    expect_command("python3 ./b.py '7'", "%/my agents", "python3 '%/my agents/b.py' '7'");
    assert_int_equal(chdir("../it's"), 0);
    expect_command("python3 c.py", "%/it's", "python3 c.py");
    assert_int_equal(chdir(".."), 0);
}

static void paths_that_grow_too_long_are_refused(void **state)
{
    (void)state;
    char text[PLAYER_TEXT_BYTES] = "ugi:bot";
    struct player_spec spec;
    struct player_command command;
    struct note why = {""};
    for (size_t length = strlen(text); length + 6 < sizeof text;) {
        length += (size_t)snprintf(text + length, sizeof text - length, " ./bot");
    }
    read_spec("hop", text, &spec);
    assert_int_equal(player_spec_command(&spec, NULL, &command, &why), ERR_INPUT);
    assert_non_null(strstr(why.text, "too long"));
}

static void a_chosen_python_has_a_maximum_length(void **state)
{
    (void)state;
    char python[PLAYER_PYTHON_BYTES + 1];
    struct note why = {""};
    memset(python, 'p', sizeof python);
    python[PLAYER_PYTHON_BYTES] = '\0';
    assert_int_equal(player_spec_check_python(python, "--python", &why), ERR_INPUT);
    assert_non_null(strstr(why.text, "--python is too long"));
    assert_int_equal(player_spec_check_python(python + 1, "--python", &why), ERR_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(builtin_has_a_level_or_options),
        cmocka_unit_test(random_has_a_seed_and_teams_a_number),
        cmocka_unit_test(a_senseless_text_is_refused),
        cmocka_unit_test(a_long_number_keeps_all_its_digits),
        cmocka_unit_test(a_text_has_a_maximum_length),
        cmocka_unit_test(a_chosen_python_takes_the_place_of_python_and_python3),
        cmocka_unit_test(a_program_runs_in_the_folder_of_its_file),
        cmocka_unit_test(without_a_file_it_runs_here),
        cmocka_unit_test(links_are_followed_in_the_folder_only),
        cmocka_unit_test(shell_syntax_is_left_to_the_shell),
        cmocka_unit_test(a_folder_with_a_space_is_quoted),
        cmocka_unit_test(paths_that_grow_too_long_are_refused),
        cmocka_unit_test(a_chosen_python_has_a_maximum_length),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
