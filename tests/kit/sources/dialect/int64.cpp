// Types, suffixes and formats of 64-bit numbers.
#include <cstdio>
#include <cstring>
typedef unsigned __int64 Bits;
int main()
{
    char text[64];
    __int64 big = -5i64;
    Bits mask = 0xFFui64 << 40, other = 1UI64;
    __int32 small = 3i32;
    sprintf(text, "%I64d %5I64u %% of I64", big, other + mask / mask);
    puts(strcmp(text, "-5     2 % of I64") == 0 && small == 3 && _atoi64("99999999999") > 1i64 << 32 ? "ok" : text);
}
