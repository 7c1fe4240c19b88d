// Moves vats from host to host while the run goes on. The new host is sent what is in the vat's transcript, and brings the vat there
// while the old one goes on with it; then what has been added meanwhile, until that is little. Only the rest is waited for,
// between two blocks. If the old host is lost on the way, the new one takes its place as soon as it is there.

import { HostGone } from './hosted-vat.js';

/** @import { Kernel } from '#kernel' */
/** @import { Host } from './host-list.js' */
/** @import { HostedVat, Replica } from './hosted-vat.js' */
/** @import { Replicas } from './replicas.js' */

/** So many bytes of a transcript are little: some 100 cranks. */
const littleBytes = 16 * 1024;

/** A vat that does more than its new host can repeat is not waited for longer. */
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
   * @param {number} parts.twins  on how many hosts each vat runs
   * @param {() => number} parts.nowMs
   */
  constructor({ kernel, replicas, twins, nowMs }) {
    this.#kernel = kernel;
    this.#replicas = replicas;
    this.#twins = twins;
    this.#nowMs = nowMs;
  }

  /**
   * Move a vat that is on as many hosts as it should be. To be called between blocks.
   *
   * @param {HostedVat} vat
   * @param {Host} host  it is not there
   * @param {boolean} isLive  false if nothing runs until it has moved
   * @returns {Promise<{ stillMs: number, from: string }>} for how long nothing could go on in the vat, and its host before
   * @throws {HostGone} the new host is lost, or the vat has ended
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

  /** Whether the vat goes on where it is. @param {HostedVat} vat */
  #isWhole({ replicas, isClosed }) {
    return replicas.length === this.#twins && !isClosed;
  }

  /**
   * The new host follows the old one, until little is left, or nothing is added any more.
   *
   * @param {HostedVat} vat
   * @param {Replica} replica
   * @returns {Promise<number>} bytes of the transcript that it has
   */
  async #follow(vat, replica) {
    const { vatId, description } = vat;
    const { state } = this.#kernel;
    // Without a run of quiet cranks that may still grow.
    const read = () => state.readStream(this.#kernel.transcriptStream(vatId));
    const transcript = read().slice();
    let sent = transcript.length;
    await this.#replicas.send(vat, replica, {
      ...{ kind: 'restore', vatId, description: JSON.stringify(description), transcript },
    });
    for (let i = 0; i < mostCatchUps && this.#isWhole(vat); i += 1) {
      const rest = read().slice(sent);
      if (rest.length <= littleBytes) break;
      sent += rest.length;
      await this.#replicas.send(vat, replica, { kind: 'catchUp', vatId, transcript: rest });
    }
    return sent;
  }

  /** @param {HostedVat} vat @param {Promise<unknown>} ended  settles when the vat has moved, or will not */
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
   * The vat stands still. What is left is sent, and it goes on at its new host.
   *
   * @param {HostedVat} vat
   * @param {Replica} replica
   * @param {number} sent  bytes of the transcript that it has
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
  }

  /** @param {HostedVat} vat @param {Replica} replica @throws {HostGone} one of them is not there any more */
  #insistThere({ name, isClosed, incoming }, replica) {
    if (isClosed) throw new HostGone(`vat ${name} has ended`);
    if (incoming?.replica !== replica) throw new HostGone(`host ${replica.host.name} is gone`);
  }

  /** The vat does not move. @param {HostedVat} vat @param {Replica} replica */
  #giveUp(vat, replica) {
    if (vat.incoming?.replica === replica) {
      vat.incoming = undefined;
      this.#replicas.close(vat, replica.host);
    }
    if (vat.isClosed) this.#replicas.vats.delete(vat.vatId);
    else this.#replicas.mend(vat);
  }

  /** Ends the moves of which only the rest is left. To be called between blocks. */
  async betweenBlocks() {
    for (const { resume, ended } of [...this.#waiting]) {
      resume();
      await ended;
    }
  }

  /** Nothing goes on any more. */
  fail() {
    for (const { resume } of this.#waiting) resume();
  }
}
