#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char text[40];
    if (strcmp(itoa(-12, text, 10), "-12") != 0 || strcmp(_itoa(10, text, 2), "1010") != 0)
        return puts(text), 1;
    if (strcmp(_i64toa(-5000000000, text, 10), "-5000000000") != 0 ||
        strcmp(_ultoa(4000000000, text, 16), "ee6b2800") != 0)
        return puts(text), 1;
    if (strcmp(_strrev(strcpy(text, "abc")), "cba") != 0 ||
        strcmp(_strlwr(strcpy(text, "ABC")), "abc") != 0)
        return puts(text), 1;
    puts("ok");
    return 0;
}
