/* What a UGI program says: the first byte says how the rest is cut in pieces. Cut or not, the
 * same lines are read, and what they mean stays in its range. */
#include "fuzz.h"

#include <string.h>

#include "protocol/ugi.h"

struct talk {
    struct ugi_lines lines;
    size_t count;
    uint64_t digest;
};

static void check_line(const char *line)
{
    struct ugi_answer read = ugi_read_answer(line);
    CLAIM(strlen(read.word) < sizeof read.word && strlen(read.second) < sizeof read.second);
    CLAIM(strlen(read.word) <= strlen(line));
    CLAIM(read.info.depth >= 0 && read.info.depth < 1000);
    CLAIM(read.info.is_known == (read.info.depth > 0));
    CLAIM(read.info.score_hundredths > -100000 && read.info.score_hundredths < 100000);
    CLAIM(read.info.nodes <= INT64_MAX);
}

static void hear(struct talk *talk, const char *bytes, size_t count)
{
    while (ugi_lines_feed(&talk->lines, &bytes, &count)) {
        CLAIM(strlen(talk->lines.line) < UGI_ANSWER_BYTES);
        talk->count++;
        talk->digest = talk->digest * 31 + talk->lines.is_too_long;
        for (const char *c = talk->lines.line; *c; c++) {
            talk->digest = talk->digest * 31 + (unsigned char)*c;
        }
        check_line(talk->lines.line);
    }
    CLAIM(count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct talk whole;
    static struct talk pieces;
    if (size < 1) {
        return 0;
    }
    const char *text = (const char *)data;
    size_t piece = 1 + data[0];
    memset(&whole, 0, sizeof whole);
    memset(&pieces, 0, sizeof pieces);
    hear(&whole, text + 1, size - 1);
    for (size_t at = 1; at < size; at += piece) {
        hear(&pieces, text + at, size - at < piece ? size - at : piece);
    }
    CLAIM(whole.count == pieces.count && whole.digest == pieces.digest);
    return 0;
}
