#include "report_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/folder.h"
#include "json_check.h"
#include "random_tournament.h"
#include "report/report_json.h"
#include "report/report_page.h"
#include "report/report_parts.h"

static const char roster[] = "[tournament]\nname = <i>Spring</i> & \"more\"\ngame = meichu\n"
                             "format = swiss\nrounds = 3\nseed = 3\n"
                             "[team 11]\nname = <script>alert(1)</script>\nplayer = random\n"
                             "[team 12]\nname = =HYPERLINK(\"x\"), y\nplayer = random\n"
                             "[team 13]\nname = Unmistakable\nplayer = random\ndays_late = 3\n"
                             "[team 14]\nname = </pre><b>bold\nplayer = random\nplagiarism = yes\n"
                             "[team 15]\nname = Fifth\nplayer = random\nwrong_name = yes\n";

static struct folder_scratch scratch;
static char database[FOLDER_SCRATCH_BYTES + 16];

int report_support_set_up(void **state)
{
    struct note why;
    (void)state;
    assert_int_equal(folder_scratch_make(&scratch, &why), ERR_NONE);
    snprintf(database, sizeof database, "%s/t.db", scratch.path);
    random_tournament(database, roster, 7);
    return 0;
}

int report_support_tear_down(void **state)
{
    (void)state;
    folder_scratch_remove(&scratch);
    return 0;
}

void report_support_open(struct report_data *data, bool is_anonymous)
{
    struct note why = {""};
    if (report_data_open(data, database, CPU_BASELINE, is_anonymous, &why)) {
        fail_msg("%s", why.text);
    }
}

char *report_support_csv(report_support_csv_fn *write, const struct report_data *data,
                         bool is_public)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write(out, data, is_public);
    fclose(out);
    return text;
}

const char *report_support_folder(void) { return scratch.path; }

static void open_view(struct report_view *view, const struct report_data *data, bool is_public)
{
    struct note why;
    assert_int_equal(report_view_open(view, data, is_public, &why), ERR_NONE);
}

char *report_support_page(const struct report_data *data, bool is_public)
{
    char *text = NULL;
    size_t size = 0;
    struct report_view view;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    open_view(&view, data, is_public);
    report_page(out, &view, "data");
    report_view_close(&view);
    fclose(out);
    return text;
}

/* A part is one call of a function, with its name and a JSON value. */
static enum err append_part(void *owner, const char *name, const char *text, size_t bytes,
                            struct note *why)
{
    char start[128];
    (void)why;
    assert_int_equal(strlen(text), bytes);
    snprintf(start, sizeof start, "%splumReport(\"%.*s\",", REPORT_PARTS_HEAD,
             (int)strcspn(name, "."), name);
    assert_int_equal(strncmp(text, start, strlen(start)), 0);
    char *value = strdup(text + strlen(start));
    char *end = strstr(value, ");\n");
    assert_non_null(end);
    assert_string_equal(end, ");\n");
    *end = '\0';
    assert_true(json_check(value));
    free(value);
    fprintf(owner, "%s\n%s", name, text);
    return ERR_NONE;
}

/* All parts, each after its name. */
char *report_support_parts(const struct report_data *data, bool is_public)
{
    char *text = NULL;
    size_t size = 0;
    struct report_view view;
    struct note why;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    open_view(&view, data, is_public);
    assert_int_equal(report_parts_write(&view, &(struct report_parts_sink){out, append_part}, &why),
                     ERR_NONE);
    report_view_close(&view);
    fclose(out);
    return text;
}

char *report_support_json(const struct report_data *data, bool is_public)
{
    char *text = NULL;
    size_t size = 0;
    struct report_view view;
    struct note why;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    struct json json = json_make(out, JSON_COMPACT);
    open_view(&view, data, is_public);
    assert_int_equal(report_json(&json, &view, &why), ERR_NONE);
    report_view_close(&view);
    fclose(out);
    assert_true(json_check(text));
    return text;
}

int report_support_count(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text++) {
        count++;
    }
    return count;
}
