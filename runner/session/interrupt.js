// Ctrl-C: the first lets the block end and be committed, the second ends the process where it stands.

/** By custom, 128 and the signal's number. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 };

/** @param {() => void} onFirst */
export const watchInterrupts = onFirst => {
  let isStopping = false;
  let exitCode = 0;

  const onSignal = (/** @type {keyof typeof exitCodes} */ signal) => {
    exitCode = exitCodes[signal];
    // The state stays that of the last committed block.
    if (isStopping) process.exit(exitCode);
    isStopping = true;
    onFirst();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);

  return Object.freeze({
    shouldStop: () => isStopping,
    get exitCode() {
      return exitCode;
    },
    /** Who stopped at the first is asked anew. */
    reset() {
      isStopping = false;
    },
    close() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  });
};
