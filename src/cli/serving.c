#include "cli/serving.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "cli/interrupt.h"

static const char *const no_names[] = {NULL};

void serving_address(const char *address, int port, char out[SERVING_ADDRESS_BYTES])
{
    bool is_six = strchr(address, ':') != NULL;
    snprintf(out, SERVING_ADDRESS_BYTES, "http://%s%s%s:%d/", is_six ? "[" : "", address,
             is_six ? "]" : "", port);
}

enum err serving_start(const struct args *args, const char *database, struct server **out,
                       struct note *why)
{
    enum { MAX_PORT = 65535 };
    const char *wish = args_option(args, "serve");
    int64_t port = SERVER_DEFAULT_PORT;
    char address[SERVING_ADDRESS_BYTES];
    *out = NULL;
    enum err err = wish && *wish ? number_read(wish, "--serve", 0, MAX_PORT, &port, why) : ERR_NONE;
    if (!wish || err) {
        return err;
    }
    const char *const databases[] = {database, NULL};
    struct server_options options = {.address = "127.0.0.1",
                                     .port = (int)port,
                                     .cpu = args->cpu,
                                     .databases = databases,
                                     .hosts = no_names};
    err = server_start(&options, out, why);
    if (!err) {
        serving_address(options.address, server_port(*out), address);
        fprintf(stderr, "plum %s: watch it at %s#/watch\n", args->command->name, address);
    }
    return err;
}

void serving_linger(struct server *server)
{
    enum { PAUSE_MS = 100, PAUSES = 100 }; /* for a slow page to fetch the final table */
    const struct timespec pause = {0, PAUSE_MS * CLOCK_NS_PER_MS};
    bool is_terminal = isatty(STDERR_FILENO);
    if (!server || (!is_terminal && !server_spectators(server))) {
        return;
    }
    const atomic_bool *is_interrupted = interrupt_sets_flag();
    if (is_terminal) {
        fputs("The page stays open until Ctrl-C.\n", stderr);
    }
    for (int i = 0; !atomic_load(is_interrupted) && (is_terminal || i < PAUSES); i++) {
        nanosleep(&pause, NULL);
    }
}
