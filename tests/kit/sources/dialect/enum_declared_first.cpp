#include <stdio.h>
enum Color;
void show(Color c);
enum Color { RED, BLACK };
void show(Color c)
{
    __int64 a = c;
    printf("ok\n");
}
int main() { show(BLACK); }
