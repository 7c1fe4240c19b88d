// The comms vat shares objects and promises between machines, over strings. It is a raw vat: it maps references, and
// decodes bodies only to check them. Its state is in its heap.
//
// Nothing that a remote or a vat sends can break it: everything is checked before it has an effect (check-string.js), and a
// refusal goes to the sender.

import { quote, typeOfVref } from '#model';
import { makeBodies } from './bodies.js';
import { checkCommand, checkNext, checkTaken } from './check-string.js';
import { Collector } from './collector.js';
import { Controller, controllerVref } from './controller.js';
import { KernelSide } from './kernel-side.js';
import { Refusal } from './refusal.js';
import { Switchboard } from './switchboard.js';
import { CommsPromise } from './things.js';
import { parseCommand, parseNumbers } from './wire.js';

/** @import { CapData, Delivery, Resolution } from '#model' */
/** @import { Kernel } from '#kernel' */
/** @import { Remote } from './remote.js' */
/** @import { Syscalls } from './switchboard.js' */
/** @import { CommsData, Settlement } from './things.js' */

/** @param {readonly string[]} vrefs */
const arePromises = vrefs => vrefs.map(vref => typeOfVref(vref) === 'promise');

/**
 * @param {Remote} remote
 * @param {CapData} data  in names that were checked
 * @returns {CommsData}
 */
const dataFromRemote = (remote, { body, slots }) => ({
  body,
  slots: slots.map(ref => remote.provideThing(ref)),
});

/**
 * Take over from the remote the right to settle a promise.
 *
 * @param {Remote} remote
 * @param {string} ref
 */
const takeFromRemote = (remote, ref) => {
  const promise = /** @type {CommsPromise} */ (remote.provideThing(ref));
  promise.decider = 'comms';
  return promise;
};

/**
 * @param {Syscalls} syscalls
 * @param {object} options
 * @param {Pick<Kernel['profile'], 'wire'>} options.profile
 */
export const makeComms = (syscalls, { profile: { wire } }) => {
  // Today's comms answers whoever hands it a string, before it acts on the string: the order of what follows depends on it.
  // That of 2020 never answers, and counters show it, but this one says what it refuses.
  const answers = wire.name === 'smallcaps';
  // That of 2020 collects nothing, and its kernel neither.
  const collects = wire.name === 'smallcaps';
  const bodies = makeBodies(wire);
  const collector = new Collector(collects);
  const kernel = new KernelSide(wire.name, vref => syscalls.subscribe(vref), collector);
  const switchboard = new Switchboard(syscalls, kernel, bodies, collector);
  const controller = new Controller(syscalls, kernel, bodies, collector);

  /**
   * Send a message of this machine to a remote object or promise.
   *
   * @param {string} targetVref
   * @param {CapData} methargs
   * @param {string | null} resultVref
   */
  const sendFromKernel = (targetVref, methargs, resultVref) => {
    const result = resultVref === null ? null : kernel.takeResult(resultVref);
    try {
      const target = kernel.find(targetVref);
      if (target === undefined) throw new Refusal(`comms has no object ${quote(targetVref)}`);
      kernel.insistPassable(methargs.slots);
      const method = bodies.checkMessage(methargs.body, arePromises(methargs.slots));
      switchboard.send({ target, methargs: kernel.dataFromKernel(methargs), result }, method);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      kernel.noteUnused(methargs.slots);
      if (result !== null)
        switchboard.settle([[result, true, switchboard.errorData(error.message)]]);
    }
  };

  /**
   * The outcome of a promise in a form that can go to another machine; a rejection if it cannot.
   *
   * @param {Resolution} resolution
   * @param {ReadonlySet<string>} settled
   * @returns {[rejected: boolean, data: CommsData]}
   */
  const outcomeFromKernel = ([, rejected, data], settled) => {
    try {
      kernel.insistPassable(data.slots);
      bodies.checkData(data.body, arePromises(data.slots));
      return [rejected, kernel.dataFromKernel(data, settled)];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      kernel.noteUnused(data.slots);
      return [true, switchboard.errorData(error.message)];
    }
  };

  /** @param {Resolution[]} resolutions */
  const notify = resolutions => {
    const vrefs = new Set(resolutions.map(([vref]) => vref));
    /** @type {Settlement[]} */
    const settlements = [];
    for (const resolution of resolutions) {
      const promise = kernel.provideThing(resolution[0], vrefs);
      // Skip promises that comms or a remote decides, and settled ones.
      if (!(promise instanceof CommsPromise) || promise.decider !== 'kernel') continue;
      if (promise.outcome !== null) continue;
      promise.decider = 'comms';
      settlements.push([promise, ...outcomeFromKernel(resolution, vrefs)]);
    }
    for (const [promise, , data] of settlements) kernel.settled(promise, data);
    switchboard.settle(settlements);
  };

  /**
   * Handle a string of another machine.
   *
   * @param {Remote} remote
   * @param {string} text
   * @param {() => void} accepted  called when the string is known to be allowed
   * @throws {Refusal} if it is not allowed; it is taken for nothing then, but counts if it is the next one: the other side
   *   does not send it again
   */
  const receive = (remote, text, accepted) => {
    const { seq, ack, rest } = parseNumbers(text);
    checkNext(remote, seq);
    remote.received = seq;
    checkTaken(remote, ack);
    remote.acknowledge(ack);
    const command = parseCommand(rest);
    const method = checkCommand(remote, command, bodies, collects);
    accepted();
    if (command.kind === 'deliver') {
      const target = remote.provideThing(command.target);
      const methargs = dataFromRemote(remote, command.methargs);
      const result = command.result === null ? null : takeFromRemote(remote, command.result);
      result?.subscribers.add(remote);
      switchboard.send({ target, methargs, result }, method);
      return;
    }
    if (command.kind === 'gc') {
      if (!collects) return;
      for (const [action, ref] of command.actions) remote.collected(action, ref);
      return;
    }
    const datas = command.resolutions.map(([, , data]) => dataFromRemote(remote, data));
    /** @type {Settlement[]} */
    const settlements = command.resolutions.map(([ref, rejected], i) => [
      takeFromRemote(remote, ref),
      rejected,
      datas[i],
    ]);
    for (const [promise] of settlements) remote.forget(promise);
    switchboard.settle(settlements);
  };

  /**
   * @param {Remote} remote
   * @param {CapData} methargs
   * @param {() => void} accepted
   */
  const receiveText = (remote, methargs, accepted) => {
    const { method, args } = bodies.readMessage(methargs);
    const [text] = args;
    if (method !== 'receive' || typeof text !== 'string') {
      throw new Refusal(
        `a receiver of comms takes receive(string), got ${quote(method)} with a ${typeof text}`,
      );
    }
    try {
      receive(remote, text, accepted);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(`comms refused a string from ${quote(remote.name)}: ${error.message}`);
    }
  };

  /**
   * @param {string} target
   * @param {CapData} methargs
   * @param {string | null} result
   */
  const deliverMessage = (target, methargs, result) => {
    const remote = controller.findReceiver(target);
    if (remote === undefined && target !== controllerVref) {
      sendFromKernel(target, methargs, result);
      return;
    }
    /** @param {boolean} rejected @param {CapData} data */
    const answer = (rejected, data) => {
      if (result !== null) syscalls.resolve([[result, rejected, data]]);
    };
    try {
      if (remote === undefined) answer(false, controller.call(methargs));
      else
        receiveText(remote, methargs, () => {
          if (answers) answer(false, bodies.undefinedData);
        });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer(true, bodies.error(error.message));
    }
    kernel.noteUnused(methargs.slots);
  };

  return Object.freeze({
    /**
     * Carry out a delivery of the kernel.
     *
     * @param {Delivery} delivery  in vrefs
     */
    dispatch(delivery) {
      if (delivery[0] === 'message') deliverMessage(delivery[1], delivery[2], delivery[3]);
      else if (delivery[0] === 'notify') notify(delivery[1]);
      else if (
        delivery[0] === 'dropExports' ||
        delivery[0] === 'retireExports' ||
        delivery[0] === 'retireImports'
      )
        kernel.collected(delivery[0], delivery[1]);
      // A start needs nothing; what can be given up is found by counts, not by the engine.
      switchboard.collect();
    },

    /** The number of names in each table, for tests and measurements. */
    get nameCounts() {
      return {
        kernel: kernel.nameCount,
        remotes: [...controller.remotes].map(remote => ({
          name: remote.name,
          ...remote.nameCount,
        })),
      };
    },
  });
};

/**
 * @param {Syscalls} syscalls
 * @param {Parameters<typeof makeComms>[1]} options
 * @returns {(delivery: Delivery) => void}
 */
export const buildDispatch = (syscalls, options) => makeComms(syscalls, options).dispatch;
