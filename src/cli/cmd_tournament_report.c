#include <limits.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_args.h"
#include "report/report_data.h"
#include "report/report_csv.h"
#include "report/report_json.h"
#include "report/report_page.h"

struct edition {
    const struct report_data *data;
    bool is_public;
};

typedef enum err write_fn(FILE *out, const struct edition *edition, struct note *why);

static enum err write_page(FILE *out, const struct edition *edition, struct note *why)
{
    return report_page(out, edition->data, edition->is_public, why);
}

static enum err write_json(FILE *out, const struct edition *edition, struct note *why)
{
    struct json json = json_make(out, JSON_INDENTED);
    enum err err = report_json(&json, edition->data, edition->is_public, why);
    fputc('\n', out);
    return err;
}

static enum err write_standings(FILE *out, const struct edition *edition, struct note *why)
{
    (void)why;
    report_csv_standings(out, edition->data, edition->is_public);
    return ERR_NONE;
}

static enum err write_games(FILE *out, const struct edition *edition, struct note *why)
{
    (void)why;
    report_csv_games(out, edition->data, edition->is_public);
    return ERR_NONE;
}

static enum err write_faults(FILE *out, const struct edition *edition, struct note *why)
{
    (void)why;
    report_csv_faults(out, edition->data, edition->is_public);
    return ERR_NONE;
}

static const struct output {
    const char *name;
    write_fn *write;
} outputs[] = {
    {"index.html", write_page}, {"report.json", write_json},  {"standings.csv", write_standings},
    {"games.csv", write_games}, {"faults.csv", write_faults},
};

static enum err write_output(const char *folder, const struct output *output,
                             const struct edition *edition, struct note *why)
{
    char path[PATH_MAX];
    struct atomic_file file;
    snprintf(path, sizeof path, "%s/%s", folder, output->name);
    enum err err = atomic_file_open(&file, path, why);
    if (err) {
        return err;
    }
    err = output->write(file.stream, edition, why);
    if (err) {
        atomic_file_discard(&file);
        return err;
    }
    return atomic_file_commit(&file, why);
}

static enum err write_all(const char *folder, const struct edition *edition, struct note *why)
{
    enum err err = folder_make(folder, 0755, why);
    for (size_t i = 0; !err && i < sizeof outputs / sizeof outputs[0]; i++) {
        err = write_output(folder, &outputs[i], edition, why);
    }
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    const char *folder = args_option(args, "output");
    struct edition edition = {.is_public = args_option(args, "anonymous")};
    struct report_data data;
    if (!folder) {
        note_set(why, "-o FOLDER is missing: where the report goes");
        return ERR_INPUT;
    }
    enum err err = report_data_open(&data, args->values[0], args->cpu, edition.is_public, why);
    if (err) {
        return err;
    }
    edition.data = &data;
    tournament_args_print_edits(data.store);
    err = write_all(folder, &edition, why);
    report_data_close(&data);
    if (!err) {
        printf("Wrote %s/index.html, and beside it report.json, standings.csv, games.csv and "
               "faults.csv.\n",
               folder);
    }
    return err;
}

const struct command cmd_tournament_report = {
    .name = "tournament report",
    .run = run,
    .summary = "write a page with standings, ratings and every game to replay",
    .operands = "FILE",
    .required = "output",
    .details =
        "Writes index.html: one page that needs nothing else and works offline, with the\n"
        "standings and every tie-break's figure, ratings with error bars, the cross-table,\n"
        "every game to replay move by move, faults and times. Beside it report.json and\n"
        "standings.csv, games.csv and faults.csv hold the same for programs and spreadsheets.\n"
        "\n"
        "It can be made at any time, also while the tournament runs. --anonymous makes a\n"
        "version for everybody: teams are letters, and what programs said is left out.",
    .options = {{"output", "FOLDER", "where to write; -o for short"},
                {"anonymous", NULL, "letters in place of names"}},
    .examples = {{"plum tournament report class.db -o report", "for the teaching assistant"},
                 {"plum tournament report class.db -o public --anonymous", "for the class"}},
};
