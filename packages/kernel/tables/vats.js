// The vats and devices: who there is, under which name, and in which state. A vat's c-list, its key-value store
// and its transcript are reached from here.

import { forms, compareIds, Fail, isObjectKref, numberOfId } from '#model';
import { figure } from './figures.js';
import { Row, rowsAsJson, Table } from './journal.js';
import { ChangedLists, CList } from './clist.js';

/** @import { Counters } from './counters.js' */
/** @import { Figures } from './figures.js' */
/** @import { Holders } from './holders.js' */
/** @import { Journal } from './journal.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */
/** @import { PromiseKeeper } from './promises.js' */
/** @import { ByteWriter, Tag } from '#model' */
/** @import { Transport } from '../crank/flight.js' */
/** @import { Reaped } from '../collection/reaper.js' */
/** @import { ReactorEntry } from '../reactors/reactor-rows.js' */

const { count, flag, oneOf, orAbsent, record, recordOf, text, texts } = forms;

/**
 * @typedef {object} VatFields
 * @property {string} name
 * @property {boolean} isStatic  from the config
 * @property {boolean} isBuiltIn  comes with the system
 * @property {boolean} pipelining  takes messages for promises that it has still to settle
 * @property {string} source  what the host makes the vat from (a bundle's id)
 * @property {string} parameters  body of capdata
 * @property {readonly string[]} parameterSlots  krefs of objects and devices that the parameters name
 * @property {Record<string, unknown>} options
 */

/**
 * Options as they are when the row is read again, without those that are undefined: whoever asks for them may not see whether
 * the run was resumed.
 *
 * @param {Record<string, unknown>} options
 * @returns {Record<string, unknown>}
 */
const asReadBack = options => JSON.parse(JSON.stringify(options));

class VatRow extends Row {
  /** @type {'running' | 'ended'} */
  state = 'running';

  holdsDevice = false;

  /** Whether it ended by a fault, or by itself with a failure. Absent from the row otherwise. @type {true | undefined} */
  hasFailed = undefined;

  /** How often the vat has been upgraded: its transcript is that of this life. */
  incarnation = 0;

  /** The tag at which the interval of its requests for dead references changed last. @type {Tag | undefined} */
  reapChange = undefined;

  /** The number of the first promise that this incarnation may allocate, if earlier ones have left some. @type {number | undefined} */
  firstPromise = undefined;

  /** @param {VatFields} fields */
  constructor(fields) {
    super();
    this.name = fields.name;
    this.isStatic = fields.isStatic;
    this.isBuiltIn = fields.isBuiltIn;
    this.pipelining = fields.pipelining;
    this.source = fields.source;
    this.parameters = fields.parameters;
    this.parameterSlots = fields.parameterSlots;
    this.options = asReadBack(fields.options);
  }
}

const vatForms = Object.freeze({
  state: oneOf(['running', 'ended']),
  holdsDevice: flag,
  hasFailed: orAbsent(oneOf([true])),
  incarnation: count,
  reapChange: orAbsent(recordOf({ timeNs: count, microstep: count })),
  firstPromise: orAbsent(count),
  name: text,
  isStatic: flag,
  isBuiltIn: flag,
  pipelining: flag,
  source: text,
  parameters: text,
  parameterSlots: texts,
  options: record,
});

class DeviceRow extends Row {
  /** @param {{ name: string }} fields */
  constructor({ name }) {
    super();
    this.name = name;
  }
}

/** The tables' entry of a vat or a device, found by one look-up in each crank. The kernel's parts keep theirs here. */
export class VatParts {
  /** @type {Transport | undefined} where the vat runs, once that is known (crank/runner.js) */
  transport = undefined;

  /** @type {ByteWriter | undefined} what this block adds to its transcript (state.js) */
  transcript = undefined;

  /** @type {Reaped | undefined} (collection/reaper.js) */
  reaping = undefined;

  /** @type {ReactorEntry | undefined} where its reactors were found last; ask `ReactorKeeper.findOf` (reactors/reactors.js) */
  reactors = undefined;

  /**
   * @param {string} id
   * @param {CList} clist
   * @param {Readonly<VatRow> | undefined} row  of a vat
   */
  constructor(id, clist, row) {
    this.id = id;
    this.number = numberOfId(id);
    this.clist = clist;
    this.row = row;
  }
}

/**
 * @param {CList} clist  as it was loaded
 * @param {string} id  of its vat or device
 * @param {string | undefined} root  an entry that it must have
 * @throws {Error} the store lacks a row of it
 */
const insistRows = (clist, id, root) => {
  if (clist.numbering.get('') === undefined) throw Error(`row "n.${id}." is missing`);
  if (root !== undefined && clist.findKref(root) === undefined)
    throw Error(`row "c.${id}.${root}" is missing`);
};

// eslint-disable-next-line house/max-class-lines -- one table: vats, devices and what has ended, by id and by name
export class VatKeeper {
  #journal;

  #figures;

  #promises;

  #counters;

  #holders;

  /** @type {Map<string, VatParts>} */
  #parts = new Map();

  /** @type {Map<string, string>} ids of static vats by name: they keep their names, and their rows for good */
  #named = new Map();

  #changed = new ChangedLists();

  /** @type {string[]} vats and devices of which nothing may be left */
  #gone = [];

  #running = 0;

  /** @type {number[]} of vats that are ending, and perhaps of some that have ended, the largest first */
  #endingOrder = [];

  /** The parts that were asked for last, cached: a crank is about one vat. @type {VatParts | undefined} */
  #last;

  /**
   * @param {Journal} journal
   * @param {Figures} figures
   * @param {PromiseKeeper} promises
   * @param {Counters} counters
   * @param {Holders | null} holders  null where objects are not collected
   */
  constructor(journal, figures, promises, counters, holders) {
    this.#journal = journal;
    this.#holders = holders;
    this.#figures = figures;
    this.#promises = promises;
    this.#counters = counters;
    /** @type {Table<VatRow>} */
    this.vats = new Table(
      journal,
      rowsAsJson('vat.', vatForms, fields => Object.assign(new VatRow(fields), fields)),
    );
    /** @type {Table<DeviceRow>} */
    this.devices = new Table(
      journal,
      rowsAsJson('device.', { name: text }, fields => new DeviceRow(fields)),
    );
    /** @type {Table<string>} ended vats whose tables are not deleted yet */
    this.ending = new Table(journal, {
      prefix: 'ending.',
      format: text => text,
      parse: text => text,
    });
  }

  /**
   * @param {VatFields} description
   * @returns {string} the new vat's id
   */
  addVat(description) {
    const vatId = `v${this.#figures.allocate(figure.nextVat)}`;
    const row = new VatRow(description);
    this.vats.set(vatId, row);
    this.#countRunning(1);
    this.#figures.raise(figure.mostVats, this.#running);
    this.#makeCList(vatId, row).initialise();
    return vatId;
  }

  /** @param {1 | -1} change */
  #countRunning(change) {
    this.#running += change;
    this.#journal.note({ undo: () => (this.#running -= change) });
  }

  /** @param {string} name */
  addDevice(name) {
    const deviceId = `d${this.#figures.allocate(figure.nextDeviceId)}`;
    this.devices.set(deviceId, new DeviceRow({ name }));
    this.#makeCList(deviceId, undefined).initialise();
    return deviceId;
  }

  /**
   * @param {string} id
   * @param {Readonly<VatRow> | undefined} row  of a vat, whose entries are counted
   */
  #makeCList(id, row) {
    const isCounted = row !== undefined;
    const clist = new CList(
      id,
      this.#journal,
      this.#promises,
      this.#counters,
      isCounted,
      this.#changed,
      this.#holders,
    );
    clist.isHolding = row === undefined || row.state === 'running';
    const parts = new VatParts(id, clist, row);
    if (row?.isStatic) this.#named.set(row.name, id);
    clist.parts = parts;
    this.#parts.set(id, parts);
    this.#journal.note({ undo: () => this.#forget(id) });
    return clist;
  }

  /** @param {string} id  of a vat or a device that is gone */
  #forget(id) {
    const name = this.#parts.get(id)?.row?.name;
    if (name !== undefined && this.#named.get(name) === id) this.#named.delete(name);
    this.#parts.delete(id);
    this.#last = undefined;
  }

  /**
   * A vat runs no more, and what it imports is held by the others alone.
   *
   * @param {string} vatId  running
   */
  end(vatId) {
    const { clist } = this.parts(vatId);
    const row = this.require(vatId);
    this.vats.touch(row);
    row.state = 'ended';
    this.#countRunning(-1);
    const holders = this.#holders;
    if (holders === null) return;
    holders.release(clist);
    this.#journal.note({ undo: () => holders.restore(clist) });
    for (const kref of row.parameterSlots) if (isObjectKref(kref)) holders.suspect(kref);
  }

  /**
   * The vat is about to end with a failure.
   *
   * @param {string} vatId  running
   */
  noteFailure(vatId) {
    const row = this.require(vatId);
    this.vats.touch(row);
    row.hasFailed = true;
  }

  /**
   * The last of an ended vat: its row and its c-list, which is empty.
   *
   * @param {string} vatId
   */
  deleteVat(vatId) {
    this.vats.delete(vatId);
    this.#gone.push(vatId);
  }

  /**
   * Enter a vat that is ending in the order of those that are cleaned up one after the other.
   *
   * @param {string} vatId
   */
  orderEnding(vatId) {
    const number = numberOfId(vatId);
    const order = this.#endingOrder;
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order[middle] > number) low = middle + 1;
      else high = middle;
    }
    if (order[low] !== number) order.splice(low, 0, number);
  }

  /**
   * The vat with the smallest number of those in that order whose tables are not deleted yet. To be asked behind all that
   * could make the kernel drop the crank, for what is deleted by then is forgotten.
   */
  firstEnding() {
    const order = this.#endingOrder;
    for (;;) {
      const number = order.at(-1) ?? Fail`no vat is ending`;
      const vatId = `v${number}`;
      if (this.ending.has(vatId)) return vatId;
      order.pop();
    }
  }

  /** The number of running vats. */
  get running() {
    return this.#running;
  }

  /** @param {string} vatId */
  isRunning(vatId) {
    return this.findParts(vatId)?.row?.state === 'running';
  }

  /** @param {string} vatId */
  require(vatId) {
    return this.vats.get(vatId) ?? Fail`there is no vat ${vatId}`;
  }

  /** @param {string} deviceId */
  requireDevice(deviceId) {
    return this.devices.get(deviceId) ?? Fail`there is no device ${deviceId}`;
  }

  /** @param {string} name */
  findDeviceByName(name) {
    for (const [deviceId, row] of this.devices.entries()) if (row.name === name) return deviceId;
    return undefined;
  }

  /** @param {string} id  of a vat or a device */
  clist(id) {
    return this.parts(id).clist;
  }

  /** @param {string} id  of a vat or a device */
  parts(id) {
    return this.findParts(id) ?? Fail`there is no c-list of ${id}`;
  }

  /** @param {string} id */
  findParts(id) {
    if (this.#last !== undefined && id === this.#last.id) return this.#last;
    const parts = this.#parts.get(id);
    if (parts !== undefined) this.#last = parts;
    return parts;
  }

  /**
   * For vats of the config and of the system: only they can be found by name.
   *
   * @param {string} name
   */
  findVatByName(name) {
    const vatId = this.#named.get(name);
    return vatId !== undefined && this.vats.has(vatId) ? vatId : undefined;
  }

  /** Ids by their numbers: `v2` before `v10`. */
  vatIds() {
    return [...this.vats.keys()].sort(compareIds);
  }

  deviceIds() {
    return [...this.devices.keys()].sort(compareIds);
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    this.vats.collect(puts);
    this.devices.collect(puts);
    this.ending.collect(puts);
    const changed = this.#changed.take();
    for (let i = 0; i < changed.length; i += 1) changed[i].collect(puts);
    if (this.#gone.length > 0) this.#forgetGone();
  }

  #forgetGone() {
    // The crank that deleted one may have been dropped.
    for (const id of this.#gone) if (!this.vats.has(id)) this.#forget(id);
    this.#gone = [];
  }

  /** @param {KernelStore} store */
  load(store) {
    this.vats.load(store);
    this.devices.load(store);
    this.ending.load(store);
    for (const vatId of this.ending.keys()) this.orderEnding(vatId);
    for (const [vatId, row] of this.vats.entries()) {
      const clist = this.#makeCList(vatId, row);
      clist.load(store);
      if (row.state === 'running') this.#running += 1;
      if (row.state === 'running') insistRows(clist, vatId, row.isStatic ? 'o+0' : undefined);
      else if (this.ending.has(vatId)) insistRows(clist, vatId, undefined);
    }
    for (const deviceId of this.devices.keys()) {
      const clist = this.#makeCList(deviceId, undefined);
      clist.load(store);
      insistRows(clist, deviceId, 'd+0');
    }
  }
}
