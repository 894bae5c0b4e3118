#include "base/loop.h"

#include "base/clock.h"

static void look_again(uv_idle_t *idle) { (void)idle; }

static void after_input(uv_check_t *check)
{
    struct loop_alarm *alarm = check->data;
    uv_check_stop(check);
    uv_idle_stop(&alarm->idle);
    if (clock_now_ns() < alarm->when_ns) { /* it was set anew meanwhile */
        loop_alarm_set(alarm, alarm->when_ns);
        return;
    }
    alarm->ring(alarm->owner);
}

static void time_is_up(uv_timer_t *timer)
{
    struct loop_alarm *alarm = timer->data;
    uv_idle_start(&alarm->idle, look_again);
    uv_check_start(&alarm->check, after_input);
}

void loop_alarm_init(uv_loop_t *loop, struct loop_alarm *alarm, void *owner,
                     void (*ring)(void *owner))
{
    *alarm = (struct loop_alarm){.owner = owner, .ring = ring};
    uv_timer_init(loop, &alarm->timer);
    uv_check_init(loop, &alarm->check);
    uv_idle_init(loop, &alarm->idle);
    alarm->timer.data = alarm->check.data = alarm->idle.data = alarm;
}

void loop_alarm_set(struct loop_alarm *alarm, int64_t when_ns)
{
    int64_t left_ns = when_ns - clock_now_ns();
    uint64_t left_ms = left_ns > 0 ? (uint64_t)(left_ns + 999999) / 1000000 : 0;
    alarm->when_ns = when_ns;
    uv_idle_stop(&alarm->idle);
    uv_check_stop(&alarm->check);
    uv_update_time(alarm->timer.loop);
    uv_timer_start(&alarm->timer, time_is_up, left_ms, 0);
}

void loop_alarm_stop(struct loop_alarm *alarm)
{
    uv_timer_stop(&alarm->timer);
    uv_idle_stop(&alarm->idle);
    uv_check_stop(&alarm->check);
}

static void handle_closed(uv_handle_t *handle)
{
    struct loop_alarm *alarm = handle->data;
    if (--alarm->open_handles == 0) {
        alarm->closed(alarm->owner);
    }
}

void loop_alarm_close(struct loop_alarm *alarm, void (*closed)(void *owner))
{
    alarm->closed = closed;
    alarm->open_handles = 3;
    uv_close((uv_handle_t *)&alarm->timer, handle_closed);
    uv_close((uv_handle_t *)&alarm->check, handle_closed);
    uv_close((uv_handle_t *)&alarm->idle, handle_closed);
}
