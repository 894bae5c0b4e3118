#include "app/agent.h"

#include "engine/time_limit.h"

struct move agent_think(const struct agent *agent, const struct state *state)
{
    struct engine_limits limits = {.level = agent->level,
                                   .time_ns = agent->time_ns,
                                   .early_ns = time_limit_early(agent->time_ns)};
    struct engine_report report;
    engine_search(agent->engine,
                  &(struct engine_request){.game = agent->game, .state = state, .limits = limits},
                  &report);
    return report.move;
}

static int square_count(const struct game *game) { return game->rows * game->columns; }

static bool shows(const struct game *game, const struct state *state, const int *cells)
{
    for (int square = 0; square < square_count(game); square++) {
        if (cell_wire(game->cell(state, square)) != cells[square]) {
            return false;
        }
    }
    return true;
}

/* Looks for the other side's ply, a move or a lost turn, that leads from here to this board. */
static bool one_ply_later(const struct game *game, const struct state *before, const int *cells,
                          struct state *out)
{
    struct move plies[GAME_MAX_MOVES + 1];
    size_t count = game->moves(before, plies);
    if (count == 0) {
        return false;
    }
    plies[count++] = game->replacement(before);
    for (size_t i = 0; i < count; i++) {
        struct state after = *before;
        if (!game->apply(&after, &plies[i], NULL) && shows(game, &after, cells) &&
            !game_is_over(game, &after)) {
            *out = after;
            return true;
        }
    }
    return false;
}

/* The same game, after we played `ours` where we were asked last. */
static bool goes_on(const struct agent_memory *memory, const struct game *game, enum side side,
                    const struct move *ours, const int *cells, struct state *out)
{
    struct state after = memory->asked;
    return memory->has_board && game->to_move(&memory->asked) == side &&
           !game->apply(&after, ours, NULL) && one_ply_later(game, &after, cells, out);
}

static bool begins(const struct game *game, enum side side, const int *cells, struct state *out)
{
    struct state start = game->start();
    if (game->to_move(&start) != side) {
        return one_ply_later(game, &start, cells, out);
    }
    if (shows(game, &start, cells)) {
        *out = start;
        return true;
    }
    return false;
}

static int count_pieces(const int *cells, int count, enum side side)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += cells[i] == (side == SIDE_BLACK ? 1 : 2);
    }
    return found;
}

/* Captured men do not come back. */
static bool can_be_later(const struct game *game, const struct state *before, const int *cells)
{
    int count = square_count(game);
    int old[GAME_MAX_SQUARES];
    for (int i = 0; i < count; i++) {
        old[i] = cell_wire(game->cell(before, i));
    }
    return count_pieces(cells, count, SIDE_BLACK) <= count_pieces(old, count, SIDE_BLACK) &&
           count_pieces(cells, count, SIDE_WHITE) <= count_pieces(old, count, SIDE_WHITE);
}

/* A position with the side and the counters that an unexplained board has most likely. */
static struct state most_likely(const struct agent_memory *memory, const struct game *game,
                                enum side side, const int *cells)
{
    if (memory->has_board && game->to_move(&memory->asked) == side &&
        can_be_later(game, &memory->asked, cells)) {
        struct state later = memory->asked;
        for (int i = 0; i < 2; i++) {
            struct move lost_turn = game->replacement(&later);
            game->apply(&later, &lost_turn, NULL);
        }
        if (!game_is_over(game, &later)) {
            return later;
        }
    }
    struct state start = game->start();
    if (game->to_move(&start) != side) {
        struct move lost_turn = game->replacement(&start);
        game->apply(&start, &lost_turn, NULL);
    }
    return start;
}

/* The board of the cells with all the rest of `like`. */
static enum err read_board(const struct game *game, const struct state *like, const int *cells,
                           struct state *out, struct note *why)
{
    static const char letters[] = "#.XO"; /* from -1 on */
    char text[GAME_POSITION_BYTES];
    game->write_position(like, text);
    for (int i = 0; i < square_count(game); i++) {
        bool is_cell = cells[i] >= -1 && cells[i] <= 2;
        text[i + i / game->columns] = is_cell ? letters[cells[i] + 1] : '?';
    }
    return game->read_position(text, out, why);
}

enum err agent_recall(const struct agent_memory *memory, const struct game *game, const int *cells,
                      enum side side, struct state *out, struct note *why)
{
    struct move lost_turn = memory->has_board ? game->replacement(&memory->asked) : move_pass();
    if (goes_on(memory, game, side, &memory->answer, cells, out) ||
        begins(game, side, cells, out) || goes_on(memory, game, side, &lost_turn, cells, out)) {
        return ERR_NONE;
    }
    struct state like = most_likely(memory, game, side, cells);
    return read_board(game, &like, cells, out, why);
}

enum err agent_answer(const struct agent *agent, struct agent_memory *memory, const int *cells,
                      enum side side, struct move *out, struct note *why)
{
    const struct game *game = agent->game;
    struct state state;
    enum err err = agent_recall(memory, game, cells, side, &state, why);
    if (err) {
        return err;
    }
    *out = game_is_over(game, &state) ? move_pass() : agent_think(agent, &state);
    *memory = (struct agent_memory){true, state, *out};
    return ERR_NONE;
}
