#include <vector>
#include <cstdio>
using namespace std;
int main()
{
    vector<int> in = {1, 2}, list(in.begin(), in.end());
    int sum = 0;
    for each (int x in list)
        sum += x;
    for each(const int &x in vector<int>(list))
        sum += x;
    puts(sum == 6 && in.size() == 2 ? "ok" : "wrong");
}
