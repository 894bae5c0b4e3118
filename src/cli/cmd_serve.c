#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/serving.h"
#include "web/server.h"

enum { MAX_PORT = 65535, NAME_BYTES = 256 };

/* The default port may be taken by something else; then any free one will do. */
static enum err start(const struct args *args, struct server_options *options,
                      struct server **server, struct note *why)
{
    struct note refusal = {""}; /* of no interest once another port is found */
    enum err err = server_start(options, server, &refusal);
    if (err == ERR_ENVIRONMENT && !args_option(args, "port")) {
        options->port = 0;
        err = server_start(options, server, &refusal);
    }
    if (err) {
        *why = refusal;
    }
    return err;
}

static void greet(const char *address, int port)
{
    char text[SERVING_ADDRESS_BYTES];
    serving_address(address, port, text);
    printf("The arena is open: %s\n", text);
    puts("Open the address in a browser; Ctrl-C closes it. Without a browser: plum play, plum "
         "demo.");
    fflush(stdout);
}

static enum err run(const struct args *args, struct note *why)
{
    char own_name[NAME_BYTES] = "localhost";
    const char *hosts[] = {own_name, args_option(args, "host"), NULL};
    const char *address = args_option(args, "bind");
    struct server_options options = {
        .address = address ? address : "127.0.0.1",
        .cpu = args->cpu,
        .databases = args->repeats,
        .hosts = hosts,
    };
    struct server *server = NULL;
    int64_t port = SERVER_DEFAULT_PORT;
    enum err err = args_number(args, "port", 0, MAX_PORT, &port, why);
    if (err) {
        return err;
    }
    options.port = (int)port;
    if (gethostname(own_name, sizeof own_name - 1)) {
        strcpy(own_name, "localhost");
    }
    /* Blocked before any thread begins, so that they all leave it to the wait below. */
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
    greet(options.address, server_port(server));
    sigwait(&ends, &number);
    server_stop(server);
    return ERR_NONE;
}

const struct command cmd_serve = {
    .name = "serve",
    .run = run,
    .summary = "open the web arena: play, replay and learn in a browser",
    .operands = "",
    .details =
        "Prints the address to open, and serves until Ctrl-C. Only this machine can reach it,\n"
        "unless --bind says otherwise. Nothing outside is asked for: the pages, the rules and\n"
        "the engine come out of the program itself.\n"
        "\n"
        "Without --port any free port is taken when 8080 is not. What browsers ask under a\n"
        "name that is neither an address, localhost nor this machine's is refused; --host adds\n"
        "a name.\n"
        "\n"
        "With --db there is a page to watch a tournament on, also while another plum runs it;\n"
        "given several times, a list of them, each with a page of its own.",
    .options = {{"db", "FILE...", "a tournament's database to follow; may be given several times"},
                {"port", "N", "where to listen (8080; 0: any free port)"},
                {"bind", "ADDRESS", "who can reach it (127.0.0.1; 0.0.0.0: everybody)"},
                {"host", "NAME", "another name of this machine, as browsers write it"}},
    .examples = {{"plum serve", "for you alone"},
                 {"plum serve --port 0", "on any free port"},
                 {"plum serve --db class.db", "watch a tournament, too"},
                 {"plum serve --db monday.db --db tuesday.db", "watch two"},
                 {"plum serve --bind 0.0.0.0 --host plum.example.org", "for a whole class"}},
};
