#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

static volatile sig_atomic_t farewell_descriptor = STDERR_FILENO;
static const char *volatile farewell_text = "";

/* Only what a signal handler may do. */
static void end_program(int signal_number)
{
    (void)signal_number;
    const char *text = farewell_text;
    if (*text && write(farewell_descriptor, text, strlen(text)) < 0) {
        _exit(ERR_ENVIRONMENT);
    }
    _exit(ERR_INTERRUPTED);
}

static atomic_bool flag;

static void set_flag(int signal_number)
{
    (void)signal_number;
    if (atomic_exchange(&flag, true)) {
        end_program(signal_number);
    }
}

static void handle_with(int signal_number, void (*handler)(int))
{
    sigaction(signal_number, &(struct sigaction){.sa_handler = handler}, NULL);
}

static bool is_ignored(int signal_number)
{
    struct sigaction old;
    return sigaction(signal_number, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

void interrupt_ends_program(void) { handle_with(SIGINT, end_program); }

const atomic_bool *interrupt_sets_flag(void)
{
    handle_with(SIGINT, set_flag);
    handle_with(SIGTERM, set_flag);
    if (!is_ignored(SIGHUP)) {
        handle_with(SIGHUP, set_flag);
    }
    return &flag;
}

void interrupt_writes(int descriptor, const char *farewell)
{
    farewell_text = "";
    farewell_descriptor = descriptor;
    farewell_text = farewell;
}
