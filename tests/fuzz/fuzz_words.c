/* Short texts that people write: numbers, bids, the words in braces. What is accepted means
 * the same when it is written and read again. */
#include "fuzz.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "game/registry.h"
#include "judge/bids.h"
#include "judge/annotation.h"

enum { MAX_TEXT = 700 };

static void check_number(const char *text)
{
    int64_t number = 0;
    int64_t again = 0;
    char written[24];
    if (number_read(text, "it", INT64_MIN, INT64_MAX, &number, NULL)) {
        return;
    }
    snprintf(written, sizeof written, "%" PRId64, number);
    CLAIM(number_read(written, "it", number, number, &again, NULL) == ERR_NONE);
    CLAIM(again == number);
}

static void check_bids(const char *text)
{
    struct bids bids;
    struct bids again;
    struct state state;
    char written[BIDS_BYTES];
    const struct game *game = registry_find(cpu_best(), "meichu", NULL);
    CLAIM(game);
    if (bids_read(text, &bids, NULL)) {
        return;
    }
    bids_write(&bids, written);
    CLAIM(bids_read(written, &again, NULL) == ERR_NONE);
    for (int player = 0; player < 2; player++) {
        CLAIM(again.bids[player].colour == bids.bids[player].colour);
        CLAIM(again.bids[player].price == bids.bids[player].price);
    }
    CLAIM(again.lot == bids.lot);
    if (!bids_settle(game, &bids, &state, NULL)) {
        CLAIM(game->to_move(&state) == SIDE_BLACK);
    }
}

static void check_facts(const char *text)
{
    struct annotation facts;
    struct annotation again;
    char written[ANNOTATION_BYTES];
    char rewritten[ANNOTATION_BYTES];
    if (annotation_read(text, &facts, NULL)) {
        return;
    }
    annotation_write(&facts, written);
    CLAIM(annotation_read(written, &again, NULL) == ERR_NONE);
    annotation_write(&again, rewritten);
    CLAIM(strcmp(written, rewritten) == 0);
    CLAIM(again.time_ns == facts.time_ns && again.depth == facts.depth);
    CLAIM(again.score_hundredths == facts.score_hundredths && again.nodes == facts.nodes);
    CLAIM(again.has_fault == facts.has_fault && again.fault == facts.fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[MAX_TEXT];
    if (size >= sizeof text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    check_number(text);
    check_bids(text);
    check_facts(text);
    return 0;
}
