// The vats and the device that every SwingSet has beside those of its config. Until dynamic vats come they are
// idle: what a run hands to bootstrap is there, and says so when it is used.

import { Far } from '#vat';

/** The vats, in the order of their ids behind those of the config. */
export const builtInVats = Object.freeze(['vatAdmin', 'comms', 'vattp', 'timer']);

/** The devices. */
export const builtInDevices = Object.freeze(['vatAdmin']);

/** @type {Record<string, string[]>} the methods that users know, by vat */
const methods = {
  vatAdmin: ['createVatAdminService'],
  comms: ['init', 'addRemote', 'addEgress', 'addIngress'],
  vattp: ['registerMailboxDevice', 'addRemote', 'deliverInboundMessages', 'deliverInboundAck'],
  timer: ['createTimerService'],
};

/**
 * What using a part says that is not there yet.
 *
 * @param {string} what
 */
export const comesLater = what =>
  `${what} comes with dynamic vats, which this version does not have`;

/**
 * The root object of a built-in vat.
 *
 * @param {string} name
 */
export const makeBuiltInRoot = name => {
  /** @type {[string, () => void][]} */
  const entries = methods[name].map(method => [
    method,
    () => {
      throw Error(comesLater(`${name}.${method}`));
    },
  ]);
  // The kernel reports the end of every vat here.
  if (name === 'vatAdmin') entries.push(['vatTerminated', () => {}]);
  return Far(name, Object.fromEntries(entries));
};
