/* Cgroups on made-up files, as the kernel and systemd show them: where groups are made, what is
 * written to them, and what is removed. `make test-vm` has the real kernel. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/folder.h"
#include "sandbox/sandbox_cgroup.h"

static char machines[] = "/tmp/plum-test-XXXXXX";

static const char *in_machine(const char *name)
{
    static char paths[8][256];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", machines, name);
    return path;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_file(const char *path, const char *wanted)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    (void)!fgets(text, sizeof text, file);
    fclose(file);
    assert_string_equal(text, wanted);
}

static void make_group(const char *name, const char *const *files)
{
    char path[256];
    char own[SANDBOX_CGROUP_NAME_BYTES];
    sandbox_cgroup_name(own);
    snprintf(path, sizeof path, "%.150s/%s", name, own);
    assert_int_equal(mkdir(path, 0755), 0);
    for (; *files; files++) {
        char file[300];
        snprintf(file, sizeof file, "%s/%s", path, *files);
        write_file(file, "");
    }
}

static const struct sandbox_limits small_limits = {.memory_bytes = 1000, .processes = 10};

struct cgroup_folders {
    char membership[256];
    char root[256];
    char autogroup[256];
};

/* A made-up machine. */
static struct sandbox_cgroup_system system_in(const char *version, struct cgroup_folders *folders)
{
    snprintf(folders->root, sizeof folders->root, "%s", in_machine(version));
    snprintf(folders->membership, sizeof folders->membership, "%.200s/membership", folders->root);
    snprintf(folders->autogroup, sizeof folders->autogroup, "%.200s/autogroup", folders->root);
    return (struct sandbox_cgroup_system){folders->membership, folders->root, folders->autogroup};
}

static struct sandbox_cgroup make_all(const struct sandbox_cgroup_system *system)
{
    struct sandbox_cgroup group;
    enum sandbox_feature missing = 0;
    struct note why = {""};
    assert_int_equal(
        sandbox_cgroup_create(system, SANDBOX_CGROUPS, &small_limits, &group, &missing, &why),
        ERR_NONE);
    return group;
}

static void assert_in_group(const struct sandbox_cgroup *group, int folder, const char *name,
                            const char *wanted)
{
    char file[PATH_MAX + 32];
    snprintf(file, sizeof file, "%s/%s", group->folders[folder], name);
    assert_file(file, wanted);
}

/* A file, unlike the kernel, keeps what a shorter text does not replace. */
static void clear_in_group(const struct sandbox_cgroup *group, int folder, const char *name)
{
    char file[PATH_MAX + 32];
    snprintf(file, sizeof file, "%s/%s", group->folders[folder], name);
    write_file(file, "");
}

static void in_version_2_the_group_is_made_where_controllers_are_passed_on(void **state)
{
    (void)state;
    static const char *const files[] = {
        "memory.max",   "memory.swap.max", "memory.events", "pids.max",
        "cgroup.procs", "cpu.weight",      "cgroup.freeze", NULL};
    mkdir(in_machine("v2"), 0755);
    mkdir(in_machine("v2/slice"), 0755);
    mkdir(in_machine("v2/slice/session"), 0755);
    write_file(in_machine("v2/membership"), "0::/slice/session\n");
    write_file(in_machine("v2/slice/cgroup.subtree_control"), "cpu memory pids\n");
    write_file(in_machine("v2/slice/cgroup.procs"), "");
    write_file(in_machine("v2/slice/session/cgroup.subtree_control"), "\n");
    make_group(in_machine("v2/slice"), files);
    struct cgroup_folders folders;
    struct sandbox_cgroup_system system = system_in("v2", &folders);
    struct sandbox_cgroup group = make_all(&system);
    enum sandbox_feature missing = 0;
    struct note why = {""};
    char file[PATH_MAX + 32];
    snprintf(file, sizeof file, "%s/memory.max", group.folders[0]);
    assert_file(file, "1000");
    snprintf(file, sizeof file, "%s/memory.swap.max", group.folders[0]);
    assert_file(file, "0");
    snprintf(file, sizeof file, "%s/pids.max", group.folders[1]);
    assert_file(file, "11");
    assert_in_group(&group, 2, "cpu.weight", "100");
    assert_in_group(&group, 3, "cgroup.freeze", "0");
    assert_non_null(strstr(group.folders[0], "/v2/slice/plum-"));
    assert_string_equal(group.folders[3], group.folders[0]);
    clear_in_group(&group, 2, "cpu.weight");
    assert_true(sandbox_cgroup_freeze(&group, true) && sandbox_cgroup_yield(&group, true));
    assert_in_group(&group, 2, "cpu.weight", "1");
    assert_in_group(&group, 3, "cgroup.freeze", "1");
    assert_int_equal(sandbox_cgroup_join(&group, &why), ERR_NONE);
    snprintf(file, sizeof file, "%s/cgroup.procs", group.folders[0]);
    assert_file(file, "0");
    assert_int_equal(sandbox_cgroup_refused_processes(&group), 0);
    snprintf(file, sizeof file, "%s/pids.events", group.folders[1]);
    write_file(file, "max 12\n");
    assert_int_equal(sandbox_cgroup_refused_processes(&group), 12);
    unlink(file);
    assert_false(sandbox_cgroup_was_starved(&group));
    snprintf(file, sizeof file, "%s/memory.events", group.folders[0]);
    write_file(file, "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\n");
    assert_true(sandbox_cgroup_was_starved(&group));
    write_file(in_machine("v2/slice/cgroup.subtree_control"), "cpu memory\n");
    assert_int_equal(
        sandbox_cgroup_create(&system, SANDBOX_PIDS_CGROUP, &small_limits, &group, &missing, &why),
        ERR_ENVIRONMENT);
    assert_int_equal(missing, SANDBOX_PIDS_CGROUP);
    assert_string_equal(why.text, "no pids cgroup: No such file or directory");
}

static void write_in_tree(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%.150s/%s", in_machine(folder), name);
    write_file(path, text);
}

/* As systemd has it: nothing is passed on yet, and only the last group has a process. */
static struct sandbox_cgroup_system make_tree(struct cgroup_folders *folders)
{
    static const char *const groups[] = {"tree", "tree/slice", "tree/slice/user",
                                         "tree/slice/user/scope"};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        mkdir(in_machine(groups[i]), 0755);
        write_in_tree(groups[i], "cgroup.subtree_control", "\n");
        write_in_tree(groups[i], "cgroup.controllers", "\n");
        write_in_tree(groups[i], "cgroup.procs", "");
        if (i > 0) {
            write_in_tree(groups[i], "cgroup.type",
                          "domain\n"); /* the first one has no such file */
        }
    }
    write_in_tree("tree/slice/user/scope", "cgroup.procs", "77\n");
    write_in_tree("tree", "cgroup.controllers", "cpu memory pids\n");
    write_in_tree("tree", "membership", "0::/slice/user/scope\n");
    return system_in("tree", folders);
}

static void remove_tree(void) { folder_remove(in_machine("tree")); }

static void assert_makes_none(const struct sandbox_cgroup_system *system, unsigned features,
                              enum sandbox_feature first_missing)
{
    struct sandbox_cgroup group;
    enum sandbox_feature missing = 0;
    struct note why = {""};
    assert_int_equal(sandbox_cgroup_create(system, features, &small_limits, &group, &missing, &why),
                     ERR_ENVIRONMENT);
    assert_int_equal(missing, first_missing);
}

static void assert_makes_all_in(const struct sandbox_cgroup_system *system, const char *folder)
{
    static const char *const files[] = {"memory.max",    "pids.max",   "cgroup.procs",
                                        "cgroup.freeze", "cpu.weight", NULL};
    char own[SANDBOX_CGROUP_NAME_BYTES];
    char path[300];
    make_group(in_machine(folder), files);
    struct sandbox_cgroup group = make_all(system);
    sandbox_cgroup_name(own);
    snprintf(path, sizeof path, "%.150s/%s", in_machine(folder), own);
    for (int i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
        assert_string_equal(group.folders[i], path);
    }
}

/* As with `systemd-run --user --scope`: the group above passes memory and pids on, only the next
 * one cpu. A process is a member of one group: of two groups the limits of one would not hold. */
static void in_version_2_one_group_has_all_controllers(void **state)
{
    (void)state;
    struct cgroup_folders folders;
    struct sandbox_cgroup_system system = make_tree(&folders);
    write_in_tree("tree/slice", "cgroup.subtree_control", "cpu memory pids\n");
    write_in_tree("tree/slice/user", "cgroup.subtree_control", "memory pids\n");
    assert_makes_all_in(&system, "tree/slice");
    remove_tree();
}

/* The files grant nothing, but they show what was asked for. */
static void in_version_2_the_groups_above_are_asked_for_controllers(void **state)
{
    (void)state;
    static const char all[] = "+memory +pids +cpu +pids +cpu ";
    struct cgroup_folders folders;
    struct sandbox_cgroup_system system = make_tree(&folders);
    write_in_tree("tree/slice", "cgroup.procs", "2\n");
    assert_makes_none(&system, SANDBOX_CGROUPS, SANDBOX_MEMORY_CGROUP);
    assert_file(in_machine("tree/slice/user/cgroup.subtree_control"), all);
    assert_file(in_machine("tree/slice/user/scope/cgroup.subtree_control"), "\n");
    /* It has processes: with `+pids` no group in it could have any. */
    assert_file(in_machine("tree/slice/cgroup.subtree_control"), "\n");
    assert_file(in_machine("tree/cgroup.subtree_control"), "\n");
    write_in_tree("tree/slice", "cgroup.procs", "");
    assert_makes_none(&system, SANDBOX_CPU_CGROUP, SANDBOX_CPU_CGROUP);
    assert_file(in_machine("tree/slice/cgroup.subtree_control"), "+cpu +cpu ");
    assert_file(in_machine("tree/cgroup.subtree_control"), "+cpu +cpu ");
    /* What is asked for overwrites the beginning of a file; the kernel adds it. */
    write_in_tree("tree/slice/user", "cgroup.subtree_control",
                  "                                        memory pids\n");
    assert_makes_none(&system, SANDBOX_CGROUPS, SANDBOX_CPU_CGROUP);
    remove_tree();
}

/* A plain init: all processes are in the first group of all, which may pass controllers on. */
static void in_version_2_the_first_group_is_asked_although_it_has_processes(void **state)
{
    (void)state;
    struct cgroup_folders folders;
    struct sandbox_cgroup_system system = make_tree(&folders);
    write_in_tree("tree", "membership", "0::/\n");
    write_in_tree("tree", "cgroup.procs", "1\n");
    assert_makes_none(&system, SANDBOX_CPU_CGROUP, SANDBOX_CPU_CGROUP);
    assert_file(in_machine("tree/cgroup.subtree_control"), "+cpu +cpu ");
    write_in_tree("tree", "cgroup.subtree_control", "cpu memory pids\n");
    assert_makes_all_in(&system, "tree");
    remove_tree();
}

/* A container, or Delegate=yes: only its own group is this user's, and it has processes. */
static void in_version_2_the_processes_of_a_delegated_group_make_way(void **state)
{
    (void)state;
    struct cgroup_folders folders;
    struct sandbox_cgroup_system system = make_tree(&folders);
    write_in_tree("tree/slice/user/scope", "cgroup.controllers", "cpu memory pids\n");
    mkdir(in_machine("tree/slice/user/scope/plum"), 0755);
    write_in_tree("tree/slice/user/scope/plum", "cgroup.procs", "");
    assert_makes_none(&system, SANDBOX_CGROUPS, SANDBOX_MEMORY_CGROUP);
    assert_file(in_machine("tree/slice/user/scope/plum/cgroup.procs"), "77");
    assert_file(in_machine("tree/slice/user/scope/cgroup.subtree_control"), "\n");
    write_in_tree("tree/slice/user/scope", "cgroup.procs", ""); /* as the kernel has it now */
    write_in_tree("tree", "membership", "0::/slice/user/scope/plum\n");
    write_in_tree("tree/slice/user/scope", "cgroup.subtree_control", "cpu memory pids\n");
    assert_makes_all_in(&system, "tree/slice/user/scope");
    remove_tree();
}

static void in_version_2_the_time_of_a_group_is_found_above(void **state)
{
    (void)state;
    struct cgroup_folders folders;
    char found[PATH_MAX];
    char group[SANDBOX_CGROUP_NAME_BYTES];
    char name[200];
    struct stat space;
    struct sandbox_cgroup_system system = make_tree(&folders);
    assert_int_equal(stat("/proc/self/ns/pid", &space), 0);
    snprintf(group, sizeof group, "plum-%d-%lu-%d", (int)getpid(), (unsigned long)space.st_ino, 5);
    assert_false(sandbox_cgroup_find_time(&system, 5, found));
    snprintf(name, sizeof name, "tree/slice/%s", group);
    mkdir(in_machine(name), 0755);
    write_in_tree(name, "cpu.stat", "usage_usec 7\n");
    assert_true(sandbox_cgroup_find_time(&system, 5, found));
    assert_int_equal(sandbox_cgroup_used_ns(found), 7000);
    remove_tree();
}

/* A process number of another namespace may be that of a program that runs there. */
static void only_groups_of_dead_plum_processes_are_removed(void **state)
{
    (void)state;
    struct stat space;
    char path[256];
    assert_int_equal(stat("/proc/self/ns/pid", &space), 0);
    pid_t dead = fork();
    if (dead == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(dead, NULL, 0), dead);
    mkdir(in_machine("v0"), 0755);
    mkdir(in_machine("v0/memory"), 0755);
    write_file(in_machine("v0/membership"), "4:memory:/\n");
    struct cgroup_folders folders;
    struct sandbox_cgroup_system system = system_in("v0", &folders);
    const struct {
        unsigned long space;
        pid_t maker;
        int is_kept;
    } groups[] = {{(unsigned long)space.st_ino, dead, false},
                  {(unsigned long)space.st_ino + 1, dead, true},
                  {(unsigned long)space.st_ino, getpid(), true}};
    enum { GROUPS = sizeof groups / sizeof groups[0] };
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < GROUPS; i++) {
            snprintf(path, sizeof path, "%.150s/plum-1-%lu-%d", in_machine("v0/memory"),
                     groups[i].space, (int)groups[i].maker);
            if (round == 0) {
                assert_int_equal(mkdir(path, 0755), 0);
            } else {
                assert_int_equal(access(path, F_OK) == 0, groups[i].is_kept);
            }
        }
        sandbox_cgroup_sweep(&system);
    }
}

static void the_processor_time_of_a_group_is_read_in_both_versions(void **state)
{
    (void)state;
    write_file(in_machine("cpuacct.usage"), "1234567\n");
    assert_int_equal(sandbox_cgroup_used_ns(in_machine("cpuacct.usage")), 1234567);
    write_file(in_machine("cpu.stat"), "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n");
    assert_int_equal(sandbox_cgroup_used_ns(in_machine("cpu.stat")), 1500000);
    assert_int_equal(sandbox_cgroup_used_ns(in_machine("no-such-file")), -1);
}

static void in_version_1_each_controller_has_its_own_group(void **state)
{
    (void)state;
    static const char *const memory_files[] = {"memory.limit_in_bytes", "cgroup.procs", "tasks",
                                               NULL};
    static const char *const pids_files[] = {"pids.max", "cgroup.procs", "tasks", NULL};
    static const char *const cpu_files[] = {"cpu.shares", "cgroup.procs", NULL};
    static const char *const freezer_files[] = {"freezer.state", "cgroup.procs", NULL};
    static const char *const time_files[] = {"cpuacct.usage", "cgroup.procs", NULL};
    mkdir(in_machine("v1"), 0755);
    mkdir(in_machine("v1/cpuacct"), 0755);
    mkdir(in_machine("v1/memory"), 0755);
    mkdir(in_machine("v1/memory/job"), 0755);
    mkdir(in_machine("v1/pids"), 0755);
    mkdir(in_machine("v1/cpu"), 0755);
    mkdir(in_machine("v1/freezer"), 0755);
    write_file(
        in_machine("v1/membership"),
        "9:name=systemd:/\n6:freezer:/\n5:cpu:/\n7:cpuacct:/\n4:memory:/job\n3:pids:/\n0::/\n");
    make_group(in_machine("v1/memory/job"), memory_files);
    make_group(in_machine("v1/pids"), pids_files);
    make_group(in_machine("v1/cpu"), cpu_files);
    make_group(in_machine("v1/freezer"), freezer_files);
    make_group(in_machine("v1/cpuacct"), time_files);
    struct cgroup_folders folders;
    struct sandbox_cgroup_system system = system_in("v1", &folders);
    struct sandbox_cgroup group = make_all(&system);
    char file[PATH_MAX + 32];
    snprintf(file, sizeof file, "%s/memory.limit_in_bytes", group.folders[0]);
    assert_file(file, "1000");
    snprintf(file, sizeof file, "%s/pids.max", group.folders[1]);
    assert_file(file, "11");
    assert_non_null(strstr(group.folders[0], "/memory/job/plum-"));
    assert_non_null(strstr(group.folders[1], "/pids/plum-"));
    assert_in_group(&group, 2, "cpu.shares", "1024");
    assert_in_group(&group, 3, "freezer.state", "THAWED");
    clear_in_group(&group, 2, "cpu.shares");
    assert_true(sandbox_cgroup_freeze(&group, true) && sandbox_cgroup_yield(&group, true));
    assert_in_group(&group, 2, "cpu.shares", "2");
    assert_in_group(&group, 3, "freezer.state", "FROZEN");
    struct note why = {""};
    assert_int_equal(sandbox_cgroup_join(&group, &why), ERR_NONE);
    assert_in_group(&group, 0, "tasks", "0");
    assert_in_group(&group, 0, "cgroup.procs", "");
    assert_in_group(&group, 2, "cgroup.procs", "0");
}

/* sched(7): "if a process is in a cpu cgroup, that overrides the effect of autogrouping". */
static void sessions_have_shares_only_outside_of_cpu_cgroups(void **state)
{
    (void)state;
    struct cgroup_folders folders;
    mkdir(in_machine("a2"), 0755);
    mkdir(in_machine("a2/slice"), 0755);
    mkdir(in_machine("a2/slice/session"), 0755);
    struct sandbox_cgroup_system system = system_in("a2", &folders);
    write_file(in_machine("a2/membership"), "0::/slice/session\n");
    write_file(in_machine("a2/cgroup.procs"), "");
    assert_false(sandbox_cgroup_has_autogroup(&system)); /* the kernel does not know it */
    write_file(in_machine("a2/autogroup"), "1\n");
    assert_true(sandbox_cgroup_has_autogroup(&system));
    write_file(in_machine("a2/slice/cpu.weight"), "100\n");
    assert_false(sandbox_cgroup_has_autogroup(&system));
    write_file(in_machine("a2/membership"), "0::/\n");
    assert_true(sandbox_cgroup_has_autogroup(&system));
    write_file(in_machine("a2/cpu.weight"), "100\n"); /* a container that hides the groups above */
    assert_false(sandbox_cgroup_has_autogroup(&system));
    mkdir(in_machine("a1"), 0755);
    mkdir(in_machine("a1/cpu"), 0755);
    system = system_in("a1", &folders);
    write_file(in_machine("a1/membership"), "5:cpu,cpuacct:/\n0::/\n");
    write_file(in_machine("a1/autogroup"), "1\n");
    assert_false(sandbox_cgroup_has_autogroup(&system));
    write_file(in_machine("a1/cpu/release_agent"), "");
    assert_true(sandbox_cgroup_has_autogroup(&system));
    write_file(in_machine("a1/membership"), "5:cpu,cpuacct:/job\n0::/\n");
    assert_false(sandbox_cgroup_has_autogroup(&system));
    write_file(in_machine("a1/membership"), "5:cpu,cpuacct:/\n0::/\n");
    write_file(in_machine("a1/autogroup"), "0\n");
    assert_false(sandbox_cgroup_has_autogroup(&system));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_version_2_the_group_is_made_where_controllers_are_passed_on),
        cmocka_unit_test(in_version_2_one_group_has_all_controllers),
        cmocka_unit_test(in_version_2_the_groups_above_are_asked_for_controllers),
        cmocka_unit_test(in_version_2_the_first_group_is_asked_although_it_has_processes),
        cmocka_unit_test(in_version_2_the_processes_of_a_delegated_group_make_way),
        cmocka_unit_test(in_version_2_the_time_of_a_group_is_found_above),
        cmocka_unit_test(only_groups_of_dead_plum_processes_are_removed),
        cmocka_unit_test(the_processor_time_of_a_group_is_read_in_both_versions),
        cmocka_unit_test(in_version_1_each_controller_has_its_own_group),
        cmocka_unit_test(sessions_have_shares_only_outside_of_cpu_cgroups),
    };
    if (!mkdtemp(machines)) {
        perror(machines);
        return 1;
    }
    int code = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(machines);
    return code;
}
