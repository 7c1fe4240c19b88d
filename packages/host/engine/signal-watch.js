// Loads the module that watches for signals while JavaScript is busy, for the runner; a host program has its own signal
// handling.

/** @returns {Promise<typeof import('#native').watchSignals>} see packages/native/watch-signals.js */
export const loadSignalWatch = async () => {
  const native = await import('#native');
  return native.watchSignals;
};

/** @returns {Promise<typeof import('#native').answerSignal>} for a thread beside the one that is busy */
export const loadSignalAnswer = async () => {
  const native = await import('#native');
  return native.answerSignal;
};
