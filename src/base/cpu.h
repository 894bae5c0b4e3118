/* cpu: which of the compiled variants this processor can run.
 *
 * The rules and engines of every game are compiled once for plain x86-64 (or
 * whatever the target's baseline is) and once for AVX2; the choice is made once
 * at start-up. `docs/performance.md` says what the second variant gains.
 */
#ifndef BASE_CPU_H
#define BASE_CPU_H

enum cpu_level {
    CPU_BASELINE,
    CPU_AVX2, /* AVX2, BMI1, BMI2, LZCNT and POPCNT together */
    CPU_LEVELS,
};

/* The best level that this processor and operating system support. */
enum cpu_level cpu_best(void);

/* "baseline" or "avx2". */
const char *cpu_name(enum cpu_level level);

/* For files compiled once per level: a name that the variants do not share. */
#ifdef PLUM_CPU_SUFFIX
#define CPU_PASTE_(name, suffix) name##_##suffix
#define CPU_PASTE(name, suffix) CPU_PASTE_(name, suffix)
#define CPU_VARIANT(name) CPU_PASTE(name, PLUM_CPU_SUFFIX)
#endif

#endif
