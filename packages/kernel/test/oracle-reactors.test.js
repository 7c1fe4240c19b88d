// The kernel is what the reference kernel says that it is, for vats with reactors whose reports lie: plainly, with items begun
// ahead, watched, and resumed at every block. SWINGSET_RUNNER_ORACLE_SEEDS says how many programs.

import test from 'ava';
import { compareKernels, Coverage, makeRudeProgram } from '#testkit';
import { Reactions } from '../reactors/reactions.js';
import { ReactorRow } from '../reactors/reactor-rows.js';
import { ReactorKeeper } from '../reactors/reactors.js';
import { ActivityHash } from '../record/hash.js';
import { EventList } from '../tables/event-list.js';

const seeds = Number(process.env.SWINGSET_RUNNER_ORACLE_SEEDS ?? 60);
const first = Number(process.env.SWINGSET_RUNNER_ORACLE_FIRST ?? 0);

/** Programs that once found a difference, and which. @type {Record<string, string>} */
const corpus = {
  5273: 'a vat without reactors was told that its report is not one',
  20050: 'the reference recorded a clock read at a tag that the vat had skipped',
  31000224: 'a microstep beside no next run, which nobody had checked, could not be read back',
};

for (const [seed, what] of Object.entries(corpus)) {
  test(`program ${seed} has the reference's results (${what})`, t => {
    t.is(compareKernels(makeRudeProgram('current', Number(seed), 'reactors')), undefined);
  });
}

/** A program in which a vat tells a lie that only one in two hundred tells. */
const rare = 185;

test(`${seeds} programs of reactors whose reports lie have the reference's results`, t => {
  const coverage = new Coverage();
  for (const seed of [...Array.from({ length: seeds }, (_, i) => first + i), rare]) {
    const program = makeRudeProgram('current', seed, 'reactors');
    t.is(compareKernels(program, coverage), undefined, `reactors program ${seed}`);
  }
  const { cranks, faults, counters, lived, meddled } = coverage;
  t.log(`${cranks} cranks, ${faults} faults, ${JSON.stringify([coverage.reasons, lived])}`);
  if (seeds < 60) return;
  for (const name of ['dispatchReact', 'syscallSetPort', 'syscallRequestStop', 'tags', 'reactions'])
    t.true(counters[name] > 0, name);
  for (const deed of ['physicalInput', 'stopPrograms']) t.true(meddled[deed] > 0, deed);
  // Each way in which a report can be wrong.
  for (const reason of [
    'it reports reactors that it does not have',
    'its report of its reactors is not one',
    'its reactors say that they have run at a tag at which they were not asked to',
    'its reactors say what they did by something else than counts',
    'its reactors have ports that cannot be',
    'its reactors want to run at a tag that is not behind the present one',
    'its reactors leave out of their report a crank with values, syscalls or answers',
    'its reactors asked to run, and then had nothing to do',
  ])
    t.true(coverage.reasons[reason] > 0, reason);
});

test('under 2020-09 a vat that reports reactors ends, and nothing else', t => {
  const coverage = new Coverage();
  for (let seed = first; seed < first + 20; seed += 1) {
    const program = makeRudeProgram('2020-09', seed, 'reactors');
    t.is(compareKernels(program, coverage), undefined, `reactors program ${seed}`);
  }
  t.true(coverage.reasons['it reports reactors that it does not have'] > 0);
});

/**
 * A rule of the kernel that is broken on purpose: a member of a class, and what stands in for it.
 *
 * @type {Record<string, [prototype: object, name: string, (own: any) => PropertyDescriptor]>}
 */
const broken = {
  'two values may come to a channel at one tag': [
    EventList.prototype,
    'findFree',
    () => ({
      value: (/** @type {number} */ _timeNs, /** @type {number} */ microstep) => microstep,
    }),
  ],
  'a vat may run at any stage': [
    ReactorRow.prototype,
    'lastStage',
    () => ({ get: () => Number.MAX_SAFE_INTEGER }),
  ],
  'the values of a vat that ends are kept': [
    ReactorKeeper.prototype,
    'remove',
    ({ value }) => ({
      value(/** @type {string} */ vatId) {
        value.call(this, vatId);
        return [];
      },
    }),
  ],
  'a program ends in the vat that asks only': [
    ReactorKeeper.prototype,
    'vatsOf',
    ({ value }) => ({
      value(/** @type {number} */ program) {
        return value.call(this, program).slice(0, 1);
      },
    }),
  ],
  'a vat that was given a device may run by itself': [
    Reactions.prototype,
    'noteDevices',
    () => ({ value: () => {} }),
  ],
  'quiet cranks are hashed for another vat': [
    ActivityHash.prototype,
    'addQuiet',
    ({ value }) => ({
      value(/** @type {number} */ number, /** @type {unknown} */ quiet) {
        value.call(this, number + 1, quiet);
      },
    }),
  ],
};

for (const [what, [prototype, name, make]] of Object.entries(broken)) {
  test.serial(`fifty programs show a difference if ${what}`, t => {
    const own = /** @type {PropertyDescriptor} */ (
      Object.getOwnPropertyDescriptor(prototype, name)
    );
    /** @type {string | undefined} */
    let found;
    Object.defineProperty(prototype, name, { configurable: true, ...make(own) });
    try {
      for (let seed = 0; seed < 50 && found === undefined; seed += 1)
        found = compareKernels(makeRudeProgram('current', seed, 'reactors'));
    } finally {
      Object.defineProperty(prototype, name, own);
    }
    t.not(found, undefined);
  });
}
