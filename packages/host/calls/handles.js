// Handles: the host's references to objects of vats. An object of the run has one handle while the host holds it; every
// answer with it increases a count, and `release` decreases it. A held object is not collected. The state records held
// objects, so that a process that resumes the run releases the unnamed handles of the previous one.
//
//   host.handle.KREF   ''              held by a handle of the running process
//   host.kept.NAME     [KREF, IFACE]   kept under a name, across processes

import { describeGiven, isDeviceKref, quote, showInLine, UserError } from '#model';
import { Remotable } from '#vat';

/** @import { Kernel } from '#kernel' */

/**
 * The host's reference to an object of a vat. It is the target of `call` and `send`, and can be passed as an argument,
 * released and kept. It has no methods of its own.
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

/** Bound on the characters of an interface's name. */
const mostInterfaceLength = 1_000;

/** @param {string | undefined} alleged  any text of a vat, which a host program may print @param {string} kref */
const chooseInterface = (alleged, kref) => {
  const iface = alleged === undefined ? undefined : showInLine(alleged, mostInterfaceLength);
  if (iface === undefined) return `Alleged: ${isDeviceKref(kref) ? 'device' : 'object'} ${kref}`;
  return iface === 'Remotable' || /^(Alleged|DebugName): /.test(iface)
    ? iface
    : `Alleged: ${iface}`;
};

/** @param {PropertyKey} method @returns {never} */
const refuseSend = method => {
  throw new UserError(
    `a host program does not send to a handle by E(); call simulation.call(handle, ${quote(String(method))}, [arguments])`,
  );
};

/** How `E` of the host program sends to a handle, if it has one: not at all. */
const refusing = Object.freeze({
  get: (/** @type {object} */ _, /** @type {PropertyKey} */ name) => refuseSend(name),
  applyMethod: (/** @type {object} */ _, /** @type {PropertyKey} */ name) => refuseSend(name),
  applyFunction: () => refuseSend('METHOD'),
});

/** @param {string} iface @returns {Handle} */
const makeHandle = iface => {
  // A shim that the host program has imported (@endo/init).
  const { HandledPromise } = /** @type {any} */ (globalThis);
  /** @type {object | undefined} */
  let presence;
  if (HandledPromise !== undefined)
    new HandledPromise(
      (
        /** @type {unknown} */ _resolve,
        /** @type {unknown} */ _reject,
        /** @type {(handler: object) => object} */ resolveWithPresence,
      ) => {
        presence = resolveWithPresence(refusing);
      },
    );
  return Remotable(iface, undefined, presence);
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
   * Release the unnamed handles of the previous process.
   *
   * @param {Iterable<[key: string, value: string]>} entries  values of the host
   */
  forgetStale(entries) {
    for (const [key] of entries) {
      if (!key.startsWith(handlePrefix)) continue;
      const kref = key.slice(handlePrefix.length);
      this.#kernel.release(kref);
      this.#kernel.setHostValue(handleKey(kref), undefined);
    }
  }

  /**
   * The handle of an object, with its count increased. Between cranks.
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
    const entry = { kref, iface: chosen, handle: makeHandle(chosen), count: 1 };
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
   * @param {string} [subject]  for the error
   * @returns {Entry}
   * @throws {UserError} if it is not a handle of this simulation, or was released
   */
  require(handle, subject = 'an object of the arguments') {
    const entry =
      typeof handle === 'object' && handle !== null ? this.#byHandle.get(handle) : undefined;
    if (entry === undefined)
      throw new UserError(
        `${subject} is no handle of this simulation, got ${describeGiven(handle)}; call() and find(name) return handles`,
      );
    if (entry.count === 0)
      throw new UserError(`the handle ${quote(entry.iface)} (${entry.kref}) was released already`);
    return entry;
  }

  /**
   * Decrease the count of a handle. Between cranks.
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
   * Keep an object under a name, across processes, until `forget`. It replaces another object of that name.
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
   * @returns {Handle | undefined} the handle of the kept object, with its count increased
   */
  find(name) {
    const kept = this.#kernel.getHostValue(keptKey(name));
    if (kept === undefined) return undefined;
    const [kref, iface] = JSON.parse(kept);
    return this.take(kref, iface);
  }

  /** Release the object of a name, if there is one. @param {string} name */
  forget(name) {
    const key = keptKey(name);
    const kept = this.#kernel.getHostValue(key);
    if (kept === undefined) return;
    this.#kernel.release(JSON.parse(kept)[0]);
    this.#kernel.setHostValue(key, undefined);
  }

  /** The number of held objects. */
  get size() {
    return this.#entries.size;
  }
}
