// The addon's interface in JavaScript: a timer in nanoseconds, without counters, and without pinning threads.

/** @import { Addon } from './load-addon.js' */

/**
 * Adds records of one number, in the addon's form.
 *
 * @type {Addon['makeMark']}
 */
const makeMark = array => {
  const startNs = process.hrtime.bigint();
  const last = array.length - 1;
  return () => {
    const place = array[0];
    if (!(place >= 1 && place <= last)) return;
    array[place] = Number(process.hrtime.bigint() - startNs);
    array[0] = place + 1;
  };
};

/** @returns {Addon} */
export const makeJavaScriptTwin = () => {
  const startNs = process.hrtime.bigint();
  return {
    makeMark,
    nothing: () => {},
    open: () => ({ error: -3, countsKernel: false, isInstruction: false }),
    describe: () => ({
      timer: 'hrtime',
      timerHz: 1e9,
      isTimerSteady: true,
      isVirtual: false,
      processor: '',
    }),
    ticks: () => Number(process.hrtime.bigint() - startNs),
    cores: () => [],
    pin: () => -1,
    keepAwake: () => -1,
    noteStack: () => {},
    isStackLow: () => undefined,
    watchSignals: () => -1,
    answerSignal: () => {},
    unwatchSignals: () => {},
  };
};
