// Presences that a vat has disavowed: it told the kernel that it drops them while its code may still hold them. A vat
// that names one afterwards, as a target or in data, ends with a failure, as under SwingSet's liveslots.

import { typeOfVref } from '#model';
import { findHandle } from '../eventual-send/index.js';
import { isImport } from './references.js';

/** @import { References } from './references.js' */
/** @import { SyscallBuffer } from './syscall-buffer.js' */
/** @import { VirtualPart } from './virtual-part.js' */

/**
 * @typedef {object} DisavowalParts
 * @property {SyscallBuffer} syscalls
 * @property {References} references
 * @property {VirtualPart} virtual
 * @property {(reason: Error) => void} exitWithFailure
 */

const reason = 'this Presence has been disavowed';

/** As SwingSet's error texts hide a value. @param {unknown} value */
const hide = value =>
  typeof value === 'object' || value === undefined ? `(an ${typeof value})` : `(a ${typeof value})`;

export class Disavowals {
  #parts;

  /** @type {WeakSet<object>} */
  #presences = new WeakSet();

  /** @param {DisavowalParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.disavow = harden(this.disavow.bind(this));
  }

  /**
   * The vat power. The kernel may collect the object, and weak collections do not find the presence any more. If the
   * object comes back, it gets another presence.
   *
   * @param {any} presence  of an object of another vat
   * @throws {Error} it is no presence, or was disavowed before, or virtual data names it
   */
  disavow(presence) {
    const { syscalls, references, virtual } = this.#parts;
    const vref = references.findVref(presence);
    if (vref === undefined) throw Error(`attempt to disavow unknown ${hide(presence)}`);
    if (typeOfVref(vref) !== 'object')
      throw Error(`attempt to disavow non-object ${hide(presence)}`);
    if (!isImport(vref)) throw Error('attempt to disavow an export');
    virtual.disavow(vref);
    references.disavow(vref);
    this.#presences.add(presence);
    const handle = findHandle(presence);
    if (handle !== undefined) handle.handler = this.#handler;
    syscalls.tellReferences('dropImports', [vref]);
  }

  /**
   * @param {any} value  without a vref
   * @throws {Error} it was disavowed; the vat then ends with the crank
   */
  insistUsable(value) {
    if (this.#presences.has(value)) this.#fail();
  }

  #fail() {
    const error = harden(Error(reason));
    this.#parts.exitWithFailure(error);
    throw error;
  }

  #handler = Object.freeze({
    applyMethod: () => this.#fail(),
    applyFunction: () => this.#fail(),
    get: () => this.#fail(),
  });
}
