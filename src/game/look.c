#include "game/look.h"

const struct piece_kind *look_piece(const struct game *game, int piece)
{
    static const struct piece_kind common[] = {
        [PIECE_NONE] = {.letters = {'.'}, .narrow = {"·"}, .wide = {"   "}},
        [PIECE_HOLE] = {.letters = {'#'}, .narrow = {" "}, .wide = {"   "}},
    };
    return piece < PIECE_FIRST ? &common[piece] : &game->look->pieces[piece - PIECE_FIRST];
}
