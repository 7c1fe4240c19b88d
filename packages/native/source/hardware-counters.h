// The hardware counters of a core, where the system lets a program have them: on Linux through perf_event_open, read
// by an instruction (`rdpmc`, `pmccntr_el0`) where that is allowed and by a system call where it is not. They count
// for the thread that opened them. A counter that cannot be had says why, by the number of the system's error.

#ifndef HARDWARE_COUNTERS_H
#define HARDWARE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INSTRUCTIONS, CYCLES, REFERENCE_CYCLES, HARDWARE_COUNTERS };

// Beside the errors of the system: it has no such interface; the counter is there and stands still.
enum { ERROR_NO_INTERFACE = -1, ERROR_STANDS_STILL = -2 };

typedef struct {
  int32_t error;        // 0: it counts
  bool counts_kernel;   // or only what runs in user mode
  bool is_instruction;  // how it is read
  int32_t descriptor;
  void *page;
} hardware_counter;

#ifdef __linux__
#include "linux-calls.h"

enum { NO_ENTRY = 2, ACCESS = 13, PERMISSION = 1 };

// perf_event_attr up to config2, which every kernel since 2.6.33 takes.
typedef struct {
  uint32_t type, size;
  uint64_t config, sample_period, sample_type, read_format, flags;
  uint32_t wakeup, breakpoint;
  uint64_t config1, config2;
} event_attributes;

// The beginning of perf_event_mmap_page.
typedef struct {
  uint32_t version, compat_version;
  volatile uint32_t lock, index;
  volatile int64_t offset;
  volatile uint64_t time_enabled, time_running, capabilities;
  volatile uint16_t width;
} event_page;

enum { PAGE_BYTES = 4096 };
enum { FLAG_PINNED = 1 << 2, FLAG_EXCLUDE_KERNEL = 1 << 5, FLAG_EXCLUDE_HYPERVISOR = 1 << 6 };
enum { CAN_READ_BY_INSTRUCTION = 1 << 2 };

// Numbers of PERF_COUNT_HW_…
static const uint64_t event_numbers[HARDWARE_COUNTERS] = {1, 0, 9};

#if defined(__x86_64__)
static inline uint64_t read_register(uint32_t index) {
  uint32_t low, high;
  __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
  return (uint64_t)high << 32 | low;
}
#else
#define EVENT_REGISTER(n, group, number)                                                                             \
  case n:                                                                                                            \
    __asm__ volatile("mrs %0, s3_3_c14_c" #group "_" #number : "=r"(count));                                         \
    break;
#define EVENT_REGISTERS(first, group)                                                                                \
  EVENT_REGISTER(first, group, 0)                                                                                    \
  EVENT_REGISTER(first + 1, group, 1)                                                                                \
  EVENT_REGISTER(first + 2, group, 2)                                                                                \
  EVENT_REGISTER(first + 3, group, 3)                                                                                \
  EVENT_REGISTER(first + 4, group, 4)                                                                                \
  EVENT_REGISTER(first + 5, group, 5)                                                                                \
  EVENT_REGISTER(first + 6, group, 6)

// 31 is the counter of cycles, below it are pmevcntr0_el0 to pmevcntr30_el0.
static inline uint64_t read_register(uint32_t index) {
  uint64_t count = 0;
  __asm__ volatile("isb" : : : "memory");
  switch (index) {
    EVENT_REGISTERS(0, 8)
    EVENT_REGISTER(7, 8, 7)
    EVENT_REGISTERS(8, 9)
    EVENT_REGISTER(15, 9, 7)
    EVENT_REGISTERS(16, 10)
    EVENT_REGISTER(23, 10, 7)
    EVENT_REGISTERS(24, 11)
    default:
      __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(count));
  }
  return count;
}
#endif

static inline uint64_t read_by_call(const hardware_counter *counter) {
  uint64_t count = 0;
  system_call(CALL_READ, counter->descriptor, (long)&count, sizeof count, 0, 0, 0);
  return count;
}

#define COMPILER_FENCE() __asm__ volatile("" : : : "memory")

// The page tells where the counter is now; the kernel changes its `lock` when it moves it, and then we read again.
static inline uint64_t read_hardware(const hardware_counter *counter) {
  if (!counter->is_instruction) return read_by_call(counter);
  const event_page *page = counter->page;
  uint32_t lock;
  uint64_t count;
  do {
    lock = page->lock;
    COMPILER_FENCE();
    uint32_t index = page->index;
    if (index == 0) return read_by_call(counter);
    uint32_t unused = 64 - page->width;
    count = (uint64_t)page->offset + (uint64_t)((int64_t)(read_register(index - 1) << unused) >> unused);
    COMPILER_FENCE();
  } while (page->lock != lock);
  return count;
}

static long open_event(int which, bool counts_kernel) {
  event_attributes attributes = {.size = sizeof attributes, .config = event_numbers[which]};
  attributes.flags = FLAG_PINNED | FLAG_EXCLUDE_HYPERVISOR | (counts_kernel ? 0 : FLAG_EXCLUDE_KERNEL);
#ifdef __aarch64__
  // A counter of 64 bits that user mode may read: the system grants it where kernel.perf_user_access is 1.
  attributes.config1 = 3;
#endif
  // This thread, on whatever core it runs.
  long opened = system_call(CALL_PERF_EVENT_OPEN, (long)&attributes, 0, -1, -1, 0, 0);
#ifdef __aarch64__
  if (opened < 0) {
    attributes.config1 = 0;
    opened = system_call(CALL_PERF_EVENT_OPEN, (long)&attributes, 0, -1, -1, 0, 0);
  }
#endif
  return opened;
}

static void close_hardware(hardware_counter *counter) {
  if (counter->page != NULL) system_call(CALL_MUNMAP, (long)counter->page, PAGE_BYTES, 0, 0, 0, 0);
  if (counter->descriptor >= 0) system_call(CALL_CLOSE, counter->descriptor, 0, 0, 0, 0, 0);
  counter->page = NULL;
  counter->descriptor = -1;
}

static void open_hardware(hardware_counter *counter, int which) {
  counter->page = NULL;
  counter->descriptor = -1;
  counter->is_instruction = false;
  counter->counts_kernel = true;
  long opened = open_event(which, true);
  if (opened == -ACCESS || opened == -PERMISSION) {
    counter->counts_kernel = false;
    opened = open_event(which, false);
  }
  counter->error = opened < 0 ? (int32_t)-opened : 0;
  if (counter->error != 0) return;
  counter->descriptor = (int32_t)opened;
  // Readable and shared; the kernel gives pages of its own size, of which the first bytes are all that is read.
  long mapped = system_call(CALL_MMAP, 0, PAGE_BYTES, 1, 1, opened, 0);
  if (mapped > 0 || mapped < -PAGE_BYTES) {
    counter->page = (void *)mapped;
    const event_page *page = counter->page;
    counter->is_instruction = (page->capabilities & CAN_READ_BY_INSTRUCTION) != 0 && page->index != 0;
  }
  uint64_t before = read_hardware(counter);
  for (volatile int i = 0; i < 10000; i += 1) {
  }
  if (read_hardware(counter) == before) {
    close_hardware(counter);
    counter->is_instruction = false;
    counter->error = ERROR_STANDS_STILL;
  }
}

#else

static inline uint64_t read_hardware(const hardware_counter *counter) {
  (void)counter;
  return 0;
}
static void close_hardware(hardware_counter *counter) { (void)counter; }
static void open_hardware(hardware_counter *counter, int which) {
  (void)which;
  counter->error = ERROR_NO_INTERFACE;
}

#endif

#endif
