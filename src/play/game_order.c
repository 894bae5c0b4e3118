#include "play/game_order.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const struct ordered_game *it)
{
    return sizeof *it + (it->game.record ? strlen(it->game.record) : 0);
}

static bool grow(struct game_order *order, size_t least)
{
    size_t capacity = order->capacity ? order->capacity : 16;
    while (capacity < least) {
        capacity *= 2;
    }
    struct ordered_game **larger = calloc(capacity, sizeof(struct ordered_game *));
    if (!larger) {
        return false;
    }
    for (size_t i = 0; i < order->capacity; i++) {
        size_t number = (size_t)order->next + i;
        larger[number % capacity] = order->waiting[number % order->capacity];
    }
    free(order->waiting);
    order->waiting = larger;
    order->capacity = capacity;
    return true;
}

bool game_order_put(struct game_order *order, const struct tournament_work *work,
                    const char *machine, struct finished_game *take_game)
{
    int number = work->first_game + take_game->index;
    assert(number >= order->next);
    size_t least = (size_t)(number - order->next) + 1;
    struct ordered_game *added = malloc(sizeof *added);
    if (!added || (least > order->capacity && !grow(order, least))) {
        free(added);
        return false;
    }
    added->work = *work;
    added->game = *take_game;
    snprintf(added->machine, sizeof added->machine, "%s", machine);
    assert(!order->waiting[(size_t)number % order->capacity]);
    order->waiting[(size_t)number % order->capacity] = added;
    order->bytes += bytes_of(added);
    *take_game = (struct finished_game){0};
    return true;
}

struct ordered_game *game_order_take(struct game_order *order)
{
    struct ordered_game **place =
        order->capacity ? &order->waiting[(size_t)order->next % order->capacity] : NULL;
    struct ordered_game *taken = place ? *place : NULL;
    if (taken) {
        *place = NULL;
        order->next++;
        order->bytes -= bytes_of(taken);
    }
    return taken;
}

void game_order_free(struct game_order *order)
{
    for (size_t i = 0; i < order->capacity; i++) {
        if (order->waiting[i]) {
            finished_game_free(&order->waiting[i]->game);
            free(order->waiting[i]);
        }
    }
    free(order->waiting);
    *order = (struct game_order){0};
}
