// Loads the module that watches for signals while JavaScript is busy, for the runner; a host program has its own signal
// handling.

/** @returns {Promise<typeof import('#native').watchSignals>} see packages/native/watch-signals.js */
export const loadSignalWatch = async () => {
  const native = await import('#native');
  return native.watchSignals;
};
