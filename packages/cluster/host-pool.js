// The pool of vats on hosts, for the simulation like that of worker threads (packages/host/workers); replicas.js chooses
// the hosts. Deliveries of one microstep go to a host in one batch. The vats of a failed host are made anew on another
// one from their transcripts, and unanswered deliveries are sent again; repeated questions get the same answers. With
// twins a vat runs on several hosts, and their results are compared before one is used.

import { countCranks } from '#host/workers/count-cranks.js';
import { readShown, tellShown } from '#host/workers/shown.js';
import { Fail, quote, showInLine, UserError } from '#model';
import {
  agreeOnResult,
  answerOf,
  checkAnswers,
  DivergedOnHost,
  findOnHost,
  makeCall,
  makeEntries,
  makeHostedVat,
  noteRounds,
  provideReport,
  settlerOf,
} from './hosted-vat.js';
import { AdoptedVats } from './adopted-vats.js';
import { AheadResults } from './ahead-results.js';
import { readToLeader } from './host-messages.js';
import { HostWork, noteWork } from './host-work.js';
import { SendCounts } from './placement.js';
import { cranksOfEntry, Replicas } from './replicas.js';
import { CannotMake } from './restore-tries.js';
import { RunWidth } from './run-width.js';
import { StayingVats } from './staying-vats.js';

/** @import { CrankResult, Kernel, Transport } from '#kernel' */
/** @import { Answer, Delivery, When } from '#model' */
/** @import { BundleShelf } from '#host/vats/bundle-shelf.js' */
/** @import { VatWatch } from '#host/vats/vat-watch.js' */
/** @import { Question } from '#transport' */
/** @import { VatOnWorker } from '#host/workers/worker.js' */
/** @import { Host, HostList } from './host-list.js' */
/** @import { Answerer, Call, HostedVat, Replica } from './hosted-vat.js' */

/** Vats of a resumed run that are restored at once; this bounds the transcripts in memory. */
const mostRestored = 16;

/** Questions that a host may answer by itself: reads of the vat's store, and, if it is ahead, what is dead. */
const tellable = new Set(['vatstoreGet', 'vatstoreGetNextKey', 'bringOutYourDead']);

/** The method that rounds call; each result says whether the root has it. */
const roundMethod = 'runBenchmarkRound';

// eslint-disable-next-line house/max-class-lines -- hosts, their links and the vats on them change together; what is sent and counted is in files of its own
export class HostPool {
  #kernel;

  #watch;

  #hostList;

  #twins;

  #tell;

  #replicas;

  /** The replicas' own map. */
  #vats;

  #spent = { count: 0, ns: 0 };

  #nextNumber = 1;

  #staying;

  #work;

  /** Messages between vats. @type {SendCounts} */
  sends;

  /** @type {AheadResults | undefined} undefined with twins */
  #ahead;

  /** @param {Host} host @param {import('./host-messages.js').ToLeader} message */
  #takeNow = (host, message) => this.#takeMessage(host, message);

  #adopted;

  /** Vats that are being restored; none of these promises rejects. @type {Set<Promise<void>>} */
  #restoring = new Set();

  /** How wide the run is. */
  width = new RunWidth();

  /**
   * @param {object} parts
   * @param {Kernel} parts.kernel
   * @param {BundleShelf} parts.shelf
   * @param {VatWatch} parts.watch
   * @param {HostList} parts.hostList
   * @param {number} parts.twins  the number of hosts for each vat
   * @param {import('#store').Store} parts.store  with the kernel's state at the end of each block
   * @param {number} parts.patienceMs  the longest that a host may take for one delivery; Infinity: no limit
   * @param {(line: string) => void} parts.tell
   */
  constructor({ kernel, shelf, watch, hostList, twins, store, patienceMs, tell }) {
    this.#kernel = kernel;
    this.#watch = watch;
    this.#hostList = hostList;
    this.#twins = twins;
    this.#tell = tell;
    const onFailure = (/** @type {Error} */ error) => this.fail(error);
    const isTimed = patienceMs < Infinity;
    this.#replicas = new Replicas({
      ...{ kernel, shelf, hostList, twins, store, isTimed, tell, onFailure },
    });
    this.#vats = this.#replicas.vats;
    this.#work = new HostWork({ vats: this.#vats, hostList, patienceMs, fail: onFailure });
    if (twins === 1)
      this.#ahead = new AheadResults({ kernel, replicas: this.#replicas, hostList, store });
    this.sends = new SendCounts(kernel);
    this.#adopted = new AdoptedVats(kernel, this);
    this.#staying = new StayingVats(vatId => kernel.vatName(vatId) !== undefined, tell);
  }

  /** Stop with an error. @param {Error} error */
  fail(error) {
    this.#replicas.fail(error);
    for (const { wake } of this.#vats.values()) wake?.(this.#replicas.failure);
  }

  /** @param {Host} host @returns {string | undefined} why it has taken too long */
  findOverdue = host => this.#work.findOverdue(host);

  hostJoined = () => this.#replicas.hostJoined();

  isWaiting = () => this.#replicas.isWaiting;

  /** @param {Host} host */
  hostGone(host) {
    this.#ahead?.hostGone(host);
    for (const vat of this.#vats.values()) this.#replicas.lose(vat, host);
  }

  // Messages from hosts.

  /**
   * @param {Host} host
   * @param {Uint8Array} bytes
   * @throws {RangeError} if it is malformed, or about a vat that is not on this host
   */
  take(host, bytes) {
    const provide = (/** @type {string} */ vatId) => provideReport(this.#vats.get(vatId), host);
    const message = readToLeader(bytes, provide);
    if (this.#ahead?.keep(host, message, bytes.length, this.#takeNow) !== true)
      this.#takeMessage(host, message);
  }

  /**
   * @param {Host} host
   * @param {import('./host-messages.js').ToLeader} message
   * @throws {RangeError} if it is about a vat that is not on this host
   */
  #takeMessage(host, message) {
    switch (message.kind) {
      case 'made': {
        const { vat, replica } = this.#insistOnHost(host, message.vatId, true);
        const { problem, isUsers, hasRounds } = message;
        const settle = settlerOf(vat, replica, hasRounds);
        this.#work.noteEnded(host);
        if (problem === '') settle();
        else settle(isUsers ? new UserError(problem, { exitCode: 1 }) : Error(problem));
        break;
      }
      case 'told':
        this.#takeTold(this.#insistOnHost(host, message.vatId), message.question, message.answer);
        break;
      case 'ended':
        this.#takeEnded(host, message);
        break;
      case 'working':
        this.#work.take(host, message);
        break;
      case 'diverged': {
        const { vat, replica } = this.#insistOnHost(host, message.vatId, true);
        const what = `vat ${vat.name} ${showInLine(message.difference)} on host ${host.name}`;
        settlerOf(vat, replica, null)(new DivergedOnHost(what));
        break;
      }
      case 'report':
        this.#takeReport(host, message.report);
        break;
      default:
        throw RangeError(`it is ${message.kind}, and was not ahead`);
    }
  }

  /** @param {Host} host @param {string} vatId @param {boolean} [isMaking] */
  #insistOnHost(host, vatId, isMaking = false) {
    const vat = this.#vats.get(vatId);
    const replica = findOnHost(vat, host);
    if (vat === undefined || replica === undefined || (!isMaking && !replica.isReady))
      throw RangeError(`vat ${quote(vatId)} is not on host ${host.name}`);
    return { vat, replica };
  }

  /** @param {Host} host @param {import('#transport').Report} report */
  #takeReport(host, report) {
    if (report.kind !== 'question' && report.kind !== 'result')
      throw RangeError(`a report ${report.kind} that nobody asked for`);
    // The thread of a vat that was closed in its crank goes on.
    const isClosed = this.#vats.get(report.vatId)?.isClosed ?? true;
    if (report.kind === 'question') {
      /** @type {Answer} */
      let answer = { kind: 'value', value: undefined };
      if (!isClosed) {
        const { vat, replica } = this.#insistOnHost(host, report.vatId);
        answer = answerOf(vat, replica, report.question, report.earlier);
      }
      this.#replicas.post(host, { kind: 'answer', vatId: report.vatId, answer });
      const answered = findOnHost(this.#vats.get(report.vatId), host);
      if (answered !== undefined) noteWork(answered);
      host.link.flush();
      return;
    }
    const call = this.#vats.get(report.vatId)?.call;
    host.figures.cranks += call === undefined ? 1 : countCranks(call, report);
    host.figures.busyNs += report.busyNs;
    this.#spent.count += report.collections;
    this.#spent.ns += report.collectionNs;
    if (isClosed) return;
    const { vat, replica } = this.#insistOnHost(host, report.vatId);
    if (vat.call === undefined || replica.result !== undefined)
      throw RangeError(`vat ${quote(report.vatId)} was given nothing`);
    replica.result = report;
    this.#work.noteEnded(host);
    vat.wake?.();
  }

  /**
   * The host answered a read of the vat's store from its copy: compare it with the kernel's answer.
   *
   * @param {{ vat: HostedVat, replica: Replica }} found
   * @param {Question} question
   * @param {Answer} answer
   */
  #takeTold({ vat, replica }, question, answer) {
    if (!tellable.has(question[0])) throw RangeError(`a host answers ${question[0]} by itself`);
    const right = answerOf(vat, replica, question, []);
    if (JSON.stringify(right) !== JSON.stringify(answer))
      throw RangeError(`its copy of the store of vat ${quote(vat.vatId)} is not what it should be`);
  }

  /** Handle the end of a host's thread. @param {Host} host @param {Extract<import('./host-messages.js').ToLeader, { kind: 'ended' }>} ended */
  #takeEnded(host, { reason, atWork, vatIds }) {
    const problem = `a thread of host ${host.name} has ended: ${showInLine(reason)}`;
    this.#tell(problem);
    for (const vatId of vatIds) {
      const vat = this.#vats.get(vatId);
      // The vat may have been moved meanwhile.
      if (vat === undefined || findOnHost(vat, host) === undefined) continue;
      if (vatId === atWork && vat.call !== undefined) vat.call.ends += 1;
      this.#replicas.lose(vat, host, new CannotMake(problem));
    }
  }

  // Calls of the simulation.

  /** @param {HostedVat} vat @returns {boolean} whether all results of its call have come */
  #isHere({ replicas }) {
    return (
      replicas.length === this.#twins &&
      replicas.every(({ result, isReady }) => isReady && result !== undefined)
    );
  }

  /** @param {HostedVat} vat @param {Call} call @returns {CrankResult} */
  #takeResult(vat, call) {
    const result = agreeOnResult(vat, call);
    const { fault, isRefusal, wantsAsking, syscalls, answers, shown, reactors } = result;
    const dead = checkAnswers(vat, call, result);
    noteRounds(vat, vat.replicas[0].host, result.hasRounds);
    if (this.#hostList.hosts.size > 1) this.sends.note(vat.vatId, syscalls);
    tellShown(this.#watch, vat.name, readShown(shown));
    vat.taken += countCranks(call, result);
    vat.call = undefined;
    vat.overruns = 0;
    vat.last = makeEntries(call, result);
    return {
      ...{ fault, syscalls, answers, reactors, isRefusal, wantsAsking },
      ...(dead !== undefined && { dead }),
    };
  }

  /** @param {HostedVat} vat @returns {CrankResult | Promise<CrankResult>} */
  #finish(vat) {
    const call = vat.call ?? Fail`vat ${vat.vatId} has been given nothing`;
    const { running } = this.#watch;
    running.vatName = vat.name;
    running.delivery = call.delivery;
    running.cranks += 1;
    this.width.noteWait();
    return this.#isHere(vat) ? this.#conclude(vat, call) : this.#await(vat, call);
  }

  /** @param {HostedVat} vat @param {Call} call @returns {Promise<CrankResult>} */
  async #await(vat, call) {
    this.#replicas.flush();
    while (!this.#isHere(vat)) {
      if (this.#replicas.failure !== undefined) throw this.#replicas.failure;
      await /** @type {Promise<void>} */ (
        new Promise((resolve, reject) => {
          vat.wake = error => (error === undefined ? resolve() : reject(error));
        })
      );
    }
    vat.wake = undefined;
    return this.#conclude(vat, call);
  }

  /** @param {HostedVat} vat @param {Call} call @returns {CrankResult | Promise<CrankResult>} */
  #conclude(vat, call) {
    this.#watch.running.vatName = undefined;
    try {
      return this.#takeResult(vat, call);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The host's result contradicts its delivery: another host repeats it.
      const [{ host }] = vat.replicas;
      this.#hostList.end(host, error.message);
      return this.#await(vat, call);
    }
  }

  /** @param {HostedVat} vat @returns {Transport} */
  #transportOf(vat) {
    return Object.freeze({
      overlaps: true,
      isRestored: true,
      begin: (
        /** @type {Delivery} */ delivery,
        /** @type {Answerer} */ answer,
        /** @type {When} */ when,
      ) => {
        const asked = delivery[0] === 'bringOutYourDead' ? this.#kernel.askedNext() : [];
        vat.call = makeCall(delivery, answer, when, asked);
        this.width.noteCall();
        for (const replica of vat.replicas) {
          if (!replica.isReady) continue;
          if (this.#ahead === undefined) this.#replicas.sendCall(vat, replica, vat.call);
          else if (!this.#ahead.begin(vat, replica, vat.call, this.#takeNow))
            this.#ahead.send(vat, replica, vat.call, when);
        }
      },
      finish: () => this.#finish(vat),
      close: () => {
        vat.isClosed = true;
        this.#replicas.forget(vat);
        for (const { host, isReady } of vat.replicas) {
          host.vats.delete(vat.vatId);
          if (isReady)
            this.#replicas.post(host, {
              kind: 'request',
              request: { kind: 'close', vatId: vat.vatId },
            });
        }
      },
    });
  }

  /**
   * Place a vat, restored from its transcript if it has run before.
   *
   * @param {string} vatId
   * @param {Omit<VatOnWorker, 'number'>} description
   * @returns {Promise<Transport>}
   */
  async attach(vatId, description) {
    const vat = makeHostedVat(vatId, { ...description, number: this.#nextNumber });
    this.#nextNumber += 1;
    this.#vats.set(vatId, vat);
    for (const entry of this.#kernel.transcript(vatId)) vat.taken += cranksOfEntry(entry);
    if (vat.taken > 0) {
      await this.#restore(vat);
      return this.#transportOf(vat);
    }
    try {
      await this.#replicas.bringBack(vat);
    } catch (error) {
      this.#vats.delete(vatId);
      throw error;
    }
    return this.#transportOf(vat);
  }

  /** @param {string} vatId */
  has(vatId) {
    return this.#vats.has(vatId);
  }

  /** Note an upgraded vat, which goes to a host between two blocks. @type {AdoptedVats['add']} */
  adopt(vatId, description, move) {
    this.#adopted.add(vatId, description, move);
  }

  /**
   * Restore a vat concurrently with others, so that a new leader need not wait for each in turn.
   *
   * @param {HostedVat} vat
   */
  async #restore(vat) {
    while (this.#restoring.size >= mostRestored) await Promise.race(this.#restoring);
    const restoring = this.#replicas
      .bringBack(vat)
      .catch(error => this.fail(error))
      .finally(() => this.#restoring.delete(restoring));
    this.#restoring.add(restoring);
  }

  /** Settles when all attached vats are on hosts. */
  async placed() {
    await Promise.all(this.#restoring);
    if (this.#replicas.failure !== undefined) throw this.#replicas.failure;
  }

  /** Note a vat that is made on the leader's own thread. @type {StayingVats['add']} */
  stays(vat, reason) {
    this.#staying.add(vat, reason);
  }

  /** Hosts have no bound on their vats. */
  isFuller() {
    return false;
  }

  /** @param {string} vatName @param {string} method @returns {boolean | undefined} */
  rootHasMethod(vatName, method) {
    if (method !== roundMethod) return undefined;
    for (const { name, hasRounds, isClosed } of this.#vats.values())
      if (name === vatName && !isClosed) return hasRounds ?? undefined;
    return undefined;
  }

  takeSpent() {
    const taken = { ...this.#spent };
    this.#spent = { count: 0, ns: 0 };
    return taken;
  }

  figures = () => [];

  kill() {}

  async close() {
    this.fail(Error('the simulation is closed'));
  }

  // Placement. To be called while nothing runs.

  placement() {
    return this.#replicas.placement();
  }

  /** Vats on the leader's own thread, with reasons. */
  staying() {
    return this.#staying.list();
  }

  /** @type {Replicas['move']} */
  move(which, hostName, options) {
    return this.#replicas.move(which, hostName, options);
  }

  /** Ends moves of which only the rest is left, and places upgraded vats. */
  async betweenBlocks() {
    await this.#replicas.betweenBlocks();
    await this.#adopted.place();
  }

  /** Let a host go ahead. To be called between blocks, last. */
  goAhead() {
    this.#ahead?.betweenBlocks();
  }

  /** Whether a host is ahead: the width of the run does not show meanwhile. */
  get isAhead() {
    return this.#ahead?.host !== undefined;
  }

  /** @param {number} mostCranks */
  placedVats(mostCranks) {
    return this.#replicas.placed(mostCranks);
  }
}
