// std::exception can be made of a text there.
#include <exception>
#include <stdexcept>
#include <cstdio>
#include <cstring>
using namespace std;
class Mine : public std::exception
{
public:
    Mine(const char *text) : exception(text) {}
};
int main()
{
    int seen = 0;
    try { throw std::exception("one"); } catch (const std::exception &e) { seen += strcmp(e.what(), "one") == 0; }
    try { throw exception("two"); } catch (exception &e) { seen += strcmp(e.what(), "two") == 0; }
    try { throw Mine("three"); } catch (const exception &e) { seen += strcmp(e.what(), "three") == 0; }
    try { throw exception(); } catch (const exception &) { seen++; }
    try { throw runtime_error("five"); } catch (exception &e) { seen += strcmp(e.what(), "five") == 0; }
    puts(seen == 5 ? "ok" : "wrong");
}
