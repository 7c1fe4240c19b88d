// The tables as the store has them, read from the kernel's memory between cranks, so that a running state can be
// compared with one that was loaded.

import { compareTexts } from '#model';
import { figure } from '../tables/figures.js';

/** @import { KernelState } from '../tables/state.js' */

/**
 * Keys and values as in the table of keys (packages/README.md), in the order of keys, with these differences:
 * - figures and counters have a key each, `kernel.figures.nextObject`, `kernel.counters.syscalls` (`value 9 up 9 …`);
 * - `hash` is the activity hash, in place of the chain and the tail;
 * - streams, `schema` and what is under `local.` are left out.
 *
 * @param {KernelState} state  between cranks
 * @returns {[key: string, value: string][]}
 */
export const rawTables = state => {
  const { profile, figures, counters, promises, held, vats, reactors, queue, vatstore, hash } =
    state;
  /** @type {[string, string][]} */
  const entries = [['kernel.profile', profile.name]];
  for (const [name, at] of Object.entries(figure))
    entries.push([`kernel.figures.${name}`, String(figures.numbers[at])]);
  for (const [name, numbers] of Object.entries(counters.toRecord())) {
    const text = Object.entries(numbers).flat().join(' ');
    entries.push([`kernel.counters.${name}`, text]);
  }
  const due = [...new Set(promises.due)].sort(compareTexts);
  if (due.length > 0) entries.push(['kernel.dueForDeletion', due.join(' ')]);
  entries.push(...state.reapThresholds.written());
  const { bootstrapVat } = state.swingsetOrder;
  if (bootstrapVat !== undefined) entries.push(['kernel.bootstrapVat', bootstrapVat]);
  const ids = [...vats.vatIds(), ...vats.deviceIds()];
  const { table, parked, subscribers, suspects } = promises;
  for (const each of [table, parked, subscribers, suspects, held])
    for (const entry of each.written()) entries.push(entry);
  for (const each of [vats.vats, vats.devices, vats.ending]) entries.push(...each.written());
  for (const table of [reactors.rows, reactors.agendas, reactors.plans])
    entries.push(...table.written());
  for (const entry of reactors.writtenValues()) entries.push(entry);
  for (const id of ids) entries.push(...vats.clist(id).written());
  entries.push(...queue.written());
  for (const id of ids) {
    for (const key of vatstore.keys(id))
      entries.push([`vs.${id}.${key}`, vatstore.get(id, key) ?? '']);
  }
  entries.push(['hash', hash.report()], ...state.hostValues.all());
  return entries.sort(([left], [right]) => compareTexts(left, right));
};
