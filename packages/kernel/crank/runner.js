// A crank: one item, from the queue to the tables.
//
//   take → route → translate → deliver → settle → apply → commit
//
// `CrankRunner` works through the queue in order. Taking, routing, translating and applying belong to the item at the
// head; but with transports that allow it, items behind it begin to execute while the head still runs (ahead.js).

import { ChurnMap, Fail } from '#model';
import { figure } from '../tables/figures.js';
import { recordHostInput } from '../inputs/inputs.js';
import { route } from './routing.js';
import { endVat } from '../lifecycle/termination.js';
import { replaceIncarnation } from '../lifecycle/upgrade.js';
import { errorData } from './wire.js';
import { findReady, planFlight } from './ahead.js';
import { Answers } from './answers.js';
import { FlightApplier } from './apply.js';
import { Decider } from './decide.js';
import { DeviceCalls } from './devices.js';
import { Reactions } from '../reactors/reactions.js';
import { Reaper } from '../collection/reaper.js';
import { isLater, isPromise, makeRefusal, VatStartError } from './flight.js';
import { EffectWriter } from './write.js';

/** @import { CapData } from '#model' */
/** @import { When } from '#model' */
/** @import { Item } from '../tables/queue.js' */
/** @import { Route } from './routing.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Earliness } from './ahead.js' */
/** @import { Answerer, CrankObserver, CrankResult, Device, Flight, Transport } from './flight.js' */

/** Of no more items begun ahead it is looked for others at each turn. */
const fewAhead = 8;

/** So many items are looked at to find work for the kernel's thread while it waits for another one. */
const mostLooked = 64;

/** With what a vat ends that does not replay. Others are told of it, so it is the same whatever differed. */
const divergedText = 'the vat did something else when the run was resumed';

export class CrankRunner {
  #state;

  /** @type {Map<string, Transport>} that of a vat that ends is closed and taken out */
  #transports = new Map();

  #makeTransport;

  #onUpgrade;

  #lookahead;

  #observer;

  #applier;

  #answers;

  #reactions;

  /** @type {Flight | undefined} the item whose turn it is */
  #head;

  /** Whether `pump` has been called and has not returned. */
  #isPumping = false;

  // The tag of the crank before it.
  #beforeNs = 0;

  #beforeMicrostep = 0;

  /** @type {Set<string>} vats that the run which is repeated refused memory in the next crank */
  #refused = new Set();

  /** @type {Set<string>} vats that may run while others do */
  #overlapping = new Set();

  /** Of vats elsewhere. @type {(vatId: string) => Earliness} */
  #earlinessOf = vatId => {
    if (!this.#overlapping.has(vatId)) return 'inTurn';
    return this.#transports.get(vatId)?.waitsForTurn ? 'earlyWithDevice' : 'early';
  };

  /** Of vats on the kernel's thread, while it waits. @type {(vatId: string) => Earliness} */
  #earlinessHere = vatId => (this.#transports.get(vatId)?.work === undefined ? 'inTurn' : 'early');

  /** Answers the vat of the head, whose turn has come: it is the head until it has its result. @type {Answerer} */
  #answerHead = (syscall, earlier) =>
    this.#answers.answer(this.#head ?? Fail`no crank is under way`, syscall, earlier, true);

  /** @type {ChurnMap<number, Flight>} items begun ahead of their turn, by their sequence numbers */
  #ahead = new ChurnMap();

  /**
   * @param {KernelState} state
   * @param {object} powers
   * @param {(vatId: string, isUpgrade?: boolean) => Transport | Promise<Transport>} powers.makeTransport  for a vat that was
   *   made in the run, or for its new incarnation
   * @param {(vatId: string, problem: string | null) => void} [powers.onUpgrade]  told of each upgrade: why it failed, or null
   * @param {Map<string, Device>} powers.devices  by device id
   * @param {number} powers.lookahead  how many items behind the head may be begun early
   * @param {(vatId: string) => string | undefined} powers.findDead  what a recorded run says of a vat's dead references
   * @param {(vatId: string, problem: string) => void} powers.onFault  told of each vat that is ended by a fault
   * @param {import('./devices.js').OnDeviceFault} [powers.onDeviceFault]
   * @param {CrankObserver} [powers.observer]
   */
  constructor(state, powers) {
    const { makeTransport, devices, lookahead, findDead, onFault, observer } = powers;
    this.#onUpgrade = powers.onUpgrade ?? (() => {});
    this.#state = state;
    this.#observer = observer;
    const transports = this.#transports;
    this.#makeTransport = makeTransport;
    this.#lookahead = lookahead;
    const syscalls = { decider: new Decider(state), writer: new EffectWriter(state) };
    const onEnd = (/** @type {string} */ vatId) => {
      transports.get(vatId)?.close();
      transports.delete(vatId);
      this.#overlapping.delete(vatId);
      this.#forgetTransport(vatId);
      this.reaper.forget(vatId);
    };
    this.reaper = new Reaper(state);
    this.devices = new DeviceCalls(state, devices, () => this.isBusy, {
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
    this.#answers = new Answers(state, syscalls, this.#applier, this.devices, findDead);
  }

  /**
   * Run cranks until there is nothing left, `limit` are done, or a vat's result has to be waited for.
   *
   * @param {number} limit
   * @param {number} untilNs  items of a later time wait
   * @returns {{ cranks: number, waiting: Promise<void> | null }} call again when `waiting` settles
   * @throws {VatStartError} the vat that is sent `bootstrap` did not start
   * @throws {CriticalVatError} a critical vat ended; nothing can be committed any more
   */
  pump(limit, untilNs) {
    const state = this.#state;
    // A crank whose vat has to be waited for may have changed something already.
    if (this.#head === undefined) state.insistWhole();
    else state.insistUnbroken();
    !this.#isPumping || Fail`the kernel is in a crank`;
    this.#isPumping = true;
    let isWhole = false;
    try {
      const done = this.#pump(limit, untilNs);
      if (this.devices.hasLater && this.#head === undefined) this.devices.doLater();
      isWhole = true;
      return done;
    } finally {
      this.#isPumping = false;
      // Whatever was thrown, the tables may be half written.
      if (!isWhole) state.brokenBy ??= 'an error in a crank';
    }
  }

  /**
   * @param {number} limit
   * @param {number} untilNs
   * @returns {{ cranks: number, waiting: Promise<void> | null }}
   */
  #pump(limit, untilNs) {
    const { queue } = this.#state;
    let cranks = 0;
    while (cranks < limit) {
      if (this.#head === undefined) {
        if (this.#state.isStopped) break;
        const next = queue.peek();
        if (next === undefined || next.timeNs > untilNs) break;
        this.#take(next);
      }
      const head = /** @type {Flight} */ (this.#head);
      const waiting = this.#execute(head, limit - cranks - 1, untilNs);
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
    this.#noteBefore();
    const state = this.#state;
    state.queue.pick();
    const head = this.#land(next);
    if (head.plan === null) {
      head.isConsumed = true;
      state.catchUp();
      state.queue.consume(next);
    }
    this.#head = head;
    // Of a vat's reactions it is known only when they are done whether they are one crank.
    if (head.found.step !== 'react') this.#observer?.begins?.(head, this.#nextNumber());
  }

  /**
   * What reactors did by themselves before the crank that is told.
   *
   * @param {Flight} head  becomes that crank, if there is one
   * @returns {number} cranks
   */
  #runQuiet(head) {
    const { fault, reactors } = head.result ?? Fail`reactors have run without a result`;
    if (!reactors) {
      // The vat failed before it could tell anything.
      fault !== null || Fail`vat ${head.vatId} has run no reactors`;
      return 0;
    }
    const state = this.#state;
    const { quiet, isLoud, timeNs, microstep, stage } = reactors;
    // One that fails has no say in when it runs next.
    const isAlone = quiet.length === 0 && isLoud;
    const count = isAlone ? 0 : this.#reactions.takeQuiet(head, reactors);
    if (count > 0) this.#observer?.ran?.(head, quiet);
    head.isLoud = isLoud || fault !== null;
    const { item } = head;
    // The vat found nothing to do at the tag of the item, so that tag has not been.
    if (count === 0 && !head.isLoud) this.#writeNow(this.#beforeNs, this.#beforeMicrostep);
    if (count > 0 || !head.isLoud) state.keepBetweenCranks();
    if (!head.isLoud) return count;
    // The item may be queued again by now, for the vat's next crank: this one has its own.
    if (
      count > 0 ||
      item.timeNs !== timeNs ||
      item.microstep !== microstep ||
      item.stage !== stage
    ) {
      head.item = { ...item, timeNs, microstep, stage };
      this.#writeNow(timeNs, microstep);
    }
    this.#observer?.begins?.(head, this.#nextNumber());
    return count;
  }

  /** An item is about to be taken, and its tag to be the present one. */
  #noteBefore() {
    const { numbers } = this.#state.figures;
    this.#beforeNs = numbers[figure.nowTimeNs];
    this.#beforeMicrostep = numbers[figure.nowMicrostep];
  }

  /**
   * @param {number} timeNs
   * @param {number} microstep
   */
  #writeNow(timeNs, microstep) {
    const { figures } = this.#state;
    figures.write(figure.nowTimeNs, timeNs);
    figures.write(figure.nowMicrostep, microstep);
  }

  /** The number that the crank under way will have. */
  #nextNumber() {
    return this.#state.figures.numbers[figure.crankNumber] + 1;
  }

  /**
   * Bring the head to its result.
   *
   * @param {Flight} head
   * @param {number} room  cranks that may still run behind it
   * @param {number} untilNs  items of a later time wait
   * @returns {Promise<void> | null} to be waited for; then it is called again
   */
  #execute(head, room, untilNs) {
    if (head.plan === null) {
      const { found } = head;
      if (found.step !== 'wake') return null;
      if (!head.isBegun) this.devices.wake(head, found.deviceId);
      head.isBegun = true;
      return head.births.length === 0 ? null : this.#startBirths(head);
    }
    if (this.#refused.size > 0 && this.#refused.has(head.vatId)) {
      head.result = makeRefusal();
      return null;
    }
    if (!head.isBegun) {
      const transport = this.#transportFor(head);
      if (isPromise(transport)) return transport.then(() => {});
      // A vat on this thread keeps it busy from here on.
      if (transport.overlaps === false) this.#beginAhead(room);
      this.#begin(head, transport, this.#reactions.when(head, room + 1, untilNs));
    }
    this.#beginAhead(room);
    if (head.result === null) {
      const { transport } = head;
      if (transport === undefined) throw Fail`vat ${head.vatId} has been given nothing`;
      const working = this.#workMeanwhile(head, transport, room);
      if (working !== null) return working;
      const result = transport.finish();
      if (isLater(result)) return result.then(value => void (head.result = value));
      head.result = result;
    }
    return head.births.length === 0 ? null : this.#startBirths(head);
  }

  /**
   * Vats that the head has made start within its crank, in profiles that have no start deliveries.
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
        // It was ended before it began.
        head.addStart({ fault: null, syscalls: [], answers: [] });
        continue;
      }
      if (this.#refused.has(vatId)) {
        head.addStart(makeRefusal());
        continue;
      }
      const transport = this.#provideTransport(vatId);
      if (isPromise(transport)) return transport.then(() => {});
      const start = planFlight(this.#state, head.item, { step: 'start', vatId });
      this.#begin(start, transport);
      const result = transport.finish();
      if (isLater(result)) return result.then(value => head.addStart(value));
      head.addStart(result);
    }
    return null;
  }

  /**
   * Nothing can run: what ended vats left is deleted in peace.
   *
   * @param {number} limit  steps
   */
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
    this.#begin(flight, this.#transport(vatId));
    const apply = (/** @type {CrankResult} */ result) => {
      flight.result = result;
      this.#observer?.delivered?.(flight);
      const fault = result.fault ?? this.#applier.applySyscalls(flight, result.syscalls);
      if (fault !== null) throw new VatStartError(this.#state.vats.require(vatId).name, fault);
      this.#applier.writeTranscript(flight, result);
      this.#state.keepBetweenCranks();
      this.#observer?.applied?.(flight);
    };
    const result = this.#transport(vatId).finish();
    return isLater(result) ? result.then(apply) : apply(result);
  }

  /**
   * The host hands something to a device, between cranks.
   *
   * @param {string} deviceId
   * @param {string} data
   * @throws {CriticalVatError} the device ended a critical vat
   */
  input(deviceId, data) {
    // What the device does may be dropped.
    this.#state.catchUp();
    this.devices.input(deviceId, data);
    this.#applier.keepBetweenCranks();
  }

  /**
   * A vat does not replay, and ends; between cranks.
   *
   * @param {string} vatId
   * @throws {CriticalVatError} it was a critical one
   */
  endDiverging(vatId) {
    const state = this.#state;
    state.catchUp();
    recordHostInput(state, 'diverged', vatId, '');
    endVat(state, vatId, true, errorData(state.profile.wire, divergedText));
    this.#applier.keepBetweenCranks();
  }

  /**
   * The host ends a vat; between cranks.
   *
   * @param {string} vatId  running
   * @param {boolean} isFailure
   * @param {CapData} info  without slots
   * @throws {CriticalVatError} it was a critical one
   */
  endByHost(vatId, isFailure, info) {
    const state = this.#state;
    state.catchUp();
    recordHostInput(state, 'end', vatId, JSON.stringify([isFailure, info.body]));
    endVat(state, vatId, isFailure, info);
    this.#applier.keepBetweenCranks();
  }

  /**
   * In the run that is repeated, the machine had no memory for a vat in the next crank; between cranks.
   *
   * @param {string} vatId
   */
  refuseNext(vatId) {
    this.#refused.add(vatId);
  }

  /** Whether a crank is under way: nothing may be committed or queued from outside meanwhile. */
  get isBusy() {
    return this.#isPumping || this.#head !== undefined;
  }

  /** The item of the crank that is under way, if there is one. */
  get item() {
    return this.#head?.item;
  }

  /** @param {string} vatId */
  #transport(vatId) {
    return this.#transports.get(vatId) ?? Fail`vat ${vatId} has no transport`;
  }

  /**
   * Where a vat runs from now on.
   *
   * @param {string} vatId
   * @param {Transport} transport
   */
  attachVat(vatId, transport) {
    this.#addTransport(vatId, transport);
    this.#forgetTransport(vatId);
  }

  /** Whether items behind the last crank have begun, in their vats, ahead of their turn. */
  get hasBegunAhead() {
    return this.#ahead.size > 0;
  }

  /**
   * A vat goes on at another place.
   *
   * @param {string} vatId
   * @param {Transport} transport
   */
  moveVat(vatId, transport) {
    !this.hasBegunAhead || Fail`vat ${vatId} is moved while items have begun ahead of their turn`;
    this.#transports.get(vatId)?.close();
    this.attachVat(vatId, transport);
  }

  /**
   * @param {string} vatId
   * @param {Transport} transport
   */
  #addTransport(vatId, transport) {
    this.#transports.set(vatId, transport);
    if (transport.overlaps === false) this.#overlapping.delete(vatId);
    else this.#overlapping.add(vatId);
  }

  /** Whether items may be begun ahead of their turn. What is begun ahead is a flight. */
  get #looksAhead() {
    return this.#lookahead > 0 && (this.#overlapping.size > 0 || this.#ahead.size > 0);
  }

  /** It is to be found anew. @param {string} vatId */
  #forgetTransport(vatId) {
    const parts = this.#state.vats.findParts(vatId);
    if (parts !== undefined) parts.transport = undefined;
  }

  /**
   * Where a flight's vat runs. That of a new incarnation takes the place of the old one's when the crank is kept.
   *
   * @param {Flight} head
   * @returns {Transport | Promise<Transport>}
   */
  #transportFor(head) {
    const { vatId, found, parts, transport } = head;
    if (found.step !== 'upgrade') return parts?.transport ?? this.#provideTransport(vatId);
    if (transport !== undefined) return transport;
    const note = (/** @type {Transport} */ made) => {
      head.transport = made;
      return made;
    };
    const made = this.#makeTransport(vatId, true);
    return isPromise(made) ? made.then(note) : note(made);
  }

  /**
   * An upgrade is over.
   *
   * @param {Flight} flight
   * @param {string | null} problem  why it failed
   */
  #finishUpgrade({ vatId, transport }, problem) {
    if (problem === null) {
      this.#transports.get(vatId)?.close();
      this.attachVat(vatId, transport ?? Fail`an upgraded vat runs nowhere`);
      this.reaper.beginAnew(vatId);
    } else {
      transport?.close();
    }
    this.#onUpgrade(vatId, problem);
  }

  /** @param {string} vatId  @returns {Transport | undefined} */
  #knownTransport(vatId) {
    const parts = this.#state.vats.parts(vatId);
    parts.transport ??= this.#transports.get(vatId);
    return parts.transport;
  }

  /**
   * The transport of a vat; one that was made in the run gets it when it is first needed.
   *
   * @param {string} vatId
   * @returns {Transport | Promise<Transport>}
   */
  #provideTransport(vatId) {
    const known = this.#knownTransport(vatId);
    if (known !== undefined) return known;
    const attach = (/** @type {Transport} */ transport) => {
      this.#addTransport(vatId, transport);
      return transport;
    };
    const made = this.#makeTransport(vatId);
    return isPromise(made) ? made.then(attach) : attach(made);
  }

  /**
   * An item's turn has come. It may have been begun ahead.
   *
   * @param {Item} item  just taken
   */
  #land(item) {
    const early = this.#lookahead > 0 ? this.#ahead.get(item.seq) : undefined;
    if (early) {
      this.#ahead.delete(item.seq);
      // If its vat has ended meanwhile, what it did is forgotten, and the item is routed anew.
      if (this.#state.vats.isRunning(early.vatId)) return early;
    }
    const found = route(this.#state, item);
    return found.step === 'upgrade'
      ? this.#landUpgrade(item, found)
      : planFlight(this.#state, item, found);
  }

  /**
   * The new incarnation begins before its first delivery is put together.
   *
   * @param {Item} item
   * @param {Extract<Route, { step: 'upgrade' }>} found
   */
  #landUpgrade(item, found) {
    const state = this.#state;
    state.catchUp();
    state.queue.consume(item);
    replaceIncarnation(state, found.vatId, item);
    const flight = planFlight(state, item, found);
    flight.isConsumed = true;
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
    flight.transport = transport;
    /** @type {Answerer} */
    const answer =
      flight === this.#head
        ? this.#answerHead
        : (syscall, earlier) =>
            this.#answers.answer(flight, syscall, earlier, flight === this.#head);
    transport.begin(vatDelivery, answer, when);
  }

  /** @param {number} room  cranks that may still run behind the head */
  #beginAhead(room) {
    if (!this.#looksAhead) return;
    // To look through many items again for each of them would cost more than it gains.
    if (this.#ahead.size > fewAhead && this.#ahead.size * 2 > this.#lookahead) return;
    const head = this.#head ?? Fail`no crank is under way`;
    const limit = Math.min(this.#lookahead, room);
    const found = findReady(this.#state, head, this.#ahead, limit, this.#earlinessOf);
    for (const flight of found) {
      // A vat that was just made is begun when its turn comes.
      const transport = this.#transports.get(flight.vatId);
      if (transport === undefined) continue;
      this.#ahead.set(flight.item.seq, flight);
      this.#begin(flight, transport);
    }
  }
  /**
   * The head's vat runs elsewhere: until it is done, vats on this thread carry out items behind it.
   *
   * @param {Flight} head
   * @param {Transport} transport  the head's
   * @param {number} room  cranks that may still run behind the head
   * @returns {Promise<void> | null} to be waited for; then it is called again
   */
  #workMeanwhile(head, transport, room) {
    if (transport.isDone === undefined || transport.isDone()) return null;
    const limit = Math.min(mostLooked, room);
    const found = findReady(this.#state, head, this.#ahead, limit, this.#earlinessHere);
    for (const flight of found) {
      const own = this.#transport(flight.vatId);
      this.#ahead.set(flight.item.seq, flight);
      this.#begin(flight, own);
      const working = own.work?.();
      if (working) return working;
      if (transport.isDone()) return null;
    }
    return null;
  }
}
