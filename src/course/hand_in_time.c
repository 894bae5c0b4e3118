/* Dates as platforms and people write them, and the zones after them. */
#include "course/hand_in_time.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/clock.h"

enum { SECONDS_A_DAY = 86400, MAX_NUMBERS = 6, HAND_IN_TEXT_BYTES = 128 };

/* --- Dates --- */

static int month_of(const char *text)
{
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                         "jul", "aug", "sep", "oct", "nov", "dec"};
    for (const char *at = text; *at; at++) {
        bool is_start = at == text || !isalpha((unsigned char)at[-1]);
        for (int i = 0; is_start && i < 12; i++) {
            if (strncasecmp(at, months[i], 3) == 0) {
                return i + 1;
            }
        }
    }
    return 0;
}

static int read_numbers(const char *text, int numbers[MAX_NUMBERS])
{
    int count = 0;
    for (const char *at = text; *at && count < MAX_NUMBERS;) {
        size_t digits = strspn(at, "0123456789");
        if (digits) {
            numbers[count++] = digits < 6 ? (int)strtol(at, NULL, 10) : -1;
        }
        at += digits ? digits : 1;
    }
    return count;
}

/* Year, month and day in the first three, in whatever order they came. False: they cannot be. */
static bool order_date(int month, int numbers[MAX_NUMBERS], int *count)
{
    enum { FIRST_YEAR = 1990, LAST_YEAR = 2200 };
    if (month && *count >= 2 && *count < MAX_NUMBERS) {
        int day = numbers[0] <= 31 ? numbers[0] : numbers[1];
        int year = numbers[0] <= 31 ? numbers[1] : numbers[0];
        memmove(numbers + 1, numbers, (size_t)*count * sizeof *numbers);
        (*count)++;
        numbers[0] = year;
        numbers[1] = month;
        numbers[2] = day;
    } else if (!month && *count >= 3 && numbers[0] <= 31 && numbers[2] >= FIRST_YEAR) {
        int first = numbers[0];
        int second = numbers[1];
        if (first <= 12 && second <= 12 && first != second) {
            return false; /* 3/4/2021 is in March for some and in April for others */
        }
        numbers[0] = numbers[2];
        numbers[1] = first > 12 ? second : first;
        numbers[2] = first > 12 ? first : second;
    }
    return *count >= 3 && numbers[0] >= FIRST_YEAR && numbers[0] <= LAST_YEAR && numbers[1] >= 1 &&
           numbers[1] <= 12 && numbers[2] >= 1 && numbers[2] <= 31;
}

static bool has_word(const char *text, const char *english, const char *chinese)
{
    const char *at = strcasestr(text, english);
    bool is_word = at && (at == text || !isalpha((unsigned char)at[-1])) &&
                   !isalpha((unsigned char)at[strlen(english)]);
    return is_word || strstr(text, chinese);
}

/* --- Zones --- */

/* What follows the time of day, or else the day. */
static const char *after_time(const char *text)
{
    const char *colon = text;
    while ((colon = strchr(colon, ':')) && !(colon > text && isdigit((unsigned char)colon[-1]) &&
                                             isdigit((unsigned char)colon[1]))) {
        colon++;
    }
    const char *start = colon;
    while (start && start > text && isdigit((unsigned char)start[-1])) {
        start--;
    }
    if (start && (start == text || start[-1] != '+')) {
        return colon + strspn(colon, "0123456789:.");
    }
    const char *end = text + strlen(text);
    while (end > text && !isdigit((unsigned char)end[-1])) {
        end--;
    }
    return strchr(text, '+') ? strchr(text, '+') : end;
}

/* Weekdays, months and parts of the day do not name a zone. */
static bool is_word_of_a_date(const char *word, size_t length)
{
    static const char *const words[] = {
        "am",     "pm",  "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday", "mon", "tue",    "wed",     "thu",       "fri",      "sat",    "sun"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i]) == length && strncasecmp(word, words[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_word_of_utc(const char *word, size_t length)
{
    return (length == 1 && (*word == 'Z' || *word == 'z')) ||
           (length == 3 &&
            (strncasecmp(word, "UTC", 3) == 0 || strncasecmp(word, "GMT", 3) == 0)) ||
           (length == 2 && strncmp(word, "UT", 2) == 0);
}

/* The length of the one of these that the text begins with; 0: it is none. */
static size_t length_of_one(const char *text, const char *const list[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(text, list[i], strlen(list[i])) == 0) {
            return strlen(list[i]);
        }
    }
    return 0;
}

/* As typography also writes it. */
static size_t minus_at(const char *text)
{
    static const char *const list[] = {"-", "\u2010", "\u2011", "\u2012", "–", "—", "−", "－"};
    return length_of_one(text, list, sizeof list / sizeof *list);
}

/* What a time has in Chinese, and spaces. Other letters may name a zone. */
static size_t sign_of_a_date_at(const char *text)
{
    static const char *const list[] = {
        "上", "下", "午", "年", "月", "日",     "時",     "时",     "分",     "秒",
        "星", "期", "週", "周", "一", "二",     "三",     "四",     "五",     "六",
        "（", "）", "，", "。", "、", "\u00a0", "\u2009", "\u200e", "\u200f", "\u202f"};
    return length_of_one(text, list, sizeof list / sizeof *list);
}

/* "+08:00", "-0530", "+8". Returns what follows; NULL: it
 * is none. */
static const char *read_offset(const char *text, int *out_s)
{
    bool is_minus = minus_at(text);
    const char *at = text + (is_minus ? minus_at(text) : 1);
    size_t digits = strspn(at, "0123456789");
    int hours = (int)strtol(at, NULL, 10);
    int minutes = 0;
    if (digits != 1 && digits != 2 && digits != 4) {
        return NULL;
    }
    at += digits;
    if (digits == 4) {
        minutes = hours % 100;
        hours /= 100;
    } else if (*at == ':' && strspn(at + 1, "0123456789") == 2) {
        minutes = (int)strtol(at + 1, NULL, 10);
        at += 3;
    }
    *out_s = (is_minus ? -1 : 1) * (hours * 3600 + minutes * 60);
    return hours <= 14 && minutes <= 59 ? at : NULL;
}

/* A zone that a time names: its distance from UTC. False: there is one that cannot be read. */
static bool read_zone(const char *text, bool *has_zone, int *offset_s)
{
    const char *at = after_time(text);
    *has_zone = false;
    *offset_s = 0;
    for (size_t length; *at; at += length) {
        length = 0;
        while (isalpha((unsigned char)at[length])) {
            length++;
        }
        if (length && is_word_of_utc(at, length)) {
            *has_zone = true;
        } else if (length && !*has_zone && !is_word_of_a_date(at, length)) {
            return false;
        } else if (*at == '+' || minus_at(at)) {
            const char *end = read_offset(at, offset_s);
            if (!end) {
                return false;
            }
            *has_zone = true;
            length = (size_t)(end - at);
        } else if ((unsigned char)*at >= 0x80 && !*has_zone) {
            length = sign_of_a_date_at(at);
            if (!length) {
                return false;
            }
        }
        length += !length;
    }
    return true;
}

/* A zone before the time: it would be lost. */
static bool has_zone_before(const char *bare)
{
    for (const char *at = bare; *at;) {
        size_t length = 0;
        while (isalpha((unsigned char)at[length])) {
            length++;
        }
        if (length && is_word_of_utc(at, length)) {
            return true;
        }
        at += length + !length;
    }
    return false;
}

/* --- Public --- */

static enum err refuse_time(const char *text, struct note *why)
{
    return note_fail(why, ERR_INPUT,
                     "'%.60s' is not a date and time: write it as 2021-05-02 23:59, or with its "
                     "zone as 2021-05-02 23:59 +08:00",
                     text);
}

/* Midnight is 12 AM. */
static int hour_of(const char *text, int hour)
{
    bool is_afternoon = has_word(text, "pm", "下午");
    bool is_morning = has_word(text, "am", "上午");
    return hour <= 12 && (is_afternoon || is_morning) ? hour % 12 + (is_afternoon ? 12 : 0) : hour;
}

enum err hand_in_time_read(const char *text, int64_t *out_s, struct note *why)
{
    int numbers[MAX_NUMBERS] = {0};
    char bare[HAND_IN_TEXT_BYTES]; /* without the zone */
    bool has_zone = false;
    int offset_s = 0;
    const char *zone = after_time(text);
    if (strlen(text) >= sizeof bare || !read_zone(text, &has_zone, &offset_s)) {
        return refuse_time(text, why);
    }
    snprintf(bare, sizeof bare, "%.*s", (int)(zone - text), text);
    int count = read_numbers(bare, numbers);
    bool is_date = order_date(month_of(bare), numbers, &count);
    bool has_time = count > 3;
    struct tm fields = {.tm_year = numbers[0] - 1900,
                        .tm_mon = numbers[1] - 1,
                        .tm_mday = numbers[2],
                        .tm_hour = has_time ? hour_of(text, numbers[3]) : 23,
                        .tm_min = has_time ? numbers[4] : 59,
                        .tm_sec = has_time ? numbers[5] : 59,
                        .tm_isdst = -1};
    struct tm day = {.tm_year = fields.tm_year, .tm_mon = fields.tm_mon, .tm_mday = fields.tm_mday};
    if (has_zone_before(bare) || !is_date || fields.tm_hour < 0 || fields.tm_hour > 23 ||
        fields.tm_min < 0 || fields.tm_min > 59 || fields.tm_sec < 0 || fields.tm_sec > 60) {
        return refuse_time(text, why);
    }
    (void)timegm(&day); /* 31 February becomes a day of March */
    if (day.tm_mday != fields.tm_mday) {
        return refuse_time(text, why);
    }
    *out_s = has_zone ? (int64_t)timegm(&fields) - offset_s : (int64_t)mktime(&fields);
    return ERR_NONE;
}

void hand_in_time_write(int64_t time_s, char out[HAND_IN_TIME_BYTES])
{
    clock_write_local(time_s * 1000, "%Y-%m-%d %H:%M:%S %z (%Z)", out, HAND_IN_TIME_BYTES);
}

int hand_in_days_late(int64_t submitted_s, int64_t deadline_s)
{
    int64_t over_s = submitted_s - deadline_s;
    int64_t days = over_s <= 0 ? 0 : (over_s + SECONDS_A_DAY - 1) / SECONDS_A_DAY;
    return days > 1000 ? 1000 : (int)days;
}
