// The kernel is what the reference kernel says that it is: with vats that misbehave in every way, plainly, with items begun
// ahead, watched, and resumed at every block. SWINGSET_RUNNER_ORACLE_SEEDS says how many programs of each profile.

import test from 'ava';
import { compareKernels, Coverage, makeRudeProgram } from '#testkit';

const seeds = Number(process.env.SWINGSET_RUNNER_ORACLE_SEEDS ?? 60);
const first = Number(process.env.SWINGSET_RUNNER_ORACLE_FIRST ?? 0);

/** Programs that once found a difference, and which. @type {Record<'current' | '2020-09', Record<string, string>>} */
const corpus = {
  current: {
    5: 'a promise that was settled to data which names it stayed for good',
    23: 'a vat threw in the kernel by subscribing to what it had just settled',
  },
  '2020-09': {
    6: 'the audit took it for a mistake that a raw vat lets go of its imports',
  },
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  for (const [seed, what] of Object.entries(corpus[profile])) {
    test(`${profile}: program ${seed} comes to the same (${what})`, t => {
      t.is(compareKernels(makeRudeProgram(profile, Number(seed))), undefined);
    });
  }

  test(`${profile}: ${seeds} programs of vats that misbehave come to what the reference says`, t => {
    const coverage = new Coverage();
    for (let seed = first; seed < first + seeds; seed += 1)
      t.is(compareKernels(makeRudeProgram(profile, seed), coverage), undefined, `program ${seed}`);
    const { cranks, faults, counters } = coverage;
    t.log(`${cranks} cranks, ${faults} faults`);
    if (seeds < 60) return;
    // All of it was reached.
    t.true(cranks > seeds * 5);
    t.true(faults > seeds / 4);
    const reached = ['syscallCallNow', 'syscallReject', 'dispatchReject', 'kernelDevices'];
    if (profile === 'current')
      reached.push('dispatchRetireExports', 'dispatchDropExports', 'syscallRetireImports');
    for (const name of reached) t.true(counters[name] > 0, name);
  });
}
