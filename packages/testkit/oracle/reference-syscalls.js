// The rules of syscalls, for the reference kernel: each syscall is checked and carried out at once. Nothing is undone
// after a fault, since the world before the crank is still there.

import { quote as quoteAny } from '#model';
import { stopProgram, widthOf, writePort } from './reference-reactors.js';
import {
  addEntry,
  addPromise,
  deleteEntry,
  dec,
  exportObject,
  inc,
  isDevice,
  isObject,
  isPromise,
  must,
  promiseOf,
  queueNotify,
  queueSend,
  settle,
  settledAs,
  listOf,
  vatOf,
} from './world.js';

/** @import { CapData, Syscall } from '#model' */
/** @import { Settled, World } from './world.js' */

export class Fault extends Error {}

const isVref = (/** @type {string} */ text) =>
  text.length <= 100 &&
  (/^[opd][+-](?:0|[1-9]\d*)$/.test(text) ||
    /^o\+[vd](?:0|[1-9]\d*)\/[1-9]\d*(?::(?:0|[1-9]\d*))?$/.test(text));

/** Quote a reference for a fault: only the beginning of a long one. @param {string} text */
export const quote = text => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);

const isOwn = (/** @type {string} */ vref) => vref[1] === '+';

/** @param {World} w @param {string} vatId @param {string} vref */
export const mapOut = (w, vatId, vref) => {
  const list = listOf(w, vatId);
  const known = list.pairs.get(vref);
  if (known !== undefined) {
    if (!known.reachable && !isOwn(vref))
      throw new Fault(`${quote(vref)} was dropped by the vat, which cannot use it any more`);
    known.reachable = true;
    return known.kref;
  }
  if (!isVref(vref))
    throw new Fault(`${quote(vref)} is not a vref; a vref is like "o+1" or "p-60"`);
  if (!isOwn(vref)) throw new Fault(`${quote(vref)} is not in the vat's c-list`);
  if (vref.startsWith('d')) throw new Fault(`a vat cannot export the device ${quote(vref)}`);
  const kref = vref.startsWith('o') ? exportObject(w, vatId) : addPromise(w, vatId);
  addEntry(w, list, true, kref, vref);
  return kref;
};

/** @param {World} w @param {string} vatId @param {CapData} data @returns {CapData} */
const mapData = (w, vatId, { body, slots }) => {
  if (body.length > 2 ** 26)
    throw new Fault(`a body has ${body.length} characters; at most ${2 ** 26} are allowed`);
  return { body, slots: slots.map(vref => mapOut(w, vatId, vref)) };
};

/** @param {World} w @param {string} vatId @param {string} vref */
const mapDecided = (w, vatId, vref) => {
  const kpid = mapOut(w, vatId, vref);
  if (!isPromise(kpid)) throw new Fault(`${quote(vref)} is not a promise`);
  const { state, decider } = promiseOf(w, kpid);
  if (state !== 'unresolved') throw new Fault(`promise ${quote(vref)} is settled already`);
  if (decider !== vatId) throw new Fault(`promise ${quote(vref)} is not this vat's to decide`);
  return kpid;
};

/** Tell whether a resolved promise leaves a c-list. @param {World} w @param {CapData} data */
export const leaves = (w, { slots }) => w.profile === 'current' || !slots.some(isPromise);

/** @type {Record<Settled, string>} */
const resolved = {
  presence: 'syscallFulfillToPresence',
  data: 'syscallFulfillToData',
  rejected: 'syscallReject',
};

/** @param {World} w @param {string} name */
const count = (w, name) => {
  inc(w, 'syscalls');
  inc(w, name);
};

const maxKeyLength = 330;

/** @param {string} text @param {'key' | 'prior key' | 'value'} what */
export const findTextProblem = (text, what) => {
  if (what === 'key' && text === '') return `a key of the vat's store is empty`;
  if (what !== 'value' && text.length > maxKeyLength)
    return `a key of the vat's store has ${text.length} characters; at most ${maxKeyLength} are allowed`;
  if (!text.isWellFormed())
    return `a ${what === 'value' ? 'value' : 'key'} of the vat's store has a lone surrogate`;
  return undefined;
};

/** @param {string} text @param {'key' | 'value'} what */
const insistText = (text, what) => {
  const problem = findTextProblem(text, what);
  if (problem !== undefined) throw new Fault(problem);
};

/** @param {string[]} vrefs @param {string} what */
const insistDifferent = (vrefs, what) => {
  const twice = vrefs.find((vref, i) => vrefs.indexOf(vref) < i);
  if (twice !== undefined) throw new Fault(`cannot ${what} ${quote(twice)} twice in one call`);
};

/**
 * @param {World} w
 * @param {string} vatId
 * @param {[string, boolean, CapData][]} resolutions
 * @returns {Syscall}
 */
const resolve = (w, vatId, resolutions) => {
  /** @type {[string, boolean, CapData][]} */
  const mapped = [];
  for (const [vref, isRejected, data] of resolutions) {
    const kpid = mapDecided(w, vatId, vref);
    const mappedData = mapData(w, vatId, data);
    if (mapped.some(([other]) => other === kpid))
      throw new Fault(`promise ${quote(vref)} is settled twice in one resolve`);
    mapped.push([kpid, isRejected, mappedData]);
  }
  for (const [kpid, , data] of mapped) if (leaves(w, data)) deleteEntry(w, listOf(w, vatId), kpid);
  if (w.profile === 'current') count(w, 'syscallResolve');
  for (const [, isRejected, data] of mapped) {
    inc(w, resolved[settledAs(isRejected, data)]);
    if (w.profile !== 'current') inc(w, 'syscalls');
  }
  for (const [kpid, isRejected, data] of mapped)
    settle(w, kpid, settledAs(isRejected, data), data, vatId);
  return ['resolve', mapped];
};

/**
 * @param {World} w
 * @param {string} vatId
 * @param {'dropImports' | 'retireImports' | 'retireExports' | 'abandonExports'} kind
 * @param {string[]} vrefs
 * @returns {Syscall}
 */
const letGo = (w, vatId, kind, vrefs) => {
  const verb = /** @type {string} */ (/^[a-z]+/.exec(kind)?.[0]);
  const wantsOwn = kind.endsWith('Exports');
  const list = listOf(w, vatId);
  insistDifferent(vrefs, verb);
  const krefs = vrefs.map(vref => {
    const entry = list.pairs.get(vref);
    if (entry === undefined || !isObject(entry.kref) || isOwn(vref) !== wantsOwn)
      throw new Fault(
        `cannot ${verb} ${quote(vref)}, which is not an ${wantsOwn ? 'export' : 'import'} of the vat`,
      );
    if (kind === 'dropImports' && !entry.reachable)
      throw new Fault(`cannot drop ${quote(vref)}, which was dropped before`);
    if (kind === 'retireExports' && entry.reachable)
      throw new Fault(`cannot retire ${quote(vref)}, which others still reach`);
    if (kind === 'abandonExports' && vref === 'o+0')
      throw new Fault('cannot abandon "o+0", which is the root of the vat');
    return entry.kref;
  });
  vrefs.forEach((vref, i) => {
    if (kind === 'dropImports') must(list.pairs.get(vref)).reachable = false;
    else deleteEntry(w, list, krefs[i]);
    if (wantsOwn) {
      w.owners.delete(krefs[i]);
      dec(w, 'kernelObjects');
    }
  });
  if (kind !== 'abandonExports') count(w, `syscall${kind[0].toUpperCase()}${kind.slice(1)}`);
  return [kind, krefs];
};

/**
 * @param {World} w
 * @param {string} vatId
 * @param {Syscall} syscall  in vrefs
 * @param {import('./reference-reactors.js').Linked} link
 * @returns {Syscall} in krefs
 * @throws {Fault} if the vat breaks a rule
 */
export const applySyscall = (w, vatId, syscall, link) => {
  const { store } = vatOf(w, vatId);
  switch (syscall[0]) {
    case 'send': {
      const [, targetVref, data, resultVref] = syscall;
      const target = mapOut(w, vatId, targetVref);
      if (isDevice(target))
        throw new Fault(`messages cannot be sent to the device ${quote(targetVref)}`);
      const methargs = mapData(w, vatId, data);
      const result = resultVref === null ? null : mapDecided(w, vatId, resultVref);
      if (result !== null) promiseOf(w, result).decider = '';
      queueSend(w, target, { methargs, result });
      count(w, 'syscallSend');
      return ['send', target, methargs, result];
    }
    case 'subscribe': {
      const kpid = mapOut(w, vatId, syscall[1]);
      if (!isPromise(kpid))
        throw new Fault(`cannot subscribe to ${quote(syscall[1])}, which is not a promise`);
      const { state, subscribers } = promiseOf(w, kpid);
      if (state !== 'unresolved') queueNotify(w, vatId, kpid);
      else if (!subscribers.includes(vatId)) subscribers.push(vatId);
      count(w, 'syscallSubscribe');
      return ['subscribe', kpid];
    }
    case 'resolve':
      return resolve(w, vatId, syscall[1]);
    case 'exit': {
      inc(w, 'syscallExit');
      return ['exit', syscall[1], mapData(w, vatId, syscall[2])];
    }
    case 'vatstoreSet':
      insistText(syscall[1], 'key');
      insistText(syscall[2], 'value');
      store.set(syscall[1], syscall[2]);
      count(w, 'syscallVatstoreSet');
      return syscall;
    case 'vatstoreDelete':
      insistText(syscall[1], 'key');
      store.delete(syscall[1]);
      count(w, 'syscallVatstoreDelete');
      return syscall;
    case 'vatstoreGet':
      count(w, 'syscallVatstoreGet');
      return syscall;
    case 'vatstoreGetNextKey':
      count(w, 'syscallVatstoreGetNextKey');
      return syscall;
    case 'dropImports':
    case 'retireImports':
    case 'retireExports':
    case 'abandonExports':
      return letGo(w, vatId, syscall[0], syscall[1]);
    case 'setPort': {
      const [, channel] = syscall;
      const data = mapData(w, vatId, syscall[2]);
      const reactors = w.reactors.get(vatId);
      if (reactors === undefined) throw new Fault('a vat without reactors writes a port');
      if (!Array.from({ length: widthOf(reactors.shape.outputs) }).some((_, i) => i === channel))
        throw new Fault(`the vat's root reactor has no output channel ${quoteAny(channel)}`);
      writePort(w, vatId, channel, data, link);
      count(w, 'syscallSetPort');
      return ['setPort', channel, data];
    }
    case 'requestStop': {
      const reactors = w.reactors.get(vatId);
      if (reactors === undefined)
        throw new Fault('a vat without reactors asks for the end of its program');
      if (!reactors.shape.mayRequestStop)
        throw new Fault('the vat asks for the end of its program, which it did not declare');
      stopProgram(w, reactors.program);
      count(w, 'syscallRequestStop');
      return syscall;
    }
    default:
      throw new Fault(`no such syscall: ${quote(/** @type {string} */ (syscall[0]))}`);
  }
};
