#include "store/tournament_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/number.h"
#include "store/pseudonym.h"

enum err tournament_file_read_text(const char *path, char **out, size_t *bytes, struct note *why)
{
    size_t length = 0;
    char *text = file_read_head(path, ROSTER_MAX_BYTES + 1, &length);
    enum err err = ERR_INPUT;
    if (!text) {
        err = err_is_shortage(errno) ? ERR_ENVIRONMENT : ERR_INPUT;
        note_set(why, "cannot read %.200s: %s", path, strerror(errno));
    } else if (length > ROSTER_MAX_BYTES) {
        note_set(why, "%.200s is larger than %d bytes", path, ROSTER_MAX_BYTES);
        free(text);
    } else {
        *out = text;
        *bytes = length;
        err = ERR_NONE;
    }
    return err;
}

enum err tournament_file_read_roster(const char *path, enum cpu_level cpu, char **text,
                                     struct roster *out, struct roster_problems *problems,
                                     struct note *why)
{
    char *read = NULL;
    size_t bytes = 0;
    problems->count = 0;
    enum err err = tournament_file_read_text(path, &read, &bytes, why);
    if (err) {
        return err;
    }
    err = roster_read(read, bytes, cpu, out, problems);
    if (!err) {
        roster_check_ids(out, problems);
    }
    if (!err && problems->count) {
        roster_free(out);
        err = ERR_INPUT;
    }
    if (err) {
        roster_problems_sum_up(problems, path, why);
        free(read);
    } else {
        *text = read;
    }
    return err;
}

/* The roster in a database was checked before it was stored there. */
static enum err read_stored_roster(struct store *store, enum cpu_level cpu, struct roster *out,
                                   struct note *why)
{
    enum err err = store_read_roster(store, why);
    if (err) {
        return err;
    }
    struct roster_problems *problems = malloc(sizeof *problems);
    const char *text = store_roster(store);
    err = ERR_ENVIRONMENT;
    if (!problems) {
        note_set(why, "no memory to read the roster");
        return err;
    }
    if (roster_read(text, strlen(text), cpu, out, problems)) {
        note_set(why, "%.120s is damaged: its roster has an error in %.150s", store_path(store),
                 problems->list[0].text);
    } else {
        err = ERR_NONE;
    }
    free(problems);
    return err;
}

enum err tournament_file_load(struct store *store, enum cpu_level cpu, struct roster *roster,
                              struct tournament *t, struct note *why)
{
    enum err err = read_stored_roster(store, cpu, roster, why);
    err = err ? err : tournament_init(t, roster, NULL, why);
    return err ? err : store_load(store, t, why);
}

static enum err load(struct tournament_file *file, enum cpu_level cpu, struct note *why)
{
    enum err err = tournament_file_load(file->store, cpu, &file->roster, &file->tournament, why);
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

enum err tournament_file_anonymise(struct tournament_file *file, struct note *why)
{
    file->is_anonymous = true;
    return pseudonym_apply(store_roster(file->store), &file->roster, &file->tournament, why);
}

static const char *player_name(const struct tournament_file *file, int team)
{
    return team == TOURNAMENT_RANDOM ? "random" : file->roster.teams[team].name;
}

/* Takes the record of a game, with letters in place of names if that is asked for, and then with
 * this round; NULL: as it is. */
static enum err rename_players(const struct tournament_file *file,
                               const struct tournament_game *game, const char *round, char **text,
                               struct note *why)
{
    int black = game->summary.colour[0] == SIDE_BLACK ? 0 : 1;
    if (!*text || !file->is_anonymous) {
        return ERR_NONE;
    }
    char *renamed = pseudonym_record(*text, player_name(file, game->team[black]),
                                     player_name(file, game->team[1 - black]), round);
    free(*text);
    *text = renamed;
    return renamed ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "no memory for a record");
}

/* Names can be the same, ids cannot: [BlackTeam "7"] and [WhiteTeam "9"] after the names. An
 * anonymous record has letters, which are different. Frees the text after an error. */
static enum err add_ids(const struct tournament_file *file, const struct tournament_game *game,
                        char **text, struct note *why)
{
    bool has_players = game->status == GAME_PLAYED || game->status == GAME_ANNULLED;
    const char *name = *text && !file->is_anonymous ? strstr(*text, "\n[White \"") : NULL;
    if (!name || !has_players) {
        return ERR_NONE;
    }
    const char *after = name + 1 + strcspn(name + 1, "\n");
    char *with_ids = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&with_ids, &bytes);
    if (out) {
        fwrite(*text, 1, (size_t)(after - *text), out);
    }
    for (int side = 0; out && side < 2; side++) {
        int team = game->team[game->summary.colour[0] == (side ? SIDE_WHITE : SIDE_BLACK) ? 0 : 1];
        if (team != TOURNAMENT_RANDOM) {
            fprintf(out, "\n[%sTeam \"%s\"]", side ? "White" : "Black",
                    file->roster.teams[team].id);
        }
    }
    bool is_whole = out && fputs(after, out) >= 0;
    if (out && fclose(out) != 0) {
        is_whole = false;
    }
    free(*text);
    *text = is_whole ? with_ids : NULL;
    if (!is_whole) {
        free(with_ids);
    }
    return is_whole ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "no memory for a record");
}

enum err tournament_file_record(const struct tournament_file *file, int number, char **out,
                                struct note *why)
{
    char *text = NULL;
    enum err err = store_record(file->store, PHASE_ROUNDS, number, &text, why);
    err = err ? err : rename_players(file, &file->tournament.games[number], NULL, &text, why);
    err = err ? err : add_ids(file, &file->tournament.games[number], &text, why);
    if (!err) {
        *out = text;
    }
    return err;
}

/* Takes the text, which may be NULL. */
static enum err write_record(char *take_text, FILE *out, const char *path, struct note *why)
{
    enum err err = ERR_NONE;
    if (take_text && fputs(take_text, out) < 0 && path) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(errno));
    }
    free(take_text);
    return err;
}

/* The teams in the order of their letters, which must not show the order of the roster. */
static void order_teams(const struct tournament_file *file, int *out)
{
    int letters[ROSTER_MAX_TEAMS];
    pseudonym_order(store_roster(file->store), &file->roster, letters);
    for (int i = 0; i < file->roster.team_count; i++) {
        out[file->is_anonymous ? letters[i] : i] = i;
    }
}

static enum err write_qualification(const struct tournament_file *file, FILE *out, const char *path,
                                    struct note *why)
{
    const struct tournament *t = &file->tournament;
    enum err err = ERR_NONE;
    int order[ROSTER_MAX_TEAMS];
    order_teams(file, order);
    for (int i = 0; !err && i < file->roster.team_count * QUALIFICATION_GAMES; i++) {
        int team = order[i / QUALIFICATION_GAMES];
        int number = i % QUALIFICATION_GAMES;
        const struct tournament_game *game = &t->qualifications[team].games[number];
        char round[32];
        char *text = NULL;
        snprintf(round, sizeof round, "qualification.%d", i + 1);
        if (game->status == GAME_PLAYED) {
            err = store_record(file->store, PHASE_QUALIFICATION, game->number, &text, why);
            err = err ? err : rename_players(file, game, round, &text, why);
            err = err ? err : add_ids(file, game, &text, why);
            err = err ? err : write_record(text, out, path, why);
        }
    }
    return err;
}

enum err tournament_file_write_records(const struct tournament_file *file, FILE *out,
                                       const char *path, struct note *why)
{
    const struct tournament *t = &file->tournament;
    enum err err = write_qualification(file, out, path, why);
    for (size_t i = 0; !err && i < t->game_count; i++) {
        char *text = NULL;
        if (t->games[i].status == GAME_PLAYED) {
            err = tournament_file_record(file, (int)i, &text, why);
            err = err ? err : write_record(text, out, path, why);
        }
    }
    return err;
}

enum err tournament_file_export(const struct tournament_file *file, const char *path,
                                struct note *why)
{
    struct atomic_file out = {0};
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        return note_fail(why, ERR_INPUT, "cannot write %.200s: %s", path, strerror(EEXIST));
    }
    enum err err = atomic_file_open(&out, path, why);
    if (err) {
        return err;
    }
    err = tournament_file_write_records(file, out.stream, path, why);
    if (err) {
        atomic_file_discard(&out);
        return err;
    }
    return atomic_file_commit(&out, why);
}

enum err tournament_file_game(const struct tournament_file *file, const char *text, int *out,
                              struct note *why)
{
    int64_t number = 0;
    if (file->tournament.game_count == 0) {
        return note_fail(why, ERR_INPUT, "there are no games yet");
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
        return note_fail(why, ERR_INPUT,
                         "there is no team '%.40s'; plum tournament standings lists their ids", id);
    }
    *out = team;
    return ERR_NONE;
}

/* What is asked of the games, and which are chosen so far. */
struct game_choice {
    const struct tournament_file *file;
    bool are_annulled;
    bool *is_chosen; /* by number */
};

/* Marks the finished games of a team or a round; the other one is -1. */
static enum err choose_games(const struct game_choice *choice, int team, int round,
                             const char *word, struct note *why)
{
    const struct tournament *t = &choice->file->tournament;
    size_t found = 0;
    size_t annulled = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        bool is_named = game->team[0] == team || game->team[1] == team || game->round == round;
        bool is_annulled = game->status == GAME_ANNULLED && !game->is_voided;
        bool is_finished = game->status == GAME_PLAYED || game->is_voided;
        if (is_named && (choice->are_annulled ? is_annulled : is_finished)) {
            choice->is_chosen[i] = true;
            found++;
        }
        annulled += is_named && is_annulled;
    }
    if (found) {
        return ERR_NONE;
    }
    return choice->are_annulled
               ? note_fail(why, ERR_NEGATIVE, "%.60s has no annulled game", word)
               : note_fail(why, ERR_NEGATIVE, "%.60s has no finished game that counts%s", word,
                           annulled ? "; those that are annulled are not among them" : "");
}

static enum err choose(const struct game_choice *choice, const char *word, struct note *why)
{
    int number = 0;
    int64_t round = 0;
    enum err err = ERR_NONE;
    if (strncmp(word, "team:", 5) == 0) {
        err = tournament_file_team(choice->file, word + 5, &number, why);
        return err ? err : choose_games(choice, number, -1, word, why);
    }
    if (strncmp(word, "round:", 6) == 0) {
        err = number_read(word + 6, "round", 1, choice->file->roster.rounds, &round, why);
        return err ? err : choose_games(choice, -1, (int)round - 1, word, why);
    }
    err = tournament_file_game(choice->file, word, &number, why);
    if (!err) {
        choice->is_chosen[number] = true;
    }
    return err;
}

enum err tournament_file_games(const struct tournament_file *file, char *const *words,
                               int word_count, bool are_annulled, int **out, size_t *count,
                               struct note *why)
{
    size_t games = file->tournament.game_count;
    bool *is_chosen = calloc(games + 1, sizeof *is_chosen);
    int *list = calloc(games + 1, sizeof *list);
    const struct game_choice choice = {file, are_annulled, is_chosen};
    size_t used = 0;
    enum err err =
        is_chosen && list ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "no memory for the games");
    for (int i = 0; !err && i < word_count; i++) {
        err = choose(&choice, words[i], why);
    }
    for (size_t i = 0; !err && i < games; i++) {
        if (is_chosen[i]) {
            list[used++] = (int)i;
        }
    }
    free(is_chosen);
    if (err) {
        free(list);
        return err;
    }
    *out = list;
    *count = used;
    return ERR_NONE;
}
