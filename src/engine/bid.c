#include "engine/bid.h"

enum { HALF = 500, ROWS = 10 };

/* Payment, then thousandths of games won by Black and by White after paying it, made to fall
 * with the payment. */
static const struct {
    int payment;
    int chance[2];
} rows[ROWS] = {
    {0, {557, 423}},   {20, {557, 423}},  {40, {552, 421}},  {60, {552, 421}}, {80, {552, 421}},
    {100, {511, 387}}, {110, {439, 341}}, {120, {296, 236}}, {130, {85, 75}},  {140, {2, 0}},
};

int bid_chance(enum side colour, int payment)
{
    int i = 1;
    while (i < ROWS - 1 && rows[i].payment < payment) {
        i++;
    }
    int low = rows[i - 1].chance[colour];
    int high = rows[i].chance[colour];
    int width = rows[i].payment - rows[i - 1].payment;
    return low + (high - low) * (payment - rows[i - 1].payment) / width;
}

enum side bid_better_colour(void)
{
    return bid_chance(SIDE_BLACK, 0) >= bid_chance(SIDE_WHITE, 0) ? SIDE_BLACK : SIDE_WHITE;
}

int bid_break_even(void)
{
    enum side colour = bid_better_colour();
    int payment = 0;
    while (payment < BID_MAX_PAYMENT && bid_chance(colour, payment + 1) >= HALF) {
        payment++;
    }
    return payment;
}

struct bid engine_bid(void)
{
    return (struct bid){.colour = (int)bid_better_colour(), .price = bid_break_even() - 1};
}
