#include "course/submission.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/file.h"
#include "course/source_code.h"
#include "course/source_text.h"

enum { STEM_BYTES = 128, IMPORTS_BYTES = 2048, MIN_STUDENT_DIGITS = 5 };

static const char compiled_endings[] = " .c .cpp .cc .cxx .c++ ";
static const char python_endings[] = " .py ";
static const char header_endings[] = " .h .hpp .hh ";
static const char report_endings[] = " .pdf .docx .odt .doc ";
static const char project_endings[] = " .sln .vcxproj .vcproj ";
static const char windows_endings[] = " .exe ";
static const char archive_endings[] = " .zip .rar .7z .tar .gz .tgz .bz2 .tbz .xz .txz .zst ";

/* How likely a source is the program, from sure to hardly. */
enum likelihood { NAMED_AS_ASKED, NAMED_SAMPLE, NAMED_A_TEAM, HAS_A_START, IS_A_SOURCE };

/* What a source shows of the way in which it talks to the judge. */
enum protocol_sign {
    USES_TCP_CLIENT = 1,
    USES_FILE_CLIENT = 2,
    OPENS_SOCKETS = 4,
    OPENS_MOVE_FILES = 8,
    FILLS_TEMPLATE = 16, /* defines the functions of the template */
};

/* A source or header. */
struct seen_file {
    char path[SUBMISSION_PATH_BYTES];
    enum submission_language language;
    bool is_program; /* may be the program: not a header, not the courses' client */
    bool is_client;
    bool is_used;     /* by the program that was chosen */
    bool is_searched; /* for what it uses itself */
    bool has_start;
    struct team_numbers numbers;
    unsigned signs;
    enum likelihood likelihood;
    char imports[IMPORTS_BYTES]; /* its lines that name other files */
};

struct program_search {
    const char *folder;
    bool by_student;
    char stem[STEM_BYTES]; /* of the submission's name */
    int named_team;
    struct seen_file *files;
    size_t count;
    size_t capacity;
    int report_rank;
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

bool submission_is_windows_program(const char *name) { return ends_in(name, windows_endings); }

bool submission_is_source(const char *name)
{
    return ends_in(name, compiled_endings) || ends_in(name, python_endings);
}

bool submission_is_code(const char *name)
{
    return submission_is_source(name) || ends_in(name, header_endings);
}

const char *submission_language_name(const char *program)
{
    return ends_in(program, python_endings)     ? "Python"
           : ends_in(program, " .c ")           ? "C"
           : ends_in(program, compiled_endings) ? "C++"
                                                : "-";
}

bool submission_is_client(const char *name)
{
    return strncasecmp(name, "STcpClient.", 11) == 0 || strncasecmp(name, "FileClient.", 11) == 0 ||
           strcasecmp(name, "practice.py") == 0;
}

static bool has_known_ending(const char *name)
{
    return submission_is_archive(name) || submission_is_source(name) ||
           submission_is_windows_program(name) || ends_in(name, report_endings);
}

void submission_stem(const char *name, char *out, size_t room)
{
    snprintf(out, room, "%s", base_name(name));
    while (has_known_ending(out)) {
        *strrchr(out, '.') = '\0';
    }
}

static bool is_word(char c) { return c == '_' || isalnum((unsigned char)c); }

bool submission_student(const char *name, char *out, size_t room)
{
    char stem[NAME_MAX + 1];
    submission_stem(name, stem, sizeof stem);
    for (const char *at = stem; *at;) {
        size_t letters = 0;
        while (isalpha((unsigned char)at[letters])) {
            letters++;
        }
        size_t digits = strspn(at + letters, "0123456789");
        bool is_whole = !isalnum((unsigned char)at[letters + digits]);
        if (digits >= MIN_STUDENT_DIGITS && letters <= 2 && is_whole) {
            snprintf(out, room, "%.*s", (int)(letters + digits), at);
            return true;
        }
        at += letters + digits;
        at += !(letters + digits);
    }
    snprintf(out, room, "%s", stem);
    return false;
}

/* The digits of "7", "_7", "- 7"; -1: there are none, or more follows. */
static int number_at(const char *text)
{
    text += *text && strchr("_- ", *text) ? 1 : 0;
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 9 || isalnum((unsigned char)text[digits])) {
        return -1;
    }
    return (int)strtol(text, NULL, 10);
}

int submission_team_number(const char *name)
{
    static const char *const words[] = {"team", "group", "\xe7\xac\xac" /* the Chinese "number" */};
    char stem[NAME_MAX + 1];
    submission_stem(name, stem, sizeof stem);
    size_t digits = strspn(stem, "0123456789");
    if (digits > 0 && !stem[digits]) {
        return number_at(stem);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (const char *at = stem; (at = strcasestr(at, words[i])); at++) {
            bool is_start = at == stem || !isalpha((unsigned char)at[-1]);
            int number = is_start ? number_at(at + strlen(words[i])) : -1;
            if (number >= 0) {
                return number;
            }
        }
    }
    return -1;
}

/* --- Looking into a source. --- */

/* *out stays NULL if it cannot be opened or is not a text; the caller frees it. */
static enum err read_text(const char *path, char **out, struct note *why)
{
    size_t size = 0;
    char *bytes = file_read_head(path, SUBMISSION_MAX_TEXT, &size);
    if (!bytes && errno == ENOMEM) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory to read %.150s", path);
    }
    struct note problem;
    enum err err = bytes && size ? source_text_decode(bytes, size, out, &problem) : ERR_NONE;
    free(bytes);
    if (err == ERR_INPUT) {
        return ERR_NONE;
    }
    if (err) {
        *why = problem;
    }
    return err;
}

/* Whether a string of the line is, or begins with, that file name: "state_7.txt", './state_'. */
static bool names_file(const char *line, const char *kind)
{
    for (const char *at = line; (at = strstr(at, kind)); at++) {
        const char *end = at + strlen(kind);
        if (at > line && strchr("\"'/\\", at[-1]) && *end && strchr("_\"'", *end)) {
            return true;
        }
    }
    return false;
}

/* Clients are named in imports only: a text may name anything. */
static bool is_import(const char *line)
{
    return strncmp(line, "import ", 7) == 0 || strncmp(line, "from ", 5) == 0 ||
           (line[0] == '#' && strncmp(line + 1 + strspn(line + 1, " \t"), "include", 7) == 0);
}

static unsigned signs_of_line(const char *line)
{
    if (is_import(line)) {
        return strcasestr(line, "FileClient")                          ? USES_FILE_CLIENT
               : strcasestr(line, "STcpClient")                        ? USES_TCP_CLIENT
               : strstr(line, "socket") || strcasestr(line, "winsock") ? OPENS_SOCKETS
                                                                       : 0;
    }
    return strstr(line, "8888") ? OPENS_SOCKETS : 0;
}

/* Goes through the code line by line, which is cut for that. */
static void read_lines(struct seen_file *file, char *code)
{
    bool has_state = false;
    bool has_move = false;
    char *rest = NULL;
    for (char *line = strtok_r(code, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        line += strspn(line, " \t");
        size_t used = strlen(file->imports);
        if (is_import(line)) {
            snprintf(file->imports + used, sizeof file->imports - used, "%s\n", line);
        }
        has_state |= names_file(line, "state");
        has_move |= names_file(line, "move");
        file->signs |= signs_of_line(line);
    }
    file->signs |= has_state && has_move ? OPENS_MOVE_FILES : 0;
}

static bool has_main(const char *text)
{
    for (const char *at = text; (at = strstr(at, "main")); at++) {
        bool is_whole = (at == text || !is_word(at[-1])) && !is_word(at[4]);
        if (is_whole && at[4 + strspn(at + 4, " \t\n")] == '(') {
            return true;
        }
    }
    return false;
}

static bool has_start(const char *code, const char *bare, enum submission_language language)
{
    return strstr(bare, "GetStep") ||
           (language == SUBMISSION_PYTHON ? strstr(code, "__main__") != NULL : has_main(bare));
}

static enum likelihood judge_name(const struct program_search *search, const char *name,
                                  bool has_a_start)
{
    char stem[STEM_BYTES];
    submission_stem(name, stem, sizeof stem);
    int number = strncasecmp(stem, "team", 4) == 0 ? submission_team_number(stem) : -1;
    if (search->by_student
            ? strcasecmp(stem, search->stem) == 0
            : number >= 0 && (search->named_team < 0 || search->named_team == number)) {
        return NAMED_AS_ASKED;
    }
    if (!search->by_student && strcasecmp(stem, "Sample") == 0) {
        return NAMED_SAMPLE;
    }
    return !search->by_student && number >= 0 ? NAMED_A_TEAM
           : has_a_start                      ? HAS_A_START
                                              : IS_A_SOURCE;
}

/* False: no memory. */
static bool read_source(struct seen_file *file, const char *text, bool by_student)
{
    bool is_python = file->language == SUBMISSION_PYTHON;
    char *code = source_code_of(text, is_python, SOURCE_QUOTES_KEPT);
    char *bare = source_code_of(text, is_python, SOURCE_QUOTES_EMPTY);
    char *lines = code ? strdup(code) : NULL;
    bool is_read = bare && lines;
    if (is_read) {
        bool fills_template = strstr(bare, "make_decision") && strstr(bare, "bid");
        file->has_start = has_start(code, bare, file->language);
        file->signs = by_student && fills_template ? FILLS_TEMPLATE : 0;
        read_lines(file, lines);
        team_numbers_add(&file->numbers, code, bare, file->signs & OPENS_MOVE_FILES);
    }
    free(lines);
    free(bare);
    free(code);
    return is_read;
}

static enum submission_language language_of(const char *name)
{
    return ends_in(name, python_endings) ? SUBMISSION_PYTHON : SUBMISSION_COMPILED;
}

static enum err add_file(struct program_search *search, const char *path, const char *text)
{
    const char *name = base_name(path);
    struct seen_file *files =
        array_reserve(search->files, &search->capacity, search->count + 1, sizeof *files);
    if (!files) {
        return ERR_ENVIRONMENT;
    }
    search->files = files;
    struct seen_file *file = &search->files[search->count++];
    *file = (struct seen_file){
        .language = language_of(name),
        .is_client = submission_is_client(name),
        .is_program = submission_is_source(name) && !submission_is_client(name),
    };
    snprintf(file->path, sizeof file->path, "%s", path);
    if (!read_source(file, text, search->by_student)) {
        return ERR_ENVIRONMENT;
    }
    file->likelihood = judge_name(search, name, file->has_start);
    return ERR_NONE;
}

/* --- Looking around. --- */

/* Of several the one with the name that was asked for, then one that calls itself a report. */
static void look_at_report(struct program_search *search, const char *path)
{
    const char *name = base_name(path);
    char stem[STEM_BYTES];
    submission_stem(name, stem, sizeof stem);
    bool is_named = strcasecmp(stem, search->stem) == 0 && ends_in(name, " .pdf ");
    bool is_called = strcasestr(name, "report") || strstr(name, "\xe5\xa0\xb1\xe5\x91\x8a");
    int rank = is_named ? 3 : is_called ? 2 : 1;
    if (rank > search->report_rank) {
        search->report_rank = rank;
        snprintf(search->out->report, SUBMISSION_PATH_BYTES, "%s", path);
        search->out->has_wrong_report_name = search->by_student && !is_named;
    }
}

static enum err look_at(struct program_search *search, const char *path, const char *full_path,
                        struct note *why)
{
    struct submission *out = search->out;
    const char *name = base_name(path);
    bool is_code = submission_is_code(name);
    if (strlen(path) >= SUBMISSION_PATH_BYTES) {
        if (is_code) {
            note_list(out->skipped.text, sizeof out->skipped.text, "%s", name);
        }
        return ERR_NONE;
    }
    if (ends_in(name, report_endings)) {
        look_at_report(search, path);
    }
    if (submission_is_archive(name) && out->archive_count++ == 0) {
        snprintf(out->archive, SUBMISSION_PATH_BYTES, "%s", path);
    }
    if (ends_in(name, project_endings) && !out->project[0]) {
        snprintf(out->project, SUBMISSION_PATH_BYTES, "%s", path);
    }
    if (!is_code) {
        return ERR_NONE;
    }
    char *text = NULL;
    enum err err = read_text(full_path, &text, why);
    if (text) {
        err = add_file(search, path, text);
    } else if (!err && submission_is_source(name)) {
        note_list(out->skipped.text, sizeof out->skipped.text, "%s", path);
    }
    free(text);
    return err;
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static enum err look_around(struct program_search *search, struct note *why)
{
    char *roots[] = {(char *)search->folder, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
    enum err err = ERR_NONE;
    if (!tree) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot read %.150s: %s", search->folder,
                         strerror(errno));
    }
    for (FTSENT *entry; !err && (entry = fts_read(tree));) {
        if (entry->fts_info == FTS_D && entry->fts_level > 0 && entry->fts_name[0] == '.') {
            fts_set(tree, entry, FTS_SKIP);
        } else if (entry->fts_info == FTS_F) {
            err =
                look_at(search, entry->fts_path + strlen(search->folder) + 1, entry->fts_path, why);
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

/* A file in which the program, or another file of it, is named by an import. */
static bool imports(const struct seen_file *file, const struct seen_file *other)
{
    char stem[SUBMISSION_PATH_BYTES];
    snprintf(stem, sizeof stem, "%s", base_name(other->path));
    char *dot = strrchr(stem, '.');
    if (dot) {
        *dot = '\0';
    }
    for (const char *at = file->imports; *stem && (at = strstr(at, stem)); at++) {
        if ((at == file->imports || !is_word(at[-1])) && !is_word(at[strlen(stem)])) {
            return true;
        }
    }
    return false;
}

/* What a program shows itself, or else a file that it imports shows. */
static unsigned signs_of(const struct program_search *search, const struct seen_file *file)
{
    unsigned signs = file->signs;
    for (size_t i = 0; !signs && i < search->count; i++) {
        const struct seen_file *other = &search->files[i];
        if (other != file && !other->is_client && imports(file, other)) {
            signs |= other->signs;
        }
    }
    return signs;
}

static bool is_test(const struct seen_file *file)
{
    return strcasestr(base_name(file->path), "test");
}

static bool is_better(const struct program_search *search, const struct seen_file *x,
                      const struct seen_file *y)
{
    bool x_talks = signs_of(search, x);
    bool y_talks = signs_of(search, y);
    if (x_talks != y_talks) {
        return x_talks;
    }
    if (x->likelihood >= HAS_A_START && y->likelihood >= HAS_A_START) {
        bool x_uses_y = imports(x, y) && !is_test(x);
        bool y_uses_x = imports(y, x) && !is_test(y);
        if (x_uses_y != y_uses_x) {
            return x_uses_y;
        }
    }
    if (x->likelihood != y->likelihood) {
        return x->likelihood < y->likelihood;
    }
    int depth = depth_of(x->path) - depth_of(y->path);
    return depth ? depth < 0 : strcmp(x->path, y->path) < 0;
}

static bool is_in_folder_of(const char *path, const char *program)
{
    size_t folder = (size_t)(base_name(program) - program);
    return strncmp(path, program, folder) == 0 && !strchr(path + folder, '/');
}

static void add_sources(struct program_search *search)
{
    struct submission *out = search->out;
    for (size_t i = 0; i < search->count; i++) {
        const struct seen_file *file = &search->files[i];
        if (!file->is_program || file->language != SUBMISSION_COMPILED ||
            !is_in_folder_of(file->path, out->program)) {
            continue;
        }
        if (out->source_count == SUBMISSION_MAX_SOURCES) {
            note_list(out->skipped.text, sizeof out->skipped.text, "%s", file->path);
        } else {
            snprintf(out->sources[out->source_count++], SUBMISSION_PATH_BYTES, "%s", file->path);
        }
    }
}

static enum submission_protocol protocol_of(unsigned signs)
{
    if (signs & USES_FILE_CLIENT) {
        return SUBMISSION_FILES;
    }
    if (signs & USES_TCP_CLIENT) {
        return SUBMISSION_TCP;
    }
    bool uses_files = signs & OPENS_MOVE_FILES;
    bool uses_sockets = signs & OPENS_SOCKETS;
    return uses_files == uses_sockets ? SUBMISSION_UNCLEAR
           : uses_files               ? SUBMISSION_FILES
                                      : SUBMISSION_TCP;
}

/* Marks the program and all that it imports, directly or not. */
static void mark_used(struct program_search *search, struct seen_file *program)
{
    program->is_used = true;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = 0; i < search->count; i++) {
            struct seen_file *user = &search->files[i];
            bool is_next = user->is_used && !user->is_searched;
            user->is_searched |= is_next;
            for (size_t k = 0; is_next && k < search->count; k++) {
                struct seen_file *file = &search->files[k];
                if (!file->is_used && user->language == file->language && imports(user, file)) {
                    file->is_used = is_new = true;
                }
            }
        }
    }
}

/* A file that no import names may be imported all the same: importlib, exec. */
static bool has_other_numbers(const struct program_search *search,
                              const struct team_numbers *numbers)
{
    for (size_t i = 0; i < search->count; i++) {
        const struct team_numbers *others = &search->files[i].numbers;
        for (size_t k = 0; k < others->count; k++) {
            if (others->list[k] >= 0 && !team_numbers_have(numbers, others->list[k])) {
                return true;
            }
        }
    }
    return false;
}

/* The files that the program uses know best, then those next to it, then all. Others only show that
 * it is not certain. */
static void find_numbers(struct program_search *search, struct seen_file *program)
{
    enum { USED, NEAR, ALL };
    struct team_numbers *numbers = &search->out->numbers;
    if (program) {
        mark_used(search, program);
    }
    for (int reach = program ? USED : ALL; !numbers->count && reach <= ALL; reach++) {
        for (size_t i = 0; i < search->count; i++) {
            const struct seen_file *file = &search->files[i];
            if (reach == ALL || file->is_used ||
                (reach == NEAR && is_in_folder_of(file->path, program->path))) {
                team_numbers_join(numbers, &file->numbers);
            }
        }
        numbers->is_open |= !numbers->count && program;
    }
    numbers->is_open |= has_other_numbers(search, numbers);
    team_numbers_finish(numbers);
}

static void choose(struct program_search *search)
{
    struct submission *out = search->out;
    struct seen_file *best = NULL;
    for (size_t i = 0; i < search->count; i++) {
        struct seen_file *file = &search->files[i];
        if (file->is_program && (!best || is_better(search, file, best))) {
            best = file;
        }
    }
    find_numbers(search, best);
    if (!best) {
        return;
    }
    snprintf(out->program, sizeof out->program, "%s", best->path);
    out->language = best->language;
    out->protocol = protocol_of(signs_of(search, best));
    out->has_wrong_name = best->likelihood > NAMED_SAMPLE;
    for (size_t i = 0; i < search->count; i++) {
        const struct seen_file *file = &search->files[i];
        bool could_be = file->has_start || file->likelihood < HAS_A_START;
        if (file != best && file->is_program && could_be && !imports(best, file)) {
            note_list(out->others.text, sizeof out->others.text, "%s", file->path);
        }
    }
    if (best->language == SUBMISSION_COMPILED) {
        add_sources(search);
    }
}

enum err submission_find(const char *folder, const char *name, bool by_student,
                         struct submission *out, struct note *why)
{
    *out = (struct submission){.language = SUBMISSION_NO_PROGRAM};
    struct program_search search = {.folder = folder, .by_student = by_student, .out = out};
    bool is_student = submission_student(name, search.stem, sizeof search.stem);
    search.named_team = is_student ? -1 : submission_team_number(name);
    enum err err = look_around(&search, why);
    if (!err) {
        choose(&search);
    }
    free(search.files);
    return err;
}

enum err submission_protocol_of(const char *path, enum submission_protocol *out, struct note *why)
{
    struct seen_file file = {.language = language_of(path)};
    char *text = NULL;
    enum err err = read_text(path, &text, why);
    if (text && !read_source(&file, text, false)) {
        err = note_fail(why, ERR_ENVIRONMENT, "no memory to read %.150s", path);
    }
    free(text);
    if (!err) {
        *out = protocol_of(file.signs);
    }
    return err;
}
