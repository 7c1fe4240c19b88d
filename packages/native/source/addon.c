// The addon: counters of the processor for one thread of JavaScript. What is measured often goes through `mark`, a
// function without arguments and result that writes the counters into an array that was given before. Nothing
// is allocated by it.

#include "node-api.h"

#include "awake.h"
#include "cores.h"
#include "hardware-counters.h"
#include "interrupt.h"
#include "stack.h"
#include "timer.h"

// What one thread has. It lives in an array buffer that a reference holds, since there is no C library to ask.
typedef struct {
  uint64_t timer_base;
  hardware_counter counters[HARDWARE_COUNTERS];
  core_set cores;  // those it might run on when the addon was loaded
  bool knows_cores;
  awake_state *awake;  // NULL until it is asked for
  uintptr_t stack_end;  // the deepest place that noteStack was called at, or 0
  napi_env env;
} thread_state;

// What one `mark` function has. The first element of the array is the place of the next record.
typedef struct {
  thread_state *thread;
  double *array;
  size_t length;
  uint32_t selected;  // bits of the hardware counters that follow the timer in a record
  uint32_t width;
} recorder;

static void *make_kept(napi_env env, size_t bytes) {
  void *data = NULL;
  napi_value buffer;
  napi_ref reference;
  if (napi_create_arraybuffer(env, bytes, &data, &buffer) != 0) return NULL;
  return napi_create_reference(env, buffer, 1, &reference) == 0 ? data : NULL;
}

static void set_number(napi_env env, napi_value object, const char *name, double value) {
  napi_value number;
  if (napi_create_double(env, value, &number) == 0) napi_set_named_property(env, object, name, number);
}

static void set_flag(napi_env env, napi_value object, const char *name, bool value) {
  napi_value flag;
  if (napi_get_boolean(env, value, &flag) == 0) napi_set_named_property(env, object, name, flag);
}

static void set_text(napi_env env, napi_value object, const char *name, const char *value) {
  napi_value text;
  if (napi_create_string_utf8(env, value, LENGTH_OF_TEXT, &text) == 0)
    napi_set_named_property(env, object, name, text);
}

// Ticks since the addon was loaded: a double holds them exactly for a month and more.
static inline double read_ticks(const thread_state *thread) { return (double)(read_timer() - thread->timer_base); }

// Each counter is read once between two marks, in the same order, so that every difference has the same cost in it.
static napi_value mark(napi_env env, napi_callback_info info) {
  void *data;
  if (napi_get_cb_info(env, info, NULL, NULL, NULL, &data) != 0) return NULL;
  const recorder *to = data;
  double place = to->array[0];
  // Written so that NaN is refused as well. A record that does not fit is left out.
  if (!(place >= 1 && place <= (double)(to->length - to->width))) return NULL;
  double *at = to->array + (size_t)place;
  double *next = at + 1;
  for (uint32_t which = 0; which < HARDWARE_COUNTERS; which += 1)
    if (to->selected >> which & 1) *next++ = (double)read_hardware(&to->thread->counters[which]);
  *at = read_ticks(to->thread);
  to->array[0] = place + to->width;
  return NULL;
}

// Does nothing: what a call into the addon takes by itself.
static napi_value nothing(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  return NULL;
}

// makeMark(array, selected): behind its first element the array takes records: the timer, then what is selected.
static napi_value make_mark(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value arguments[2], made = NULL;
  void *data, *elements = NULL;
  int32_t type = -1, selected = 0;
  size_t length = 0;
  bool is_array = false;
  napi_ref reference;
  if (napi_get_cb_info(env, info, &count, arguments, NULL, &data) != 0) return NULL;
  thread_state *thread = data;
  if (napi_is_typedarray(env, arguments[0], &is_array) != 0 || !is_array ||
      napi_get_typedarray_info(env, arguments[0], &type, &length, &elements, NULL, NULL) != 0 ||
      type != napi_float64_array || napi_get_value_int32(env, arguments[1], &selected) != 0) {
    napi_throw_type_error(env, NULL, "makeMark takes a Float64Array and a number of bits");
    return NULL;
  }
  uint32_t width = 1;
  for (uint32_t which = 0; which < HARDWARE_COUNTERS; which += 1) {
    if ((selected >> which & 1) == 0) continue;
    width += 1;
    if (thread->counters[which].error != 0) {
      napi_throw_type_error(env, NULL, "makeMark takes counters that are available");
      return NULL;
    }
  }
  if (length < width + 1) {
    napi_throw_type_error(env, NULL, "makeMark takes an array that has room for one record at least");
    return NULL;
  }
  recorder *to = make_kept(env, sizeof *to);
  if (to == NULL || napi_create_reference(env, arguments[0], 1, &reference) != 0) return NULL;
  to->thread = thread;
  to->array = elements;
  to->length = length;
  to->selected = (uint32_t)selected;
  to->width = width;
  napi_create_function(env, "mark", LENGTH_OF_TEXT, mark, to, &made);
  return made;
}

// open(which): how one hardware counter is to be had. One that is open already stays.
static napi_value open_counter(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument, result = NULL;
  void *data;
  int32_t which = -1;
  if (napi_get_cb_info(env, info, &count, &argument, NULL, &data) != 0) return NULL;
  if (napi_get_value_int32(env, argument, &which) != 0 || which < 0 || which >= HARDWARE_COUNTERS) {
    napi_throw_type_error(env, NULL, "open takes the number of a counter");
    return NULL;
  }
  hardware_counter *counter = &((thread_state *)data)->counters[which];
  if (counter->descriptor < 0) open_hardware(counter, which);
  if (napi_create_object(env, &result) != 0) return NULL;
  set_number(env, result, "error", counter->error);
  set_flag(env, result, "countsKernel", counter->counts_kernel);
  set_flag(env, result, "isInstruction", counter->is_instruction);
  return result;
}

static napi_value describe(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  char name[49] __attribute__((aligned(8)));
  name[48] = 0;
  (void)info;
  read_processor_name(name);
  if (napi_create_object(env, &result) != 0) return NULL;
  set_text(env, result, "timer", TIMER_NAME);
  set_number(env, result, "timerHz", timer_hz());
  set_flag(env, result, "isTimerSteady", is_timer_steady());
  set_flag(env, result, "isVirtual", is_virtual());
  set_text(env, result, "processor", name);
  return result;
}

static napi_value ticks(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  void *data;
  if (napi_get_cb_info(env, info, NULL, NULL, NULL, &data) != 0) return NULL;
  napi_create_double(env, read_ticks(data), &result);
  return result;
}

// The cores that the thread might run on when the addon was loaded; empty if the system does not tell.
static napi_value cores(napi_env env, napi_callback_info info) {
  napi_value list = NULL, number;
  void *data;
  uint32_t found = 0;
  if (napi_get_cb_info(env, info, NULL, NULL, NULL, &data) != 0) return NULL;
  const thread_state *thread = data;
  if (napi_create_array(env, &list) != 0 || !thread->knows_cores) return list;
  for (int32_t core = 0; core < MOST_CORES; core += 1)
    if (has_core(&thread->cores, core) && napi_create_double(env, core, &number) == 0)
      napi_set_element(env, list, found++, number);
  return list;
}

// pin(core) holds the thread on a core, pin(-1) lets it go where it might before: 0, or the number of the error.
static napi_value pin(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument, result = NULL;
  void *data;
  int32_t core, error = NO_PINNING;
  if (napi_get_cb_info(env, info, &count, &argument, NULL, &data) != 0) return NULL;
  const thread_state *thread = data;
  if (napi_get_value_int32(env, argument, &core) != 0 || core < -1 || core >= MOST_CORES) {
    napi_throw_type_error(env, NULL, "pin takes the number of a core, or -1");
    return NULL;
  }
  if (thread->knows_cores) {
    core_set set;
    if (core >= 0) hold_core(&set, core);
    error = set_cores(core >= 0 ? &set : &thread->cores);
  }
  napi_create_double(env, error, &result);
  return result;
}

// keepAwake(): the core stays awake for the next milliseconds, also while the thread waits. 0, or why not.
static napi_value keep_awake(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  void *data;
  if (napi_get_cb_info(env, info, NULL, NULL, NULL, &data) != 0) return NULL;
  napi_create_double(env, stay_awake(&((thread_state *)data)->awake), &result);
  return result;
}

// watchSignals(function, work): it is called with the number of a signal, and of those that are not answered, while JavaScript is
// busy and Node's own listeners are not called. 0, or why not.
static napi_value watch_signals_of_process(napi_env env, napi_callback_info info) {
  size_t count = 2, length = 0;
  napi_value arguments[2], result = NULL;
  void *work = NULL;
  int32_t type = -1;
  if (napi_get_cb_info(env, info, &count, arguments, NULL, NULL) != 0) return NULL;
  if (napi_get_typedarray_info(env, arguments[1], &type, &length, &work, NULL, NULL) != 0 ||
      type != napi_uint8_array) {
    napi_throw_type_error(env, NULL, "watchSignals takes a function and a Uint8Array");
    return NULL;
  }
  napi_create_double(env, begin_signals(env, arguments[0], arguments[1], work, length), &result);
  return result;
}

// answerSignal(): a listener of Node's was called.
static napi_value answer_signal_of_process(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  answer_signal();
  return NULL;
}

static napi_value unwatch_signals_of_process(napi_env env, napi_callback_info info) {
  (void)info;
  end_signals(env);
  return NULL;
}

// noteStack(): the stack of the thread reaches to here at least.
static napi_value note_stack(napi_env env, napi_callback_info info) {
  void *data;
  uintptr_t here = stack_position();
  if (napi_get_cb_info(env, info, NULL, NULL, NULL, &data) != 0) return NULL;
  thread_state *thread = data;
  if (thread->stack_end == 0 || here < thread->stack_end) thread->stack_end = here;
  return NULL;
}

// isStackLow(): true near the deepest place that was noted, elsewhere undefined, which needs no value of the engine.
static napi_value is_stack_low(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  void *data;
  if (napi_get_cb_info(env, info, NULL, NULL, NULL, &data) != 0) return NULL;
  if (stack_position() < ((thread_state *)data)->stack_end + STACK_ROOM) napi_get_boolean(env, true, &result);
  return result;
}

static void close_thread(void *data) {
  thread_state *thread = data;
  end_awake(thread->awake);
  end_signals(thread->env);
  for (int which = 0; which < HARDWARE_COUNTERS; which += 1) close_hardware(&thread->counters[which]);
}

#ifdef _WIN32
// There is no C library, so the start of the file is ours: it has nothing to do.
int DllMainCRTStartup(void *module, uint32_t reason, void *reserved) {
  (void)module;
  (void)reason;
  (void)reserved;
  return 1;
}

// Node is the program itself, or a library of it.
static void *find_function(const char *name) {
  void *library = GetModuleHandleA("libnode.dll");
  void *found = GetProcAddress(GetModuleHandleA(0), name);
  return found == NULL && library != NULL ? GetProcAddress(library, name) : found;
}

static bool bind_functions(void) {
#define BIND(name, parameters)                                                                                       \
  name = (napi_status(*) parameters)find_function(#name);                                                            \
  if (name == NULL) return false;
  NODE_API_FUNCTIONS(BIND)
#undef BIND
  return true;
}
#endif

static void add_function(napi_env env, napi_value exports, const char *name, napi_callback run, void *data) {
  napi_value function;
  if (napi_create_function(env, name, LENGTH_OF_TEXT, run, data, &function) == 0)
    napi_set_named_property(env, exports, name, function);
}

EXPORT int32_t node_api_module_get_api_version_v1(void) { return NODE_API_LEVEL; }

// Called by Node for each thread that loads the addon.
EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports) {
#ifdef _WIN32
  if (!bind_functions()) return NULL;
#endif
  thread_state *thread = make_kept(env, sizeof *thread);
  if (thread == NULL) return NULL;
  for (int which = 0; which < HARDWARE_COUNTERS; which += 1) {
    thread->counters[which].descriptor = -1;
    thread->counters[which].page = NULL;
    thread->counters[which].error = ERROR_NO_INTERFACE;
  }
  thread->awake = NULL;
  thread->stack_end = 0;
  thread->env = env;
  thread->knows_cores = get_cores(&thread->cores);
  thread->timer_base = read_timer();
  napi_add_env_cleanup_hook(env, close_thread, thread);
  add_function(env, exports, "makeMark", make_mark, thread);
  add_function(env, exports, "nothing", nothing, NULL);
  add_function(env, exports, "open", open_counter, thread);
  add_function(env, exports, "describe", describe, NULL);
  add_function(env, exports, "ticks", ticks, thread);
  add_function(env, exports, "cores", cores, thread);
  add_function(env, exports, "pin", pin, thread);
  add_function(env, exports, "keepAwake", keep_awake, thread);
  add_function(env, exports, "noteStack", note_stack, thread);
  add_function(env, exports, "isStackLow", is_stack_low, thread);
  add_function(env, exports, "watchSignals", watch_signals_of_process, NULL);
  add_function(env, exports, "answerSignal", answer_signal_of_process, NULL);
  add_function(env, exports, "unwatchSignals", unwatch_signals_of_process, NULL);
  return exports;
}
