// Attributes, calling conventions, intrinsics.
#include <intrin.h>
#include <malloc.h>
#include <cstdint>
#include <cstdio>
__declspec(align(64)) static int table[16];
__declspec(noinline) int __fastcall twice(int n) { return 2 * n; }
__declspec(thread) int counter = 1;
static __forceinline int __vectorcall once(int n) { return n; }
_inline int thrice(int n) { __assume(n > 0); return 3 * n; }
int main()
{
    unsigned long index;
    void *block = _aligned_malloc(100, 64);
    int *local = (int *)_alloca(4 * sizeof(int));
    local[0] = __popcnt64(0xF0ui64) + (int)_rotl64(1, 4) + __popcnt16(3) + _byteswap_ushort(0x100);
    bool ok = (uintptr_t)table % 64 == 0 && (uintptr_t)block % 64 == 0 && _BitScanForward(&index, 8) && index == 3;
    _aligned_free(block);
    puts(ok && twice(counter) + once(1) + thrice(1) == 6 && local[0] == 23 ? "ok" : "wrong");
}
