// The trace of a run under SwingSet, from the entries of its kernel's slog.

import { makeTrace } from './trace.js';

/** @param {[string, any][]} resolutions */
const resolutionsOf = resolutions =>
  resolutions.map(([kpid, { state, data }]) => [kpid, state === 'rejected', data]);

/** @param {any[]} delivery */
const tupleOf = ([kind, ...rest]) => {
  if (kind === 'message') return [kind, rest[0], rest[1].methargs, rest[1].result ?? null];
  if (kind === 'notify') return [kind, resolutionsOf(rest[0])];
  return [kind, ...rest];
};

/** @param {any[]} syscall  without the vat's id, which stands second */
const syscallOf = ([kind, ...rest]) => {
  if (kind === 'send') return [kind, rest[0], rest[1].methargs, rest[1].result ?? null];
  if (kind === 'subscribe') return [kind, rest[1]];
  if (kind === 'resolve')
    return [
      kind,
      rest[1].map((/** @type {any[]} */ [kpid, rejected, data]) => [kpid, rejected, data]),
    ];
  if (kind === 'exit') return [kind, rest[1], rest[2]];
  if (kind === 'invoke') return ['callNow', ...rest];
  return [kind, ...rest];
};

export const followSwingSet = () => {
  /** @type {Map<string, string>} */
  const names = new Map();
  const trace = makeTrace(vatId => names.get(vatId));
  /** @type {string[]} */
  let printed = [];
  /** @param {any} entry  of the kernel's slog */
  const slogSender = ({ type, vatID, dynamic, name, source, args, kd, ksc, replay }) => {
    if (type === 'create-vat' && !dynamic) names.set(vatID, name);
    if (replay) return;
    // Lines of the kernel have no vat; lines of liveslots have the vat's name.
    if (type === 'console' && vatID !== undefined && source !== 'ls' && source !== 'liveslots')
      printed.push(args.map(String).join(' '));
    if (type === 'deliver') trace.deliver(vatID, tupleOf(kd));
    if (type === 'deliver-result') {
      for (const text of printed) trace.print(vatID, text);
      printed = [];
    }
    if (type === 'syscall' && ksc !== undefined) trace.syscall(vatID, syscallOf(ksc));
  };
  trace.begin();
  return { trace, slogSender };
};
