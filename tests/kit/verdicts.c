/* verdicts: what the judge says of positions, moves and answers, a line for each; test_practice.py
 * compares.
 *
 * usage: verdicts GAME positions COUNT    prints positions: half of them from random games, half
 * constructed verdicts GAME rules              reads positions: prints the result and the legal
 * moves verdicts GAME moves              reads "POSITION|MOVE": prints the position after it, or
 * why it is refused verdicts GAME tcp|file|template  reads answers in hexadecimal digits: prints
 * the move, or why it is refused
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "game/game.h"
#include "game/registry.h"
#include "naive/naive.h"
#include "protocol/file_text.h"
#include "protocol/template_text.h"
#include "protocol/wire.h"
#include "random_position.h"

enum { QUESTION = 3 }; /* the index of the board that is answered */

static void print_move(const struct game *game, const struct move *move)
{
    char text[GAME_MOVE_BYTES];
    game_write_move(game, move, text);
    puts(text);
}

static void print_positions(const struct game *game, long count)
{
    struct rng rng = rng_make(11);
    struct state state = game->start();
    static struct move moves[GAME_MAX_MOVES];
    const struct naive_game *naive = naive_find(game->name);
    char text[GAME_POSITION_BYTES];
    for (long i = 0; i < count; i++) {
        if (i % 2) {
            struct naive_position position = random_position(naive, &rng);
            naive_write(naive, &position, text);
        } else {
            size_t legal = game->moves(&state, moves);
            state =
                legal ? game_after(game, &state, &moves[rng_below(&rng, legal)]) : game->start();
            game->write_position(&state, text);
        }
        puts(text);
    }
}

static struct state read_position(const struct game *game, const char *text)
{
    struct state state;
    struct note why;
    if (game_read_position(game, text, &state, &why)) {
        fprintf(stderr, "verdicts: %s: %s\n", text, why.text);
        exit(2);
    }
    return state;
}

static void print_rules(const struct game *game, char *line)
{
    static struct move moves[GAME_MAX_MOVES];
    struct state state = read_position(game, line);
    struct result result = game->result(&state);
    printf("%s %d %d %s", outcome_name(result.outcome), result.score[0], result.score[1],
           result.reason);
    size_t count = game->moves(&state, moves);
    for (size_t i = 0; i < count; i++) {
        char text[GAME_MOVE_BYTES];
        game_write_move(game, &moves[i], text);
        printf(" %s", text);
    }
    puts("");
}

static void judge_move(const struct game *game, char *line)
{
    char *words = strchr(line, '|');
    *words++ = '\0';
    struct state state = read_position(game, line);
    struct move move;
    struct note why;
    if (game_read_move(game, words, &move, &why) || game->apply(&state, &move, &why)) {
        puts(why.text);
        return;
    }
    char text[GAME_POSITION_BYTES];
    game->write_position(&state, text);
    puts(text);
}

static void judge_wire(const struct game *game, const uint8_t *bytes, size_t count)
{
    static struct wire_reader reader;
    static struct wire_answer answer;
    struct move move;
    struct note why;
    memset(&reader, 0, sizeof reader);
    reader.has_team = true;
    enum wire_event event = wire_feed(&reader, &bytes, &count, &answer, &why);
    if (event == WIRE_MORE) {
        puts("nothing");
    } else if (event == WIRE_MALFORMED || wire_move(game, &answer, &move, &why)) {
        puts(why.text);
    } else {
        print_move(game, &move);
    }
}

static void judge_file(const struct game *game, const uint8_t *bytes, size_t count)
{
    struct move move;
    struct note why;
    switch (file_read_move(game, QUESTION, (const char *)bytes, count, &move, &why)) {
    case FILE_NOT_YET:
        puts("nothing");
        break;
    case FILE_INVALID:
        puts(why.text);
        break;
    case FILE_MOVE:
        print_move(game, &move);
        break;
    }
}

/* Bids as "bid: COLOUR PRICE", moves as "move: ROW COLUMN ROW COLUMN". */
static void judge_template(const uint8_t *bytes, size_t count)
{
    static struct template_text text;
    memset(&text, 0, sizeof text);
    const char *at = (const char *)bytes;
    struct template_phrase phrase = template_feed(&text, &at, &count);
    while (phrase.kind == TEMPLATE_NEAR_BID || phrase.kind == TEMPLATE_NEAR_MOVE) {
        phrase = template_feed(&text, &at, &count);
    }
    const int64_t *n = phrase.numbers;
    if (phrase.kind == TEMPLATE_BID) {
        printf("bid: %lld %lld\n", (long long)n[0], (long long)n[1]);
    } else if (phrase.kind == TEMPLATE_MOVE) {
        printf("move: %lld %lld %lld %lld\n", (long long)n[0], (long long)n[1], (long long)n[2],
               (long long)n[3]);
    } else {
        puts(phrase.kind == TEMPLATE_BAD_BID    ? "bad bid"
             : phrase.kind == TEMPLATE_BAD_MOVE ? "bad move"
                                                : "nothing");
    }
}

static void judge_answer(const struct game *game, const char *protocol, const char *digits)
{
    static uint8_t bytes[1 << 17];
    size_t count = 0;
    for (; count < sizeof bytes && digits[2 * count] && digits[2 * count + 1]; count++) {
        const char pair[3] = {digits[2 * count], digits[2 * count + 1], '\0'};
        bytes[count] = (uint8_t)strtoul(pair, NULL, 16);
    }
    if (strcmp(protocol, "tcp") == 0) {
        judge_wire(game, bytes, count);
    } else if (strcmp(protocol, "file") == 0) {
        judge_file(game, bytes, count);
    } else {
        judge_template(bytes, count);
    }
}

int main(int argc, char **argv)
{
    struct note why;
    const struct game *game = argc > 2 ? registry_find(cpu_best(), argv[1], &why) : NULL;
    if (!game) {
        fputs("usage: verdicts GAME positions|rules|moves|tcp|file|template [COUNT]\n", stderr);
        return 2;
    }
    if (argc > 3) {
        print_positions(game, strtol(argv[3], NULL, 10));
        return 0;
    }
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        line[length - 1] = '\0';
        if (strcmp(argv[2], "rules") == 0) {
            print_rules(game, line);
        } else if (strcmp(argv[2], "moves") == 0) {
            judge_move(game, line);
        } else {
            judge_answer(game, argv[2], line);
        }
    }
    free(line);
    return 0;
}
