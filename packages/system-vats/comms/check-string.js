// Decides whether a string is allowed, before anything is changed. The other side is not trusted: it may refer to what
// it was given and to what it gives, and settle the promises that it decides.

import { quote } from '#model';
import { promisesAmong } from './bodies.js';
import { Refusal } from './refusal.js';
import { CommsObject, CommsPromise } from './things.js';
import { isReadersRef } from './wire.js';

/** @import { Bodies } from './bodies.js' */
/** @import { Remote } from './remote.js' */
/** @import { Command } from './wire.js' */

/** @param {Remote} remote  the sender of the string @param {number} seq @throws {Refusal} */
export const checkNext = ({ received }, seq) => {
  if (seq !== received + 1)
    throw new Refusal(`its sequence number is ${seq}; the next one is ${received + 1}`);
};

/** @param {Remote} remote @param {number} ack @throws {Refusal} */
export const checkTaken = ({ acknowledged, sent }, ack) => {
  if (ack < acknowledged || ack > sent) {
    throw new Refusal(
      `it acknowledges ${ack} strings; ${sent} were sent to it, and ${acknowledged} acknowledged before`,
    );
  }
};

/** @param {Remote} remote */
const makeChecks = remote => {
  /** @param {string} ref */
  const insistGiven = ref => {
    const thing = remote.find(ref);
    if (thing === undefined) throw new Refusal(`${quote(ref)} was never given to it`);
    if (thing instanceof CommsObject && thing.owner !== remote && !remote.shared.isReached(thing))
      throw new Refusal(`${quote(ref)} was dropped by it`);
    return thing;
  };

  /** @param {readonly string[]} refs */
  const insistNamed = refs => {
    for (const ref of refs) if (isReadersRef(ref)) insistGiven(ref);
  };

  /**
   * @param {string} ref
   * @param {CommsObject | CommsPromise | undefined} promise  undefined if the string makes it
   */
  const insistDecides = (ref, promise) => {
    if (promise === undefined) return;
    if (!(promise instanceof CommsPromise) || promise.outcome !== null)
      throw new Refusal(`promise ${quote(ref)} is settled already`);
    if (promise.decider !== remote) throw new Refusal(`promise ${quote(ref)} is not its to decide`);
  };

  return { insistGiven, insistNamed, insistDecides };
};

/**
 * @param {Remote} remote
 * @param {Extract<Command, { kind: 'deliver' }>} command
 */
const checkDeliver = (remote, { target, result, methargs }) => {
  const { insistGiven, insistNamed, insistDecides } = makeChecks(remote);
  const thing = insistGiven(target);
  // A promise may have settled to an object of the other side meanwhile.
  if (thing instanceof CommsObject && thing.owner === remote)
    throw new Refusal(`the target ${quote(target)} is its own object`);
  if (result === target) throw new Refusal(`the target ${quote(target)} is also the result`);
  // Unless it did not know that when it wrote: then the message goes back to it.
  if (
    thing instanceof CommsPromise &&
    thing.outcome === null &&
    thing.decider === remote &&
    remote.acknowledged >= thing.decidedSince
  )
    throw new Refusal(`the target ${quote(target)} is its own to decide`);
  insistNamed(methargs.slots);
  if (result === null) return;
  insistNamed([result]);
  insistDecides(result, remote.find(result));
};

/**
 * @param {Remote} remote
 * @param {Extract<Command, { kind: 'resolve' }>} command
 */
const checkResolve = (remote, { resolutions }) => {
  const { insistGiven, insistNamed, insistDecides } = makeChecks(remote);
  /** New names that the string gives in its data. @type {Set<string>} */
  const given = new Set();
  for (const [, , { slots }] of resolutions) {
    insistNamed(slots);
    for (const slot of slots) if (!isReadersRef(slot)) given.add(slot);
  }
  /** @type {Set<string>} */
  const settled = new Set();
  for (const [ref] of resolutions) {
    if (settled.has(ref)) throw new Refusal(`promise ${quote(ref)} is settled twice`);
    settled.add(ref);
    insistDecides(ref, given.has(ref) ? remote.find(ref) : insistGiven(ref));
  }
};

/**
 * The other side may give up what it was given as often as it likes: it may have retired an object without dropping it, or
 * both sides have given it up at once. It may not take its own object away from those who use it.
 *
 * @param {Remote} remote
 * @param {Extract<Command, { kind: 'gc' }>} command
 */
const checkCollected = (remote, { actions }) => {
  for (const [action, ref] of actions) {
    if (isReadersRef(ref) !== (action !== 'retireImport'))
      throw new Refusal(
        `${action} is for ${action === 'retireImport' ? 'objects of the writer' : 'objects of the reader'}; ${quote(ref)} is none`,
      );
    if (action !== 'retireImport') continue;
    const object = remote.find(ref);
    if (object instanceof CommsObject && remote.shared.isReached(object))
      throw new Refusal(`${quote(ref)} cannot be retired: it is in use`);
  }
};

/**
 * @param {Remote} remote  the sender of the string
 * @param {Command} command
 * @param {Bodies} bodies
 * @param {boolean} collects  whether objects are collected
 * @returns {string} the method of a message, '' otherwise
 * @throws {Refusal}
 */
export const checkCommand = (remote, command, bodies, collects) => {
  if (command.kind === 'deliver') {
    checkDeliver(remote, command);
    const { body, slots } = command.methargs;
    return bodies.checkMessage(body, promisesAmong(slots));
  }
  if (command.kind === 'gc') {
    if (collects) checkCollected(remote, command);
    return '';
  }
  checkResolve(remote, command);
  for (const [, , { body, slots }] of command.resolutions)
    bodies.checkData(body, promisesAmong(slots));
  return '';
};
