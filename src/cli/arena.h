/* arena: a match on a real clock with real players.
 *
 * Joins the pieces that do not know each other: the match (pure), the players and
 * their alarms (libuv). Ctrl-C stops the match cleanly.
 */
#ifndef CLI_ARENA_H
#define CLI_ARENA_H

#include "player/spec.h"
#include "tournament/match.h"

struct arena_options {
    struct match_options match;
    const struct player_spec *specs[2];
    enum cpu_level cpu_level;
    const struct box *box; /* NULL: no player is a program */
    const struct human_screen *screen;
    enum player_restart restart;
    int hang_up_at; /* see struct player_setup */
};

/* Who hears what. Any function may be NULL. A game that could not be taken in (false) is the last.
 */
struct arena_watcher {
    void *owner;
    void (*on_ply)(void *owner, int game, const struct judge *judge, const struct judge_ply *ply);
    void (*on_fault)(void *owner, int game, int player, const struct judge *judge,
                     const struct judge_fault *fault);
    bool (*on_game)(void *owner, const struct match_game *game, const struct match_score *score);
    void (*on_player_closed)(void *owner, int player, struct player *closed);
    void (*on_remark)(void *owner, const char *sentence);
    /* Asked after each ply and fault: true ends the match there, as if interrupted. */
    bool (*has_seen_enough)(void *owner);
};

/* Plays to the end. On ERR_INTERRUPTED too *out holds what was played. Free *out with match_free.
 */
MUST_USE enum err arena_run(const struct arena_options *options,
                            const struct arena_watcher *watcher, struct match **out,
                            struct note *why);

/* Games at once that leave a core to the judge: cores - 1, at least one. */
int arena_default_concurrency(void);

#endif
