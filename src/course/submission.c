#include "course/submission.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "course/source_text.h"

enum { STEM_BYTES = 128 };

static const char compiled_endings[] = " .c .cpp .cc .cxx .c++ ";
static const char python_endings[] = " .py ";
static const char header_endings[] = " .h .hpp .hh ";
static const char report_endings[] = " .pdf ";
static const char archive_endings[] = " .zip .rar .7z .tar .gz .tgz .bz2 .tbz .xz .txz .zst ";

/* How likely a source is the program, from sure to hardly. */
enum likelihood { NAMED_AS_ASKED, NAMED_SAMPLE, NAMED_A_TEAM, HAS_A_START, IS_A_SOURCE };

struct candidate {
    char path[SUBMISSION_PATH_BYTES];
    enum submission_language language;
    enum likelihood likelihood;
    bool speaks_files;
};

struct finding {
    const char *folder;
    bool by_student;
    char stem[STEM_BYTES]; /* of what was handed in */
    int named_team;
    bool is_team_sure; /* idTeam was in the client's own file */
    struct candidate *candidates;
    size_t count;
    size_t capacity;
    struct submission *out;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool ends_in(const char *name, const char *endings)
{
    char ending[16];
    const char *dot = strrchr(name, '.');
    return dot && snprintf(ending, sizeof ending, " %s ", dot) < (int)sizeof ending &&
           strcasestr(endings, ending);
}

bool submission_is_archive(const char *name) { return ends_in(name, archive_endings); }

static bool has_known_ending(const char *name)
{
    return submission_is_archive(name) || ends_in(name, compiled_endings) ||
           ends_in(name, python_endings) || ends_in(name, report_endings);
}

void submission_stem(const char *name, char *out, size_t room)
{
    snprintf(out, room, "%s", base_name(name));
    while (has_known_ending(out)) {
        *strrchr(out, '.') = '\0';
    }
}

void submission_student(const char *name, char *out, size_t room)
{
    submission_stem(name, out, room);
    size_t digits = strspn(out, "0123456789");
    if (digits > 0 && !isalnum((unsigned char)out[digits])) {
        out[digits] = '\0';
    }
}

int submission_team_number(const char *name)
{
    char stem[STEM_BYTES];
    int64_t number = -1;
    submission_stem(name, stem, sizeof stem);
    const char *digits = stem;
    if (strncasecmp(stem, "team", 4) == 0) {
        digits += 4;
        digits += *digits && strchr("_- ", *digits);
    }
    return number_read(digits, "team", 0, 999999999, &number, NULL) ? -1 : (int)number;
}

/* --- Looking into a source. --- */

/* NULL: not a text. The caller frees. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rbe");
    char *bytes = malloc(SUBMISSION_MAX_TEXT);
    char *text = NULL;
    size_t size = file && bytes ? fread(bytes, 1, SUBMISSION_MAX_TEXT, file) : 0;
    if (size && source_text_decode(bytes, size, &text, NULL)) {
        text = NULL;
    }
    free(bytes);
    if (file) {
        fclose(file);
    }
    return text;
}

static bool is_letter(char c) { return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

/* The number in "idTeam = 7" or "idTeam 7"; -1: there is none. */
static int find_id_team(const char *text)
{
    static const char word[] = "idTeam";
    for (const char *at = text; (at = strstr(at, word)); at++) {
        const char *rest = at + strlen(word);
        rest += strspn(rest, " \t=({");
        size_t digits = strspn(rest, "0123456789");
        bool is_whole = !is_letter(at[strlen(word)]) && (at == text || !is_letter(at[-1]));
        if (is_whole && digits > 0 && digits <= 9) {
            return (int)strtol(rest, NULL, 10);
        }
    }
    return -1;
}

static void note_team(struct finding *finding, const char *name, const char *text)
{
    int team = find_id_team(text);
    bool is_client = strcasestr(name, "STcpClient") || strcasestr(name, "FileClient");
    if (team >= 0 && (finding->out->team < 0 || (is_client && !finding->is_team_sure))) {
        finding->out->team = team;
        finding->is_team_sure = is_client;
    }
}

static bool has_start(const char *text, enum submission_language language)
{
    return strstr(text, "GetStep") ||
           strstr(text, language == SUBMISSION_PYTHON ? "__main__" : "main");
}

static enum likelihood judge_name(const struct finding *finding, const char *name, const char *text,
                                  enum submission_language language)
{
    char stem[STEM_BYTES];
    submission_stem(name, stem, sizeof stem);
    int number = strncasecmp(stem, "team", 4) == 0 ? submission_team_number(stem) : -1;
    if (finding->by_student
            ? strcasecmp(stem, finding->stem) == 0
            : number >= 0 && (finding->named_team < 0 || finding->named_team == number)) {
        return NAMED_AS_ASKED;
    }
    if (!finding->by_student && strcasecmp(stem, "Sample") == 0) {
        return NAMED_SAMPLE;
    }
    return !finding->by_student && number >= 0 ? NAMED_A_TEAM
           : has_start(text, language)         ? HAS_A_START
                                               : IS_A_SOURCE;
}

static enum err add_candidate(struct finding *finding, const char *path, const char *text)
{
    const char *name = base_name(path);
    enum submission_language language =
        ends_in(name, python_endings) ? SUBMISSION_PYTHON : SUBMISSION_COMPILED;
    if (finding->count == finding->capacity) {
        size_t capacity = finding->capacity ? 2 * finding->capacity : 16;
        struct candidate *grown = realloc(finding->candidates, capacity * sizeof *grown);
        if (!grown) {
            return ERR_ENVIRONMENT;
        }
        finding->candidates = grown;
        finding->capacity = capacity;
    }
    struct candidate *candidate = &finding->candidates[finding->count++];
    *candidate = (struct candidate){
        .language = language,
        .likelihood = judge_name(finding, name, text, language),
        .speaks_files = strstr(text, "FileClient"),
    };
    snprintf(candidate->path, sizeof candidate->path, "%s", path);
    return ERR_NONE;
}

static enum err look_at(struct finding *finding, const char *path, const char *full_path)
{
    const char *name = base_name(path);
    bool is_source = ends_in(name, compiled_endings) || ends_in(name, python_endings);
    bool is_client = strcasestr(name, "STcpClient.") || strcasestr(name, "FileClient.");
    if (strlen(path) >= SUBMISSION_PATH_BYTES) {
        return ERR_NONE;
    }
    if (ends_in(name, report_endings)) {
        char stem[STEM_BYTES];
        submission_stem(name, stem, sizeof stem);
        finding->out->has_report = true;
        finding->out->has_wrong_name |= finding->by_student && strcasecmp(stem, finding->stem) != 0;
    }
    if (submission_is_archive(name) && !finding->out->archive[0]) {
        snprintf(finding->out->archive, SUBMISSION_PATH_BYTES, "%s", path);
    }
    if (!is_source && !ends_in(name, header_endings)) {
        return ERR_NONE;
    }
    char *text = read_text(full_path);
    enum err err = ERR_NONE;
    if (text) {
        note_team(finding, name, text);
        err = is_source && !is_client ? add_candidate(finding, path, text) : ERR_NONE;
    }
    free(text);
    return err;
}

static enum err look_around(struct finding *finding, struct note *why)
{
    char *roots[] = {(char *)finding->folder, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    enum err err = ERR_NONE;
    if (!tree) {
        note_set(why, "cannot read %.150s: %s", finding->folder, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    for (FTSENT *entry; !err && (entry = fts_read(tree));) {
        if (entry->fts_info == FTS_D && entry->fts_level > 0 && entry->fts_name[0] == '.') {
            fts_set(tree, entry, FTS_SKIP);
        } else if (entry->fts_info == FTS_F) {
            err = look_at(finding, entry->fts_path + strlen(finding->folder) + 1, entry->fts_path);
        }
    }
    fts_close(tree);
    if (err) {
        note_set(why, "out of memory");
    }
    return err;
}

/* --- The choice. --- */

static int depth_of(const char *path)
{
    int depth = 0;
    for (; (path = strchr(path, '/')); path++) {
        depth++;
    }
    return depth;
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;
    if (x->likelihood != y->likelihood) {
        return x->likelihood < y->likelihood ? -1 : 1;
    }
    int depth = depth_of(x->path) - depth_of(y->path);
    return depth ? depth : strcmp(x->path, y->path);
}

static void add_sources(struct finding *finding)
{
    struct submission *out = finding->out;
    size_t folder = (size_t)(base_name(out->program) - out->program);
    for (size_t i = 0; i < finding->count && out->source_count < SUBMISSION_MAX_SOURCES; i++) {
        const struct candidate *candidate = &finding->candidates[i];
        if (candidate->language == SUBMISSION_COMPILED &&
            strncmp(candidate->path, out->program, folder) == 0 &&
            !strchr(candidate->path + folder, '/')) {
            snprintf(out->sources[out->source_count++], SUBMISSION_PATH_BYTES, "%s",
                     candidate->path);
        }
    }
}

static void choose(struct finding *finding)
{
    struct submission *out = finding->out;
    if (finding->count == 0) {
        return;
    }
    qsort(finding->candidates, finding->count, sizeof *finding->candidates, compare_candidates);
    const struct candidate *best = &finding->candidates[0];
    snprintf(out->program, sizeof out->program, "%s", best->path);
    out->language = best->language;
    out->speaks_files = best->speaks_files;
    out->has_wrong_name |= best->likelihood > NAMED_SAMPLE;
    if (best->language == SUBMISSION_COMPILED) {
        add_sources(finding);
    }
}

enum err submission_find(const char *folder, const char *handed_in_as, bool by_student,
                         struct submission *out, struct note *why)
{
    *out = (struct submission){.team = -1};
    struct finding finding = {.folder = folder,
                              .by_student = by_student,
                              .named_team = submission_team_number(handed_in_as),
                              .out = out};
    if (by_student) {
        submission_student(handed_in_as, finding.stem, sizeof finding.stem);
    } else {
        submission_stem(handed_in_as, finding.stem, sizeof finding.stem);
    }
    enum err err = look_around(&finding, why);
    if (!err) {
        choose(&finding);
    }
    free(finding.candidates);
    return err;
}
