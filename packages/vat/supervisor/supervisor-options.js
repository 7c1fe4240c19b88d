// The options that supervisors of vats take; types alone.

/** @import { MakeProgram } from './reactor-part.js' */
/** @import { makeD } from './devices.js' */
/** @import { Collector } from './references.js' */
/** @import { VirtualOptions } from './virtual-part.js' */

/**
 * A value that cannot be passed: a method's result, the reason of a rejection, or the arguments of a send; or a root object
 * that cannot be one.
 *
 * @typedef {object} Refusal
 * @property {'result' | 'reason' | 'arguments' | 'root'} kind
 * @property {unknown} value
 * @property {unknown} [object]  whose method it was, if it was a method's result or reason
 * @property {unknown} [method]
 * @property {Promise<unknown>} [returned]  that the sender has, if arguments were refused
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
 * @property {boolean} [isSynchronous]  whether the vat has no root object and its code can queue no promise job, unless it
 *   is given a promise; then it is not waited for after each crank of its own. Default false
 * @property {Record<string, unknown>} vatPowers  beside those that the supervisor adds
 * @property {VirtualOptions} [virtual]  of the vat's virtual data; without them it has none
 * @property {Collector} [collector]  finds out what the vat does not reach any more; without it nothing is let go of
 * @property {number} [firstPromise]  the number of the first promise that the vat may allocate, of a new incarnation
 * @property {boolean} [isStatic]  whether the vat is one of the config's, which had some more powers in 2020; default true
 * @property {boolean} [usesPassStyle]  whether the vat has code of Endo's that examines how presences are made. Default
 *   false
 * @property {(root: object) => void} [onRoot]  given the root object when the vat has started
 * @property {(error: unknown, errorId?: string) => void} onSentError  told of each error that leaves the vat, and of its id
 *   if it has one
 * @property {(error: Error) => { name: string, message: string } | undefined} [errorPolicy]  what other vats are told
 *   of an error instead of its own name and message; undefined for the usual
 * @property {(result: string, returned: Promise<unknown> | undefined) => void} [onSent]  told the vref of each message's result
 *   and what the sender was given for it
 * @property {boolean} [enableDisavow]  whether the vat has the power `disavow`, which vats of 2020 never have. Default false
 * @property {boolean} [lenient]  whether objects of methods that nobody declared `Far` pass by reference, as in 2020, and may be
 *   a vat's root; default false: SwingSet refuses both
 * @property {(error: unknown, refusal: Refusal) => void} [onRefused]  told what an error is about that a value caused
 *   which cannot be passed; before the error leaves the vat, if it does
 */

/**
 * The powers of a vat that comes with the system.
 *
 * @typedef {{ vatId: string, D: ReturnType<typeof makeD> }} BuiltInPowers
 */

export {};
