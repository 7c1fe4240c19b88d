// Handles: what stands in the host for objects of vats. A handle is one object for each object of the run, as long as the
// host holds that; every answer that brings it counts, and `release` lets go of it once. While it is held no collection
// takes the object away. Which ones are held is in the state, so that a process that takes it up lets go of what the
// one before it held without a name.
//
//   host.handle.KREF   ''              held by handles of the process that runs
//   host.kept.NAME     [KREF, IFACE]   kept under a name, over processes

import { isDeviceKref, quote, showInLine, UserError } from '#model';
import { Remotable } from '#vat';

/** @import { Kernel } from '#kernel' */

/**
 * An object of a vat, for the host: it can be sent to (`call`, `send`), passed as an argument, released and kept. It has no
 * methods of its own.
 *
 * @typedef {object} Handle
 */

/** @typedef {{ kref: string, iface: string, handle: Handle, count: number }} Entry  `count`: 0 when released */

const handlePrefix = 'host.handle.';
const keptPrefix = 'host.kept.';

const mostNameLength = 200;

const handleKey = (/** @type {string} */ kref) => /** @type {const} */ (`${handlePrefix}${kref}`);

/** @param {string} name @returns {`host.kept.${string}`} */
const keptKey = name => {
  const isText = typeof name === 'string' && name.length > 0 && name.length <= mostNameLength;
  if (!isText || !name.isWellFormed())
    throw new UserError(
      `a handle is kept under a name of 1 to ${mostNameLength} characters, got ${quote(name)}`,
    );
  return `${keptPrefix}${name}`;
};

/** The most characters of an interface's name that a handle shows. */
const mostInterfaceLength = 1_000;

/** @param {string | undefined} alleged  by a vat: any text, which a host program may print @param {string} kref */
const chooseInterface = (alleged, kref) => {
  const iface = alleged === undefined ? undefined : showInLine(alleged, mostInterfaceLength);
  if (iface === undefined) return `Alleged: ${isDeviceKref(kref) ? 'device' : 'object'} ${kref}`;
  return iface === 'Remotable' || /^(Alleged|DebugName): /.test(iface)
    ? iface
    : `Alleged: ${iface}`;
};

export class Handles {
  #kernel;

  /** @type {Map<string, Entry>} by kref */
  #entries = new Map();

  /** @type {WeakMap<object, Entry>} */
  #byHandle = new WeakMap();

  /** @param {Pick<Kernel, 'hold' | 'release' | 'setHostValue' | 'getHostValue'>} kernel */
  constructor(kernel) {
    this.#kernel = kernel;
  }

  /**
   * Let go of what a process before this one held without a name.
   *
   * @param {Iterable<[key: string, value: string]>} entries  values of the host
   */
  dropStale(entries) {
    for (const [key] of entries) {
      if (!key.startsWith(handlePrefix)) continue;
      const kref = key.slice(handlePrefix.length);
      this.#kernel.release(kref);
      this.#kernel.setHostValue(handleKey(kref), undefined);
    }
  }

  /**
   * The handle of an object, held once more. Between cranks.
   *
   * @param {string} kref
   * @param {string} [iface]
   * @returns {Handle}
   */
  take(kref, iface) {
    const known = this.#entries.get(kref);
    if (known !== undefined) {
      known.count += 1;
      return known.handle;
    }
    this.#kernel.hold(kref);
    this.#kernel.setHostValue(handleKey(kref), '');
    const chosen = chooseInterface(iface, kref);
    const entry = { kref, iface: chosen, handle: Remotable(chosen), count: 1 };
    this.#entries.set(kref, entry);
    this.#byHandle.set(entry.handle, entry);
    return entry.handle;
  }

  /** @param {unknown} value @returns {value is Handle} whether it is a handle, held or not */
  isHandle(value) {
    return typeof value === 'object' && value !== null && this.#byHandle.has(value);
  }

  /**
   * @param {unknown} handle
   * @param {string} [subject]  what was given, for the message
   * @returns {Entry}
   * @throws {UserError} it is none of this simulation, or was released
   */
  require(handle, subject = 'an object of the arguments') {
    const entry =
      typeof handle === 'object' && handle !== null ? this.#byHandle.get(handle) : undefined;
    if (entry === undefined)
      throw new UserError(
        `${subject} is no handle of this simulation; call() and find(name) return handles`,
      );
    if (entry.count === 0)
      throw new UserError(`the handle ${quote(entry.iface)} (${entry.kref}) was released already`);
    return entry;
  }

  /**
   * Let go once. Between cranks.
   *
   * @param {unknown} handle
   */
  release(handle) {
    const entry = this.require(handle);
    entry.count -= 1;
    if (entry.count > 0) return;
    this.#entries.delete(entry.kref);
    this.#kernel.release(entry.kref);
    this.#kernel.setHostValue(handleKey(entry.kref), undefined);
  }

  /**
   * Keep an object under a name: as long as it is not forgotten, over processes. Another one of that name is forgotten.
   *
   * @param {string} name
   * @param {unknown} handle
   */
  keep(name, handle) {
    const key = keptKey(name);
    const { kref, iface } = this.require(handle);
    this.#kernel.hold(kref);
    this.forget(name);
    this.#kernel.setHostValue(key, JSON.stringify([kref, iface]));
  }

  /**
   * @param {string} name
   * @returns {Handle | undefined} the handle of what was kept, held once more
   */
  find(name) {
    const kept = this.#kernel.getHostValue(keptKey(name));
    if (kept === undefined) return undefined;
    const [kref, iface] = JSON.parse(kept);
    return this.take(kref, iface);
  }

  /** @param {string} name  let go of; nothing happens if there is none */
  forget(name) {
    const key = keptKey(name);
    const kept = this.#kernel.getHostValue(key);
    if (kept === undefined) return;
    this.#kernel.release(JSON.parse(kept)[0]);
    this.#kernel.setHostValue(key, undefined);
  }

  /** How many objects are held. */
  get size() {
    return this.#entries.size;
  }
}
