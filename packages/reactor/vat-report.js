// Parts of a vat's report of its reactors: ports, counts, and the check that dependencies are unchanged.

import { UserError } from '#model';

/** @import { Federate } from './federate.js' */

/**
 * Names and widths of ports, counted from the channels, whatever the ports say now.
 *
 * @param {readonly { port: any }[]} ends
 * @param {readonly any[]} ports
 * @param {boolean} isInput
 * @returns {[name: string, width: number][]}
 */
export const portsOf = (ends, ports, isInput) => {
  /** @type {Map<any, number>} */
  const widths = new Map();
  for (const { port } of ends) widths.set(port, (widths.get(port) ?? 0) + 1);
  return ports
    .filter(port => port.isInput === isInput)
    .map(port => [String(port.path), widths.get(port) ?? 0]);
};

/**
 * Takes a count since the last report.
 *
 * @param {number[]} counts  changed at `i`
 * @param {number[]} told  changed at `i`
 * @param {number} i
 * @param {number} count  the scheduler's own count, which the vat can reach
 */
export const tellCount = (counts, told, i, count) => {
  counts[i] = 0;
  if (!Number.isSafeInteger(count) || count < told[i]) return;
  counts[i] = count - told[i];
  told[i] = count;
};

/**
 * Checks that no mutation made an output depend on another input, since the stages are based on the dependencies.
 *
 * @param {Federate} federate
 * @param {readonly number[][]} known  inputs by output, as reported to the kernel
 * @param {readonly number[][]} now
 * @throws {UserError} an output depends on another input
 */
export const insistSameDependencies = ({ inputs, outputs }, known, now) => {
  now.forEach((found, output) => {
    const before = new Set(known[output]);
    const added = found.find(input => !before.has(input));
    if (added === undefined) return;
    throw new UserError(
      `a mutation makes ${outputs[output].path} depend on ${inputs[added].path} at zero delay, which it did not when the vat started; add an "after" delay, or a connection that is there from the start`,
    );
  });
};
