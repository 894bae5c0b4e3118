#include "cluster/cluster_host.h"

#include <gnu/libc-version.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "player/player_spec.h"
#include "sandbox/sandbox.h"

/* What `python3 --version` prints; "": there is none. */
static void ask_python(const char *python, char *out, size_t room)
{
    char command[ROSTER_PATH_BYTES + 32];
    char line[256] = "";
    struct note ignored;
    out[0] = '\0';
    if (player_spec_check_python(python, "", &ignored)) {
        return;
    }
    snprintf(command, sizeof command, "%s --version 2>/dev/null", python);
    FILE *pipe = popen(command, "re");
    if (pipe) {
        if (!fgets(line, sizeof line, pipe)) {
            line[0] = '\0';
        }
        if (pclose(pipe) == 0) {
            snprintf(out, room, "%.*s", (int)strcspn(line, "\n"), line);
        }
    }
}

struct cluster_host cluster_host_make(const char *version, const char *python,
                                      unsigned sandbox_features)
{
    struct cluster_host host = {.has_namespaces = sandbox_features & SANDBOX_NAMESPACES};
    snprintf(host.version, sizeof host.version, "%s", version);
    snprintf(host.libc, sizeof host.libc, "%s", gnu_get_libc_version());
    if (python) {
        ask_python(*python ? python : "python3", host.python, sizeof host.python);
    }
    return host;
}

enum err cluster_host_compare(const struct cluster_host *needed, bool has_programs,
                              const struct cluster_hello *hello, struct note *why)
{
    const struct cluster_host *host = &hello->host;
    if (strcmp(host->version, needed->version) != 0) {
        return note_fail(why, ERR_NEGATIVE,
                         "this worker is plum %s, the coordinator is plum %s: install the same",
                         host->version, needed->version);
    }
    if (!has_programs) {
        return ERR_NONE;
    }
    if (strcmp(host->libc, needed->libc) != 0) {
        return note_fail(why, ERR_NEGATIVE,
                         "this machine has the C library %s, the coordinator has %s: programs that "
                         "are built there may not run here",
                         host->libc, needed->libc);
    }
    if (hello->is_ready && needed->has_namespaces && !host->has_namespaces) {
        return note_fail(why, ERR_NEGATIVE,
                         "the sandbox of this machine lacks namespaces, which the tournament "
                         "needs: 'plum sandbox' shows what to do");
    }
    if (hello->is_ready && strcmp(host->python, needed->python) != 0) {
        return note_fail(why, ERR_NEGATIVE, "this machine has %s, the coordinator has %s",
                         *host->python ? host->python : "no Python",
                         *needed->python ? needed->python : "none");
    }
    return ERR_NONE;
}

int cluster_host_percent(const struct cluster_speed *own, const struct cluster_speed *speed)
{
    int64_t percent = own->processor ? 100 * speed->processor / own->processor : 0;
    return percent < INT32_MAX ? (int)percent : INT32_MAX;
}

enum err cluster_host_compare_speed(const struct cluster_speed *own, int slowest_percent,
                                    const struct cluster_hello *hello, struct note *why)
{
    if (!hello->is_ready || hello->speed.processor >= own->processor / 100 * slowest_percent) {
        return ERR_NONE;
    }
    return note_fail(why, ERR_NEGATIVE,
                     "this machine searches %lld nodes a second, %d %% of the coordinator's %lld; "
                     "at least %d %% is needed: use a faster machine, or start the coordinator "
                     "with a lower --slowest",
                     (long long)hello->speed.processor, cluster_host_percent(own, &hello->speed),
                     (long long)own->processor, slowest_percent);
}
