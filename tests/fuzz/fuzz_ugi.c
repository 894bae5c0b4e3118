/* UGI lines as an engine hears them: the first byte chooses the game, lines follow.
 *
 * A refusal gives a reason and changes nothing; what is understood can be acted upon; a `go` is
 * always understood, and unless it is infinite it has an end. */
#include "fuzz.h"

#include <string.h>

#include "protocol/ugi.h"
#include "game/registry.h"

enum { MAX_LINES = 4000 };

static const struct game *choose_game(uint8_t byte)
{
    size_t count = 0;
    while (registry_at(cpu_best(), count)) {
        count++;
    }
    return registry_at(cpu_best(), byte % count);
}

static void hear(const struct game *game, const char *line)
{
    struct ugi_command command;
    struct note why = {""};
    memset(&command, 0x5a, sizeof command);
    struct ugi_command before = command;
    if (ugi_read_command(game, line, &command, &why)) {
        CLAIM(*why.text);
        CLAIM(ugi_verb(line) != UGI_GO);
        CLAIM(memcmp(&command, &before, sizeof command) == 0);
        return;
    }
    if (command.verb == UGI_POSITION) {
        struct move moves[GAME_MAX_MOVES];
        bool is_over = game_is_over(game, &command.position);
        CLAIM((game->moves(&command.position, moves) == 0) == is_over);
    }
    if (command.verb == UGI_GO) {
        for (enum side side = SIDE_BLACK; side <= SIDE_WHITE; side++) {
            CLAIM(ugi_think_ns(&command.go, side) >= 0);
            CLAIM(command.go.is_infinite || command.go.depth || command.go.nodes ||
                  ugi_think_ns(&command.go, side));
        }
        CLAIM(command.go.depth >= 0);
    }
    CLAIM(memchr(command.name, '\0', sizeof command.name));
    CLAIM(memchr(command.value, '\0', sizeof command.value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char lines[MAX_LINES];
    if (size < 1 || size > sizeof lines) {
        return 0;
    }
    const struct game *game = choose_game(data[0]);
    memcpy(lines, data + 1, size - 1);
    lines[size - 1] = '\0';
    char *rest = lines;
    for (char *line = NULL; (line = strsep(&rest, "\n"));) {
        hear(game, line);
    }
    return 0;
}
