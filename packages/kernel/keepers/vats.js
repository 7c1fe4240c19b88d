// The vats and devices: who there is, under which name, and in which state. A vat's c-list, its key-value store
// and its transcript are reached from here.

import { compareIds, Fail, numberOfId } from '#model';
import { figure } from '../figures.js';
import { Row, rowsAsJson, Table } from '../journal.js';
import { CList } from './clist.js';

/** @import { Counters } from '../counters.js' */
/** @import { Figures } from '../figures.js' */
/** @import { Journal } from '../journal.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */
/** @import { PromiseKeeper } from './promises.js' */
/** @import { ByteWriter } from '#model' */
/** @import { Transport } from '../crank/flight.js' */
/** @import { Reaped } from '../crank/reaper.js' */

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

class VatRow extends Row {
  /** @type {'running' | 'ended'} */
  state = 'running';

  holdsDevice = false;

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
    this.options = fields.options;
  }
}

class DeviceRow extends Row {
  /** @param {{ name: string }} fields */
  constructor({ name }) {
    super();
    this.name = name;
  }
}

/** What belongs to a vat or a device, found by one look-up in each crank. The kernel's parts keep theirs here. */
export class VatParts {
  /** @type {Transport | undefined} where the vat runs, once that is known (crank/runner.js) */
  transport = undefined;

  /** @type {ByteWriter | undefined} what this block adds to its transcript (state.js) */
  transcript = undefined;

  /** @type {Reaped | undefined} (crank/reaper.js) */
  reaping = undefined;

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

export class VatKeeper {
  #journal;

  #figures;

  #promises;

  #counters;

  /** @type {Map<string, VatParts>} */
  #parts = new Map();

  /** Those which were asked for last: a crank is about one vat. @type {VatParts | undefined} */
  #last;

  /**
   * @param {Journal} journal
   * @param {Figures} figures
   * @param {PromiseKeeper} promises
   * @param {Counters} counters
   */
  constructor(journal, figures, promises, counters) {
    this.#journal = journal;
    this.#figures = figures;
    this.#promises = promises;
    this.#counters = counters;
    /** @type {Table<VatRow>} */
    this.vats = new Table(
      journal,
      rowsAsJson('vat.', fields => Object.assign(new VatRow(fields), fields)),
    );
    /** @type {Table<DeviceRow>} */
    this.devices = new Table(
      journal,
      rowsAsJson('device.', fields => new DeviceRow(fields)),
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
    this.#makeCList(vatId, row).initialise();
    return vatId;
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
    const clist = new CList(id, this.#journal, this.#promises, this.#counters, isCounted);
    const parts = new VatParts(id, clist, row);
    clist.parts = parts;
    this.#parts.set(id, parts);
    this.#journal.note({ undo: () => this.#forget(id) });
    return clist;
  }

  /** @param {string} id  of a vat or a device that is gone */
  #forget(id) {
    this.#parts.delete(id);
    this.#last = undefined;
  }

  /**
   * The last of an ended vat: its row and its c-list, which is empty.
   *
   * @param {string} vatId
   */
  deleteVat(vatId) {
    this.vats.delete(vatId);
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

  /** What is written to streams from now on goes to new ones. */
  forgetTranscripts() {
    for (const parts of this.#parts.values()) parts.transcript = undefined;
  }

  /** Of the config's vats and those of the system, which alone are known by their names.
   *
   * @param {string} name */
  findVatByName(name) {
    for (const [vatId, row] of this.vats.entries())
      if (row.isStatic && row.name === name) return vatId;
    return undefined;
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
    const maybeFewer = this.vats.isDirty || this.devices.isDirty;
    this.vats.collect(puts);
    this.devices.collect(puts);
    this.ending.collect(puts);
    // An iterator would make a pair of each.
    this.#parts.forEach(({ clist }, id) => {
      clist.collect(puts);
      if (maybeFewer && !this.vats.has(id) && !this.devices.has(id)) this.#forget(id);
    });
  }

  /** @param {KernelStore} store */
  load(store) {
    this.vats.load(store);
    this.devices.load(store);
    this.ending.load(store);
    for (const [vatId, row] of this.vats.entries()) this.#makeCList(vatId, row).load(store);
    for (const deviceId of this.devices.keys()) this.#makeCList(deviceId, undefined).load(store);
  }
}
