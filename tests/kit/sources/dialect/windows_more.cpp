// More of windows.h.
#include <Windows.h>
#include <stdio.h>
static DWORD WINAPI Add(LPVOID sum) { InterlockedExchangeAdd((LONG *)sum, 2); return 0; }
int main(int argc, char *argv[])
{
    LONG sum = 0;
    SYSTEM_INFO system_info;
    FILETIME time;
    HANDLE threads[2];
    GetSystemInfo(&system_info);
    GetSystemTimeAsFileTime(&time);
    for (int i = 0; i < 2; i++)
        threads[i] = CreateThread(NULL, 0, Add, &sum, 0, NULL);
    WaitForMultipleObjects(2, threads, TRUE, INFINITE);
    SetPriorityClass(GetCurrentProcess(), HIGH_PRIORITY_CLASS);
    SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_HIGHEST);
    Beep(440, 10);
    if (InterlockedCompareExchange(&sum, 9, 4) != 4 || GetAsyncKeyState(VK_ESCAPE) || !IsDebuggerPresent() == 0)
        return 1;
    Sleep(1);
    puts(sum == 9 && system_info.dwNumberOfProcessors > 0 && time.dwHighDateTime > 0 ? "ok" : "wrong");
    return 0;
}
