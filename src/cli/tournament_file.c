#include "cli/tournament_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum err roster_file_read(const char *path, struct roster_file *out, struct note *why)
{
    FILE *file = fopen(path, "r");
    char *text = file ? malloc(ROSTER_MAX_BYTES + 1) : NULL;
    enum err err = ERR_NONE;
    if (!file) {
        note_set(why, "cannot read %.200s: %s", path, strerror(errno));
        return ERR_INPUT;
    }
    size_t bytes = text ? fread(text, 1, ROSTER_MAX_BYTES + 1, file) : 0;
    if (!text) {
        note_set(why, "no memory to read %.200s", path);
        err = ERR_ENVIRONMENT;
    } else if (ferror(file)) {
        note_set(why, "cannot read %.200s: %s", path, strerror(errno));
        err = ERR_INPUT;
    } else if (bytes > ROSTER_MAX_BYTES) {
        note_set(why, "%.200s is larger than %d bytes", path, ROSTER_MAX_BYTES);
        err = ERR_INPUT;
    }
    fclose(file);
    if (err) {
        free(text);
        return err;
    }
    text[bytes] = '\0';
    *out = (struct roster_file){text, bytes};
    return ERR_NONE;
}

void roster_file_free(struct roster_file *file)
{
    free(file->text);
    *file = (struct roster_file){0};
}

void roster_file_complain(const char *path, const struct roster_problems *problems,
                          struct note *why)
{
    if (problems->count == 1) {
        note_set(why, "%.120s: %.190s", path, problems->list[0].text);
        return;
    }
    for (int i = 0; i < problems->count && i < ROSTER_MAX_PROBLEMS; i++) {
        fprintf(stderr, "%s: %s\n", path, problems->list[i].text);
    }
    note_set(why, "%d problems in %.200s", problems->count, path);
}

enum err roster_file_open(const char *path, enum cpu_level cpu, struct roster_file *file,
                          struct roster *out, struct note *why)
{
    struct roster_problems *problems = malloc(sizeof *problems);
    if (!problems) {
        note_set(why, "no memory to read %.200s", path);
        return ERR_ENVIRONMENT;
    }
    enum err err = roster_file_read(path, file, why);
    if (!err) {
        err = roster_read(file->text, file->bytes, cpu, out, problems);
        if (err) {
            roster_file_complain(path, problems, why);
            roster_file_free(file);
        }
    }
    free(problems);
    return err;
}

/* The roster in a database was checked before it got there. */
static enum err read_stored_roster(struct tournament_file *file, enum cpu_level cpu,
                                   struct note *why)
{
    struct roster_problems *problems = malloc(sizeof *problems);
    const char *text = store_roster(file->store);
    enum err err = ERR_ENVIRONMENT;
    if (!problems) {
        note_set(why, "no memory to read the roster");
        return err;
    }
    if (roster_read(text, strlen(text), cpu, &file->roster, problems)) {
        note_set(why, "%.120s is damaged: its roster has an error in %.150s",
                 store_path(file->store), problems->list[0].text);
    } else {
        err = ERR_NONE;
    }
    free(problems);
    return err;
}

static enum err load(struct tournament_file *file, enum cpu_level cpu, struct note *why)
{
    enum err err = read_stored_roster(file, cpu, why);
    if (!err) {
        err = tournament_init(&file->tournament, &file->roster, NULL, why);
    }
    if (!err) {
        err = store_load(file->store, &file->tournament, why);
    }
    return err ? err : store_check_records(file->store, why);
}

enum err tournament_file_open(struct tournament_file *file, const char *path, enum store_use use,
                              enum cpu_level cpu, struct note *why)
{
    *file = (struct tournament_file){0};
    enum err err = store_open(path, use, &file->store, why);
    return err ? err : load(file, cpu, why);
}

enum err tournament_file_create(struct tournament_file *file, const char *path,
                                const struct roster *roster, const char *text, const char *folder,
                                const char *name, enum cpu_level cpu, struct note *why)
{
    *file = (struct tournament_file){0};
    enum err err = store_create(path, roster, text, folder, name, &file->store, why);
    return err ? err : load(file, cpu, why);
}

void tournament_file_close(struct tournament_file *file)
{
    tournament_free(&file->tournament);
    roster_free(&file->roster);
    store_close(file->store);
    file->store = NULL;
}

void tournament_file_remove(struct tournament_file *file)
{
    store_remove(file->store);
    file->store = NULL;
    tournament_file_close(file);
}

enum err tournament_file_game(const struct tournament_file *file, const char *text, int *out,
                              struct note *why)
{
    int64_t number = 0;
    if (file->tournament.game_count == 0) {
        note_set(why, "there are no games yet");
        return ERR_INPUT;
    }
    enum err err = number_read(text, "GAME", 1, (int64_t)file->tournament.game_count, &number, why);
    if (!err) {
        *out = (int)number - 1;
    }
    return err;
}

enum err tournament_file_team(const struct tournament_file *file, const char *id, int *out,
                              struct note *why)
{
    int team = roster_find(&file->roster, id);
    if (team < 0) {
        note_set(why, "there is no team '%.40s'; plum tournament standings lists their ids", id);
        return ERR_INPUT;
    }
    *out = team;
    return ERR_NONE;
}
