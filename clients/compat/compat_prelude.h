/* compat_prelude: what Visual Studio's compiler and library know without any include.
 *
 * `plum build` puts this in front of every source. Only names that no program chooses for
 * itself are here; compat_common.h has the others.
 */
#ifndef COMPAT_PRELUDE_H
#define COMPAT_PRELUDE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef __cplusplus
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#else
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#endif
#include <unistd.h>

#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long long
#define _int8 char
#define _int16 short
#define _int32 int
#define _int64 long long
#define _inline inline
#define __unaligned
#define __w64
#define __ptr64
#define __pragma(x)
#define __FUNCSIG__ __PRETTY_FUNCTION__
#define __forceinline inline __attribute__((always_inline))
#define __declspec(x) COMPAT_DECLSPEC_##x
#define COMPAT_DECLSPEC_align(bytes) __attribute__((aligned(bytes)))
#define COMPAT_DECLSPEC_allocator
#define COMPAT_DECLSPEC_deprecated
#define COMPAT_DECLSPEC_dllexport
#define COMPAT_DECLSPEC_dllimport
#define COMPAT_DECLSPEC_naked
#define COMPAT_DECLSPEC_noalias
#define COMPAT_DECLSPEC_noinline __attribute__((noinline))
#define COMPAT_DECLSPEC_noreturn __attribute__((noreturn))
#define COMPAT_DECLSPEC_nothrow
#define COMPAT_DECLSPEC_novtable
#define COMPAT_DECLSPEC_restrict
#define COMPAT_DECLSPEC_selectany __attribute__((weak))
#define COMPAT_DECLSPEC_thread __thread
#define __cdecl
#define _cdecl
#define __stdcall
#define __fastcall
#define __vectorcall
#define __assume(condition) ((void)0)
#define __debugbreak() __builtin_trap()
#define __noop(...) ((void)0)
#define _countof(array) (sizeof(array) / sizeof((array)[0]))
#define _MAX_PATH 260
#define __min(a, b) ((a) < (b) ? (a) : (b))
#define __max(a, b) ((a) > (b) ? (a) : (b))

/* No user presses a key for an agent, and its window needs no clearing, title or colour. */
static inline int compat_system(const char *command)
{
    static const char *const screen_work[] = {"pause", "cls",  "clear", "color",
                                              "title", "mode", "chcp"};
    size_t i;
    for (i = 0; command && i < _countof(screen_work); i++) {
        if (__builtin_strncasecmp(command, screen_work[i], __builtin_strlen(screen_work[i])) == 0) {
            return 0;
        }
    }
    return (system)(command);
}
#ifdef __cplusplus
namespace std
{
using ::compat_system;
}
#endif
#define system compat_system

/* An enum that is declared before its values: always an int for Visual Studio. C needs no word. */
#ifdef __cplusplus
#define COMPAT_ENUM : int
#else
#define COMPAT_ENUM
#endif

/* A program that starts with wmain, which may have fewer parameters or none. */
#define COMPAT_MAIN                                                           \
    int main(int count, char **words)                                         \
    {                                                                         \
        wchar_t **wide = (wchar_t **)calloc((size_t)count + 1, sizeof *wide); \
        int i;                                                                \
        for (i = 0; wide && i < count; i++) {                                 \
            size_t room = __builtin_strlen(words[i]) + 1;                     \
            wide[i] = (wchar_t *)calloc(room, sizeof **wide);                 \
            mbstowcs(wide[i], words[i], room);                                \
        }                                                                     \
        void *volatile start = (void *)compat_wmain;                          \
        return ((int (*)(int, wchar_t **))start)(count, wide);                \
    }

#include "compat_secure.h"
#include "compat_system.h"
#include "compat_text.h"

#ifdef __cplusplus
#include "compat_exception.h"
#include "compat_lvalue.h"
#endif

#endif
