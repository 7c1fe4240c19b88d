// The types of reactor-ts that have no value. Each name is also exported with the value undefined,
// since a program whose types were only blanked out imports them by name.

/** @import { Tag, TimeValue } from './time.js' */

/** @typedef {undefined} Absent  the value of an absent port or action */
export const Absent = undefined;

/**
 * @template T
 * @typedef {{ get: () => T | Absent }} Read
 */
export const Read = undefined;

/**
 * @template T
 * @typedef {{ set: (value: T) => void }} Write
 */
export const Write = undefined;

/**
 * @template T
 * @typedef {Read<T> & Write<T>} ReadWrite
 */
export const ReadWrite = undefined;

/**
 * @template T
 * @typedef {{ width: () => number, get: (index: number) => T | Absent }} MultiRead
 */
export const MultiRead = undefined;

/**
 * @template T
 * @typedef {{ width: () => number, set: (index: number, value: T) => void, values: () => (T | Absent)[] }} MultiWrite
 */
export const MultiWrite = undefined;

/**
 * @template T
 * @typedef {MultiRead<T> & MultiWrite<T>} MultiReadWrite
 */
export const MultiReadWrite = undefined;

/**
 * A trigger or argument of a reaction.
 *
 * @typedef {Read<unknown> | MultiRead<unknown> | (Read<unknown> | MultiRead<unknown>)[]} Variable
 */
export const Variable = undefined;

/**
 * An action that may be scheduled. If the delay and that of the action are both 0, it comes at the
 * next microstep.
 *
 * @template T
 * @typedef {Read<T> & { schedule: (extraDelay: TimeValue | 0, value: T, intendedTag?: Tag) => void }} Sched
 */
export const Sched = undefined;

/**
 * @template T
 * @typedef {T extends Variable[] ? T : never} ArgList
 */
export const ArgList = undefined;

/**
 * @template T
 * @typedef {T extends unknown[] ? T : never} ParmList
 */
export const ParmList = undefined;

/**
 * @template P
 * @typedef {{ setPriority: (priority: P) => void }} Sortable
 */
export const Sortable = undefined;

/** @typedef {number} Priority */
export const Priority = undefined;

/**
 * A remote procedure that can be called.
 *
 * @template A, R
 * @typedef {Write<A> & Read<R> & { invoke: (args: A) => R | undefined }} Call
 */
export const Call = undefined;

/**
 * Adds reactions to a trigger and removes them; callers get it in exchange for the trigger's key.
 *
 * @typedef {object} TriggerManager
 * @property {() => any} getContainer
 * @property {(reaction: any) => void} addReaction
 * @property {(reaction: any) => void} delReaction
 */
export const TriggerManager = undefined;

/**
 * The functions of the runtime that reactions may call. The functions that send to a federation
 * throw.
 *
 * @typedef {object} UtilityFunctions
 * @property {() => void} requestStop  end the program at the next microstep
 * @property {(message?: string) => void} reportError  let the program fail at its end
 * @property {(message?: string) => void} requestErrorStop  both
 * @property {() => boolean} isLastTAGProvisional  false
 * @property {() => Tag} getCurrentTag
 * @property {() => TimeValue} getCurrentLogicalTime  since 1970
 * @property {() => TimeValue} getCurrentPhysicalTime  since 1970
 * @property {() => Tag} getStartTag
 * @property {() => TimeValue} getStartTime
 * @property {() => TimeValue} getElapsedLogicalTime
 * @property {() => TimeValue} getElapsedPhysicalTime
 * @property {(...message: any[]) => void} sendRTIMessage
 * @property {(...message: any[]) => void} sendRTITimedMessage
 * @property {(...message: any[]) => void} sendRTIPortAbsent
 */

/** @typedef {{ util: UtilityFunctions, getBankIndex: () => number }} ReactionSandbox  `this` of a reaction */
export const ReactionSandbox = undefined;

/**
 * `this` of a mutation.
 *
 * @typedef {ReactionSandbox & {
 *   connect: (source: any, destination: any) => void,
 *   disconnect: (source: any, destination?: any) => void,
 *   delete: (reactor: any) => void,
 *   getReactor: () => any,
 * }} MutationSandbox
 */
export const MutationSandbox = undefined;

/**
 * @typedef {object} FederateConfig
 * @property {number[]} dependsOn
 * @property {TimeValue} [executionTimeout]
 * @property {boolean} fast
 * @property {number} federateID
 * @property {string} federationID
 * @property {boolean} [keepAlive]
 * @property {TimeValue} [minOutputDelay]
 * @property {string[]} networkMessageActions
 * @property {string} rtiHost
 * @property {number} rtiPort
 * @property {number[]} sendsTo
 * @property {TimeValue[][]} upstreamConnectionDelays
 */
export const FederateConfig = undefined;

/** @typedef {import('./runtime.js').Runtime} Runtime */
export const Runtime = undefined;

/**
 * @template P
 * @typedef {import('./priority-set.js').PrioritySetElement<P>} PrioritySetElement
 */
export const PrioritySetElement = undefined;

/**
 * @template T, S
 * @typedef {new (...parameters: any[]) => T} ReactorClass
 */
export const ReactorClass = undefined;

/**
 * The options of `CommandLineOptionDefs` as `command-line-args` reads them; null for a malformed one.
 *
 * @typedef {object} ProcessedCommandLineArgs
 * @property {boolean | undefined} fast
 * @property {boolean | undefined} keepalive
 * @property {TimeValue | undefined} advanceMessageInterval
 * @property {TimeValue | null | undefined} timeout
 * @property {import('./log.js').LogLevel | undefined} logging
 * @property {string | undefined} id
 * @property {boolean} help
 */
export const ProcessedCommandLineArgs = undefined;

/** @typedef {{ name: string, alias?: string, type: (text: string) => unknown, typeLabel?: string, description: string }[]} CommandLineOptionSpec */
export const CommandLineOptionSpec = undefined;
