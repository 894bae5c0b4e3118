#include <windows.h>
#include <stdio.h>
int wmain(void)
{
    printf("ok\n");
    return 0;
}
