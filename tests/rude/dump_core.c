/* Crashes with every limit of a core dump that it can set, and prints how often the kernel wrote
 * one. A limit of 0 does not stop a kernel that sends dumps to a program. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int dumps_with(rlim_t wanted)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit limit;
        getrlimit(RLIMIT_CORE, &limit);
        limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
        setrlimit(RLIMIT_CORE, &limit);
        abort();
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WCOREDUMP(status);
}

int main(void)
{
    const char *home = getenv("TMPDIR");
    if (home && chdir(home) != 0) {
        return 1;
    }
    printf("core dumps: %d\n", dumps_with(0) + dumps_with(RLIM_INFINITY));
    return 0;
}
