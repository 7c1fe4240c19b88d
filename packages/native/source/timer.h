// The processor's timer, which any program may read: the time-stamp counter of x86, the generic timer of ARM. It
// ticks at one rate whatever the core does. It is not a counter of cycles, and is never called one.

#ifndef TIMER_H
#define TIMER_H

#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>

#define TIMER_NAME "tsc"

// The fence lets everything before the reading end first. Another behind it would cost 4 ns and show no difference.
static inline uint64_t read_timer(void) {
  uint32_t low, high;
  __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
  return (uint64_t)high << 32 | low;
}

typedef struct {
  uint32_t a, b, c, d;
} leaf;

static inline leaf read_leaf(uint32_t number) {
  leaf found;
  __cpuid_count(number, 0, found.a, found.b, found.c, found.d);
  return found;
}

static bool is_virtual(void) { return read_leaf(1).c >> 31 & 1; }

// Whether it ticks at one rate, also while the core sleeps or changes its own.
static bool is_timer_steady(void) {
  return read_leaf(0x80000000).a >= 0x80000007 && (read_leaf(0x80000007).d >> 8 & 1);
}

// As the processor, or the monitor of a virtual machine, states it; 0 if neither does.
static double timer_hz(void) {
  if (is_virtual()) {
    uint32_t last = read_leaf(0x40000000).a;
    if (last >= 0x40000010 && last < 0x40010000) {
      uint32_t khz = read_leaf(0x40000010).a;
      if (khz != 0) return khz * 1000.0;
    }
  }
  if (read_leaf(0).a >= 0x15) {
    leaf ratio = read_leaf(0x15);
    if (ratio.a != 0 && ratio.b != 0 && ratio.c != 0) return (double)ratio.c * ratio.b / ratio.a;
  }
  return 0;
}

// The processor's name as it tells it, 48 bytes at most; empty if it does not.
static void read_processor_name(char *name) {
  uint32_t *words = (uint32_t *)name;
  name[0] = 0;
  if (read_leaf(0x80000000).a < 0x80000004) return;
  for (uint32_t i = 0; i < 3; i += 1) {
    leaf part = read_leaf(0x80000002 + i);
    words[4 * i] = part.a;
    words[4 * i + 1] = part.b;
    words[4 * i + 2] = part.c;
    words[4 * i + 3] = part.d;
  }
}

#elif defined(__aarch64__)

#define TIMER_NAME "cntvct_el0"

static inline uint64_t read_timer(void) {
  uint64_t ticks;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
  return ticks;
}

static bool is_virtual(void) { return false; }
static bool is_timer_steady(void) { return true; }

static double timer_hz(void) {
  uint64_t hz;
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
  return (double)(hz & 0xffffffff);
}

// No register of it can be read everywhere; the loader asks the system.
static void read_processor_name(char *name) { name[0] = 0; }

#else
#error "no timer is known of this processor; the loader goes on without the addon"
#endif

#endif
