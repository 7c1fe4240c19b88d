// Makes dynamic vats, for the reference kernel, after the crank's last syscall. In `current` they start in turn, in
// `2020-09` within the crank that made them.

import { start } from './reference-deliveries.js';
import { endVat, stopVat, tellAdmin } from './reference-ends.js';
import { runVat, transcribe } from './reference-run.js';
import { reportUpgrade } from './reference-upgrades.js';
import { text } from './reference-bodies.js';
import { addEntry, exportObject, isRunning, listOf, must, queueInTurn, vatOf } from './world.js';

/** @import { CapData } from '#model' */
/** @import { Code, Ran } from './reference-run.js' */
/** @import { Item, World } from './world.js' */

/**
 * @typedef {object} BirthPowers
 * @property {(vatId: string) => Code} codeOf
 * @property {(vatId: string, problem: string) => void} onFault
 * @property {(vatId: string, limit: string, crank: number) => void} onRefusal
 */

/** @param {World} w @param {string} vatId */
const exportRoot = (w, vatId) => {
  const list = listOf(w, vatId);
  if (!list.pairs.has('o+0')) addEntry(w, list, true, exportObject(w, vatId), 'o+0');
};

/** @param {World} w @param {string} vatId */
const reportStart = (w, vatId) => {
  const { kref } = must(listOf(w, vatId).pairs.get('o+0'));
  const slot = w.profile === 'current' ? '"$0.Alleged: undefined"' : '{"@qclass":"slot","index":0}';
  tellAdmin(w, 'newVatCallback', [JSON.stringify(vatId), `{"rootObject":${slot}}`], [kref]);
};

/** A vat did not start, in 2020. @param {World} w @param {string} vatId @param {string} problem */
const reportFailedStart = (w, vatId, problem) => {
  const args = [JSON.stringify(vatId), `{"error":${text(w.profile, problem)}}`];
  tellAdmin(w, 'newVatCallback', args, []);
};

/**
 * Take note that a vat or a new incarnation has started in its own crank.
 *
 * @param {World} w
 * @param {Item} item
 * @param {Pick<Ran, 'applied'>} crank
 */
export const hasStarted = (w, item, crank) => {
  if (item.kind === 'upgrade') reportUpgrade(w, item);
  else if (vatOf(w, item.vatId).isStatic) return;
  else if (findExit(w, crank) === undefined) reportStart(w, item.vatId);
};

/**
 * @param {World} w
 * @param {Item} item  of the crank that made them
 * @param {Pick<Ran, 'births' | 'applied'>} crank
 * @param {BirthPowers} powers
 */
export const bear = (w, item, { births, applied }, powers) => {
  for (const vatId of births) {
    if (!isRunning(w, vatId)) continue;
    if (w.profile === 'current') {
      exportRoot(w, vatId);
      queueInTurn(w, 'start', vatId);
    } else {
      startWithin(w, item, vatId, applied, powers);
    }
  }
};

/**
 * The new vat holds its parameters only when it has run: it does not yet hold a device that it calls in its start.
 *
 * @param {World} w
 * @param {Item} item
 * @param {string} vatId
 * @param {Ran['applied']} applied  gets its syscalls
 * @param {BirthPowers} powers
 */
const startWithin = (w, item, vatId, applied, { codeOf, onFault, onRefusal }) => {
  const seen = start(structuredClone(w), vatId, 'start');
  /** @type {World | undefined} */
  let before;
  const arrive = () => {
    start(w, vatId, 'start');
    before = structuredClone(w);
  };
  const ran = runVat(w, codeOf(vatId), undefined, seen, arrive);
  if (ran.fault !== null) {
    Object.assign(w, must(before));
    if (ran.refused !== undefined) onRefusal(vatId, ran.refused, w.cranks + 1);
    onFault(vatId, ran.fault);
    stopVat(w, vatId);
    reportFailedStart(w, vatId, ran.fault);
    return;
  }
  applied.push(...ran.applied);
  exportRoot(w, vatId);
  reportStart(w, vatId);
  const exit = findExit(w, ran);
  if (exit !== undefined) {
    endVat(w, vatId, exit.isFailure, exit.info);
    return;
  }
  transcribe(w, item, seen, ran);
  if (seen.brings) vatOf(w, vatId).holdsDevice = true;
};

/**
 * @param {Pick<World, 'profile'>} w  today the last exit of a crank counts; in 2020 the first did
 * @param {Pick<Ran, 'applied'>} crank
 * @returns {{ isFailure: boolean, info: CapData } | undefined}
 */
export const findExit = ({ profile }, { applied }) => {
  const exits = applied.filter(([kind]) => kind === 'exit');
  const exit = profile === 'current' ? exits.at(-1) : exits[0];
  return exit?.[0] === 'exit' ? { isFailure: exit[1], info: exit[2] } : undefined;
};
