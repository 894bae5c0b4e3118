/* loop: alarms on the event loop of the players.
 *
 * One thread, one libuv loop, only player I/O and alarms in it. An alarm calls `ring` only after
 * the loop has looked for input once more, so that an answer that had already arrived when the time
 * ran out is read first.
 */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include <stdint.h>
#include <uv.h>

struct loop_alarm {
    uv_timer_t timer;
    uv_check_t check; /* runs after the input phase */
    uv_idle_t idle;   /* while active the input phase does not wait */
    int64_t when_ns;
    int open_handles;
    void *owner;
    void (*ring)(void *owner);
    void (*closed)(void *owner);
};

/* `alarm` stays where it is until `closed` was called. */
void loop_alarm_init(uv_loop_t *loop, struct loop_alarm *alarm, void *owner,
                     void (*ring)(void *owner));
void loop_alarm_set(struct loop_alarm *alarm, int64_t when_ns);
void loop_alarm_stop(struct loop_alarm *alarm);
void loop_alarm_close(struct loop_alarm *alarm, void (*closed)(void *owner));

#endif
