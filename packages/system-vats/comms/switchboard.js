// Routes messages and outcomes from the kernel or a remote to the kernel or to remotes. Here they refer to things; the
// side that they go to determines the names.

import { Fail, findSoleSlot } from '#model';
import { inOrder } from './collector.js';
import { collectSettled, CommsObject, CommsPromise } from './things.js';
import { formatString } from './wire.js';

/** @import { CapData, Resolution } from '#model' */
/** @import { Bodies } from './bodies.js' */
/** @import { Collector } from './collector.js' */
/** @import { KernelSide } from './kernel-side.js' */
/** @import { Remote } from './remote.js' */
/** @import { CommsData, Message, Settlement, Thing } from './things.js' */
/** @import { Command } from './wire.js' */

/**
 * The methods of a vat's `SyscallBuffer` that comms uses.
 *
 * @typedef {object} Syscalls
 * @property {(target: string, methargs: CapData, result: string | null) => void} send
 * @property {(promise: string) => void} subscribe
 * @property {(resolutions: Resolution[]) => void} resolve
 * @property {(vrefs: string[]) => void} dropImports
 * @property {(vrefs: string[]) => void} retireImports
 * @property {(vrefs: string[]) => void} retireExports
 */

/**
 * @typedef {{ to: 'kernel' } | { to: 'remote', remote: Remote } | { to: 'nobody', data: CommsData | null }} Way  `data`
 * is the reason, null if the target takes no messages
 */

/**
 * @param {Thing} target
 * @returns {Way}
 */
const wayTo = target => {
  if (target instanceof CommsObject)
    return target.owner === null ? { to: 'kernel' } : { to: 'remote', remote: target.owner };
  const { outcome, decider } = target;
  if (outcome === null) {
    if (decider === 'comms') throw Fail`a message is for a promise that nobody decides`;
    return decider === 'kernel' ? { to: 'kernel' } : { to: 'remote', remote: decider };
  }
  if (outcome.rejected) return { to: 'nobody', data: outcome.data };
  const sole = findSoleThing(outcome.data);
  return sole instanceof CommsObject ? wayTo(sole) : { to: 'nobody', data: null };
};

/**
 * The reference that the data consists of, if it is nothing else.
 *
 * @param {CommsData} data
 */
const findSoleThing = ({ body, slots }) =>
  findSoleSlot({ body, slots: slots.map(() => '') }) === undefined ? undefined : slots[0];

/**
 * The final target of a message: a promise that was fulfilled to an object stands for that object.
 *
 * @param {Thing} target
 */
const endOf = target =>
  target instanceof CommsPromise && target.outcome !== null
    ? (findSoleThing(target.outcome.data) ?? Fail`a settled target is no object`)
    : target;

export class Switchboard {
  #syscalls;

  #kernel;

  #bodies;

  #collector;

  /**
   * @param {Syscalls} syscalls
   * @param {KernelSide} kernel
   * @param {Bodies} bodies
   * @param {Collector} collector
   */
  constructor(syscalls, kernel, bodies, collector) {
    this.#syscalls = syscalls;
    this.#kernel = kernel;
    this.#bodies = bodies;
    this.#collector = collector;
  }

  /** Give up what nobody needs any more: first in the kernel, then at the remotes, as SwingSet does. */
  collect() {
    const found = this.#collector.find(side => side ?? this.#kernel);
    const own = found.get(null);
    if (own !== undefined) this.#kernel.collect(own, this.#syscalls);
    const remotes = [...found.keys()].filter(side => side !== null);
    for (const remote of inOrder(remotes)) {
      const collected = found.get(remote) ?? Fail`nothing was found for a remote`;
      this.#transmit(remote, { kind: 'gc', actions: remote.collect(collected) });
    }
  }

  /**
   * Pass a message on. Reject its result if it has nowhere to go.
   *
   * @param {Message} message
   * @param {string} method  for the reason of a rejection
   */
  send(message, method) {
    const way = wayTo(message.target);
    if (way.to === 'kernel') {
      this.#sendToKernel(message);
    } else if (way.to === 'remote') {
      this.#sendToRemote(way.remote, message);
    } else if (message.result !== null) {
      const { body } = this.#bodies.undeliverable(method);
      const reason = way.data ?? { body, slots: [] };
      this.settle([[message.result, true, reason]]);
    }
  }

  /**
   * @param {string} message
   * @returns {CommsData}
   */
  errorData(message) {
    return { body: this.#bodies.error(message).body, slots: [] };
  }

  /** @param {Message} message */
  #sendToKernel({ target, methargs, result }) {
    const kernel = this.#kernel;
    const toTell = collectSettled([], methargs.slots, promise => kernel.isNamed(promise));
    const vref = kernel.provideVref(endOf(target));
    const args = kernel.dataForKernel(methargs);
    const resultVref = result === null ? null : kernel.giveResult(result);
    this.#syscalls.send(vref, args, resultVref);
    if (resultVref !== null) this.#syscalls.subscribe(resultVref);
    // After the message, since it names these promises.
    this.#resolveToKernel(toTell);
  }

  /**
   * @param {Remote} remote
   * @param {Message} message
   */
  #sendToRemote(remote, { target, methargs, result }) {
    const ref = remote.requireRef(endOf(target));
    let resultRef = null;
    if (result !== null) {
      resultRef = remote.provideRef(result);
      result.decider = remote;
      result.decidedSince = remote.sent + 1;
      result.subscribers.delete(remote);
    }
    const slots = methargs.slots.map(thing => remote.provideRef(thing));
    const data = { body: methargs.body, slots };
    this.#transmit(remote, { kind: 'deliver', target: ref, result: resultRef, methargs: data });
    this.#resolveToRemote(remote, collectSettled([], methargs.slots));
  }

  /**
   * Settle promises and notify their subscribers. All are marked first, since they may refer to each other. Each
   * subscriber gets one notification, with every settled promise that the data mentions.
   *
   * @param {Settlement[]} settlements  of unresolved promises that comms decides
   */
  settle(settlements) {
    for (const [promise, rejected, data] of settlements) {
      promise.outcome = { rejected, data };
      this.#collector.hold(data.slots);
    }
    /** @type {Map<Remote, CommsPromise[]>} */
    const remotes = new Map();
    /** @type {CommsPromise[]} */
    const forKernel = [];
    for (const [promise] of settlements) {
      for (const remote of promise.subscribers) {
        const told = remotes.get(remote);
        if (told === undefined) remotes.set(remote, [promise]);
        else told.push(promise);
      }
      promise.subscribers.clear();
      if (promise.kernelIsSubscribed) forKernel.push(promise);
      promise.kernelIsSubscribed = false;
    }
    for (const [remote, promises] of remotes)
      this.#resolveToRemote(remote, collectSettled(promises, []));
    const { isNamed } = this.#kernel;
    this.#resolveToKernel(
      collectSettled(forKernel, [], promise => isNamed.call(this.#kernel, promise)),
    );
  }

  /**
   * @param {readonly CommsPromise[]} promises  settled; each has a name in the kernel, or is in the data of an earlier
   * one
   */
  #resolveToKernel(promises) {
    if (promises.length === 0) return;
    const kernel = this.#kernel;
    /** @type {Resolution[]} */
    const resolutions = promises.map(promise => {
      const { rejected, data } = promise.outcome ?? Fail`an open promise has no outcome`;
      return [kernel.provideVref(promise), rejected, kernel.dataForKernel(data)];
    });
    this.#syscalls.resolve(resolutions);
    for (const promise of promises) {
      kernel.settled(promise, promise.outcome?.data ?? Fail`an open promise has no outcome`);
    }
  }

  /**
   * @param {Remote} remote
   * @param {readonly CommsPromise[]} promises  settled; each has a name at the remote, or is in the data of an earlier
   *   one
   */
  #resolveToRemote(remote, promises) {
    if (promises.length === 0) return;
    /** @type {Resolution[]} */
    const resolutions = promises.map(promise => {
      const { rejected, data } = promise.outcome ?? Fail`an open promise has no outcome`;
      const slots = data.slots.map(thing => remote.provideRef(thing));
      return [remote.requireRef(promise), rejected, { body: data.body, slots }];
    });
    this.#transmit(remote, { kind: 'resolve', resolutions });
    for (const promise of promises) remote.endOutbound(promise);
  }

  /**
   * @param {Remote} remote
   * @param {Command} command
   */
  #transmit(remote, command) {
    remote.sent += 1;
    const text = formatString({ seq: remote.sent, ack: remote.received, command });
    // Nobody waits for a result.
    const transmitter = this.#kernel.provideVref(remote.transmitter);
    this.#syscalls.send(transmitter, this.#bodies.textMessage('transmit', text), null);
  }
}
