/* process_support: starts real programs in real sandboxes and waits for them, with a time limit;
 * and a queue with workers. */
#ifndef TESTS_PROCESS_SUPPORT_H
#define TESTS_PROCESS_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>

#include <uv.h>

#include "base/folder.h"
#include "play/tournament_workers.h"
#include "sandbox/process.h"

enum { RUN_OUTPUT_BYTES = 64 * 1024, RUN_LIMIT_MS = 20000 };

struct run {
    uv_loop_t loop;
    uv_timer_t limit;
    struct process *process;
    bool is_ready;
    bool has_exited;
    bool is_late;
    struct process_exit exit;
    char output[RUN_OUTPUT_BYTES]; /* the beginning, NUL-terminated */
    size_t count;                  /* of all that came */
    char errors[PROCESS_STDERR_BYTES + 128];
    struct violation_list violations;
    int violation_reports;
    void (*on_output)(struct run *run); /* after the bytes were added; may be NULL */
    void *owner;
};

/* What argv says the test is to be: the helper, a test without namespaces. Call it first in
 * main(); -1: continue, else the exit code. */
int run_prepare(int argc, char **argv);

/* What this machine offers, asked once. */
const struct sandbox *run_sandbox(void);

struct process_spec run_spec(const char *command);

void run_start(struct run *run, const struct process_spec *spec);
void run_until_ready(struct run *run);
bool run_says(struct run *run, const char *text); /* false: it ended or is late */
void run_until_output(struct run *run, const char *text);
void run_until_deaf(struct run *run); /* it cannot be written to, though it runs */
void run_until_exit(struct run *run);

/* Frees the process and waits until nothing of it is left. */
void run_free(struct run *run);

/* Start, wait, free. */
void run_command(struct run *run, const char *command);
void run_whole(struct run *run, const struct process_spec *spec);

/* Where the rude programs are. */
const char *run_rude_folder(void);

/* Ends a case that this machine cannot run; the line says why. */
#define SKIP_BECAUSE(reason)                                  \
    do {                                                      \
        print_message("skipped: %s: %s\n", __func__, reason); \
        skip();                                               \
    } while (0)

/* Workers of a queue that is open here, each a process with one slot. */
enum { CREW_WORKERS = 2, CREW_LIMIT_S = 120 };
struct crew {
    struct folder_scratch folder; /* of the queue, and what a killed worker leaves behind */
    struct tournament_workers queue;
    pid_t workers[CREW_WORKERS]; /* 0: it was killed */
};

/* Call it first in main(): does not return in a process of crew_open. */
void crew_prepare(int argc, char **argv);

/* Games without programs are played by these rules. False: nats-server or its library is not here;
 * *why says which. The test and the workers end if it is not closed within CREW_LIMIT_S. */
bool crew_open(struct crew *crew, const struct pairing_rules *rules, struct note *why);

bool crew_is(int worker, const char *name);    /* "": no worker's */
void crew_kill(struct crew *crew, int worker); /* SIGKILL, and waits for its end */
void crew_close(struct crew *crew);

/* What might be left behind. */
int count_fds(void);
int count_children(void);
int only_child(void); /* its number; there must be exactly one */
int count_temporary_folders(void);
int count_cgroups(void);

#endif
