/* ladder: every level against the one below, and level 1 against random moves.
 *
 * usage: ladder [--games A,B] [--levels FIRST-LAST] [--pairs N] [--seconds S] [--threads N]
 *               [--time MS] [--seed N] [--rules FILE]
 *
 * Pairs of games from one random opening, colours swapped, on all cores. Prints for each step
 * the games, the points in percent, the difference in Elo with twice its standard error (taken
 * from the pairs) and how many average steps of its game it is, then whether the ladder is good:
 *
 *     level 1 scores 40 to 60 % against random moves,
 *     every level beats the one below by more than the error,
 *     no step is more than twice the average step of its game.
 *
 * Level 10 thinks --time ms a move (100), the others as many nodes as their rules say. When the
 * --seconds (560) are over no new pair is begun; until a match has its --pairs (100) it gets as
 * much time as the others. Exit code 0: good; 1: not good, or fewer than 10 pairs in a match.
 *
 * A --rules FILE replaces rows of the games' tables, to try others without building again. A row:
 *
 *     GAME LEVEL DEPTH NODES OVERLOOKS CAPTURES NOISE STOPS
 */
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "engine/engine_entry.h"
#include "game/registry.h"
#include "random_plies.h"

enum {
    OPENING_PLIES = 6,
    HASH_MB = 16,
    MAX_GAMES = 16,
    MAX_MATCHES = MAX_GAMES * LEVEL_MAX,
    MAX_THREADS = 256,
    HALF_POINTS = 5, /* of a pair: 0 … 4 */
    FEWEST_PAIRS = 10,
};

/* A level against the one below; level 1 against random moves. */
struct ladder_match {
    const struct game *game;
    int game_index;
    int level;
    long begun;
    long finished;
    int64_t used_ns; /* by the finished pairs */
    long pairs[HALF_POINTS];
    long games[3]; /* lost, drawn, won */
};

struct ladder {
    const struct game *games[MAX_GAMES];
    struct level_rules rules[MAX_GAMES][LEVEL_MAX];
    int game_count;
    int first;
    int last;
    long pairs;
    long threads;
    int64_t end_ns;
    int64_t time_ns;
    uint64_t seed;
    struct ladder_match matches[MAX_MATCHES];
    int match_count;
    pthread_mutex_t lock; /* of the matches */
};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "ladder: %s: %s\n", what, why);
    exit(2);
}

/* --- Playing --- */

struct ladder_worker {
    struct ladder *ladder;
    struct engine engines[2];
};

static struct move random_move(const struct game *game, const struct state *state, uint64_t seed)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    struct rng rng = rng_make(seed);
    return moves[rng_below(&rng, count)];
}

static struct move level_move(struct ladder_worker *w, const struct ladder_match *match, int player,
                              const struct state *state, uint64_t seed)
{
    int level = match->level - player;
    if (level == 0) {
        return random_move(match->game, state, seed);
    }
    struct engine_limits limits = {
        .level = level,
        .seed = seed,
        .rules = level < LEVEL_MAX ? &w->ladder->rules[match->game_index][level - 1] : NULL,
        .time_ns = level < LEVEL_MAX ? 0 : w->ladder->time_ns,
    };
    struct engine_report report;
    engine_search(&w->engines[player],
                  &(struct engine_request){.game = match->game, .state = state, .limits = limits},
                  &report);
    return report.move;
}

/* Half points of the higher level, which plays this side: 0, 1 or 2. */
static int play_game(struct ladder_worker *w, const struct ladder_match *match, struct state state,
                     int side, uint64_t seed)
{
    const struct game *game = match->game;
    if (match->level == LEVEL_MAX) {
        engine_clear(&w->engines[0]); /* the others never use what they found before */
    }
    for (uint64_t ply = 0; !game_is_over(game, &state); ply++) {
        int player = (int)game->to_move(&state) != side;
        struct move move = level_move(w, match, player, &state, hash_pair(seed, ply));
        struct note why = {""};
        if (game->apply(&state, &move, &why)) {
            fail(game->name, why.text);
        }
    }
    enum outcome outcome = game->result(&state).outcome;
    enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    return outcome == OUTCOME_DRAW ? 1 : outcome == win ? 2 : 0;
}

static void play_pair(struct ladder_worker *w, struct ladder_match *match, uint64_t seed)
{
    struct rng rng = rng_make(seed);
    struct state opening;
    do {
        opening = match->game->start();
    } while (!random_plies(match->game, &rng, OPENING_PLIES, &opening));
    int points[2];
    int64_t start_ns = clock_now_ns();
    for (int side = 0; side < 2; side++) {
        points[side] = play_game(w, match, opening, side, rng_next(&rng));
    }
    pthread_mutex_lock(&w->ladder->lock);
    match->games[points[0]]++;
    match->games[points[1]]++;
    match->pairs[points[0] + points[1]]++;
    match->finished++;
    match->used_ns += clock_now_ns() - start_ns;
    pthread_mutex_unlock(&w->ladder->lock);
}

/* The time a match has used, and will have used when the pairs that are played now are over. */
static int64_t time_share(const struct ladder_match *match)
{
    int64_t each_ns = match->finished ? match->used_ns / match->finished : CLOCK_NS_PER_MS;
    return match->used_ns + (match->begun - match->finished) * each_ns;
}

/* The match with the least time, and the number of its next pair; NULL: all have enough pairs. */
static struct ladder_match *next_match(struct ladder *ladder, long *pair)
{
    struct ladder_match *next = NULL;
    pthread_mutex_lock(&ladder->lock);
    for (int i = 0; i < ladder->match_count; i++) {
        struct ladder_match *match = &ladder->matches[i];
        if (match->begun < ladder->pairs && (!next || time_share(match) < time_share(next))) {
            next = match;
        }
    }
    if (next) {
        *pair = next->begun++;
    }
    pthread_mutex_unlock(&ladder->lock);
    return next;
}

static void *work(void *context)
{
    struct ladder_worker *w = context;
    struct ladder_match *match = NULL;
    long pair = 0;
    while (clock_now_ns() < w->ladder->end_ns && (match = next_match(w->ladder, &pair))) {
        uint64_t key = (uint64_t)match->game_index * LEVEL_MAX + (uint64_t)match->level;
        play_pair(w, match, hash_pair(hash_pair(w->ladder->seed, key), (uint64_t)pair));
    }
    return NULL;
}

static void play(struct ladder *ladder)
{
    static struct ladder_worker workers[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    struct note why = {""};
    for (long i = 0; i < ladder->threads; i++) {
        workers[i].ladder = ladder;
        for (int j = 0; j < 2; j++) {
            if (engine_init(&workers[i].engines[j], HASH_MB, 1, &why)) {
                fail("engine", why.text);
            }
        }
        if (pthread_create(&threads[i], NULL, work, &workers[i])) {
            fail("threads", "the system gives us no more");
        }
    }
    for (long i = 0; i < ladder->threads; i++) {
        pthread_join(threads[i], NULL);
        engine_free(&workers[i].engines[0]);
        engine_free(&workers[i].engines[1]);
    }
}

/* --- The result --- */

struct step {
    long pair_count;
    double score;
    double error; /* twice the standard error of the score */
    double elo;
    double elo_error;
};

/* A score of 0 or 1 is taken for half a pair from it. */
static double elo(double score, long pair_count)
{
    double least = 0.5 / (double)(pair_count + 1);
    score = fmin(fmax(score, least), 1 - least);
    return -400 * log10(1 / score - 1);
}

static struct step step_of(const struct ladder_match *match)
{
    struct step step = {0};
    double squares = 0;
    for (int i = 0; i < HALF_POINTS; i++) {
        double points = i / (double)(HALF_POINTS - 1);
        step.pair_count += match->pairs[i];
        step.score += points * (double)match->pairs[i];
        squares += points * points * (double)match->pairs[i];
    }
    long n = step.pair_count;
    if (n > 0) {
        step.score /= (double)n;
        double variance = fmax(squares / (double)n - step.score * step.score, 0);
        step.error = 2 * sqrt(variance / (double)n);
        step.elo = elo(step.score, n);
        step.elo_error =
            fabs(elo(step.score + step.error, n) - elo(step.score - step.error, n)) / 2;
    }
    return step;
}

static double average_step(const struct ladder *ladder, int game)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < ladder->match_count; i++) {
        const struct ladder_match *match = &ladder->matches[i];
        if (match->game_index == game && match->level > 1) {
            sum += step_of(match).elo;
            count++;
        }
    }
    return count ? sum / count : 0;
}

static const char *fault_of(const struct ladder_match *match, const struct step *step, double ratio)
{
    if (step->pair_count < FEWEST_PAIRS) {
        return "too few pairs";
    }
    if (match->level == 1) {
        return step->score < 0.4 || step->score > 0.6 ? "not within 40 and 60 %" : NULL;
    }
    if (step->score - step->error <= 0.5) {
        return "not above the level below";
    }
    return ratio > 2 ? "more than twice the average step" : NULL;
}

static bool print_match(const struct ladder_match *match, double average)
{
    struct step step = step_of(match);
    double ratio = match->level > 1 && average > 0 ? step.elo / average : 0;
    const char *fault = fault_of(match, &step, ratio);
    char against[24] = "random";
    if (match->level > 1) {
        snprintf(against, sizeof against, "level %d", match->level - 1);
    }
    printf("%-10s level %2d - %-7s: +%ld =%ld -%ld  %5.1f%%  %+5.0f Elo +-%-4.0f",
           match->game->name, match->level, against, match->games[2], match->games[1],
           match->games[0], 100 * step.score, step.elo, step.elo_error);
    if (match->level > 1) {
        printf("  %4.2f average steps", ratio);
    }
    printf("  %s\n", fault ? fault : "ok");
    return !fault;
}

static bool print(const struct ladder *ladder)
{
    bool is_good = true;
    for (int i = 0; i < ladder->match_count; i++) {
        const struct ladder_match *match = &ladder->matches[i];
        is_good &= print_match(match, average_step(ladder, match->game_index));
    }
    for (int i = 0; i < ladder->game_count; i++) {
        printf("%-10s average step %.0f Elo\n", ladder->games[i]->name, average_step(ladder, i));
    }
    printf("%s\n", is_good ? "PASS" : "FAIL");
    return is_good;
}

/* --- What was asked --- */

static long number(const char *option, const char *text, long least, long most)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) {
        fprintf(stderr, "ladder: --%s is a number from %ld to %ld, not '%s'\n", option, least, most,
                text);
        exit(2);
    }
    return value;
}

static void add_game(struct ladder *ladder, const struct game *game)
{
    const struct level_rules *table = engine_entry_find(game)->levels;
    for (int level = 1; level <= LEVEL_MAX; level++) {
        ladder->rules[ladder->game_count][level - 1] = level_rules(table, level);
    }
    ladder->games[ladder->game_count++] = game;
}

static void add_games(struct ladder *ladder, char *names)
{
    struct note why = {""};
    char *rest = NULL;
    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        const struct game *game = registry_find(CPU_BASELINE, name, &why);
        if (!game || ladder->game_count == MAX_GAMES) {
            fail(name, game ? "too many games" : why.text);
        }
        add_game(ladder, game);
    }
}

static void add_all_games(struct ladder *ladder)
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)) && i < MAX_GAMES; i++) {
        add_game(ladder, game);
    }
}

static void read_rules(struct ladder *ladder, const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");
    if (!file) {
        fail(path, "cannot be opened");
    }
    while (fgets(line, sizeof line, file)) {
        char name[32];
        int level = 0;
        int stops = 0;
        struct level_rules rules = {0};
        int count =
            sscanf(line, "%31s %d %d %u %d %d %d %d", name, &level, &rules.depth, &rules.nodes,
                   &rules.overlooks, &rules.overlooks_captures, &rules.noise, &stops);
        if (count < 1 || name[0] == '#') {
            continue;
        }
        if (count != 8 || level < 1 || level >= LEVEL_MAX) {
            fail(path, line);
        }
        rules.stops_at_depth = stops;
        for (int i = 0; i < ladder->game_count; i++) {
            if (strcmp(ladder->games[i]->name, name) == 0) {
                ladder->rules[i][level - 1] = rules;
            }
        }
    }
    fclose(file);
}

static void add_matches(struct ladder *ladder)
{
    for (int i = 0; i < ladder->game_count; i++) {
        for (int level = ladder->first; level <= ladder->last; level++) {
            ladder->matches[ladder->match_count++] =
                (struct ladder_match){.game = ladder->games[i], .game_index = i, .level = level};
        }
    }
}

static void read_levels(struct ladder *ladder, const char *text)
{
    char rest = 0;
    int count = sscanf(text, "%d-%d%c", &ladder->first, &ladder->last, &rest);
    if (count != 2 || ladder->first < 1 || ladder->last > LEVEL_MAX ||
        ladder->first > ladder->last) {
        fail(text, "--levels is FIRST-LAST, within 1-10");
    }
}

static const struct option options[] = {
    {"games", required_argument, NULL, 'g'},
    {"levels", required_argument, NULL, 'l'},
    {"pairs", required_argument, NULL, 'p'},
    {"seconds", required_argument, NULL, 's'},
    {"threads", required_argument, NULL, 't'},
    {"time", required_argument, NULL, 'm'},
    {"seed", required_argument, NULL, 'e'},
    {"rules", required_argument, NULL, 'r'},
    {NULL, 0, NULL, 0},
};

int main(int argc, char **argv)
{
    static struct ladder ladder = {.first = 1, .last = LEVEL_MAX, .pairs = 100, .seed = 1};
    const char *rules = NULL;
    long seconds = 560;
    ladder.threads = sysconf(_SC_NPROCESSORS_ONLN);
    ladder.time_ns = 100 * CLOCK_NS_PER_MS;
    pthread_mutex_init(&ladder.lock, NULL);
    for (int letter = 0; (letter = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (letter) {
        case 'g':
            add_games(&ladder, optarg);
            break;
        case 'l':
            read_levels(&ladder, optarg);
            break;
        case 'p':
            ladder.pairs = number("pairs", optarg, 1, 1000000);
            break;
        case 's':
            seconds = number("seconds", optarg, 1, 1000000);
            break;
        case 't':
            ladder.threads = number("threads", optarg, 1, MAX_THREADS);
            break;
        case 'm':
            ladder.time_ns = number("time", optarg, 1, 60000) * CLOCK_NS_PER_MS;
            break;
        case 'e':
            ladder.seed = (uint64_t)number("seed", optarg, 0, INT32_MAX);
            break;
        case 'r':
            rules = optarg;
            break;
        default:
            return 2;
        }
    }
    if (optind < argc) {
        fail(argv[optind], "there are options only");
    }
    if (!ladder.game_count) {
        add_all_games(&ladder);
    }
    if (rules) {
        read_rules(&ladder, rules);
    }
    ladder.threads = ladder.threads < MAX_THREADS ? ladder.threads : MAX_THREADS;
    ladder.end_ns = clock_now_ns() + seconds * CLOCK_NS_PER_S;
    add_matches(&ladder);
    play(&ladder);
    return print(&ladder) ? 0 : 1;
}
