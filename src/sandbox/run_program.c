#include "sandbox/run_program.h"

#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include "base/clock.h"

enum { CHECK_MS = 100 }; /* after a limit or a signal, at most this until it is noticed */

/* One program under way. */
struct program_run {
    const struct run_program_spec *spec;
    struct process *process;
    struct run_program_result result;
    size_t kept;
    int64_t started_ns;
    uv_timer_t timer;
    bool is_interrupted;
};

static void on_output(void *owner, const char *bytes, size_t count)
{
    struct program_run *run = owner;
    size_t room = RUN_PROGRAM_MAX_OUTPUT - run->kept;
    size_t taken = count < room ? count : room;
    memcpy(run->result.output + run->kept, bytes, taken);
    run->kept += taken;
}

static void on_exit_event(void *owner, const struct process_exit *exit)
{
    struct program_run *run = owner;
    run->result.exit = *exit;
    process_free(run->process);
    uv_close((uv_handle_t *)&run->timer, NULL);
}

static void on_check(uv_timer_t *timer)
{
    struct program_run *run = timer->data;
    const struct run_program_spec *spec = run->spec;
    bool is_out_of_time = (spec->wall_ns && clock_now_ns() - run->started_ns > spec->wall_ns) ||
                          (spec->cpu_ns && process_used_ns(run->process) > spec->cpu_ns);
    if (spec->stop && atomic_load(spec->stop)) {
        run->is_interrupted = true;
        process_kill(run->process);
    } else if (is_out_of_time) {
        run->result.is_out_of_time = true;
        process_kill(run->process);
    }
}

/* stderr joins stdout, so that lines keep their order. */
static char *shell_line(const char *command)
{
    char *line;
    return asprintf(&line, "%s </dev/null 2>&1", command) < 0 ? NULL : line;
}

static enum err start(struct program_run *run, uv_loop_t *loop, struct note *why)
{
    const struct run_program_spec *spec = run->spec;
    const struct process_events events = {
        .owner = run, .on_output = on_output, .on_exit = on_exit_event};
    char *line = shell_line(spec->command);
    if (!line) {
        note_set(why, "no memory for a command");
        return ERR_ENVIRONMENT;
    }
    const struct process_spec process = {
        .command = line,
        .folder = spec->folder,
        .private_folder = spec->private_folder,
        .cpu = -1,
        .sandbox = spec->sandbox,
        .environment = spec->environment,
    };
    enum err err = process_start(loop, &process, &events, &run->process, why);
    free(line);
    uv_timer_init(loop, &run->timer);
    run->timer.data = run;
    if (err) {
        uv_close((uv_handle_t *)&run->timer, NULL);
    } else {
        uv_timer_start(&run->timer, on_check, CHECK_MS, CHECK_MS);
    }
    return err;
}

enum err run_program(const struct run_program_spec *spec, struct run_program_result *out,
                     struct note *why)
{
    uv_loop_t loop;
    struct program_run run = {.spec = spec, .started_ns = clock_now_ns()};
    run.result.output = malloc(RUN_PROGRAM_MAX_OUTPUT + 1);
    int error = run.result.output ? uv_loop_init(&loop) : UV_ENOMEM;
    if (error) {
        note_set(why, "no event loop for a program: %s", uv_strerror(error));
        free(run.result.output);
        return ERR_ENVIRONMENT;
    }
    enum err err = start(&run, &loop, why);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    if (!err && run.is_interrupted) {
        note_set(why, "interrupted");
        err = ERR_INTERRUPTED;
    }
    if (!err && (run.result.exit.how == PROCESS_NOT_STARTED || run.result.exit.is_ours)) {
        note_set(why, "%s", run.result.exit.sentence);
        err = ERR_ENVIRONMENT;
    }
    if (err) {
        free(run.result.output);
        return err;
    }
    run.result.output[run.kept] = '\0';
    *out = run.result;
    return ERR_NONE;
}

void run_program_result_free(struct run_program_result *result)
{
    free(result->output);
    *result = (struct run_program_result){0};
}
