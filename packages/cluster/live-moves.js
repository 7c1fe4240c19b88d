// Moves vats from host to host while the run continues. The new host gets the vat's transcript and replays it while the
// vat runs on the old host; then it gets the entries added meanwhile, until they are few. The run waits only for the
// rest, between two blocks. If the old host fails during the move, the new one replaces it when it is ready.

import { HostGone } from './restore-tries.js';

/** @import { Kernel } from '#kernel' */
/** @import { Host } from './host-list.js' */
/** @import { HostedVat, Replica } from './hosted-vat.js' */
/** @import { Replicas } from './replicas.js' */

/** Bytes of a transcript for which the run waits: some 100 cranks. */
const littleBytes = 16 * 1024;

/** Bound on the further parts of a transcript, if the vat adds entries faster than its new host replays them. */
const mostCatchUps = 10;

/** A move that waits for the end of a block. @typedef {{ resume: () => void, ended: Promise<unknown> }} Waiting */

export class HostMoves {
  #kernel;

  #replicas;

  #twins;

  #nowMs;

  /** @type {Set<Waiting>} */
  #waiting = new Set();

  /**
   * @param {object} parts
   * @param {Kernel} parts.kernel
   * @param {Replicas} parts.replicas
   * @param {number} parts.twins  number of hosts on which each vat runs
   * @param {() => number} parts.nowMs
   */
  constructor({ kernel, replicas, twins, nowMs }) {
    this.#kernel = kernel;
    this.#replicas = replicas;
    this.#twins = twins;
    this.#nowMs = nowMs;
  }

  /**
   * Move a vat that has all its replicas. To be called between blocks.
   *
   * @param {HostedVat} vat
   * @param {Host} host  without a replica of the vat
   * @param {boolean} isLive  false if nothing runs until the vat has moved
   * @returns {Promise<{ stillMs: number, from: string }>} the time for which the vat stood still, and its old host
   * @throws {HostGone} if the new host fails or the vat ends
   */
  async move(vat, host, isLive) {
    const [{ host: old }] = vat.replicas;
    const replica = this.#replicas.open(vat, host);
    vat.incoming = { replica, hurry: undefined };
    /** @type {() => void} */
    let end = () => {};
    const ended = new Promise(resolve => {
      end = () => resolve(undefined);
    });
    try {
      const sent = await this.#follow(vat, replica);
      if (isLive && this.#isWhole(vat)) await this.#awaitTurn(vat, ended);
      const fromMs = this.#nowMs();
      await this.#arrive(vat, replica, sent);
      return { stillMs: this.#nowMs() - fromMs, from: old.name };
    } catch (error) {
      this.#giveUp(vat, replica);
      throw error;
    } finally {
      end();
    }
  }

  /** Tell whether the vat continues on its present hosts. @param {HostedVat} vat */
  #isWhole({ replicas, isClosed }) {
    return replicas.length === this.#twins && !isClosed;
  }

  /**
   * Send the new host the transcript until few bytes are left, or nothing is added any more.
   *
   * @param {HostedVat} vat
   * @param {Replica} replica
   * @returns {Promise<number>} bytes of the transcript that were sent
   */
  async #follow(vat, replica) {
    const { vatId, description } = vat;
    const { state } = this.#kernel;
    // Without the last run of quiet cranks, which may still grow.
    const stream = this.#kernel.transcriptStream(vatId, description.incarnation);
    const read = () => state.readStream(stream);
    const transcript = read();
    let sent = transcript.length;
    await this.#replicas.restore(vat, replica, transcript);
    for (let i = 0; i < mostCatchUps && this.#isWhole(vat); i += 1) {
      const rest = read().slice(sent);
      if (rest.length <= littleBytes) break;
      sent += rest.length;
      await this.#replicas.send(vat, replica, { kind: 'catchUp', vatId, transcript: rest });
    }
    return sent;
  }

  /** @param {HostedVat} vat @param {Promise<unknown>} ended  settles when the vat has moved, or the move has failed */
  async #awaitTurn({ incoming }, ended) {
    /** @type {Waiting | undefined} */
    let waiting;
    await new Promise(resolve => {
      const resume = () => resolve(undefined);
      waiting = { resume, ended };
      this.#waiting.add(waiting);
      if (incoming !== undefined) incoming.hurry = resume;
    });
    if (waiting !== undefined) this.#waiting.delete(waiting);
  }

  /**
   * Send the rest of the transcript while the vat stands still, and continue on the new host.
   *
   * @param {HostedVat} vat
   * @param {Replica} replica
   * @param {number} sent  bytes of the transcript that it already has
   */
  async #arrive(vat, replica, sent) {
    const { vatId } = vat;
    const replicas = this.#replicas;
    this.#insistThere(vat, replica);
    const rest = replicas.transcriptOf(vat).slice(sent);
    if (rest.length > 0)
      await replicas.send(vat, replica, { kind: 'catchUp', vatId, transcript: rest });
    this.#insistThere(vat, replica);
    const old = vat.replicas.length === this.#twins ? vat.replicas[0] : undefined;
    vat.incoming = undefined;
    replica.isReady = true;
    vat.replicas = [...vat.replicas.filter(each => each !== old), replica];
    if (old !== undefined) replicas.close(vat, old.host);
    replicas.takeUp(vat, replica);
    // More than one of its twins may have been lost.
    replicas.mend(vat);
  }

  /** @param {HostedVat} vat @param {Replica} replica @throws {HostGone} if the vat has ended or the replica is lost */
  #insistThere({ name, isClosed, incoming }, replica) {
    if (isClosed) throw new HostGone(`vat ${name} has ended`);
    if (incoming?.replica !== replica) throw new HostGone(`host ${replica.host.name} is gone`);
  }

  /** Cancel the move. @param {HostedVat} vat @param {Replica} replica */
  #giveUp(vat, replica) {
    if (vat.incoming?.replica === replica) {
      vat.incoming = undefined;
      this.#replicas.close(vat, replica.host);
    }
    if (vat.isClosed) this.#replicas.forget(vat);
    else this.#replicas.mend(vat);
  }

  /** Finish moves that wait for the end of a block. To be called between blocks. */
  async betweenBlocks() {
    for (const { resume, ended } of [...this.#waiting]) {
      resume();
      await ended;
    }
  }

  /** Wake waiting moves after a failure of the run. */
  fail() {
    for (const { resume } of this.#waiting) resume();
  }
}
