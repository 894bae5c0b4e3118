/* How the search sees tic-tac-toe. */
#include "engine/engine_entry.h"
#include "games/tictactoe/board.h"

#define SEARCH_POSITION struct tictactoe
enum { SEARCH_MAX_MOVES = 9, SEARCH_HISTORY = 16 };

static const struct search_rules search_rules = {.window = 100};

#include "engine/search.inc.h"

static inline SEARCH_POSITION position_read(const struct state *state, int variant)
{
    (void)variant;
    return tictactoe_unpack(state);
}

static inline struct state position_write(const SEARCH_POSITION *p) { return tictactoe_pack(*p); }

static inline uint64_t position_key(const SEARCH_POSITION *p)
{
    return (p->stones << 18 | p->marks[0] << 9 | p->marks[1]) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t position_cycle_key(const SEARCH_POSITION *p)
{
    (void)p;
    return 0;
}

static inline int position_cycle_value(const SEARCH_POSITION *p)
{
    (void)p;
    return 0;
}

static inline int position_final(const SEARCH_POSITION *p)
{
    return tictactoe_has_line(p->marks[!tictactoe_side(*p)]) ? -SEARCH_WIN : 0;
}

static inline bool position_is_over(const SEARCH_POSITION *p, int *value)
{
    *value = position_final(p);
    return *value || tictactoe_taken(*p) == TICTACTOE_ALL;
}

static inline bool position_is_threatened(const SEARCH_POSITION *p)
{
    (void)p;
    return false;
}

static int position_evaluate(const SEARCH_POSITION *p)
{
    (void)p;
    return 0;
}

static int position_generate(const SEARCH_POSITION *p, int depth, struct search_move *out)
{
    int count = 0;
    (void)depth;
    for (uint32_t square = 0; square < 9; square++) {
        if (!(tictactoe_taken(*p) >> square & 1)) {
            out[count++] = (struct search_move){square, 0};
        }
    }
    return count;
}

static int position_generate_noisy(const SEARCH_POSITION *p, struct search_move *out)
{
    (void)p, (void)out;
    return 0;
}

static inline SEARCH_POSITION position_play(const SEARCH_POSITION *p, uint32_t code)
{
    return tictactoe_play(*p, (int)code);
}

static inline bool position_pass(const SEARCH_POSITION *p, SEARCH_POSITION *after)
{
    *after = *p;
    return false;
}

static inline unsigned position_history(const SEARCH_POSITION *p, uint32_t code)
{
    (void)p;
    return code;
}

static inline int position_plies_to_end(const SEARCH_POSITION *p)
{
    return 9 - tictactoe_count(tictactoe_taken(*p));
}

static inline struct search_probe position_probe(const SEARCH_POSITION *p, int depth)
{
    (void)p, (void)depth;
    return (struct search_probe){0};
}

static inline bool position_solve(struct search_thread *thread, const SEARCH_POSITION *p, int depth,
                                  int alpha, int beta, int *value)
{
    (void)thread, (void)p, (void)depth, (void)alpha, (void)beta, (void)value;
    return false;
}

static const struct engine_entry tictactoe = {
    .game = "tictactoe",
    .worker_bytes = sizeof(struct search_memory),
    .search = search_run,
    .play = search_play,
};

extern const struct engine_entry *const ENGINE_EXPORT(tictactoe)[];
const struct engine_entry *const ENGINE_EXPORT(tictactoe)[] = {&tictactoe, NULL};
