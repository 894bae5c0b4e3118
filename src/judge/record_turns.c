#include "judge/record_turns.h"

#include <stdbool.h>
#include <string.h>

#include "judge/annotation.h"
#include "judge/record.h"

static bool has_word(const char *comment, const char *word)
{
    const char *found = strstr(comment, word);
    return found && (found[-1] == ' ' || found[-1] == '{');
}

static bool was_judged(const struct game *game, const char *comment)
{
    static const char key[] = "fault=";
    char word[32];
    enum fault fault = FAULT_LATE;
    const char *value = has_word(comment, key) ? strstr(comment, key) + strlen(key) : "";
    size_t length = strcspn(value, " }");
    if (length == 0 || length >= sizeof word) {
        return false;
    }
    memcpy(word, value, length);
    word[length] = '\0';
    return annotation_name_fault(word, &fault) && game->penalties[fault] != PENALTY_NOTE;
}

/* Of a line without its end. */
static void count_line(const char *line, const struct game *game, struct record_turns out[2])
{
    size_t digits = strspn(line, "0123456789");
    const char *side = line + digits + strlen(". ");
    const char *comment = strchr(line, '{');
    if (digits == 0 || strncmp(line + digits, ". ", 2) != 0 || (*side != 'b' && *side != 'w') ||
        side[1] != ' ' || !comment) { /* a line that ends early is not ". " there */
        return;
    }
    struct record_turns *turns = &out[*side == 'b' ? SIDE_BLACK : SIDE_WHITE];
    bool is_judged = was_judged(game, comment);
    turns->judged += is_judged;
    turns->turns += is_judged || has_word(comment, "t=");
}

void record_count_turns(const char *text, const struct game *game, struct record_turns out[2])
{
    memset(out, 0, 2 * sizeof *out);
    while (*text) {
        char line[RECORD_LINE_BYTES];
        size_t length = strcspn(text, "\n");
        if (length < sizeof line) {
            memcpy(line, text, length);
            line[length] = '\0';
            count_line(line, game, out);
        }
        text += length + (text[length] == '\n');
    }
}

void record_describe_turns(const struct game *game, const struct record_turns *turns,
                           const char *whose, struct note *out)
{
    note_set(out,
             game->is_move_skippable ? "the judge skipped %d of %s %d turns"
                                     : "the judge played %d of %s %d moves",
             turns->judged, whose, turns->turns);
}
