// What the addon uses of Node-API: its functions keep their names and signatures in every version of Node, so that
// they can be declared here and no header has to be fetched. Level 8, which Node 20 and later have.
//
// On Windows they are looked up in the running program, whatever its file is called; elsewhere the loader binds them.

#ifndef NODE_API_H
#define NODE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NODE_API_LEVEL 8

typedef struct env_ *napi_env;
typedef struct value_ *napi_value;
typedef struct ref_ *napi_ref;
typedef struct handle_scope_ *napi_handle_scope;
typedef struct callback_info_ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);

// 0 is success; the addon asks nothing else of it.
typedef int32_t napi_status;

enum { napi_uint8_array = 1, napi_float64_array = 8 };

#define LENGTH_OF_TEXT ((size_t)-1)

#define NODE_API_FUNCTIONS(FUNCTION)                                                                                 \
  FUNCTION(napi_create_object, (napi_env, napi_value *))                                                             \
  FUNCTION(napi_create_array, (napi_env, napi_value *))                                                              \
  FUNCTION(napi_create_double, (napi_env, double, napi_value *))                                                     \
  FUNCTION(napi_create_string_utf8, (napi_env, const char *, size_t, napi_value *))                                  \
  FUNCTION(napi_get_boolean, (napi_env, bool, napi_value *))                                                         \
  FUNCTION(napi_create_arraybuffer, (napi_env, size_t, void **, napi_value *))                                       \
  FUNCTION(napi_create_reference, (napi_env, napi_value, uint32_t, napi_ref *))                                      \
  FUNCTION(napi_create_function, (napi_env, const char *, size_t, napi_callback, void *, napi_value *))              \
  FUNCTION(napi_set_named_property, (napi_env, napi_value, const char *, napi_value))                                \
  FUNCTION(napi_set_element, (napi_env, napi_value, uint32_t, napi_value))                                           \
  FUNCTION(napi_get_value_int32, (napi_env, napi_value, int32_t *))                                                  \
  FUNCTION(napi_is_typedarray, (napi_env, napi_value, bool *))                                                       \
  FUNCTION(napi_get_typedarray_info,                                                                                 \
           (napi_env, napi_value, int32_t *, size_t *, void **, napi_value *, size_t *))                             \
  FUNCTION(napi_get_cb_info, (napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **))          \
  FUNCTION(napi_throw_type_error, (napi_env, const char *, const char *))                                            \
  FUNCTION(napi_open_handle_scope, (napi_env, napi_handle_scope *))                                                  \
  FUNCTION(napi_close_handle_scope, (napi_env, napi_handle_scope))                                                   \
  FUNCTION(napi_get_reference_value, (napi_env, napi_ref, napi_value *))                                             \
  FUNCTION(napi_get_undefined, (napi_env, napi_value *))                                                             \
  FUNCTION(napi_call_function,                                                                                       \
           (napi_env, napi_value, napi_value, size_t, const napi_value *, napi_value *))                             \
  FUNCTION(napi_is_exception_pending, (napi_env, bool *))                                                            \
  FUNCTION(napi_get_and_clear_last_exception, (napi_env, napi_value *))                                              \
  FUNCTION(napi_add_env_cleanup_hook, (napi_env, void (*)(void *), void *))

#ifdef _WIN32
#define DECLARE(name, parameters) static napi_status(*name) parameters;
NODE_API_FUNCTIONS(DECLARE)
#undef DECLARE
#define EXPORT __declspec(dllexport)
#else
#define DECLARE(name, parameters) extern napi_status name parameters;
NODE_API_FUNCTIONS(DECLARE)
#undef DECLARE
#define EXPORT __attribute__((visibility("default")))
#endif

#endif
