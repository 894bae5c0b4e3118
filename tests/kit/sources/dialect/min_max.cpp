// The macros of windows.h and stdlib.h.
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
int main() { puts(max(1, 2.5) == 2.5 && min(1, 2L) == 1 && __max(1, 2) == 2 && __min(3, 2) == 2 ? "ok" : "wrong"); }
