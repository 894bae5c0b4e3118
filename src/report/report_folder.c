#include "report/report_folder.h"

#include <limits.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/json.h"
#include "report/report_csv.h"
#include "report/report_json.h"
#include "report/report_page.h"

struct report_edition {
    const struct report_data *data;
    bool is_public;
};

typedef enum err report_write_fn(FILE *out, const struct report_edition *edition, struct note *why);

static enum err write_page(FILE *out, const struct report_edition *edition, struct note *why)
{
    return report_page(out, edition->data, edition->is_public, why);
}

static enum err write_json(FILE *out, const struct report_edition *edition, struct note *why)
{
    struct json json = json_make(out, JSON_INDENTED);
    enum err err = report_json(&json, edition->data, edition->is_public, why);
    fputc('\n', out);
    return err;
}

static enum err write_standings(FILE *out, const struct report_edition *edition, struct note *why)
{
    (void)why;
    report_csv_standings(out, edition->data, edition->is_public);
    return ERR_NONE;
}

static enum err write_games(FILE *out, const struct report_edition *edition, struct note *why)
{
    (void)why;
    report_csv_games(out, edition->data, edition->is_public);
    return ERR_NONE;
}

static enum err write_faults(FILE *out, const struct report_edition *edition, struct note *why)
{
    (void)why;
    report_csv_faults(out, edition->data, edition->is_public);
    return ERR_NONE;
}

static const struct report_file {
    const char *name;
    report_write_fn *write;
} outputs[] = {
    {"index.html", write_page}, {"report.json", write_json},  {"standings.csv", write_standings},
    {"games.csv", write_games}, {"faults.csv", write_faults},
};

static enum err write_output(const char *folder, const struct report_file *output,
                             const struct report_edition *edition, struct note *why)
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

enum err report_folder_write(const char *folder, const struct report_data *data, bool is_public,
                             struct note *why)
{
    const struct report_edition edition = {data, is_public};
    enum err err = folder_make(folder, 0755, why);
    for (size_t i = 0; !err && i < sizeof outputs / sizeof outputs[0]; i++) {
        err = write_output(folder, &outputs[i], &edition, why);
    }
    return err;
}
