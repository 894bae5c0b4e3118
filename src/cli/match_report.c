#include "cli/match_report.h"

static const char *sprt_words(enum sprt_verdict verdict)
{
    switch (verdict) {
    case SPRT_ACCEPT_H1:
        return "player 1 is stronger by the second value";
    case SPRT_ACCEPT_H0:
        return "player 1 is not stronger than by the first value";
    default:
        return "undecided, more games are needed";
    }
}

static void print_sprt(FILE *out, const struct match_score *score,
                       const struct match_options *options)
{
    double llr = 0;
    if (!options->has_sprt) {
        return;
    }
    (void)sprt_test(&score->units, options->elo0, options->elo1, &llr);
    fprintf(out, "SPRT %g,%g: %s (log-likelihood ratio %.2f, decided at \302\2612.94)\n",
            options->elo0, options->elo1, sprt_words(score->sprt), llr);
}

static void print_faults(FILE *out, const struct match_score *score, int player)
{
    const char *separator = "  ";
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        if (score->faults[player][kind]) {
            fprintf(out, "%s%lld %s", separator, (long long)score->faults[player][kind],
                    fault_name((enum fault)kind));
            separator = ", ";
        }
    }
    fprintf(out, "%s\n", separator[0] == ' ' ? "  none" : "");
}

/* Cuts out of the middle what does not fit on a line: a command's end tells most. */
static void print_name(FILE *out, int number, const char *name)
{
    enum { SHOWN = 76, HEAD = 30 };
    size_t length = 0; /* in characters; a continuation byte begins none */
    for (const char *at = name; *at; at++) {
        length += (*at & 0xc0) != 0x80;
    }
    size_t skipped_from = length > SHOWN ? HEAD : length;
    size_t skipped_to = length > SHOWN ? length - (SHOWN - HEAD - 1) : length;
    size_t place = 0;
    fprintf(out, "%d  ", number);
    for (const char *at = name; *at; at++) {
        place += (*at & 0xc0) != 0x80;
        if (place <= skipped_from || place > skipped_to) {
            fputc(*at, out);
        } else if (place == skipped_from + 1 && (*at & 0xc0) != 0x80) {
            fputs("\342\200\246", out);
        }
    }
    fputc('\n', out);
}

static void print_player(FILE *out, const struct match_score *score, int player)
{
    struct match_times times = score->times[player];
    fprintf(out, "%d %7d %6d %5d %7.1f %8zu %9.1f %9.1f %9.1f", player + 1, score->wins[player],
            score->draws, score->wins[1 - player], score->wins[player] + 0.5 * score->draws,
            times.count, match_time_ms(&times, 0.5), match_time_ms(&times, 0.99),
            match_time_ms(&times, 1));
    print_faults(out, score, player);
}

static void print_elo(FILE *out, const struct match_score *score)
{
    struct elo_estimate elo = elo_estimate(&score->units);
    double value = elo.elo == 0 ? 0 : elo.elo; /* no negative zero */
    if (!elo.is_finite) {
        bool is_one_sided = elo.score == 0 || elo.score == 1;
        fprintf(out, "Elo of 1 against 2: unknown, %s\n",
                is_one_sided   ? "all points are on one side"
                : score->games ? "no pair of games is complete"
                               : "nothing was played");
    } else {
        fprintf(out,
                "Elo of 1 against 2: %+.1f \302\261 %.1f (95 %%); it is stronger with a "
                "probability of %.1f %%\n",
                value, elo.error, 100 * elo.superiority);
    }
}

void match_report_game(FILE *out, const struct match_game *game)
{
    const struct result *result = &game->verdict.result;
    int black = result->score[SIDE_BLACK];
    int white = result->score[SIDE_WHITE];
    fprintf(out, "game %d: ", game->index + 1);
    if (result->outcome == OUTCOME_DRAW) {
        fprintf(out, "a draw, %d to %d (%s)\n\n", black, white, result->reason);
    } else {
        bool black_wins = result->outcome == OUTCOME_BLACK;
        fprintf(out, "%s wins %d to %d (%s)\n\n", black_wins ? "Black" : "White",
                black_wins ? black : white, black_wins ? white : black, result->reason);
    }
}

void match_report_print(FILE *out, struct match *match, const char *const names[2],
                        const struct match_options *options)
{
    const struct match_score *score = match_score(match);
    fprintf(out, "%s, %d game%s\n", options->rules.game->name, score->games,
            score->games == 1 ? "" : "s");
    print_name(out, 1, names[0]);
    print_name(out, 2, names[1]);
    fprintf(out, "\n%9s %6s %5s %7s %8s %9s %9s %9s  %s\n", "won", "drawn", "lost", "points",
            "moves", "median ms", "p99 ms", "max ms", "faults");
    print_player(out, score, 0);
    print_player(out, score, 1);
    fputc('\n', out);
    print_elo(out, score);
    if (options->swap && score->games > 1 && score->games % 2) {
        fputs("  (from pairs of games: the last game has no partner and does not count)\n", out);
    }
    print_sprt(out, score, options);
}
