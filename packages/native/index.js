// The processor's counters for this thread: the available ones, the reasons why others are missing, and `mark`, which
// writes them into an array. A timer is called a timer, and nothing is estimated.

import { UserError } from '#model';
import { explainCounter } from './explain-counter.js';
import { makeJavaScriptTwin } from './javascript-twin.js';
import { loadAddon } from './load-addon.js';
import { findProcessorName } from './processor-name.js';
import { openTimer } from './timer.js';

export { openClock } from './clock.js';
export { openKeepAwake } from './keep-awake.js';
export { openStackRoom } from './stack-room.js';
export { answerSignal, watchSignals } from './watch-signals.js';

/** The counters in the order of the addon's numbers, that of x86's fixed-function counters 0, 1 and 2. */
export const hardwareCounterNames = Object.freeze(
  /** @type {const} */ (['instructions', 'cycles', 'referenceCycles']),
);

/** @typedef {typeof hardwareCounterNames[number]} HardwareCounterName */

/**
 * A counter that counts for this thread, from 0 when it was opened.
 *
 * @typedef {object} AvailableCounter
 * @property {true} isAvailable
 * @property {'instruction' | 'system call'} readBy  an instruction takes nanoseconds, a system call hundreds of them
 * @property {boolean} countsKernel  whether it also counts kernel mode for the thread
 * @property {number} [hz]  rate of reference cycles, which is constant; that of cycles changes with the core's
 *   frequency
 */

/** @typedef {{ isAvailable: false, reason: string }} MissingCounter */

/** @typedef {import('./timer.js').Timer} Timer */
/** @typedef {import('./clock.js').Clock} Clock */

/**
 * @typedef {object} Counters
 * @property {'prebuilt' | 'compiled' | 'javascript'} origin  of the addon
 * @property {string} [notice]  one line for people, unless the prebuilt addon was loaded
 * @property {string} processor
 * @property {boolean} isVirtual  true if the processor reports a virtual machine; false may be either
 * @property {Timer} timer
 * @property {Record<HardwareCounterName, AvailableCounter | MissingCounter>} hardware
 * @property {(array: Float64Array, names?: readonly HardwareCounterName[]) => () => void} makeMark  makes a function
 *   that adds a record to the array at each call: ticks of the timer, then the named counters in the order of
 *   `hardwareCounterNames`. `array[0]` is the index of the next record; set it to 1 at the beginning. A record that
 *   does not fit is dropped. It allocates nothing. The array is kept until the thread ends. Only differences between
 *   records have a meaning
 * @property {() => number} ticks  reads the timer
 * @property {() => void} nothing  an empty function of the addon, for measuring the cost of a call
 * @property {readonly number[]} cores  cores that this thread may run on; empty if unknown
 * @property {(core: number) => void} pin  holds this thread on a core; throws a UserError if there is no such core, or
 *   the system cannot do it
 * @property {() => void} unpin
 */

/**
 * Opens the counters of this machine for this thread. Call it once a thread.
 *
 * @param {Parameters<typeof loadAddon>[0]} [options]  for tests
 * @returns {Counters}
 */
export const openCounters = options => {
  const { addon: found, origin, problems } = loadAddon(options);
  const addon = found ?? makeJavaScriptTwin();
  const { isVirtual, processor } = addon.describe();
  const timer = openTimer(addon);
  const opened = hardwareCounterNames.map((name, which) => {
    const { error, countsKernel, isInstruction } = addon.open(which);
    if (error !== 0) {
      const reason = explainCounter(error, { platform: process.platform, isVirtual });
      return Object.freeze({ isAvailable: /** @type {const} */ (false), reason });
    }
    return Object.freeze({
      isAvailable: /** @type {const} */ (true),
      readBy: isInstruction
        ? /** @type {const} */ ('instruction')
        : /** @type {const} */ ('system call'),
      countsKernel,
      ...(name === 'referenceCycles' && timer.name === 'tsc' && { hz: timer.hz }),
    });
  });
  const [instructions, cycles, referenceCycles] = opened;
  /** @type {Counters['hardware']} */
  const hardware = Object.freeze({ instructions, cycles, referenceCycles });
  const cores = Object.freeze(addon.cores());

  /** @param {number} core */
  const pin = core => {
    if (cores.length === 0) {
      throw new UserError(
        found === undefined
          ? 'a thread cannot be held on a core: the addon is not loaded'
          : 'a thread cannot be held on a core: this system does not offer it',
      );
    }
    if (!cores.includes(core)) {
      throw new UserError(
        `there is no core ${core} for this process; it may use ${cores.join(', ')}`,
      );
    }
    const error = addon.pin(core);
    if (error !== 0) {
      throw new UserError(`the system does not hold the thread on core ${core} (error ${error})`);
    }
  };

  const notices = {
    prebuilt: undefined,
    compiled: `the addon was compiled here (${problems.join('; ')})`,
    none: `without the addon (${problems.join('; ')}): time is Node's clock, and there are no counters`,
  };
  return Object.freeze({
    origin: origin === 'none' ? 'javascript' : origin,
    ...(notices[origin] !== undefined && { notice: notices[origin] }),
    processor: findProcessorName(processor),
    isVirtual,
    timer,
    hardware,
    makeMark: (array, names = []) => {
      let selected = 0;
      for (const name of names) {
        const counter = hardware[name];
        if (!counter.isAvailable) {
          throw new UserError(`there is no counter ${name} here: ${counter.reason}`);
        }
        selected |= 1 << hardwareCounterNames.indexOf(name);
      }
      return addon.makeMark(array, selected);
    },
    ticks: addon.ticks,
    nothing: addon.nothing,
    cores,
    pin,
    unpin: () => void addon.pin(-1),
  });
};
