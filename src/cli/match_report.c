#include "cli/match_report.h"

#include "cli/json_out.h"

static const char *sprt_words(enum sprt_verdict verdict)
{
    switch (verdict) {
    case SPRT_ACCEPT_H1:
        return "H1 accepted: the first player is stronger by elo1";
    case SPRT_ACCEPT_H0:
        return "H0 accepted: it is not stronger than elo0";
    default:
        return "undecided: more games are needed";
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
    fprintf(out, "SPRT %g, %g: log-likelihood ratio %.2f of \302\2612.94, %s\n", options->elo0,
            options->elo1, llr, sprt_words(score->sprt));
}

static void print_faults(FILE *out, const struct match_score *score, int player)
{
    const char *separator = "  faults: ";
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        if (score->faults[player][kind]) {
            fprintf(out, "%s%lld %s", separator, (long long)score->faults[player][kind],
                    fault_name((enum fault)kind));
            separator = ", ";
        }
    }
    if (separator[0] == ' ' && separator[1] == ' ') {
        fprintf(out, "  no faults");
    }
    fputc('\n', out);
}

void match_report_print(FILE *out, struct match *match, const char *const names[2],
                        const struct match_options *options)
{
    const struct match_score *score = match_score(match);
    struct elo_estimate elo = elo_estimate(&score->units);
    fprintf(out, "%d games: %s  %d won, %d drawn, %d lost against  %s\n", score->games, names[0],
            score->wins[0], score->draws, score->wins[1], names[1]);
    double points = score->wins[0] + 0.5 * score->draws;
    fprintf(out, "points %.1f : %.1f", points, score->games - points);
    if (score->games) {
        fprintf(out, " (%.1f %%)", 100 * points / score->games);
    }
    if (elo.is_finite) {
        fprintf(out, ", Elo %+.1f \302\261 %.1f (95 %%), stronger with %.1f %%\n", elo.elo,
                elo.error, 100 * elo.superiority);
    } else {
        fprintf(out, ", Elo unknown: %s\n",
                score->games ? "all points are on one side" : "nothing was played");
    }
    print_sprt(out, score, options);
    for (int i = 0; i < 2; i++) {
        struct match_times times = score->times[i];
        fprintf(out, "%-24s %zu moves, median %.1f ms, p99 %.1f ms, max %.1f ms;", names[i],
                times.count, match_time_ms(&times, 0.5), match_time_ms(&times, 0.99),
                match_time_ms(&times, 1));
        print_faults(out, score, i);
    }
}

static json_t *faults_json(const struct match_score *score, int player)
{
    json_t *faults = json_object();
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        if (json_object_set_new(faults, fault_name((enum fault)kind),
                                json_integer(score->faults[player][kind]))) {
            json_decref(faults);
            return NULL;
        }
    }
    return faults;
}

static json_t *player_json(const struct match_score *score, int player, const char *name)
{
    struct match_times times = score->times[player];
    return json_pack("{s:s, s:i, s:i, s:i, s:o, s:{s:f, s:f, s:f}}", "player", name, "wins",
                     score->wins[player], "draws", score->draws, "losses", score->wins[1 - player],
                     "faults", faults_json(score, player), "time_ms", "median",
                     match_time_ms(&times, 0.5), "p99", match_time_ms(&times, 0.99), "max",
                     match_time_ms(&times, 1));
}

json_t *match_report_json(struct match *match, const char *const names[2],
                          const struct match_options *options, json_t *records)
{
    static const char *const verdicts[] = {"open", "H1", "H0"};
    const struct match_score *score = match_score(match);
    struct elo_estimate elo = elo_estimate(&score->units);
    json_t *players = json_out_append(json_array(), player_json(score, 0, names[0]));
    players = players ? json_out_append(players, player_json(score, 1, names[1])) : NULL;
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "games", score->games, "players", players,
                     "elo", elo.is_finite ? json_real(elo.elo) : json_null(), "elo_error",
                     elo.is_finite ? json_real(elo.error) : json_null(), "sprt",
                     options->has_sprt ? json_string(verdicts[score->sprt]) : json_null(),
                     "records", records);
}
