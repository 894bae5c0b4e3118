/* cmd_tournament_roster: init and check: a roster of submissions, and the mistakes in a roster. */
#include <stdio.h>
#include <stdlib.h>

#include "app/class_addition.h"
#include "app/class_likeness.h"
#include "app/class_setup.h"
#include "play/estimate.h"
#include "app/roster_check.h"
#include "app/roster_python.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/match_args.h"
#include "cli/terminal.h"
#include "cli/tournament_args.h"
#include "cli/tournament_table.h"
#include "report/json_tournament.h"
#include "tournament/team_order.h"

/* --- How far it is; the first line comes at once --- */

struct class_progress {
    const char *what;
    bool is_quiet; /* its output is for a program */
    struct terminal_progress line;
    int64_t begun_ns;
};

static void show_progress(void *owner, int done, int total)
{
    struct class_progress *progress = owner;
    char left[32];
    int64_t now = clock_now_ns();
    if (progress->is_quiet || !terminal_progress_is_due(&progress->line, CLOCK_NS_PER_S / 5)) {
        return;
    }
    if (done == 0) {
        progress->begun_ns = now;
        terminal_progress_show(&progress->line, "%s 1 of %d", progress->what, total);
    } else {
        double each_s = (double)(now - progress->begun_ns) / 1e9 / done;
        tournament_args_duration(each_s * (total - done), left, sizeof left);
        terminal_progress_show(&progress->line, "%s %d of %d, about %s left", progress->what,
                               done + 1, total, left);
    }
}

/* --- init: what was found --- */

static void print_json_team(struct json *json, const struct class_roster *class, size_t index)
{
    const struct class_team *team = &class->teams[index];
    json_begin_object(json, NULL);
    json_string(json, "team", class->ids[index].id);
    json_string(json, "submission", team->submitted_as);
    json_string(json, "program", team->program);
    json_string(json, "language", submission_language_name(team->program));
    json_string(json, "state", class_roster_state(team));
    json_bool(json, "wrong_name", team->has_wrong_name);
    json_bool(json, "missing_report", team->lacks_report);
    json_integer_or_null(json, "report_pages", team->report_pages >= 0, team->report_pages);
    json_begin_array(json, "remarks");
    for (int k = 0; k < team->remark_count && k < CLASS_TEAM_MAX_REMARKS; k++) {
        json_string(json, NULL, team->remarks[k].text);
    }
    json_end(json);
    json_end(json);
}

static void print_json(const struct class_setup *setup)
{
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_array(&json, NULL);
    for (size_t i = 0; i < setup->class.count; i++) {
        print_json_team(&json, &setup->class, i);
    }
    json_end(&json);
    putchar('\n');
}

/* Nothing that is there is passed over without a line. */
static void print_strays(FILE *out, const struct class_setup *setup)
{
    for (size_t i = 0; i < setup->download.list.stray_count; i++) {
        fprintf(out, "%s%s%s",
                i ? ", " : "Not taken for a submission: ", setup->download.list.strays[i],
                i + 1 == setup->download.list.stray_count ? ".\n" : "");
    }
}

static int columns_of(const char *text)
{
    size_t columns = 0;
    utf8_fit(text, SIZE_MAX, &columns);
    return (int)columns;
}

static void print_cell(const char *text, int width)
{
    printf("%s%*s", text, width > columns_of(text) ? width - columns_of(text) + 1 : 1, "");
}

static void describe_report(const struct class_roster *class, const struct class_team *team,
                            char *out, size_t room)
{
    char pages[32] = "yes";
    if (team->report_pages >= 0) {
        snprintf(pages, sizeof pages, "%d page%s", team->report_pages,
                 team->report_pages == 1 ? "" : "s");
    }
    bool is_asked_for = class->game->assignment.max_report_pages;
    snprintf(out, room, "%s",
             team->has_wrong_report_name        ? "wrong name"
             : team->lacks_report               ? "missing"
             : is_asked_for && team->has_report ? pages
                                                : "-");
}

static void print_table(const struct class_setup *setup)
{
    const struct class_roster *class = &setup->class;
    int file_width = 4;
    int team_width = 4;
    for (size_t i = 0; i < class->count; i++) {
        int file = columns_of(class->teams[i].submitted_as);
        int team = columns_of(class->ids[i].id);
        file_width = file > file_width ? file : file_width;
        team_width = team > team_width ? team : team_width;
    }
    print_cell("file", file_width);
    print_cell("team", team_width);
    printf("%-8s %-16s %-10s %s\n", "language", "built", "report", "look at");
    int indent = file_width + 1 + team_width + 1 + 8 + 1 + 16 + 1 + 10 + 1;
    for (size_t at = 0; at < class->count; at++) {
        size_t i = class->order[at];
        const struct class_team *team = &class->teams[i];
        char report[32];
        describe_report(class, team, report, sizeof report);
        print_cell(team->submitted_as, file_width);
        print_cell(class->ids[i].id, team_width);
        printf("%-8s %-16s ", submission_language_name(team->program), class_roster_state(team));
        if (!team->remark_count) {
            printf("%s\n", report);
        }
        for (int k = 0; k < team->remark_count && k < CLASS_TEAM_MAX_REMARKS; k++) {
            if (k == 0) {
                print_cell(report, 10);
            }
            printf("%*s%s\n", k ? indent : 0, "", team->remarks[k].text);
        }
        if (team->remark_count > CLASS_TEAM_MAX_REMARKS) {
            printf("%*sand %d more\n", indent, "", team->remark_count - CLASS_TEAM_MAX_REMARKS);
        }
    }
}

static void print_summary(const struct class_setup *setup)
{
    const struct class_roster *class = &setup->class;
    size_t ready = 0;
    for (size_t i = 0; i < class->count; i++) {
        ready += class->teams[i].is_ready;
    }
    print_table(setup);
    printf("\n%zu team%s, %zu of them can play. What they handed in is copied to %s.\n",
           class->count, class->count == 1 ? "" : "s", ready, setup->copies.path);
    print_strays(stdout, setup);
    if (class->list.count) {
        printf("%zu student%s in the list, %zu of them without a hand-in.\n", class->list.count,
               class->list.count == 1 ? "" : "s", class_roster_absent(class));
    }
    if (class->doubles) {
        puts("Some claim to be the same team: keep one of each in the roster.");
    }
    printf("Next: plum tournament check %s\n", setup->roster);
}

static void on_remark(void *owner, const char *sentence)
{
    struct class_progress *progress = owner;
    terminal_progress_erase(&progress->line);
    fprintf(stderr, "plum tournament init: %s\n", sentence);
}

/* What --add did, and how to go on. */
static void print_addition(const struct args *args, const struct class_setup *setup,
                           const struct class_addition *addition)
{
    const struct class_roster *class = &setup->class;
    const char *id = class->ids[0].id;
    struct note next;
    print_table(setup);
    printf("\nteam %s is %s %s; its hand-in is copied to %s/%s", id,
           addition->is_replacement ? "replaced in" : "added to", setup->roster, setup->copies.name,
           class->teams[0].folder);
    if (addition->earlier[0]) {
        printf(", the earlier one stays in %s", addition->earlier);
    }
    puts(".");
    if (addition->keeps_days_late) {
        puts("Its days_late are those of the earlier hand-in: give --students FILE, which says "
             "when it came, or edit them.");
    }
    class_addition_advise(setup->roster, id, args->cpu, &next);
    puts(next.text);
}

static enum err check_places(const struct args *args, struct note *why)
{
    static const char *const of_a_new_one[] = {"python", "memory"};
    if (!args_option(args, "add") && args->count < 2) {
        return note_fail(why, ERR_INPUT, "FOLDER is missing");
    }
    if (!args_option(args, "add") && args_option(args, "team")) {
        return note_fail(why, ERR_INPUT, "--team is for --add HANDIN");
    }
    for (size_t i = 0; args_option(args, "add") && i < 2; i++) {
        if (args_option(args, of_a_new_one[i])) {
            return note_fail(why, ERR_INPUT, "--%s is for a new roster: edit this one instead",
                             of_a_new_one[i]);
        }
    }
    return ERR_NONE;
}

/* The whole class, or with --add one hand-in. */
static enum err set_up(const struct args *args, struct class_setup *setup,
                       struct class_addition *addition, struct note *why)
{
    static struct roster_problems problems; /* too large for the stack */
    if (!addition->hand_in) {
        return class_setup_run(setup, why);
    }
    addition->cpu = args->cpu;
    enum err err = class_addition_run(setup, addition, &problems, why);
    if (err) {
        tournament_args_print_problems(setup->roster, &problems);
    }
    return err;
}

static enum err run_init(const struct args *args, struct note *why)
{
    struct class_progress progress = {.what = "building hand-in",
                                      .is_quiet = args_option(args, "json")};
    struct class_addition addition = {.hand_in = args_option(args, "add"),
                                      .team = args_option(args, "team")};
    struct class_setup setup = {.submissions = args->count > 1 ? args->values[1] : NULL,
                                .sandbox = match_args_sandbox(args),
                                .on_remark = on_remark,
                                .on_team = show_progress,
                                .owner = &progress,
                                .stop = interrupt_sets_flag()};
    enum err err = check_places(args, why);
    err = err ? err : args_game(args, &setup.class.game, why);
    err = err ? err
              : ARGS_FIELDS(args, why, {"output", ARGS_TEXT, &setup.roster, 0, 0},
                            {"memory", ARGS_TEXT, &setup.class.memory, 0, 0},
                            {"sandbox", ARGS_TEXT, &setup.class.sandbox, 0, 0});
    err = err ? err : match_args_programs(args, &setup.limits, &setup.class.python, why);
    err = err ? err : tournament_args_class(args, &setup.list, &setup.deadline_s, why);
    setup.list_path = args_option(args, "students");
    err = err ? err : set_up(args, &setup, &addition, why);
    terminal_progress_erase(&progress.line);
    if (!err && args_option(args, "json")) {
        if (!addition.hand_in) {
            print_strays(stderr, &setup);
        }
        print_json(&setup);
    } else if (!err && addition.hand_in) {
        print_addition(args, &setup, &addition);
    } else if (!err) {
        print_summary(&setup);
    }
    class_setup_free(&setup);
    return err;
}

/* --- check --- */

/* The pair of a group of two, else all of its members. */
static void print_group(const struct roster *roster, const struct class_likeness *similar,
                        int group)
{
    const struct likeness_result *result = &similar->result;
    struct note pair;
    char *text = malloc(CLASS_LIKENESS_BYTES);
    const char *indent = result->groups[group].within < 0 ? "" : "  ";
    if (result->groups[group].count == 2) {
        for (size_t i = 0; i < result->pair_count; i++) {
            if (result->pairs[i].group == group) {
                class_likeness_describe_pair(roster, &result->pairs[i], &pair);
                printf("%s%s\n", indent, pair.text);
            }
        }
    } else if (text) {
        class_likeness_describe(similar, roster, &result->groups[group], text);
        printf("%s%s\n", indent, text);
    }
    free(text);
}

static void print_similar(const struct roster *roster, const struct class_likeness *similar)
{
    enum { MOST_SHOWN = 20 };
    const struct likeness_result *result = &similar->result;
    int shown = 0;
    if (result->group_count) {
        puts("\nNearly the same source, without the kit. Compare them yourself (--similar FILE "
             "writes\n"
             "them side by side): a share is not a proof.");
    }
    for (int i = 0; i < result->group_count; i++) {
        bool has_inner = false;
        if (result->groups[i].within >= 0 || shown == MOST_SHOWN) {
            continue;
        }
        shown++;
        print_group(roster, similar, i);
        for (int j = i + 1; j < result->group_count; j++) {
            if (result->groups[j].within == i) {
                if (!has_inner) {
                    puts("  without what more than half of these have, which may be from a "
                         "lecture:");
                }
                has_inner = true;
                print_group(roster, similar, j);
            }
        }
    }
    int outer = 0;
    for (int i = 0; i < result->group_count; i++) {
        outer += result->groups[i].within < 0;
    }
    if (outer > shown) {
        printf("and %d more; --json lists all\n", outer - shown);
    }
}

static void print_similar_json(struct json *json, const struct roster *roster,
                               const struct class_likeness *similar)
{
    const struct likeness_result *result = &similar->result;
    json_begin_array(json, "similar");
    for (size_t i = 0; i < result->pair_count; i++) {
        const struct likeness_pair *pair = &result->pairs[i];
        if (result->groups[pair->group].within >= 0) {
            continue; /* the same teams are above */
        }
        json_begin_object(json, NULL);
        json_begin_array(json, "teams");
        json_string(json, NULL, roster->teams[pair->program[0]].id);
        json_string(json, NULL, roster->teams[pair->program[1]].id);
        json_end(json);
        json_fixed(json, "percent", likeness_percent(pair), 1);
        json_integer(json, "fragments", pair->smaller);
        json_end(json);
    }
    json_end(json);
    json_begin_array(json, "similar_groups");
    for (int i = 0; i < result->group_count; i++) {
        const struct likeness_group *group = &result->groups[i];
        json_begin_object(json, NULL);
        json_begin_array(json, "teams");
        for (int j = 0; j < group->count; j++) {
            json_string(json, NULL, roster->teams[result->members[group->first + (size_t)j]].id);
        }
        json_end(json);
        json_fixed(json, "lowest_percent", group->lowest, 1);
        json_fixed(json, "highest_percent", group->highest, 1);
        json_bool(json, "same", group->is_same);
        json_integer_or_null(json, "within", group->within >= 0, group->within);
        json_end(json);
    }
    json_end(json);
}

/* How long a class with programs that are never in time keeps the machine busy. */
static void print_late(const struct roster *roster, const struct estimate *e)
{
    char game[2][32];
    char all[2][32];
    for (int i = 0; i < 2; i++) {
        tournament_args_duration(e->late_game_s[i], game[i], sizeof game[i]);
        tournament_args_duration(e->late_s[i], all[i], sizeof all[i]);
    }
    printf(
        "a program that is never in time takes up to %s a game, a tournament of such programs %s; "
        "with late_limit = %d%s: %s and %s\n",
        game[0], all[0], e->late_limit, roster->rules.judge.late_limit ? ", as here" : "", game[1],
        all[1]);
}

static void print_qualification(const struct roster *roster)
{
    struct estimate e = estimate_qualification(roster, roster_playing_count(roster), 0);
    char typical[32];
    char worst[32];
    tournament_args_duration(e.typical_s, typical, sizeof typical);
    tournament_args_duration(e.worst_s, worst, sizeof worst);
    printf("qualification: %lld games against random, about %s, at most %s\n", (long long)e.games,
           typical, worst);
}

static void print_plan(const struct roster *roster, const struct class_likeness *similar)
{
    struct estimate e = estimate_tournament(roster, NULL, 0);
    int order[ROSTER_MAX_TEAMS];
    char typical[32];
    char worst[32];
    tournament_args_duration(e.typical_s, typical, sizeof typical);
    tournament_args_duration(e.worst_s, worst, sizeof worst);
    printf("%s: %s, %s, %d teams, %d round%s, %lld games\n", roster->name, roster->game->name,
           roster_format_name(roster->format), roster->team_count, roster->rounds,
           roster->rounds == 1 ? "" : "s", (long long)e.games);
    printf("%d game%s at once: about %s if a turn takes a tenth of its limit, %s at worst\n",
           e.slots, e.slots == 1 ? "" : "s", typical, worst);
    print_late(roster, &e);
    tournament_table_rules(stdout, "", roster);
    if (roster->has_qualification) {
        print_qualification(roster);
    }
    tournament_table_references(stdout, roster);
    team_order_list(roster, order);
    for (int at = 0; at < roster->team_count; at++) {
        int i = order[at];
        const struct roster_team *team = &roster->teams[i];
        if (roster_refuses(roster, i)) {
            printf("team %s does not play: handed in late, and late_hand_ins = refuse\n", team->id);
        } else if (team->no_program[0]) {
            printf("team %s cannot play: %s\n", team->id, team->no_program);
        } else if (team->source[0] && team->build_log[0]) {
            printf("team %s cannot play: its source does not compile, see %s\n", team->id,
                   team->build_log);
        }
    }
    print_similar(roster, similar);
}

static void print_problems_json(const struct roster_problems *problems)
{
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "problems");
    for (int i = 0; i < problems->count && i < ROSTER_MAX_PROBLEMS; i++) {
        json_begin_object(&json, NULL);
        json_integer(&json, "line", problems->lines[i]);
        json_string(&json, "problem", problems->list[i].text);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    putchar('\n');
}

static void print_warning(void *owner, const char *sentence)
{
    struct class_progress *progress = owner;
    terminal_progress_erase(&progress->line);
    fprintf(stderr, "plum tournament check: %s\n", sentence);
}

static void add_warning(void *json, const char *sentence) { json_string(json, NULL, sentence); }

static enum err find_warnings(const char *path, const struct roster *roster,
                              const struct roster_python_sink *sink, struct note *why)
{
    enum err err = roster_check_folders(path, roster, sink->owner, sink->on_finding, why);
    return err ? err : roster_python_check(roster, path, sink, why);
}

/* All or nothing. */
static enum err print_plan_json(const char *path, const struct roster *roster,
                                const struct class_likeness *similar, struct note *why)
{
    struct estimate e = estimate_tournament(roster, NULL, 0);
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for the warnings");
    }
    struct json json = json_make(memory, JSON_LINE);
    json_begin_object(&json, NULL);
    json_tournament_plan(&json, roster);
    json_integer(&json, "total_games", e.games);
    json_integer(&json, "concurrency", e.slots);
    json_fixed(&json, "typical_s", e.typical_s, 3);
    json_fixed(&json, "worst_s", e.worst_s, 3);
    json_integer(&json, "late_limit", roster->rules.judge.late_limit);
    json_fixed(&json, "late_s", e.late_s[roster->rules.judge.late_limit > 0], 3);
    json_fixed(&json, "late_without_limit_s", e.late_s[0], 3);
    print_similar_json(&json, roster, similar);
    json_begin_array(&json, "warnings");
    const struct roster_python_sink sink = {.owner = &json, .on_finding = add_warning};
    enum err err = find_warnings(path, roster, &sink, why);
    json_end(&json);
    json_end(&json);
    if (fclose(memory) != 0 && !err) {
        err = note_fail(why, ERR_ENVIRONMENT, "no memory for the warnings");
    }
    if (!err) {
        puts(text);
    }
    free(text);
    return err;
}

/* A roster without problems. */
static enum err print_good(const char *path, const struct roster *roster, const char *page,
                           bool is_json, struct note *why)
{
    struct class_likeness similar = {0};
    struct class_progress progress = {.what = "looking at the imports of program"};
    const struct roster_python_sink sink = {&progress, print_warning, show_progress};
    enum err err = class_likeness_find(path, roster, &similar, why);
    if (!err && page) {
        err = class_likeness_write(&similar, path, roster, page, why);
    }
    if (!err && is_json) {
        err = print_plan_json(path, roster, &similar, why);
    } else if (!err) {
        print_plan(roster, &similar);
        fflush(stdout);
        err = find_warnings(path, roster, &sink, why);
        terminal_progress_erase(&progress.line);
    }
    class_likeness_free(&similar);
    return err;
}

static enum err run_check(const struct args *args, struct note *why)
{
    const char *path = args->values[0];
    struct roster roster = {0};
    static struct roster_problems problems; /* too large for the stack */
    enum err err = roster_check_read(path, args->cpu, &roster, &problems, why);
    bool is_json = args_option(args, "json");
    if (!err) {
        err = print_good(path, &roster, args_option(args, "similar"), is_json, why);
    } else if (is_json && problems.count) {
        print_problems_json(&problems);
        note_set(why, "%d problem%s in %.200s", problems.count, problems.count == 1 ? "" : "s",
                 path);
    } else {
        tournament_args_print_problems(path, &problems);
    }
    roster_free(&roster);
    return err;
}

/* --- The commands --- */

const struct command cmd_tournament_init = {
    .name = "tournament init",
    .run = run_init,
    .summary = "make a roster from a folder or zip of submissions, or change one",
    .operands = "GAME [FOLDER]",
    .required = "output",
    .options = {{"output", "FILE", "the roster to write; -o for short"},
                {"add", "HANDIN", "change the roster: this hand-in only"},
                {"team", "ID", "with --add: whose it is"},
                {"students", "FILE", "the platform's list of participants, a CSV file"},
                {"deadline", "TIME", "hand-ins after it are late: '2021-05-02 23:59 +08:00'"},
                {"python", "PROGRAM", "for the roster: what runs agents in Python (python3)"},
                {"memory", "SIZE", "for the roster: what a program may use, as in 8G (2G)"},
                {"sandbox", "auto|strict|off", "isolation of compilers and programs (auto)"},
                {"json", NULL, "print what was found as JSON"}},
};

const struct command cmd_tournament_check = {
    .name = "tournament check",
    .run = run_check,
    .summary = "check a roster and estimate how long the tournament may take",
    .operands = "FILE",
    .options = {{"similar", "FILE", "write similar sources side by side, as an HTML page"},
                {"json", NULL, "print JSON"}},
};
