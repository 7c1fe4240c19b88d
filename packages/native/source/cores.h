// Which cores a thread may run on.

#ifndef CORES_H
#define CORES_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_CORES = 1024, CORE_WORDS = MOST_CORES / 64 };

typedef struct {
  uint64_t words[CORE_WORDS];
} core_set;

static inline bool has_core(const core_set *set, int32_t core) {
  return core >= 0 && core < MOST_CORES && (set->words[core / 64] >> core % 64 & 1);
}

// A set of one core.
static inline void hold_core(core_set *set, int32_t core) {
  // Volatile, or else the compiler calls a function of the C library for it.
  for (int i = 0; i < CORE_WORDS; i += 1) *(volatile uint64_t *)&set->words[i] = 0;
  set->words[core / 64] = (uint64_t)1 << core % 64;
}

enum { NO_PINNING = -1 };

#if defined(__linux__)
#include "linux-calls.h"

static bool get_cores(core_set *set) {
  return system_call(CALL_GET_AFFINITY, 0, sizeof *set, (long)set, 0, 0, 0) > 0;
}

// 0, or the number of the system's error.
static int32_t set_cores(const core_set *set) {
  return (int32_t)-system_call(CALL_SET_AFFINITY, 0, sizeof *set, (long)set, 0, 0, 0);
}

#elif defined(_WIN32)
#include "windows-calls.h"

// Of the first group of processors, which holds 64.
static bool get_cores(core_set *set) {
  uintptr_t process, system;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &process, &system)) return false;
  set->words[0] = process;
  return true;
}

static int32_t set_cores(const core_set *set) {
  return SetThreadAffinityMask(GetCurrentThread(), (uintptr_t)set->words[0]) != 0 ? 0 : (int32_t)GetLastError();
}

#else

static bool get_cores(core_set *set) {
  (void)set;
  return false;
}
static int32_t set_cores(const core_set *set) {
  (void)set;
  return NO_PINNING;
}

#endif

#endif
