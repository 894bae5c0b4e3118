#include "sandbox/sandbox_job.h"

#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "sandbox/sandbox_report.h"

/* The order of the numbers in an argument list, after the program's name and SANDBOX_CHILD. The
 * names of a rule come last. */
enum job_number {
    FEATURES,
    IS_LIMITED,
    MEMORY,
    DISK,
    OUTPUT,
    PROCESSES,
    OPEN_FILES,
    STACK,
    PENDING_SIGNALS,
    INOTIFY_INSTANCES,
    LISTEN_PORT,
    CPU,
    PRIVATE_IS_CWD,
    IS_REHEARSAL,
    IS_SHARED,
    HIDDEN_NAMES,
    COMMON_NAMES,
    NUMBERS
};

enum {
    FIRST_NUMBER = 2,
    FOLDER_ARGUMENT = FIRST_NUMBER + NUMBERS,
    PRIVATE_ARGUMENT,
    COMMAND_ARGUMENT,
    ARGUMENTS,
};

enum {
    MOST_ARGUMENTS = ARGUMENTS + SANDBOX_FOLDER_NAMES + SANDBOX_FOLDER_COMMON,
    NUMBER_BYTES = 24,
};

static void write_numbers(const struct sandbox_job *job, char text[NUMBERS][NUMBER_BYTES])
{
    const int64_t numbers[NUMBERS] = {
        [FEATURES] = job->features,
        [IS_LIMITED] = job->is_limited,
        [MEMORY] = job->limits.memory_bytes,
        [DISK] = job->limits.disk_bytes,
        [OUTPUT] = job->limits.output_bytes,
        [PROCESSES] = job->limits.processes,
        [OPEN_FILES] = job->limits.open_files,
        [STACK] = job->limits.stack_bytes,
        [PENDING_SIGNALS] = job->limits.pending_signals,
        [INOTIFY_INSTANCES] = job->limits.inotify_instances,
        [LISTEN_PORT] = job->listen_port,
        [CPU] = job->cpu,
        [PRIVATE_IS_CWD] = job->private_is_cwd,
        [IS_REHEARSAL] = job->is_rehearsal,
        [IS_SHARED] = job->rule.is_shared,
        [HIDDEN_NAMES] = job->rule.hidden_count,
        [COMMON_NAMES] = job->rule.common_count,
    };
    for (int i = 0; i < NUMBERS; i++) {
        snprintf(text[i], NUMBER_BYTES, "%" PRId64, numbers[i]);
    }
}

static int spawn(const char *helper_path, char *const argv[], char *const environment[],
                 const int streams[SANDBOX_JOB_STREAMS], int control, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error) {
        goto out;
    }
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    for (int fd = 0; fd < SANDBOX_JOB_STREAMS && !error; fd++) {
        error = posix_spawn_file_actions_adddup2(&actions, streams[fd], fd);
    }
    if (!error) {
        error = posix_spawn_file_actions_adddup2(&actions, control, SANDBOX_CONTROL_FD);
    }
    if (!error) {
        error = posix_spawn(pid, helper_path, &actions, &attributes, argv, environment);
    }
    posix_spawnattr_destroy(&attributes);
out:
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

enum err sandbox_job_spawn(const struct sandbox_job *job, const char *helper_path,
                           char *const environment[], const int streams[SANDBOX_JOB_STREAMS],
                           int control, pid_t *pid, struct note *why)
{
    char numbers[NUMBERS][NUMBER_BYTES];
    char *argv[MOST_ARGUMENTS + 1] = {(char *)"plum", (char *)SANDBOX_CHILD};
    write_numbers(job, numbers);
    for (int i = 0; i < NUMBERS; i++) {
        argv[FIRST_NUMBER + i] = numbers[i];
    }
    argv[FOLDER_ARGUMENT] = (char *)job->folder;
    argv[PRIVATE_ARGUMENT] = (char *)job->private_folder;
    argv[COMMAND_ARGUMENT] = (char *)job->command;
    for (int i = 0; i < job->rule.hidden_count; i++) {
        argv[ARGUMENTS + i] = (char *)job->rule.hidden[i];
    }
    for (int i = 0; i < job->rule.common_count; i++) {
        argv[ARGUMENTS + job->rule.hidden_count + i] = (char *)job->rule.common[i];
    }
    int error = spawn(helper_path, argv, environment, streams, control, pid);
    if (error) {
        note_set(why, "cannot start %.120s: %s", helper_path, strerror(error));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

static void read_names(char **argv, int count, char names[][NAME_MAX + 1])
{
    for (int i = 0; i < count; i++) {
        snprintf(names[i], NAME_MAX + 1, "%s", argv[i]);
    }
}

bool sandbox_job_read(int argc, char **argv, struct sandbox_job *out)
{
    if (argc < ARGUMENTS) {
        return false;
    }
    int64_t numbers[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        if (number_read(argv[FIRST_NUMBER + i], "a number", -1, INT64_MAX, &numbers[i], NULL)) {
            return false;
        }
    }
    int64_t hidden = numbers[HIDDEN_NAMES];
    int64_t common = numbers[COMMON_NAMES];
    if (hidden < 0 || hidden > SANDBOX_FOLDER_NAMES || common < 0 ||
        common > SANDBOX_FOLDER_COMMON || argc != ARGUMENTS + hidden + common) {
        return false;
    }
    *out = (struct sandbox_job){
        .command = argv[COMMAND_ARGUMENT],
        .folder = argv[FOLDER_ARGUMENT],
        .private_folder = argv[PRIVATE_ARGUMENT],
        .private_is_cwd = numbers[PRIVATE_IS_CWD] != 0,
        .is_limited = numbers[IS_LIMITED] != 0,
        .is_rehearsal = numbers[IS_REHEARSAL] != 0,
        .listen_port = (int)numbers[LISTEN_PORT],
        .cpu = (int)numbers[CPU],
        .features = (unsigned)numbers[FEATURES],
        .limits = {.memory_bytes = numbers[MEMORY],
                   .disk_bytes = numbers[DISK],
                   .output_bytes = numbers[OUTPUT],
                   .processes = (int)numbers[PROCESSES],
                   .open_files = (int)numbers[OPEN_FILES],
                   .stack_bytes = numbers[STACK],
                   .pending_signals = (int)numbers[PENDING_SIGNALS],
                   .inotify_instances = (int)numbers[INOTIFY_INSTANCES]},
        .rule = {.is_shared = numbers[IS_SHARED] != 0,
                 .hidden_count = (int)hidden,
                 .common_count = (int)common},
    };
    read_names(argv + ARGUMENTS, (int)hidden, out->rule.hidden);
    read_names(argv + ARGUMENTS + hidden, (int)common, out->rule.common);
    return true;
}
