#include "course/kit.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/embedded.h"
#include "base/number.h"
#include "course/build.h"

enum { MAX_TEAM = 999999999, MAX_TEAM_DIGITS = 12 };

struct kit_language {
    const char *name;
    const char *agent_ending;
    const char *client_ending;
    const char *build;
    const char *run;
    const char *plain; /* the same without plum */
};

static const struct kit_language languages[] = {
    {"c", ".c", ".h", "plum build @GAME@ @AGENT@.c -o @AGENT@", "./@AGENT@",
     "gcc -std=gnu17 -O3 @AGENT@.c -o @AGENT@\n"
     "x86_64-w64-mingw32-gcc -std=gnu17 -O3 -static @AGENT@.c -o @AGENT@.exe -lws2_32"},
    {"cpp", ".cpp", ".h", "plum build @GAME@ @AGENT@.cpp -o @AGENT@", "./@AGENT@",
     "g++ -std=c++14 -O3 @AGENT@.cpp -o @AGENT@\n"
     "x86_64-w64-mingw32-g++ -std=c++14 -O3 -static @AGENT@.cpp -o @AGENT@.exe -lws2_32"},
    {"python", ".py", ".py", "python3 -m py_compile @AGENT@.py", "python3 @AGENT@.py",
     "python3 @AGENT@.py"},
};

struct kit_protocol {
    const char *games;  /* each between spaces */
    const char *agent;  /* the agent's name */
    const char *player; /* as on a command line */
    const char *readme;
    bool uses_files; /* the agent uses FileClient where its template has STcpClient */
};

static const struct kit_protocol protocols[] = {
    {" hop reversi othello ", "Sample", "tcp:@TEAM@:@RUN@", "clients/readme/tcp.md", false},
    {" hop-noloop ", "Sample", "file:@TEAM@:@RUN@", "clients/readme/file.md", true},
    {" meichu ", "@STUDENT@", "template:@RUN@", "clients/readme/meichu.md", false},
};

/* Which sources of clients/ a kit consists of. */
static const struct kit_part {
    const char *games;
    const char *path; /* below the language's folder, without an ending */
    bool is_agent;
} parts[] = {
    {" hop hop-noloop ", "hop/Sample", true},
    {" reversi othello ", "reversi/Sample", true},
    {" meichu ", "meichu/STUDENTID", true},
    {" hop hop-noloop reversi othello ", "STcpClient", false},
    {" hop-noloop ", "FileClient", false},
};

/* More for the head of STcpClient.h. The assignments name the line of it that students edit:
 * idTeam is on line 11 in hop, and with these lines on line 18 in Reversi. */
static const char disc_games[] = " reversi othello ";
static const char disc_note[] = "\n *"
                                "\n * The cells of the board, row by row:"
                                "\n *      0   empty"
                                "\n *      1   Black"
                                "\n *      2   White"
                                "\n *     -1   a corner of Reversi: no disc can be placed there"
                                "\n * A move is one square: its row, then its column.";

static bool has_game(const char *games, const char *game)
{
    char word[KIT_NAME_BYTES];
    return snprintf(word, sizeof word, " %s ", game) < (int)sizeof word && strstr(games, word);
}

/* --- Templates. --- */

static const struct kit_word *word_at(const struct kit *kit, const char *text)
{
    for (size_t i = 0; i < kit->word_count; i++) {
        if (strncmp(text, kit->words[i].name, strlen(kit->words[i].name)) == 0) {
            return &kit->words[i];
        }
    }
    return NULL;
}

static void expand(const struct kit *kit, const char *pattern, FILE *out)
{
    while (*pattern) {
        const struct kit_word *word = word_at(kit, pattern);
        if (word) {
            fputs(word->text, out);
            pattern += strlen(word->name);
        } else {
            fputc(*pattern++, out);
        }
    }
}

/* From now on `name` is replaced by the pattern, in which the words known so far are replaced. */
static void define(struct kit *kit, const char *name, const char *pattern)
{
    assert(kit->word_count < KIT_MAX_WORDS);
    struct kit_word word = {.name = name};
    FILE *out = fmemopen(word.text, sizeof word.text, "w");
    if (out) {
        expand(kit, pattern, out);
        fclose(out);
    }
    kit->words[kit->word_count++] = word;
}

const char *kit_word(const struct kit *kit, const char *name)
{
    const struct kit_word *word = word_at(kit, name);
    assert(word);
    return word->text;
}

/* --- Making a kit. --- */

static void add_file(struct kit *kit, const char *name, const char *ending, const char *path)
{
    const struct embedded_file *source = embedded_find(path);
    assert(source && kit->file_count < KIT_MAX_FILES);
    struct kit_file *file = &kit->files[kit->file_count++];
    int room = (int)(sizeof file->name - 1 - strlen(ending));
    snprintf(file->name, sizeof file->name, "%.*s%s", room, name, ending);
    file->text = source->bytes;
}

static void add_part(struct kit *kit, const struct kit_language *language,
                     const struct kit_part *part)
{
    char path[KIT_WORD_BYTES];
    const char *ending = part->is_agent ? language->agent_ending : language->client_ending;
    snprintf(path, sizeof path, "clients/%s/%s%s", language->name, part->path, ending);
    add_file(kit, part->is_agent ? kit_word(kit, "@AGENT@") : part->path, ending, path);
}

static void define_words(struct kit *kit, const char *game, const struct kit_language *language,
                         const struct kit_protocol *protocol)
{
    if (protocol->uses_files) {
        define(kit, "import STcpClient", "import FileClient as STcpClient");
        define(kit, "\"STcpClient.h\"", "\"FileClient.h\"");
    }
    define(kit, "@GAME@", game);
    define(kit, "@CELLS@", has_game(disc_games, game) ? disc_note : "");
    define(kit, "@AGENT@", protocol->agent);
    define(kit, "@ENDING@", language->agent_ending);
    define(kit, "@RUN@", language->run);
    define(kit, "@PLAYER@", protocol->player);
    define(kit, "@PLAIN@", language->plain);
    define(kit, "@BUILD@", language->build);
    define(kit, "@CHECK@", "plum check @GAME@ '@PLAYER@'");
    define(kit, "@MATCH@", "plum match @GAME@ --black '@PLAYER@' --white builtin:1 --games 2");
}

static const struct kit_language *find_language(const char *name, struct note *why)
{
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        if (strcmp(languages[i].name, name) == 0) {
            return &languages[i];
        }
    }
    note_set(why, "the language must be c, cpp or python, not '%.40s'", name);
    return NULL;
}

static const struct kit_protocol *find_protocol(const char *game, struct note *why)
{
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        if (has_game(protocols[i].games, game)) {
            return &protocols[i];
        }
    }
    note_set(why, "there is no kit for %.40s", game);
    return NULL;
}

static enum err define_team(struct kit *kit, const char *team, struct note *why)
{
    int64_t number = 0;
    enum err err = number_read(team, "the team", 1, MAX_TEAM, &number, why);
    if (!err && strlen(team) > MAX_TEAM_DIGITS) {
        note_set(why, "the team has more than %d digits", MAX_TEAM_DIGITS);
        err = ERR_INPUT;
    }
    if (err) {
        return err;
    }
    char text[KIT_NAME_BYTES];
    snprintf(text, sizeof text, "%lld", (long long)number);
    define(kit, "@STUDENT@", team);
    define(kit, "@TEAM@", text);
    define(kit, "idTeam = -1", "idTeam = @TEAM@");
    return ERR_NONE;
}

enum err kit_make(struct kit *kit, const char *game, const char *language_name, const char *team,
                  struct note *why)
{
    const struct kit_language *language = find_language(language_name, why);
    const struct kit_protocol *protocol = language ? find_protocol(game, why) : NULL;
    struct kit made = {0};
    if (!protocol || define_team(&made, team, why)) {
        return ERR_INPUT;
    }
    define_words(&made, game, language, protocol);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (has_game(parts[i].games, game)) {
            add_part(&made, language, &parts[i]);
        }
    }
    add_file(&made, "README", ".md", protocol->readme);
    *kit = made;
    return ERR_NONE;
}

/* --- Writing it. --- */

static enum err refuse_path(const char *path, int error, struct note *why)
{
    note_set(why, "cannot write %.100s: %s", path, strerror(error));
    return ERR_ENVIRONMENT;
}

/* The folder is there and empty afterwards. */
static enum err enter_folder(const char *folder, struct note *why)
{
    if (mkdir(folder, 0777) == 0) {
        return ERR_NONE;
    }
    if (errno != EEXIST) {
        return refuse_path(folder, errno, why);
    }
    DIR *entries = opendir(folder);
    if (!entries) {
        int error = errno;
        note_set(why, "%.100s: %s", folder, strerror(error));
        return error == ENOTDIR ? ERR_INPUT : ERR_ENVIRONMENT;
    }
    bool is_empty = true;
    for (struct dirent *entry; is_empty && (entry = readdir(entries));) {
        is_empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    closedir(entries);
    if (!is_empty) {
        note_set(why, "%.100s is not empty; choose a new folder", folder);
        return ERR_INPUT;
    }
    return ERR_NONE;
}

static enum err write_file(const struct kit *kit, const struct kit_file *file, const char *folder,
                           struct note *why)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, file->name) >= (int)sizeof path) {
        return refuse_path(folder, ENAMETOOLONG, why);
    }
    FILE *out = fopen(path, "wxe");
    if (!out) {
        return refuse_path(path, errno, why);
    }
    expand(kit, file->text, out);
    bool is_written = !ferror(out);
    return fclose(out) == 0 && is_written ? ERR_NONE : refuse_path(path, errno, why);
}

enum err kit_write(const struct kit *kit, const char *folder, struct note *why)
{
    mode_t before = build_loosen_umask();
    enum err err = enter_folder(folder, why);
    for (size_t i = 0; !err && i < kit->file_count; i++) {
        err = write_file(kit, &kit->files[i], folder, why);
    }
    umask(before);
    return err;
}
