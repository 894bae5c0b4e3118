#include <stdlib.h>
#include <stdio.h>
int main(void)
{
    puts(max(1, 2) == 2 && min(1, 2) == 1 && __max(3, 1) == 3 ? "ok" : "wrong");
    return 0;
}
