// Maps objects and promises of today's vats to their vrefs, and back.

import { ChurnMap, typeOfVref } from '#model';
import { makeHandledPromiseKit } from '../eventual-send/index.js';
import { isVirtualVref } from '../virtual/vrefs.js';
import { makeImport } from './make-import.js';
import { RemoteObject, RemotePromise } from './remote.js';

/** @import { Disavowals } from './disavowals.js' */
/** @import { References } from './references.js' */
/** @import { QueueMessage } from './remote.js' */
/** @import { SyscallBuffer } from './syscall-buffer.js' */
/** @import { VirtualPart } from './virtual-part.js' */

/**
 * The parts that `VatSlots` calls, connected after they are made.
 *
 * @typedef {{ virtual: VirtualPart, queueMessage: QueueMessage }} SlotPowers
 */

export class VatSlots {
  /** Whether the vat may have a promise, or settle one of the system's: then it may have queued jobs. */
  mayQueueJobs;

  /** Promises that the kernel knows and this vat decides. @type {ChurnMap<string, Promise<unknown>>} */
  decided = new ChurnMap();

  /** For a vat that has the power to disavow. @type {Disavowals | undefined} */
  disavowals = undefined;

  #syscalls;

  #references;

  /** @type {SlotPowers} */
  #powers = /** @type {any} */ (undefined);

  /**
   * Whether a batch of settlements is being read: its new promises then wait; otherwise they are subscribed to at once.
   */
  #isReadingBatch = false;

  /** @type {Set<string> | undefined} */
  #newImports;

  /**
   * @param {SyscallBuffer} syscalls
   * @param {References} references
   * @param {boolean} mayQueueJobs  from the start; see `SupervisorOptions.isSynchronous`
   */
  constructor(syscalls, references, mayQueueJobs) {
    this.#syscalls = syscalls;
    this.#references = references;
    this.mayQueueJobs = mayQueueJobs;
    this.slotOf = this.slotOf.bind(this);
    this.valueOf = this.valueOf.bind(this);
  }

  /** @param {SlotPowers} powers */
  connect(powers) {
    this.#powers = powers;
  }

  /** The vref of a value; allocated if it has none. @param {any} value */
  slotOf(value) {
    const references = this.#references;
    const known = references.findVref(value);
    if (known !== undefined) {
      references.mention(known, value);
      return known;
    }
    this.disavowals?.insistUsable(value);
    const vref =
      value instanceof Promise ? references.allocatePromise() : references.allocateExport();
    references.register(vref, value);
    return vref;
  }

  /**
   * The object or promise of a vref; imported if the vat does not have it.
   *
   * @param {string} vref
   * @param {string} [iface]
   * @returns {any}
   */
  valueOf(vref, iface) {
    const known = this.#references.findValue(vref);
    if (known !== undefined) return known;
    const { virtual, queueMessage } = this.#powers;
    if (isVirtualVref(vref)) return virtual.summon(vref);
    if (typeOfVref(vref) !== 'promise') {
      const value = makeImport(vref, iface, new RemoteObject(vref, queueMessage));
      this.#references.register(vref, value);
      return value;
    }
    if (!this.#isReadingBatch) {
      this.#syscalls.subscribe(vref);
    } else {
      this.#newImports ??= new Set();
      this.#newImports.add(vref);
    }
    return this.awaitPromise(vref);
  }

  /** Makes a promise that the kernel will settle. @param {string} vref */
  awaitPromise(vref) {
    this.mayQueueJobs = true;
    const kit = makeHandledPromiseKit(new RemotePromise(vref, this.#powers.queueMessage));
    this.#references.registerAwaited(vref, kit, kit.settled);
    return kit.settled;
  }

  /** Whether the vat settles a promise itself, or has settled it. @param {string} vref */
  isDecided(vref) {
    return this.decided.has(vref) || this.#references.isSettledLater(vref);
  }

  /** Begins a batch of settlements: new promises in its data wait for its end. */
  beginBatch() {
    this.#isReadingBatch = true;
    this.#newImports = undefined;
  }

  /** Called when all data of the batch is read. */
  endReading() {
    this.#isReadingBatch = false;
  }

  /** Removes a new promise that the batch settled. @param {string} vref */
  forgetNew(vref) {
    this.#newImports?.delete(vref);
  }

  /** Subscribes to the new promises that the batch did not settle. */
  subscribeToNew() {
    if (this.#newImports === undefined) return;
    for (const vref of [...this.#newImports].sort()) this.#syscalls.subscribe(vref);
  }
}
