#include "cli/workers_args.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/shell_word.h"
#include "cli/cli.h"
#include "cluster/queue_url.h"

static char version[CLUSTER_WORD_BYTES];

/* Options that mean nothing without workers. */
static const char *const dependent[] = {"lease", "slowest", "verify", "games-per-job"};

static bool is_dependent(const char *name)
{
    bool is_found = false;
    for (size_t i = 0; i < sizeof dependent / sizeof dependent[0]; i++) {
        is_found |= strcmp(dependent[i], name) == 0;
    }
    return is_found;
}

enum err workers_args_read(const struct args *args, struct tournament_workers_wish *wish,
                           struct note *why)
{
    int64_t lease_ns = TOURNAMENT_WORKERS_LEASE_MS * CLOCK_NS_PER_MS;
    wish->address = args_option(args, "workers");
    wish->url = args_option(args, "queue");
    snprintf(version, sizeof version, "%s %s", PLUM_VERSION, cli_commit);
    wish->version = version;
    enum err err = ARGS_FIELDS(args, why,
                               {"lease", ARGS_SECONDS, &lease_ns,
                                TOURNAMENT_WORKERS_MIN_LEASE_MS * CLOCK_NS_PER_MS,
                                TOURNAMENT_WORKERS_MAX_LEASE_MS * CLOCK_NS_PER_MS});
    wish->lease_ms = (int)(lease_ns / CLOCK_NS_PER_MS);
    if (err) {
        return err;
    }
    if (wish->address && wish->url) {
        return note_fail(why, ERR_INPUT,
                         "--workers starts a server and --queue uses another one: give only one");
    }
    if (wish->url && queue_url_check(wish->url, why)) {
        note_prefix(why, "--queue");
        return ERR_INPUT;
    }
    for (int i = 0; !wish->address && !wish->url && args->command->options[i].name; i++) {
        const char *name = args->command->options[i].name;
        if (args->options[i] && is_dependent(name)) {
            return note_fail(why, ERR_INPUT, "--%s needs --workers or --queue", name);
        }
    }
    return ERR_NONE;
}

enum err workers_args_percent(const struct args *args, const char *option, int most, int *out,
                              struct note *why)
{
    const char *text = args_option(args, option);
    char number[16];
    char what[32];
    int64_t value = 0;
    if (!text) {
        return ERR_NONE;
    }
    size_t length = strlen(text);
    length -= length && text[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", length < sizeof number ? (int)length : 0, text);
    snprintf(what, sizeof what, "--%s", option);
    enum err err = number_read(number, what, 0, most, &value, why);
    if (!err) {
        *out = (int)value;
    }
    return err;
}

bool workers_args_write(const struct args *args, char *out, size_t room)
{
    size_t used = strlen(out);
    bool has_workers = args_option(args, "workers") || args_option(args, "queue");
    for (int i = 0; has_workers && args->command->options[i].name && used < room; i++) {
        const struct option *option = &args->command->options[i];
        const char *value = args->options[i];
        bool is_one = strcmp(option->name, "workers") == 0 || strcmp(option->name, "queue") == 0 ||
                      strcmp(option->name, "concurrency") == 0 || is_dependent(option->name);
        if (value && is_one) {
            char word[300] = "";
            const char *sign = !*value ? "" : *option->value == '[' ? "=" : " ";
            used += (size_t)snprintf(out + used, room - used, " --%s%s%s", option->name, sign,
                                     *value ? shell_word(value, word, sizeof word) : "");
        }
    }
    return used < room;
}
