// Keeps a core from falling asleep while the thread that runs there waits for the disk. A core without work is given to
// sleep, in a virtual machine to the host, and waking it takes some 20 to 100 microseconds, after which its caches are
// cold. So a thread of the lowest class of the scheduler (SCHED_IDLE) turns on that core: it runs when nothing else
// wants to, and makes way at once. Without a call for a while it sleeps too.

#ifndef AWAKE_H
#define AWAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cores.h"

enum { AWAKE_NOT_OFFERED = -1, AWAKE_NO_THREAD = -2 };

#if defined(__linux__)
#include "linux-calls.h"

// Of libuv and of the C library, which Node consists of and has: 0, or an error. Absent where a program hides them.
extern int uv_thread_create(unsigned long *thread, void (*run)(void *), void *data) __attribute__((weak));
extern int pthread_detach(unsigned long thread) __attribute__((weak));

// A thread is left alone when nobody has called for so long.
#define REST_NS 10000000

// Between two looks at what is wanted: some microseconds.
enum { TURNS = 64 };

// Shared with the thread, in a page that is never given back: nobody waits for the thread's end, since one of the lowest
// class may have to wait long for its turn. For the same reason the addon is never unloaded (`nodelete`).
typedef struct {
  uint32_t calls;   // of `stay_awake`, modulo its size
  int32_t core;     // on which it was called
  uint32_t sleeps;  // whether the thread sleeps; what it waits on
  uint32_t ends;
  int32_t error;  // of the system: the core sleeps as ever
} awake_state;

enum { AWAKE_BYTES = 4096 };

#define READ(field) __atomic_load_n(&(field), __ATOMIC_SEQ_CST)
#define WRITE(field, value) __atomic_store_n(&(field), value, __ATOMIC_SEQ_CST)

static inline void pause_core(void) {
#if defined(__x86_64__)
  __asm__ volatile("pause");
#else
  __asm__ volatile("isb");
#endif
}

static int64_t monotonic_ns(void) {
  int64_t time[2] = {0, 0};
  system_call(CALL_CLOCK_GETTIME, CLOCK_MONOTONIC_ID, (long)time, 0, 0, 0, 0);
  return time[0] * 1000000000 + time[1];
}

static void turn(void *data) {
  awake_state *state = data;
  core_set set;
  int32_t parameter = 0, core = -1;
  uint32_t calls = READ(state->calls);
  int64_t since = monotonic_ns();
  WRITE(state->error, (int32_t)-system_call(CALL_SET_SCHEDULER, 0, SCHED_IDLE_CLASS, (long)&parameter, 0, 0, 0));
  while (!READ(state->ends)) {
    if (READ(state->core) != core) {
      core = READ(state->core);
      hold_core(&set, core);
      int32_t error = set_cores(&set);
      if (error != 0) WRITE(state->error, error);
    }
    // One that failed is not called again, and waits for its end.
    for (int i = 0; i < TURNS && READ(state->error) == 0; i += 1) pause_core();
    uint32_t now_calls = READ(state->calls);
    int64_t now = monotonic_ns();
    if (now_calls != calls) {
      calls = now_calls;
      since = now;
    } else if (now - since > REST_NS || READ(state->error) != 0) {
      WRITE(state->sleeps, 1);
      // Whoever called meanwhile has seen that it sleeps, or is seen here.
      if (READ(state->calls) == calls && !READ(state->ends))
        system_call(CALL_FUTEX, (long)&state->sleeps, FUTEX_WAIT_PRIVATE_ID, 1, 0, 0, 0);
      WRITE(state->sleeps, 0);
      since = monotonic_ns();
    }
  }
}

static void wake_thread(awake_state *state) {
  WRITE(state->sleeps, 0);
  system_call(CALL_FUTEX, (long)&state->sleeps, FUTEX_WAKE_PRIVATE_ID, 1, 0, 0, 0);
}

static awake_state *begin_awake(int32_t core) {
  unsigned long thread;
  enum { READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22 };
  long page = system_call(CALL_MMAP, 0, AWAKE_BYTES, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
  if (page < 0 && page > -4096) return NULL;
  awake_state *state = (awake_state *)page;
  state->core = core;
  if (uv_thread_create(&thread, turn, state) != 0) {
    system_call(CALL_MUNMAP, page, AWAKE_BYTES, 0, 0, 0, 0);
    return NULL;
  }
  pthread_detach(thread);
  return state;
}

// The core on which the caller runs stays awake for the next milliseconds: 0, or why not. `at` is NULL at first.
static int32_t stay_awake(awake_state **at) {
  uint32_t core = 0;
  if (uv_thread_create == NULL || pthread_detach == NULL) return AWAKE_NOT_OFFERED;
  if (system_call(CALL_GET_CPU, (long)&core, 0, 0, 0, 0, 0) != 0 || core >= MOST_CORES) return AWAKE_NOT_OFFERED;
  awake_state *state = *at;
  if (state == NULL) {
    *at = begin_awake((int32_t)core);
    return *at == NULL ? AWAKE_NO_THREAD : 0;
  }
  if (READ(state->error) != 0) return READ(state->error);
  if (READ(state->core) != (int32_t)core) WRITE(state->core, (int32_t)core);
  WRITE(state->calls, state->calls + 1);
  if (READ(state->sleeps)) wake_thread(state);
  return 0;
}

static void end_awake(awake_state *state) {
  if (state == NULL) return;
  WRITE(state->ends, 1);
  wake_thread(state);
}

#else

typedef struct {
  int32_t none;
} awake_state;

static int32_t stay_awake(awake_state **at) {
  (void)at;
  return AWAKE_NOT_OFFERED;
}
static void end_awake(awake_state *state) { (void)state; }

#endif

#endif
