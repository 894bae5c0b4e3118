/* Move and state files: the first byte chooses the game, the second is the index asked for.
 *
 * What is an answer survives being written; what is none says why. */
#include "fuzz.h"

#include <string.h>

#include "protocol/file_text.h"

static void check_move(const struct game *game, int index, const char *text, size_t length)
{
    struct note why = {""};
    struct move move;
    struct move again;
    char written[FILE_ANSWER_BYTES];
    enum file_answer answer = file_read_move(game, index, text, length, &move, &why);
    CLAIM((answer == FILE_INVALID) == (*why.text != '\0'));
    CLAIM(answer != FILE_MOVE || file_is_complete(text, length));
    if (answer != FILE_MOVE) {
        return;
    }
    CLAIM(move.kind == MOVE_PATH && move.count <= game->path_max);
    file_write_move(game, &move, index, written);
    CLAIM(file_read_move(game, index, written, strlen(written), &again, &why) == FILE_MOVE);
    CLAIM(move_compare(&move, &again) == 0);
    CLAIM(file_read_move(game, index + 1, written, strlen(written), &again, &why) == FILE_NOT_YET);
}

static void check_state(const struct game *game, const char *text, size_t length)
{
    struct note why = {""};
    struct file_question question;
    if (file_read_state(game, text, length, &question, &why)) {
        CLAIM(*why.text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    const struct game *game = fuzz_game(cpu_best(), data[0]);
    const char *text = (const char *)data + 2;
    check_move(game, data[1], text, size - 2);
    check_state(game, text, size - 2);
    return 0;
}
