// The options of vats' supervisors; types only.

/** @import { MakeProgram } from './reactor-part.js' */
/** @import { makeD } from './devices.js' */
/** @import { Collector } from './references.js' */
/** @import { VirtualOptions } from './virtual-part.js' */

/**
 * A value that was refused: a method's result, the reason of a rejection, the arguments of a send, or a wrong root
 * object.
 *
 * @typedef {object} Refusal
 * @property {'result' | 'reason' | 'arguments' | 'root'} kind
 * @property {unknown} value
 * @property {unknown} [object]  the object whose method returned or threw it, or another with this method; absent if none did
 * @property {unknown} [method]
 * @property {Promise<unknown>} [returned]  the sender's promise, if arguments were refused
 */

/**
 * @typedef {object} SupervisorOptions
 * @property {string} vatId
 * @property {(vatPowers: Record<string, unknown>, parameters: any) => any} buildRoot  evaluates the vat's source and
 *   builds its root object; may return a promise
 * @property {(powers: BuiltInPowers) => object} [makeRoot]  instead of `buildRoot`: makes the root object at once, for a
 *   vat that comes with the system and needs no start delivery
 * @property {(vatPowers: Record<string, unknown>, parameters: any) => any} [buildReactor]  builds the root reactor, before
 *   the root object; returns `undefined` for a vat without one
 * @property {MakeProgram} [makeProgram]  makes a root reactor run; without it, a vat can have none
 * @property {boolean} [isSynchronous]  whether the vat has no root object and its code can queue promise jobs only
 *   after it is given a promise; then it is not waited for after each crank of its own. Default false
 * @property {Record<string, unknown>} vatPowers  powers beside those that the supervisor adds
 * @property {VirtualOptions} [virtual]  options of the vat's virtual data; without them it has none
 * @property {Collector} [collector]  finds out what the vat does not reach any more; without it nothing is released
 * @property {number} [firstPromise]  in a new incarnation: the first number of a promise that the vat may allocate
 * @property {boolean} [isStatic]  whether it is a vat of the config, which had some more powers in 2020; default true
 * @property {boolean} [usesPassStyle]  whether the vat has code of Endo's that examines how presences are made. Default
 *   false
 * @property {(root: object) => void} [onRoot]  called with the root object when the vat has started
 * @property {(error: unknown, errorId?: string) => void} onSentError  called with each error that leaves the vat, and
 *   with its id if it has one
 * @property {(error: Error) => { name: string, message: string } | undefined} [errorPolicy]  returns name and message
 *   for other vats instead of the error's own; undefined for its own
 * @property {(result: string, returned: Promise<unknown> | undefined) => void} [onSent]  called with the vref of each
 *   message's result and the sender's promise
 * @property {boolean} [enableDisavow]  whether the vat has the power `disavow`, which vats of 2020 never have. Default false
 * @property {boolean} [lenient]  whether objects of methods that were not declared `Far` pass by reference, as in 2020,
 *   and may be a vat's root; default false: SwingSet refuses both
 * @property {(error: unknown, refusal: Refusal) => void} [onRefused]  called when a value was refused; before the error
 *   leaves the vat, if it does
 */

/**
 * The powers of a vat that comes with the system.
 *
 * @typedef {{ vatId: string, D: ReturnType<typeof makeD> }} BuiltInPowers
 */

export {};
