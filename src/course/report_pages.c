/* Sources: pdfinfo(1); ECMA-376 part 1, 22.2 (docProps/app.xml); OpenDocument 1.2 part 1, 4.3.2.18
 * (meta:page-count). */
#include "course/report_pages.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zip.h>

#include "base/clock.h"
#include "base/shell_word.h"
#include "sandbox/run_program.h"
#include "sandbox/sandbox_programs.h"

enum {
    MOST_PAGES = 100000,
    MOST_PROPERTIES = 1 << 20,
    CPU_S = 10,
    WALL_S = 60,
    MEMORY_MIB = 512,
};

/* --- PDF --- */

static const char tool[] = "pdfinfo";
static const char system_path[] = "/usr/bin:/bin:/usr/local/bin";

const char *report_pages_lack(void)
{
    char program[PATH_MAX];
    return sandbox_programs_find_in_path(system_path, tool, program)
               ? NULL
               : "the pages of reports in PDF are not counted: there is no pdfinfo; it comes with: "
                 "apt-get install poppler-utils";
}

static int read_number(const char *text)
{
    long number = strtol(text, NULL, 10);
    return number > 0 && number < MOST_PAGES ? (int)number : -1;
}

/* The last line with that name: a title in the file may contain such a line as well, and comes
 * before. */
static int find_pages(const char *output)
{
    static const char name[] = "Pages:";
    int pages = -1;
    for (const char *line = output; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, sizeof name - 1) == 0) {
            pages = read_number(line + sizeof name - 1);
        }
    }
    return pages;
}

static int count_pdf(const char *folder, const char *name, const struct sandbox *sandbox,
                     const atomic_bool *stop, struct note *why)
{
    static const char *const environment[] = {"LC_ALL=C.UTF-8",
                                              "LANGUAGE=", "LD_LIBRARY_PATH=", NULL};
    char program[PATH_MAX];
    char place[PATH_MAX];
    char file[PATH_MAX];
    char word[4 * PATH_MAX];
    char command[sizeof program + sizeof word];
    struct sandbox limited = *sandbox;
    struct run_program_result result = {0};
    int pages = -1;
    if (!sandbox_programs_find_in_path(system_path, tool, program) || !realpath(folder, place)) {
        return -1;
    }
    limited.limits = sandbox_limits_default();
    limited.limits.memory_bytes = (int64_t)MEMORY_MIB << 20;
    limited.limits.output_bytes = RUN_PROGRAM_MAX_OUTPUT;
    snprintf(file, sizeof file, "./%s", name); /* it may begin with '-' */
    snprintf(command, sizeof command, "%s %s", program, shell_word(file, word, sizeof word));
    const struct run_program_spec spec = {.command = command,
                                          .folder = place,
                                          .environment = environment,
                                          .sandbox = &limited,
                                          .cpu_ns = CPU_S * CLOCK_NS_PER_S,
                                          .wall_ns = WALL_S * CLOCK_NS_PER_S,
                                          .stop = stop};
    if (!run_program(&spec, &result, why)) {
        pages = run_program_succeeded(&result) ? find_pages(result.output) : -1;
        run_program_result_free(&result);
    }
    return pages;
}

/* --- Zipped documents --- */

static int count_zipped(const char *path, const char *member, const char *word)
{
    int pages = -1;
    zip_t *zip = zip_open(path, ZIP_RDONLY, NULL);
    zip_file_t *file = zip ? zip_fopen(zip, member, 0) : NULL;
    char *text = file ? calloc(1, MOST_PROPERTIES + 1) : NULL;
    if (text && zip_fread(file, text, MOST_PROPERTIES) > 0) {
        const char *at = strstr(text, word);
        pages = at ? read_number(at + strlen(word)) : -1;
    }
    free(text);
    if (file) {
        zip_fclose(file);
    }
    if (zip) {
        zip_discard(zip);
    }
    return pages;
}

int report_pages_count(const char *folder, const char *name, const struct sandbox *sandbox,
                       const atomic_bool *stop, struct note *why)
{
    const char *dot = strrchr(name, '.');
    char path[2 * PATH_MAX];
    note_set(why, "%s", "");
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (dot && strcasecmp(dot, ".docx") == 0) {
        return count_zipped(path, "docProps/app.xml", "<Pages>");
    }
    if (dot && strcasecmp(dot, ".odt") == 0) {
        return count_zipped(path, "meta.xml", "meta:page-count=\"");
    }
    return count_pdf(folder, name, sandbox, stop, why);
}
