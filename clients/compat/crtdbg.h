/* crtdbg.h: a heap that is not watched. */
#ifndef COMPAT_CRTDBG_H
#define COMPAT_CRTDBG_H

#define _CRTDBG_ALLOC_MEM_DF 1
#define _CRTDBG_LEAK_CHECK_DF 32
#define _CrtSetDbgFlag(flags) ((void)(flags), 0)
#define _CrtDumpMemoryLeaks() 0
#define _ASSERT(condition) ((void)0)
#define _ASSERTE(condition) ((void)0)

#endif
