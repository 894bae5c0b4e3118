/* Prints what it knows about itself. */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* A limit is what a program can raise it to. */
static unsigned long most(__rlimit_resource_t resource)
{
    struct rlimit limit = {0};
    getrlimit(resource, &limit);
    return (unsigned long)limit.rlim_max;
}

int main(void)
{
    struct rlimit core;
    cpu_set_t cpus;
    getrlimit(RLIMIT_CORE, &core);
    sched_getaffinity(0, sizeof cpus, &cpus);
    printf("user %d, new privileges %s, core %lu, processors %d\n", (int)getuid(),
           prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? "no" : "yes", (unsigned long)core.rlim_cur,
           CPU_COUNT(&cpus));
    int extra = 0;
    for (int fd = 3; fd < 1024; fd++) {
        extra += dup2(fd, fd) == fd;
    }
    printf("inherited descriptors: %d\n", extra);
    CPU_ZERO(&cpus);
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        CPU_SET(i, &cpus);
    }
    sched_setaffinity(0, sizeof cpus, &cpus);
    sched_getaffinity(0, sizeof cpus, &cpus);
    printf("processors after a grab: %d\n", CPU_COUNT(&cpus));
    printf("stack %lu MiB, pending signals %lu\n", most(RLIMIT_STACK) >> 20,
           most(RLIMIT_SIGPENDING));
    int discipline = 0;
    printf("line discipline: %s\n", ioctl(0, TIOCSETD, &discipline) == 0 ? "set" : strerror(errno));
    core.rlim_cur = 0;
    printf("core limit: %s\n", setrlimit(RLIMIT_CORE, &core) == 0 ? "set" : strerror(errno));
    return 0;
}
