// Runs a vat in a crank, for the reference kernel: delivers to it, answers its questions, and applies its syscalls.

import { ByteWriter, writeTranscriptEntry } from '#model';
import { Refused, Reported } from '../scripted-vat.js';
import { callDevice } from './reference-devices.js';
import { missesDeadline, physicalNs } from './reference-reactors.js';
import { refusals } from './reference-records.js';
import { applySyscall, Fault, findTextProblem } from './reference-syscalls.js';
import { byText, vatOf } from './world.js';

/** @import { Answer, CapData, ReactorReport, Syscall, When } from '#model' */
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
 * @property {string | null} ended  the vat's own reason for its end
 * @property {ReactorReport | null | undefined} report  of its reactors
 * @property {boolean} isGranted  its reactors may run by themselves
 * @property {boolean} isQuiet  its report has no crank that is told on its own: nothing is applied
 * @property {{ kind: 'clock' | 'deadline', data: string }[]} reads  physical times for which it asked
 * @property {{ kind: 'clock', data: string }[]} linkReads  physical times that its connections read
 * @property {string[]} births  ids of vats that devices made for it
 * @property {{ isFailure: boolean, info: CapData }} [ownEnd]  set if a device that it called ends it
 */

/** @returns {Ran} */
export const emptyRan = () => ({
  ...{ syscalls: [], answers: [], applied: [], done: 0, fault: null, births: [] },
  ...{ ended: null, report: undefined, isGranted: false, isQuiet: false, reads: [], linkReads: [] },
});

/**
 * @param {World} w
 * @param {Code} vat
 * @param {ReferenceDevice | undefined} device
 * @param {Pick<Reached, 'vatId' | 'vatDelivery'>} to
 * @param {(crank: Ran) => void} [arrive]  called when it has run, before its syscalls are applied
 * @param {When} [when]  its tag
 * @returns {Ran}
 */
export const runVat = (
  w,
  vat,
  device,
  { vatId, vatDelivery },
  arrive = () => {},
  when = { timeNs: w.timeNs, microstep: w.microstep, stage: 0 },
) => {
  const crank = emptyRan();
  crank.isGranted = Boolean(when.grant);
  const apply = () => {
    const before = crank.linkReads.length;
    let isLate = false;
    // A value that comes too late is found when all syscalls were found right, and ends the writing.
    const link = {
      read: (/** @type {string} */ data) =>
        !isLate && crank.linkReads.push({ kind: 'clock', data }),
      endsTime: () => {
        isLate = true;
      },
    };
    try {
      while (crank.done < crank.syscalls.length) {
        const syscall = crank.syscalls[crank.done];
        crank.done += 1;
        if (syscall[0] !== 'callNow') crank.applied.push(applySyscall(w, vatId, syscall, link));
      }
      return isLate ? 'a value would come after the end of time, 2^53-1 ns (104 days)' : null;
    } catch (error) {
      crank.linkReads.length = before;
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
  /** @type {import('../scripted-vat.js').Ask} */
  const readClock = ([kind, timeNs, number]) => {
    const value =
      kind === 'clock'
        ? String(physicalNs(vatId, timeNs, number))
        : String(Number(missesDeadline(vatId, timeNs, number)));
    crank.reads.push({ kind, data: value });
    /** @type {Answer} */
    const answer = { kind: 'value', value };
    crank.answers.push(answer);
    return answer;
  };
  vat.cranks += 1;
  let end =
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
      when,
      readClock,
    ) ?? null;
  if (end instanceof Reported) {
    crank.report = end.report;
    end = end.end;
  }
  if (end instanceof Refused) {
    crank.refused = end.limit.limit ?? '';
    crank.ended = refusals[crank.refused];
    crank.fault = crank.ended;
    crank.report = undefined;
  } else {
    crank.ended = end;
  }
  arrive(crank);
  crank.fault ??= crank.ended;
  if (!crank.isQuiet) crank.fault ??= apply();
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
  const reactors = w.reactors.get(vatId);
  if (reactors?.quiet !== undefined) {
    const { firstTimeNs, firstMicrostep, endTimeNs, endMicrostep, endStage, cranks } =
      reactors.quiet;
    writeTranscriptEntry(writer, {
      ...{ kind: 'quiet', cranks, endStage },
      firstTag: { timeNs: firstTimeNs, microstep: firstMicrostep },
      endTag: { timeNs: endTimeNs, microstep: endMicrostep },
    });
    reactors.quiet = undefined;
  }
  const tag = { timeNs: item.timeNs, microstep: item.microstep };
  writeTranscriptEntry(writer, {
    ...{ kind: 'deliver', tag, stage: item.stage ?? 0, delivery: vatDelivery },
    ...{ answers, syscalls },
  });
  vatOf(w, vatId).transcript += Buffer.from(writer.view()).toString('hex');
};
