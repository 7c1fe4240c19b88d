// The trace of a program on a kernel, in lines that are the same for every kernel: deliveries with their arguments, syscalls, and
// the lines that vats print. Krefs are marked, to be numbered (./names.js). Syscalls of vats' own stores are left out, and so are
// those of collection, except retired objects.

import { nameVats } from '../name-vats.js';
import { markName, retireLine } from './names.js';

/** @typedef {{ body: string, slots: readonly string[] }} Data */

/** Lines that SwingSet prints in the name of a vat: a device that it called failed, or nobody handled a rejection. */
const ofSwingSet = /^(dm\.invoke failed|🤞)/u;

/** Texts of the engine do not leave a vat here, because they may differ between engines. */
const engineText =
  /Chaining cycle detected for promise #?.object Promise.|Chaining cycle detected for promise #<Promise>|a TypeError made by the engine; its text is in the vat's console/g;

const systemVats = new Set(['vatAdmin', 'comms', 'vattp', 'timer']);

/** Parts of a program with comms: the trace has that a message reaches them, without its arguments. */
const isCarrier = (/** @type {string} */ name) => /^(?:left|right)(?:comms|vattp)$/.test(name);

/** The kernels find lost objects at different moments, so each comms tells the other side of them at its own time. */
const isAboutGone = (/** @type {Data} */ { body }) =>
  /^#?\["(?:transmit|receive|deliverInboundMessages)",.*"\d*:\d+:gc:/.test(body);

const methodOf = (/** @type {Data} */ { body }) => JSON.parse(body.replace(/^#/, ''))[0];

/** @param {(vatId: string) => string | undefined} findName  of a vat of the config */
export const makeTrace = findName => {
  /** @type {string[][]} */
  const rounds = [];
  /** @type {string[]} */
  let lines = [];
  let nameOf = nameVats(findName);

  // Vats of the system are each kernel's own.
  const isOwn = (/** @type {string} */ vatId) => {
    const name = findName(vatId) ?? '';
    return systemVats.has(name) || isCarrier(name);
  };

  const showData = (/** @type {Data} */ { body, slots }) => {
    const text = body
      .replace(/^#/, '')
      .replaceAll(engineText, '(of the engine)')
      .replace(/error:[\w:]+#\d+/g, markName);
    return slots.length === 0 ? text : `${text} ${slots.map(markName)}`;
  };
  const showResult = (/** @type {string | null} */ kref) =>
    kref === null ? '' : ` -> ${markName(kref)}`;
  const showResolutions = (/** @type {[string, boolean, Data][]} */ resolutions) =>
    resolutions
      .map(
        ([kref, rejected, data]) => `${markName(kref)} ${rejected ? '!' : '='} ${showData(data)}`,
      )
      .join(' and ');

  /** Results of messages that are left out. @type {Set<string>} */
  const untold = new Set();

  /** @param {string} name @param {string} kind @param {any[]} rest */
  const tellCarried = (name, kind, [first, methargs, result]) => {
    if (kind === 'notify' && !first.every((/** @type {[string]} */ [kref]) => untold.has(kref)))
      lines.push(`${name} <- notify`);
    if (kind !== 'message') return;
    if (isAboutGone(methargs)) untold.add(result);
    else lines.push(`${name} <- ${methodOf(methargs)}`);
  };

  /** @type {Record<string, (...rest: any[]) => string>} */
  const deliveries = {
    message: (target, methargs, result) =>
      `${markName(target)} ${showData(methargs)}${showResult(result)}`,
    notify: resolutions => `notify ${showResolutions(resolutions)}`,
    startVat: () => 'startVat',
  };

  /** @type {Record<string, (...rest: any[]) => string>} */
  const syscalls = {
    send: (target, methargs, result) =>
      `sends ${markName(target)} ${showData(methargs)}${showResult(result)}`,
    subscribe: kref => `subscribes ${markName(kref)}`,
    resolve: resolutions => `resolves ${showResolutions(resolutions)}`,
    exit: (isFailure, data) => `exits ${isFailure ? 'failed' : 'done'} ${showData(data)}`,
    callNow: (device, method, args) => `calls ${markName(device)} ${method} ${showData(args)}`,
  };

  return {
    rounds,
    /** The lines from now on are those of another round. */
    begin: () => {
      lines = [];
      nameOf = nameVats(findName);
      rounds.push(lines);
    },
    /** @param {string} vatId @param {readonly any[]} delivery */
    deliver: (vatId, [kind, ...rest]) => {
      if (kind === 'retireExports') lines.push(retireLine(rest[0]));
      if (isCarrier(findName(vatId) ?? '')) {
        tellCarried(nameOf(vatId), kind, rest);
        return;
      }
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
