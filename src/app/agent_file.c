/* agent_file: the agent's side of the file protocol. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/agent.h"
#include "protocol/file_text.h"

enum { POLL_MS = 2 };

/* Where judge and agent meet. */
struct agent_files {
    char state[PATH_MAX];
    char move[PATH_MAX];
    char unfinished_move[PATH_MAX];
};

static enum err find_exchange(const char *folder, int team, struct agent_files *out,
                              struct note *why)
{
    int length = snprintf(out->unfinished_move, PATH_MAX, "%s/move_%d.txt.tmp", folder, team);
    if (length >= PATH_MAX) {
        return note_fail(why, ERR_INPUT, "the folder's name is too long");
    }
    snprintf(out->state, PATH_MAX, "%s/state_%d.txt", folder, team);
    snprintf(out->move, PATH_MAX, "%s/move_%d.txt", folder, team);
    if (access(folder, W_OK | X_OK)) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot write in the folder %.200s: %s", folder,
                         strerror(errno));
    }
    return ERR_NONE;
}

/* How many bytes the file has, up to `room`; 0 when there is none. */
static size_t read_file(const char *path, char *out, size_t room)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        return 0;
    }
    size_t length = fread(out, 1, room, file);
    fclose(file);
    return length;
}

static enum err write_move(const struct agent_files *exchange, const char *text, struct note *why)
{
    FILE *file = fopen(exchange->unfinished_move, "we");
    bool is_written = file && fputs(text, file) >= 0;
    if ((file && fclose(file)) || !is_written ||
        rename(exchange->unfinished_move, exchange->move)) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", exchange->move,
                         strerror(errno));
    }
    return ERR_NONE;
}

static enum err answer(const struct agent *agent, struct agent_memory *memory,
                       const struct file_question *question, const struct agent_files *exchange,
                       struct note *why)
{
    char text[FILE_ANSWER_BYTES];
    struct move move;
    if (question->index == 1) {
        *memory = (struct agent_memory){.has_board = false};
    }
    enum err err = agent_answer(agent, memory, question->cells, question->side, &move, why);
    if (err) {
        note_prefix(why, "the board in %.200s is none", exchange->state);
        return err;
    }
    file_write_move(agent->game, &move, question->index, text);
    return write_move(exchange, text, why);
}

static void wait_a_little(void)
{
    struct timespec span = {0, POLL_MS * 1000000L};
    nanosleep(&span, NULL);
}

enum err agent_file(const struct agent *agent, const char *folder, int team, struct note *why)
{
    struct agent_files exchange = {.state = ""};
    struct agent_memory memory = {.has_board = false};
    char text[FILE_STATE_BYTES];
    int answered = 0;
    enum err err = find_exchange(folder, team, &exchange, why);
    while (!err) {
        struct file_question question;
        size_t length = read_file(exchange.state, text, sizeof text);
        if (!file_is_complete(text, length)) {
            wait_a_little();
            continue;
        }
        err = file_read_state(agent->game, text, length, &question, why);
        if (!err && question.index == 0) {
            return ERR_NONE;
        }
        if (!err && question.index != answered) {
            err = answer(agent, &memory, &question, &exchange, why);
            answered = question.index;
        } else {
            wait_a_little();
        }
    }
    return err;
}
