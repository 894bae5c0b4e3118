#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/thinking.h"
#include "app/ugi_session.h"
#include "engine/margin.h"
#include "app/agent.h"
#include "player/spec.h"
#include "protocol/wire.h"

enum { HOST_BYTES = 256, MAX_PORT = 65535 };

static const int64_t longest_limit_ns = 86400 * CLOCK_NS_PER_S;

/* "HOST:PORT", "HOST" or nothing at all. An address with colons of its own stands in brackets. */
static enum err read_address(const char *text, char host[HOST_BYTES], int *port, struct note *why)
{
    bool is_bracketed = text[0] == '[' && strchr(text, ']');
    const char *end = is_bracketed ? strchr(text, ']') : text + strcspn(text, ":");
    const char *rest = is_bracketed ? end + 1 : end;
    int64_t number = WIRE_PORT;
    if (*rest == ':' && number_read(rest + 1, "the port behind --tcp", 1, MAX_PORT, &number, why)) {
        return ERR_INPUT;
    }
    size_t length = (size_t)(end - text) - is_bracketed;
    if (length >= HOST_BYTES || (*rest && *rest != ':')) {
        note_set(why, "--tcp wants a host and a port, as in localhost:8888, not '%.60s'", text);
        return ERR_INPUT;
    }
    snprintf(host, HOST_BYTES, "%.*s", (int)length, text + is_bracketed);
    if (!length) {
        strcpy(host, "localhost");
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

/* The languages an agent speaks, each an option of this command. */
static const struct language {
    const char *option;
    bool plays_board_games;
    bool plays_auction_games;
    bool has_team;
    enum err (*talk)(const struct args *, const struct agent *, int team, struct note *);
} languages[] = {
    {"tcp", true, false, true, talk_tcp},
    {"file", true, false, true, talk_file},
    {"template", false, true, false, talk_template},
    {"ugi", true, true, false, talk_ugi},
};

static enum err choose_language(const struct args *args, const struct game *game,
                                const struct language **out, struct note *why)
{
    const struct language *found = NULL;
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        if (!args_option(args, languages[i].option)) {
            continue;
        }
        if (found) {
            note_set(why, "--%s and --%s: an agent speaks one language", found->option,
                     languages[i].option);
            return ERR_INPUT;
        }
        found = &languages[i];
    }
    if (!found) {
        note_set(why, "say how to talk to the judge: --tcp, --file, --template or --ugi");
        return ERR_INPUT;
    }
    if (game->auction ? !found->plays_auction_games : !found->plays_board_games) {
        note_set(why, "nobody plays %s with --%s; use %s", game->name, found->option,
                 game->auction ? "--template or --ugi" : "--tcp, --file or --ugi");
        return ERR_INPUT;
    }
    *out = found;
    return ERR_NONE;
}

static enum err read_team(const struct args *args, const struct language *language, int *out,
                          struct note *why)
{
    int64_t team = 0;
    if (!args_option(args, "team") == language->has_team) {
        note_set(why, language->has_team ? "--team N is missing: the number to send to the judge"
                                         : "--team goes with --tcp and --file only");
        return ERR_INPUT;
    }
    if (args_option(args, "dir") && !args_option(args, "file")) {
        note_set(why, "--dir goes with --file only");
        return ERR_INPUT;
    }
    enum err err = args_number(args, "team", 0, PLAYER_MAX_TEAM, &team, why);
    *out = (int)team;
    return err;
}

static enum err read_strength(const struct args *args, struct agent *agent, struct note *why)
{
    int64_t level = 0;
    int64_t limit_ns = (int64_t)(agent->game->time_limit_s * (double)CLOCK_NS_PER_S);
    const char *limit = args_option(args, "time-limit");
    if (limit && args_option(args, "ugi")) {
        note_set(why, "with --ugi the judge says how long to think: leave out --time-limit");
        return ERR_INPUT;
    }
    enum err err = args_number(args, "level", 1, ENGINE_MAX_LEVEL, &level, why);
    if (!err && limit) {
        err = number_read_seconds(limit, "--time-limit", CLOCK_NS_PER_MS, longest_limit_ns,
                                  &limit_ns, why);
    }
    agent->level = (int)level;
    agent->time_ns = margin_within(limit_ns);
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    struct engine engine = {0};
    struct agent agent = {.engine = &engine};
    const struct language *language = NULL;
    int team = 0;
    enum err err = args_game(args, &agent.game, why);
    if (!err) {
        err = choose_language(args, agent.game, &language, why);
    }
    if (!err) {
        err = read_team(args, language, &team, why);
    }
    if (!err) {
        err = read_strength(args, &agent, why);
    }
    if (!err) {
        err = thinking_start(args, &engine, why);
    }
    if (err) {
        return err;
    }
    err = language->talk(args, &agent, team, why);
    engine_free(&engine);
    return err;
}

const struct command cmd_agent = {
    .name = "agent",
    .run = run,
    .summary = "let our engine play in anyone's tournament",
    .operands = "GAME",
    .details =
        "Our engine as a program of its own, in the language that the judge speaks: the\n"
        "courses' TCP protocol, text files in a folder, MeiChu's template on standard input\n"
        "and output, or the Universal Game Interface. It plays until the judge says stop.\n"
        "\n"
        "It thinks as long as the game's limit allows, less a margin. A level from 1 to 9 is\n"
        "weaker and faster: plum levels lists them.",
    .options = {{"tcp", "[HOST:PORT]", "connect to a judge (localhost:8888)"},
                {"file", NULL, "answer state_TEAM.txt with move_TEAM.txt"},
                {"template", NULL, "meichu: bid and move as the course's program does"},
                {"ugi", NULL, "the Universal Game Interface, as plum engine"},
                {"team", "N", "the number to play under, with --tcp and --file"},
                {"dir", "FOLDER", "where the files are (the current folder)"},
                {"level", "1..10", "how strong: plum levels lists them (10)"},
                {"time-limit", "SECONDS", "for a move (the game's own: 5, meichu 30)"},
                THINKING_OPTIONS},
    .examples = {{"plum agent reversi --tcp --team 7", "join the judge on this machine"},
                 {"plum agent hop --tcp judge.example:9000 --team 7 --level 5",
                  "another machine, and not our best"},
                 {"plum match hop --black 'tcp:7:plum agent hop --tcp --team 7' --white random",
                  "in our own judge"}},
};
