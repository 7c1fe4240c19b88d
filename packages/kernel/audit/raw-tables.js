// The tables as the store has them, read from the kernel's memory between cranks, so that a running state can be
// compared with one that was loaded.

import { compareTexts } from '#model';
import { figure } from '../tables/figures.js';

/** @import { KernelState } from '../tables/state.js' */

/**
 * Keys and values of all tables, in no order. One after the other: a table may have more entries than a call may have
 * arguments.
 *
 * @param {KernelState} state
 * @returns {Generator<[key: string, value: string]>}
 */
function* listEntries(state) {
  const { profile, figures, counters, promises, held, vats, reactors, queue, vatstore, hash } =
    state;
  yield ['kernel.profile', profile.name];
  for (const [name, at] of Object.entries(figure))
    yield [`kernel.figures.${name}`, String(figures.numbers[at])];
  for (const [name, numbers] of Object.entries(counters.toRecord()))
    yield [`kernel.counters.${name}`, Object.entries(numbers).flat().join(' ')];
  const due = [...new Set(promises.due)].sort(compareTexts);
  if (due.length > 0) yield ['kernel.dueForDeletion', due.join(' ')];
  yield* state.reapThresholds.written();
  const { bootstrapVat } = state.swingsetOrder;
  if (bootstrapVat !== undefined) yield ['kernel.bootstrapVat', bootstrapVat];
  const ids = [...vats.vatIds(), ...vats.deviceIds()];
  const { table, parked, subscribers, suspects } = promises;
  for (const each of [table, parked, subscribers, suspects, held]) yield* each.written();
  for (const each of [vats.vats, vats.devices, vats.ending]) yield* each.written();
  for (const each of [reactors.rows, reactors.agendas, reactors.plans]) yield* each.written();
  yield* reactors.writtenValues();
  for (const id of ids) yield* vats.clist(id).written();
  yield* queue.written();
  for (const id of ids)
    for (const key of vatstore.keys(id)) yield [`vs.${id}.${key}`, vatstore.get(id, key) ?? ''];
  yield ['hash', hash.report()];
  yield* state.hostValues.all();
}

/**
 * Keys and values as in the table of keys (packages/README.md), in the order of keys, with these differences:
 * - figures and counters have a key each, `kernel.figures.nextObject`, `kernel.counters.syscalls` (`value 9 up 9 …`);
 * - `hash` is the activity hash, in place of the chain and the tail;
 * - streams, `schema` and what is under `local.` are left out.
 *
 * @param {KernelState} state  between cranks
 * @returns {[key: string, value: string][]}
 */
export const rawTables = state =>
  [...listEntries(state)].sort(([left], [right]) => compareTexts(left, right));
