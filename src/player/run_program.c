#include "player/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns 0 or an errno. */
static int spawn(const char *const argv[], int output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) {
        return error;
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    error = posix_spawnp(child, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Reads to the end; keeps the first RUN_PROGRAM_MAX_OUTPUT bytes in `out` and adds a NUL. */
static void collect(int input, char *out)
{
    size_t kept = 0;
    char chunk[4096];
    ssize_t size = 0;
    while ((size = read(input, chunk, sizeof chunk)) > 0 || (size < 0 && errno == EINTR)) {
        size_t room = RUN_PROGRAM_MAX_OUTPUT - kept;
        size_t taken = size < 0 ? 0 : (size_t)size;
        taken = taken < room ? taken : room;
        memcpy(out + kept, chunk, taken);
        kept += taken;
    }
    out[kept] = '\0';
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

enum err run_program(const char *const argv[], struct run_program_result *out, struct note *why)
{
    int ends[2] = {-1, -1};
    char *output = malloc(RUN_PROGRAM_MAX_OUTPUT + 1);
    if (!output || pipe2(ends, O_CLOEXEC) != 0) {
        free(output);
        note_set(why, "cannot run %.40s: %s", argv[0], strerror(errno));
        return ERR_ENVIRONMENT;
    }
    pid_t child = 0;
    int error = spawn(argv, ends[1], &child);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        free(output);
        note_set(why, "cannot run %.40s: %s", argv[0], strerror(error));
        return ERR_ENVIRONMENT;
    }
    collect(ends[0], output);
    close(ends[0]);
    int status = wait_for(child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) {
        free(output);
        note_set(why, "interrupted");
        return ERR_INTERRUPTED;
    }
    *out = (struct run_program_result){WIFEXITED(status) && WEXITSTATUS(status) == 0, output};
    return ERR_NONE;
}

void run_program_result_free(struct run_program_result *result)
{
    free(result->output);
    *result = (struct run_program_result){0};
}
