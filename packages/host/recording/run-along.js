// Runs a simulation to the end of a recorded run, and gives it the recorded inputs of the host at the same places.
//
// Inputs of the host come between cranks. By default an input was given when all items up to its tag were done; a crank
// number means that it was given after that crank, with more items left at its tag.

import { repeatHostCall, repeatMessage } from '#kernel';
import { compareTags, formatTag } from '#model';
import { inMacrotask } from '../engine/macrotask.js';

/** @import { Input, Kernel } from '#kernel' */
/** @import { Simulation } from '../simulation.js' */

/** Cranks in a block. A difference is found at the end of its block. */
const blockSize = 200;

/** An input that stops a vat in a crank is given before that crank. @param {Input['kind']} kind */
const isStop = kind => kind === 'refused' || kind === 'limit';

/** @param {number | undefined} crank */
const crankBefore = crank => (crank ?? 0) - 1;

/**
 * Whether the run has reached the place of an input.
 *
 * @param {Kernel} kernel  between cranks
 * @param {Input} input
 */
const isThere = (kernel, { kind, tag, crank }) => {
  if (isStop(kind)) return kernel.cranks.all >= crankBefore(crank);
  if (crank !== undefined) return kernel.cranks.all >= crank;
  const { nextTag } = kernel;
  // The clean-up of ended vats precedes new inputs.
  return nextTag === undefined ? kernel.isQuiet : compareTags(nextTag, tag) > 0;
};

/**
 * How far to run without passing the place of an input.
 *
 * @param {Kernel} kernel
 * @param {Input | undefined} input  the next one
 * @returns {{ limit: number, untilNs: number }}
 */
const findStretch = (kernel, input) => {
  if (input === undefined) return { limit: blockSize, untilNs: Infinity };
  const { kind, tag, crank } = input;
  if (crank !== undefined) {
    const last = isStop(kind) ? crankBefore(crank) : crank;
    return { limit: Math.min(blockSize, last - kernel.cranks.all), untilNs: Infinity };
  }
  return (kernel.nextTimeNs ?? Infinity) < tag.timeNs
    ? { limit: blockSize, untilNs: tag.timeNs - 1 }
    : { limit: 1, untilNs: Infinity };
};

/**
 * @param {Kernel} kernel
 * @param {Input} input
 */
const give = (kernel, { kind, vat, data }) => {
  if (repeatHostCall(kernel, { kind, vat, data })) return;
  if (kind === 'message') {
    repeatMessage(kernel, vat, data);
  } else if (kind === 'release') {
    kernel.release(data);
  } else if (kind === 'hold') {
    kernel.hold(data);
  } else if (kind === 'stop') {
    if (!kernel.hasPrograms) throw Error('no program of reactors runs any more');
    kernel.stopPrograms();
  } else if (kind === 'diverged') {
    kernel.endDiverging(vat);
  } else if (kind === 'refused') {
    kernel.refuseNext(vat);
  } else if (kind === 'limit') {
    kernel.refuseNext(vat, data);
  } else if (vat.startsWith('d')) {
    kernel.deviceInput(vat, data);
  } else {
    const [action, clockNs, body, slots] = JSON.parse(data);
    kernel.physicalInput(vat, action, { body, slots }, clockNs);
  }
};

/**
 * @param {Kernel} kernel
 * @param {Input} input
 */
const nameInput = (kernel, { seq, kind, vat, tag }) => {
  const name = vat.startsWith('v') ? ` to vat ${kernel.vatName(vat) ?? vat}` : '';
  return `input ${seq} of the recording (${kind}${name} at ${formatTag(tag)})`;
};

/**
 * @param {Simulation} simulation
 * @param {object} recorded
 * @param {Input[]} recorded.given  what the host gave
 * @param {number} recorded.cranks  how many there were
 * @param {(id: string) => void} recorded.copyBundle  gives the run a bundle of the recording
 * @param {() => boolean} shouldStop  asked now and then
 * @returns {Promise<string | undefined>}  what cannot be as it was; undefined if it has come to the end
 * @throws {UserError} a vat failed that the run cannot do without
 */
export const runAlong = async (simulation, { given, cranks, copyBundle }, shouldStop) => {
  const { kernel, pump, commitBlock } = simulation;
  let place = 0;

  /** @returns {string | undefined} */
  const giveNext = () => {
    const input = given[place];
    place += 1;
    // Its crank is still to come.
    if (!isStop(input.kind) && compareTags(kernel.now, input.tag) !== 0)
      return `${nameInput(kernel, input)} has its place here, and that was not its tag`;
    try {
      if (input.kind === 'bundle') copyBundle(input.data);
      give(kernel, input);
    } catch (error) {
      return `${nameInput(kernel, input)} cannot be given: ${/** @type {Error} */ (error).message}`;
    }
    return undefined;
  };

  /** Why the run is not where it should be, with nothing left to run or no crank left. */
  const sayStuck = () => {
    const input = given[place];
    if (input !== undefined && kernel.cranks.all >= cranks)
      return `its ${cranks} cranks are over, and ${nameInput(kernel, input)} has not come`;
    return `it comes to rest after ${kernel.cranks.all} cranks; in the recording there are ${cranks}`;
  };

  /** @returns {'end' | { stuck: string } | { waiting: Promise<void> } | undefined} */
  const runBlock = () => {
    const end = kernel.cranks.all + blockSize;
    do {
      const room = cranks - kernel.cranks.all;
      const input = given[place];
      if (!kernel.isBusy) {
        if (input === undefined && room <= 0) return 'end';
        if (input !== undefined && isThere(kernel, input)) {
          const stuck = giveNext();
          if (stuck !== undefined) return { stuck };
          continue;
        }
        if (kernel.isQuiet || room <= 0) return { stuck: sayStuck() };
      }
      const { limit, untilNs } = findStretch(kernel, input);
      const { waiting } = pump(Math.min(limit, room), untilNs);
      if (waiting !== null) return { waiting };
    } while (kernel.cranks.all < end);
    return undefined;
  };

  for (;;) {
    const outcome = await inMacrotask(runBlock);
    if (typeof outcome === 'object' && 'waiting' in outcome) {
      await outcome.waiting;
      continue;
    }
    await commitBlock();
    if (typeof outcome === 'object') return outcome.stuck;
    if (outcome === 'end' || shouldStop()) return undefined;
  }
};
