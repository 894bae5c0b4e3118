/* cmd_agent: agent, engine. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "cli/engine_args.h"
#include "app/ugi_session.h"
#include "engine/time_limit.h"
#include "app/agent.h"
#include "course/agent_source.h"
#include "player/player_spec.h"
#include "protocol/wire.h"

enum { HOST_BYTES = 256, MAX_PORT = 65535 };

static const int64_t longest_limit_ns = 86400 * CLOCK_NS_PER_S;

/* "HOST:PORT", "HOST" or nothing at all. An address that contains colons is in brackets. */
static enum err read_address(const char *text, char host[HOST_BYTES], int *port, struct note *why)
{
    bool is_bracketed = text[0] == '[' && strchr(text, ']');
    const char *end = is_bracketed ? strchr(text, ']') : text + strcspn(text, ":");
    const char *rest = is_bracketed ? end + 1 : end;
    int64_t number = WIRE_PORT;
    if (*rest == ':' && number_read(rest + 1, "the port of --tcp", 1, MAX_PORT, &number, why)) {
        return ERR_INPUT;
    }
    size_t length = (size_t)(end - text) - is_bracketed;
    if (length >= HOST_BYTES || (*rest && *rest != ':')) {
        return note_fail(why, ERR_INPUT,
                         "--tcp takes a host and a port, as in localhost:8888, not '%.60s'", text);
    }
    snprintf(host, HOST_BYTES, "%.*s", (int)length, text + is_bracketed);
    if (!length) {
        snprintf(host, HOST_BYTES, "localhost");
    }
    *port = (int)number;
    return ERR_NONE;
}

static enum err talk_tcp(const struct args *args, const struct agent *agent, int team,
                         struct note *why)
{
    char host[HOST_BYTES];
    int port = 0;
    enum err err = read_address(args_option(args, "tcp"), host, &port, why);
    return err ? err : agent_tcp(agent, host, port, team, why);
}

static enum err talk_file(const struct args *args, const struct agent *agent, int team,
                          struct note *why)
{
    const char *folder = args_option(args, "dir");
    return agent_file(agent, folder ? folder : ".", team, why);
}

static enum err talk_template(const struct args *args, const struct agent *agent, int team,
                              struct note *why)
{
    (void)args;
    (void)team;
    return agent_template(agent, stdin, stdout, why);
}

static enum err talk_ugi(const struct args *args, const struct agent *agent, int team,
                         struct note *why)
{
    struct engine engine = *agent->engine;
    (void)args;
    (void)team;
    *agent->engine = (struct engine){0};
    struct ugi_settings settings = {.level = agent->level ? agent->level : ENGINE_MAX_LEVEL};
    return ugi_session_run(stdin, stdout, agent->game, engine, settings, why);
}

/* Each is an option of this command. */
static const struct agent_protocol {
    const char *option;
    unsigned protocol; /* as in struct assignment; 0: every game is played through it */
    bool has_team;
    enum err (*talk)(const struct args *, const struct agent *, int team, struct note *);
} protocols[] = {
    {"tcp", PROTOCOL_TCP, true, talk_tcp},
    {"file", PROTOCOL_FILE, true, talk_file},
    {"template", PROTOCOL_TEMPLATE, false, talk_template},
    {"ugi", 0, false, talk_ugi},
};

static enum err choose_protocol(const struct args *args, const struct game *game,
                                const struct agent_protocol **out, struct note *why)
{
    const struct agent_protocol *found = NULL;
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        if (!args_option(args, protocols[i].option)) {
            continue;
        }
        if (found) {
            return note_fail(why, ERR_INPUT, "--%s and --%s: an agent uses one protocol",
                             found->option, protocols[i].option);
        }
        found = &protocols[i];
    }
    if (!found) {
        return note_fail(why, ERR_INPUT, "choose a protocol: --tcp, --file, --template or --ugi");
    }
    if (found->protocol & ~game->assignment.protocols) {
        char kept[PLAYER_PROTOCOLS_BYTES];
        return note_fail(why, ERR_INPUT, "%s is not played with --%s; use %s", game->name,
                         found->option, player_spec_protocols(game, "--", kept));
    }
    *out = found;
    return ERR_NONE;
}

static enum err check_options(const struct args *args, const struct agent_protocol *protocol,
                              struct note *why)
{
    const char *wrong = NULL;
    if (!args_option(args, "team") == protocol->has_team) {
        wrong = protocol->has_team ? "--team N is missing: the number to send to the judge"
                                   : "--team goes with --tcp and --file only";
    } else if (args_option(args, "output")) {
        wrong = "-o goes with --source only";
    } else if (args_option(args, "dir") && !args_option(args, "file")) {
        wrong = "--dir goes with --file only";
    } else if (args_option(args, "time-limit") && args_option(args, "ugi")) {
        wrong = "with --ugi the judge sets the time: leave out --time-limit";
    }
    if (wrong) {
        note_set(why, "%s", wrong);
    }
    return wrong ? ERR_INPUT : ERR_NONE;
}

/* These are options of an agent that plays at once. */
static enum err check_source_options(const struct args *args, const struct game *game,
                                     struct note *why)
{
    static const char *const others[] = {"tcp", "file",  "template", "ugi",
                                         "dir", "level", "threads",  "hash"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (args_option(args, others[i])) {
            return note_fail(why, ERR_INPUT, "--source writes a file: leave out --%s", others[i]);
        }
    }
    const char *missing = !args_option(args, "output") ? "-o FILE is missing: the file to write"
                          : !args_option(args, "team") && agent_source_has_team(game)
                              ? "--team N is missing: the team's number"
                              : NULL;
    return missing ? note_fail(why, ERR_INPUT, "%s", missing) : ERR_NONE;
}

static enum err write_source(const struct args *args, const struct game *game, struct note *why)
{
    const char *path = args_option(args, "output");
    struct agent_source source = {
        .game = game,
        .language = args_option(args, "source"),
        .team = args_option(args, "team"),
        .limit_ns = (int64_t)(game->time_limit_s * (double)CLOCK_NS_PER_S),
    };
    enum err err = check_source_options(args, game, why);
    if (err ||
        (err = ARGS_FIELDS(
             args, why,
             {"time-limit", ARGS_SECONDS, &source.limit_ns, CLOCK_NS_PER_MS, longest_limit_ns})) ||
        (err = agent_source_save(&source, path, why))) {
        return err;
    }
    printf("%s: an agent for %s. Its first lines say how to build or start it.\n", path,
           game->name);
    return ERR_NONE;
}

static enum err run_agent(const struct args *args, struct note *why)
{
    struct engine engine = {0};
    struct agent agent = {.engine = &engine};
    const struct agent_protocol *protocol = NULL;
    int team = 0;
    enum err err = args_game(args, &agent.game, why);
    if (!err && args_option(args, "source")) {
        return write_source(args, agent.game, why);
    }
    if (err || (err = choose_protocol(args, agent.game, &protocol, why)) ||
        (err = check_options(args, protocol, why))) {
        return err;
    }
    int64_t limit_ns = (int64_t)(agent.game->time_limit_s * (double)CLOCK_NS_PER_S);
    err = ARGS_FIELDS(args, why, {"team", ARGS_INT, &team, 0, PLAYER_MAX_TEAM},
                      {"level", ARGS_INT, &agent.level, 1, ENGINE_MAX_LEVEL},
                      {"time-limit", ARGS_SECONDS, &limit_ns, CLOCK_NS_PER_MS, longest_limit_ns});
    if (err || (err = engine_args_start(args, &engine, why))) {
        return err;
    }
    agent.time_ns = time_limit_of_agent(limit_ns);
    err = protocol->talk(args, &agent, team, why);
    engine_free(&engine);
    return err;
}

static enum err run_engine(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct engine engine = {0};
    struct ugi_settings settings = {.level = ENGINE_MAX_LEVEL};
    enum err err = args_game(args, &game, why);
    if (err ||
        (err = ARGS_FIELDS(args, why, {"nodes", ARGS_INT64, &settings.nodes, 1, INT64_MAX},
                           {"level", ARGS_INT64, &settings.level, 1, ENGINE_MAX_LEVEL})) ||
        (err = engine_args_start(args, &engine, why))) {
        return err;
    }
    return ugi_session_run(stdin, stdout, game, engine, settings, why);
}

const struct command cmd_agent = {
    .name = "agent",
    .run = run_agent,
    .summary = "run the engine as an agent of any judge",
    .operands = "GAME",
    .options = {{"tcp", "[HOST:PORT]", "connect to a judge (localhost:8888)"},
                {"file", NULL, "read state_TEAM.txt, write move_TEAM.txt"},
                {"template", NULL, "@auction@: bid and move as the course's program does"},
                {"ugi", NULL, "the Universal Game Interface, as plum engine"},
                {"source", "cpp|python", "write an agent as one source file, for --team N"},
                {"output", "FILE", "the file to write, also -o FILE, with --source"},
                {"team", "N", "the team number to send, with --tcp and --file"},
                {"dir", "FOLDER", "the folder of the files (the current folder)"},
                ENGINE_ARGS_LEVEL,
                {"time-limit", "SECONDS", "for a move (the game's own: @time-limits@)"},
                ENGINE_ARGS_OPTIONS},
};

const struct command cmd_engine = {
    .name = "engine",
    .run = run_engine,
    .summary = "run the engine as a UGI program on stdin and stdout",
    .operands = "GAME",
    .options = {{"nodes", "N", "the most nodes of a move, whatever the caller asks for"},
                ENGINE_ARGS_LEVEL,
                ENGINE_ARGS_OPTIONS},
};
