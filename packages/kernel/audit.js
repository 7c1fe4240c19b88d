// The books, counted again: what the kernel keeps by adding and subtracting is compared with what is there. A
// difference is a bug of the kernel. It costs a walk through all tables, so it is for tests and for `audit`.

import {
  compareTags,
  findSoleSlot,
  isAllocatedByVat,
  isObjectKref,
  isPromiseKref,
  quote,
  typeOfVref,
} from '#model';
import { classes } from '#schedule';
import { figure } from './figures.js';

/** @import { CList } from './keepers/clist.js' */
/** @import { Item } from './keepers/queue.js' */
/** @import { KernelState } from './state.js' */

/** @typedef {(subject: string, got: unknown, wanted: unknown) => void} Expect */

/** The first identifiers: `ko20`, `kp40`, `kd30`. */
const firstIds = { object: 20, promise: 40, device: 30 };

/**
 * Count everything again. To be called between cranks.
 *
 * A profile may leave the books of an ended vat's c-list as they were; then reference counts and `clistEntries`
 * may be larger than what is there, and are only held to be no smaller.
 *
 * @param {KernelState} state
 * @returns {string[]} a line for each difference, none when the books are right
 */
export const audit = state => {
  /** @type {string[]} */
  const differences = [];
  /** @type {Expect} */
  const expect = (subject, got, wanted) => {
    if (got !== wanted) differences.push(`${subject}: ${quote(got)}, should be ${quote(wanted)}`);
  };
  auditVats(state, expect);
  auditReferenceCounts(state, expect);
  auditPromises(state, expect);
  auditQueue(state, expect);
  auditCounters(state, expect);
  return differences;
};

/** @param {KernelState} state */
const keepsEndedBooks = ({ vats, profile }) =>
  profile.keepsEndedBooks && vats.vatIds().some(vatId => !vats.isRunning(vatId));

/**
 * Every reference to a promise, one entry each.
 *
 * @param {KernelState} state
 * @returns {Iterable<string>} krefs of all kinds
 */
function* references({ vats, queue, promises, held }) {
  for (const id of [...vats.vatIds(), ...vats.deviceIds()]) yield* vats.clist(id).byKref.keys();
  for (const { target, message } of queue.inOrder()) {
    yield target;
    if (message !== null) yield* named(message);
  }
  for (const [, { parked, data }] of promises.table.entries()) {
    for (const message of parked) yield* named(message);
    if (data !== null) yield* data.slots;
  }
  for (const [kref, count] of held.entries()) for (let i = 0; i < count; i += 1) yield kref;
}

/** @param {import('./keepers/promises.js').Message} message */
function* named({ methargs, result }) {
  if (result !== null) yield result;
  yield* methargs.slots;
}

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditReferenceCounts = (state, expect) => {
  const { promises } = state;
  /** @type {Map<string, number>} */
  const counted = new Map();
  for (const kref of references(state)) {
    if (isPromiseKref(kref)) counted.set(kref, (counted.get(kref) ?? 0) + 1);
  }
  const mayBeLarger = keepsEndedBooks(state);
  for (const [kref, { refCount }] of promises.table.entries()) {
    const count = counted.get(kref) ?? 0;
    counted.delete(kref);
    if (!(mayBeLarger && refCount > count)) expect(`references to ${kref}`, refCount, count);
    if (refCount === 0) {
      expect(
        `${kref}, which nothing refers to, is due for deletion`,
        promises.due.includes(kref),
        true,
      );
    }
  }
  for (const [kref, count] of counted) expect(`references to ${kref}, which is deleted`, 0, count);
};

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditVats = (state, expect) => {
  const { vats, owners, figures, vatstore } = state;
  for (const vatId of vats.vatIds()) {
    const clist = vats.clist(vatId);
    if (vats.isRunning(vatId)) {
      auditCList(state, vatId, clist, expect);
    } else {
      expect(`c-list entries of the ended vat ${vatId}`, clist.byVref.size + clist.byKref.size, 0);
      expect(`key of the ended vat ${vatId}`, vatstore.nextKey(vatId, ''), undefined);
    }
  }
  for (const deviceId of vats.deviceIds())
    auditCList(state, deviceId, vats.clist(deviceId), expect);
  for (const [kref, id] of owners.entries()) {
    const isVat = isObjectKref(kref);
    if (isVat) expect(`vat ${id}, which owns ${kref}, is running`, vats.isRunning(id), true);
    else expect(`device ${id}, which owns ${kref}, is there`, vats.devices.has(id), true);
    const vref = vats.clist(id).findVref(kref);
    expect(`${kref} is an export of ${id}`, vref !== undefined && isAllocatedByVat(vref), true);
    const next = figures.numbers[isVat ? figure.nextObject : figure.nextDevice];
    expect(`${kref} was allocated`, Number(kref.slice(2)) < next, true);
  }
};

/** Types of references as krefs and vrefs write them. */
const letters = { object: 'o', promise: 'p', device: 'd' };

/**
 * @param {KernelState} state
 * @param {string} id  of a running vat, or of a device
 * @param {CList} clist
 * @param {Expect} expect
 */
const auditCList = ({ owners, promises }, id, clist, expect) => {
  expect(`c-list of ${id}: krefs`, clist.byKref.size, clist.byVref.size);
  const numbering = clist.numbering.get('');
  expect(`c-list of ${id} has its numbering`, numbering !== undefined, true);
  for (const [vref, { kref }] of clist.byVref.entries()) {
    expect(`c-list of ${id}: the vref of ${kref}`, clist.byKref.get(kref)?.vref, vref);
    const type = typeOfVref(vref);
    expect(`c-list of ${id}: type of ${vref}`, letters[type], kref[1]);
    if (type === 'promise')
      expect(`${kref}, held by ${id}, is there`, promises.find(kref) !== undefined, true);
    if (isAllocatedByVat(vref)) {
      if (type !== 'promise')
        expect(`owner of ${kref}, export ${vref} of ${id}`, owners.get(kref), id);
    } else if (numbering !== undefined) {
      const { nextObject, nextPromise, nextDevice } = numbering;
      const next = { object: nextObject, promise: nextPromise, device: nextDevice }[type];
      expect(`c-list of ${id}: ${vref} was allocated`, Number(vref.slice(2)) < next, true);
    }
  }
};

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditPromises = ({ promises, vats, held, figures }, expect) => {
  for (const [kref, row] of promises.table.entries()) {
    const { state, decider, subscribers, parked, data } = row;
    expect(
      `${kref} was allocated`,
      Number(kref.slice(2)) < figures.numbers[figure.nextPromise],
      true,
    );
    if (state === 'unresolved') {
      expect(`data of ${kref}, which is unresolved`, data, null);
      if (decider !== '') {
        expect(`${decider}, which decides ${kref}, is running`, vats.isRunning(decider), true);
        expect(
          `${decider} holds ${kref}, which it decides`,
          vats.clist(decider).findVref(kref) !== undefined,
          true,
        );
      }
      expect(`subscribers of ${kref} that differ`, new Set(subscribers).size, subscribers.length);
      for (const vatId of subscribers) {
        if (!vats.isRunning(vatId)) continue;
        expect(
          `${vatId} holds ${kref}, to which it subscribes`,
          vats.clist(vatId).findVref(kref) !== undefined,
          true,
        );
      }
    } else {
      expect(`decider of ${kref}, which is settled`, decider, '');
      expect(`subscribers of ${kref}, which is settled`, subscribers.length, 0);
      expect(`messages parked on ${kref}, which is settled`, parked.length, 0);
      expect(`${kref}, which is settled, has data`, data !== null, true);
      const sole = data === null ? undefined : findSoleSlot(data);
      const isPresence = sole !== undefined && isObjectKref(sole);
      if (state !== 'rejected') expect(`state of ${kref}`, state, isPresence ? 'presence' : 'data');
    }
  }
  for (const [kref, count] of held.entries()) {
    expect(
      `${kref}, held ${count} times by the host, is there`,
      promises.find(kref) !== undefined && count > 0,
      true,
    );
  }
};

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditQueue = ({ queue, now, figures, vats }, expect) => {
  /** @type {Item[]} */
  const items = [...queue.inOrder()];
  expect('items in the queue', queue.size, items.length);
  expect(
    'items with numbers of their own',
    new Set(items.map(({ seq }) => seq)).size,
    items.length,
  );
  /** @type {Item | undefined} */
  let previous;
  for (const item of items) {
    const { seq } = item;
    expect(`item ${seq} was allocated`, seq < figures.numbers[figure.nextItem], true);
    // An item of the present tag is there when it waits for its turn; one of an earlier tag was forgotten.
    expect(`item ${seq} is not before the present`, compareTags(item, now) >= 0, true);
    if (previous !== undefined) {
      const order =
        compareTags(previous, item) || previous.class - item.class || previous.seq - seq;
      if (item.class !== classes.reaction)
        expect(`item ${previous.seq} comes before item ${seq}`, order < 0, true);
    }
    if (item.kind !== 'send')
      expect(`vat of item ${seq} is known`, vats.vats.has(item.vatId), true);
    previous = item;
  }
};

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditCounters = (state, expect) => {
  const { counters, promises, vats, queue, figures } = state;
  const record = counters.toRecord();
  for (const [name, { value, up, down, max }] of Object.entries(record)) {
    expect(`${name} is a count`, Number.isSafeInteger(value) && value >= 0, true);
    if (up !== undefined && down !== undefined) expect(`${name}: up less down`, value, up - down);
    if (max !== undefined) expect(`${name} is at most its maximum`, value <= max, true);
    if (max !== undefined && up !== undefined)
      expect(`${name}: the maximum was counted up to`, max <= up, true);
  }
  const states = { unresolved: 0, presence: 0, data: 0, rejected: 0 };
  for (const [, row] of promises.table.entries()) states[row.state] += 1;
  expect('kernelPromises', record.kernelPromises.value, promises.table.size);
  expect('kpUnresolved', record.kpUnresolved.value, states.unresolved);
  expect('kpFulfilledToPresence', record.kpFulfilledToPresence.value, states.presence);
  expect('kpFulfilledToData', record.kpFulfilledToData.value, states.data);
  expect('kpRejected', record.kpRejected.value, states.rejected);
  const messages = [...queue.inOrder()].filter(item => item.class === classes.message).length;
  expect('runQueueLength', record.runQueueLength.value, messages);
  const { numbers } = figures;
  expect(
    'kernelObjects counted up',
    record.kernelObjects.up,
    numbers[figure.nextObject] - firstIds.object,
  );
  expect(
    'kernelPromises counted up',
    record.kernelPromises.up,
    numbers[figure.nextPromise] - firstIds.promise,
  );
  expect(
    'kernelDevices counted up',
    record.kernelDevices.up,
    numbers[figure.nextDevice] - firstIds.device,
  );
  const entries = vats.vatIds().reduce((sum, vatId) => sum + vats.clist(vatId).size, 0);
  const counted = record.clistEntries.value;
  if (!(keepsEndedBooks(state) && counted > entries)) expect('clistEntries', counted, entries);
};
