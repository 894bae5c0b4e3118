/* Moves: the first byte chooses the game and whether moves are words or raw bytes; they are
 * played from the start as long as the game continues.
 *
 * A refusal gives a reason and leaves the state alone; what is accepted survives its text. */
#include "fuzz.h"

#include <string.h>

enum { MAX_WORDS = 4000, RAW_BIT = 0x80 };

static void play(const struct game *game, struct state *state, const struct move *move)
{
    struct state next = *state;
    struct state again = *state;
    struct note why = {""};
    struct move reread;
    char text[GAME_MOVE_BYTES];
    if (game->apply(&next, move, &why)) {
        CLAIM(*why.text);
        CLAIM(memcmp(&next, state, sizeof next) == 0);
        return;
    }
    CLAIM(move->kind == MOVE_PATH || move->kind == MOVE_PASS || move->kind == MOVE_SKIP);
    CLAIM(move->kind != MOVE_SKIP || game->is_move_skippable);
    game_write_move(game, move, text);
    CLAIM(game_read_move(game, text, &reread, &why) == ERR_NONE);
    CLAIM(reread.kind == move->kind);
    CLAIM(move->kind != MOVE_PATH || move_compare(&reread, move) == 0);
    CLAIM(game->apply(&again, &reread, &why) == ERR_NONE);
    CLAIM(memcmp(&again, &next, sizeof next) == 0);
    *state = next;
}

static void play_words(const struct game *game, struct state *state, char *words)
{
    for (char *word = NULL; (word = strsep(&words, " \n"));) {
        struct move move;
        struct note why = {""};
        if (game_read_move(game, word, &move, &why)) {
            CLAIM(*why.text);
        } else {
            play(game, state, &move);
        }
    }
}

/* Kind, count, then as many squares as there are. */
static void play_bytes(const struct game *game, struct state *state, const uint8_t *data,
                       size_t size)
{
    while (size >= 2) {
        struct move move = {.kind = data[0], .count = data[1]};
        data += 2;
        size -= 2;
        size_t squares = move.count < GAME_MAX_PATH ? move.count : GAME_MAX_PATH;
        squares = squares < size ? squares : size;
        memcpy(move.squares, data, squares);
        data += squares;
        size -= squares;
        play(game, state, &move);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char words[MAX_WORDS];
    if (size < 1 || size > sizeof words) {
        return 0;
    }
    const struct game *game = fuzz_game(cpu_best(), data[0] & (RAW_BIT - 1));
    struct state state = game->start();
    if (data[0] & RAW_BIT) {
        play_bytes(game, &state, data + 1, size - 1);
    } else {
        memcpy(words, data + 1, size - 1);
        words[size - 1] = '\0';
        play_words(game, &state, words);
    }
    return 0;
}
