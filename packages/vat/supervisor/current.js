// The supervisor of today's vats: between the kernel's deliveries and the vat's own code. What it does in which
// order is that of SwingSet's liveslots, since the order of syscalls is visible to everyone:
//
//   a send     serialises its arguments (allocating exports), allocates the result, sends; settles, in one batch,
//              promises among the arguments whose outcome the vat knows already; follows the others; subscribes
//   a delivery calls the method in the next job, and follows its result
//   a followed promise is settled with the kernel in the job after it settles, together with every promise in its
//              data whose outcome is known

import { ChurnMap, isErrorLike, typeOfVref } from '#model';
import {
  findHandle,
  HandledPromise,
  isThenable,
  LaterCall,
  LaterResult,
  makeHandledPromiseKit,
  send,
} from '../eventual-send/index.js';
import { makeSmallcapsMarshal, passStyleOf } from '../marshal/index.js';
import { styleOf2020 } from '../marshal/qclass-style.js';
import {
  findInterface,
  findMark,
  isMethodsOnly,
  rememberRemotable,
} from '../marshal/references.js';
import { makeD } from './devices.js';
import { makeLife } from './life.js';
import { makePowers2020 } from './powers-2020.js';
import { makeImport } from './make-import.js';
import { ReactorPart } from './reactor-part.js';
import { References, rootVref } from './references.js';
import { isVirtualVref } from '../virtual/vrefs.js';
import { RemoteObject, RemotePromise } from './remote.js';
import { SyscallBuffer } from './syscall-buffer.js';
import { VirtualPart } from './virtual-part.js';

/** @import { CapData, Delivery, Resolution, When } from '#model' */
/** @import { Outcome } from '../eventual-send/handles.js' */
/** @import { MakeProgram } from './reactor-part.js' */
/** @import { Awaited, Collector, Dead } from './references.js' */
/** @import { VirtualOptions } from './virtual-part.js' */

/**
 * What cannot be passed: what a method returned, or why a promise was rejected, or the arguments of a send.
 *
 * @typedef {object} Refusal
 * @property {'result' | 'reason' | 'arguments'} kind
 * @property {unknown} value
 * @property {unknown} [object]  whose method it was, if it was a method's result or reason
 * @property {unknown} [method]
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
 * @property {(root: object) => void} [onRoot]  given the root object when the vat has started
 * @property {(error: unknown, errorId?: string) => void} onSentError  told of each error that leaves the vat, and of its id
 *   if it has one
 * @property {(error: Error) => { name: string, message: string } | undefined} [errorPolicy]  what other vats are told
 *   of an error instead of its own name and message; undefined for the usual
 * @property {(result: string, returned: Promise<unknown> | undefined) => void} [onSent]  told the vref of each message's result
 *   and what the sender was given for it
 * @property {boolean} [lenient]  whether objects of methods that nobody declared `Far` pass by reference, as in 2020, and may be
 *   a vat's root; default true. SwingSet refuses both
 * @property {(error: unknown, refusal: Refusal) => void} [onRefused]  told what an error is about that a value caused
 *   which cannot be passed; before the error leaves the vat, if it does
 */

/**
 * What a vat that comes with the system is made with.
 *
 * @typedef {{ vatId: string, D: ReturnType<typeof makeD> }} BuiltInPowers
 */

/** @param {string} vref */
const isPromiseVref = vref => typeOfVref(vref) === 'promise';

/** @param {SupervisorOptions} options */
export const makeCurrentSupervisor = ({
  vatId,
  buildRoot,
  makeRoot,
  buildReactor = () => undefined,
  makeProgram,
  isSynchronous = false,
  vatPowers,
  virtual: virtualOptions,
  collector,
  isStatic = true,
  firstPromise,
  onRoot,
  onSentError,
  errorPolicy,
  onSent,
  lenient = true,
  onRefused = () => {},
}) => {
  const syscalls = new SyscallBuffer();
  const references = new References(collector);
  references.numbers.beginPromisesAt(firstPromise ?? 0);

  /** Promises that the kernel knows and this vat decides. @type {ChurnMap<string, Promise<unknown>>} */
  const decided = new ChurnMap();

  /** How promises that this vat decided came out. @type {WeakMap<Promise<unknown>, [boolean, unknown]>} */
  const outcomes = new WeakMap();

  /** While a batch of settlements is read, its new promises wait; otherwise they are subscribed to at once. */
  let isReadingBatch = false;

  /** @type {Set<string> | undefined} */
  let newImports;

  /** @type {ReactorPart | undefined} */
  let reactors;

  /** Whether the vat may have a promise, or settle one of ours: then it may have queued jobs. */
  let mayQueueJobs = !isSynchronous;

  const slotOf = (/** @type {any} */ value) => {
    const known = references.findVref(value);
    if (known !== undefined) {
      references.mention(known, value);
      return known;
    }
    const vref =
      value instanceof Promise ? references.allocatePromise() : references.allocateExport();
    references.register(vref, value);
    return vref;
  };

  const valueOf = (/** @type {string} */ vref, /** @type {string | undefined} */ iface) => {
    const known = references.findValue(vref);
    if (known !== undefined) return known;
    if (isVirtualVref(vref)) return virtual.summon(vref);
    if (typeOfVref(vref) !== 'promise') {
      const value = makeImport(vref, iface, new RemoteObject(vref, queueMessage));
      references.register(vref, value);
      return value;
    }
    mayQueueJobs = true;
    const kit = makeHandledPromiseKit(new RemotePromise(vref, queueMessage));
    if (isReadingBatch) {
      newImports ??= new Set();
      newImports.add(vref);
    } else {
      syscalls.subscribe(vref);
    }
    references.registerAwaited(vref, kit, kit.settled);
    return kit.settled;
  };

  const errorOptions = {
    marshalName: `liveSlots:${vatId}`,
    errorNumbers: { last: 70_000 },
    ...(errorPolicy && { errorPolicy }),
  };

  const marshal = makeSmallcapsMarshal(slotOf, valueOf, {
    ...errorOptions,
    lenient,
    isTrusted: true,
    onError: onSentError,
  });

  const virtual = new VirtualPart(virtualOptions, {
    syscalls,
    references,
    slotOf,
    valueOf: vref => valueOf(vref, undefined),
    followPromise: (vref, promise) => {
      if (decided.has(vref) || references.isSettledLater(vref)) return;
      follow(vref, promise);
      syscalls.subscribe(vref);
    },
    revivePromise: vref => {
      mayQueueJobs = true;
      const kit = makeHandledPromiseKit(new RemotePromise(vref, queueMessage));
      references.registerAwaited(vref, kit, kit.settled);
      return kit.settled;
    },
    errorOptions,
  });

  /**
   * Settlements that follow from what the vat knows: of the given promise, or of the promises among `slots`, and of
   * every promise in their data whose outcome is known.
   *
   * @param {Resolution[]} resolutions  added to
   * @param {readonly string[]} slots
   */
  const collectKnown = (resolutions, slots) => {
    if (!slots.some(isPromiseVref)) return;
    /** @type {Set<string>} */
    const settled = new Set(resolutions.map(([vref]) => vref));
    // Where the walk is in each list of slots; not a recursion, for it may go deep.
    const stack = [{ slots, at: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.at === top.slots.length) {
        stack.pop();
        continue;
      }
      const slot = top.slots[top.at];
      top.at += 1;
      if (!isPromiseVref(slot)) continue;
      const promise = references.requireValue(slot);
      const outcome = findHandle(promise)?.outcome ?? outcomes.get(promise);
      if (outcome === undefined || settled.has(slot)) continue;
      const resolution = encodeOutcome(slot, outcome[0], outcome[1]);
      // In its place before its data is looked through, for that may name the promise again.
      resolutions.push(resolution);
      settled.add(slot);
      stack.push({ slots: resolution[2].slots, at: 0 });
    }
  };

  /**
   * Why a value cannot be passed. A vat's own proxies and getters may have thrown it, so it may be one of those values again.
   *
   * @param {unknown} error
   * @returns {CapData}
   */
  const encodeProblem = error => {
    try {
      return marshal.hardenToCapData(error);
    } catch {
      return marshal.hardenToCapData(TypeError('it cannot be passed to another vat'));
    }
  };

  /**
   * @param {string} vref
   * @param {boolean} rejected
   * @param {unknown} value
   * @param {unknown} [object]  whose method's result it is, if it is one
   * @param {unknown} [method]
   * @returns {Resolution}
   */
  const encodeOutcome = (vref, rejected, value, object, method) => {
    /** @type {Resolution} */
    let resolution;
    try {
      resolution = [vref, rejected, marshal.hardenToCapData(value)];
    } catch (error) {
      onRefused(error, { kind: rejected ? 'reason' : 'result', value, object, method });
      resolution = [vref, true, encodeProblem(error)];
    }
    virtual.exportAll(resolution[2].slots);
    return resolution;
  };

  /**
   * Settle promises with the kernel. They are no longer known by their vrefs; promises that their data mentions for
   * the first time are followed.
   *
   * @param {Resolution[]} resolutions
   * @param {Set<string>} mentioned  vrefs that the kernel has been told of
   */
  const settleWithKernel = (resolutions, mentioned) => {
    syscalls.resolve(resolutions);
    for (const [, , { slots }] of resolutions) for (const slot of slots) mentioned.add(slot);
    for (const [vref] of resolutions) {
      mentioned.delete(vref);
      references.forget(vref);
      decided.delete(vref);
    }
  };

  /** @param {Iterable<string>} vrefs  that the kernel has been told of, in no order */
  const followNew = vrefs => {
    for (const vref of [...vrefs].sort()) {
      if (typeOfVref(vref) !== 'promise' || decided.has(vref) || references.isSettledLater(vref))
        continue;
      follow(vref, references.requireValue(vref));
    }
  };

  /**
   * Tell the kernel when a promise settles that this vat decides.
   *
   * @param {string} vref
   * @param {Promise<unknown>} promise
   * @param {unknown} [object]  whose method's result it is, if it is one
   * @param {unknown} [method]
   */
  const follow = (vref, promise, object, method) => {
    decided.set(vref, promise);
    HandledPromise.resolve(promise).then(
      (/** @type {unknown} */ value) => settleFollowed(vref, promise, false, value, object, method),
      (/** @type {unknown} */ reason) =>
        settleFollowed(vref, promise, true, reason, object, method),
    );
  };

  /**
   * What went out names these: promises whose outcome is known are settled, others are followed.
   *
   * @param {readonly string[]} slots
   */
  const tellOf = slots => {
    if (!namesPromise(slots)) return;
    const mentioned = new Set(slots);
    /** @type {Resolution[]} */
    const resolutions = [];
    collectKnown(resolutions, slots);
    if (resolutions.length > 0) settleWithKernel(resolutions, mentioned);
    followNew(mentioned);
  };

  /**
   * @param {string} vref
   * @param {Promise<unknown>} promise
   * @param {boolean} rejected
   * @param {unknown} value  or the reason
   * @param {unknown} object  whose method's result it is, if it is one
   * @param {unknown} method
   */
  const settleFollowed = (vref, promise, rejected, value, object, method) => {
    const handle = findHandle(promise);
    if (handle === undefined) outcomes.set(promise, [rejected, value]);
    else handle.outcome = [rejected, value];
    const resolution = encodeOutcome(vref, rejected, value, object, method);
    if (namesPromise(resolution[2].slots)) {
      settleWithData(resolution);
      return;
    }
    // Nearly every result is plain data, or names objects alone.
    syscalls.resolve([resolution]);
    references.forget(vref);
    decided.delete(vref);
  };

  /** @param {Resolution} resolution  whose data names others */
  const settleWithData = resolution => {
    const resolutions = [resolution];
    collectKnown(resolutions, resolution[2].slots);
    /** @type {Set<string>} */
    const mentioned = new Set();
    settleWithKernel(resolutions, mentioned);
    followNew(mentioned);
  };

  /**
   * The outcome of a message.
   *
   * @param {LaterCall} call
   * @param {boolean} rejected
   * @param {unknown} value  or the reason
   */
  const settleCall = (call, rejected, value) => {
    const { vref, target, method, madePromise } = call;
    const handle = findHandle(madePromise);
    if (handle !== undefined) handle.outcome = [rejected, value];
    const resolution = encodeOutcome(vref, rejected, value, target, method);
    if (namesPromise(resolution[2].slots)) {
      settleWithData(resolution);
      return;
    }
    syscalls.resolve([resolution]);
    references.forgetCall(call);
  };

  /**
   * @param {PropertyKey | undefined} method
   * @param {any[]} args
   */
  const encodeMessage = (method, args) => {
    try {
      return marshal.messageToCapData(method, args);
    } catch (error) {
      onRefused(error, { kind: 'arguments', value: args, method });
      throw error;
    }
  };

  /**
   * @param {string} target
   * @param {PropertyKey | undefined} method
   * @param {any[]} args
   * @param {Promise<unknown> | undefined} returned  what the sender was given; undefined if nobody waits for it
   */
  const queueMessage = (target, method, args, returned) => {
    const methargs = encodeMessage(method, args);
    virtual.exportAll(methargs.slots);
    const result = references.allocatePromise();
    const later = new LaterResult(new RemotePromise(result, queueMessage));
    // The sender's promise is the one that the vat knows; the result settles it.
    references.registerAwaited(result, later, returned);
    syscalls.send(target, methargs, result);
    if (onSent !== undefined) onSent(result, returned);
    tellOf(methargs.slots);
    syscalls.subscribe(result);
    return later;
  };

  /** @param {boolean} isFailure */
  const makeExit = isFailure => (/** @type {unknown} */ info) => {
    const data = marshal.hardenToCapData(info);
    virtual.exportAll(data.slots);
    syscalls.exit(isFailure, data);
  };

  /** Physical time, as the kernel tells it. */
  const clock = Object.freeze({
    nowNs: (/** @type {number} */ timeNs, /** @type {number} */ microstep) =>
      Number(syscalls.askClock(['clock', timeNs, microstep])),
    isLate: (/** @type {number} */ timeNs, /** @type {number} */ deadlineNs) =>
      syscalls.askClock(['deadline', timeNs, deadlineNs]) === '1',
  });

  /**
   * @param {CapData} parametersData
   * @param {(built: object) => void} begun
   * @param {When} when
   */
  const start = async (parametersData, begun, when) => {
    virtual.begin();
    const parameters = marshal.fromCapData(parametersData);
    virtual.provideBaggage();
    const powers = harden({
      // Include the powers of 2020, which vats of that time expect.
      ...makePowers2020(isStatic),
      ...vatPowers,
      vatParameters: parameters,
      D: makeD(references, syscalls, marshal, {
        exportAll: slots => virtual.exportAll(slots),
        namesSyscall: true,
      }),
      exitVat: makeExit(false),
      exitVatWithFailure: makeExit(true),
    });
    const main = buildReactor(powers, parameters);
    if (main !== undefined) {
      if (makeProgram === undefined)
        throw TypeError(
          'buildReactor did not return a reactor; return an instance of a class that extends Reactor of swingset-runner/reactor',
        );
      const prepareValue = (/** @type {object} */ value) => void harden(value);
      const { timeNs, microstep } = when;
      const program = makeProgram(await main, { clock, timeNs, microstep, prepareValue });
      const tellOfValue = (/** @type {readonly string[]} */ slots) => {
        virtual.exportAll(slots);
        tellOf(slots);
      };
      reactors = new ReactorPart(program, syscalls, marshal, tellOfValue, () => mayQueueJobs);
    }
    const built = await buildRoot(powers, parameters);
    harden(built);
    if (!(lenient ? isRoot(built) : findInterface(built) !== undefined)) throw refuseRoot(built);
    virtual.revivePromises();
    begun(built);
    virtual.finishStart();
  };

  /**
   * @param {string} target
   * @param {CapData} methargs
   * @param {string | null} result
   */
  const deliverMessage = (target, methargs, result) => {
    // What a method returns may be a thenable, which is given functions that settle a promise. The root is not the vat's.
    if (target !== rootVref) mayQueueJobs = true;
    const object = valueOf(target, undefined);
    /** @type {PropertyKey | undefined} */
    let method;
    /** @type {Promise<unknown>} */
    let outcome;
    try {
      const message = marshal.callFromCapData(methargs);
      method = /** @type {PropertyKey | undefined} */ (message.method);
      if (
        method !== undefined &&
        result !== null &&
        isOwn(object) &&
        references.findAwaited(result) === undefined
      ) {
        const call = new LaterCall(object, method, message.args, result, settleCall);
        references.registerCall(call.begin());
        return;
      }
      const args = [...message.args];
      outcome =
        method === undefined
          ? send(object, 'applyFunction', undefined, args)
          : send(object, 'applyMethod', method, args);
    } catch (error) {
      // Malformed by a raw vat: its mistake, and not this one's.
      outcome = Promise.reject(error);
    }
    if (result === null) {
      // Nobody will hear of it but who reads the vat's errors.
      outcome.catch(error => {
        if (isErrorLike(error)) onSentError(error);
      });
      return;
    }
    const awaited = references.findAwaited(result);
    if (awaited !== undefined) {
      // The vat has seen this promise before, and decides it now: its copy follows the method's result.
      const promise = references.decide(awaited);
      awaited.kit.resolve(outcome);
      follow(result, promise, object, method);
    } else {
      references.register(result, outcome);
      follow(result, outcome, object, method);
    }
  };

  /** @param {Resolution[]} resolutions */
  const deliverNotify = resolutions => {
    isReadingBatch = true;
    newImports = undefined;
    /** @type {Awaited[] | undefined} */
    let retired;
    // By index, for an iterator is not free in a locked-down realm.
    for (let i = 0; i < resolutions.length; i += 1) {
      const vref = resolutions[i][0];
      const rejected = resolutions[i][1];
      const data = resolutions[i][2];
      const awaited = references.findAwaited(vref);
      // A promise that the vat came to decide is settled by the vat itself.
      if (awaited === undefined) continue;
      const { kit } = awaited;
      try {
        const value = marshal.fromCapData(data);
        if (rejected) kit.reject(value);
        else kit.resolve(value);
      } catch (error) {
        // Malformed by a raw vat: whoever listens to the promise learns of it.
        kit.reject(error);
      }
      if (retired === undefined) retired = [awaited];
      else retired.push(awaited);
    }
    isReadingBatch = false;
    if (retired === undefined) return;
    const imports = /** @type {Set<string> | undefined} */ (newImports);
    for (let i = 0; i < retired.length; i += 1) {
      references.forgetAwaited(retired[i]);
      imports?.delete(retired[i].vref);
    }
    if (imports === undefined) return;
    for (const vref of [...imports].sort()) syscalls.subscribe(vref);
  };

  /** Tell the kernel which references the vat lets go of. */
  const bringOutYourDead = () => {
    /** @type {Dead | undefined} */
    let found;
    const text = syscalls.findDead(() => {
      found = references.findDead();
      return formatDead(found);
    });
    const dead = /** @type {Dead | undefined} */ (found) ?? parseDead(text);
    const { dropped, retired, retiredExports } = virtual.letGo(dead);
    syscalls.dropImports(dropped);
    syscalls.retireImports(retired);
    syscalls.retireExports(retiredExports);
  };

  /**
   * @param {Delivery} delivery
   * @param {When} when
   */
  const dispatch = (delivery, when) => {
    switch (delivery[0]) {
      case 'react':
        if (reactors === undefined) throw Error('a vat without reactors takes no react');
        reactors.react(delivery[1], delivery[2], delivery[3], when);
        break;
      case 'message':
        deliverMessage(delivery[1], delivery[2], delivery[3]);
        break;
      case 'notify':
        deliverNotify(delivery[1]);
        break;
      case 'bringOutYourDead':
        bringOutYourDead();
        break;
      case 'dropExports':
        virtual.drop(delivery[1]);
        break;
      case 'retireExports':
        virtual.retireExports(delivery[1]);
        break;
      case 'retireImports':
        virtual.retireImports(delivery[1]);
        break;
      default:
        throw Error(`a vat of this version takes no ${delivery[0]}`);
    }
  };

  const root = makeRoot?.({
    vatId,
    D: makeD(references, syscalls, marshal, { namesSyscall: true }),
  });
  return makeLife(
    { root, onRoot, onSentError, errorPolicy },
    {
      syscalls,
      references,
      start,
      dispatch,
      reactors: () => reactors,
      flush: () => virtual.flush(),
      takeWish: () => virtual.takeWish(),
    },
  );
};

/** @param {readonly string[]} slots  vrefs */
const namesPromise = slots => {
  for (let i = 0; i < slots.length; i += 1) if (typeOfVref(slots[i]) === 'promise') return true;
  return false;
};

/** Whether it is an object of this vat, and no promise. @param {any} object */
const isOwn = object => {
  const mark = findMark(object);
  if (mark === undefined) return findHandle(object) === undefined && !isThenable(object);
  mark.isOwn ??= findHandle(object) === undefined && !isThenable(object);
  return mark.isOwn;
};

/** As the transcript has it: three lists, and a fourth of virtual data. @param {Dead} dead */
const formatDead = ({ dropped, retired, retiredExports, representatives }) =>
  [dropped, retired, retiredExports, ...(representatives.length > 0 ? [representatives] : [])]
    .map(list => list.join(' '))
    .join(';');

/** @param {string} text @returns {Dead} */
const parseDead = text => {
  const [dropped, retired, retiredExports, representatives = []] = text
    .split(';')
    .map(list => (list === '' ? [] : list.split(' ')));
  return { dropped, retired, retiredExports, representatives };
};

/** @param {any} built  hardened, and no remotable */
const refuseRoot = built => {
  const what = isMethodsOnly(built)
    ? 'an object of methods that is not declared'
    : `a ${passStyleOf(built)}`;
  return TypeError(`buildRootObject returned ${what}; it must return Far(name, {methods})`);
};

/**
 * Whether an object can be a vat's root where vats are lenient: `Far`, or any that vats of 2020 passed by reference, such as instances of a
 * class and objects without methods. The latter pass as remotables from now on.
 *
 * @param {any} built  hardened
 */
const isRoot = built => {
  if (findInterface(built) !== undefined) return true;
  try {
    if (styleOf2020(built) !== 'remotable') return false;
  } catch {
    return false;
  }
  if (!isMethodsOnly(built)) rememberRemotable(built, 'Alleged: root');
  return true;
};
