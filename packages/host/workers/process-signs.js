// Numbers and strings shared by a process for a vat and its parent process.

/** Descriptor of the socket for frames, in the new process. */
export const frameDescriptor = 3;

/** Descriptor of a socket on which nothing is sent. It ends with the process at its other end. */
export const lifeDescriptor = 4;

/**
 * The text that the engine writes to standard error when its heap is full; the process writes it when array buffers
 * exceed the limit.
 */
export const heapIsFull = 'JavaScript heap out of memory';
