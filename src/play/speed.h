/* speed: how fast this machine searches, for comparison with other machines. */
#ifndef PLAY_SPEED_H
#define PLAY_SPEED_H

#include "base/note.h"
#include "cluster/cluster_codec.h"
#include "game/game.h"

/* The same short searches of the game's first position on every machine, in at most about a
 * second. */
MUST_USE enum err speed_measure(const struct game *game, struct cluster_speed *out,
                                struct note *why);

#endif
