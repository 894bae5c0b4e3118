/* Bytes of a TCP connection: the first byte chooses the game and how the rest is cut in pieces.
 *
 * Cut or not, they say the same; an answer that can be a move survives being written. */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "protocol/wire.h"

/* What the last call told, folded into one number for each connection. */
struct listener {
    struct wire_reader reader;
    uint64_t events;
    uint64_t digest;
    bool is_broken;
};

static void check_move(const struct game *game, const struct wire_answer *answer)
{
    struct note why = {""};
    struct move move;
    struct move again;
    static struct wire_reader reader;
    static struct wire_answer copy;
    static uint8_t written[WIRE_ANSWER_BYTES];
    CLAIM(answer->count >= 0 && answer->count <= WIRE_MAX_PAIRS);
    if (wire_move(game, answer, &move, &why)) {
        CLAIM(*why.text);
        return;
    }
    CLAIM(move.kind == MOVE_PATH && move.count == answer->count);
    const uint8_t *bytes = written;
    size_t count = wire_write_answer(game, &move, answer->id, written);
    reader = (struct wire_reader){.has_team = true};
    CLAIM(wire_feed(&reader, &bytes, &count, &copy, &why) == WIRE_ANSWER && count == 0);
    CLAIM(copy.id == answer->id && wire_move(game, &copy, &again, &why) == ERR_NONE);
    CLAIM(move_compare(&move, &again) == 0);
}

static void hear(struct listener *listener, const struct game *game, const uint8_t *bytes,
                 size_t count)
{
    static struct wire_answer answer;
    while (!listener->is_broken) {
        struct note why = {""};
        enum wire_event event = wire_feed(&listener->reader, &bytes, &count, &answer, &why);
        if (event == WIRE_MORE) {
            CLAIM(count == 0);
            return;
        }
        listener->events++;
        listener->digest = listener->digest * 31 + (uint64_t)event;
        if (event == WIRE_ANSWER) {
            listener->digest = listener->digest * 31 + (uint32_t)answer.id;
            listener->digest = listener->digest * 31 + (uint32_t)answer.count;
            check_move(game, &answer);
        }
        listener->is_broken = event == WIRE_MALFORMED;
        CLAIM(listener->is_broken == (*why.text != '\0'));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct listener whole;
    static struct listener pieces;
    if (size < 1) {
        return 0;
    }
    const struct game *game = fuzz_game(cpu_best(), data[0]);
    size_t piece = 1 + data[0] / 8;
    memset(&whole, 0, sizeof whole);
    memset(&pieces, 0, sizeof pieces);
    hear(&whole, game, data + 1, size - 1);
    for (size_t at = 1; at < size; at += piece) {
        hear(&pieces, game, data + at, size - at < piece ? size - at : piece);
    }
    CLAIM(whole.events == pieces.events && whole.digest == pieces.digest);
    CLAIM(whole.is_broken == pieces.is_broken);
    return 0;
}
