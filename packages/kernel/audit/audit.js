// The audit: recounts from the tables everything that the kernel keeps by adding and subtracting. A difference is a bug
// of the kernel. It walks through all tables, so it is for tests and for `audit`.

import {
  compareTags,
  findSoleSlot,
  isAllocatedByVat,
  isDeviceKref,
  isObjectKref,
  isPromiseKref,
  numberOfId,
  quote,
  typeOfVref,
} from '#model';
import { classes } from '#schedule';
import { auditReactors } from './audit-reactors.js';
import { auditReferenceCounts, keepsEndedBooks } from './audit-references.js';
import { auditHolders } from './audit-holders.js';
import { cleanupBudgetOf } from '../lifecycle/cleanup-budget.js';
import { figure } from '../tables/figures.js';
import { isControl } from '../tables/queue-item.js';

/** @import { CList } from '../tables/clist.js' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { KernelState } from '../tables/state.js' */

/** @typedef {(subject: string, got: unknown, wanted: unknown) => void} Expect */

/** The first identifiers: `ko20`, `kp40`, `kd30`. */
const firstIds = { object: 20, promise: 40, device: 30 };

/**
 * Recount everything. To be called between cranks.
 *
 * A profile may leave the books of an ended vat's c-list as they were; then reference counts and `clistEntries` may
 * exceed the recount, and the audit checks only that they are not smaller.
 *
 * @param {KernelState} state
 * @returns {string[]} a line for each difference, empty if the books are right
 */
export const audit = state => {
  /** @type {string[]} */
  const differences = [];
  /** @type {Expect} */
  const expect = (subject, got, wanted) => {
    if (got !== wanted) differences.push(`${subject}: ${quote(got)}, should be ${quote(wanted)}`);
  };
  auditVats(state, expect);
  auditEnds(state, expect);
  auditOwners(state, expect);
  auditHolders(state, expect);
  auditReferenceCounts(state, expect);
  auditPromises(state, expect);
  auditQueue(state, expect);
  auditReactors(state, expect);
  auditCounters(state, expect);
  return differences;
};

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditVats = (state, expect) => {
  const { vats, owners, figures } = state;
  const { numbers } = figures;
  for (const vatId of vats.vatIds()) {
    expect(`vat ${vatId} was allocated`, numberOfId(vatId) < numbers[figure.nextVat], true);
    const { isStatic, parameterSlots } = vats.require(vatId);
    if (vats.isRunning(vatId)) {
      auditCList(state, vatId, vats.clist(vatId), expect);
      expect(`c-list of ${vatId} has a root`, !isStatic || hasRoot(state, vatId), true);
      for (const kref of parameterSlots)
        expect(`${kref}, a parameter of ${vatId}, is no promise`, isPromiseKref(kref), false);
    } else {
      expect(`row of ${vatId}, which has ended`, isStatic || vats.ending.has(vatId), true);
    }
  }
  const running = vats.vatIds().filter(vatId => vats.isRunning(vatId)).length;
  expect('the number of running vats', vats.running, running);
  for (const deviceId of vats.deviceIds()) {
    expect(
      `device ${deviceId} was allocated`,
      numberOfId(deviceId) < numbers[figure.nextDeviceId],
      true,
    );
    const clist = vats.clist(deviceId);
    auditCList(state, deviceId, clist, expect);
    const root = clist.findKref('d+0');
    expect(`root of device ${deviceId}`, root !== undefined && owners.get(root), deviceId);
    for (const { kref } of clist.pairs())
      expect(`${kref}, held by device ${deviceId}, is no promise`, isPromiseKref(kref), false);
  }
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 */
const hasRoot = ({ vats }, vatId) => vats.clist(vatId).findKref('o+0') !== undefined;

/**
 * The streams of vats' transcripts, by vat.
 *
 * @param {KernelState} state
 */
const findSpans = state => {
  /** @type {Map<string, string[]>} */
  const spans = new Map();
  for (const name of state.streamNames()) {
    const [kind, vatId] = name.split('.');
    if (kind === 't') spans.set(vatId, [...(spans.get(vatId) ?? []), name]);
  }
  return spans;
};

/**
 * An ending vat may keep some of its c-list, its keys and its transcript; an ended vat keeps nothing, or only the row of a
 * vat of the config.
 *
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditEnds = (state, expect) => {
  const { vats, vatstore, figures, queue, profile } = state;
  const waiting = [...queue.inOrder()].filter(({ kind }) => kind === 'cleanUp');
  // The host may have forbidden deletion for now.
  const isQueued = profile.cleansUpInCranks && cleanupBudgetOf(state) !== false;
  for (const vatId of vats.ending.keys()) {
    expect(`state of ${vatId}, which is ending`, vats.vats.get(vatId)?.state, 'ended');
    auditCList(state, vatId, vats.clist(vatId), expect);
    expect(
      `clean-up items of ${vatId}`,
      waiting.filter(item => item.vatId === vatId).length,
      isQueued ? 1 : 0,
    );
  }
  for (const { seq, vatId } of waiting)
    expect(`vat ${vatId} of clean-up item ${seq} is ending`, vats.ending.has(vatId), true);
  const withKeys = vatstore.owners();
  const spans = findSpans(state);
  for (let number = 1; number < figures.numbers[figure.nextVat]; number += 1) {
    const vatId = `v${number}`;
    if (vats.isRunning(vatId) || vats.ending.has(vatId)) continue;
    if (vats.vats.has(vatId)) {
      const { byVref, byKref } = vats.clist(vatId);
      expect(`c-list entries of the ended vat ${vatId}`, byVref.size + byKref.size, 0);
    }
    expect(`the ended vat ${vatId} has keys`, withKeys.has(vatId), false);
    expect(`transcripts of the ended vat ${vatId}`, spans.get(vatId)?.length ?? 0, 0);
  }
  for (const [vatId, names] of spans)
    if (vats.vats.has(vatId))
      for (const name of names)
        expect(`a transcript of vat ${vatId}`, name, state.transcriptStreamOf(vatId));
  for (const id of withKeys)
    expect(`${id}, which has keys, is known`, vats.vats.has(id) || vats.devices.has(id), true);
};

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditOwners = ({ vats, owners, figures }, expect) => {
  for (const [kref, id] of owners.entries()) {
    const isVat = isObjectKref(kref);
    const isThere = isVat ? vats.isRunning(id) || vats.ending.has(id) : vats.devices.has(id);
    expect(
      isVat ? `vat ${id}, which owns ${kref}, is running` : `device ${id} of ${kref} is there`,
      isThere,
      true,
    );
    const vref = isThere ? vats.clist(id).findVref(kref) : undefined;
    expect(`${kref} is an export of ${id}`, vref !== undefined && isAllocatedByVat(vref), true);
    const next = figures.numbers[isVat ? figure.nextObject : figure.nextDevice];
    expect(`${kref} was allocated`, Number(kref.slice(2)) < next, true);
  }
};

/** Types of references as krefs and vrefs write them. */
const letters = { object: 'o', promise: 'p', device: 'd' };

/**
 * @param {KernelState} state
 * @param {string} id  of a vat that runs or is ending, or of a device
 * @param {CList} clist
 * @param {Expect} expect
 */
const auditCList = ({ owners, promises }, id, clist, expect) => {
  const others = [...clist.pairs()].filter(({ promise }) => promise === null);
  expect(`c-list of ${id}: krefs`, clist.byKref.size, others.length);
  const numbering = clist.numbering.get('');
  expect(`c-list of ${id} has its numbering`, numbering !== undefined, true);
  for (const [vref, { kref, promise }] of clist.byVref.entries()) {
    expect(`c-list of ${id}: the vref of ${kref}`, clist.findVref(kref), vref);
    const type = typeOfVref(vref);
    expect(`c-list of ${id}: type of ${vref}`, letters[type], kref[1]);
    if (type === 'promise')
      expect(`${kref}, held by ${id}, is there`, promises.find(kref) !== undefined, true);
    expect(`c-list of ${id}: row of ${kref}`, promise === (promises.find(kref) ?? null), true);
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
      (!isPromiseKref(kref) || promises.find(kref) !== undefined) && count > 0,
      true,
    );
  }
};

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditQueue = (state, expect) => {
  const { queue, now, figures } = state;
  const all = [...queue.inOrder()];
  expect('items in the queue', queue.size, all.length);
  // Reactions follow from other tables (auditReactors).
  /** @type {Item[]} */
  const items = all.filter(({ kind }) => kind !== 'react');
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
    // An item of the present tag may still wait for its turn; an item of an earlier tag was forgotten.
    expect(`item ${seq} is not before the present`, compareTags(item, now) >= 0, true);
    if (previous !== undefined) {
      const order =
        compareTags(previous, item) || previous.class - item.class || previous.seq - seq;
      if (item.class !== classes.reaction)
        expect(`item ${previous.seq} comes before item ${seq}`, order < 0, true);
    }
    // Only wake-ups are queued for a later time.
    const isNear = item.timeNs === now.timeNs && item.microstep <= now.microstep + 1;
    const isLater = item.kind === 'wake' && item.timeNs > now.timeNs && item.microstep === 0;
    expect(`item ${seq} is not too far ahead`, isNear || isLater, true);
    auditItem(state, item, expect);
    previous = item;
  }
  const collections = items.filter(({ kind }) => kind === 'collect').length;
  expect('collections that are queued', collections, queue.hasCollection ? 1 : 0);
  const wakes = items.filter(({ kind }) => kind === 'wake');
  const asText = (/** @type {Item} */ { target, timeNs }) => `${target} at ${timeNs}`;
  expect('wake-ups of their own', new Set(wakes.map(asText)).size, wakes.length);
  const indexed = queue.index.all();
  expect(
    'wake-ups that are found',
    indexed
      .filter(({ kind }) => kind === 'wake')
      .map(asText)
      .sort()
      .join(', '),
    wakes.map(asText).sort().join(', '),
  );
  const starts = items.filter(it => it.kind === 'start' && it.class === classes.message);
  expect(
    'starts that are found',
    indexed
      .filter(({ kind }) => kind === 'start')
      .map(it => it.vatId)
      .sort()
      .join(', '),
    starts
      .map(({ vatId }) => vatId)
      .sort()
      .join(', '),
  );
};

/**
 * The class that an item must have. Starts of vats created in the run, and upgrades with the `bringOutYourDead` before
 * them, come in turn among messages. Once a vat is gone, nothing says whether the run created it.
 *
 * @param {KernelState} state
 * @param {Item} item
 */
const classOf = ({ vats, queue }, item) => {
  const { kind, vatId, class: itemClass } = item;
  if (!isControl(item)) return classes.message;
  if (kind === 'upgrade') return classes.message;
  if (kind === 'start') {
    const row = vats.vats.get(vatId);
    if (row === undefined) return itemClass;
    return row.isStatic ? classes.control : classes.message;
  }
  const isOfUpgrade =
    kind === 'bringOutYourDead' &&
    itemClass === classes.message &&
    [...queue.inOrder()].some(it => it.kind === 'upgrade' && it.vatId === vatId);
  return isOfUpgrade ? classes.message : classes.control;
};

/**
 * Checks an item by its kind. Its vat may have ended since.
 *
 * @param {KernelState} state
 * @param {Item} item
 * @param {Expect} expect
 */
const auditItem = (state, item, expect) => {
  const { seq, kind, vatId, target, message, promise, class: itemClass } = item;
  const { vats, promises, owners, figures, profile } = state;
  const isOfControl = isControl(item);
  expect(`class of item ${seq}`, itemClass, classOf(state, item));
  expect(`item ${seq} has a message`, message !== null, kind === 'send' || kind === 'upgrade');
  const named = (kind === 'notify' ? target : message?.result) ?? '';
  expect(
    `item ${seq} has the row of its promise`,
    promise === (promises.find(named) ?? null),
    true,
  );
  const isRouted = kind === 'send' && profile.routesWhenSent && isObjectKref(target);
  if (isRouted && owners.has(target)) {
    expect(`vat of item ${seq}`, vatId, owners.get(target));
  } else if (isRouted || (kind !== 'collect' && (isOfControl || kind === 'notify'))) {
    const isAllocated = /^v\d+$/.test(vatId) && numberOfId(vatId) < figures.numbers[figure.nextVat];
    expect(`vat of item ${seq} is known`, isAllocated, true);
  } else {
    expect(`vat of item ${seq}`, vatId, '');
  }
  if (kind === 'wake')
    expect(`device ${target} of wake-up ${seq} is there`, vats.devices.has(target), true);
  if (kind === 'notify')
    expect(
      `${target}, of which item ${seq} tells, is settled`,
      promises.find(target)?.data === null,
      false,
    );
  if (kind !== 'start') return;
  expect(`the profile has start items such as ${seq}`, profile.startsVatsInCranks, true);
  if (!vats.isRunning(vatId)) return;
  const { length } = state.readStream(state.transcriptStreamOf(vatId));
  expect(`bytes in the transcript of ${vatId}, which has not started`, length, 0);
  expect(`${vatId}, which has not started, has a root`, hasRoot(state, vatId), true);
};

/**
 * @param {KernelState} state
 * @param {Expect} expect
 */
const auditCounters = (state, expect) => {
  const { counters, promises, vats, queue, figures, owners, profile } = state;
  const record = counters.toRecord();
  for (const [name, { value, up, down, max }] of Object.entries(record)) {
    expect(`${name} is a count`, Number.isSafeInteger(value) && value >= 0, true);
    if (up !== undefined && down !== undefined) expect(`${name}: up less down`, value, up - down);
    if (max !== undefined) expect(`${name} is at most its maximum`, value <= max, true);
    if (max !== undefined && up !== undefined)
      expect(`${name}: the maximum was counted up to`, max <= up, true);
  }
  const states = { unresolved: 0, presence: 0, data: 0, rejected: 0 };
  let uncounted = 0;
  for (const [, row] of promises.table.entries()) {
    if (row.isUncounted) uncounted += 1;
    else states[row.state] += 1;
  }
  expect('kernelPromises', record.kernelPromises.value, promises.table.size - uncounted);
  expect('kpUnresolved', record.kpUnresolved.value, states.unresolved);
  expect('kpFulfilledToPresence', record.kpFulfilledToPresence.value, states.presence);
  expect('kpFulfilledToData', record.kpFulfilledToData.value, states.data);
  expect('kpRejected', record.kpRejected.value, states.rejected);
  if (record.promiseQueuesLength !== undefined)
    expect('promiseQueuesLength', record.promiseQueuesLength.value, promises.parked.size);
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
  const nodes = [...owners.keys()].filter(isDeviceKref).length;
  expect('kernelDevices', record.kernelDevices.value, nodes);
  if (!profile.keepsEndedBooks)
    expect('kernelObjects', record.kernelObjects.value, owners.size - nodes);
  const entries = vats.vatIds().reduce((sum, vatId) => sum + vats.clist(vatId).size, 0);
  const counted = record.clistEntries.value;
  if (!(keepsEndedBooks(state) && counted > entries)) expect('clistEntries', counted, entries);
};
