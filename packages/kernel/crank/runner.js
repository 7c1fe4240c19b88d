// A crank: one item, from the queue to the tables.
//
//   take → route → translate → begin → finish → apply → keep
//
// `CrankRunner` works through the queue in order. Only the item at the head is taken, routed, translated and applied;
// but with transports that allow it, items behind the head begin to execute while the head still runs (ahead.js).

import { Fail } from '#model';
import { figure } from '../tables/figures.js';
import { byKernel } from '../tables/queue-item.js';
import { isDelivery, route } from './routing.js';
import { replaceIncarnation } from '../lifecycle/upgrade.js';
import { planFlight } from './ahead.js';
import { Answers } from './answers.js';
import { FlightApplier } from './apply.js';
import { BetweenCranks } from './between.js';
import { SyscallChecker } from './check-syscalls.js';
import { DeviceCalls } from './devices.js';
import { Gate, makeBusyError } from './gate.js';
import { LookAhead } from './look-ahead.js';
import { setResult, setResultLater } from '../reactors/check-report.js';
import { Reactions } from '../reactors/reactions.js';
import { Reaper } from '../collection/reaper.js';
import { isBeyond, isLater, isPromise, makeRefusal, VatStartError, withFault } from './flight.js';
import { TransportKeeper } from './transports.js';
import { EffectWriter } from './write.js';

/** @import { When } from '#model' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Answerer, CrankObserver, CrankResult, Device, Flight, Limit, Transport } from './flight.js' */

// eslint-disable-next-line house/max-class-lines -- the loop of cranks with what is in hand; calls across objects cost time in each crank
export class CrankRunner {
  #state;

  #transports;

  #lookAhead;

  #onUpgrade;

  #observer;

  #applier;

  #answers;

  #reactions;

  /** @type {Flight | undefined} the item under way */
  #head;

  /** Whether `pump` has been called and has not returned. */
  #isPumping = false;

  gate = new Gate(
    () => this.#isPumping || this.#head !== undefined,
    () => this.#state.insistUnbroken(),
  );

  /** The tag of `pump`'s bound: later items wait. */
  #until = { timeNs: Infinity, microstep: Infinity };

  /** The tag of the crank before the head, if the head is a reaction. */
  #before = { timeNs: 0, microstep: 0 };

  /** Vats that the recorded run stopped in the next crank, and their limits. @type {Map<string, Limit | undefined>} */
  #refused = new Map();

  /** Answers the vat of the head. An item stays the head until it has its result. @type {Answerer} */
  #answerHead = (syscall, earlier) =>
    this.#answers.answer(this.#head ?? Fail`no crank is under way`, syscall, earlier, true);

  /**
   * @param {KernelState} state
   * @param {object} powers
   * @param {(vatId: string, isUpgrade?: boolean) => Transport | Promise<Transport>} powers.makeTransport  for a vat
   *   created in the run, or for a new incarnation
   * @param {(vatId: string, problem: string | null) => void} [powers.onUpgrade]  called after each upgrade, with the
   *   reason if it failed, or null
   * @param {Map<string, Device>} powers.devices  by device id
   * @param {number} powers.lookahead  how many items behind the head may be begun early
   * @param {(vatId: string) => string | undefined} powers.findDead  a vat's dead references according to a recorded run
   * @param {(vatId: string, problem: string) => void} powers.onFault  called for each vat that is ended by a fault
   * @param {import('./device-powers.js').OnDeviceFault} [powers.onDeviceFault]
   * @param {CrankObserver} [powers.observer]
   */
  constructor(state, powers) {
    const { makeTransport, devices, lookahead, findDead, onFault, observer } = powers;
    this.#onUpgrade = powers.onUpgrade ?? (() => {});
    this.#state = state;
    this.#observer = observer;
    this.#transports = new TransportKeeper(state, makeTransport);
    this.#lookAhead = new LookAhead(state, this.#transports, lookahead, (flight, transport, when) =>
      this.#begin(flight, transport, when),
    );
    const syscalls = { checker: new SyscallChecker(state), writer: new EffectWriter(state) };
    const onEnd = (/** @type {string} */ vatId) => {
      this.#transports.end(vatId);
      this.#lookAhead.forget(vatId);
      this.reaper.forget(vatId);
    };
    this.reaper = new Reaper(state);
    this.devices = new DeviceCalls(state, devices, this.gate, {
      onFault: powers.onDeviceFault ?? (() => {}),
      onOptions: () => this.reaper.forgetIntervals(),
    });
    this.#reactions = new Reactions(state);
    this.#applier = new FlightApplier(state, syscalls, this.devices, this.reaper, this.#reactions, {
      onFault,
      onEnd,
      onUpgrade: (flight, problem) => this.#finishUpgrade(flight, problem),
      isWatched: observer !== undefined,
    });
    this.between = new BetweenCranks(state, this.#applier, this.devices);
    this.#answers = new Answers(state, syscalls, this.#applier, this.devices, findDead);
  }

  /**
   * Run cranks until none is left, `limit` are done, or a vat's result is pending.
   *
   * @param {number} limit
   * @param {number} untilNs  in nanoseconds of logical time; items of a later time wait
   * @param {number} untilMicrostep  and at that time, those of a later microstep
   * @param {number} pauseAfter  after so many cranks it returns as soon as no item has begun ahead of its turn
   * @returns {{ cranks: number, waiting: Promise<void> | null }} call again when `waiting` settles
   * @throws {VatStartError} the vat that is sent `bootstrap` did not start
   * @throws {CriticalVatError} a critical vat ended; nothing can be committed any more
   * @throws {UserError} it was called from within a crank, an input or a commit
   */
  pump(limit, untilNs, untilMicrostep, pauseAfter) {
    if (this.#isPumping || this.gate.isTaken) throw makeBusyError();
    const state = this.#state;
    // A crank that waits for its vat may have changed something already.
    if (this.#head === undefined) state.insistWhole();
    else state.insistUnbroken();
    this.#isPumping = true;
    let isWhole = false;
    try {
      this.#until.timeNs = untilNs;
      this.#until.microstep = untilMicrostep;
      const done = this.#pump(limit, pauseAfter);
      if (this.devices.hasLater && this.#head === undefined) this.devices.doLater();
      isWhole = true;
      return done;
    } finally {
      this.#isPumping = false;
      // Any throw may leave the tables half written.
      if (!isWhole) state.brokenBy ??= 'an error in a crank';
    }
  }

  /**
   * @param {number} limit
   * @param {number} pauseAfter
   * @returns {{ cranks: number, waiting: Promise<void> | null }}
   */
  #pump(limit, pauseAfter) {
    const { queue } = this.#state;
    let cranks = 0;
    while (cranks < limit) {
      if (this.#head === undefined) {
        // Behind the crank in which they were asked for, wherever the host's runs end.
        if (this.devices.hasLater) this.devices.doLater();
        if (this.#state.isStopped || (cranks >= pauseAfter && !this.#lookAhead.hasBegun)) break;
        const next = queue.peek();
        if (next === undefined || isBeyond(next, this.#until)) break;
        this.#take(next);
      }
      const head = /** @type {Flight} */ (this.#head);
      const waiting = this.#execute(head, limit - cranks - 1);
      if (waiting !== null) return { cranks, waiting };
      this.#head = undefined;
      if (head.found.step === 'react') {
        cranks += this.#runQuiet(head);
        if (!head.isLoud) continue;
      }
      if (this.#observer !== undefined && head.plan !== null) this.#observer.delivered?.(head);
      this.#applier.apply(head);
      this.#observer?.applied?.(head);
      cranks += 1;
      if (this.#refused.size > 0) this.#refused.clear();
    }
    if (cranks < limit && this.#head === undefined) this.#cleanUp(limit - cranks);
    return { cranks, waiting: null };
  }

  /** @param {Item} next  the first item of the queue */
  #take(next) {
    if (next.kind === 'react') this.#noteBefore();
    const state = this.#state;
    state.queue.pick();
    this.#applier.beginCause();
    const head = this.#land(next);
    if (head.plan === null) {
      head.isConsumed = true;
      state.catchUp();
      state.queue.consume(next);
    }
    this.#head = head;
    // Reactions may turn out to be zero, one or many cranks; we know only after they ran.
    if (head.found.step !== 'react') this.#observer?.begins?.(head, this.#nextNumber());
  }

  /**
   * Records the quiet cranks that reactors ran by themselves, before a crank that is applied on its own.
   *
   * @param {Flight} head  becomes that crank, if there is one
   * @returns {number} cranks
   */
  #runQuiet(head) {
    const { fault, reactors } = head.result ?? Fail`reactors have run without a result`;
    if (!reactors) {
      // The vat failed before it could report anything.
      fault !== null || Fail`vat ${head.vatId} has run no reactors`;
      this.#observer?.begins?.(head, this.#nextNumber());
      return 0;
    }
    const state = this.#state;
    const { quiet, isLoud, timeNs, microstep, stage } = reactors;
    // A single loud crank sets the vat's next tag when it is kept, so that of a failed one is ignored.
    const isAlone = quiet.length === 0 && isLoud;
    const count = isAlone ? 0 : this.#reactions.takeQuiet(head, reactors);
    if (count > 0) this.#observer?.ran?.(head, quiet);
    head.isLoud = isLoud || fault !== null;
    const { item } = head;
    // The vat found nothing to do at the item's tag, so the present tag goes back to the one before.
    if (count === 0 && !head.isLoud) {
      const { timeNs: beforeNs, microstep: beforeMicrostep } = this.#before;
      state.figures.writeNow(beforeNs, beforeMicrostep);
    }
    if (count > 0 || !head.isLoud) state.keepBetweenCranks();
    if (!head.isLoud) return count;
    // The item may be queued again by now for the vat's next crank, so this crank gets a copy.
    if (
      count > 0 ||
      item.timeNs !== timeNs ||
      item.microstep !== microstep ||
      item.stage !== stage
    ) {
      head.item = { ...item, timeNs, microstep, stage };
      state.figures.writeNow(timeNs, microstep);
    }
    this.#observer?.begins?.(head, this.#nextNumber());
    return count;
  }

  /** Notes the present tag before a reaction is taken. */
  #noteBefore() {
    const { numbers } = this.#state.figures;
    this.#before.timeNs = numbers[figure.nowTimeNs];
    this.#before.microstep = numbers[figure.nowMicrostep];
  }

  #nextNumber() {
    return this.#state.figures.numbers[figure.crankNumber] + 1;
  }

  /**
   * Runs the head until it has its result.
   *
   * @param {Flight} head
   * @param {number} room  cranks that may still run behind it
   * @returns {Promise<void> | null} wait for it, then call again
   */
  #execute(head, room) {
    if (head.plan === null) {
      const { found } = head;
      if (found.step !== 'wake') return null;
      if (!head.isBegun) this.devices.wake(head, found.deviceId);
      head.isBegun = true;
      return head.births.length === 0 ? null : this.#startBirths(head);
    }
    if (this.#refused.size > 0 && this.#refused.has(head.vatId)) {
      head.result = makeRefusal(this.#refused.get(head.vatId));
      return null;
    }
    if (!head.isBegun) {
      const transport = this.#transports.provideFor(head);
      if (isPromise(transport)) return transport.then(() => {});
      // A vat on this thread keeps it busy, so items for other threads begin first.
      if (transport.overlaps === false) this.#lookAhead.beginAhead(head, room, this.#until);
      this.#begin(head, transport, this.#reactions.when(head, room + 1, this.#until));
    }
    this.#lookAhead.beginAhead(head, room, this.#until);
    if (head.result === null) {
      const { transport } = head;
      if (transport === undefined) throw Fail`vat ${head.vatId} has been given nothing`;
      const working = this.#lookAhead.workMeanwhile(head, transport, room);
      if (working !== null) return working;
      const result = transport.finish();
      if (isLater(result)) return setResultLater(head, result, this.#state, this.#before);
      setResult(head, result, this.#state, this.#before);
    }
    return head.births.length === 0 ? null : this.#startBirths(head);
  }

  /**
   * Starts the vats that the head has created within its crank, in profiles without start deliveries.
   *
   * @param {Flight} head
   * @returns {Promise<void> | null} as `#execute`
   */
  #startBirths(head) {
    const { profile, vats } = this.#state;
    if (profile.startsVatsInCranks || head.fault !== null) return null;
    while (head.starts.length < head.births.length) {
      const vatId = head.births[head.starts.length];
      if (!vats.isRunning(vatId)) {
        // The vat was ended before it began.
        head.addStart({ fault: null, syscalls: [], answers: [] });
        continue;
      }
      if (this.#refused.has(vatId)) {
        head.addStart(makeRefusal(this.#refused.get(vatId)));
        continue;
      }
      const transport = this.#transports.provide(vatId);
      if (isPromise(transport)) return transport.then(() => {});
      const start = planFlight(this.#state, head.item, { step: 'start', vatId });
      this.#begin(start, transport);
      const result = transport.finish();
      if (isLater(result)) return result.then(ran => head.addStart(withFault(ran, start.fault)));
      head.addStart(withFault(result, start.fault));
    }
    return null;
  }

  /** Deletes what ended vats left, while nothing else can run. @param {number} limit  steps */
  #cleanUp(limit) {
    const { vats, profile } = this.#state;
    if (profile.cleansUpInCranks) return;
    for (let step = 0; step < limit && vats.ending.size > 0; step += 1) {
      this.#applier.cleanUpOne();
      this.#state.keepBetweenCranks();
    }
  }

  /**
   * Start a vat without a crank: before the first one, in profiles that have no start deliveries.
   *
   * @param {string} vatId
   * @returns {void | Promise<void>}
   */
  startOutside(vatId) {
    const item = /** @type {Item} */ ({ ...this.#state.now, stage: 0 });
    const flight = planFlight(this.#state, item, { step: 'start', vatId });
    this.#observer?.begins?.(flight, 0);
    this.#state.queue.setCause(0, byKernel);
    this.#begin(flight, this.#transports.require(vatId));
    const apply = (/** @type {CrankResult} */ given) => {
      const result = (flight.result = withFault(given, flight.fault));
      this.#observer?.delivered?.(flight);
      const fault = result.fault ?? this.#applier.applySyscalls(flight, result.syscalls);
      if (fault !== null) throw new VatStartError(this.#state.vats.require(vatId).name, fault);
      this.#applier.recorder.writeTranscript(flight, result);
      this.#state.keepBetweenCranks();
      this.#observer?.applied?.(flight);
    };
    const result = this.#transports.require(vatId).finish();
    return isLater(result) ? result.then(apply) : apply(result);
  }

  /**
   * Note that the recorded run stopped a vat in the next crank. Called between cranks.
   *
   * @param {string} vatId
   * @param {Limit} [limit]  `undefined`: the machine had no memory for the vat
   */
  refuseNext(vatId, limit) {
    this.#refused.set(vatId, limit);
  }

  /** The item of the crank that is under way, if there is one. */
  get item() {
    return this.#head?.item;
  }

  /**
   * Sets the transport of a vat.
   *
   * @param {string} vatId
   * @param {Transport} transport
   */
  attachVat(vatId, transport) {
    this.#transports.attach(vatId, transport);
  }

  /** Whether items have begun ahead of their turn. */
  get hasBegunAhead() {
    return this.#lookAhead.hasBegun;
  }

  /** How often reactions began ahead of earlier tags, for tests. */
  get lookAheadCounts() {
    return this.#lookAhead.counts;
  }

  /** Moves a vat to another transport. @param {string} vatId @param {Transport} transport */
  moveVat(vatId, transport) {
    !this.hasBegunAhead || Fail`vat ${vatId} is moved while items have begun ahead of their turn`;
    this.#transports.replace(vatId, transport);
  }

  /**
   * Finishes an upgrade.
   *
   * @param {Flight} flight
   * @param {string | null} problem  why it failed
   */
  #finishUpgrade({ vatId, transport }, problem) {
    if (problem === null && this.#state.vats.isRunning(vatId)) {
      this.#transports.replace(vatId, transport ?? Fail`an upgraded vat runs nowhere`);
      this.reaper.beginAnew(vatId);
    } else {
      transport?.close();
    }
    this.#onUpgrade(vatId, problem);
  }

  /** Makes the flight of an item whose turn has come, or takes the one begun ahead. @param {Item} item  just taken */
  #land(item) {
    const early = this.#lookAhead.take(item);
    if (early !== undefined) return early;
    const state = this.#state;
    const found = route(state, item);
    if (isDelivery(found)) this.#lookAhead.takeBack(found.vatId);
    const isUpgrade = found.step === 'upgrade';
    if (isUpgrade) {
      // The new incarnation replaces the old one before its first delivery is translated.
      state.catchUp();
      state.queue.consume(item);
      replaceIncarnation(state, found.vatId, item);
    }
    const flight = planFlight(state, item, found);
    flight.isConsumed = isUpgrade;
    return flight;
  }

  /**
   * @param {Flight} flight
   * @param {Transport} transport
   * @param {When} [when]
   */
  #begin(flight, transport, when = flight.item) {
    const { vatDelivery } = flight.plan ?? Fail`a flight without a delivery is not begun`;
    flight.isBegun = true;
    flight.when = when;
    flight.transport = transport;
    const answer = flight === this.#head ? this.#answerHead : this.#makeAnswerer(flight);
    transport.begin(vatDelivery, answer, when);
  }

  /**
   * @param {Flight} flight  begun ahead of its turn
   * @returns {Answerer}
   */
  #makeAnswerer(flight) {
    return (syscall, earlier) =>
      this.#answers.answer(flight, syscall, earlier, flight === this.#head);
  }
}
