// Random conversations of three vats, once in one kernel and once on three machines that are joined by strings: what
// became of every message must be the same. A failure prints the seed.

import '#testkit/lockdown.js';
import test from 'ava';
import { makeRandom } from '#testkit';
import { E, Far } from '#vat';
import { carry, makeMachine } from './comms-machines.js';

/** @import { Random } from '#testkit' */

/**
 * The behaviour of an object that is sent `run(path, script, references)`. It knows what it was given, and what came of its
 * steps, by their places.
 *
 * @typedef {{ do: 'make' } | { do: 'promise' } | { do: 'wait', at: number }
 *   | { do: 'settle', at: number, how: 'one' | 'list' | 'reject', with: number[] }
 *   | { do: 'send', to: number, script: Script, with: number[] }} Step
 * @typedef {{ steps: Step[], result: { how: 'one' | 'list' | 'reject', with: number[] } }} Script
 */

/**
 * @param {Random} random
 * @param {number} depth
 * @returns {Script}
 */
const makeScript = (random, depth) => {
  /** @type {Step[]} */
  const steps = [];
  const places = () => Array.from({ length: random.below(4) }, () => random.below(40));
  const how = () => /** @type {const} */ (['one', 'list', 'list', 'reject'])[random.below(4)];
  const count = 1 + random.below(5);
  for (let i = 0; i < count; i += 1) {
    const what = random.below(10);
    if (what < 1) steps.push({ do: 'make' });
    else if (what < 3) steps.push({ do: 'promise' });
    else if (what < 4) steps.push({ do: 'wait', at: random.below(40) });
    else if (what < 5)
      steps.push({ do: 'settle', at: random.below(40), how: how(), with: places() });
    else if (depth > 0) {
      const script = makeScript(random, depth - 1);
      steps.push({ do: 'send', to: random.below(40), script, with: places() });
    }
  }
  return { steps, result: { how: how(), with: places() } };
};

/**
 * @param {any} value
 * @param {number} [depth]
 * @returns {Promise<string>}
 */
const describe = async (value, depth = 0) => {
  if (depth > 4) return '…';
  if (value instanceof Promise) {
    return value.then(
      settled => describe(settled, depth),
      () => 'rejected',
    );
  }
  if (Array.isArray(value)) {
    const parts = await Promise.all(value.map(part => describe(part, depth + 1)));
    return `[${parts.join(' ')}]`;
  }
  if (typeof value === 'object' && value !== null) return E(value).name();
  return String(value);
};

/**
 * @param {string} name
 * @param {string[]} log
 * @returns {any}
 */
const makePlayer = (name, log) => {
  /** @type {any[]} */
  let friends = [];
  const player = Far('player', {
    name: () => name,
    take(/** @type {any} */ friend) {
      friends = [...friends, friend];
    },
    start: (/** @type {string} */ script) => {
      // Not part of what is compared: it is sent by the test.
      E(player)
        .run('', JSON.parse(script), friends)
        .then(
          () => {},
          () => {},
        );
    },
    run: async (
      /** @type {string} */ path,
      /** @type {Script} */ { steps, result },
      /** @type {any[]} */ references,
    ) => {
      const known = [player, ...references];
      /** @type {Map<number, (value: any) => void>} */
      const open = new Map();
      const at = (/** @type {number} */ place) => known[place % known.length];
      const make = (/** @type {Script['result']} */ { how, with: places }) => {
        if (how === 'reject') return harden(Promise.reject(Error('on purpose')));
        return how === 'one' ? at(places[0] ?? 0) : harden(places.map(at));
      };
      for (const [i, step] of steps.entries()) {
        const here = `${path}.${i}`;
        if (step.do === 'make') {
          known.push(makePlayer(`${name}${here}`, log));
        } else if (step.do === 'promise') {
          known.push(
            new Promise(resolve => {
              open.set(known.length, resolve);
            }),
          );
        } else if (step.do === 'wait') {
          await Promise.resolve(at(step.at)).catch(() => {});
        } else if (step.do === 'settle') {
          const place = step.at % known.length;
          open.get(place)?.(make(step));
          open.delete(place);
        } else {
          const answer = E(at(step.to)).run(here, step.script, step.with.map(at));
          known.push(answer);
          describe(answer).then(
            told => log.push(`${here} ${told}`),
            () => log.push(`${here} cannot be told`),
          );
        }
      }
      for (const resolve of open.values()) resolve('left open');
      return make(result);
    },
  });
  return player;
};

const names = ['a', 'b', 'c'];

/**
 * @param {Script} script
 * @param {'current' | '2020-09'} profile
 */
const runTogether = async (script, profile) => {
  /** @type {string[]} */
  const log = [];
  const machine = await makeMachine(
    Object.fromEntries(names.map(name => [name, makePlayer(name, log)])),
    profile,
  );
  for (const name of names.slice(1)) await machine.call('a', 'take', { vat: name });
  await machine.call('a', 'start', JSON.stringify(script));
  return { log: log.sort(), machines: [machine] };
};

/**
 * @param {Script} script
 * @param {'current' | '2020-09'} profile
 * @param {Random} random  of the order in which strings arrive
 */
const runApart = async (script, profile, random) => {
  /** @type {string[]} */
  const log = [];
  /** @type {Record<string, import('./comms-machines.js').Machine>} */
  const machines = {};
  for (const name of names)
    machines[name] = await makeMachine({ [name]: makePlayer(name, log) }, profile);
  for (const [name, machine] of Object.entries(machines))
    for (const other of names) if (other !== name) await machine.connect(other);
  for (const name of names.slice(1)) {
    await machines[name].publish('a', 0, name);
    await machines.a.give(name, 0, 'a');
  }
  await machines.a.call('a', 'start', JSON.stringify(script));
  await carry(machines, { choose: random.below });
  return { log: log.sort(), machines: Object.values(machines) };
};

const runs = 12;
const firstSeed = 1;

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test(`${profile}: outcomes of messages do not depend on the places of their targets`, async t => {
    let messages = 0;
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      const script = makeScript(makeRandom(seed), 3);
      const together = await runTogether(script, profile);
      const apart = await runApart(script, profile, makeRandom(`order ${seed}`));
      messages += together.log.length;
      t.deepEqual(apart.log, together.log, `seed ${seed}`);
      for (const machine of [...together.machines, ...apart.machines]) {
        t.deepEqual(machine.faults, [], `seed ${seed}`);
        t.deepEqual(machine.audit(), [], `seed ${seed}`);
      }
    }
    t.true(messages > runs);
    t.log(`${messages} messages`);
  });
}
