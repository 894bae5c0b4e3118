/* conio.h: a keyboard without a user: waiting for a key ends at once. */
#ifndef COMPAT_CONIO_H
#define COMPAT_CONIO_H

static inline int _getch(void) { return '\r'; }
static inline int _getche(void) { return '\r'; }
static inline int _kbhit(void) { return 0; }
static inline int _putch(int letter) { return letter; }
static inline int _cputs(const char *text) { return text ? 0 : -1; }

#define getch _getch
#define getche _getche
#define kbhit _kbhit
#define putch _putch
#define cputs _cputs

#endif
