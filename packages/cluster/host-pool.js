// Which vat runs on which host, and what is under way there. To the simulation it is what the pool of worker threads is
// (packages/host/workers): places for vats, as transports. Deliveries of one microstep go to a host in one batch, when the
// first of their results is wanted. A host that is gone has its vats made anew on another one, from their transcripts, and
// what it has not answered is sent again; questions that were asked before get the same answers. With twins a vat runs on
// several hosts, and their results are compared before one of them counts.

import { memoryRefused } from '#kernel';
import { findDifference, describeSyscall } from '#host/replay.js';
import { reviveReport } from '#loader/compartment';
import {
  ByteReader,
  ByteWriter,
  Fail,
  quote,
  readTranscriptEntry,
  UserError,
  writeTranscriptEntry,
} from '#model';
import { writeToHost, readToLeader } from './host-messages.js';

/** @import { CrankResult, Kernel, Transport } from '#kernel' */
/** @import { Answer, Delivery, Syscall, TranscriptEntry, When } from '#model' */
/** @import { Question, ResultFrame } from '#transport' */
/** @import { BundleShelf } from '#host/bundle-shelf.js' */
/** @import { VatWatch } from '#host/vat-watch.js' */
/** @import { VatOnWorker } from '#host/workers/worker.js' */
/** @import { Host, HostList } from './host-list.js' */

/** @typedef {Parameters<Transport['begin']>[1]} Answerer */

/** A delivery in which so many threads have ended ends its vat. */
const mostEnds = 2;

/** A vat that could not be brought back so often ends the run. */
const mostTries = 10;

/** How long a vat's place is waited for before it is looked for again. */
const napMs = 20;

/** The method that rounds call: whether a root has it is asked when the vat has started. */
const roundMethod = 'runBenchmarkRound';

/**
 * A vat on one host.
 *
 * @typedef {object} Replica
 * @property {Host} host
 * @property {boolean} isReady  whether deliveries may be sent to it
 * @property {number} at  how many questions of the call it has asked
 * @property {ResultFrame | undefined} result  of the call under way
 * @property {((problem?: Error) => void) | undefined} made  tells who makes it that it is made, or why not
 */

/**
 * @typedef {object} Call
 * @property {Delivery} delivery
 * @property {Answerer} answer
 * @property {When} when
 * @property {readonly string[]} asked
 * @property {Question[]} questions  that were asked so far
 * @property {Answer[]} given  the answers to them
 * @property {number} ends  how many threads ended in it
 */

/**
 * @typedef {object} HostedVat
 * @property {string} vatId
 * @property {string} name
 * @property {VatOnWorker} description
 * @property {Replica[]} replicas
 * @property {Call | undefined} call  under way
 * @property {TranscriptEntry | undefined} last  what the kernel was given last; it may not be in the transcript yet
 * @property {number} taken  results that the kernel has taken
 * @property {((error?: Error) => void) | undefined} wake  of who waits for the result
 * @property {boolean | undefined} hasRounds
 * @property {boolean} isPinned  a person has placed it
 * @property {boolean} isClosed
 */

/** The first difference between two results of one delivery. @param {ResultFrame} left @param {ResultFrame} right */
const compareResults = (left, right) => {
  const at = findDifference(left.syscalls, right.syscalls);
  if (at >= 0) {
    const [first, second] = [
      describeSyscall(left.syscalls[at]),
      describeSyscall(right.syscalls[at]),
    ];
    const how =
      first === second ? `${first}, has other data` : `${first} on the one, ${second} on the other`;
    return `syscall ${at + 1}, ${how}`;
  }
  if (left.fault !== right.fault) return 'the fault that ends it';
  if (JSON.stringify(left.answers) !== JSON.stringify(right.answers)) return 'what it found dead';
  return undefined;
};

export class HostPool {
  #kernel;

  #shelf;

  #watch;

  #hostList;

  #twins;

  #tell;

  /** @type {Map<string, HostedVat>} */
  #vats = new Map();

  /** @type {{ resolve: () => void, reject: (error: Error) => void }[]} who waits for a host */
  #waiting = [];

  /** Who waits whether a root has a method. @type {Map<Host, ((isThere: boolean | undefined) => void)[]>} */
  #asking = new Map();

  /** @type {Error | undefined} why nothing goes on */
  #failure;

  #spent = { count: 0, ns: 0 };

  #nextNumber = 1;

  /** Calls that were begun since anybody waited for a result, and since the vats were placed. */
  #width = { calls: 0, waits: 0, isFresh: true };

  /** Hosts that were sent something since anybody waited. @type {Set<Host>} */
  #posted = new Set();

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
    this.#shelf = shelf;
    this.#watch = watch;
    this.#hostList = hostList;
    this.#twins = twins;
    this.#tell = tell;
  }

  /** Nothing goes on any more. @param {Error} error */
  fail(error) {
    this.#failure ??= error;
    for (const { wake } of this.#vats.values()) wake?.(this.#failure);
    for (const { replicas } of this.#vats.values())
      for (const { made } of replicas) made?.(this.#failure);
    for (const { reject } of this.#waiting) reject(this.#failure);
    this.#waiting = [];
  }

  /** @param {Host} host @param {import('./host-messages.js').ToHost} message */
  #post(host, message) {
    host.link.post(writeToHost(message));
    this.#posted.add(host);
  }

  #flush() {
    for (const host of this.#posted) {
      host.link.flush();
      host.figures.batches += 1;
    }
    this.#posted.clear();
  }

  // Hosts.

  hostJoined() {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  }

  /** @param {Host} host */
  hostGone(host) {
    for (const tell of this.#asking.get(host) ?? []) tell(undefined);
    this.#asking.delete(host);
    for (const vat of this.#vats.values()) this.#lose(vat, host);
  }

  /** A vat has lost its place on a host. @param {HostedVat} vat @param {Host} host */
  #lose(vat, host) {
    const lost = vat.replicas.find(each => each.host === host);
    if (lost === undefined) return;
    vat.replicas = vat.replicas.filter(each => each !== lost);
    host.vats.delete(vat.vatId);
    // One that is not ready yet is looked after by who makes it.
    if (lost.made !== undefined) lost.made(new HostGone());
    else if (!vat.isClosed) this.#bringBack(vat).catch(error => this.fail(error));
  }

  /** Hosts with the fewest vats first. @param {HostedVat} vat @returns {Host | undefined} */
  #choose(vat) {
    const taken = new Set(vat.replicas.map(({ host }) => host));
    /** @type {Host | undefined} */
    let best;
    for (const host of this.#hostList.hosts.values()) {
      if (taken.has(host)) continue;
      if (best === undefined || host.vats.size / host.threads < best.vats.size / best.threads)
        best = host;
    }
    return best;
  }

  /** @param {HostedVat} vat @returns {Promise<Host>} */
  async #awaitHost(vat) {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const host = this.#choose(vat);
      if (host !== undefined) return host;
      const { size } = this.#hostList.hosts;
      this.#tell(`vat ${vat.name} waits for a host: ${size} ${size === 1 ? 'is' : 'are'} here`);
      await /** @type {Promise<void>} */ (
        new Promise((resolve, reject) => void this.#waiting.push({ resolve, reject }))
      );
    }
  }

  // Vats.

  /**
   * Make a vat on a host, with its transcript if it has run already.
   *
   * @param {HostedVat} vat
   * @param {Host} host
   * @returns {Promise<Replica>}
   */
  async #make(vat, host) {
    const { vatId, description } = vat;
    /** @type {Replica} */
    const replica = { host, isReady: false, at: 0, result: undefined, made: undefined };
    vat.replicas.push(replica);
    host.vats.add(vatId);
    const { source } = description;
    if (!host.bundles.has(source)) {
      const { bundle, sourceUrls } =
        this.#shelf.find(source) ?? Fail`bundle ${source} is not installed`;
      host.bundles.add(source);
      const [text, urls] = [JSON.stringify(bundle), JSON.stringify(sourceUrls)];
      this.#post(host, { kind: 'request', request: { kind: 'bundle', id: source, text, urls } });
    }
    const problem = await new Promise(resolve => {
      replica.made = resolve;
      this.#post(host, {
        ...{ kind: 'restore', vatId, description: JSON.stringify(description) },
        transcript: this.#transcriptOf(vat),
      });
      this.#flush();
    });
    replica.made = undefined;
    if (problem !== undefined) {
      vat.replicas = vat.replicas.filter(each => each !== replica);
      host.vats.delete(vatId);
      throw problem;
    }
    replica.isReady = true;
    return replica;
  }

  /** All that the kernel was given of a vat. @param {HostedVat} vat */
  #transcriptOf({ vatId, taken, last }) {
    const stored = this.#kernel.state.readStream(this.#kernel.transcriptStream(vatId));
    let entries = 0;
    for (const reader = new ByteReader(stored); !reader.done; entries += 1)
      readTranscriptEntry(reader);
    if (entries >= taken || last === undefined) return stored;
    const writer = new ByteWriter(stored.length + 256);
    writer.raw(stored);
    writeTranscriptEntry(writer, last);
    return writer.view();
  }

  /** Make as many replicas of a vat as there should be. @param {HostedVat} vat */
  async #bringBack(vat) {
    for (let tries = 0; vat.replicas.length < this.#twins && !vat.isClosed; tries += 1) {
      if (tries === mostTries)
        throw new UserError(`vat ${vat.name} could not be brought back on any host`, {
          exitCode: 1,
        });
      const host = await this.#awaitHost(vat);
      try {
        await this.#insertReplica(vat, await this.#make(vat, host));
      } catch (error) {
        if (!(error instanceof HostGone)) throw error;
      }
    }
  }

  /** A new replica gets what is under way. @param {HostedVat} vat @param {Replica} replica */
  async #insertReplica(vat, replica) {
    const { call } = vat;
    if (call === undefined) return;
    if (call.ends >= mostEnds) {
      replica.at = call.given.length;
      replica.result = refusal(vat.vatId, call);
      vat.wake?.();
      return;
    }
    this.#sendCall(vat, replica, call);
    this.#flush();
  }

  /** @param {HostedVat} vat @param {Replica} replica @param {Call} call */
  #sendCall({ vatId }, replica, { when, asked, delivery }) {
    replica.at = 0;
    replica.result = undefined;
    const request = /** @type {const} */ ({ kind: 'deliver', vatId, when, asked, delivery });
    this.#post(replica.host, { kind: 'request', request });
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
      this.#post(host, { kind: 'answer', vatId: report.vatId, answer });
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
      this.#lose(vat, host);
    }
  }

  // What the simulation asks.

  /** @param {HostedVat} vat @param {string} shown */
  #show({ name }, shown) {
    if (shown === '') return;
    const { hooks } = this.#watch;
    for (const [first, text] of JSON.parse(shown)) {
      if (typeof first === 'string') hooks.onConsole(name, /** @type {any} */ (first), text);
      else hooks.onVatError(name, reviveReport(first));
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
    const [first, ...others] = vat.replicas;
    const result = first.result ?? Fail`there is no result`;
    for (const other of others) {
      const difference = compareResults(result, other.result ?? Fail`there is no result`);
      if (difference === undefined) continue;
      throw new UserError(
        `vat ${vat.name} does something else on host ${first.host.name} than on host ${other.host.name}, in its crank ${vat.taken + 1} (${call.delivery[0]}): ${difference}; nothing of the block is committed`,
        { exitCode: 1 },
      );
    }
    const { fault, isRefusal, syscalls, shown } = result;
    const answers = checkAnswers(call, first, result);
    vat.taken += 1;
    vat.call = undefined;
    const { timeNs, microstep, stage } = call.when;
    vat.last = {
      ...{ kind: 'deliver', tag: { timeNs, microstep }, stage },
      ...{ delivery: call.delivery, answers, syscalls },
    };
    this.#show(vat, shown);
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
    this.#flush();
    while (!this.#isHere(vat)) {
      if (this.#failure !== undefined) throw this.#failure;
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
      if (this.#failure !== undefined) throw this.#failure;
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
      this.#post(host, { kind: 'request', request });
      this.#flush();
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
        const { timeNs, microstep, stage } = when;
        vat.call = {
          ...{ delivery, answer, when: { timeNs, microstep, stage }, asked },
          ...{ questions: [], given: [], ends: 0 },
        };
        this.#width.calls += 1;
        this.#width.isFresh = true;
        for (const replica of vat.replicas)
          if (replica.isReady) this.#sendCall(vat, replica, vat.call);
      },
      finish: () => this.#finish(vat),
      close: () => {
        vat.isClosed = true;
        this.#vats.delete(vat.vatId);
        for (const { host, isReady } of vat.replicas) {
          host.vats.delete(vat.vatId);
          if (isReady)
            this.#post(host, { kind: 'request', request: { kind: 'close', vatId: vat.vatId } });
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
    /** @type {HostedVat} */
    const vat = {
      ...{
        vatId,
        name: description.name,
        description: { ...description, number: this.#nextNumber },
      },
      ...{ replicas: [], call: undefined, last: undefined, taken: 0, wake: undefined },
      ...{ hasRounds: undefined, isPinned: false, isClosed: false },
    };
    this.#nextNumber += 1;
    this.#vats.set(vatId, vat);
    try {
      await this.#bringBack(vat);
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

  /** Where vats are. @returns {{ vatId: string, name: string, hosts: string[], cranks: number }[]} */
  placement() {
    return [...this.#vats.values()].map(({ vatId, name, replicas, taken }) => ({
      ...{ vatId, name, cranks: taken },
      hosts: replicas.map(({ host }) => host.name),
    }));
  }

  /**
   * Move a vat to another host.
   *
   * @param {string} which  its name or id
   * @param {string} hostName
   * @param {{ isPinned?: boolean }} [options]
   * @returns {Promise<string>} what was done, for people
   * @throws {UserError}
   */
  async move(which, hostName, { isPinned = true } = {}) {
    const vat = [...this.#vats.values()].find(
      ({ name, vatId }) => name === which || vatId === which,
    );
    const host = this.#hostList.hosts.get(hostName);
    if (vat === undefined)
      throw new UserError(
        `no vat ${quote(which)} is on a host; there are ${
          this.placement()
            .map(({ name }) => name)
            .join(', ') || 'none'
        }`,
      );
    if (host === undefined)
      throw new UserError(
        `there is no host ${quote(hostName)}; there are ${[...this.#hostList.hosts.keys()].join(', ') || 'none'}`,
      );
    if (vat.replicas.some(each => each.host === host))
      return `vat ${vat.name} is on host ${hostName} already`;
    const [old] = vat.replicas;
    await this.#make(vat, host);
    vat.isPinned ||= isPinned;
    vat.replicas = vat.replicas.filter(each => each !== old);
    old.host.vats.delete(vat.vatId);
    this.#post(old.host, { kind: 'request', request: { kind: 'close', vatId: vat.vatId } });
    this.#flush();
    return `vat ${vat.name} has moved from host ${old.host.name} to host ${hostName}, with ${vat.taken} cranks`;
  }

  /** Calls that were under way at once, on average, since it was asked last; undefined if there were few. */
  takeWidth() {
    const { calls, waits } = this.#width;
    if (calls < 100 || waits === 0) return undefined;
    this.#width = { calls: 0, waits: 0, isFresh: true };
    return calls / waits;
  }

  /** Vats that may be moved by themselves: a person has not placed them, and it does not take long. @param {number} mostCranks */
  movable(mostCranks) {
    return [...this.#vats.values()]
      .filter(
        ({ isPinned, taken, replicas }) => !isPinned && taken < mostCranks && replicas.length === 1,
      )
      .map(({ vatId, replicas: [{ host }] }) => ({ vatId, host: host.name }));
  }
}

/** A host has gone while something was made there. */
export class HostGone extends Error {}

/**
 * The answer to a question; one that was asked before, by a host that is gone or by a twin, gets the same answer.
 *
 * @param {HostedVat} vat
 * @param {Replica} replica
 * @param {Question} question
 * @param {Syscall[]} earlier
 * @returns {Answer}
 */
const answerOf = ({ call, vatId }, replica, question, earlier) => {
  if (call === undefined || replica.result !== undefined)
    throw RangeError(`vat ${quote(vatId)} asks between cranks`);
  const { questions, given } = call;
  if (replica.at === given.length) {
    given.push(call.answer(question, earlier));
    questions.push(question);
  } else if (JSON.stringify(questions[replica.at]) !== JSON.stringify(question)) {
    throw RangeError(`vat ${quote(vatId)} asks ${question[0]}, and asked otherwise before`);
  }
  replica.at += 1;
  return given[replica.at - 1];
};

/**
 * Answers are those that were given; only what a vat found dead by itself is its own.
 *
 * @param {Call} call
 * @param {Replica} replica
 * @param {ResultFrame} result
 * @returns {Answer[]}
 */
const checkAnswers = ({ questions, given }, { at }, { answers }) => {
  if (at !== answers.length || at !== given.length)
    throw RangeError(`a result with ${answers.length} answers to ${given.length} questions`);
  return given.map((answer, i) => {
    if (questions[i][0] !== 'bringOutYourDead') return answer;
    if (answers[i].kind !== 'value') throw RangeError('what was found dead is told by a value');
    return answers[i];
  });
};

/** Threads end in a delivery again and again: its vat ends. @param {string} vatId @param {Call} call @returns {ResultFrame} */
const refusal = (vatId, { given }) => ({
  ...{ kind: 'result', vatId, fault: memoryRefused, isRefusal: true, syscalls: [] },
  ...{ answers: [...given], shown: '', busyNs: 0, collections: 0, collectionNs: 0 },
});
