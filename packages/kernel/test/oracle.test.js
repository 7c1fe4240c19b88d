// The kernel is what the reference kernel says that it is: with vats that misbehave in every way, plainly, with items begun
// ahead, watched, and resumed at every block; with hosts that meddle between blocks, and devices that make vats, too. SWINGSET_RUNNER_ORACLE_SEEDS says how many programs of each profile.

import test from 'ava';
import { compareKernels, Coverage, makeRudeProgram } from '#testkit';

const seeds = Number(process.env.SWINGSET_RUNNER_ORACLE_SEEDS ?? 40);
const livelySeeds = Number(process.env.SWINGSET_RUNNER_ORACLE_SEEDS ?? 30);
const wildSeeds = Number(process.env.SWINGSET_RUNNER_ORACLE_SEEDS ?? 25);
const first = Number(process.env.SWINGSET_RUNNER_ORACLE_FIRST ?? 0);

/** Programs with a host that meddles, which once found a difference. @type {Record<'current' | '2020-09', Record<string, string>>} */
const wildCorpus = {
  current: {
    1: 'the audit wanted a step of clean-up where the host had said that nothing is deleted',
    15: 'items that a budget for clean-up queued had the cause of the last crank, or none after a resume',
    1232: 'a promise that the host let go of twice stood twice in the store, once after a resume',
  },
  '2020-09': {},
};

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

/** Programs with a lively device, which once found a difference. @type {Record<'current' | '2020-09', Record<string, string>>} */
const livelyCorpus = {
  current: {
    46: 'a vat that was made in the run was asked for its dead references before it started',
    48: 'items that a device queued when the host called it had the cause of the last crank, or none after a resume',
    156: 'an interval that a device had set stayed when the host took the call back',
    182: 'a vat that was made and upgraded in one crank was upgraded before it started',
    196: 'a vat that was asked before an upgrade was taken for one that is not to be asked, until the run was resumed',
  },
  '2020-09': {
    18: 'items that a device queued when the host called it had the cause of the last crank, or none after a resume',
    76: 'a vat that called a device which it did not have, while it started in the crank that made it, went on',
  },
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  for (const [seed, what] of Object.entries(corpus[profile])) {
    test(`${profile}: program ${seed} has the reference's results (${what})`, t => {
      t.is(compareKernels(makeRudeProgram(profile, Number(seed))), undefined);
    });
  }

  for (const [seed, what] of Object.entries(wildCorpus[profile])) {
    test(`${profile}: wild program ${seed} has the reference's results (${what})`, t => {
      t.is(compareKernels(makeRudeProgram(profile, Number(seed), 'wild')), undefined);
    });
  }

  for (const [seed, what] of Object.entries(livelyCorpus[profile])) {
    test(`${profile}: lively program ${seed} has the reference's results (${what})`, t => {
      t.is(compareKernels(makeRudeProgram(profile, Number(seed), 'lively')), undefined);
    });
  }

  test(`${profile}: ${livelySeeds} programs have the reference's results if a device makes, upgrades and ends vats, and is woken`, t => {
    const coverage = new Coverage();
    for (let seed = first; seed < first + livelySeeds; seed += 1) {
      const program = makeRudeProgram(profile, seed, 'lively');
      t.is(compareKernels(program, coverage), undefined, `lively program ${seed}`);
    }
    const { lived, meddled } = coverage;
    t.log(JSON.stringify(lived));
    if (livelySeeds < 25) return;
    const reached = ['vats made', 'vats made and ended', 'wake-ups', 'later times', 'handed out'];
    if (profile === 'current') reached.push('upgrades');
    for (const what of reached) t.true(lived[what] > 0, what);
    for (const deed of ['deviceInput', 'outside']) t.true(meddled[deed] > 0, deed);
  });

  test(`${profile}: ${livelySeeds} programs have the reference's results with critical vats and budgets for clean-up`, t => {
    const coverage = new Coverage();
    for (let seed = first; seed < first + livelySeeds; seed += 1) {
      const program = makeRudeProgram(profile, seed, 'full');
      t.is(compareKernels(program, coverage), undefined, `full program ${seed}`);
    }
    const { stopped } = coverage.lived;
    t.log(`${stopped} runs were stopped`);
    if (livelySeeds < 25) return;
    t.true(stopped > 5 && stopped < livelySeeds);
    if (profile === 'current') t.true(coverage.meddled.setNumberedBudget > 0);
  });

  test(`${profile}: ${wildSeeds} programs have the reference's results if hosts meddle and the machine stops vats`, t => {
    const coverage = new Coverage();
    for (let seed = first; seed < first + wildSeeds; seed += 1) {
      const program = makeRudeProgram(profile, seed, 'wild');
      t.is(compareKernels(program, coverage), undefined, `wild program ${seed}`);
    }
    const { meddled } = coverage;
    t.log(JSON.stringify(meddled));
    if (wildSeeds < 25) return;
    const deeds = ['send', 'hold', 'release', 'endVat', 'endDiverging', 'reap', 'stopped'];
    if (profile === 'current') deeds.push('setCleanupBudget');
    for (const deed of deeds) t.true(meddled[deed] > 0, deed);
  });

  test(`${profile}: ${seeds} programs of vats that misbehave have the reference's results`, t => {
    const coverage = new Coverage();
    for (let seed = first; seed < first + seeds; seed += 1)
      t.is(compareKernels(makeRudeProgram(profile, seed), coverage), undefined, `program ${seed}`);
    const { cranks, faults, counters } = coverage;
    t.log(`${cranks} cranks, ${faults} faults`);
    if (seeds < 40) return;
    // All of it was reached.
    t.true(cranks > seeds * 5);
    t.true(faults > seeds / 4);
    const reached = ['syscallCallNow', 'syscallReject', 'dispatchReject', 'kernelDevices'];
    if (profile === 'current')
      reached.push('dispatchRetireExports', 'dispatchDropExports', 'syscallRetireImports');
    for (const name of reached) t.true(counters[name] > 0, name);
  });
}
