// Keeps the engine's threads off the core of the thread that runs vats.

/**
 * The addon is loaded on demand, since few programs need it.
 *
 * @returns {Promise<import('#native').ThreadHold>} see packages/native/hold-threads.js
 */
export const holdThreads = async () => {
  const native = await import('#native');
  return native.holdThreads();
};
