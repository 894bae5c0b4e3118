#include "base/cpu.h"

#include <stdbool.h>

#if defined(__x86_64__)
#include <cpuid.h>

static bool has_lzcnt(void)
{
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid(0x80000001u, &eax, &ebx, &ecx, &edx) && (ecx & (1u << 5));
}

enum cpu_level cpu_best(void)
{
    __builtin_cpu_init();
    /* The compiler's run-time checks also ask whether the system saves the wide registers. */
    bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    return wide && has_lzcnt() ? CPU_AVX2 : CPU_BASELINE;
}
#else
enum cpu_level cpu_best(void) { return CPU_BASELINE; }
#endif

const char *cpu_name(enum cpu_level level) { return level == CPU_AVX2 ? "avx2" : "baseline"; }
