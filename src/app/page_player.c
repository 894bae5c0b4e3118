#include "app/page_player.h"

#include "app/session_source.h"
#include "base/clock.h"

struct page_player {
    struct player player;
    struct game_session *session;
};

static void expect(struct player *player, enum seat_wait wait)
{
    struct game_session *session = ((struct page_player *)player)->session;
    session_source_lock(session);
    session->wait = wait;
    if (wait == SEAT_BIDS) {
        session->phase = SESSION_BIDDING;
    }
    session_source_unlock_changed(session);
}

static void page_begin(struct player *player, const struct player_view *view)
{
    (void)view;
    player_report_now(player, (struct player_event){.kind = PLAYER_READY});
}

static void page_ask_bid(struct player *player, const struct player_view *view)
{
    (void)view;
    expect(player, SEAT_BIDS);
}

static int64_t page_ask_move(struct player *player, const struct player_view *view)
{
    (void)view;
    expect(player, SEAT_MOVES);
    return clock_now_ns();
}

static void page_forget(struct player *player) { expect(player, SEAT_WAITS_FOR_NOTHING); }

static void page_close(struct player *player)
{
    player_report_now(player, (struct player_event){.kind = PLAYER_CLOSED});
}

static const struct player_class page_class = {
    .begin = page_begin,
    .ask_bid = page_ask_bid,
    .ask_move = page_ask_move,
    .forget = page_forget,
    .close = page_close,
    .free = player_free,
};

struct player *page_player_make(struct game_session *session, int seat, struct note *why)
{
    struct page_player *self =
        player_new(sizeof *self, &page_class, session->seats[seat].name, why);
    if (!self) {
        return NULL;
    }
    self->session = session;
    session->person = &self->player;
    return &self->player;
}
