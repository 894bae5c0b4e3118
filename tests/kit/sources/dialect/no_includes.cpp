// Visual Studio's <iostream> brings all of this along.
#include <iostream>
using namespace std;
int main()
{
    char text[8];
    memset(text, 0, sizeof(text));
    int best = INT_MIN, list[] = {3, 1, 2};
    sort(list, list + 3);
    srand((unsigned)time(NULL));
    best = max(best, (int)strlen("four"));
    function<int(int)> twice = [](int n) { return 2 * n; };
    printf("%s\n", list[0] == 1 && twice(best) == 8 && sqrt(16.0) == 4 && atoi("7") == 7 ? "ok" : "wrong");
}
