/* --- The clock ---
 *
 * The time that counts is that of the judge's clock, so this is a clock on the wall: on a busy
 * machine it also runs while our program waits for a processor. It is read once in 64 questions.
 */
typedef std::chrono::steady_clock Clock;

static Clock::time_point turn_begins;
static double turn_seconds; // that this turn may use
static int clock_questions;
static bool is_stopped;

static void start_clock(double seconds)
{
    turn_begins = Clock::now();
    turn_seconds = seconds;
    clock_questions = 0;
    is_stopped = false;
}

static double seconds_used()
{
    return std::chrono::duration<double>(Clock::now() - turn_begins).count();
}

/* Once it has returned true, what was being computed is thrown away. */
static bool is_time_over()
{
    if (!is_stopped && ++clock_questions % 64 == 0)
        is_stopped = seconds_used() > turn_seconds;
    return is_stopped;
}
