// Names of types in templates without `typename`, and C++17.
#include <map>
#include <optional>
#include <cstdio>
template <class K> struct Table {
    typedef std::map<K, int> Map;
    std::map<K, int> values;
    Map::iterator first();
};
template <class K> Table<K>::Map::iterator Table<K>::first() { return values.begin(); }
std::optional<int> half(int n) { return n % 2 ? std::nullopt : std::optional<int>(n / 2); }
int main()
{
    Table<int> table;
    table.values[3] = 4;
    auto [key, value] = *table.first();
    puts(key == 3 && half(value) == 2 ? "ok" : "wrong");
}
