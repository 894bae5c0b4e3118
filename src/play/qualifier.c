#include "play/qualifier.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "play/entrants.h"
#include "play/repaired_entry.h"
#include "tournament/qualification.h"

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
