// Carries values from one vat's reactors to another's, and ends programs.

import { quote, UserError } from '#model';
import { figure } from '../tables/figures.js';
import { recordHostInput } from '../inputs/inputs.js';
import { PortEvent } from '../tables/event-list.js';
import { VatFault } from '../lifecycle/vat-fault.js';

/** @import { CapData, Tag } from '#model' */
/** @import { PortLink, ReactorEntry } from './reactor-rows.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * Why a vat may not write an output; null if it may.
 *
 * @param {ReactorEntry | undefined} entry  of the vat, if it has reactors
 * @param {number} channel
 */
export const findWriteProblem = (entry, channel) => {
  if (entry === undefined) return 'a vat without reactors writes a port';
  if (!Number.isSafeInteger(channel) || channel < 0 || channel >= entry.row.outputs)
    return `the vat's root reactor has no output channel ${quote(channel)}`;
  return undefined;
};

/**
 * Sends a value that a vat has written to an output to all connected inputs.
 *
 * @param {KernelState} state
 * @param {ReactorEntry} from
 * @param {number} channel  an existing channel (`findWriteProblem`)
 * @param {CapData} data  in krefs
 * @throws {VatFault} the value would come after the end of time
 */
export const sendOut = (state, from, channel, data) => {
  // A vat that is in no program has no targets.
  const links = state.reactors.linksOf(from)[channel];
  if (links === undefined) return;
  for (let i = 0; i < links.length; i += 1) sendTo(state, from, links[i], data);
};

/**
 * @param {KernelState} state
 * @param {ReactorEntry} from
 * @param {PortLink} link
 * @param {CapData} data
 * @throws {VatFault} it would come after the end of time
 */
const sendTo = (state, from, { entry, channel, delayNs, isPhysical }, data) => {
  // The target's vat may have ended.
  if (!entry.isThere) return;
  const { numbers } = state.figures;
  let timeNs = numbers[figure.nowTimeNs];
  let microstep = numbers[figure.nowMicrostep];
  let stage = 0;
  if (isPhysical) {
    const atNs = state.physicalTime.read(from.vatId, timeNs, microstep) + Math.max(delayNs, 0);
    if (atNs > timeNs) {
      timeNs = atNs;
      microstep = 0;
    } else {
      microstep += 1;
    }
  } else if (delayNs > 0) {
    timeNs += delayNs;
    microstep = 0;
  } else if (delayNs === 0) {
    microstep += 1;
  } else {
    stage = entry.row.stages[channel];
  }
  if (timeNs > Number.MAX_SAFE_INTEGER)
    throw new VatFault('a value would come after the end of time, 2^53-1 ns (104 days)');
  addEvent(state, entry, new PortEvent(entry.vatId, timeNs, microstep, stage, channel, data));
};

/**
 * Adds a value under way, unless the program ends before it arrives. If a channel already has a value at that tag, the
 * value goes to the next microstep.
 *
 * @param {KernelState} state
 * @param {ReactorEntry} entry
 * @param {PortEvent} event
 */
const addEvent = (state, entry, event) => {
  const { reactors, promises } = state;
  const { agenda } = entry;
  event.microstep = agenda.values.findFree(event.timeNs, event.microstep, event.channel);
  if (isBeyond(event, agenda)) return;
  if (event.data.slots.length > 0) {
    promises.addRefs(event.data.slots);
    state.reactors.unforeseen += 1;
  }
  reactors.addValue(entry, event);
};

/**
 * @param {Tag} tag
 * @param {{ stopTimeNs: number, stopMicrostep: number }} agenda
 */
const isBeyond = ({ timeNs, microstep }, { stopTimeNs, stopMicrostep }) =>
  stopTimeNs >= 0 && (timeNs > stopTimeNs || (timeNs === stopTimeNs && microstep > stopMicrostep));

/**
 * Removes the values that a vat got from those under way.
 *
 * @param {KernelState} state
 * @param {ReactorEntry} entry  of the vat
 * @param {readonly PortEvent[]} taken
 */
export const takeEvents = ({ reactors, promises }, entry, taken) => {
  reactors.takeValues(entry, taken);
  for (let i = 0; i < taken.length; i += 1) {
    const { slots } = taken[i].data;
    if (slots.length > 0) promises.releaseRefs(slots);
  }
};

/**
 * Stops all vats of a program at the next microstep, or earlier if they were to stop earlier.
 *
 * @param {KernelState} state
 * @param {number} program
 */
const stopProgram = (state, program) => {
  const { reactors, now } = state;
  const stop = { timeNs: now.timeNs, microstep: now.microstep + 1 };
  for (const entry of reactors.vatsOf(program)) {
    const { stopTimeNs, stopMicrostep, isStopping } = entry.agenda;
    const isBefore =
      stopTimeNs >= 0 &&
      (stopTimeNs < stop.timeNs || (stopTimeNs === stop.timeNs && stopMicrostep <= stop.microstep));
    if (!isStopping && !isBefore) stopAt(state, entry, stop);
  }
};

/**
 * Sets the last tag of a vat's program. Values that would come later are dropped.
 *
 * @param {KernelState} state
 * @param {ReactorEntry} entry
 * @param {Tag} stop
 */
export const stopAt = ({ reactors, promises }, entry, { timeNs, microstep }) => {
  const agenda = reactors.change(entry);
  agenda.stopTimeNs = timeNs;
  agenda.stopMicrostep = microstep;
  const lost = [...agenda.values].filter(event => isBeyond(event, agenda));
  if (lost.length === 0) return;
  reactors.takeValues(entry, lost);
  for (const { data } of lost) promises.releaseRefs(data.slots);
};

/**
 * Stops all programs that still run, at the next microstep.
 *
 * @param {KernelState} state
 * @returns {boolean} whether any ran
 */
export const stopAllPrograms = state => {
  const { reactors } = state;
  if (!hasRunningPrograms(state)) return false;
  for (const program of new Set(Array.from(reactors.rows.entries(), ([, row]) => row.program)))
    stopProgram(state, program);
  return true;
};

/** @param {KernelState} state */
export const hasRunningPrograms = ({ reactors }) => {
  for (const [, { isStopping }] of reactors.agendas.entries()) if (!isStopping) return true;
  return false;
};

/**
 * Schedules a physical action of a vat's root reactor for the host. Its tag is that of the clock, or the next microstep
 * if logical time is ahead.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {string} action
 * @param {CapData} data
 * @param {number} [clockNs]  the recorded time, if the clock is not to be read
 * @throws {UserError}
 */
export const scheduleAction = (state, vatId, action, data, clockNs) => {
  const { reactors, vats, now } = state;
  const entry = reactors.find(vatId);
  const { name } = vats.require(vatId);
  if (entry === undefined)
    throw new UserError(
      `vat ${quote(name)} has no reactors; a physical action is scheduled in a vat that exports buildReactor`,
    );
  const { row } = entry;
  const { shape } = row;
  const place = shape.actions.indexOf(action);
  if (place < 0) {
    const names = shape.actions.map(quote).join(', ');
    throw new UserError(
      `the root reactor of vat ${quote(name)} has no physical action ${quote(action)}; ${names === '' ? 'it has none' : `it has ${names}`}`,
    );
  }
  const atNs = clockNs ?? state.physicalTime.nowNs(vatId, now.timeNs, now.microstep);
  const isAhead = atNs > now.timeNs;
  const timeNs = isAhead ? atNs : now.timeNs;
  const microstep = isAhead ? 0 : now.microstep + 1;
  const channel = row.inputs + place;
  const input = JSON.stringify([action, atNs, data.body, data.slots]);
  recordHostInput(state, 'physical', vatId, input);
  addEvent(state, entry, new PortEvent(vatId, timeNs, microstep, 0, channel, data));
};

/**
 * Stops a vat's program at the vat's request, which was checked by `findStopProblem`.
 *
 * @param {KernelState} state
 * @param {ReactorEntry} entry  of the vat
 */
export const requestStop = (state, entry) => stopProgram(state, entry.row.program);

/**
 * Why a vat may not request the end of its program; null if it may.
 *
 * @param {ReactorEntry | undefined} entry  of the vat, if it has reactors
 */
export const findStopProblem = entry => {
  const row = entry?.row;
  if (row === undefined) return 'a vat without reactors asks for the end of its program';
  return row.shape.mayRequestStop
    ? undefined
    : 'the vat asks for the end of its program, which it did not declare';
};
