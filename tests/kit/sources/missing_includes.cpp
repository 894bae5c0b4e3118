// Visual Studio's headers bring along what this needs; g++'s do not. And two names of its own.
#include <iostream>
using namespace std;

int count = 0;

int main()
{
	char text[8];
	memset(text, 0, sizeof(text));
	string name = "ok";
	int best = INT_MIN;
	best = max(best, (int)strlen(name.c_str()));
	__int64 sum = (__int64)pow(2.0, 40.0) + best + ::count;
	if (sum != 1099511627778LL || _stricmp(itoa(15, text, 16), "F") != 0)
		return 1;
	cout << name << endl;
}
