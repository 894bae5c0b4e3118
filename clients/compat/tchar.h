/* tchar.h: text is char. */
#ifndef COMPAT_TCHAR_H
#define COMPAT_TCHAR_H

typedef char TCHAR, _TCHAR;

#define _T(text) text
#define _TEXT(text) text
#define TEXT(text) text
#define _tmain main
#define _tprintf printf
#define _tcslen strlen
#define _tcscpy strcpy
#define _tcscmp strcmp
#define _ttoi(text) ((int)strtol((text), NULL, 10))

#endif
