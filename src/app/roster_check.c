#include "app/roster_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/command_words.h"
#include "play/entrants.h"
#include "play/sandbox_setup.h"
#include "base/folder.h"
#include "store/tournament_file.h"

/* Paths are meant from the folder of the roster. */
static enum err find_missing(const char *path, const struct roster *roster,
                             struct roster_problems *problems, struct note *why)
{
    int back = -1;
    enum err err = folder_enter_of(path, &back, why);
    if (!err) {
        entrants_find_missing(roster, problems);
        entrants_find_missing_logs(roster, problems);
        roster_problems_sort(problems);
    }
    return folder_return(back, err, why);
}

enum err roster_check_read(const char *path, enum cpu_level cpu, struct roster *out,
                           struct roster_problems *problems, struct note *why)
{
    char *text = NULL;
    size_t bytes = 0;
    problems->count = 0;
    enum err err = tournament_file_read_text(path, &text, &bytes, why);
    if (err) {
        return err;
    }
    err = roster_read_anyway(text, bytes, cpu, out, problems);
    free(text);
    if (err == ERR_ENVIRONMENT) {
        *why = problems->list[0];
        return err;
    }
    roster_check_ids(out, problems);
    err = find_missing(path, out, problems, why);
    if (!err && problems->count) {
        roster_problems_sum_up(problems, path, why);
        err = ERR_INPUT;
    }
    return err;
}

/* --- Folders --- */

/* The program of a team, seen from the folder of the roster. C and C++ sources are built into
 * folders of their own. False: there is none. */
static bool read_program(const struct roster *roster, const struct roster_team *team,
                         struct player_spec *out)
{
    char text[PLAYER_TEXT_BYTES];
    bool is_python = command_words_is_python(team->source);
    snprintf(text, sizeof text, "ugi:python3 %.900s", team->source);
    return !team->no_program[0] && (is_python || team->player[0]) &&
           !player_spec_read(is_python ? text : team->player, roster->game, out, NULL);
}

static enum err find_shared(const struct roster *roster, void *owner,
                            void (*on_remark)(void *owner, const char *sentence), struct note *why)
{
    size_t count = (size_t)roster->slot_count;
    struct player_spec *specs = calloc(count, sizeof *specs);
    struct sandbox_setup_player *players = calloc(count, sizeof *players);
    struct sandbox_neighbours neighbours = {0};
    enum err err = ERR_ENVIRONMENT;
    if (!specs || !players) {
        note_set(why, "no memory for %d teams", roster->team_count);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        const struct roster_team *team = &roster->teams[i];
        players[i].spec = read_program(roster, team, &specs[i]) ? &specs[i] : NULL;
        snprintf(players[i].name, sizeof players[i].name, "team %s", team->id);
    }
    err = sandbox_folder_add_own(&neighbours, ".", why);
    if (!err) {
        const struct sandbox_setup setup = {
            .mode = roster->rules.sandbox,
            .python = roster->rules.python,
            .players = players,
            .player_count = roster->slot_count,
            .neighbours = &neighbours,
            .owner = owner,
            .on_remark = on_remark,
        };
        err = sandbox_setup_neighbours(&setup, why);
    }
out:
    sandbox_folder_free_neighbours(&neighbours);
    free(players);
    free(specs);
    return err;
}

enum err roster_check_folders(const char *path, const struct roster *roster, void *owner,
                              void (*on_remark)(void *owner, const char *sentence),
                              struct note *why)
{
    int back = -1;
    enum err err = folder_enter_of(path, &back, why);
    if (!err) {
        err = find_shared(roster, owner, on_remark, why);
    }
    return folder_return(back, err, why);
}
