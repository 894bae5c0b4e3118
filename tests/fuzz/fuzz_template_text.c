/* What a MeiChu program prints: the first byte says how the rest is cut in pieces. Cut or not,
 * the same bids and moves are found. */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "protocol/template_text.h"

enum { MAX_PHRASES = 256 };

struct talk {
    struct template_text text;
    size_t count;
    struct template_phrase phrases[MAX_PHRASES];
};

static void hear(struct talk *talk, const char *bytes, size_t count)
{
    while (count && talk->count < MAX_PHRASES) {
        size_t before = count;
        struct template_phrase phrase = template_feed(&talk->text, &bytes, &count);
        CLAIM(count < before);
        if (phrase.kind == TEMPLATE_NOTHING) {
            CLAIM(count == 0);
            return;
        }
        talk->phrases[talk->count++] = phrase;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct talk whole;
    static struct talk pieces;
    if (size < 1) {
        return 0;
    }
    const char *text = (const char *)data;
    size_t piece = 1 + data[0] % 64;
    memset(&whole, 0, sizeof whole);
    memset(&pieces, 0, sizeof pieces);
    hear(&whole, text + 1, size - 1);
    for (size_t at = 1; at < size; at += piece) {
        hear(&pieces, text + at, size - at < piece ? size - at : piece);
    }
    CLAIM(whole.count == pieces.count);
    for (size_t i = 0; i < whole.count; i++) {
        const struct template_phrase *phrase = &whole.phrases[i];
        CLAIM(memcmp(phrase, &pieces.phrases[i], sizeof *phrase) == 0);
        for (int n = 0; n < 4; n++) {
            CLAIM(phrase->numbers[n] > -INT64_C(100000000000));
            CLAIM(phrase->numbers[n] < INT64_C(100000000000));
        }
    }
    return 0;
}
