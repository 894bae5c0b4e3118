#include "player/player_spec.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "engine/engine.h"
#include "sandbox/sandbox.h"

struct kind_row {
    const char *name;
    bool has_team;
    bool has_command;
    unsigned protocol; /* PROTOCOL_…, which not every game is played through; 0: every game is */
};

static const struct kind_row kinds[] = {
    [PLAYER_BUILTIN] = {"builtin", false, false, 0},
    [PLAYER_RANDOM] = {"random", false, false, 0},
    [PLAYER_TCP] = {"tcp", true, true, PROTOCOL_TCP},
    [PLAYER_FILE] = {"file", true, true, PROTOCOL_FILE},
    [PLAYER_TEMPLATE] = {"template", false, true, PROTOCOL_TEMPLATE},
    [PLAYER_UGI] = {"ugi", false, true, 0},
    [PLAYER_HUMAN] = {"human", false, false, 0},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Copies up to the next ':' into `word` and returns what follows it, or NULL at the end. */
static const char *take_word(const char *text, char *word, size_t room)
{
    size_t length = strcspn(text, ":");
    size_t kept = length < room - 1 ? length : room - 1;
    memcpy(word, text, kept);
    word[kept] = '\0';
    return text[length] ? text + length + 1 : NULL;
}

enum { LEVEL, DEPTH, NODES, MOVETIME, THREADS, HASH, BUILTIN_KEYS };

static enum err read_builtin_option(const char *key, const char *value, struct player_spec *spec,
                                    struct note *why)
{
    static const struct {
        const char *name;
        int64_t low;
        int64_t high;
    } keys[BUILTIN_KEYS] = {
        [LEVEL] = {"level", 1, 10},        [DEPTH] = {"depth", 1, 200},
        [NODES] = {"nodes", 1, INT64_MAX}, [MOVETIME] = {"movetime", 1, 86400000},
        [THREADS] = {"threads", 1, 256},   [HASH] = {"hash", 1, 1048576},
    };
    int64_t number = 0;
    int found = 0;
    while (found < BUILTIN_KEYS && strcmp(key, keys[found].name) != 0) {
        found++;
    }
    if (found == BUILTIN_KEYS) {
        return note_fail(
            why, ERR_INPUT,
            "builtin has no option '%.20s'; it has level, depth, nodes, movetime, threads "
            "and hash",
            key);
    }
    enum err err = number_read(value, key, keys[found].low, keys[found].high, &number, why);
    if (err) {
        return err;
    }
    switch (found) {
    case LEVEL:
        spec->builtin.level = (int)number;
        break;
    case DEPTH:
        spec->builtin.depth = (int)number;
        break;
    case NODES:
        spec->builtin.nodes = number;
        break;
    case MOVETIME:
        spec->builtin.movetime_ms = number;
        break;
    case THREADS:
        spec->builtin.threads = (int)number;
        break;
    default:
        spec->builtin.hash_mb = (int)number;
        break;
    }
    return ERR_NONE;
}

static enum err read_random_option(const char *key, const char *value, struct player_spec *spec,
                                   struct note *why)
{
    int64_t seed = 0;
    if (strcmp(key, "seed") != 0) {
        return note_fail(why, ERR_INPUT, "random has no option '%.20s'; it has seed", key);
    }
    enum err err = number_read(value, "seed", 0, INT64_MAX, &seed, why);
    if (!err) {
        spec->seed = (uint64_t)seed;
    }
    return err;
}

/* Words follow one another from `first` on; those before `word` were accepted. */
static bool was_given(const char *first, const char *word)
{
    while (first < word && strcmp(first, word) != 0) {
        first += strlen(first) + 1;
    }
    return first < word;
}

/* key=value,key=value,… */
static enum err read_options(const char *text, struct player_spec *spec, struct note *why)
{
    char copy[PLAYER_TEXT_BYTES];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *item = copy; item;) {
        char *comma = strchr(item, ',');
        if (comma) {
            *comma = '\0';
        }
        char *equals = strchr(item, '=');
        if (!equals) {
            return note_fail(why, ERR_INPUT, "'%.40s' is not of the form key=value", item);
        }
        *equals = '\0';
        if (was_given(copy, item)) {
            return note_fail(why, ERR_INPUT, "'%.20s' is given twice", item);
        }
        enum err err = spec->kind == PLAYER_RANDOM
                           ? read_random_option(item, equals + 1, spec, why)
                           : read_builtin_option(item, equals + 1, spec, why);
        if (err) {
            return err;
        }
        item = comma ? comma + 1 : NULL;
    }
    return ERR_NONE;
}

static enum err read_rest(const struct kind_row *row, const char *rest, struct player_spec *spec,
                          struct note *why)
{
    if (row->has_team) {
        char team[PLAYER_TEXT_BYTES];
        int64_t number = 0;
        const char *after = rest ? take_word(rest, team, sizeof team) : NULL;
        if (!rest || !after) {
            return note_fail(why, ERR_INPUT,
                             "'%.60s' needs a team number and a command: %s:TEAM:COMMAND",
                             spec->text, row->name);
        }
        enum err err =
            number_read(team, "the team number", PLAYER_MIN_TEAM, PLAYER_MAX_TEAM, &number, why);
        if (err) {
            return err;
        }
        spec->team = (int)number;
        rest = after;
    }
    if (row->has_command) {
        if (!rest || rest[strspn(rest, " \t")] == '\0') {
            return note_fail(why, ERR_INPUT, "'%.60s' needs a command: %s:%sCOMMAND", spec->text,
                             row->name, row->has_team ? "TEAM:" : "");
        }
        spec->command = rest;
        return ERR_NONE;
    }
    if (!rest) {
        return ERR_NONE;
    }
    if (spec->kind == PLAYER_HUMAN) {
        return note_fail(why, ERR_INPUT, "human has no options, but ':%.40s' follows", rest);
    }
    if (spec->kind == PLAYER_BUILTIN && !strchr(rest, '=')) {
        return read_builtin_option("level", rest, spec, why);
    }
    return read_options(rest, spec, why);
}

const char *player_spec_protocols(const struct game *game, const char *dashes,
                                  char out[PLAYER_PROTOCOLS_BYTES])
{
    unsigned left = game->assignment.protocols;
    out[0] = '\0';
    for (int kind = 0; kind < KINDS; kind++) {
        if (kinds[kind].protocol & left) {
            left &= ~kinds[kind].protocol;
            size_t used = strlen(out);
            snprintf(out + used, PLAYER_PROTOCOLS_BYTES - used, "%s%s%s", dashes, kinds[kind].name,
                     left ? ", " : " or ");
        }
    }
    size_t used = strlen(out);
    snprintf(out + used, PLAYER_PROTOCOLS_BYTES - used, "%sugi", dashes);
    return out;
}

enum err player_spec_read(const char *text, const struct game *game, struct player_spec *out,
                          struct note *why)
{
    char name[16];
    if (strlen(text) >= PLAYER_TEXT_BYTES) {
        return note_fail(why, ERR_INPUT, "a player's text has at most %d bytes",
                         PLAYER_TEXT_BYTES - 1);
    }
    struct player_spec *spec = out;
    struct player_spec before = *out;
    memset(spec, 0, sizeof *spec);
    snprintf(spec->text, sizeof spec->text, "%s", text);
    const char *rest = take_word(spec->text, name, sizeof name);
    int kind = 0;
    while (kind < KINDS && strcmp(name, kinds[kind].name) != 0) {
        kind++;
    }
    enum err err = ERR_INPUT;
    if (kind == KINDS) {
        bool is_command = strpbrk(text, " /") || strstr(text, ".py");
        if (is_command) {
            bool is_template = game->auction != NULL;
            note_set(why,
                     "'%.100s' does not begin with the kind of player; did you mean '%s%.100s'?",
                     text, is_template ? "template:" : "tcp:7:", text);
        } else {
            note_set(
                why,
                "there is no player of kind '%.20s'; the kinds are builtin, random, tcp, file, "
                "template, ugi and human",
                name);
        }
    } else if (kinds[kind].protocol & ~game->assignment.protocols) {
        char kept[PLAYER_PROTOCOLS_BYTES];
        note_set(why, "%s players do not play %s; use %s", name, game->name,
                 player_spec_protocols(game, "", kept));
    } else {
        spec->kind = (enum player_kind)kind;
        err = read_rest(&kinds[kind], rest, spec, why);
    }
    if (err) {
        *out = before;
    }
    return err;
}

bool player_spec_is_deterministic(const struct player_spec *spec)
{
    const struct builtin_options *o = &spec->builtin;
    bool is_limited = o->nodes || o->depth || (o->level && o->level < ENGINE_MAX_LEVEL);
    return spec->kind == PLAYER_RANDOM ||
           (spec->kind == PLAYER_BUILTIN && is_limited && !o->movetime_ms && o->threads <= 1);
}

bool player_spec_is_program(const struct player_spec *spec) { return spec->command != NULL; }

/* Words with quotes and the like are the shell's business. */
static bool is_plain(const char *word) { return !strpbrk(word, "'\"\\$`;&|<>()*?[]{}~#=!\t\n "); }

/* Which quote, if any, is still open after the text. */
static char open_quote(const char *text, size_t length, char quote)
{
    for (size_t i = 0; i < length; i++) {
        if (quote ? text[i] == quote : text[i] == '\'' || text[i] == '"') {
            quote = quote ? '\0' : text[i];
        }
    }
    return quote;
}

/* The absolute path of the regular file that a word names; false: it names none. Links are
 * followed in its folder only: a program may look at the name it is called by. */
static bool word_to_file(const char *word, size_t length, char path[PATH_MAX])
{
    char folder[PLAYER_TEXT_BYTES];
    struct stat info;
    memcpy(folder, word, length);
    folder[length] = '\0';
    if (!is_plain(folder) || stat(folder, &info) != 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    char *slash = strrchr(folder, '/');
    size_t above = slash ? (size_t)(slash - folder) : 0;
    const char *name = word + (slash ? above + 1 : 0);
    size_t name_length = length - (size_t)(name - word);
    folder[above] = slash ? '/' : '.';
    folder[above + 1] = '\0';
    if (!realpath(folder, path) || strchr(path, '\'')) {
        return false;
    }
    size_t used = strlen(path);
    used = used == 1 ? 0 : used; /* the root itself */
    if (used + 1 + name_length >= PATH_MAX) {
        return false;
    }
    snprintf(path + used, PATH_MAX - used, "/%.*s", (int)name_length, name);
    return true;
}

static bool is_system_file(const char *path)
{
    static const char *const folders[] = {"/usr/", "/bin/",   "/sbin/",
                                          "/lib/", "/lib32/", "/lib64/"};
    char target[PATH_MAX];
    for (size_t i = 0; realpath(path, target) && i < sizeof folders / sizeof *folders; i++) {
        if (strncmp(target, folders[i], strlen(folders[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool append(struct player_command *command, const char *text, size_t length)
{
    size_t used = strlen(command->text);
    if (used + length + 1 > sizeof command->text) {
        return false;
    }
    memcpy(command->text + used, text, length);
    command->text[used + length] = '\0';
    return true;
}

static bool append_path(struct player_command *command, const char *path)
{
    const char *quote = is_plain(path) ? "" : "'";
    return append(command, quote, strlen(quote)) && append(command, path, strlen(path)) &&
           append(command, quote, strlen(quote));
}

static void set_folder(struct player_command *command, const char *path)
{
    size_t length = (size_t)(strrchr(path, '/') - path);
    length = length ? length : 1;
    if (!command->folder[0] && length < sizeof command->folder) {
        memcpy(command->folder, path, length);
        command->folder[length] = '\0';
    }
}

enum err player_spec_check_python(const char *python, const char *what, struct note *why)
{
    if (!*python || !is_plain(python)) {
        return note_fail(
            why, ERR_INPUT,
            "%s must be the name or path of one program, without spaces and signs of the "
            "shell, not '%.100s'",
            what, python);
    }
    if (strlen(python) >= PLAYER_PYTHON_BYTES) {
        return note_fail(why, ERR_INPUT, "%s is too long: '%.100s…'", what, python);
    }
    return ERR_NONE;
}

static bool is_python(const char *word, size_t length)
{
    return (length == 6 && strncmp(word, "python", 6) == 0) ||
           (length == 7 && strncmp(word, "python3", 7) == 0);
}

static bool append_python(struct player_command *command, const char *python)
{
    char path[PATH_MAX];
    return strchr(python, '/') && word_to_file(python, strlen(python), path)
               ? append_path(command, path)
               : append(command, python, strlen(python));
}

enum err player_spec_command(const struct player_spec *spec, const char *python,
                             struct player_command *out, struct note *why)
{
    struct player_command command = {"", ""};
    bool fits = true;
    char quote = '\0';
    for (const char *at = spec->command; *at && fits;) {
        char path[PATH_MAX];
        size_t spaces = strspn(at, " \t");
        size_t length = strcspn(at + spaces, " \t");
        fits = append(&command, at, spaces);
        at += spaces;
        if (!quote && python && *python && is_python(at, length)) {
            fits = fits && append_python(&command, python);
        } else if (!quote && word_to_file(at, length, path)) {
            /* A later word without a slash may mean anything: `plum agent` where a file agent
             * exists. */
            bool is_path = !command.text[strspn(command.text, " \t")] || memchr(at, '/', length);
            fits = fits && (is_path ? append_path(&command, path) : append(&command, at, length));
            if (!is_system_file(path)) {
                set_folder(&command, path);
            }
        } else {
            fits = fits && append(&command, at, length);
            quote = open_quote(at, length, quote);
        }
        at += length;
    }
    char here[PATH_MAX];
    if (!command.folder[0] && (!realpath(".", here) || strlen(here) >= sizeof command.folder)) {
        fits = false;
    } else if (!command.folder[0]) {
        snprintf(command.folder, sizeof command.folder, "%s", here);
    }
    if (!fits) {
        return note_fail(why, ERR_INPUT, "the paths in '%.60s' are too long", spec->command);
    }
    *out = command;
    return ERR_NONE;
}

enum err player_spec_rehearse(const struct player_spec *spec, const char *python,
                              const struct sandbox *sandbox, struct note *why)
{
    struct player_command command;
    if (!player_spec_is_program(spec)) {
        return ERR_NONE;
    }
    enum err err = player_spec_command(spec, python, &command, why);
    return err ? err : sandbox_rehearse(sandbox, command.text, command.folder, why);
}
