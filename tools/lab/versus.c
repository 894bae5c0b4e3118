#include "versus.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "sparring.h"

enum { HASH_MB = 16, SPEC_BYTES = 512, NS_PER_MS = 1000000 };

typedef const struct game *find_fn(enum cpu_level, const char *, struct note *);
typedef enum err init_fn(struct engine *, int, int, struct note *);

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "duel: %s: %s\n", what, why);
    exit(2);
}

/* ISO C has no conversion from an object pointer to a function's; POSIX promises it. */
static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fail(name, dlerror());
    }
    return found;
}

/* How big an engine is to be made. */
struct size {
    int threads;
    int hash_mb;
};

static void read_option(struct versus *versus, struct size *size, const char *option)
{
    char *end = NULL;
    const char *equals = strchr(option, '=');
    unsigned long value = equals ? strtoul(equals + 1, &end, 10) : 0;
    if (!end || *end) {
        fail(option, "an option is NAME=NUMBER");
    }
    if (strncmp(option, "nodes=", 6) == 0) {
        versus->limits.nodes = value;
    } else if (strncmp(option, "time=", 5) == 0) {
        versus->limits.time_ns = (int64_t)value * NS_PER_MS;
    } else if (strncmp(option, "level=", 6) == 0) {
        versus->limits.level = (int)value;
    } else if (strncmp(option, "threads=", 8) == 0) {
        size->threads = (int)value;
    } else if (strncmp(option, "hash=", 5) == 0) {
        size->hash_mb = (int)value;
    } else {
        fail(option, "the options are nodes, time, level, threads and hash");
    }
}

static void load_build(struct versus *versus, const char *file, const char *game, struct size size)
{
    struct note why = {""};
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fail(file, dlerror());
    }
    find_fn *find = (find_fn *)symbol(library, "registry_find");
    init_fn *init = (init_fn *)symbol(library, "engine_init");
    if (dlsym(library, "tt_init")) { /* builds before 0.2.0 have none */
        versus->search = (versus_search_fn *)symbol(library, "engine_search");
    } else {
        versus->old_search = (versus_old_search_fn *)symbol(library, "engine_search");
    }
    versus->clear = (void (*)(struct engine *))symbol(library, "engine_clear");
    versus->game = find(CPU_BASELINE, game, &why);
    if (!versus->game || init(&versus->engine, size.hash_mb, size.threads, &why)) {
        fail(file, why.text);
    }
}

struct versus versus_load(const char *spec, const char *game)
{
    struct versus versus = {0};
    char text[SPEC_BYTES];
    struct size size = {.threads = 1, .hash_mb = HASH_MB};
    char *rest = NULL;
    snprintf(text, sizeof text, "%s", spec);
    const char *file = strtok_r(text, ",", &rest);
    for (char *option = NULL; (option = strtok_r(NULL, ",", &rest));) {
        read_option(&versus, &size, option);
    }
    versus.is_sparring = file && strcmp(file, "sparring") == 0;
    if (versus.is_sparring && !versus.limits.nodes && !versus.limits.time_ns) {
        fail(spec, "sparring needs nodes=N or time=MS");
    }
    if (!versus.is_sparring) {
        load_build(&versus, file ? file : "", game, size);
    }
    return versus;
}

void versus_clear(struct versus *versus, uint64_t seed)
{
    versus->limits.seed = seed;
    if (!versus->is_sparring) {
        versus->clear(&versus->engine);
    }
}

struct engine_report versus_search(struct versus *versus, const struct state *state,
                                   const struct engine_limits *limits)
{
    struct engine_report report = {0};
    struct engine_request request = {.game = versus->game, .state = state, .limits = *limits};
    if (versus->search) {
        versus->search(&versus->engine, &request, &report);
    } else {
        versus->old_search(&versus->engine, versus->game, state, limits, NULL, NULL, NULL, &report);
    }
    return report;
}

struct engine_report versus_think(struct versus *versus, const struct state *state)
{
    const struct engine_limits *limits = &versus->limits;
    if (!versus->is_sparring) {
        return versus_search(versus, state, limits);
    }
    struct engine_report report = {0};
    report.move = sparring_move(versus->game, state, limits->nodes ? limits->nodes : UINT64_MAX,
                                limits->time_ns ? clock_now_ns() + limits->time_ns : INT64_MAX);
    return report;
}
