// The keyword before a constructor, in a struct and in a class; a pointer to a function has one, too.
#include <cstdio>
struct P { int r; struct P(int a) : r(a) {} };
class Q
{
public:
    class Q (int a, int b = 1) : sum(a + b) {}
    int sum;
};
static struct P make(int a) { return P(a); }
static struct P (*maker)(int) = make;
int main() { puts(maker(2).r + Q(1).sum == 4 ? "ok" : "wrong"); }
