// A vat's report of its reactors counts only for cranks that were asked for.

import test from 'ava';
import { makeKernel } from '#kernel';
import { ReactorReport } from '#model';
import { sha256 } from '#testkit';
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

/** @type {Record<string, [string, Lie]>} */
const lies = {
  'ran before it was asked': [wrongTag, report => void (report.timeNs -= 1)],
  'ran behind all others': [wrongTag, report => void (report.timeNs += 1_000_000)],
  'ran at half a nanosecond': [wrongTag, report => void (report.timeNs += 0.5)],
  'ran at another stage': [wrongTag, report => void (report.stage = 7)],
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
