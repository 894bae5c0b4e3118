#include <cstdio>
#include <cwchar>

#include <windows.h>

int wmain(int argc, wchar_t *argv[])
{
    printf(argc == 1 && wcslen(argv[0]) > 0 ? "ok\n" : "no name\n");
    return 0;
}
