#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/args.h"
#include "cli/board.h"
#include "cli/check_list.h"
#include "cli/cli.h"
#include "cli/json_out.h"
#include "cli/match_args.h"
#include "player/program_file.h"
#include "player/run_program.h"

enum { BROKEN_QUESTION = 2, BROKEN_PLIES = 4 };

struct session {
    const struct game *game;
    struct player_spec spec;
    struct box_limits limits;
    struct box box;
    struct check_plan plan;
    struct check_facts facts;
};

/* --- The trials --- */

/* What chance has to bid so that the program gets the colour that it did not get. */
static struct bid answer_to(const struct check_game *game)
{
    enum { HIGHEST_PRICE = 140 };
    enum side wanted = (enum side)game->bid.colour;
    bool got_it = game->colour == wanted;
    return (struct bid){got_it ? (int)wanted : (int)side_other(wanted), HIGHEST_PRICE};
}

static enum err hold_main_trials(struct session *s, struct note *why)
{
    struct check_plan plan = s->plan;
    struct check_trial *trials = s->facts.trials;
    plan.games = s->game->auction ? 1 : CHECK_MAX_GAMES;
    enum err err = check_trial_run(&plan, &trials[0], why);
    if (err || !s->game->auction || trials[0].has_fault) {
        return err;
    }
    struct bid answer = answer_to(&trials[0].games[0]);
    plan.answer = &answer;
    return check_trial_run(&plan, &trials[1], why);
}

/* Who thinks for long has to do it twice. */
static enum err hold_reconnect_trial(struct session *s, struct note *why)
{
    struct check_plan plan = s->plan;
    if (s->spec.kind != PLAYER_TCP || s->facts.trials[0].has_fault) {
        return ERR_NONE;
    }
    plan.games = 1;
    plan.hang_up_at = BROKEN_QUESTION;
    plan.plies = BROKEN_PLIES;
    plan.rules.limit_ns *= 2;
    return check_trial_run(&plan, &s->facts.reconnect, why);
}

/* --- What is printed --- */

static void print_log(const char *stream, const char *log)
{
    if (!*log) {
        return;
    }
    printf("It wrote to standard %s:\n", stream);
    for (const char *line = log; *line;) {
        size_t length = strcspn(line, "\n");
        printf("  | %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    putchar('\n');
}

static void print_fault(const struct game *game, const struct check_trial *trial)
{
    char position[GAME_POSITION_BYTES];
    if (trial->fault_phase == JUDGE_PLAYING) {
        putchar('\n');
        game->write_position(&trial->fault.position, position);
        board_draw(game, &trial->fault.position, NULL, PAINT_PLAIN);
        printf("\nposition: %s\n\n", position);
    }
    print_log("error", trial->log);
    print_log("output", trial->output);
}

static void print_finding(const struct game *game, const char *name,
                          const struct check_finding *finding)
{
    printf("%-8s %-10s %s\n", check_verdict_name(finding->verdict), name, finding->detail.text);
    if (finding->advice) {
        printf("%-19s %s\n", "", finding->advice);
    }
    if (finding->fault) {
        print_fault(game, finding->fault);
    }
}

static void print_summary(int warnings, int failures)
{
    if (failures) {
        printf("not fit to enter: %d check%s failed\n", failures, failures == 1 ? "" : "s");
    } else {
        printf("fit to enter%s\n", warnings ? ", but see the warnings" : "");
    }
}

static json_t *fault_json(const struct game *game, const struct check_trial *trial)
{
    char position[GAME_POSITION_BYTES];
    game->write_position(&trial->fault.position, position);
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s}", "kind", fault_name(trial->fault.kind),
                     "ply", (int)trial->fault.ply + 1, "side", side_name(trial->fault_side),
                     "position", position, "why", trial->fault.why.text, "stderr", trial->log,
                     "stdout", trial->output);
}

static json_t *finding_json(const struct game *game, const char *name,
                            const struct check_finding *finding)
{
    bool is_fail = finding->verdict == CHECK_FAIL;
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "check", name, "verdict",
                     is_fail ? "fail" : check_verdict_name(finding->verdict), "detail",
                     finding->detail.text, "advice",
                     finding->advice ? json_string(finding->advice) : json_null(), "fault",
                     finding->fault ? fault_json(game, finding->fault) : json_null());
}

static enum err report(const struct session *s, bool is_json, struct note *why)
{
    int counts[CHECK_SKIPPED + 1] = {0};
    json_t *findings = is_json ? json_array() : NULL;
    for (const struct check *check = check_list; check->name; check++) {
        struct check_finding finding = check->look(&s->facts);
        counts[finding.verdict]++;
        if (finding.verdict == CHECK_NONE) {
            continue;
        }
        if (is_json) {
            findings = json_out_append(findings, finding_json(s->game, check->name, &finding));
        } else {
            print_finding(s->game, check->name, &finding);
        }
    }
    enum err err = ERR_NONE;
    if (is_json) {
        char player[PLAYER_TEXT_BYTES];
        utf8_clean(s->spec.text, player, sizeof player);
        err = json_out_take(json_pack("{s:s, s:s, s:b, s:o}", "game", s->game->name, "player",
                                      player, "fit", counts[CHECK_FAIL] == 0, "checks", findings),
                            why);
    } else {
        print_summary(counts[CHECK_WARNING], counts[CHECK_FAIL]);
    }
    if (!err && counts[CHECK_FAIL]) {
        err = ERR_NEGATIVE;
    }
    return err;
}

/* --- The command line --- */

static enum err read_player(const struct args *args, struct session *s, struct note *why)
{
    enum err err = args_game(args, &s->game, why);
    if (!err) {
        err = player_spec_read(args->values[1], s->game, &s->spec, why);
    }
    if (!err && !player_spec_is_program(&s->spec)) {
        note_set(why, "'%.60s' is no program: there is nothing to check", s->spec.text);
        err = ERR_INPUT;
    }
    return err;
}

static enum err read_plan(const struct args *args, struct session *s, struct note *why)
{
    int64_t seed = 1;
    s->plan = (struct check_plan){.rules = {.game = s->game, .has_auction = s->game->auction},
                                  .spec = &s->spec,
                                  .box = &s->box,
                                  .cpu = args->cpu};
    s->facts.game = s->game;
    s->facts.spec = &s->spec;
    s->facts.rules = &s->plan.rules;
    enum err err = match_args_limits(args, &s->plan.rules, why);
    if (!err) {
        err = match_args_programs(args, &s->limits, &s->plan.python, why);
    }
    if (!err) {
        err = args_number(args, "seed", 0, INT64_MAX, &seed, why);
    }
    s->plan.seed = (uint64_t)seed;
    return err;
}

/* Which Python runs the program. A version is asked only of an interpreter that the user chose or
 * that is installed: it runs outside the sandbox. */
static enum err find_python(struct session *s, struct note *why)
{
    struct player_command command;
    char path[PATH_MAX];
    enum err err = player_spec_command(&s->spec, s->plan.python, &command, why);
    if (err || !program_file_find(command.text, command.folder, path) ||
        strncmp(strrchr(path, '/') + 1, "python", strlen("python")) != 0) {
        return err;
    }
    bool is_chosen = s->plan.python || strncmp(s->spec.command, "python", strlen("python")) == 0;
    struct run_program_result version = {0};
    const char *const words[] = {path, "--version", NULL};
    if (is_chosen && run_program(words, &version, NULL)) {
        version = (struct run_program_result){0};
    }
    note_set(&s->facts.python, "%.150s%s%.*s", path, version.output ? ", " : "",
             version.output ? (int)strcspn(version.output, "\n") : 0,
             version.output ? version.output : "");
    run_program_result_free(&version);
    return ERR_NONE;
}

static enum err open_box(const struct args *args, struct session *s, struct note *why)
{
    const char *wish = args_option(args, "sandbox");
    enum sandbox_mode mode = !wish || strcmp(wish, "auto") == 0 ? SANDBOX_AUTO
                             : strcmp(wish, "strict") == 0      ? SANDBOX_STRICT
                                                                : SANDBOX_OFF;
    struct note missing = {""};
    enum err err = box_probe(mode, &s->limits, NULL, &s->box, &missing);
    if (err) {
        *why = missing;
        return err;
    }
    return player_spec_rehearse(&s->spec, s->plan.python, &s->box, why);
}

static enum err run(const struct args *args, struct note *why)
{
    struct session *s = calloc(1, sizeof *s);
    if (!s) {
        note_set(why, "no memory");
        return ERR_ENVIRONMENT;
    }
    enum err err = read_player(args, s, why);
    if (!err) {
        err = read_plan(args, s, why);
    }
    if (!err) {
        err = find_python(s, why);
    }
    if (!err) {
        err = open_box(args, s, why);
    }
    if (!err) {
        err = hold_main_trials(s, why);
    }
    if (!err) {
        err = hold_reconnect_trial(s, why);
    }
    if (!err) {
        err = report(s, args_option(args, "json"), why);
    }
    free(s);
    return err;
}

const struct command cmd_check = {
    .name = "check",
    .run = run,
    .summary = "is this agent fit to enter a tournament?",
    .operands = "GAME PLAYER",
    .details =
        "Lets a program play as both colours against random moves and says what is right\n"
        "with it and what is not: its file's name, its Python, start-up, team number or bid,\n"
        "legality of every move, the clock, two games in one process, a broken connection, and\n"
        "whether it leaves when told to. A fault is shown with its board, the rule, and what the\n"
        "program wrote to standard error and, where that is not for the judge, to standard\n"
        "output.\n"
        "\n"
        "PLAYER is tcp:TEAM:COMMAND, file:TEAM:COMMAND, template:COMMAND or ugi:COMMAND. Exit\n"
        "code 0: fit, perhaps with warnings; 1: not fit.",
    .options = {{"time-limit", "SECONDS", "for a move (the game's own: 5, meichu 30)"},
                {"grace", "SECONDS", "by which an answer may be late (0.25)"},
                {"startup-limit", "SECONDS", "for the program to start (10)"},
                {"hard-limit", "SECONDS", "meichu: a turn longer than this loses (120)"},
                {"seed", "N", "of the random moves (1)"},
                {"sandbox", "auto|strict|off", "how the program is locked in (auto)"},
                {"memory", "SIZE", "what the program may use, as in 512M or 8G (2G)"},
                {"python", "PROGRAM", "what runs a program in Python (python3)"},
                {"json", NULL, "{\"game\", \"player\", \"fit\", \"checks\": [...]}"}},
    .examples = {{"plum check hop 'tcp:7:python3 Sample.py'", "an agent in Python"},
                 {"plum check meichu 'template:./0816001'", "a program for meichu"}},
};
