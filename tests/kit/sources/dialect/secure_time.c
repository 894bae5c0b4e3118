/* Dates and files, in C. */
#include <stdio.h>
#include <string.h>
#include <time.h>
int main(void)
{
    char text[64];
    FILE *file = NULL;
    struct tm date;
    time_t zero = 0;
    if (gmtime_s(&date, &zero) != 0 || date.tm_year != 70 || localtime_s(&date, &zero) != 0)
        return puts("gmtime_s"), 1;
    asctime_s(text, sizeof(text), &date);
    if (strlen(text) != 25 || ctime_s(text, sizeof(text), &zero) != 0 || strlen(text) != 25)
        return puts("ctime_s"), 1;
    if (fopen_s(&file, "no such file", "r") == 0 || _fileno(stdin) != 0)
        return puts("fopen_s"), 1;
    puts("ok");
    return 0;
}
