// System calls of Linux, made directly: the addon needs no C library, so that one file serves glibc and musl alike.

#ifndef LINUX_CALLS_H
#define LINUX_CALLS_H

#include <stdint.h>

// Of the system's own headers, the same on every processor.
enum { SCHED_IDLE_CLASS = 5, CLOCK_MONOTONIC_ID = 1, FUTEX_WAIT_PRIVATE_ID = 128, FUTEX_WAKE_PRIVATE_ID = 129 };

#if defined(__x86_64__)
enum { CALL_READ = 0, CALL_CLOSE = 3, CALL_MMAP = 9, CALL_MUNMAP = 11 };
enum { CALL_SET_AFFINITY = 203, CALL_GET_AFFINITY = 204, CALL_PERF_EVENT_OPEN = 298 };
enum { CALL_SET_SCHEDULER = 144, CALL_FUTEX = 202, CALL_CLOCK_GETTIME = 228, CALL_GET_CPU = 309 };
enum { CALL_WRITE = 1, CALL_SIGNAL_ACTION = 13, CALL_EXIT_GROUP = 231 };

static inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
enum { CALL_READ = 63, CALL_CLOSE = 57, CALL_MMAP = 222, CALL_MUNMAP = 215 };
enum { CALL_SET_AFFINITY = 122, CALL_GET_AFFINITY = 123, CALL_PERF_EVENT_OPEN = 241 };
enum { CALL_SET_SCHEDULER = 119, CALL_FUTEX = 98, CALL_CLOCK_GETTIME = 113, CALL_GET_CPU = 168 };
enum { CALL_WRITE = 64, CALL_SIGNAL_ACTION = 134, CALL_EXIT_GROUP = 94 };

static inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory", "cc");
  return x0;
}
#endif

#endif
