// Runs a vat in a crank, for the reference kernel: delivers to it, answers its questions, and applies its syscalls.

import { ByteWriter, writeTranscriptEntry } from '#model';
import { Refused } from '../scripted-vat.js';
import { callDevice } from './reference-devices.js';
import { refusals } from './reference-records.js';
import { applySyscall, Fault, findTextProblem } from './reference-syscalls.js';
import { byText, vatOf } from './world.js';

/** @import { Answer, CapData, Syscall } from '#model' */
/** @import { Reached } from './reference-deliveries.js' */
/** @import { ReferenceDevice } from './reference-devices.js' */
/** @import { React } from '../scripted-vat.js' */
/** @import { Item, World } from './world.js' */

/** The code of a vat, and the number of its cranks. @typedef {{ react: React, cranks: number }} Code */

/**
 * A crank of a vat under way.
 *
 * @typedef {object} Ran
 * @property {Syscall[]} syscalls  in vrefs
 * @property {Answer[]} answers
 * @property {Syscall[]} applied  in krefs, with the messages of devices
 * @property {number} done  number of processed syscalls
 * @property {string | null} fault  reason for the vat's end
 * @property {string} [refused]  the exceeded limit for which the machine stopped it, or ''
 * @property {string[]} births  ids of vats that devices made for it
 * @property {{ isFailure: boolean, info: CapData }} [ownEnd]  set if a device that it called ends it
 */

/** @returns {Ran} */
export const emptyRan = () => ({
  ...{ syscalls: [], answers: [], applied: [], done: 0, fault: null, births: [] },
});

/**
 * @param {World} w
 * @param {Code} vat
 * @param {ReferenceDevice | undefined} device
 * @param {Pick<Reached, 'vatId' | 'vatDelivery'>} to
 * @param {() => void} [arrive]  called when it has run, before its syscalls are applied
 * @returns {Ran}
 */
export const runVat = (w, vat, device, { vatId, vatDelivery }, arrive = () => {}) => {
  const crank = emptyRan();
  const apply = () => {
    try {
      while (crank.done < crank.syscalls.length) {
        const syscall = crank.syscalls[crank.done];
        crank.done += 1;
        if (syscall[0] !== 'callNow') crank.applied.push(applySyscall(w, vatId, syscall));
      }
      return null;
    } catch (error) {
      if (error instanceof Fault) return error.message;
      throw error;
    }
  };
  const read = (/** @type {Syscall} */ [kind, text]) => {
    const isNext = kind === 'vatstoreGetNextKey';
    const key = /** @type {string} */ (text);
    const problem = findTextProblem(key, isNext ? 'prior key' : 'key');
    if (problem !== undefined) {
      crank.fault ??= problem;
      return undefined;
    }
    const { store } = vatOf(w, vatId);
    return isNext
      ? [...store.keys()].sort(byText).find(next => byText(next, key) > 0)
      : store.get(key);
  };
  vat.cranks += 1;
  const end =
    vat.react(
      vatDelivery,
      (...syscall) => {
        /** @type {Answer | undefined} */
        let answer;
        if (syscall[0].startsWith('vatstoreGet')) answer = { kind: 'value', value: read(syscall) };
        else if (syscall[0] === 'callNow')
          answer = callDevice(w, device, vatId, crank, apply, syscall);
        crank.syscalls.push(syscall);
        if (answer) crank.answers.push(answer);
        return answer;
      },
      vat.cranks,
    ) ?? null;
  if (end instanceof Refused) {
    crank.refused = end.limit.limit ?? '';
    crank.fault = refusals[crank.refused];
  }
  arrive();
  crank.fault ??= /** @type {string | null} */ (end) ?? apply();
  return crank;
};

/**
 * Add a crank to the vat's transcript.
 *
 * @param {World} w
 * @param {Item} item
 * @param {Pick<Reached, 'vatId' | 'vatDelivery'>} to
 * @param {Pick<Ran, 'syscalls' | 'answers'>} crank
 */
export const transcribe = (w, item, { vatId, vatDelivery }, { syscalls, answers }) => {
  const writer = new ByteWriter();
  const tag = { timeNs: item.timeNs, microstep: item.microstep };
  writeTranscriptEntry(writer, {
    ...{ kind: 'deliver', tag, stage: 0, delivery: vatDelivery },
    ...{ answers, syscalls },
  });
  vatOf(w, vatId).transcript += Buffer.from(writer.view()).toString('hex');
};
