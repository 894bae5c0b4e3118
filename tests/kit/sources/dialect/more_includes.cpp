// A header includes others, as <functional> and <random> do there.
#include <functional>
#include <random>
using namespace std;
int main()
{
    vector<int> list = {1, 2};
    map<int, string> names;
    unordered_map<int, int> seen;
    stringstream text;
    names[1] = "one";
    seen[2] = 3;
    text << setw(3) << list.size() << names[1] << seen[2];
    auto begin = chrono::steady_clock::now();
    this_thread::sleep_for(chrono::milliseconds(1));
    cout << (text.str() == "  2one3" && chrono::steady_clock::now() > begin ? "ok" : "wrong") << endl;
}
