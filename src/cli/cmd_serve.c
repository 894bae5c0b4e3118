/* cmd_serve: serve, with agents on the board, and the arena next to a running tournament. */
#include "cli/serving.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/game_sessions.h"
#include "play/sandbox_setup.h"
#include "base/clock.h"
#include "base/number.h"
#include "cli/interrupt.h"
#include "cli/match_args.h"
#include "cli/terminal.h"

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

/* With agents the address has the secret in its fragment, which a browser never sends. */
static void greet(const char *address, int port, const char *secret)
{
    char text[ADDRESS_BYTES];
    write_address(address, port, text);
    printf("The arena is open: %s%s%s\n", text, *secret ? "#/play/new?key=" : "", secret);
    if (*secret) {
        puts("Whoever has this address can let your agents play and read their logs: keep it to "
             "yourself.");
    }
    puts("Open the address in a browser; Ctrl-C closes it. Without a browser: plum play.");
    fflush(stdout);
}

/* --- Agents --- */

/* Too large for the stack. */
struct serve_agents {
    struct game_agent list[GAME_SESSIONS_MAX_AGENTS];
    int count;
    struct sandbox sandbox;
    struct sandbox_neighbours neighbours;
    struct game_sessions *sessions;
    char secret[GAME_SESSION_TOKEN_BYTES];
    struct terminal_remarks remarks; /* only the thread of the sessions uses it */
};

static void on_remark(void *owner, const char *sentence)
{
    (void)owner;
    fprintf(stderr, "plum serve: %s\n", sentence);
}

/* No game waits for a terminal that is stopped, or a pipe that is full. */
static void print_remark(void *owner, const struct game_event *event)
{
    struct serve_agents *agents = owner;
    struct pollfd errors = {.fd = STDERR_FILENO, .events = POLLOUT};
    bool is_wanted =
        event->kind == GAME_EVENT_REMARK && poll(&errors, 1, 0) == 1 && errors.revents == POLLOUT;
    const char *fresh = is_wanted ? terminal_remarks_add(&agents->remarks, event->remark) : NULL;
    if (fresh) {
        on_remark(NULL, fresh);
    }
}

static enum err read_agents(const struct args *args, struct serve_agents *agents, struct note *why)
{
    const char *texts[CLI_MAX_REPEATS + 1];
    int count = args_list(args, "agent", texts);
    for (; agents->count < count; agents->count++) {
        struct game_agent *agent = &agents->list[agents->count];
        enum err err = game_agent_read(texts[agents->count], args->cpu, agent, why);
        for (int i = 0; !err && i < agents->count; i++) {
            if (strcmp(agents->list[i].name, agent->name) == 0) {
                err = note_fail(why, ERR_INPUT, "two agents are called %s", agent->name);
            }
        }
        err = err ? err : game_agent_check_files(agent, why);
        if (err) {
            note_prefix(why, "--agent");
            return err;
        }
    }
    return ERR_NONE;
}

/* As before a match: the sandbox, and whether each program can be run in it. */
static enum err prepare_agents(const struct args *args, struct serve_agents *agents,
                               const char **python, struct note *why)
{
    struct sandbox_setup_player players[GAME_SESSIONS_MAX_AGENTS];
    struct sandbox_limits limits;
    enum err err = match_args_programs(args, &limits, python, why);
    if (err) {
        return err;
    }
    for (int i = 0; i < agents->count; i++) {
        players[i].spec = &agents->list[i].spec;
        snprintf(players[i].name, sizeof players[i].name, "agent %s", agents->list[i].name);
    }
    const struct sandbox_setup setup = {
        .mode = match_args_sandbox(args),
        .limits = &limits,
        .python = *python,
        .players = players,
        .player_count = agents->count,
        .neighbours = &agents->neighbours,
        .on_remark = on_remark,
    };
    return sandbox_setup_prepare(&setup, &agents->sandbox, why);
}

static enum err start_agents(const struct args *args, struct serve_agents *agents,
                             struct web_server_options *server, struct note *why)
{
    const char *python = NULL;
    bool has_programs = false;
    enum err err = read_agents(args, agents, why);
    if (err || agents->count == 0) {
        return err;
    }
    err = prepare_agents(args, agents, &python, why);
    if (err) {
        return err;
    }
    for (int i = 0; i < agents->count; i++) {
        has_programs |= player_spec_is_program(&agents->list[i].spec);
    }
    if (!game_session_draw_token(agents->secret)) {
        return note_fail(why, ERR_ENVIRONMENT, "this system gives no random numbers");
    }
    const struct game_sessions_options options = {
        .agents = agents->list,
        .agent_count = (size_t)agents->count,
        .cpu_level = args->cpu,
        .sandbox = has_programs ? &agents->sandbox : NULL,
        .python = python,
        .away_ns = GAME_SESSIONS_AWAY_MS * CLOCK_NS_PER_MS,
        .remarks = {agents, print_remark},
    };
    err = game_sessions_start(&options, &agents->sessions, why);
    server->sessions = agents->sessions;
    server->secret = agents->secret;
    return err;
}

/* --- The command --- */

/* Serves until a signal of the set. */
static enum err serve_until(const sigset_t *ends, const struct args *args,
                            struct serve_agents *agents, struct web_server_options *options,
                            struct note *why)
{
    struct web_server *server = NULL;
    int number = 0;
    enum err err = start_agents(args, agents, options, why);
    err = err ? err : start(args, options, &server, why);
    if (!err) {
        greet(options->address, web_server_port(server), agents->secret);
        sigwait(ends, &number);
    }
    if (agents->sessions) {
        game_sessions_stop(agents->sessions);
    }
    web_server_stop(server);
    game_sessions_free(agents->sessions);
    sandbox_folder_free_neighbours(&agents->neighbours);
    return err;
}

static enum err run_serve(const struct args *args, struct note *why)
{
    static struct serve_agents agents;
    char own_name[NAME_BYTES] = "localhost";
    const char *hosts[] = {own_name, args_option(args, "host"), NULL};
    const char *address = args_option(args, "bind");
    const char *databases[CLI_MAX_REPEATS + 1];
    struct web_server_options options = {
        .address = address ? address : "127.0.0.1",
        .port = WEB_SERVER_DEFAULT_PORT,
        .cpu = args->cpu,
        .databases = databases,
        .is_anonymous = args_option(args, "anonymous"),
        .hosts = hosts,
    };
    args_list(args, "db", databases);
    enum err err = ARGS_FIELDS(args, why, {"port", ARGS_INT, &options.port, 0, MAX_PORT});
    if (err) {
        return err;
    }
    if (gethostname(own_name, sizeof own_name - 1)) {
        snprintf(own_name, sizeof own_name, "localhost");
    }
    /* Blocked before any thread begins: only sigwait receives them. */
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigset_t blocked = ends;
    sigaddset(&blocked, SIGPIPE); /* a closed standard error ends no game */
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    return serve_until(&ends, args, &agents, &options, why);
}

const struct command cmd_serve = {
    .name = "serve",
    .run = run_serve,
    .summary = "open the web arena: play, replay and learn in a browser",
    .operands = "",
    .options = {{"agent", "NAME=PLAYER...", "an agent to play with; may be given several times"},
                {"sandbox", "auto|strict|off", "isolation of agents (auto)"},
                {"memory", "SIZE", "memory limit of an agent, as in 512M or 8G (2G)"},
                {"python", "PROGRAM", "the interpreter of agents in Python (python3)"},
                {"db", "FILE...", "a tournament's database to show; may be given several times"},
                {"anonymous", NULL, "the teams of tournaments are letters"},
                {"port", "N", "the port to listen on (8080; 0: any free port)"},
                {"bind", "ADDRESS", "the address to listen on (127.0.0.1; 0.0.0.0: all networks)"},
                {"host", "NAME", "another name of this machine, as browsers write it"}},
};
