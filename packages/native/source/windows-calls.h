// The functions of Windows that the addon uses. They are declared here, so that no header has to be there.

#ifndef WINDOWS_CALLS_H
#define WINDOWS_CALLS_H

#include <stdint.h>

#define FROM_SYSTEM __declspec(dllimport)

FROM_SYSTEM void *GetModuleHandleA(const char *name);
FROM_SYSTEM void *GetProcAddress(void *module, const char *name);
FROM_SYSTEM void *GetCurrentProcess(void);
FROM_SYSTEM void *GetCurrentThread(void);
FROM_SYSTEM uint32_t GetLastError(void);
FROM_SYSTEM int GetProcessAffinityMask(void *process, uintptr_t *of_process, uintptr_t *of_system);
FROM_SYSTEM uintptr_t SetThreadAffinityMask(void *thread, uintptr_t mask);

#endif
