// The supervisor of today's vats: between the kernel's deliveries and the vat's own code. The order of its actions is
// that of SwingSet's liveslots, since the order of syscalls is visible to everyone:
//
//   a send     serialises its arguments (allocating exports), allocates the result, sends; settles, in one batch,
//              promises among the arguments whose outcome the vat knows already; follows the others; subscribes
//              (outgoing.js)
//   a delivery calls the method in the next job, and follows its result (incoming.js)
//   a followed promise is settled with the kernel in the job after it settles, together with every promise in its
//              data whose outcome is known (settlements.js)

import { refusalsToday } from '../eventual-send/index.js';
import { makeSmallcapsMarshal } from '../marshal/index.js';
import { makeD } from './devices.js';
import { Disavowals } from './disavowals.js';
import { Incoming } from './incoming.js';
import { makeLife } from './life.js';
import { Outcomes } from './outcomes.js';
import { makeOutgoing } from './outgoing.js';
import { makePowers2020, unlistPowers2020 } from './powers-2020.js';
import { ReactorPart } from './reactor-part.js';
import { References } from './references.js';
import { watchReads } from './remote.js';
import { insistRoot } from './root-object.js';
import { Settlements } from './settlements.js';
import { SyscallBuffer } from './syscall-buffer.js';
import { VatSlots } from './vat-slots.js';
import { VirtualPart } from './virtual-part.js';

/** @import { CapData, When } from '#model' */
/** @import { SupervisorOptions } from './supervisor-options.js' */

/** Properties of a vat that are told, at most. */
const mostReads = 100;

/**
 * Tells of each property that a vat reads of an object of another vat, by `E.get`, once.
 *
 * @param {(error: Error) => void} tell
 */
const tellReads = tell => {
  const told = new Set();
  return (/** @type {PropertyKey} */ prop) => {
    // Awaiting `E.get(x)` itself reads `then`.
    if (typeof prop !== 'string' || prop === 'then' || told.has(prop) || told.size >= mostReads)
      return;
    told.add(prop);
    tell(
      Error(
        `E.get(…).${prop} is undefined: an object of another vat has methods only; ask it by E(target).method(…)`,
      ),
    );
  };
};

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
  enableDisavow = false,
  lenient = false,
  onRefused = () => {},
}) => {
  const syscalls = new SyscallBuffer();
  const references = new References(collector);
  references.numbers.beginPromisesAt(firstPromise ?? 0);
  const slots = new VatSlots(syscalls, references, !isSynchronous);
  const errorOptions = {
    marshalName: `liveSlots:${vatId}`,
    errorNumbers: { last: 70_000 },
    ...(errorPolicy && { errorPolicy }),
  };
  const marshal = makeSmallcapsMarshal(slots.slotOf, slots.valueOf, {
    ...errorOptions,
    lenient,
    isTrusted: true,
    onError: onSentError,
  });
  const virtual = new VirtualPart(virtualOptions, {
    syscalls,
    references,
    slotOf: slots.slotOf,
    insistUsable: value => slots.disavowals?.insistUsable(value),
    valueOf: (vref, iface) => slots.valueOf(vref, iface),
    followPromise: (vref, promise) => {
      if (slots.isDecided(vref)) return;
      settlements.follow(vref, promise);
      syscalls.subscribe(vref);
    },
    revivePromise: vref => slots.awaitPromise(vref),
    errorOptions,
  });
  const outcomes = new Outcomes(references, marshal, virtual, onRefused);
  const settlements = new Settlements(syscalls, references, slots, outcomes);
  const { queueMessage, exitVat, exitVatWithFailure } = makeOutgoing({
    syscalls,
    references,
    marshal,
    virtual,
    settlements,
    onSent,
    onRefused,
  });
  slots.connect({ virtual, queueMessage });
  watchReads(queueMessage, tellReads(onSentError));
  if (enableDisavow)
    slots.disavowals = new Disavowals({
      ...{ syscalls, references, virtual },
      exitWithFailure: exitVatWithFailure,
    });

  /** @type {ReactorPart | undefined} */
  let reactors;

  const { dispatch } = new Incoming({
    syscalls,
    references,
    marshal,
    slots,
    virtual,
    settlements,
    onSentError,
    reactors: () => reactors,
  });

  /** The clock of the vat's reactors, which reads physical time from the kernel. */
  const clock = Object.freeze({
    nowNs: (/** @type {number} */ timeNs, /** @type {number} */ microstep) =>
      Number(syscalls.askClock(['clock', timeNs, microstep])),
    isLate: (/** @type {number} */ timeNs, /** @type {number} */ deadlineNs) =>
      syscalls.askClock(['deadline', timeNs, deadlineNs]) === '1',
  });

  /** @param {unknown} main  the root reactor, as far as is known @param {When} when */
  const startReactors = (main, { timeNs, microstep }) => {
    if (makeProgram === undefined)
      throw TypeError(
        'buildReactor did not return a reactor; return an instance of a class that extends Reactor of swingset-runner/reactor',
      );
    const prepareValue = (/** @type {object} */ value) => void harden(value);
    const program = makeProgram(main, { clock, timeNs, microstep, prepareValue });
    const tellOfValue = (/** @type {readonly string[]} */ named) => {
      virtual.exportAll(named);
      settlements.tellOf(named);
    };
    reactors = new ReactorPart(program, syscalls, marshal, tellOfValue, () => slots.mayQueueJobs);
  };

  /**
   * @param {CapData} parametersData
   * @param {(built: object) => void} begun
   * @param {When} when
   */
  const start = async (parametersData, begun, when) => {
    virtual.begin();
    const parameters = marshal.fromCapData(parametersData);
    virtual.provideBaggage();
    const powers = harden(
      unlistPowers2020({
        // Include the powers of 2020, which vats of that time expect.
        ...makePowers2020(isStatic),
        ...vatPowers,
        ...(slots.disavowals && { disavow: slots.disavowals.disavow }),
        vatParameters: parameters,
        D: makeD(references, syscalls, marshal, {
          exportAll: named => virtual.exportAll(named),
          isCurrent: true,
        }),
        exitVat,
        exitVatWithFailure,
      }),
    );
    const main = buildReactor(powers, parameters);
    if (main !== undefined) startReactors(await main, when);
    const built = await buildRoot(powers, parameters);
    harden(built);
    try {
      insistRoot(built, lenient);
    } catch (error) {
      onRefused(error, { kind: 'root', value: built });
      throw error;
    }
    virtual.insistEphemeral(built);
    virtual.revivePromises();
    begun(built);
    virtual.finishStart();
  };

  const root = makeRoot?.({
    vatId,
    D: makeD(references, syscalls, marshal, { isCurrent: true }),
  });
  return makeLife(
    { root, onRoot, onSentError, errorPolicy },
    {
      syscalls,
      refusals: refusalsToday,
      references,
      start,
      dispatch,
      reactors: () => reactors,
      flush: () => virtual.flush(),
      takeWish: () => virtual.takeWish(),
    },
  );
};
