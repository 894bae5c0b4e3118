/* Players as text: the first byte chooses the game. What is refused says why and leaves no
 * trace; the command of a program, with its paths made absolute, still has all its words. */
#include "fuzz.h"

#include <string.h>

#include "player/player_spec.h"

enum { MAX_TEXT = 2 * PLAYER_TEXT_BYTES };

static size_t count_words(const char *text)
{
    size_t count = 0;
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        text += strcspn(text, " \t");
        count++;
    }
    return count;
}

static void check_command(const struct player_spec *spec)
{
    struct player_command command = {"", ""};
    struct note why = {""};
    CLAIM(spec->command > spec->text && spec->command < spec->text + sizeof spec->text);
    if (player_spec_command(spec, NULL, &command, &why)) {
        CLAIM(*why.text && !*command.folder && !*command.text);
        return;
    }
    CLAIM(command.folder[0] == '/');
    CLAIM(count_words(command.text) >= count_words(spec->command));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct player_spec spec;
    static struct player_spec before;
    struct note why = {""};
    char text[MAX_TEXT];
    if (size < 1 || size > sizeof text) {
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    memset(&spec, 0, sizeof spec);
    before = spec;
    if (player_spec_read(text, fuzz_game(cpu_best(), data[0]), &spec, &why)) {
        CLAIM(*why.text && memcmp(&spec, &before, sizeof spec) == 0);
        return 0;
    }
    CLAIM(strcmp(spec.text, text) == 0);
    CLAIM(spec.team >= PLAYER_MIN_TEAM && spec.team <= PLAYER_MAX_TEAM);
    if (player_spec_is_program(&spec)) {
        check_command(&spec);
    }
    return 0;
}
