#include <stdio.h>
void __cdecl main(int argc, char **argv) { puts(argc == 1 && argv[0] ? "ok" : "wrong"); }
