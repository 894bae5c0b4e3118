#include "pch.h"
#include <iostream>
#pragma once
#pragma warning(disable : 4996)
#pragma comment(lib, "Ws2_32.lib")
#pragma region main
int main() { std::cout << "ok\n"; }
#pragma endregion
