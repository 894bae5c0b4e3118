/* conio.h: a keyboard that nobody sits at. */
#ifndef COMPAT_CONIO_H
#define COMPAT_CONIO_H

static inline int _getch(void) { return '\r'; }
static inline int _getche(void) { return '\r'; }
static inline int _kbhit(void) { return 0; }

#define getch _getch
#define getche _getche
#define kbhit _kbhit

#endif
