/** Exit codes of processes that a signal ended: 128 and the signal's number, by custom. */
export const signalExitCodes = Object.freeze({ SIGINT: 130, SIGTERM: 143 });

/** @typedef {keyof typeof signalExitCodes} EndSignal */
