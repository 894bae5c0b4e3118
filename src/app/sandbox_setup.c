#include "app/sandbox_setup.h"

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

enum err sandbox_setup_prepare(const struct sandbox_setup *setup, struct sandbox *out,
                               struct note *why)
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
    return rehearse(setup, out, why);
}
