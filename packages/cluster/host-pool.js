// Which vat runs on which host, and what is under way there. To the simulation it is what the pool of worker threads is
// (packages/host/workers): places for vats, as transports. Deliveries of one microstep go to a host in one batch, when the
// first of their results is wanted. A host that is gone has its vats made anew on another one, from their transcripts, and
// what it has not answered is sent again; questions that were asked before get the same answers. With twins a vat runs on
// several hosts, and their results are compared before one of them counts.

import { reviveReport } from '#loader/compartment';
import { Fail, quote, UserError } from '#model';
import { agreeOnResult, answerOf, checkAnswers, makeCall, makeHostedVat } from './hosted-vat.js';
import { readToLeader } from './host-messages.js';
import { Replicas } from './replicas.js';

/** @import { CrankResult, Kernel, Transport } from '#kernel' */
/** @import { Answer, Delivery, Syscall, When } from '#model' */
/** @import { BundleShelf } from '#host/bundle-shelf.js' */
/** @import { VatWatch } from '#host/vat-watch.js' */
/** @import { VatOnWorker } from '#host/workers/worker.js' */
/** @import { Host, HostList } from './host-list.js' */
/** @import { Answerer, Call, HostedVat, Replica } from './hosted-vat.js' */

/** How long a vat's place is waited for before it is looked for again. */
const napMs = 20;

/** The method that rounds call: whether a root has it is asked when the vat has started. */
const roundMethod = 'runBenchmarkRound';

/**
 * @param {string} shown  of a result: JSON, or empty
 * @returns {({ level: string, text: string } | { report: ReturnType<typeof reviveReport> })[]}
 * @throws {RangeError} it is malformed
 */
const readShown = shown => {
  if (shown === '') return [];
  try {
    return JSON.parse(shown).map((/** @type {[any, any]} */ [first, text]) => {
      if (typeof first !== 'string') return { report: reviveReport(first) };
      if (typeof text !== 'string') throw TypeError('what a vat prints is text');
      return { level: first, text };
    });
  } catch (error) {
    throw RangeError(`what it shows is malformed: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    });
  }
};

// eslint-disable-next-line house/max-class-lines -- hosts, their links and the vats on them change together; what is sent and counted is in files of its own
export class HostPool {
  #kernel;

  #watch;

  #hostList;

  #twins;

  #tell;

  #replicas;

  /** The same map as that of the replicas. */
  #vats;

  /** Who waits whether a root has a method. @type {Map<Host, ((isThere: boolean | undefined) => void)[]>} */
  #asking = new Map();

  #spent = { count: 0, ns: 0 };

  #nextNumber = 1;

  /** Calls that were begun since anybody waited for a result, and since the vats were placed. */
  #width = { calls: 0, waits: 0, isFresh: true };

  /**
   * @param {object} parts
   * @param {Kernel} parts.kernel
   * @param {BundleShelf} parts.shelf
   * @param {VatWatch} parts.watch
   * @param {HostList} parts.hostList
   * @param {number} parts.twins  on how many hosts each vat runs
   * @param {(line: string) => void} parts.tell
   */
  constructor({ kernel, shelf, watch, hostList, twins, tell }) {
    this.#kernel = kernel;
    this.#watch = watch;
    this.#hostList = hostList;
    this.#twins = twins;
    this.#tell = tell;
    const onFailure = (/** @type {Error} */ error) => this.fail(error);
    this.#replicas = new Replicas({ kernel, shelf, hostList, twins, tell, onFailure });
    this.#vats = this.#replicas.vats;
  }

  /** Nothing goes on any more. @param {Error} error */
  fail(error) {
    this.#replicas.fail(error);
    for (const { wake } of this.#vats.values()) wake?.(this.#replicas.failure);
  }

  hostJoined() {
    this.#replicas.hostJoined();
  }

  /** @param {Host} host */
  hostGone(host) {
    for (const tell of this.#asking.get(host) ?? []) tell(undefined);
    this.#asking.delete(host);
    for (const vat of this.#vats.values()) this.#replicas.lose(vat, host);
  }

  // What hosts say.

  /**
   * @param {Host} host
   * @param {Uint8Array} bytes
   * @throws {RangeError} it is malformed, or of a vat that is not on this host
   */
  take(host, bytes) {
    const message = readToLeader(bytes);
    switch (message.kind) {
      case 'made': {
        const { replica } = this.#findReplica(host, message.vatId, true);
        const { problem, isUsers } = message;
        if (replica.made === undefined)
          throw RangeError(`vat ${quote(message.vatId)} is made already`);
        if (problem === '') replica.made();
        else replica.made(isUsers ? new UserError(problem, { exitCode: 1 }) : Error(problem));
        break;
      }
      case 'told':
        this.#takeTold(this.#findReplica(host, message.vatId), message.question, message.answer);
        break;
      case 'ended':
        this.#takeEnded(host, message);
        break;
      case 'diverged': {
        const { vat, replica } = this.#findReplica(host, message.vatId, true);
        const what = `vat ${vat.name} ${message.difference} on host ${host.name}`;
        replica.made?.(new UserError(what, { exitCode: 1 }));
        break;
      }
      default:
        this.#takeReport(host, message.report);
    }
  }

  /** @param {Host} host @param {string} vatId @param {boolean} [isMaking] */
  #findReplica(host, vatId, isMaking = false) {
    const vat = this.#vats.get(vatId);
    const replica = vat?.replicas.find(each => each.host === host);
    if (vat === undefined || replica === undefined || (!isMaking && !replica.isReady))
      throw RangeError(`vat ${quote(vatId)} is not on host ${host.name}`);
    return { vat, replica };
  }

  /** @param {Host} host @param {import('#transport').Report} report */
  #takeReport(host, report) {
    if (report.kind === 'hasMethod') {
      this.#asking.get(host)?.shift()?.(report.isThere);
      return;
    }
    // One that was closed in its crank is told nothing any more, but its thread goes on.
    const isClosed = !this.#vats.has(report.vatId);
    if (report.kind === 'question') {
      /** @type {Answer} */
      let answer = { kind: 'value', value: undefined };
      if (!isClosed) {
        const { vat, replica } = this.#findReplica(host, report.vatId);
        answer = answerOf(vat, replica, report.question, report.earlier);
      }
      this.#replicas.post(host, { kind: 'answer', vatId: report.vatId, answer });
      host.link.flush();
      return;
    }
    if (report.kind !== 'result') throw RangeError(`a report ${report.kind} that nobody asked for`);
    host.figures.cranks += 1;
    host.figures.busyNs += report.busyNs;
    this.#spent.count += report.collections;
    this.#spent.ns += report.collectionNs;
    if (isClosed) return;
    const { vat, replica } = this.#findReplica(host, report.vatId);
    if (vat.call === undefined || replica.result !== undefined)
      throw RangeError(`vat ${quote(report.vatId)} was given nothing`);
    replica.result = report;
    vat.wake?.();
  }

  /**
   * The host has answered a read of the vat's store from its copy: it has to be what the kernel would have answered.
   *
   * @param {{ vat: HostedVat, replica: Replica }} found
   * @param {Syscall} question
   * @param {Answer} answer
   */
  #takeTold({ vat, replica }, question, answer) {
    if (question[0] !== 'vatstoreGet' && question[0] !== 'vatstoreGetNextKey')
      throw RangeError(`a host answers ${question[0]} by itself`);
    const right = answerOf(vat, replica, question, []);
    if (JSON.stringify(right) !== JSON.stringify(answer))
      throw RangeError(`its copy of the store of vat ${quote(vat.vatId)} is not what it should be`);
  }

  /** A thread of a host has ended. @param {Host} host @param {Extract<import('./host-messages.js').ToLeader, { kind: 'ended' }>} ended */
  #takeEnded(host, { reason, atWork, vatIds }) {
    this.#tell(`a thread of host ${host.name} has ended: ${reason}`);
    for (const vatId of vatIds) {
      const vat = this.#vats.get(vatId);
      if (vat === undefined) continue;
      if (vatId === atWork && vat.call !== undefined) vat.call.ends += 1;
      this.#replicas.lose(vat, host);
    }
  }

  // What the simulation asks.

  /**
   * What a vat has printed, and which errors left it.
   *
   * @param {HostedVat} vat
   * @param {string} shown
   * @throws {RangeError} a worker would not have written it
   */
  #show({ name }, shown) {
    const { hooks } = this.#watch;
    for (const each of readShown(shown)) {
      if ('report' in each) hooks.onVatError(name, each.report);
      else hooks.onConsole(name, /** @type {any} */ (each.level), each.text);
    }
  }

  /** @param {HostedVat} vat @returns {boolean} whether all results of its call are here */
  #isHere({ replicas }) {
    return (
      replicas.length === this.#twins &&
      replicas.every(({ result, isReady }) => isReady && result !== undefined)
    );
  }

  /** @param {HostedVat} vat @param {Call} call @returns {CrankResult} */
  #takeResult(vat, call) {
    const result = agreeOnResult(vat, call);
    const { fault, isRefusal, syscalls, shown } = result;
    const answers = checkAnswers(call, vat.replicas[0], result);
    this.#show(vat, shown);
    vat.taken += 1;
    vat.call = undefined;
    const { timeNs, microstep, stage } = call.when;
    vat.last = {
      ...{ kind: 'deliver', tag: { timeNs, microstep }, stage },
      ...{ delivery: call.delivery, answers, syscalls },
    };
    return { fault, syscalls, answers, reactors: null, ...(isRefusal && { isRefusal }) };
  }

  /** @param {HostedVat} vat @returns {Promise<CrankResult>} */
  async #finish(vat) {
    const call = vat.call ?? Fail`vat ${vat.vatId} has been given nothing`;
    const { running } = this.#watch;
    running.vatName = vat.name;
    running.delivery = call.delivery;
    running.cranks += 1;
    this.#width.waits += this.#width.isFresh ? 1 : 0;
    this.#width.isFresh = false;
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
    running.vatName = undefined;
    try {
      const result = this.#takeResult(vat, call);
      if (call.delivery[0] === 'startVat') await this.#askForRounds(vat);
      return result;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // What the host says does not fit what it was told: another one does it again.
      const [{ host }] = vat.replicas;
      this.#hostList.end(host, error.message);
      return this.#finish(vat);
    }
  }

  /** @param {HostedVat} vat */
  async #askForRounds(vat) {
    while (vat.hasRounds === undefined) {
      if (this.#replicas.failure !== undefined) throw this.#replicas.failure;
      const host = vat.replicas.find(({ isReady }) => isReady)?.host;
      if (host === undefined) await new Promise(resolve => void setTimeout(resolve, napMs));
      else vat.hasRounds = await this.#askHost(host, vat.vatId);
    }
  }

  /** @param {Host} host @param {string} vatId @returns {Promise<boolean | undefined>} undefined if it is gone */
  #askHost(host, vatId) {
    return new Promise(resolve => {
      const asking = this.#asking.get(host) ?? [];
      asking.push(resolve);
      this.#asking.set(host, asking);
      const request = /** @type {const} */ ({ kind: 'hasMethod', vatId, method: roundMethod });
      this.#replicas.post(host, { kind: 'request', request });
      this.#replicas.flush();
    });
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
        this.#width.calls += 1;
        this.#width.isFresh = true;
        for (const replica of vat.replicas)
          if (replica.isReady) this.#replicas.sendCall(vat, replica, vat.call);
      },
      finish: () => this.#finish(vat),
      close: () => {
        vat.isClosed = true;
        this.#vats.delete(vat.vatId);
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
   * A place for a vat: if it has run already, as its transcript says.
   *
   * @param {string} vatId
   * @param {Omit<VatOnWorker, 'number'>} description
   * @returns {Promise<Transport>}
   */
  async attach(vatId, description) {
    const vat = makeHostedVat(vatId, { ...description, number: this.#nextNumber });
    this.#nextNumber += 1;
    this.#vats.set(vatId, vat);
    try {
      await this.#replicas.bringBack(vat);
      for (const _ of this.#kernel.transcript(vatId)) vat.taken += 1;
      if (vat.taken > 0) await this.#askForRounds(vat);
    } catch (error) {
      this.#vats.delete(vatId);
      throw error;
    }
    return this.#transportOf(vat);
  }

  /** All vats that may run elsewhere do. */
  isFuller() {
    return false;
  }

  /** @param {string} vatName @param {string} method @returns {boolean | undefined} */
  rootHasMethod(vatName, method) {
    if (method !== roundMethod) return undefined;
    for (const { name, hasRounds } of this.#vats.values()) if (name === vatName) return hasRounds;
    return undefined;
  }

  takeSpent() {
    const taken = { ...this.#spent };
    this.#spent = { count: 0, ns: 0 };
    return taken;
  }

  figures() {
    return [];
  }

  kill() {}

  async close() {
    this.fail(Error('the simulation is closed'));
  }

  // Placement. To be called while nothing runs.

  placement() {
    return this.#replicas.placement();
  }

  /** @type {Replicas['move']} */
  move(which, hostName, options) {
    return this.#replicas.move(which, hostName, options);
  }

  /** @param {number} mostCranks */
  movable(mostCranks) {
    return this.#replicas.movable(mostCranks);
  }

  /** Calls that were under way at once, on average, since it was asked last; undefined if there were few. */
  takeWidth() {
    const { calls, waits } = this.#width;
    if (calls < 100 || waits === 0) return undefined;
    this.#width = { calls: 0, waits: 0, isFresh: true };
    return calls / waits;
  }
}
