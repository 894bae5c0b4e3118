// Milliseconds from <sys/timeb.h>.
#include <sys/timeb.h>
#include <cstdio>
int main()
{
    struct _timeb now;
    _ftime(&now);
    _ftime_s(&now);
    puts(now.time > 1500000000 && now.millitm < 1000 && !_isnan(1.0) && _finite(1.0) ? "ok" : "wrong");
}
