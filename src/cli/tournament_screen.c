#include "cli/tournament_screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/tournament_table.h"

enum { TOP = 10 };

struct tournament_screen tournament_screen_open(const struct tournament *t)
{
    return (struct tournament_screen){
        .is_terminal = isatty(STDERR_FILENO),
        .started_ns = clock_now_ns(),
        .played_before = tournament_table_count(t, GAME_PLAYED),
        .lines = {.terminal = stderr},
    };
}

void tournament_screen_duration(double seconds, char *out, size_t room)
{
    long long whole = llround(seconds);
    if (whole >= 3600) {
        snprintf(out, room, "%lld h %lld min", whole / 3600, whole / 60 % 60);
    } else if (whole >= 60) {
        snprintf(out, room, "%lld min", whole / 60);
    } else {
        snprintf(out, room, "%lld s", whole);
    }
}

void tournament_screen_wipe(struct tournament_screen *screen)
{
    terminal_lines_erase(&screen->lines);
}

static void print_progress(const struct tournament_screen *screen, const struct tournament *t,
                           FILE *out)
{
    size_t played = tournament_table_count(t, GAME_PLAYED);
    int64_t total = tournament_expected_games(t);
    int64_t left = total - (int64_t)(played + tournament_table_count(t, GAME_ANNULLED) +
                                     tournament_table_count(t, GAME_CANCELLED));
    size_t fresh = played - screen->played_before;
    fprintf(out, "%s: round %d of %d, %zu of %lld games", t->roster->name,
            tournament_table_round(t), t->roster->rounds, played, (long long)total);
    if (fresh) {
        char duration[32];
        double elapsed_s = (double)(clock_now_ns() - screen->started_ns) / 1e9;
        tournament_screen_duration(elapsed_s / (double)fresh * (double)left, duration,
                                   sizeof duration);
        fprintf(out, ", about %s left", duration);
    }
    fputc('\n', out);
}

/* The standings cost time, and the judge's thread has better things to do: never more than a
 * hundredth of it. */
void tournament_screen_draw(struct tournament_screen *screen, const struct tournament *t)
{
    int64_t now_ns = clock_now_ns();
    char *text = NULL;
    size_t bytes = 0;
    struct note why;
    if (!screen->is_terminal || now_ns < screen->next_ns) {
        return;
    }
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory) {
        return;
    }
    print_progress(screen, t, memory);
    enum err err = tournament_table_standings(memory, t, TOP, &why);
    if (fclose(memory) == 0 && !err) {
        terminal_lines_show(&screen->lines, text);
    }
    free(text);
    int64_t cost_ns = clock_now_ns() - now_ns;
    screen->next_ns = now_ns + (100 * cost_ns > CLOCK_NS_PER_S ? 100 * cost_ns : CLOCK_NS_PER_S);
}
