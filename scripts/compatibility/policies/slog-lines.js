// Turns a host program's slog and what its run policies were told into lines that two kernels share.
//
// Left out is what differs by design (packages/swingset/README.md): routing, the cranks that tell vats of objects
// (SwingSet has more of them), what vatAdmin does, times, numbers of cranks, reads and writes of vats' stores. Lines of a
// crank are in three streams, since here syscalls are written behind what the vat prints.

import { markName, retireLine } from '../deliveries/names.js';

/** @typedef {'cranks' | 'syscalls' | 'printed'} Stream */

/** Deliveries that tell a vat of objects. */
const aboutObjects = new Set([
  'dropExports',
  'retireExports',
  'retireImports',
  'negated-gc-action',
]);

/** @param {any} entry  a `crank-start` */
export const isAboutObjects = ({ message }) => aboutObjects.has(message.type);

/** Entries of the start of a process and of its workers. */
const ofProcess = /^(import-kernel|kernel-|(start|finish)-replay|bundle|heap-snapshot)/;

const ofSyscalls = new Set(['syscall', 'syscall-result']);

const leftOut = new Set(['time', 'monotime', 'seconds', 'crankNum', 'crankhash', 'activityhash']);
leftOut.add('syscallNum');

/** The fields of a vat that has no name, which has that of its bundle here. */
const namesOfVats = new Set(['name', 'description']);

/** Ids of bundles; those of the system's vats are names here. */
export const bundleIds = /\bb1-[0-9a-f]+|(?<=bundleID: )vatAdmin/g;

/** A vat that has no name has that of its bundle here. */
export const nameOfBundle = /,"name":"actor"|"name":"actor",/g;

/** @param {unknown} value */
const asText = value =>
  JSON.stringify(value)
    .replaceAll(/\bk[opd]\d+\b/g, markName)
    .replaceAll(/\berror:liveSlots:v\d+#\d+/g, markName)
    // SwingSet's messages of devices have it.
    .replaceAll(',"result":null', '')
    .replaceAll(bundleIds, '')
    .replaceAll(nameOfBundle, '');

/** @param {any} entry */
const isOfStore = ({ syscall }) => syscall?.startsWith('vatstore');

class Lines {
  /** @type {Record<Stream, string[]>} */
  streams = { cranks: [], syscalls: [], printed: [] };

  /** Deliveries of each vat that are left out. @type {Map<string, number>} */
  #uncounted = new Map();

  /** Objects that vats have exported, by vat and vref. @type {Set<string>} */
  #exported = new Set();

  #isHidden = false;

  /** Id of vatAdmin. */
  #admin = '';

  /** @param {any} entry  of a crank that is left out */
  #hide({ type, vatID, kd }) {
    if (type === 'crank-finish') this.#isHidden = false;
    if (type !== 'deliver') return;
    this.#uncounted.set(vatID, (this.#uncounted.get(vatID) ?? 0) + 1);
    if (kd[0] === 'retireExports')
      for (const lines of Object.values(this.streams)) lines.push(retireLine(kd[1]));
  }

  /** @param {any} entry */
  #describe({ deliveryNum, ...entry }) {
    const isUnnamed = entry.type === 'create-vat' && entry.dynamic;
    // VatAdmin numbers its objects in its own way.
    const isOfAdmin = entry.vatID === this.#admin;
    const fields = Object.entries(entry)
      .filter(([name]) => !leftOut.has(name) && !(isUnnamed && namesOfVats.has(name)))
      .filter(([name]) => name !== 'vd' || !isOfAdmin)
      // In an order of their own.
      .sort(([left], [right]) => (left < right ? -1 : 1));
    const number = deliveryNum - (this.#uncounted.get(entry.vatID) ?? 0);
    return Object.fromEntries([
      ...fields,
      ...(deliveryNum === undefined ? [] : [['deliveryNum', number]]),
    ]);
  }

  /** @param {any} entry */
  #streamOf(entry) {
    const { type, mode, source, vatID } = entry;
    // Liveslots reports errors to the console; here an observer gets them.
    if (type === 'console') return source === 'vat' ? 'printed' : undefined;
    const isOfAdmin = vatID === this.#admin;
    if (!ofSyscalls.has(type) && mode !== 'export')
      return isOfAdmin && type === 'clist' ? undefined : 'cranks';
    return isOfAdmin || isOfStore(entry) ? undefined : 'syscalls';
  }

  /** SwingSet retires an object at once that nobody has, and exports it anew. @param {any} entry */
  #isExportedAgain({ type, mode, vatID, vobj }) {
    if (type !== 'clist' || mode !== 'export' || !vobj.startsWith('o')) return false;
    const name = `${vatID} ${vobj}`;
    const isAgain = this.#exported.has(name);
    this.#exported.add(name);
    return isAgain;
  }

  /** @param {any} entry  of the slog, or of the host program */
  add(entry) {
    const { type, vatID, name } = entry;
    if (ofProcess.test(type)) return;
    if (type === 'create-vat' && name === 'vatAdmin') this.#admin = vatID;
    if (type === 'crank-start') {
      const { crankType, message } = entry;
      const isOfAdmin = message.type === 'startVat' && message.vatID === this.#admin;
      this.#isHidden = crankType === 'routing' || isAboutObjects(entry) || isOfAdmin;
    }
    if (this.#isHidden) {
      this.#hide(entry);
      return;
    }
    if (this.#isExportedAgain(entry)) return;
    const stream = this.#streamOf(entry);
    if (stream !== undefined) this.streams[stream].push(asText(this.#describe(entry)));
  }
}

/** @param {readonly any[]} slog @returns {Record<Stream, string[]>} lines with marked names */
export const linesOf = slog => {
  const lines = new Lines();
  for (const entry of slog) lines.add(entry);
  return lines.streams;
};
