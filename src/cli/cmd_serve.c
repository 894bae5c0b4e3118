/* cmd_serve: serve, and the arena next to a running tournament. */
#include "cli/serving.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "cli/interrupt.h"

enum { MAX_PORT = 65535, NAME_BYTES = 256, ADDRESS_BYTES = 96 };

static const char *const no_names[] = {NULL};

/* "http://127.0.0.1:8080/" */
static void write_address(const char *address, int port, char out[ADDRESS_BYTES])
{
    bool is_six = strchr(address, ':') != NULL;
    snprintf(out, ADDRESS_BYTES, "http://%s%s%s:%d/", is_six ? "[" : "", address, is_six ? "]" : "",
             port);
}

enum err serving_start(const struct args *args, const char *database, struct web_server **out,
                       struct note *why)
{
    const char *wish = args_option(args, "serve");
    int64_t port = WEB_SERVER_DEFAULT_PORT;
    char address[ADDRESS_BYTES];
    *out = NULL;
    enum err err = wish && *wish ? number_read(wish, "--serve", 0, MAX_PORT, &port, why) : ERR_NONE;
    if (!wish || err) {
        return err;
    }
    const char *const databases[] = {database, NULL};
    struct web_server_options options = {.address = "127.0.0.1",
                                         .port = (int)port,
                                         .cpu = args->cpu,
                                         .databases = databases,
                                         .is_anonymous = args_option(args, "anonymous"),
                                         .hosts = no_names};
    err = web_server_start(&options, out, why);
    if (!err) {
        write_address(options.address, web_server_port(*out), address);
        fprintf(stderr, "plum %s: watch it at %s#/watch\n", args->command->name, address);
    }
    return err;
}

void serving_linger(struct web_server *server)
{
    enum { PAUSE_MS = 100, PAUSES = 100 }; /* for a slow page to fetch the final table */
    const struct timespec pause = {0, PAUSE_MS * CLOCK_NS_PER_MS};
    bool is_terminal = isatty(STDERR_FILENO);
    if (!server || (!is_terminal && !web_server_spectators(server))) {
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

/* The default port may be in use; then any free one is taken. */
static enum err start(const struct args *args, struct web_server_options *options,
                      struct web_server **server, struct note *why)
{
    struct note refusal = {""}; /* not shown if another port is found */
    enum err err = web_server_start(options, server, &refusal);
    if (err == ERR_ENVIRONMENT && !args_option(args, "port")) {
        options->port = 0;
        err = web_server_start(options, server, &refusal);
    }
    if (err) {
        *why = refusal;
    }
    return err;
}

static void greet(const char *address, int port)
{
    char text[ADDRESS_BYTES];
    write_address(address, port, text);
    printf("The arena is open: %s\n", text);
    puts("Open the address in a browser; Ctrl-C closes it. Without a browser: plum play.");
    fflush(stdout);
}

static enum err run_serve(const struct args *args, struct note *why)
{
    char own_name[NAME_BYTES] = "localhost";
    const char *hosts[] = {own_name, args_option(args, "host"), NULL};
    const char *address = args_option(args, "bind");
    struct web_server_options options = {
        .address = address ? address : "127.0.0.1",
        .port = WEB_SERVER_DEFAULT_PORT,
        .cpu = args->cpu,
        .databases = args->repeats,
        .is_anonymous = args_option(args, "anonymous"),
        .hosts = hosts,
    };
    struct web_server *server = NULL;
    enum err err = ARGS_FIELDS(args, why, {"port", ARGS_INT, &options.port, 0, MAX_PORT});
    if (err) {
        return err;
    }
    if (gethostname(own_name, sizeof own_name - 1)) {
        strcpy(own_name, "localhost");
    }
    /* Blocked before any thread begins: only sigwait below receives them. */
    sigset_t ends;
    int number = 0;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    err = start(args, &options, &server, why);
    if (err) {
        return err;
    }
    greet(options.address, web_server_port(server));
    sigwait(&ends, &number);
    web_server_stop(server);
    return ERR_NONE;
}

const struct command cmd_serve = {
    .name = "serve",
    .run = run_serve,
    .summary = "open the web arena: play, replay and learn in a browser",
    .operands = "",
    .details = "Prints the address to open, and serves until Ctrl-C. Only this machine can reach\n"
               "it, unless --bind allows others. No other host is contacted: the pages, the\n"
               "rules and the engine are part of the program.\n"
               "\n"
               "Without --port any free port is taken when 8080 is in use. Requests under a host\n"
               "name that is neither an address, localhost nor this machine's name are refused;\n"
               "--host adds a name.\n"
               "\n"
               "--db adds a page that shows a tournament, also while another plum runs it. With\n"
               "several databases there is a list, and a page for each.",
    .options = {{"db", "FILE...", "a tournament's database to show; may be given several times"},
                {"anonymous", NULL, "the teams of tournaments are letters"},
                {"port", "N", "the port to listen on (8080; 0: any free port)"},
                {"bind", "ADDRESS", "the address to listen on (127.0.0.1; 0.0.0.0: all networks)"},
                {"host", "NAME", "another name of this machine, as browsers write it"}},
    .examples = {{"plum serve", "for this machine only"},
                 {"plum serve --port 0", "on any free port"},
                 {"plum serve --db class.db", "also show a tournament"},
                 {"plum serve --db class.db --anonymous", "for the class, without names"},
                 {"plum serve --db monday.db --db tuesday.db", "show two tournaments"},
                 {"plum serve --bind 0.0.0.0 --host plum.example.org", "for a whole class"}},
};
