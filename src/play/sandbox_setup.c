#include "play/sandbox_setup.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void remark(const struct sandbox_setup *setup, const struct note *sentence)
{
    if (setup->on_remark) {
        setup->on_remark(setup->owner, sentence->text);
    }
}

static bool is_program(const struct sandbox_setup_player *player)
{
    return player->spec && player_spec_is_program(player->spec);
}

/* A player that this machine cannot run must not lose its games for that. */
static enum err rehearse(const struct sandbox_setup *setup, const struct sandbox *sandbox,
                         struct note *why)
{
    for (int i = 0; i < setup->player_count; i++) {
        const struct sandbox_setup_player *player = &setup->players[i];
        enum err err = is_program(player)
                           ? player_spec_rehearse(player->spec, setup->python, sandbox, why)
                           : ERR_NONE;
        if (err && *player->name) {
            note_prefix(why, "%s", player->name);
        }
        if (err) {
            return err;
        }
    }
    return ERR_NONE;
}

/* --- Folders that are shared --- */

static enum err add_neighbours(const struct sandbox_setup *setup, struct player_command *commands,
                               struct note *why)
{
    for (int i = 0; i < setup->player_count; i++) {
        const struct sandbox_setup_player *player = &setup->players[i];
        enum err err = is_program(player)
                           ? player_spec_command(player->spec, setup->python, &commands[i], why)
                           : ERR_NONE;
        if (!err && is_program(player)) {
            err = sandbox_folder_add_program(setup->neighbours, commands[i].text,
                                             commands[i].folder, why);
        }
        if (err) {
            return err;
        }
    }
    return ERR_NONE;
}

/* One sentence for a folder, however many players have it. */
static void report_folder(const struct sandbox_setup *setup, const struct player_command *commands,
                          const bool *shares, int first)
{
    struct note sentence;
    int others = 0;
    for (int i = 0; i < setup->player_count; i++) {
        bool is_same =
            i != first && shares[i] && strcmp(commands[i].folder, commands[first].folder) == 0;
        if (is_same && i < first) {
            return;
        }
        others += is_same;
    }
    if (others) {
        note_set(&sentence,
                 "%.40s and %d other%s share the folder %.200s: each sees only the files in it "
                 "that its command names",
                 setup->players[first].name, others, others == 1 ? "" : "s",
                 commands[first].folder);
    } else {
        note_set(&sentence,
                 "%.40s shares the folder %.200s with other players or with the tournament: it "
                 "sees only the files in it that its command names",
                 setup->players[first].name, commands[first].folder);
    }
    remark(setup, &sentence);
}

enum err sandbox_setup_neighbours(const struct sandbox_setup *setup, struct note *why)
{
    size_t count = (size_t)setup->player_count;
    struct player_command *commands = calloc(count, sizeof *commands);
    bool *shares = calloc(count, sizeof *shares);
    enum err err = ERR_ENVIRONMENT;
    if (!commands || !shares) {
        note_set(why, "no memory for %d players", setup->player_count);
        goto out;
    }
    err = add_neighbours(setup, commands, why);
    for (int i = 0; i < setup->player_count && !err; i++) {
        shares[i] =
            is_program(&setup->players[i]) &&
            sandbox_folder_rule(setup->neighbours, commands[i].text, commands[i].folder).is_shared;
    }
    for (int i = 0; i < setup->player_count && !err && setup->mode != SANDBOX_OFF; i++) {
        if (shares[i]) {
            report_folder(setup, commands, shares, i);
        }
    }
out:
    free(commands);
    free(shares);
    return err;
}

/* What is missing is a remark; of a compiler's sandbox only what isolates it: its limits hold
 * without cgroups. */
static enum err probe(const struct sandbox_setup *setup, bool is_for_compiler, struct sandbox *out,
                      struct note *why)
{
    struct note missing = {""};
    enum err err = sandbox_probe(setup->mode, setup->limits, NULL, out, &missing);
    if (err) {
        *why = missing;
        return err;
    }
    if (*missing.text && !(is_for_compiler && (out->features & SANDBOX_NAMESPACES))) {
        struct note sentence;
        note_set(&sentence,
                 "the sandbox is not complete here: %.310s; plum sandbox shows what to do",
                 missing.text);
        remark(setup, &sentence);
    }
    return ERR_NONE;
}

enum err sandbox_setup_for_compilers(enum sandbox_mode mode, void *owner,
                                     void (*on_remark)(void *owner, const char *sentence),
                                     struct sandbox *out, struct note *why)
{
    const struct sandbox_limits limits = sandbox_limits_default();
    const struct sandbox_setup setup = {
        .mode = mode, .limits = &limits, .owner = owner, .on_remark = on_remark};
    if (mode == SANDBOX_OFF) {
        struct note sentence;
        note_set(&sentence, "the sandbox is off: a source can make the compiler read every file "
                            "that you can read, and use all memory");
        remark(&setup, &sentence);
    }
    return probe(&setup, true, out, why);
}

enum err sandbox_setup_prepare(const struct sandbox_setup *setup, struct sandbox *out,
                               struct note *why)
{
    bool has_programs = false;
    for (int i = 0; i < setup->player_count; i++) {
        has_programs |= is_program(&setup->players[i]);
    }
    if (!has_programs) {
        return ERR_NONE;
    }
    enum err err = setup->is_probed ? ERR_NONE : probe(setup, false, out, why);
    if (err) {
        return err;
    }
    out->limits = *setup->limits;
    err = sandbox_setup_neighbours(setup, why);
    if (err) {
        return err;
    }
    out->neighbours = setup->neighbours;
    return rehearse(setup, out, why);
}
