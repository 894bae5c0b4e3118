/* What C programs of Visual Studio use, and do not include. */
#include <Windows.h>
#include <stdio.h>

__forceinline static int twice(int n) { return 2 * n; }

int main(void)
{
    char text[16], *end = NULL;
    unsigned __int64 big = 1;
    LARGE_INTEGER now;
    double root = sqrt(16.0);
    strcpy_s(text, sizeof(text), "a");
    strcat_s(text, sizeof(text), "b");
    sprintf_s(text + 2, sizeof(text) - 2, "%d", max(twice(2), min(9, 7)));
    QueryPerformanceCounter(&now);
    Sleep(1);
    if (_stricmp(text, "AB7") != 0 || sizeof(big) != 8 || now.QuadPart <= 0 || root != 4 ||
        strtol("5", &end, 10) != 5 || INT_MAX < 1) {
        printf("wrong: %s\n", text);
        return 1;
    }
    puts("ok");
    return 0;
}
