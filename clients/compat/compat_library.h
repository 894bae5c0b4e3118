/* compat_library: the rest of the C++ library that programs forget to include.
 *
 * `plum build` adds it after compat_common.h, on another try: <functional> and <random> of Visual
 * Studio include much of it, but names such as map, array and list are also popular with programs.
 */
#ifndef COMPAT_LIBRARY_H
#define COMPAT_LIBRARY_H

#ifdef __cplusplus
#include <array>
#include <bitset>
#include <chrono>
#include <deque>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stack>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#endif

#endif
