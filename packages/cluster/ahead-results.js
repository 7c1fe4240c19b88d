// The leader's side of a host that runs ahead (ahead-kernel.js): it lets a host with all vats go ahead between two
// blocks, tells it inputs, and keeps its early results until the kernel arrives there. A delivery that the host foresaw
// is compared with the kernel's own; if they differ, the host's session ends, and its vats are made anew.
//
// While a host is ahead, no delivery is sent to it: it begins each by itself, or says that it is behind. Its messages
// come in order, so a delivery is never begun twice.

import { digestOf, isSameDigest, writeAheadState } from '#host/workers/ahead-state.js';
import { inputStream, readInputs } from '#kernel';
import { Fail } from '#model';
import { forgetReads } from './hosted-vat.js';
import { noteEnded, noteWork } from './host-work.js';
import { hasNoEffect, noteNext } from './next-deliveries.js';

/** @import { Kernel } from '#kernel' */
/** @import { When } from '#model' */
/** @import { Store } from '#store' */
/** @import { Host, HostList } from './host-list.js' */
/** @import { ToLeader } from './host-messages.js' */
/** @import { Call, HostedVat, Replica } from './hosted-vat.js' */
/** @import { Replicas } from './replicas.js' */

/** Cranks before the first state is sent: a short run does without. */
const firstCranks = 40;

/** Cranks after a host fell behind until it may go ahead again; doubled each time that it did not last as long as `longCranks`. */
const pauseCranks = 400;
const longCranks = 4_000;

/** Cranks after which the host is told how far the leader is. */
const tellCranks = 64;

/** Bound on the early results of a vat. */
const mostEarly = 4_096;

/**
 * Bound on the bytes of messages that are kept, beside the last one: twice what an honest host sends
 * (packages/host/workers/ahead-kernel.js).
 */
const mostHeldBytes = 128 * 1024 * 1024;

/** Inputs that a host can repeat. */
const repeatable = new Set(['message', 'release', 'hold']);

/** Inputs that a host finds by itself, in its cranks. */
const own = new Set(['dead']);

/**
 * A delivery that a host foresaw, with its messages about it so far, and their bytes.
 *
 * @typedef {{ digest: Uint8Array, messages: ToLeader[], bytes: number, hasResult: boolean }} Early
 */

/** @param {Uint8Array} digest @returns {Early} */
const makeEarly = digest => ({ digest, messages: [], bytes: 0, hasResult: false });

/** @param {ToLeader} message */
const resultOf = message =>
  message.kind === 'report' && message.report.kind === 'result' ? message.report : undefined;

// eslint-disable-next-line house/max-class-lines -- what one host has foreseen, what it was told and when it may go on are one state
export class AheadResults {
  #kernel;

  #replicas;

  #hostList;

  #store;

  /** @type {Host | undefined} the host that is ahead */
  #host;

  #nextCrank = firstCranks;

  #pause = pauseCranks;

  #begunCrank = 0;

  /** The number of inputs that the host knows, and their bytes in the present block. */
  #told = 0;

  #toldBytes = 0;

  /** The bytes of all inputs that the host knows, of the blocks before. */
  #toldEnd = 0;

  #toldCrank = 0;

  #isStopping = false;

  /**
   * @param {object} parts
   * @param {Kernel} parts.kernel
   * @param {Replicas} parts.replicas
   * @param {HostList} parts.hostList
   * @param {Store} parts.store  with the kernel's state at the end of each block
   */
  constructor({ kernel, replicas, hostList, store }) {
    this.#kernel = kernel;
    this.#replicas = replicas;
    this.#hostList = hostList;
    this.#store = store;
  }

  /** The host that is ahead. */
  get host() {
    return this.#host;
  }

  /** Let a host go ahead, if it has all vats. To be called between blocks. */
  betweenBlocks() {
    this.#toldEnd += this.#toldBytes;
    this.#toldBytes = 0;
    const { cranks, inputCount } = this.#kernel;
    if (this.#host !== undefined) {
      if (inputCount !== this.#told) this.#passOver();
      return;
    }
    if (cranks.all < this.#nextCrank) return;
    const host = this.#findHost();
    if (host === undefined) return;
    const state = writeAheadState(this.#store);
    if (state === undefined) {
      this.#nextCrank = Infinity;
      return;
    }
    this.#host = host;
    this.#isStopping = false;
    this.#told = inputCount;
    this.#toldEnd = this.#inputBytes().length;
    this.#toldCrank = cranks.all;
    this.#begunCrank = cranks.all;
    host.wasAhead = true;
    this.#replicas.post(host, { kind: 'goAhead', state });
    this.#replicas.flush();
  }

  /** The host that has all vats, if nothing is under way. @returns {Host | undefined} */
  #findHost() {
    if (this.#kernel.hasBegunAhead) return undefined;
    /** @type {Host | undefined} */
    let host;
    for (const {
      replicas,
      incoming,
      call,
      description,
      isClosed,
    } of this.#replicas.vats.values()) {
      if (isClosed) continue;
      const [replica] = replicas;
      if (call !== undefined || incoming !== undefined || description.hasReactors) return undefined;
      if (replicas.length !== 1 || !replica.isReady) return undefined;
      if (replica.early.length > 0 || replica.next.length > 0) return undefined;
      if (host !== undefined && host !== replica.host) return undefined;
      ({ host } = replica);
    }
    return host?.isHere ? host : undefined;
  }

  /** Inputs of the last block behind the last delivery to a host: only those that the host finds by itself may be untold. */
  #passOver() {
    const bytes = this.#inputBytes();
    // Not all inputs of the run, of which there are more with each block.
    const untold = readInputs(bytes.subarray(this.#toldEnd));
    if (!untold.every(({ kind }) => own.has(kind))) return this.#stop();
    this.#told += untold.length;
    this.#toldEnd = bytes.length;
  }

  #inputBytes() {
    return this.#kernel.state.readStream(inputStream);
  }

  #stop() {
    if (this.#host === undefined || this.#isStopping) return;
    this.#isStopping = true;
    this.#replicas.post(this.#host, { kind: 'stayBehind' });
    this.#replicas.flush();
  }

  /** Tell the host new inputs, and how far the kernel is. */
  #tell() {
    const host = this.#host;
    if (host === undefined || this.#isStopping) return;
    const { inputCount, cranks, state } = this.#kernel;
    if (inputCount !== this.#told) {
      const bytes = state.streamAdded(inputStream);
      const added = readInputs(bytes.subarray(this.#toldBytes));
      const news = added.filter(({ kind }) => !own.has(kind));
      if (
        this.#told + added.length !== inputCount ||
        news.some(({ kind }) => !repeatable.has(kind))
      )
        return this.#stop();
      this.#told = inputCount;
      this.#toldBytes = bytes.length;
      for (const { kind, vat, data } of news)
        this.#replicas.post(host, { kind: 'input', crank: cranks.all, input: kind, vat, data });
      if (news.length > 0) this.#toldCrank = cranks.all;
    }
    if (cranks.all - this.#toldCrank < tellCranks) return;
    this.#toldCrank = cranks.all;
    this.#replicas.post(host, { kind: 'taken', cranks: cranks.all });
    this.#replicas.flush();
  }

  /**
   * Begin a delivery to a vat on the host that is ahead: take what the host foresaw, or wait until it has begun.
   *
   * @param {HostedVat} vat
   * @param {Replica} replica
   * @param {Call} call
   * @param {(host: Host, message: ToLeader) => void} take  takes a message of the host
   * @returns {boolean} false if the delivery is to be sent
   */
  begin(vat, replica, call, take) {
    if (replica.early.length === 0 && replica.host !== this.#host) return false;
    this.#tell();
    forgetReads(call);
    replica.at = 0;
    replica.result = undefined;
    replica.sentMs = this.#hostList.nowMs();
    noteWork(replica);
    const early = replica.early.shift();
    if (early === undefined) replica.isAwaited = true;
    else this.#adopt(vat, replica, early, take);
    return true;
  }

  /**
   * @param {HostedVat} vat
   * @param {Replica} replica
   * @param {Early} early
   * @param {(host: Host, message: ToLeader) => void} take
   */
  #adopt({ vatId, name, call }, { host }, { digest, messages }, take) {
    if (call === undefined) throw Fail`vat ${vatId} has been given nothing`;
    const { when, asked, delivery } = call;
    if (!isSameDigest(digest, digestOf({ vatId, when, asked, delivery }))) {
      // Nothing is lost but time; a second try would lose it again.
      this.#nextCrank = Infinity;
      this.#hostList.end(host, `it has foreseen another delivery to vat ${name}`);
      return;
    }
    try {
      for (const message of messages) take(host, message);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#hostList.end(host, error.message);
    }
  }

  /**
   * Keep a message of a host until the kernel arrives at its delivery.
   *
   * @param {Host} host
   * @param {ToLeader} message
   * @param {number} bytes  of the message
   * @param {(host: Host, message: ToLeader) => void} take
   * @returns {boolean} whether nothing is left to do with it now
   * @throws {RangeError} if it has not begun that delivery or not ended the one before, or too much is kept of it
   */
  keep(host, message, bytes, take) {
    if (!host.wasAhead) return false;
    if (message.kind === 'behind') {
      this.#noteBehind(host);
      return true;
    }
    const vatId = 'vatId' in message ? message.vatId : vatIdOf(message);
    if (vatId === undefined) return false;
    const vat = this.#replicas.vats.get(vatId);
    const replica = vat?.replicas.find(each => each.host === host);
    if (vat === undefined || replica === undefined || vat.isClosed) {
      // The vat has ended or moved meanwhile.
      const isLate =
        message.kind === 'begun' || message.kind === 'told' || message.kind === 'report';
      return isLate && vat?.incoming?.replica.host !== host;
    }
    if (message.kind === 'begun') {
      if (replica.early.length >= mostEarly) throw RangeError('too many deliveries foreseen');
      if (isUnfinished(vat, replica))
        throw RangeError(
          `it begins a delivery to vat ${vat.name}, and has not ended the one before`,
        );
      const early = makeEarly(message.digest);
      if (!replica.isAwaited) replica.early.push(early);
      else {
        replica.isAwaited = false;
        this.#adopt(vat, replica, early, take);
      }
      return true;
    }
    const last = replica.early.at(-1);
    // It would be taken for another delivery, whatever the host has delivered.
    if ((message.kind === 'told' || message.kind === 'report') && !isBegun(replica))
      throw RangeError(`it tells of a delivery to vat ${vat.name} that it has not begun`);
    const result = resultOf(message);
    if (replica.next.length > 0 && result !== undefined) {
      const digest = hasNoEffect(result) ? replica.next.shift() : undefined;
      if (digest === undefined) replica.next = [];
      else replica.early.push(makeEarly(digest));
    }
    if (last === undefined) return false;
    if (last.messages.length >= mostEarly)
      throw RangeError('too many messages about a delivery foreseen');
    this.#insistRoom(host);
    host.heldBytes += bytes;
    last.bytes += bytes;
    last.messages.push(message);
    if (result !== undefined) {
      last.hasResult = true;
      noteEnded(host, this.#hostList.nowMs());
    }
    return true;
  }

  /** @param {Host} host @throws {RangeError} if too much is kept of it */
  #insistRoom(host) {
    if (host.heldBytes <= mostHeldBytes) return;
    // The number still has messages that were taken since the last count.
    host.heldBytes = 0;
    for (const { replicas } of this.#replicas.vats.values())
      for (const replica of replicas)
        if (replica.host === host) for (const { bytes } of replica.early) host.heldBytes += bytes;
    if (host.heldBytes > mostHeldBytes)
      throw RangeError('too many bytes about deliveries foreseen');
  }

  /**
   * Send a delivery, and those that the vat gets next if it makes no syscall.
   *
   * @param {HostedVat} vat
   * @param {Replica} replica
   * @param {Call} call
   * @param {When} when  as the kernel gave it
   */
  send(vat, replica, call, when) {
    const { host } = replica;
    this.#replicas.sendCall(vat, replica, call);
    if (vat.description.hasReactors) return;
    for (const message of noteNext(this.#kernel, vat, replica, when)) {
      host.wasAhead = true;
      this.#replicas.post(host, message);
    }
  }

  /** The host begins nothing by itself any more: send it the deliveries that wait. @param {Host} host */
  #noteBehind(host) {
    if (host !== this.#host) throw RangeError('it is behind, and was not ahead');
    const { all } = this.#kernel.cranks;
    this.#pause = all - this.#begunCrank >= longCranks ? pauseCranks : this.#pause * 2;
    this.#nextCrank = Math.max(this.#nextCrank, all + this.#pause);
    this.#host = undefined;
    for (const vat of this.#replicas.vats.values())
      for (const replica of vat.replicas) {
        if (replica.host !== host || !replica.isAwaited) continue;
        replica.isAwaited = false;
        if (vat.call !== undefined) this.#replicas.sendCall(vat, replica, vat.call);
      }
    this.#replicas.flush();
  }

  /** @param {Host} host  whose session has ended */
  hostGone(host) {
    if (host !== this.#host) return;
    this.#host = undefined;
    this.#nextCrank = Math.max(this.#nextCrank, this.#kernel.cranks.all + this.#pause);
  }
}

/**
 * Whether the host has begun a delivery to a vat and not ended it; its messages come in the order in which it runs.
 *
 * @param {HostedVat} vat
 * @param {Replica} replica
 */
const isUnfinished = ({ call }, replica) => {
  const last = replica.early.at(-1);
  if (last !== undefined) return !last.hasResult;
  return call !== undefined && !replica.isAwaited && replica.result === undefined;
};

/** Whether there is a delivery of which the host may tell something. @param {Replica} replica */
const isBegun = ({ early, isAwaited }) =>
  early.at(-1)?.hasResult === false || (early.length === 0 && !isAwaited);

/** @param {ToLeader} message @returns {string | undefined} */
const vatIdOf = message =>
  message.kind === 'report' && 'vatId' in message.report ? message.report.vatId : undefined;
