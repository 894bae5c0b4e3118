/* cmd_sandbox: what the sandbox of this machine offers and guarantees. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_landlock.h"
#include "cli/args.h"

struct sandbox_facts {
    struct sandbox here;
    struct note missing;
    struct sandbox levels[SANDBOX_LEVELS];
    int landlock_version;
};

static bool is_offered(const struct sandbox_facts *facts, const struct sandbox_offer *offer)
{
    return (facts->here.features & offer->feature) == offer->feature;
}

static bool is_possible(const struct sandbox_facts *facts, const struct sandbox *level)
{
    return (level->features & ~facts->here.features) == 0;
}

/* Breaks the text at spaces. */
static void print_wrapped(const char *text, int indent, int columns)
{
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > columns) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        column += printf("%s%.*s", column > indent ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_offers(const struct sandbox_facts *facts)
{
    enum { INDENT = 23, COLUMNS = 79 };
    printf("This machine offers:\n");
    for (size_t i = 0; i < sandbox_offer_count; i++) {
        const struct sandbox_offer *offer = &sandbox_offers[i];
        printf("  %-14s  %-3s  ", offer->name, is_offered(facts, offer) ? "yes" : "no");
        print_wrapped(offer->purpose, INDENT, COLUMNS);
        if (!is_offered(facts, offer)) {
            printf("%*s", INDENT, "");
            print_wrapped(offer->how, INDENT, COLUMNS);
        }
    }
    if (*facts->missing.text) {
        printf("\nWhy something is missing: %s\n", facts->missing.text);
    }
}

static void print_guarantees(const struct sandbox_facts *facts)
{
    printf("\nAn agent ... (A strict, B strict without cgroups, C partial, D off):\n");
    for (size_t i = 0; i < sandbox_guarantee_count; i++) {
        const struct sandbox_guarantee *guarantee = &sandbox_guarantees[i];
        printf("  ");
        for (int level = 0; level < SANDBOX_LEVELS; level++) {
            bool is_held = sandbox_guarantee_is_held(guarantee, &facts->levels[level],
                                                     facts->landlock_version);
            putchar(is_held ? "ABCD"[level] : '-');
        }
        printf("  %s\n", guarantee->sentence);
    }
    printf("\nNot possible here:");
    const char *separator = " ";
    for (int level = 0; level < SANDBOX_LEVELS; level++) {
        if (!is_possible(facts, &facts->levels[level])) {
            printf("%s%s", separator, sandbox_level(&facts->levels[level]));
            separator = ", ";
        }
    }
    printf("%s\n", *separator == ' ' ? " nothing" : "");
}

static void print_json(const struct sandbox_facts *facts)
{
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_object(&json, NULL);
    json_string(&json, "level", sandbox_level(&facts->here));
    json_string(&json, "missing", facts->missing.text);
    json_begin_array(&json, "features");
    for (size_t i = 0; i < sandbox_offer_count; i++) {
        const struct sandbox_offer *offer = &sandbox_offers[i];
        json_begin_object(&json, NULL);
        json_string(&json, "name", offer->name);
        json_bool(&json, "is_offered", is_offered(facts, offer));
        json_string(&json, "purpose", offer->purpose);
        json_string(&json, "how", offer->how);
        json_end(&json);
    }
    json_end(&json);
    json_begin_array(&json, "levels");
    for (int level = 0; level < SANDBOX_LEVELS; level++) {
        const struct sandbox *sandbox = &facts->levels[level];
        json_begin_object(&json, NULL);
        json_string(&json, "name", sandbox_level(sandbox));
        json_bool(&json, "is_possible", is_possible(facts, sandbox));
        json_begin_array(&json, "guarantees");
        for (size_t i = 0; i < sandbox_guarantee_count; i++) {
            if (sandbox_guarantee_is_held(&sandbox_guarantees[i], sandbox,
                                          facts->landlock_version)) {
                json_string(&json, NULL, sandbox_guarantees[i].name);
            }
        }
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_begin_array(&json, "guarantees");
    for (size_t i = 0; i < sandbox_guarantee_count; i++) {
        json_begin_object(&json, NULL);
        json_string(&json, "name", sandbox_guarantees[i].name);
        json_string(&json, "sentence", sandbox_guarantees[i].sentence);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    putchar('\n');
}

static enum err run_sandbox(const struct args *args, struct note *why)
{
    struct sandbox_facts facts = {.missing = {""}, .landlock_version = sandbox_landlock_version()};
    struct sandbox_limits limits = sandbox_limits_default();
    enum err err = sandbox_probe(SANDBOX_AUTO, &limits, NULL, &facts.here, &facts.missing);
    if (err) {
        *why = facts.missing;
        return err;
    }
    sandbox_guarantee_levels(&facts.here, facts.levels);
    if (args_option(args, "json")) {
        print_json(&facts);
        return ERR_NONE;
    }
    printf("Level: %s\n\n", sandbox_level(&facts.here));
    print_offers(&facts);
    print_guarantees(&facts);
    return ERR_NONE;
}

const struct command cmd_sandbox = {
    .name = "sandbox",
    .run = run_sandbox,
    .summary = "show how well agents are isolated on this machine",
    .operands = "",
    .options = {{"json", NULL,
                 "an object {\"level\", \"missing\", \"features\", \"levels\", \"guarantees\"}"}},
};
