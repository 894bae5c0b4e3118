/* Positions: the first byte chooses the game and the processor level, the rest is the text.
 *
 * A text that is accepted is written back as it was; every listed move can be played, and
 * leads to a position whose text is accepted too; all levels say the same. */
#include "fuzz.h"

#include <string.h>

enum { MAX_TEXT = 400 };

static void check_text(const struct game *game, const struct state *state, const char *text)
{
    char written[GAME_POSITION_BYTES];
    char status[GAME_STATUS_BYTES];
    struct state again;
    game->write_position(state, written);
    CLAIM(!text || strcmp(written, text) == 0);
    CLAIM(game_read_position(game, written, &again, NULL) == ERR_NONE);
    CLAIM(memcmp(&again, state, sizeof again) == 0);
    CLAIM(game->key(&again) == game->key(state));
    game->status(state, status);
    for (int square = 0; square < game->rows * game->columns; square++) {
        int wire = cell_wire(game->cell(state, square));
        CLAIM(wire >= -1 && wire <= 2);
    }
}

/* Breaking an own barrier next door gains one: from the largest budget a position may have, that
 * leads to one it may not. Play from 150 never gets there. */
static bool can_outgrow_its_text(const struct game *game, const char *text)
{
    return game->auction && strstr(text, " 999");
}

static size_t check_moves(const struct game *game, const struct state *state, const char *text,
                          struct move *moves)
{
    size_t count = game->moves(state, moves);
    CLAIM(count <= GAME_MAX_MOVES);
    CLAIM((count == 0) == game_is_over(game, state));
    CLAIM(game->perft(state, 1) == count);
    for (size_t i = 0; i < count; i++) {
        struct state next = *state;
        CLAIM(i == 0 || move_compare(&moves[i - 1], &moves[i]) < 0);
        CLAIM(game->apply(&next, &moves[i], NULL) == ERR_NONE);
        CLAIM(game->to_move(&next) != game->to_move(state));
        if (!can_outgrow_its_text(game, text)) {
            check_text(game, &next, NULL);
        }
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct move moves[CPU_LEVELS][GAME_MAX_MOVES];
    size_t counts[CPU_LEVELS] = {0};
    char text[MAX_TEXT];
    if (size < 1 || size > sizeof text) {
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    for (enum cpu_level cpu = CPU_BASELINE; cpu <= cpu_best(); cpu++) {
        const struct game *game = fuzz_game(cpu, data[0]);
        struct state state;
        struct note why = {""};
        if (game_read_position(game, text, &state, &why)) {
            CLAIM(*why.text);
            continue;
        }
        check_text(game, &state, strcmp(text, "start") == 0 ? NULL : text);
        counts[cpu] = check_moves(game, &state, text, moves[cpu]);
        CLAIM(counts[cpu] == counts[CPU_BASELINE]);
        for (size_t i = 0; i < counts[cpu]; i++) {
            CLAIM(move_compare(&moves[cpu][i], &moves[CPU_BASELINE][i]) == 0);
        }
    }
    return 0;
}
