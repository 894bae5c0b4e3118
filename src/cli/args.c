#include "cli/args.h"

#include <assert.h>
#include <string.h>

#include "base/number.h"
#include "game/registry.h"
#include "cli/help_fill.h"

/* --- Operands and mistyped names. --- */

struct operands operands_read(const char *text)
{
    struct operands operands = {0};
    for (const char *at = text; *at;) {
        assert(operands.count < OPERANDS_MAX);
        size_t word_length = strcspn(at, " ");
        bool is_optional = *at == '[';
        const char *name = at + is_optional;
        size_t length = strcspn(name, " .]");
        operands.list[operands.count++] = (struct operand){name, (int)length};
        operands.required += !is_optional;
        operands.is_last_repeated = name[length] == '.';
        at += word_length + (at[word_length] == ' ');
    }
    return operands;
}

bool operand_is(struct operand operand, const char *name)
{
    return strlen(name) == (size_t)operand.length &&
           strncmp(operand.name, name, (size_t)operand.length) == 0;
}

enum { LONGEST_WORD = 31 };

static int least(int a, int b) { return a < b ? a : b; }

/* The fewest single-letter edits that turn a into b (Levenshtein). */
static int distance(const char *a, const char *b)
{
    int rows = (int)strlen(a);
    int columns = (int)strlen(b);
    int cost[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (int i = 0; i <= rows; i++) {
        for (int j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            int replace = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int shorter = least(cost[i - 1][j], cost[i][j - 1]) + 1;
            cost[i][j] = least(replace, shorter);
        }
    }
    return cost[rows][columns];
}

const char *args_suggest(const char *typed, const char *const *names)
{
    size_t length = strlen(typed);
    if (length < 2 || length > LONGEST_WORD) {
        return NULL;
    }
    const char *best = NULL;
    int allowed = 1 + (int)length / 3;
    for (; *names; names++) {
        if (strlen(*names) > LONGEST_WORD) {
            continue;
        }
        int d = distance(typed, *names);
        if (d <= allowed) {
            best = *names;
            allowed = d - 1;
        }
    }
    return best;
}

/* --- Reading. --- */

/* A minus before a digit begins a number, a lone minus means a stream. */
static bool looks_like_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && !(word[1] >= '0' && word[1] <= '9');
}

bool args_may_repeat(const struct option *option)
{
    return option->value && strstr(option->value, "...");
}

bool args_is_required(const struct command *command, const char *name)
{
    struct operands names = operands_read(command->required ? command->required : "");
    for (int i = 0; i < names.count; i++) {
        if (operand_is(names.list[i], name)) {
            return true;
        }
    }
    return false;
}

bool args_ask_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static int option_index(const struct command *command, const char *name, size_t length)
{
    for (int i = 0; command->options[i].name; i++) {
        const char *known = command->options[i].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

/* The only option that begins with this letter. */
static int letter_index(const struct command *command, char letter)
{
    int found = -1;
    for (int i = 0; command->options[i].name; i++) {
        if (command->options[i].name[0] == letter) {
            if (found >= 0) {
                return -1;
            }
            found = i;
        }
    }
    return found;
}

static enum err refuse_unknown(const struct command *command, const char *word, struct note *why)
{
    const char *names[CLI_MAX_OPTIONS + 2] = {"help"};
    for (int i = 0; command->options[i].name; i++) {
        names[i + 1] = command->options[i].name;
    }
    int length = (int)strcspn(word, "=");
    struct note bare;
    note_set(&bare, "%.*s", length, word);
    if (strcmp(bare.text, "--help") == 0) {
        return note_fail(why, ERR_INPUT, "--help takes no value");
    }
    const char *near = args_suggest(bare.text + strspn(bare.text, "-"), names);
    return note_fail(why, ERR_INPUT, "there is no option %.40s%s%s%s", bare.text,
                     near ? "; did you mean --" : "", near ? near : "", near ? "?" : "");
}

/* "[HOST:PORT]": the value may be left out. */
static bool is_value_optional(const struct option *option)
{
    return option->value && option->value[0] == '[';
}

/* Whether `value` is one of the words in "on|off". Other placeholders take anything. */
static bool is_allowed(const char *choices, const char *value)
{
    if (!strchr(choices, '|')) {
        return true;
    }
    for (const char *at = choices; at;) {
        size_t length = strcspn(at, "|");
        if (strlen(value) == length && strncmp(at, value, length) == 0) {
            return true;
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    return false;
}

/* The option is given once more than is allowed: alone, or together with others. */
static enum err refuse_repeat(const struct args *args, int index, struct note *why)
{
    const struct option *options = args->command->options;
    int other = index;
    for (int i = 0; i < args->repeat_count; i++) {
        other = args->repeat_options[i] != index ? args->repeat_options[i] : other;
    }
    if (other == index) {
        return note_fail(why, ERR_INPUT, "--%s is given more than %d times", options[index].name,
                         CLI_MAX_REPEATS);
    }
    return note_fail(why, ERR_INPUT, "--%s and --%s are given more than %d times together",
                     options[index].name, options[other].name, CLI_MAX_REPEATS);
}

/* Checks and keeps `value`; NULL: the option came without one. */
static enum err keep_option(struct args *args, int index, const char *value, struct note *why)
{
    const struct option *option = &args->command->options[index];
    bool may_repeat = args_may_repeat(option);
    if (args->options[index] && !may_repeat) {
        return note_fail(why, ERR_INPUT, "--%s is given twice", option->name);
    }
    if (may_repeat && args->repeat_count == CLI_MAX_REPEATS) {
        return refuse_repeat(args, index, why);
    }
    if (!option->value && value) {
        return note_fail(why, ERR_INPUT, "--%s takes no value, but got '%.40s'", option->name,
                         value);
    }
    if (is_value_optional(option) && !value) {
        value = "";
    } else if (option->value && (!value || !*value)) {
        return note_fail(why, ERR_INPUT, "--%s needs a value: --%s %s", option->name, option->name,
                         option->value);
    }
    if (option->value && !is_allowed(option->value, value)) {
        return note_fail(why, ERR_INPUT, "--%s must be one of %s, not '%.40s'", option->name,
                         option->value, value);
    }
    if (may_repeat) {
        args->repeat_options[args->repeat_count] = index;
        args->repeats[args->repeat_count++] = value;
    }
    if (!args->options[index]) {
        args->options[index] = value ? value : "";
    }
    return ERR_NONE;
}

/* Takes the option at argv[*at], and also the next word when that is its value. */
static enum err take_option(struct args *args, int argc, char **argv, int *at, struct note *why)
{
    const char *word = argv[*at];
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
    bool is_letter = !length && word[2] == '\0';
    int index = is_letter ? letter_index(args->command, word[1])
                : length  ? option_index(args->command, word + 2, length)
                          : -1;
    if (index < 0) {
        return refuse_unknown(args->command, word, why);
    }
    const char *value = !is_letter && word[2 + length] == '=' ? word + 2 + length + 1 : NULL;
    bool next_is_value = *at + 1 < argc && !looks_like_option(argv[*at + 1]);
    if (!value && args->command->options[index].value && next_is_value) {
        value = argv[++*at];
    }
    return keep_option(args, index, value, why);
}

static bool has_position(const struct operands *operands)
{
    for (int i = 0; i < operands->count; i++) {
        if (operand_is(operands->list[i], "POSITION")) {
            return true;
        }
    }
    return false;
}

static enum err check_count(const struct args *args, struct note *why)
{
    struct operands wanted = operands_read(args->command->operands);
    if (args->count < wanted.required) {
        struct operand missing = wanted.list[args->count];
        return note_fail(why, ERR_INPUT, "%.*s is missing", missing.length, missing.name);
    }
    if (args->count > wanted.count && !wanted.is_last_repeated) {
        return note_fail(why, ERR_INPUT, "'%.60s' is one argument too many%s",
                         args->values[wanted.count],
                         has_position(&wanted) ? "; a position is one argument, in quotes" : "");
    }
    return ERR_NONE;
}

enum err args_read(const struct command *command, int argc, char **argv, struct args *out,
                   struct note *why)
{
    struct args args = {.command = command, .values = argv};
    bool options_ended = false;
    for (int i = 0; i < argc; i++) {
        if (!options_ended && strcmp(argv[i], "--") == 0) {
            options_ended = true;
        } else if (!options_ended && looks_like_option(argv[i])) {
            enum err err = take_option(&args, argc, argv, &i, why);
            if (err) {
                return err;
            }
        } else {
            args.values[args.count++] = argv[i];
        }
    }
    enum err err = check_count(&args, why);
    if (!err) {
        *out = args;
    }
    return err;
}

const char *args_option(const struct args *args, const char *name)
{
    int index = option_index(args->command, name, strlen(name));
    assert(index >= 0);
    return args->options[index];
}

int args_list(const struct args *args, const char *name, const char *out[CLI_MAX_REPEATS + 1])
{
    int index = option_index(args->command, name, strlen(name));
    int count = 0;
    assert(index >= 0);
    for (int i = 0; i < args->repeat_count; i++) {
        if (args->repeat_options[i] == index) {
            out[count++] = args->repeats[i];
        }
    }
    out[count] = NULL;
    return count;
}

static enum err read_field(const struct args_field *field, const char *text, struct note *why)
{
    int64_t number = 0;
    struct note what;
    enum err err = ERR_NONE;
    note_set(&what, "--%s", field->name);
    if (field->type == ARGS_SECONDS) {
        return number_read_seconds(text, what.text, field->low, field->high, field->out, why);
    }
    if (field->type < ARGS_SECONDS) {
        err = number_read(text, what.text, field->low, field->high, &number, why);
    }
    if (err) {
        return err;
    }
    switch (field->type) {
    case ARGS_INT:
        *(int *)field->out = (int)number;
        break;
    case ARGS_INT64:
        *(int64_t *)field->out = number;
        break;
    case ARGS_UINT64:
        *(uint64_t *)field->out = (uint64_t)number;
        break;
    case ARGS_TEXT:
        *(const char **)field->out = text;
        break;
    default:
        *(bool *)field->out = true;
        break;
    }
    return ERR_NONE;
}

enum err args_fields(const struct args *args, const struct args_field *fields, struct note *why)
{
    enum err err = ERR_NONE;
    for (const struct args_field *field = fields; !err && field->name; field++) {
        const char *text = args_option(args, field->name);
        if (text) {
            err = read_field(field, text, why);
        } else if (args_is_required(args->command, field->name)) {
            const struct option *row =
                &args->command
                     ->options[option_index(args->command, field->name, strlen(field->name))];
            char help[HELP_FILL_BYTES];
            err = note_fail(why, ERR_INPUT, "--%s %s is missing: %s", row->name, row->value,
                            help_fill(row->help, 0, help));
        }
    }
    return err;
}

enum err args_game(const struct args *args, const struct game **game, struct note *why)
{
    const struct game *found = registry_find(args->cpu, args->values[0], why);
    if (!found) {
        return ERR_INPUT;
    }
    *game = found;
    return ERR_NONE;
}

enum err args_position(const struct args *args, const struct game **game, struct state *out,
                       struct note *why)
{
    enum err err = args_game(args, game, why);
    if (err) {
        return err;
    }
    err = game_read_position(*game, args->values[1], out, why);
    if (err) {
        note_prefix(why, "bad %s position", (*game)->name);
    }
    return err;
}
