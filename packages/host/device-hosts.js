// The host's parts of mailbox, command, bridge and loopbox. Each is made before the simulation, since the first block
// may already hand out data, and is joined to it afterwards:
//
//   const mailbox = buildMailbox();
//   const simulation = await makeSimulation(config, { store, onHandOut: handOutTo({ mailbox }) });
//   mailbox.join(simulation);
//
// Data that a device hands out comes when its block is committed. Data for a device is an input of the run: it is
// queued at once and handled by the next cranks.

import { placeErrors } from '#loader';
import { describeGiven, insistOptions, quote, UserError } from '#model';
import { insistMethods } from './insist.js';

/** @import { Simulation } from './simulation.js' */

/** @typedef {Pick<Simulation, 'deviceInput'>} Joined */

/** @typedef {{ handOut: (data: string) => void }} DeviceHost */

/**
 * Make the option `onHandOut` of a simulation from host parts, by the names of their devices.
 *
 * @param {Record<string, DeviceHost>} hosts
 * @returns {(deviceName: string, data: string) => void}
 * @throws {TypeError} if one of them is no host of a device
 */
export const handOutTo = hosts => {
  const remedy = 'an object of hosts by the names of their devices, as { mailbox: buildMailbox() }';
  insistMethods('the argument of handOutTo()', hosts, [], remedy);
  for (const [name, host] of Object.entries(hosts))
    insistMethods(
      `host ${quote(name)} of handOutTo()`,
      host,
      ['handOut'],
      'a host of a device, as buildMailbox() makes one',
    );
  return (deviceName, data) => {
    if (Object.hasOwn(hosts, deviceName)) hosts[deviceName].handOut(data);
  };
};

/**
 * @param {string} subject  the function, as errors name it
 * @param {string} what  the function is called with
 * @param {unknown} given
 * @throws {TypeError} if it is no function
 */
const insistFunction = (subject, what, given) => {
  if (typeof given !== 'function')
    throw TypeError(
      `the first argument of ${subject} has a wrong value, got ${describeGiven(given)}; give a function, which gets ${what}`,
    );
};

/** @param {string} deviceName */
const makeJoint = deviceName => {
  /** @type {Joined | undefined} */
  let joined;
  return {
    /** @param {Joined} simulation */
    join(simulation) {
      insistMethods(
        `the simulation that the host of device ${quote(deviceName)} joins`,
        simulation,
        ['deviceInput'],
        'the result of makeSimulation()',
      );
      joined = simulation;
    },
    /** @param {unknown} input */
    tell(input) {
      if (joined === undefined)
        throw new UserError(
          `the host of device ${quote(deviceName)} is not joined to a simulation; call join(simulation) first`,
        );
      joined.deviceInput(deviceName, JSON.stringify(input));
    },
  };
};

/**
 * A mailbox's state for one peer: the strings that the peer has not acknowledged, in order, and how many of the peer's
 * strings were taken.
 *
 * @typedef {{ outbox: [number: number, body: string][], inboundAck: number }} PeerState
 */

/**
 * Check strings from outside for a device.
 *
 * @param {unknown} messages
 * @returns {[number, string][]}
 * @throws {UserError}
 */
const checkMessages = messages => {
  if (!Array.isArray(messages))
    throw new UserError(
      `deliverInbound: the messages must be a list of [number, string], got ${typeof messages}`,
    );
  return messages.map((message, i) => {
    const [number, body] = Array.isArray(message) ? message : [];
    const count = Number(number);
    if (!Number.isSafeInteger(count) || count < 1 || typeof body !== 'string') {
      throw new UserError(
        `deliverInbound: message ${i} must be [number, string] with a number from 1, got [${typeof number === 'string' ? 'string' : String(number)}, ${typeof body}]`,
      );
    }
    return [count, body];
  });
};

/**
 * Make the host's part of a mailbox device.
 *
 * @param {object} [options]
 * @param {string} [options.deviceName]
 * @param {(peer: string) => void} [options.onChange]  called after the commit of a change for the peer
 * @returns the host: `handOut` is for `handOutTo`; `join(simulation)` comes before the methods that give the device input,
 *   which throw a UserError without it
 * @throws {TypeError} if an option is unknown or has the wrong type
 */
export const buildMailbox = (options = {}) => {
  insistOptions('buildMailbox()', options, { deviceName: 'string', onChange: 'function' });
  const { deviceName = 'mailbox', onChange = () => {} } = options;
  const { join, tell } = makeJoint(deviceName);
  /** @type {Map<string, { outbox: Map<number, string>, inboundAck: number }>} */
  const peers = new Map();
  /** @param {string} peer */
  const provide = peer => {
    const known = peers.get(peer);
    if (known !== undefined) return known;
    const made = { outbox: new Map(), inboundAck: 0 };
    peers.set(peer, made);
    return made;
  };

  const made = {
    join,

    /** @param {string} data  of the device */
    handOut(data) {
      const { reset, peer, number, body, remove, ack } = JSON.parse(data);
      if (reset) {
        peers.clear();
        return;
      }
      const state = provide(peer);
      if (number !== undefined) state.outbox.set(number, body);
      if (remove !== undefined) state.outbox.delete(remove);
      if (ack !== undefined) state.inboundAck = ack;
      onChange(peer);
    },

    /**
     * @param {string} peer
     * @returns {PeerState}
     */
    peerState(peer) {
      const { outbox, inboundAck } = peers.get(peer) ?? { outbox: new Map(), inboundAck: 0 };
      return { outbox: [...outbox].sort(([left], [right]) => left - right), inboundAck };
    },

    /** @returns {Record<string, PeerState>} of all peers */
    exportToData() {
      return Object.fromEntries([...peers.keys()].map(peer => [peer, this.peerState(peer)]));
    },

    /**
     * Ask the device for its whole state; it comes with the next commit. For a host that has resumed a run and may have
     * missed data.
     */
    refresh() {
      tell({ all: true });
    },

    /**
     * Deliver the strings in a peer's mailbox. They may be delivered repeatedly: each is taken once.
     *
     * @param {string} peer
     * @param {[number, string][]} messages  its outbox for us
     * @param {number} ack  the number of our strings that it has taken
     * @throws {UserError} if an argument has a wrong form
     */
    deliverInbound(peer, messages, ack) {
      if (typeof peer !== 'string' || peer === '')
        throw new UserError(`deliverInbound: the peer must be a string, got ${typeof peer}`);
      const count = Number(ack);
      if (!Number.isSafeInteger(count) || count < 0)
        throw new UserError(
          `deliverInbound: the acknowledgement must be a whole number from 0, got ${typeof ack === 'number' ? ack : typeof ack}`,
        );
      tell({ peer, messages: checkMessages(messages), ack: count });
    },
  };
  return Object.freeze(placeErrors(made, ['join', 'refresh', 'deliverInbound']));
};

/** Makes the tokens of commands unique among processes of one run. */
const makeSession = () => `${Date.now()}.${process.pid}`;

/**
 * Make the host's part of a command device.
 *
 * @param {(body: any) => void} onBroadcast
 * @param {object} [options]
 * @param {string} [options.deviceName]
 * @param {string} [options.session]  unique among the processes that ran the same state
 * @returns the host: `handOut` is for `handOutTo`; `join(simulation)` comes before `inboundCommand(body)`, which throws a
 *   UserError without it
 * @throws {TypeError} if it is given no function, or an option is unknown or has the wrong type
 */
export const buildCommand = (onBroadcast, options = {}) => {
  insistFunction('buildCommand()', 'what the device broadcasts', onBroadcast);
  insistOptions('buildCommand()', options, { deviceName: 'string', session: 'string' });
  const { deviceName = 'command', session = makeSession() } = options;
  const { join, tell } = makeJoint(deviceName);
  let nextToken = 0;
  /** @type {Map<string, { resolve: (value: any) => void, reject: (reason: any) => void }>} */
  const waiting = new Map();
  const made = {
    join,

    /** @param {string} data  of the device */
    handOut(data) {
      const { token, isReject, response, broadcast } = JSON.parse(data);
      const parse = (/** @type {string | undefined} */ text) =>
        text === undefined ? undefined : JSON.parse(text);
      if (token === undefined) {
        onBroadcast(parse(broadcast));
        return;
      }
      // Nobody waits for an answer to a command of an earlier process.
      const { resolve, reject } = waiting.get(token) ?? {};
      waiting.delete(token);
      if (isReject) reject?.(parse(response));
      else resolve?.(parse(response));
    },

    /**
     * Send a command to the vat with the registered handler.
     *
     * @param {unknown} body  data that JSON can hold
     * @returns {Promise<any>} the answer, when its block is committed; rejected if the vat rejects
     */
    inboundCommand(body) {
      const token = `${session}.${nextToken}`;
      nextToken += 1;
      tell({ token, body: body ?? null });
      return new Promise((resolve, reject) => {
        waiting.set(token, { resolve, reject });
      });
    },
  };
  return Object.freeze(placeErrors(made, ['join', 'inboundCommand']));
};

/**
 * Make the host's part of a bridge device.
 *
 * @param {(...args: any[]) => void} onOutbound  gets a vat's call, when its block is committed
 * @param {object} [options]
 * @param {string} [options.deviceName]
 * @returns the host: `handOut` is for `handOutTo`; `join(simulation)` comes before `deliverInbound(...args)`, which throws
 *   a UserError without it
 * @throws {TypeError} if it is given no function, or an option is unknown or has the wrong type
 */
export const buildBridge = (onOutbound, options = {}) => {
  insistFunction('buildBridge()', "the vats' calls", onOutbound);
  insistOptions('buildBridge()', options, { deviceName: 'string' });
  const { deviceName = 'bridge' } = options;
  const { join, tell } = makeJoint(deviceName);
  const made = {
    join,

    /** @param {string} data  of the device */
    handOut(data) {
      onOutbound(...JSON.parse(data));
    },

    /** @param {unknown[]} args  data that JSON can hold */
    deliverInbound(...args) {
      tell(args);
    },
  };
  return Object.freeze(placeErrors(made, ['join', 'deliverInbound']));
};

/**
 * Make the host's part of a loopbox device in the mode `queued`.
 *
 * @param {object} [options]
 * @param {string} [options.deviceName]
 * @returns the host: `handOut` is for `handOutTo`; `join(simulation)` comes before `passOneMessage()`, which throws a
 *   UserError without it
 * @throws {TypeError} if an option is unknown or has the wrong type
 */
export const buildLoopbox = (options = {}) => {
  insistOptions('buildLoopbox()', options, { deviceName: 'string' });
  const { deviceName = 'loopbox' } = options;
  const { join, tell } = makeJoint(deviceName);
  const made = {
    join,

    handOut() {},

    /** Pass the oldest waiting message, if there is one. */
    passOneMessage() {
      tell({ pass: 1 });
    },
  };
  return Object.freeze(placeErrors(made, ['join', 'passOneMessage']));
};
