/* paint: the colours and characters that a terminal can show, and their control sequences. */
#ifndef CLI_PAINT_H
#define CLI_PAINT_H

#include <stdint.h>

enum paint {
    PAINT_PLAIN, /* ASCII */
    PAINT_MONO,  /* Unicode, no colour */
    PAINT_256,
    PAINT_FULL, /* 24-bit colour */
};

/* What suits stdout. `wish` is auto, always or never; NULL means auto. */
enum paint paint_choose(const char *wish);

/* Colours are 0xRRGGBB. Nothing is printed below PAINT_256. */
void paint_ink(enum paint paint, uint32_t colour);
void paint_ground(enum paint paint, uint32_t colour);
void paint_bold(enum paint paint);
void paint_reset(enum paint paint);

#endif
