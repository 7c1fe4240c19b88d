// A vat's report of its reactors counts only for cranks that were asked for.

import test from 'ava';
import { audit, makeKernel } from '#kernel';
import { ReactorReport } from '#model';
import { makeTestKernel, Reported, sha256 } from '#testkit';
import { makeMemoryStore } from '#store';

/** @typedef {import('#kernel').Transport} Transport */
/** @typedef {import('#model').When} When */

/** @typedef {(report: ReactorReport, when: When, cranks: number) => string | null | void} Lie  may give a fault */

/**
 * A vat that reacts again and again.
 *
 * @param {number} periodNs
 * @param {Lie} lie  changes what it says of its cranks behind the first three
 * @returns {Transport}
 */
const makeReacting = (periodNs, lie) => {
  const report = new ReactorReport();
  /** @type {When} */
  let when;
  let isReact = false;
  let cranks = 0;
  return {
    begin([kind], _answer, at) {
      isReact = kind === 'react';
      when = at;
    },
    finish() {
      cranks += 1;
      report.quiet.clear();
      report.isLoud = isReact;
      report.timeNs = when.timeNs;
      report.microstep = when.microstep;
      report.stage = when.stage;
      report.nextTimeNs = when.timeNs + periodNs;
      report.nextMicrostep = 0;
      report.nextStage = 0;
      report.counts.fill(isReact ? 1 : 0);
      report.shape = null;
      if (!isReact)
        report.shape = {
          ...{ inputs: [], outputs: [], actions: [], dependencies: [] },
          ...{ mayRequestStop: false, hasRoot: true },
        };
      const fault = cranks > 3 ? (lie(report, when, cranks) ?? null) : null;
      return { fault, syscalls: [], answers: [], reactors: report };
    },
    close() {},
  };
};

/** @type {Transport} */
const silent = {
  begin: () => {},
  finish: () => ({ fault: null, syscalls: [], answers: [] }),
  close: () => {},
};

/** @param {Lie} lie */
const run = lie => {
  /** @type {string[]} */
  const faults = [];
  /** @type {number[]} */
  const times = [];
  const kernel = makeKernel('current', {
    store: makeMemoryStore(),
    sha256,
    onVatFault: (vatId, problem) => void faults.push(`${vatId}: ${problem}`),
    crankObserver: { begins: ({ item }) => void times.push(item.timeNs) },
  });
  const vat = { source: '', parameters: '#{}', pipelining: false, options: {} };
  kernel.initialise({
    vats: [
      { ...vat, name: 'boot', isBuiltIn: true },
      { ...vat, name: 'liar', isBuiltIn: false },
      { ...vat, name: 'honest', isBuiltIn: false },
    ],
    devices: [],
    bootstrap: 'boot',
  });
  kernel.attachVat('v1', silent);
  kernel.attachVat('v2', makeReacting(1_700, lie));
  kernel.attachVat(
    'v3',
    makeReacting(1_000, () => {}),
  );
  const { cranks } = kernel.pump(30);
  kernel.commit();
  return { kernel, faults, times, cranks };
};

const wrongTag = 'its reactors say that they have run at a tag at which they were not asked to';
const wrongNext = 'its reactors want to run at a tag that is not behind the present one';
const wrongCounts = 'its reactors say what they did by something else than counts';
const wrongPorts = 'its reactors have ports that cannot be';
const idle = 'its reactors asked to run, and then had nothing to do';
const unread = 'its report of its reactors is not one';

/** @type {Record<string, [string, Lie]>} */
const lies = {
  'ran before it was asked': [wrongTag, report => void (report.timeNs -= 1)],
  'ran behind all others': [wrongTag, report => void (report.timeNs += 1_000_000)],
  'ran at half a nanosecond': [wrongTag, report => void (report.timeNs += 0.5)],
  'ran at another stage': [wrongTag, report => void (report.stage = 7)],
  'ran at a bigint': [wrongTag, report => void (report.timeNs = /** @type {any} */ (1700n))],
  'ran twice at one tag': [
    wrongTag,
    (report, { timeNs }) => {
      report.quiet.add(timeNs, 0, 0);
      report.quiet.add(timeNs, 0, 0);
      report.timeNs += 1;
      report.nextTimeNs = timeNs + 10;
    },
  ],
  'ran backwards by itself': [
    wrongTag,
    (report, { timeNs }) => {
      for (const laterNs of [0, 20, 10, 30]) report.quiet.add(timeNs + laterNs, 0, 0);
      report.timeNs += 40;
      report.nextTimeNs = timeNs + 50;
    },
  ],
  'has no cranks of its own at all': [
    unread,
    report => void (report.quiet = /** @type {any} */ (null)),
  ],
  'asks to run and does nothing, again and again': [
    idle,
    report => {
      report.isLoud = false;
      report.nextTimeNs = report.timeNs + 1;
    },
  ],
  'wants to run at a microstep after which none can be counted': [
    wrongNext,
    report => void (report.nextMicrostep = Number.MAX_SAFE_INTEGER),
  ],
  'wants to run at a stage that it does not have': [
    wrongNext,
    report => void (report.nextStage = 1),
  ],
  'says its ports again': [
    wrongPorts,
    report => {
      report.shape = {
        ...{ inputs: [], outputs: [], actions: [], dependencies: [] },
        ...{ mayRequestStop: false, hasRoot: true },
      };
    },
  ],
  'ran by itself for longer than it may': [
    wrongTag,
    (report, { timeNs }) => {
      report.quiet.add(timeNs, 0, 0);
      report.quiet.addRun(8000, 1, 0, 0);
      report.timeNs = report.quiet.lastTimeNs + 1;
      report.nextTimeNs = report.timeNs + 1;
    },
  ],
  'ran by itself before it was asked': [
    wrongTag,
    (report, { timeNs }) => void report.quiet.add(timeNs - 1, 0, 0),
  ],
  'ran by itself behind what it tells': [
    wrongTag,
    (report, { timeNs }) => {
      report.quiet.add(timeNs, 0, 0);
      report.quiet.add(timeNs + 10, 0, 0);
    },
  ],
  'wants to run in the past': [wrongNext, report => void (report.nextTimeNs = 0)],
  'ran nothing and wants to run in the past': [
    wrongNext,
    report => void Object.assign(report, { isLoud: false, timeNs: 0, nextTimeNs: 5 }),
  ],
  'ran by itself and wants to run before that': [
    wrongTag,
    (report, { timeNs }) => {
      report.isLoud = false;
      report.quiet.add(timeNs, 0, 0);
      report.quiet.add(timeNs + 20, 0, 0);
      report.nextTimeNs = timeNs + 10;
    },
  ],
  'wants to run at the same tag and stage': [
    wrongNext,
    (report, { timeNs }) => void (report.nextTimeNs = timeNs),
  ],
  'wants to run at no number': [wrongNext, report => void (report.nextTimeNs = NaN)],
  'wants to run at a microstep below 0': [wrongNext, report => void (report.nextMicrostep = -1)],
  'counts downwards': [wrongCounts, report => void (report.counts[1] = -1)],
  'counts something else': [wrongCounts, report => void report.counts.push(1)],
  'has ports without names': [
    wrongPorts,
    report => {
      report.shape = /** @type {any} */ ({ ...{ inputs: [[1, 1]], outputs: [], actions: [] } });
    },
  ],
  'has an output that depends on no input': [
    wrongPorts,
    report => {
      report.shape = {
        ...{ inputs: [], outputs: [['out', 1]], actions: [], dependencies: [[0]] },
        ...{ mayRequestStop: false, hasRoot: true },
      };
    },
  ],
};

for (const [what, [problem, lie]] of Object.entries(lies)) {
  test(`a vat that ${what} ends alone, and time does not go back`, t => {
    const { kernel, faults, times, cranks } = run(lie);
    t.deepEqual(faults, [`v2: ${problem}`]);
    t.is(kernel.vat('v2').state, 'ended');
    t.is(kernel.vat('v3').state, 'running');
    t.is(cranks, 30);
    t.deepEqual(
      times,
      [...times].sort((left, right) => left - right),
    );
  });
}

test('a vat that fails is not believed about the tag at which it did', t => {
  const { faults, times } = run(report => {
    report.timeNs = 1;
    report.nextTimeNs = 0;
    return 'it failed';
  });
  t.deepEqual(faults, ['v2: it failed']);
  t.deepEqual(
    times,
    [...times].sort((left, right) => left - right),
  );
});

test('a vat that counts as high as there are numbers does not stop the run', t => {
  const { kernel, faults } = run(report => void report.counts.fill(Number.MAX_SAFE_INTEGER));
  t.deepEqual(faults, []);
  t.is(kernel.counters.toRecord().reactions.value, Number.MAX_SAFE_INTEGER);
});

test('a value that came before the timeout was set does not stay beyond the end', async t => {
  const report = new ReactorReport();
  report.shape = {
    ...{ inputs: [], outputs: [], actions: ['a'], dependencies: [] },
    ...{ mayRequestStop: false, hasRoot: true },
  };
  const starts = {
    react: (/** @type {import('#model').Delivery} */ [kind]) =>
      kind === 'startVat' ? new Reported(report) : undefined,
    starts: true,
  };
  const run = makeTestKernel({
    vats: { alice: starts, bob: { react: () => {}, starts: true } },
    clock: { nowNs: () => 200, isLate: () => false },
    wiring: { connections: [], timeoutNs: 100 },
  });
  await run.run(1);
  run.kernel.physicalInput('v1', 'a', { body: '#1', slots: [] });
  t.is([...run.state.reactors.underWay()].length, 1);
  await run.run(1);
  t.is([...run.state.reactors.underWay()].length, 0);
  t.deepEqual([...audit(run.state)], []);
});

test('a vat without reactors that reports some ends alone', t => {
  /** @type {string[]} */
  const faults = [];
  const kernel = makeKernel('current', {
    store: makeMemoryStore(),
    sha256,
    onVatFault: (vatId, problem) => void faults.push(`${vatId}: ${problem}`),
  });
  const vat = { source: '', parameters: '#{}', pipelining: false, options: {}, isBuiltIn: true };
  kernel.initialise({ vats: [{ ...vat, name: 'boot' }], devices: [], bootstrap: 'boot' });
  const reactors = new ReactorReport();
  kernel.attachVat('v1', {
    ...silent,
    finish: () => ({ fault: null, syscalls: [], answers: [], reactors }),
  });
  kernel.pump(5);
  t.deepEqual(faults, ['v1: it reports reactors that it does not have']);
  kernel.commit();
});

test('a vat whose report is correct goes on', t => {
  const { kernel, faults } = run(() => {});
  t.deepEqual(faults, []);
  t.is(kernel.vat('v2').state, 'running');
});

test('within its grant a vat may run by itself', t => {
  let wereGranted = 0;
  const { kernel, faults } = run((report, { timeNs, grant }) => {
    if (!grant || grant.timeNs <= timeNs + 4 || grant.cranks < 4) return;
    wereGranted += 1;
    report.quiet.add(timeNs, 0, 0);
    report.quiet.add(timeNs + 2, 0, 0);
    report.timeNs = timeNs + 3;
  });
  t.deepEqual(faults, []);
  t.true(wereGranted > 0);
  t.is(kernel.vat('v2').state, 'running');
});
