#include "report/report_csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "judge/record.h"

void report_csv_text(FILE *out, const char *text)
{
    bool is_formula = *text && strchr("=+-@\t", *text);
    bool needs_quotes = is_formula || strpbrk(text, ",\"\r\n");
    if (needs_quotes) {
        fputc('"', out);
    }
    if (is_formula) {
        fputc('\'', out);
    }
    for (; *text; text++) {
        fputs(*text == '"' ? "\"\"" : (const char[]){*text, '\0'}, out);
    }
    if (needs_quotes) {
        fputc('"', out);
    }
}

static const char *id_of(const struct report_data *data, int team, bool is_public)
{
    return is_public ? data->teams[team].label : data->teams[team].entry->id;
}

static void write_team(FILE *out, const struct report_data *data, int team, bool is_public)
{
    report_csv_text(out, id_of(data, team, is_public));
    fputc(',', out);
}

static void write_figures(FILE *out, const struct ranking_row *row)
{
    for (int f = 0; f < RANKING_FIGURES; f++) {
        if (f != RANKING_DIRECT || row->has_direct) {
            fprintf(out, "%" PRId64, row->figures[f]);
        }
        fputc(',', out);
    }
}

void report_csv_standings(FILE *out, const struct report_data *data, bool is_public)
{
    fputs("place,team,name,played,won,drawn,lost,byes", out);
    for (int f = 0; f < RANKING_FIGURES; f++) {
        fprintf(out, ",%s", ranking_figure_name((enum ranking_figure)f));
    }
    fputs(",decided_by,elo,elo_error,qualified,disqualified,thinking_s,slowest_s", out);
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        fprintf(out, ",%s", fault_name((enum fault)kind));
    }
    fputc('\n', out);
    for (int i = 0; i < roster_entrant_count(&data->roster); i++) {
        bool is_reference = i >= data->roster.team_count;
        const struct ranking_row *row = &data->rows[i];
        const struct report_team *team = &data->teams[row->team];
        const struct disqualification *disqualification =
            &data->tournament.disqualifications[row->team];
        if (disqualification->is_set || is_reference) {
            fputc(',', out);
        } else {
            fprintf(out, "%d,", row->place);
        }
        write_team(out, data, row->team, is_public);
        report_csv_text(out, team->label);
        fprintf(out, ",%d,%d,%d,%d,%d,", row->played, row->won, row->drawn, row->lost, row->byes);
        if (is_reference) {
            fputs(",,,,,,,", out);
        } else {
            write_figures(out, row);
        }
        fprintf(out, "%s,",
                row->decided_by == RANKING_FIGURES ? "" : ranking_figure_name(row->decided_by));
        if (team->rating.games) {
            fprintf(out, "%lld,%lld,", llround(team->rating.elo), llround(team->rating.error));
        } else {
            fputs(",,", out);
        }
        fprintf(out, "%s,", is_reference ? "" : team->is_qualified ? "yes" : "no");
        report_csv_text(out, !disqualification->is_set ? ""
                             : is_public               ? "yes"
                                                       : disqualification->reason.text);
        fprintf(out, ",%.3f,%.3f", (double)team->thinking_ms / 1000,
                (double)team->slowest_ms / 1000);
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            fprintf(out, ",%" PRId64, team->faults[kind]);
        }
        fputc('\n', out);
    }
}

void report_csv_games(FILE *out, const struct report_data *data, bool is_public)
{
    fputs("game,round,black,white,result,black_score,white_score,reason,plies,black_thinking_s,"
          "white_thinking_s,annulled,black_judge_moves,white_judge_moves\n",
          out);
    for (size_t i = 0; i < data->tournament.game_count; i++) {
        const struct tournament_game *game = &data->tournament.games[i];
        if (game->status != GAME_PLAYED && game->status != GAME_ANNULLED) {
            continue;
        }
        int black = game->summary.colour[0] == SIDE_BLACK ? 0 : 1;
        fprintf(out, "%d,%d,", game->number + 1, game->round + 1);
        write_team(out, data, game->team[black], is_public);
        write_team(out, data, game->team[1 - black], is_public);
        fprintf(out, "%s,%d,%d,", record_result_word(game->summary.outcome), game->summary.score[0],
                game->summary.score[1]);
        report_csv_text(out, game->summary.reason);
        fprintf(out, ",%d,%.3f,%.3f,%s,%d,%d\n", game->summary.plies,
                (double)game->summary.thinking_ms[black] / 1000,
                (double)game->summary.thinking_ms[1 - black] / 1000,
                game->status == GAME_ANNULLED ? "yes" : "no", game->summary.turns[black].judged,
                game->summary.turns[1 - black].judged);
    }
}

void report_csv_faults(FILE *out, const struct report_data *data, bool is_public)
{
    fputs("game,ply,team,fault,seconds,why\n", out);
    for (size_t i = 0; i < data->fault_count; i++) {
        const struct report_fault *fault = &data->faults[i];
        fprintf(out, "%d,%d,", fault->game + 1, fault->fault.ply + 1);
        write_team(out, data, fault->team, is_public);
        fprintf(out, "%s,", fault_name(fault->fault.kind));
        if (fault->fault.time_ms >= 0) {
            fprintf(out, "%.3f", (double)fault->fault.time_ms / 1000);
        }
        fputc(',', out);
        report_csv_text(out, is_public ? "" : fault->fault.why.text);
        fputc('\n', out);
    }
}
