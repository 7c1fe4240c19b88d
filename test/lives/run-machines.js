// Runs several machines that are joined by comms. Each is a run of fixtures/random-lives with peers; a carrier takes the strings of
// their mailboxes to each other, late, in parts, mixed and repeatedly, and notes what each machine was given, and at which crank.
// With that the life of a machine can be repeated alone, in any way.

import path from 'node:path';

import { buildMailbox, handOutTo, loadConfig, makeSimulation } from '#host';
import { makeMemoryStore } from '#store';
import { makeRandom, makeRandomClock } from '#testkit';
import { actAsHost, cacheDir, makeOutcome, pushGauges, reopenable } from './run-lives.js';
import { wakeDevice } from './run-lives.js';

/** @import { Simulation } from '#host' */
/** @import { Random } from '#testkit' */
/** @import { Store } from '#store' */
/** @import { LivesWay, Outcome } from './run-lives.js' */

const configFile = path.join(import.meta.dirname, '../fixtures/random-lives/wide.json');

/**
 * At which crank a machine was given what: a round, the deeds of a host (drawn from `data`), or a peer's mailbox.
 *
 * @typedef {{ at: number, kind: 'round' | 'deeds' | 'mail', data: string }} Given
 */

/**
 * @typedef {object} MachinesLives
 * @property {number} seed
 * @property {number} rounds
 * @property {string[]} names  of the machines
 * @property {string[]} features  of their programs
 */

/**
 * @typedef {Pick<LivesWay, 'blockSize' | 'until' | 'options' | 'reopens'> & { loses?: () => boolean }} MachineWay
 *   `loses`: whether a machine loses what it did since its last block
 */

/** The part of a mailbox for a peer. @typedef {{ peer: string, messages: [number, string][], ack: number }} Letter */

/** The end of a machine. @typedef {{ outcome: Outcome, hash: string, store: Store }} MachineEnd */

/** One machine of several. */
class Machine {
  /** @type {[vat: string, line: string][]} */ said = [];
  /** Given by devices to the host, by device and number. @type {Map<string, string>} */ handedOut =
    new Map();
  /** Whether it has a vat that takes strings. */ isListening = false;
  /** @type {Store} */ store = makeMemoryStore();
  #openStore = reopenable();
  /** @type {Simulation | undefined} */ #simulation;

  /** @param {MachinesLives} lives @param {string} name @param {MachineWay['options']} [options] */
  constructor(lives, name, options) {
    this.lives = lives;
    this.name = name;
    this.options = options;
    this.mailbox = buildMailbox();
  }

  get simulation() {
    if (this.#simulation === undefined) throw Error('the machine is not open');
    return this.#simulation;
  }

  get cranks() {
    return this.simulation.kernel.cranks.all;
  }

  /** @param {boolean} isNew  or resumed */
  async open(isNew) {
    const { seed, names, features } = this.lives;
    const peers = names.filter(name => name !== this.name).map(name => `peer=${name}`);
    const argv = [`${seed * names.length + names.indexOf(this.name)}`, ...features, ...peers];
    this.store = this.#openStore();
    const takeMail = handOutTo({ mailbox: this.mailbox });
    this.#simulation = await makeSimulation(isNew ? loadConfig({ configFile, argv }) : undefined, {
      ...{ store: this.store, cacheDir, resume: !isNew },
      observer: { onConsole: (vat, level, text) => this.said.push([vat, `${level} ${text}`]) },
      onHandOut: (device, data, number) => {
        this.handedOut.set(`${device} ${number}`, data);
        if (device === 'mailbox') takeMail(device, data);
      },
      ...(features.includes('clock') && { clock: makeRandomClock(seed) }),
      ...this.options?.(),
    });
  }

  async reopen() {
    await this.simulation.close();
    await this.open(false);
  }

  /** @param {Given} given */
  take({ kind, data }) {
    const { simulation } = this;
    const { features } = this.lives;
    if (kind === 'mail') simulation.deviceInput('mailbox', data);
    else if (kind === 'round')
      simulation.release(simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound'));
    else {
      actAsHost(data, features.includes('config'), simulation);
      if (features.includes('clock')) pushGauges(data, simulation);
      if (features.includes('busy')) wakeDevice(data, simulation);
    }
  }

  /** @returns {Promise<MachineEnd>} */
  async end() {
    const { simulation, store } = this;
    await simulation.commit();
    const outcome = makeOutcome(this);
    const hash = simulation.activityHash();
    await simulation.close();
    return { outcome, hash, store };
  }
}

/** A way for strings from one machine to another. */
class Carrier {
  /** Earlier contents of the mailbox. @type {string[]} */ #old = [];
  #carried = '';
  #random;
  #from;
  #to;
  #give;

  /** @param {Random} random @param {Machine} from @param {Machine} to @param {(mail: string) => void} give */
  constructor(random, from, to, give) {
    this.#random = random;
    this.#from = from;
    this.#to = to;
    this.#give = give;
  }

  /** @returns {Letter} */
  #read() {
    const { outbox, inboundAck } = this.#from.mailbox.peerState(this.#to.name);
    return { peer: this.#from.name, messages: outbox, ack: inboundAck };
  }

  get isDone() {
    return this.#carried === JSON.stringify(this.#read());
  }

  /** Carry all, or a part, all mixed and doubled, or what was in the mailbox earlier. */
  carry() {
    const random = this.#random;
    if (!this.#to.isListening) return;
    const letter = this.#read();
    const { messages } = letter;
    const text = JSON.stringify(letter);
    const way = random.below(10);
    if (way < 2 && this.#old.length > 0) this.#give(random.pick(this.#old));
    else if (way < 4) {
      const part = messages.slice(0, random.below(messages.length + 1));
      this.#give(JSON.stringify({ ...letter, messages: part }));
    } else if (way === 4) {
      const mixed = [...messages, ...messages].sort(() => random.below(3) - 1);
      this.#give(JSON.stringify({ ...letter, messages: mixed }));
    } else {
      this.#give(text);
      this.#carried = text;
    }
    if (this.#old.at(-1) !== text) this.#old.push(text);
  }
}

/**
 * Let machines talk until nothing is left to carry.
 *
 * @param {MachinesLives} lives
 * @returns {Promise<{ given: Record<string, Given[]>, ends: Record<string, MachineEnd>, carried: number }>} by the machines'
 *   names; `carried`: how often something was
 */
export const runMachines = async lives => {
  const { seed, rounds, names } = lives;
  const random = makeRandom(`machines ${seed}`);
  /** @type {Record<string, Given[]>} */
  const given = Object.fromEntries(names.map(name => [name, []]));
  const machines = names.map(name => new Machine(lives, name));
  for (const machine of machines) await machine.open(true);
  /** @param {Machine} machine @param {Given['kind']} kind @param {string} data */
  const give = (machine, kind, data) => {
    const each = { at: machine.cranks, kind, data };
    given[machine.name].push(each);
    machine.take(each);
  };
  const carriers = machines.flatMap(from =>
    machines
      .filter(to => to !== from)
      .map(to => new Carrier(random, from, to, mail => give(to, 'mail', mail))),
  );
  const listBusy = () => machines.filter(({ simulation }) => !simulation.isQuiet);
  let round = 0;
  let carried = 0;
  for (;;) {
    const busy = listBusy();
    const waiting = carriers.filter(({ isDone }) => !isDone);
    if (busy.length > 0 && random.chance(0.7)) {
      const machine = random.pick(busy);
      const { simulation } = machine;
      await simulation.runCranks(1 + random.below(40));
      await simulation.commit();
      if (simulation.isQuiet) machine.isListening = true;
      if (random.chance(0.02)) give(machine, 'deeds', `${seed} ${machine.name} ${machine.cranks}`);
    } else if (waiting.length > 0) {
      random.pick(waiting).carry();
      carried += 1;
    } else {
      if (random.chance(0.3)) random.pick(carriers).carry();
      if (listBusy().length > 0) continue;
      if (round === rounds) break;
      round += 1;
      for (const machine of machines) give(machine, 'round', '');
    }
  }
  /** @type {Record<string, MachineEnd>} */
  const ends = {};
  for (const machine of machines) ends[machine.name] = await machine.end();
  return { given, ends, carried };
};

/**
 * Repeat the life of one of the machines.
 *
 * @param {MachinesLives} lives
 * @param {string} name
 * @param {readonly Given[]} given
 * @param {MachineWay} way
 */
export const reliveMachine = async (lives, name, given, way) => {
  const { blockSize = () => 200, until = () => undefined, options } = way;
  const { reopens = () => false, loses = () => false } = way;
  const machine = new Machine(lives, name, options);
  await machine.open(true);
  let done = 0;
  /** At the last commit. @type {{ done: number, said: number } | undefined} */
  let kept;
  for (;;) {
    while (given[done]?.at === machine.cranks) {
      machine.take(given[done]);
      done += 1;
    }
    const { simulation } = machine;
    if (done === given.length && simulation.isQuiet) break;
    const left = (given[done]?.at ?? Infinity) - machine.cranks;
    if (simulation.isQuiet)
      throw Error(`it is quiet at crank ${machine.cranks}, should come to ${given[done]?.at}`);
    await simulation.runCranks(Math.min(blockSize(), left), until(simulation.kernel.now.timeNs));
    if (kept !== undefined && loses()) {
      machine.said.length = kept.said;
      ({ done } = kept);
      await machine.reopen();
      continue;
    }
    await simulation.commit();
    kept = { done, said: machine.said.length };
    if (reopens()) await machine.reopen();
  }
  return machine.end();
};
