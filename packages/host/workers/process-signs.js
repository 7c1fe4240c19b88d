// Numbers and texts that a process for a vat and the one that began it have agreed on.

/** Descriptor of the socket for frames, in the new process. */
export const frameDescriptor = 3;

/** Descriptor of a socket on which nothing is ever sent. It ends with the process at its other end. */
export const lifeDescriptor = 4;

/** The text that the engine writes to the standard error output when its heap has no room, and the process when array buffers have none. */
export const heapIsFull = 'JavaScript heap out of memory';
