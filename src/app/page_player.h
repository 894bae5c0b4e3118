/* page_player: the person at a page as a player. The thread of the judge reports their answers. */
#ifndef APP_PAGE_PLAYER_H
#define APP_PAGE_PLAYER_H

#include "app/game_session.h"

/* At that seat of the session, which shows what is expected of the person. NULL: no memory. */
struct player *page_player_make(struct game_session *session, int seat, struct note *why);

#endif
