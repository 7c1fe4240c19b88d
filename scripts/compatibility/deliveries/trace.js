// The trace of a program on a kernel, in lines that are the same for every kernel: deliveries with their arguments, syscalls, and
// what vats print. Krefs are numbered anew in the order in which they are met, so it does not matter where a kernel begins.
// Vats' own stores and what is collected are not told.

import { nameVats } from '../name-vats.js';

/** @typedef {{ body: string, slots: readonly string[] }} Data */

/** SwingSet says so in the name of a vat: that a device failed which it called, and that nobody handled a rejection. */
const ofSwingSet = /^(dm\.invoke failed|🤞)/u;

/** The engine's texts do not leave a vat here, for they may change with it. */
const engineText =
  /Chaining cycle detected for promise #?.object Promise.|Chaining cycle detected for promise #<Promise>|a TypeError made by the engine; its text is in the vat's console/g;

const systemVats = new Set(['vatAdmin', 'comms', 'vattp', 'timer']);

/** @param {(vatId: string) => string | undefined} findName  of a vat of the config */
export const makeTrace = findName => {
  /** @type {string[][]} */
  const rounds = [];
  /** @type {string[]} */
  let lines = [];
  /** @type {Map<string, string>} */
  let names = new Map();
  let nameOf = nameVats(findName);

  // Vats of the system are each kernel's own.
  const isOwn = (/** @type {string} */ vatId) => systemVats.has(findName(vatId) ?? '');

  /** @param {string} name @param {string} kind */
  const rename = (name, kind) => {
    if (!names.has(name)) names.set(name, `${kind}#${names.size + 1}`);
    return /** @type {string} */ (names.get(name));
  };
  const showRef = (/** @type {string} */ kref) => rename(kref, kref.slice(0, 2));
  const showData = (/** @type {Data} */ { body, slots }) => {
    const text = body
      .replace(/^#/, '')
      .replaceAll(engineText, '(of the engine)')
      .replace(/error:[\w:]+#\d+/g, errorId => rename(errorId, 'error'));
    return slots.length === 0 ? text : `${text} ${slots.map(showRef)}`;
  };
  const showResult = (/** @type {string | null} */ kref) =>
    kref === null ? '' : ` -> ${showRef(kref)}`;
  const showResolutions = (/** @type {[string, boolean, Data][]} */ resolutions) =>
    resolutions
      .map(([kref, rejected, data]) => `${showRef(kref)} ${rejected ? '!' : '='} ${showData(data)}`)
      .join(' and ');

  /** @type {Record<string, (...rest: any[]) => string>} */
  const deliveries = {
    message: (target, methargs, result) =>
      `${showRef(target)} ${showData(methargs)}${showResult(result)}`,
    notify: resolutions => `notify ${showResolutions(resolutions)}`,
    startVat: () => 'startVat',
  };

  /** @type {Record<string, (...rest: any[]) => string>} */
  const syscalls = {
    send: (target, methargs, result) =>
      `sends ${showRef(target)} ${showData(methargs)}${showResult(result)}`,
    subscribe: kref => `subscribes ${showRef(kref)}`,
    resolve: resolutions => `resolves ${showResolutions(resolutions)}`,
    exit: (isFailure, data) => `exits ${isFailure ? 'failed' : 'done'} ${showData(data)}`,
    callNow: (device, method, args) => `calls ${showRef(device)} ${method} ${showData(args)}`,
  };

  return {
    rounds,
    /** The lines from now on are those of another round. */
    begin: () => {
      lines = [];
      names = new Map();
      nameOf = nameVats(findName);
      rounds.push(lines);
    },
    /** @param {string} vatId @param {readonly any[]} delivery */
    deliver: (vatId, [kind, ...rest]) => {
      const show = deliveries[kind];
      if (show !== undefined && !isOwn(vatId)) lines.push(`${nameOf(vatId)} <- ${show(...rest)}`);
    },
    /** @param {string} vatId @param {readonly any[]} syscall */
    syscall: (vatId, [kind, ...rest]) => {
      const show = syscalls[kind];
      if (show !== undefined && !isOwn(vatId)) lines.push(`  ${nameOf(vatId)} ${show(...rest)}`);
    },
    /** @param {string} vatId @param {string} text */
    print: (vatId, text) => {
      if (!isOwn(vatId) && !ofSwingSet.test(text))
        lines.push(`  ${nameOf(vatId)} prints ${text.replaceAll(engineText, '(of the engine)')}`);
    },
  };
};
