#include "app/sandbox_setup.h"

#include "protocol/wire.h"

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

static bool is_tcp(const struct sandbox_setup_player *player)
{
    return player->spec && player->spec->kind == PLAYER_TCP;
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

/* Without network namespaces all tcp programs connect to one port and differ by their team number.
 */
static enum err share_port(struct sandbox_setup *setup, struct note *why)
{
    bool has_tcp = false;
    for (int i = 0; i < setup->player_count; i++) {
        const struct sandbox_setup_player *player = &setup->players[i];
        has_tcp |= is_tcp(player);
        for (int j = 0; is_tcp(player) && j < i; j++) {
            const struct sandbox_setup_player *other = &setup->players[j];
            if (is_tcp(other) && other->spec->team == player->spec->team) {
                note_set(why,
                         "without network namespaces all programs use port %d and need different "
                         "team numbers; %s and %s both have %d",
                         WIRE_PORT, other->name, player->name, player->spec->team);
                return ERR_INPUT;
            }
        }
    }
    if (has_tcp && setup->concurrency > 1) {
        struct note sentence;
        note_set(&sentence,
                 "one game at a time: without network namespaces all programs share port %d",
                 WIRE_PORT);
        remark(setup, &sentence);
        setup->concurrency = 1;
    }
    return ERR_NONE;
}

enum err sandbox_setup_prepare(struct sandbox_setup *setup, struct sandbox *out, struct note *why)
{
    struct note missing = {""};
    bool has_programs = false;
    for (int i = 0; i < setup->player_count; i++) {
        has_programs |= is_program(&setup->players[i]);
    }
    if (!has_programs) {
        return ERR_NONE;
    }
    enum err err = sandbox_probe(setup->mode, setup->limits, NULL, out, &missing);
    if (err) {
        *why = missing;
        return err;
    }
    if (*missing.text) {
        struct note sentence;
        note_set(&sentence, "the sandbox is not complete here: %.260s", missing.text);
        remark(setup, &sentence);
    }
    err = rehearse(setup, out, why);
    return err || out->features & SANDBOX_NAMESPACES ? err : share_port(setup, why);
}
