#include <stdio.h>
int main(void)
{
    unsigned __int64 all = 0xFFFFFFFFFFFFFFFFui64;
    puts(all + 1 == 0i64 ? "ok" : "wrong");
    return 0;
}
