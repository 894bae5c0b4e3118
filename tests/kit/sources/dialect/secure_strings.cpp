// The functions that end in _s, with and without the size of the buffer.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main()
{
    char text[32] = "", other[32];
    strcpy_s(text, "a");
    strncat_s(text, "bcd", 2);
    strncat_s(text, sizeof(text), "xyz", 1);
    memmove_s(other, sizeof(other), text, 5);
    if (strcmp(other, "abcx") != 0 || strnlen_s(other, 32) != 4)
        return puts("strncat_s"), 1;
    _snprintf_s(text, sizeof(text), _TRUNCATE, "%d-%d", 1, 2);
    _itoa_s(255, other, sizeof(other), 16);
    strcat_s(text, other);
    _itoa_s(7, other, 10);
    strcat_s(text, sizeof(text), other);
    if (strcmp(text, "1-2ff7") != 0)
        return puts(text), 1;
    _strupr_s(text, sizeof(text));
    if (strcmp(text, "1-2FF7") != 0 || strerror_s(text, sizeof(text), 2) != 0 || !text[0])
        return puts(text), 1;
    unsigned number = 0;
    size_t length = 9;
    if (rand_s(&number) != 0 || getenv_s(&length, other, sizeof(other), "NOT SET") != 0 || length != 0)
        return puts("rand_s"), 1;
    puts("ok");
    return 0;
}
