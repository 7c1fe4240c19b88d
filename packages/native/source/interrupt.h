// Signals while the thread of JavaScript is busy. Node hands SIGINT and SIGTERM to JavaScript through its event loop, so
// nobody hears of them while a function runs that never returns. Here a handler is put in front of Node's: it wakes a thread,
// and that one, if JavaScript has not answered after a while, has the engine interrupt what runs and call a function of
// JavaScript in between, as a debugger does. That function says what runs and ends the process. Where the engine does not
// come to it either (a built-in function that takes for ever), the thread ends the process itself.

#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <stdint.h>

#include "node-api.h"

enum { SIGNALS_NOT_OFFERED = -1, SIGNALS_NO_THREAD = -2, SIGNALS_NOT_HEARD = -3 };

#if defined(__linux__)
#include "awake.h"
#include "linux-calls.h"

// Of V8, which Node offers to addons: the same names in all versions that this is for. Absent where a program hides them.
typedef void (*interrupt_callback)(void *isolate, void *data);
extern void *current_isolate(void) __asm__("_ZN2v87Isolate10GetCurrentEv") __attribute__((weak));
extern void request_interrupt(void *isolate, interrupt_callback run, void *data)
    __asm__("_ZN2v87Isolate16RequestInterruptEPFvPS0_PvES2_") __attribute__((weak));

enum { INTERRUPT_SIGNAL = 2, TERMINATE_SIGNAL = 15, SIGNAL_KINDS = 2, MASK_BYTES = 8, INFO_FLAG = 4 };

// As the system has it.
typedef struct {
  void (*run)(int number);
  unsigned long flags;
  void *restorer;
  uint64_t mask;
} signal_action;

// JavaScript is asked so often; without a word from it for so many times, it is given up.
#define PATIENCE_NS 250000000
enum { MOST_SILENT = 4 };

// In a page that is never given back, as that of awake.h.
typedef struct {
  uint32_t received;  // signals, modulo its size; what the thread waits on
  uint32_t answered;  // those that JavaScript has heard of in the usual way; what the thread waits on later
  uint32_t said;      // how often the function has returned
  uint32_t ends;
  int32_t number;  // of the last signal
  void *isolate;
  napi_env env;
  napi_ref function;
  napi_ref work_kept;
  const uint8_t *work;  // which vat is at work: its number, and names from 64 times the number on
  size_t work_length;
} signal_state;

// One for the process, for a handler is the process's.
static signal_state *signals = NULL;
static signal_action before[SIGNAL_KINDS];
static const int signal_numbers[SIGNAL_KINDS] = {INTERRUPT_SIGNAL, TERMINATE_SIGNAL};

static void on_signal(int number) {
  signal_state *state = READ(signals);
  if (state != NULL) {
    WRITE(state->number, number);
    __atomic_fetch_add(&state->received, 1, __ATOMIC_SEQ_CST);
    system_call(CALL_FUTEX, (long)&state->received, FUTEX_WAKE_PRIVATE_ID, 1, 0, 0, 0);
  }
  // Node's, which hands it on to JavaScript.
  for (int i = 0; i < SIGNAL_KINDS; i += 1)
    if (signal_numbers[i] == number) before[i].run(number);
}

// On the thread of JavaScript, in the midst of whatever it does.
static void on_interrupt(void *isolate, void *data) {
  signal_state *state = data;
  napi_handle_scope scope;
  napi_value function, receiver, arguments[2], result;
  bool throws = false;
  (void)isolate;
  if (READ(state->ends) || READ(state->answered) == READ(state->received)) return;
  if (napi_open_handle_scope(state->env, &scope) != 0) return;
  if (napi_get_reference_value(state->env, state->function, &function) == 0 &&
      napi_get_undefined(state->env, &receiver) == 0 &&
      napi_create_double(state->env, READ(state->number), &arguments[0]) == 0 &&
      napi_create_double(state->env, READ(state->received) - READ(state->answered), &arguments[1]) == 0 &&
      napi_call_function(state->env, receiver, function, 2, arguments, &result) == 0)
    WRITE(state->said, state->said + 1);
  // At the end of the stack, say: it is called again.
  if (napi_is_exception_pending(state->env, &throws) == 0 && throws)
    napi_get_and_clear_last_exception(state->env, &result);
  napi_close_handle_scope(state->env, scope);
}

static void wait_while(uint32_t *at, uint32_t value, const int64_t *time) {
  system_call(CALL_FUTEX, (long)at, FUTEX_WAIT_PRIVATE_ID, value, (long)time, 0, 0);
}

enum { STDERR = 2, SLOT_BYTES = 64, LONGEST_LINE = 256 };

typedef struct {
  // Volatile, or else the compiler calls a function of the C library to copy.
  volatile char text[LONGEST_LINE];
  size_t length;
} last_line;

static void say(last_line *line, const char *text, size_t most) {
  for (size_t i = 0; i < most && text[i] != 0 && line->length < LONGEST_LINE; i += 1)
    line->text[line->length++] = text[i];
}

static void end_process(const signal_state *state) {
  last_line line;
  int number = READ(state->number);
  size_t vat = __atomic_load_n((const uint32_t *)state->work, __ATOMIC_SEQ_CST);
  line.length = 0;
  say(&line, "swingset-runner: ended by ", LONGEST_LINE);
  say(&line, number == INTERRUPT_SIGNAL ? "SIGINT" : "SIGTERM", LONGEST_LINE);
  if (vat != 0 && (vat + 1) * SLOT_BYTES <= state->work_length) {
    say(&line, " in a crank of vat ", LONGEST_LINE);
    say(&line, (const char *)state->work + vat * SLOT_BYTES, SLOT_BYTES);
  }
  say(&line, ", which did not come to a place where it could be interrupted for a second\n", LONGEST_LINE);
  system_call(CALL_WRITE, STDERR, (long)line.text, (long)line.length, 0, 0, 0);
  system_call(CALL_EXIT_GROUP, 128 + number, 0, 0, 0, 0, 0);
}

static void watch_signals(void *data) {
  signal_state *state = data;
  for (;;) {
    uint32_t answered = READ(state->answered);
    if (READ(state->ends)) return;
    uint32_t received = READ(state->received);
    if (received == answered) {
      wait_while(&state->received, received, NULL);
      continue;
    }
    // JavaScript mostly answers at once.
    int64_t since = monotonic_ns();
    uint32_t said = READ(state->said);
    int silent = 0;
    while (!READ(state->ends) && READ(state->answered) != READ(state->received)) {
      int64_t left = PATIENCE_NS - (monotonic_ns() - since);
      if (left > 0) {
        const int64_t time[2] = {0, left};
        wait_while(&state->answered, READ(state->answered), time);
        continue;
      }
      since = monotonic_ns();
      if (READ(state->said) == said) silent += 1;
      else silent = 0;
      said = READ(state->said);
      if (silent > MOST_SILENT) end_process(state);
      request_interrupt(state->isolate, on_interrupt, state);
    }
  }
}

// `function(signal, unanswered)` is called while JavaScript is busy: 0, or why it is not offered. Node must listen to both
// signals already.
static int32_t begin_signals(napi_env env, napi_value function, napi_value work_array, const uint8_t *work,
                             size_t work_length) {
  unsigned long thread;
  enum { READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22 };
  if (uv_thread_create == NULL || pthread_detach == NULL || current_isolate == NULL || request_interrupt == NULL)
    return SIGNALS_NOT_OFFERED;
  if (signals != NULL) return SIGNALS_NOT_OFFERED;
  for (int i = 0; i < SIGNAL_KINDS; i += 1) {
    long error = system_call(CALL_SIGNAL_ACTION, signal_numbers[i], 0, (long)&before[i], MASK_BYTES, 0, 0);
    // Neither the system's way nor none, and of the usual form.
    if (error != 0 || (uintptr_t)before[i].run <= 1 || (before[i].flags & INFO_FLAG) != 0) return SIGNALS_NOT_HEARD;
  }
  long page = system_call(CALL_MMAP, 0, AWAKE_BYTES, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
  if (page < 0 && page > -4096) return SIGNALS_NO_THREAD;
  signal_state *state = (signal_state *)page;
  state->isolate = current_isolate();
  state->env = env;
  state->work = work;
  state->work_length = work_length;
  if (work_length < SLOT_BYTES || napi_create_reference(env, work_array, 1, &state->work_kept) != 0 ||
      napi_create_reference(env, function, 1, &state->function) != 0 ||
      uv_thread_create(&thread, watch_signals, state) != 0) {
    system_call(CALL_MUNMAP, page, AWAKE_BYTES, 0, 0, 0, 0);
    return SIGNALS_NO_THREAD;
  }
  pthread_detach(thread);
  WRITE(signals, state);
  for (int i = 0; i < SIGNAL_KINDS; i += 1) {
    signal_action ours = before[i];
    ours.run = on_signal;
    system_call(CALL_SIGNAL_ACTION, signal_numbers[i], (long)&ours, 0, MASK_BYTES, 0, 0);
  }
  return 0;
}

// JavaScript has heard of a signal.
static void answer_signal(void) {
  signal_state *state = signals;
  if (state == NULL) return;
  WRITE(state->answered, READ(state->received));
  system_call(CALL_FUTEX, (long)&state->answered, FUTEX_WAKE_PRIVATE_ID, 1, 0, 0, 0);
}

static void end_signals(napi_env env) {
  signal_state *state = signals;
  if (state == NULL || state->env != env) return;
  for (int i = 0; i < SIGNAL_KINDS; i += 1) {
    signal_action now;
    long error = system_call(CALL_SIGNAL_ACTION, signal_numbers[i], 0, (long)&now, MASK_BYTES, 0, 0);
    if (error == 0 && now.run == on_signal)
      system_call(CALL_SIGNAL_ACTION, signal_numbers[i], (long)&before[i], 0, MASK_BYTES, 0, 0);
  }
  WRITE(state->ends, 1);
  system_call(CALL_FUTEX, (long)&state->received, FUTEX_WAKE_PRIVATE_ID, 1, 0, 0, 0);
  system_call(CALL_FUTEX, (long)&state->answered, FUTEX_WAKE_PRIVATE_ID, 1, 0, 0, 0);
  WRITE(signals, NULL);
}

#else

static int32_t begin_signals(napi_env env, napi_value function, napi_value work_array, const uint8_t *work,
                             size_t work_length) {
  (void)env;
  (void)function;
  (void)work_array;
  (void)work;
  (void)work_length;
  return SIGNALS_NOT_OFFERED;
}
static void answer_signal(void) {}
static void end_signals(napi_env env) { (void)env; }

#endif

#endif
