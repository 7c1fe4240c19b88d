// The supervisor of raw vats, which make their syscalls themselves: `setup(syscall, state, helpers, vatPowers)` returns
// what takes the deliveries: an object of methods in vats of 2020, a function in today's. Either form runs under either
// profile: they differ only in shape (and bodies are translated, marshal/translate.js).
//
// The profile decides what a vat's own error does: in 2020 the kernel logged what a delivery threw and went on; today
// it ends the vat.

import { findSoleSlot, inheritsFrom, isErrorLike, typeOfVref } from '#model';
import { refusals2020, refusalsToday, setRefusals } from '../eventual-send/index.js';
import { makeQclassMarshal, makeSmallcapsMarshal } from '../marshal/index.js';
import { splitMessage, translate } from '../marshal/translate.js';
import { tellProblem, tellStartProblem } from './life.js';
import { makePowers2020, unlistPowers2020 } from './powers-2020.js';
import { makeRawSyscall } from './raw-syscall.js';
import { SyscallBuffer } from './syscall-buffer.js';

/** @import { CapData, Delivery, Resolution } from '#model' */
/** @import { Notation } from '../marshal/translate.js' */
/** @import { SupervisorOptions } from './supervisor-options.js' */
/** @import { Answerer } from './syscall-buffer.js' */

/**
 * @typedef {(syscall: object, state: null, helpers: object, vatPowers: object) => unknown} Setup
 */

/**
 * Takes the kernel's deliveries, in the notation of the vat's form.
 *
 * @typedef {(delivery: Delivery) => unknown} Dispatch
 */

/** Deliveries introduced after 2020, which a vat of that time does not get. */
const newerThan2020 = [
  'bringOutYourDead',
  'dropExports',
  'retireExports',
  'retireImports',
  'stopVat',
];

/**
 * @param {any} taker  object of methods
 * @param {string} name
 * @param {unknown[]} args
 */
const call = (taker, name, ...args) => {
  if (typeof taker[name] !== 'function') throw Error(`what setup returned has no method ${name}`);
  return taker[name](...args);
};

/**
 * @param {any} taker
 * @param {CapData} data
 * @param {Resolution} resolution
 */
const notify2020 = (taker, data, [vref, rejected]) => {
  if (rejected) return call(taker, 'notifyReject', vref, data);
  const sole = findSoleSlot(data);
  return sole !== undefined && typeOfVref(sole) === 'object'
    ? call(taker, 'notifyFulfillToPresence', vref, sole)
    : call(taker, 'notifyFulfillToData', vref, harden({ ...data, body: data.body.trimStart() }));
};

/** @param {CapData} methargs  in the notation of 2020 */
const findMessage = methargs => {
  try {
    return splitMessage(methargs);
  } catch {
    return undefined;
  }
};

/**
 * Dispatches in the form of 2020.
 *
 * @param {any} taker
 * @param {(result: string | null) => void} refuse  called for a message whose body is no message of 2020, with which
 *   the vat cannot be called
 * @returns {(delivery: Delivery) => unknown[]}  what its methods returned
 */
const makeDispatch2020 = (taker, refuse) => delivery => {
  const toVat = (/** @type {CapData} */ data) => copyData(translate(data, 'qclass'));
  if (delivery[0] === 'message') {
    const [, target, methargs, result] = delivery;
    const message = findMessage(toVat(methargs));
    if (message === undefined) {
      refuse(result);
      return [];
    }
    const { method, args } = message;
    return [call(taker, 'deliver', target, method, harden(args), result)];
  }
  if (delivery[0] === 'notify') {
    return delivery[1].map(resolution => notify2020(taker, toVat(resolution[2]), resolution));
  }
  if (delivery[0] === 'startVat' || newerThan2020.includes(delivery[0])) return [];
  throw Error(`a raw vat of 2020 takes no ${delivery[0]}`);
};

/**
 * Dispatches in today's form. Deliveries are as SwingSet's kernel makes them.
 *
 * @param {any} dispatch
 * @returns {(delivery: Delivery) => unknown[]}
 */
const makeDispatchToday = dispatch => delivery => {
  const toVat = (/** @type {CapData} */ data) => copyData(translate(data, 'smallcaps'));
  switch (delivery[0]) {
    case 'message': {
      const [kind, target, methargs, result] = delivery;
      return [dispatch(harden([kind, target, { methargs: toVat(methargs), result }]))];
    }
    case 'notify': {
      const resolutions = delivery[1].map(([vref, rejected, data]) => [
        vref,
        rejected,
        toVat(data),
      ]);
      return [dispatch(harden([delivery[0], resolutions]))];
    }
    case 'startVat':
    case 'stopVat':
      return [dispatch(harden([delivery[0], toVat(delivery[1])]))];
    case 'dropExports':
    case 'retireExports':
    case 'retireImports':
      return [dispatch(harden([delivery[0], [...delivery[1]]]))];
    default:
      return [dispatch(harden([...delivery]))];
  }
};

/**
 * A copy for the vat: the kernel's data goes into the transcript.
 *
 * @param {CapData} data
 */
const copyData = ({ body, slots }) => harden({ body, slots: [...slots] });

/**
 * @param {unknown} made  what `setup` returned
 * @param {(result: string | null) => void} refuse
 * @returns {(delivery: Delivery) => unknown[]}
 */
const chooseDispatch = (made, refuse) => {
  if (typeof made === 'function') return makeDispatchToday(made);
  if (inheritsFrom(made, Promise.prototype)) {
    throw TypeError('setup returned a promise; it must return what takes the deliveries at once');
  }
  if (typeof made === 'object' && made !== null && 'deliver' in made)
    return makeDispatch2020(made, refuse);
  throw TypeError(
    `setup returned ${made === null ? 'null' : typeof made}; it must return a function that takes deliveries, or {deliver, notifyFulfillToData, notifyFulfillToPresence, notifyReject}`,
  );
};

const refuseLiveSlots = () => {
  throw Error(
    'makeLiveSlots is not given to raw vats; a module that exports buildRootObject gets them, without enableSetup',
  );
};

/**
 * Parameters as today's start delivery has them, from those of 2020, which are plain JSON.
 *
 * @param {CapData} data
 */
const encodeParameters = ({ body }) =>
  makeSmallcapsMarshal(refuseReference, refuseReference).toCapData(harden(JSON.parse(body)));

const refuseReference = () => {
  throw Error('a raw vat reads references itself');
};

/**
 * @typedef {object} RawOptions
 * @property {Notation} notation  of the profile
 * @property {boolean} endsAtError  whether the vat ends when a delivery throws; otherwise the error is only reported
 */

/**
 * @param {Omit<SupervisorOptions, 'buildRoot' | 'makeRoot' | 'onRefused'> & { setup: Setup }} options
 *   `setup` evaluates the vat's source first
 * @param {RawOptions} profile
 */
export const makeRawSupervisor = (
  { vatId, setup, vatPowers, isStatic = true, onSentError, errorPolicy },
  { notation, endsAtError },
) => {
  const syscalls = new SyscallBuffer();

  /** @type {((delivery: Delivery) => unknown[]) | undefined} */
  let dispatch;

  /** @type {string | null} */
  let fault = null;

  /** @type {Notation} of the vat's form */
  let form = notation;

  const makeMarshal = notation === 'qclass' ? makeQclassMarshal : makeSmallcapsMarshal;
  const marshal = makeMarshal(refuseReference, refuseReference, {});
  const refusals = notation === 'qclass' ? refusals2020 : refusalsToday;

  const syscall = makeRawSyscall(syscalls, {
    notation,
    findObstacle: () =>
      dispatch === undefined
        ? 'setup has not returned; only then can the kernel be asked'
        : undefined,
    toVat: data => copyData(translate(data, form)),
    describeError: data => {
      const error = data.slots.length > 0 ? undefined : marshal.fromCapData(data);
      return isErrorLike(error) ? error.message : 'the device threw what is no error';
    },
    onMalformed: problem => {
      // Today's kernel leaves it to the vat to handle the error.
      if (!endsAtError) fault ??= problem;
    },
  });

  /** @param {string | null} result  of a message that cannot be read */
  const refuse = result => {
    if (result === null) return;
    const why = TypeError('the body of a message must be ["method", [arguments]]');
    syscalls.resolve([[result, true, marshal.toCapData(harden(why))]]);
  };

  /** @param {unknown} error  of a delivery */
  const fail = error => {
    onSentError(error);
    if (endsAtError) fault ??= `the delivery failed: ${tellProblem(error, errorPolicy)}`;
  };

  /**
   * Parameters as raw vats of 2020 get them. Those with references are only in the start delivery, where today's raw
   * vats read them.
   *
   * @param {CapData} data
   */
  const readParameters = data => {
    if (data.slots.length > 0) return undefined;
    return notation === 'qclass' ? harden(JSON.parse(data.body)) : marshal.fromCapData(data);
  };

  /** @param {CapData} parameters */
  const start = parameters => {
    const { testLog } = /** @type {any} */ (vatPowers);
    const given = {
      ...makePowers2020(isStatic),
      ...vatPowers,
      vatParameters: readParameters(parameters),
    };
    const powers = harden(notation === 'qclass' ? given : unlistPowers2020(given));
    const helpers = harden({
      vatID: vatId,
      log: testLog,
      testLog,
      makeLiveSlots: refuseLiveSlots,
    });
    const made = setup(syscall, null, helpers, powers);
    dispatch = chooseDispatch(made, refuse);
    form = typeof made === 'function' ? 'smallcaps' : 'qclass';
  };

  /** @param {Delivery} delivery */
  const deliver = async delivery => {
    // As in both kernels, the vat's code runs in a job of its own.
    await null;
    if (dispatch === undefined) return;
    const isPlain = delivery[0] === 'startVat' && notation === 'qclass';
    const given = isPlain
      ? /** @type {Delivery} */ (['startVat', encodeParameters(delivery[1])])
      : delivery;
    await Promise.all(dispatch(given));
  };

  return Object.freeze({
    /**
     * Begins a delivery; the caller then runs jobs until none is left.
     *
     * @param {Delivery} delivery
     * @param {Answerer} answerer
     */
    begin(delivery, answerer) {
      setRefusals(refusals);
      syscalls.begin(answerer);
      if (delivery[0] === 'startVat') {
        try {
          start(delivery[1]);
        } catch (error) {
          onSentError(error);
          fault = tellStartProblem(error, errorPolicy);
          return;
        }
      }
      deliver(delivery).catch(fail);
    },

    /** Ends the crank; returns its syscalls and answers. */
    finish() {
      const taken = syscalls.take(fault);
      fault = null;
      return taken;
    },
  });
};
