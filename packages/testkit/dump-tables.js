// Dumps a kernel's tables as sorted plain data: two states are equal if their dumps are.

/** @import { Kernel } from '#kernel' */

/**
 * @template V
 * @param {Iterable<[string, V]>} entries
 * @returns {[string, V][]} in the order of keys
 */
const sorted = entries => [...entries].sort(([left], [right]) => (left < right ? -1 : 1));

/** A row's own fields, without those of the journal. @param {{ epoch: number, cell: unknown }} row */
const plain = ({ epoch: _epoch, cell: _cell, ...fields }) => fields;

/**
 * Dump the persistent state, without vats' own stores, transcripts and inputs, which only the store has completely.
 *
 * @param {Kernel['state']} state  between cranks
 */
export const dumpTables = ({ figures, counters, promises, owners, held, vats, queue, hash }) => ({
  figures: [...figures.numbers],
  counters: counters.toRecord(),
  vats: sorted(vats.vats.entries()).map(([vatId, row]) => [vatId, plain(row)]),
  devices: sorted(vats.devices.entries()).map(([deviceId, row]) => [deviceId, plain(row)]),
  ending: sorted(vats.ending.entries()),
  clists: [...vats.vatIds(), ...vats.deviceIds()].map(id => {
    const clist = vats.clist(id);
    const numbering = clist.numbering.get('');
    return {
      id,
      krefs: sorted([...clist.byVref.values()].map(({ vref, kref }) => [vref, kref])),
      vrefs: sorted([...clist.pairs()].map(({ kref }) => [kref, clist.findVref(kref)])),
      numbering: numbering && plain(numbering),
    };
  }),
  owners: sorted(owners.entries()),
  promises: sorted(promises.table.entries()).map(([kref, row]) => [kref, plain(row)]),
  due: [...new Set(promises.due)],
  held: sorted(held.entries()),
  queue: [...queue.inOrder()].map(({ stored: _, home: _home, promise, ...item }) => ({
    ...item,
    promise: promise?.kref,
  })),
  activityHash: hash.report(),
});
