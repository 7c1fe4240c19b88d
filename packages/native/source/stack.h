// How much is left of the thread's stack. Node-API does not tell where it ends, so the end is found by a recursion of
// JavaScript that the engine ends (stack-room.js). Stacks grow down on all processors that the addon is made for.

#ifndef STACK_H
#define STACK_H

#include <stdint.h>

// Bytes, twice what the engine takes to compile a regular expression of 40 levels, the most that a vat may have.
#define STACK_ROOM ((uintptr_t)32 * 1024)

static inline uintptr_t stack_position(void) { return (uintptr_t)__builtin_frame_address(0); }

#endif
