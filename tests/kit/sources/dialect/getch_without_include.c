#include <stdio.h>
int main(void)
{
    puts("ok");
    _getch();
    return 0;
}
