// A console application as the old wizard made it; stdafx.h and targetver.h were not handed in.
#include "stdafx.h"
#include <iostream>
using namespace std;
int _tmain(int argc, _TCHAR* argv[])
{
	_tprintf(_T("%s"), _T(""));
	cout << (argc == 1 && argv ? "ok" : "wrong") << endl;
	return 0;
}
