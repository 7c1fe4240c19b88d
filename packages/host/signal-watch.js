// Signals while JavaScript is busy, for a runner: a host program has its own. Loaded when one asks for it.

/** @returns {Promise<typeof import('#native').watchSignals>} packages/native/watch-signals.js says how it is used */
export const loadSignalWatch = async () => {
  const native = await import('#native');
  return native.watchSignals;
};
