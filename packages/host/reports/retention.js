// Finds, in a kernel's tables and transcripts, how many objects each vat holds, by owner, interface and age; which
// objects nobody holds; and rings of vats that hold objects of each other, which object collection cannot free. It does
// not find what keeps an object alive inside a vat: an entry for an import shows that the vat has not dropped it, not
// why.

import { compareIds, isAllocatedByVat, isDeviceKref, isObjectKref } from '#model';
import { loadStoredKernel } from './report.js';
import { readInterfaceNames } from './interface-names.js';
import { findGroups } from './strong-groups.js';

/** @import { CapData, Delivery, Syscall } from '#model' */
/** @import { Kernel } from '#kernel' */
/** @import { Store } from '#store' */

/**
 * Objects of one owner and one interface, held by one holder.
 *
 * @typedef {object} HeldGroup
 * @property {string} holder  a vat's or device's name, or "queue", "promises", "config"
 * @property {string} owner  the name of the vat that exports them
 * @property {string} iface  `?` if no stored data names it
 * @property {number} count
 * @property {number} onlyRecognised  of them: held in weak collections only
 * @property {string} oldest  kref; lower numbers are older
 * @property {string} newest
 * @property {number} [ageDeliveries]  number of the holder's deliveries since it got the oldest one
 */

/**
 * @typedef {object} VatHolding
 * @property {string} vatId
 * @property {string} name
 * @property {'running' | 'ended'} state
 * @property {number} entries  of the c-list
 * @property {number} imports
 * @property {number} exports
 * @property {number} unheld  exports that only the vat itself has
 * @property {number} promises
 * @property {number} deliveries
 * @property {number} transcriptBytes
 */

/**
 * Vats that hold objects of each other. Candidates only: any of the objects may be in use.
 *
 * @typedef {object} Ring
 * @property {string[]} vats
 * @property {HeldGroup[]} links  objects that they hold of each other and that only vats' c-lists hold
 */

/**
 * @typedef {object} Retention
 * @property {VatHolding[]} vats  most entries first
 * @property {HeldGroup[]} groups  largest first
 * @property {HeldGroup[]} unheld  exports that nobody holds; `holder` is the owner
 * @property {Ring[]} rings
 * @property {Record<string, { keys: number, bytes: number }>} stored  contents of the database, by the kind of key
 */

/** Kinds of a store's keys, by their prefixes. @type {Record<string, string>} */
const keyKinds = {
  ...{ c: 'c-lists', n: 'c-lists', p: 'promises', held: 'promises' },
  ...{ q: 'queue', vs: 'vats’ own stores', vat: 'vats', device: 'vats', ending: 'vats' },
  ...{ hash: 'kernel', kernel: 'kernel', schema: 'kernel', host: 'host', local: 'host' },
};

/** @type {Record<string, string>} */
const streamKinds = { 'host.results': 'results of rounds' };

/** The capdata of a delivery, which stays in the store for ever. @param {Delivery} delivery */
const dataOfDelivery = delivery => {
  const [kind] = delivery;
  if (kind === 'message') return [delivery[2]];
  if (kind === 'notify') return delivery[1].map(([, , data]) => data);
  if (kind === 'startVat' || kind === 'stopVat') return [delivery[1]];
  return [];
};

/** @param {Syscall} syscall */
const dataOfSyscall = syscall => {
  const [kind] = syscall;
  if (kind === 'send') return [syscall[2]];
  if (kind === 'resolve') return syscall[1].map(([, , data]) => data);
  if (kind === 'exit') return [syscall[2]];
  if (kind === 'callNow') return [syscall[3]];
  return [];
};

/**
 * Read from transcripts the interfaces of objects, and when each vat got them.
 *
 * @param {Kernel} kernel
 */
const readTranscripts = kernel => {
  const { vats } = kernel.state;
  /** @type {Map<string, string>} kref → name of its interface */
  const names = new Map();
  /** @type {Map<string, Map<string, number>>} vat → kref → number of the first delivery with it */
  const since = new Map();
  /** @type {Map<string, number>} */
  const deliveries = new Map();
  for (const vatId of vats.vatIds()) {
    if (!vats.isRunning(vatId)) continue;
    const clist = vats.clist(vatId);
    /** @type {Map<string, number>} */
    const arrived = new Map();
    since.set(vatId, arrived);
    let number = 0;
    /** @param {CapData} data */
    const look = data => {
      let isNews = false;
      for (const vref of data.slots) {
        const kref = clist.findKref(vref);
        if (kref === undefined || !isObjectKref(kref)) continue;
        if (!isAllocatedByVat(vref) && !arrived.has(kref)) arrived.set(kref, number);
        isNews ||= !names.has(kref);
      }
      if (!isNews) return;
      readInterfaceNames(data, (vref, name) => {
        const kref = clist.findKref(vref);
        if (kref !== undefined) names.set(kref, name);
      });
    };
    for (const entry of kernel.transcript(vatId)) {
      if (entry.kind !== 'deliver') continue;
      number += 1;
      dataOfDelivery(entry.delivery).forEach(look);
      for (const answer of entry.answers) if (answer.kind !== 'value') look(answer.data);
      for (const syscall of entry.syscalls) dataOfSyscall(syscall).forEach(look);
    }
    deliveries.set(vatId, number);
  }
  return { names, since, deliveries };
};

/**
 * Find the holders of objects other than vats' c-lists.
 *
 * @param {Kernel} kernel
 * @returns {Map<string, Set<string>>}  holder's name → krefs
 */
const findOtherHolders = ({ state: { vats, queue, promises, held } }) => {
  /** @type {Map<string, Set<string>>} */
  const holders = new Map();
  /** @param {string} holder @param {Iterable<string>} krefs */
  const add = (holder, krefs) => {
    const set = holders.get(holder) ?? new Set();
    for (const kref of krefs) if (isObjectKref(kref)) set.add(kref);
    if (set.size > 0) holders.set(holder, set);
  };
  for (const [vatId, row] of vats.vats.entries()) {
    const root =
      row.isStatic && row.state === 'running' ? vats.clist(vatId).findKref('o+0') : undefined;
    if (root !== undefined) add('config', [root]);
    add(row.isStatic ? 'config' : `parameters of ${vatId}`, row.parameterSlots);
  }
  for (const deviceId of vats.deviceIds()) {
    const imports = [...vats.clist(deviceId).pairs()].filter(({ vref }) => !isAllocatedByVat(vref));
    add(
      `device ${vats.requireDevice(deviceId).name}`,
      imports.map(({ kref }) => kref),
    );
  }
  for (const { kind, target, message } of queue.inOrder())
    if (kind === 'send' && message !== null) add('queue', [target, ...message.methargs.slots]);
  for (const [, { parked, data }] of promises.table.entries())
    add('promises', [...parked.flatMap(({ methargs }) => methargs.slots), ...(data?.slots ?? [])]);
  add('host', held.keys());
  return holders;
};

/**
 * Collects objects into groups.
 *
 * @param {(kref: string) => { owner: string, iface: string }} describe
 */
const makeGrouping = describe => {
  /** @type {Map<string, HeldGroup>} */
  const groups = new Map();
  return {
    /** @param {string} holder @param {string} kref @param {{ isRecognised?: boolean, age?: number }} [more] */
    add(holder, kref, { isRecognised = false, age } = {}) {
      const { owner, iface } = describe(kref);
      const key = JSON.stringify([holder, owner, iface]);
      const group = groups.get(key) ?? {
        ...{ holder, owner, iface, count: 0, onlyRecognised: 0, oldest: kref, newest: kref },
      };
      groups.set(key, group);
      group.count += 1;
      if (isRecognised) group.onlyRecognised += 1;
      if (compareIds(kref, group.newest) > 0) group.newest = kref;
      if (compareIds(kref, group.oldest) > 0) return;
      group.oldest = kref;
      if (age === undefined) delete group.ageDeliveries;
      else group.ageDeliveries = age;
    },
    /** Largest first; equal groups by age. */
    list: () =>
      [...groups.values()].sort(
        (left, right) => right.count - left.count || compareIds(left.oldest, right.oldest),
      ),
  };
};

/** @param {Store} store */
const measureStore = store => {
  /** @type {Retention['stored']} */
  const stored = {};
  const add = (/** @type {string} */ kind, /** @type {number} */ bytes) => {
    const row = (stored[kind] ??= { keys: 0, bytes: 0 });
    row.keys += 1;
    row.bytes += bytes;
  };
  for (const [key, value] of store.entries('')) {
    const start = key.split('.', 1)[0];
    const kind = key.startsWith('host.bundle') ? 'bundles' : (keyKinds[start] ?? start);
    add(kind, Buffer.byteLength(key) + Buffer.byteLength(value));
  }
  for (const name of store.streamNames()) {
    const kind = name.startsWith('t.') ? 'transcripts' : (streamKinds[name] ?? name);
    add(kind, store.streamLength(name));
  }
  return stored;
};

/**
 * @param {Kernel} kernel  between cranks; its tables and all transcripts are read
 * @param {Store} store  of the kernel
 * @returns {Retention}
 */
export const findRetention = (kernel, store) => {
  const { vats, owners } = kernel.state;
  const { names, since, deliveries } = readTranscripts(kernel);
  const nameOf = (/** @type {string} */ id) => vats.vats.get(id)?.name ?? id;
  const running = vats.vatIds().filter(vatId => vats.isRunning(vatId));
  for (const vatId of running) {
    const root = vats.clist(vatId).findKref('o+0');
    if (root !== undefined && !names.has(root)) names.set(root, 'root object');
  }
  const describe = (/** @type {string} */ kref) => {
    const owner = owners.get(kref);
    return {
      owner: owner === undefined ? 'nobody any more' : nameOf(owner),
      iface: names.get(kref) ?? '?',
    };
  };

  const others = findOtherHolders(kernel);
  /** @type {Set<string>} objects that are held from outside the vats */
  const anchored = new Set([...others.values()].flatMap(set => [...set]));
  const held = new Set(anchored);
  const groups = makeGrouping(describe);
  for (const [holder, krefs] of others) for (const kref of krefs) groups.add(holder, kref);

  /** @type {Map<string, Map<string, string[]>>} vat → owner of objects that it reaches → those held only by vats */
  const reaches = new Map();
  for (const vatId of running) {
    /** @type {Map<string, string[]>} */
    const reached = new Map();
    reaches.set(vatId, reached);
    for (const { kref, vref, isReachable } of vats.clist(vatId).pairs()) {
      if (isAllocatedByVat(vref) || !isObjectKref(kref)) continue;
      held.add(kref);
      const arrived = since.get(vatId)?.get(kref);
      groups.add(nameOf(vatId), kref, {
        isRecognised: !isReachable,
        ...(arrived !== undefined && { age: (deliveries.get(vatId) ?? 0) - arrived }),
      });
      const owner = owners.get(kref);
      if (!isReachable || owner === undefined || anchored.has(kref)) continue;
      const list = reached.get(owner) ?? [];
      reached.set(owner, list);
      list.push(kref);
    }
  }

  const unheld = makeGrouping(describe);
  /** @type {VatHolding[]} */
  const holdings = [];
  for (const vatId of vats.vatIds()) {
    const { name, state } = vats.require(vatId);
    /** @type {VatHolding} */
    const holding = {
      ...{ vatId, name, state, entries: 0, imports: 0, exports: 0, unheld: 0, promises: 0 },
      deliveries: deliveries.get(vatId) ?? 0,
      transcriptBytes: store.streamLength(kernel.transcriptStream(vatId)),
    };
    holdings.push(holding);
    if (state !== 'running') continue;
    for (const { kref, vref } of vats.clist(vatId).pairs()) {
      holding.entries += 1;
      if (isDeviceKref(kref)) continue;
      if (!isObjectKref(kref)) holding.promises += 1;
      else if (!isAllocatedByVat(vref)) holding.imports += 1;
      else {
        holding.exports += 1;
        if (held.has(kref)) continue;
        holding.unheld += 1;
        unheld.add(name, kref);
      }
    }
  }

  const rings = findGroups(running, vatId => [...(reaches.get(vatId)?.keys() ?? [])]).map(ring => {
    const links = makeGrouping(describe);
    for (const holder of ring)
      for (const owner of ring)
        for (const kref of reaches.get(holder)?.get(owner) ?? []) {
          const arrived = since.get(holder)?.get(kref);
          const age = arrived === undefined ? undefined : (deliveries.get(holder) ?? 0) - arrived;
          links.add(nameOf(holder), kref, { ...(age !== undefined && { age }) });
        }
    return { vats: ring.map(nameOf), links: links.list() };
  });

  return {
    vats: holdings.sort(
      (left, right) => right.entries - left.entries || compareIds(left.vatId, right.vatId),
    ),
    groups: groups.list(),
    unheld: unheld.list(),
    rings,
    stored: measureStore(store),
  };
};

/**
 * Find which vats hold which objects in a stored run. It reads every transcript, which takes a while for a long run.
 *
 * @param {Store} store
 * @returns {Retention}
 * @throws {UserError} if the store holds no run
 */
export const readStoredRetention = store => findRetention(loadStoredKernel(store), store);
