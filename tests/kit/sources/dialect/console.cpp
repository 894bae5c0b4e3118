// A keyboard and a screen that are not there.
#include <conio.h>
#include <stdio.h>
#include <stdlib.h>
int main()
{
    while (_kbhit())
        _getch();
    if (getch() == 0 || _getche() == 0)
        return 1;
    _cputs("");
    _putch('\n');
    system("cls");
    system("color 0A");
    system("title agent");
    puts("ok");
    system("pause");
    return 0;
}
