/** Exit codes of processes that a signal ended: 128 and the signal's number, by custom. */
export const signalExitCodes = Object.freeze({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });

/** @typedef {keyof typeof signalExitCodes} EndSignal */

const endSignals = /** @type {EndSignal[]} */ (Object.keys(signalExitCodes));

/**
 * Listen to a closed terminal, Ctrl-C and a kill, in a process that has others to end, or a terminal
 * to restore, and is never busy for long.
 *
 * @param {(signal: EndSignal) => void} listener
 * @returns {() => void}  stops listening
 */
export const onEndSignals = listener => {
  for (const signal of endSignals) process.on(signal, listener);
  return () => {
    for (const signal of endSignals) process.off(signal, listener);
  };
};
