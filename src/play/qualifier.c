#include "play/qualifier.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/repaired_entry.h"
#include "base/hash.h"
#include "tournament/qualification.h"

/* The roster of a qualification: the teams, and random at the end. */
struct qualifier {
    struct roster roster;
    struct entrants entrants;
    struct tournament games;
};

static enum err make_roster(struct qualifier *q, const struct tournament_source_options *options,
                            struct note *why)
{
    const struct roster *roster = options->roster;
    size_t count = (size_t)roster->team_count;
    struct roster_team *teams = calloc(count + 1, sizeof *teams);
    struct entrant *entrants = calloc(count + 1, sizeof *entrants);
    q->roster = *roster;
    q->entrants = *options->entrants;
    q->roster.teams = teams;
    q->entrants.list = entrants;
    if (!teams || !entrants) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for the qualification");
    }
    memcpy(teams, roster->teams, count * sizeof *teams);
    memcpy(entrants, options->entrants->list, count * sizeof *entrants);
    snprintf(teams[count].id, sizeof teams[count].id, "random");
    snprintf(teams[count].name, sizeof teams[count].name, "random");
    teams[count].withdrawn_after = -1;
    for (size_t i = 0; i < count; i++) {
        teams[i].withdrawn_after = -1; /* this is not a round of it */
    }
    entrants[count].can_play = true;
    q->roster.team_count = q->entrants.count = (int)count + 1;
    q->roster.starter_count = q->roster.slot_count = (int)count + 1;
    q->roster.reference_count = 0;
    q->roster.format = ROSTER_GAUNTLET;
    q->roster.rounds = 1;
    q->roster.games_per_pairing = QUALIFICATION_GAMES;
    /* Its games must not be those of the tournament's first round. */
    q->roster.seed = hash_pair(roster->seed, QUALIFICATION_GAMES);
    return player_spec_read("random", roster->game, &entrants[count].spec, why);
}

/* Every team has its pairing, so that the numbers of the games do not depend on what is left. */
static enum err make_games(struct qualifier *q, const struct tournament *t, struct note *why)
{
    int random = t->roster->team_count;
    enum err err = tournament_init(&q->games, &q->roster, NULL, why);
    for (int team = 0; !err && team < random; team++) {
        bool is_due = qualification_is_due(t, team);
        const struct pairing pairing = {{team, random}};
        err = tournament_restore_pairing(&q->games, 0, &pairing, why);
        for (int i = 0; !err && i < QUALIFICATION_GAMES; i++) {
            struct tournament_game game = t->qualifications[team].games[i];
            game.phase = PHASE_ROUNDS; /* of the one that is played now */
            if (!is_due && game.status == GAME_PLANNED) {
                game.status = GAME_CANCELLED;
            }
            err = tournament_restore_game(&q->games, &game, why);
        }
    }
    return err;
}

enum err qualifier_play(const struct tournament_source_options *options, struct tournament *t,
                        struct note *why)
{
    struct qualifier q = {.games = {0}};
    enum err err = make_roster(&q, options, why);
    err = err ? err : make_games(&q, t, why);
    if (!err) {
        struct tournament_source_options own = *options;
        own.roster = &q.roster;
        own.entrants = &q.entrants;
        own.random = t->roster->team_count;
        err = tournament_source_play(&own, &q.games, why);
    }
    tournament_free(&q.games);
    free(q.roster.teams);
    free(q.entrants.list);
    struct note unread;
    if ((!err || err == ERR_INTERRUPTED) && store_load_qualification(options->store, t, &unread)) {
        *why = unread;
        err = ERR_ENVIRONMENT;
    }
    return err;
}

/* --- Again --- */

enum err qualifier_refuse_again(const struct tournament *t, struct note *why)
{
    if (t->pairing_count == 0) {
        return ERR_NONE;
    }
    if (t->roster->format == ROSTER_SWISS) {
        return tournament_refuse_entry(t, why);
    }
    return note_fail(why, ERR_NEGATIVE, "the pairings of a %s are made",
                     roster_format_name(t->roster->format));
}

static enum err find_team(const struct tournament_file *file, const char *id, int *out,
                          struct note *why)
{
    enum err err = tournament_file_team(file, id, out, why);
    err = err ? err : qualifier_refuse_again(&file->tournament, why);
    if (!err && (roster_is_reference(&file->roster, *out) ||
                 !qualification_has_played(&file->tournament, *out))) {
        err = note_fail(why, ERR_NEGATIVE, "it has not played its qualification yet");
    }
    if (err) {
        note_prefix(why, "--again %.40s", id);
    }
    return err;
}

/* Sentences about what they play with now. */
static enum err remark(const struct tournament_file *file, const struct repaired_entry *entry,
                       const int *teams, int count, void (*on_remark)(const char *sentence),
                       struct note *why)
{
    const struct roster *roster = entry->text ? &entry->roster : &file->roster;
    struct note sentence;
    if (entry->text) {
        note_set(&sentence, "what %.150s says now about %s is taken over", entry->name,
                 count == 1 ? "its hand-in" : "their hand-ins");
        on_remark(sentence.text);
    }
    for (int i = 0; i < count; i++) {
        enum err err = entrants_explain_unchanged(roster, teams[i], file->store, &sentence, why);
        if (err) {
            return err;
        }
        if (sentence.text[0]) {
            on_remark(sentence.text);
        }
    }
    return ERR_NONE;
}

/* The roster in memory is that of the database. */
static enum err read_again(struct tournament_file *file, enum cpu_level cpu, struct note *why)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", store_path(file->store));
    tournament_file_close(file);
    return tournament_file_open(file, path, STORE_CHANGE, cpu, why);
}

enum err qualifier_again(struct tournament_file *file, const char *const *ids, int count,
                         const char *reason, enum cpu_level cpu,
                         void (*on_remark)(const char *sentence), struct note *why)
{
    struct repaired_entry entry = {.text = NULL};
    int *teams = malloc((size_t)count * sizeof *teams);
    enum err err =
        teams ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "no memory for the qualification");
    for (int i = 0; !err && i < count; i++) {
        err = find_team(file, ids[i], &teams[i], why);
    }
    err = err ? err : repaired_entry_read(file, ids, count, cpu, &entry, why);
    err = err ? err : remark(file, &entry, teams, count, on_remark, why);
    err = err ? err : store_qualify_again(file->store, teams, count, entry.text, reason, why);
    err = err ? err : read_again(file, cpu, why);
    repaired_entry_free(&entry);
    free(teams);
    return err;
}
