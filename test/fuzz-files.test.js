// Files that are nearly right: configs, stats files, reports and recorded runs. Each gives a result, or one line that says
// what is wrong. SWINGSET_RUNNER_FUZZ_ROUNDS asks for more, SWINGSET_RUNNER_FUZZ_SEED for others.

import '#testkit/lockdown.js';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';

import { getStackFrames, loadConfig, makeMemoryStore, makeSimulation, UserError } from '#host';
import { fuzzing, makeMutations, makeRandom } from '#testkit';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { readStatsFile } from '#stats';
import { formatReport, readReport } from '../runner/session/report-text.js';

const directory = directoryOfProcess('fuzz-files');

const longestLine = 2000;

/**
 * @param {import('ava').ExecutionContext} t
 * @param {string} shown  what was tried
 * @param {unknown} error
 */
const insistOneLine = (t, shown, error) => {
  if (!(error instanceof UserError)) {
    t.fail(`${shown} throws ${error} ${getStackFrames(error)}`);
    return;
  }
  const { message } = error;
  if (message.includes('\n')) t.fail(`${shown} is told in several lines: ${message}`);
  if (message.length > longestLine) t.fail(`${shown} is told in ${message.length} characters`);
};

const configs = [
  '{"bootstrap": "bootstrap", "vats": {"bootstrap": {"sourceSpec": "./bootstrap.js"}}}',
  '{"bootstrap": "a", "vats": {"a": {"bundleName": "b", "parameters": {"n": [1, {"x": null}]}}}, "bundles": {"b": {"sourceSpec": "./bootstrap.js"}}}',
  '{"bootstrap": "a", "vats": {"a": {"sourceSpec": "./bootstrap.js", "creationOptions": {"enableSetup": true, "managerType": "local", "reapInterval": 5, "critical": true}}}}',
  '{"bootstrap": "a", "vats": {"a": {"sourceSpec": "./bootstrap.js"}, "b": {"sourceSpec": "./bootstrap.js"}}, "connections": [{"from": "a.out", "to": "b.in", "after": "10 ms"}], "reactors": {"timeout": "1 s", "seed": 5}}',
  '{"bootstrap": "a", "vats": {"a": {"sourceSpec": "./bootstrap.js"}}, "devices": {"mailbox": {}, "mine": {"sourceSpec": "./bootstrap.js"}}, "loopboxSenders": ["x"], "defaultReapInterval": "never"}',
  '{"bootstrap": "a", "vats": {"a": {"bundle": {"moduleFormat": "getExport", "source": "x", "sourceMap": ""}}}, "benchmarkDriver": {"sourceSpec": "./bootstrap.js"}}',
];

test('a nearly correct config is read, or refused in one line', t => {
  const { rounds, seed } = fuzzing(1500);
  const next = makeMutations(makeRandom(`${seed} config`), configs);
  const file = path.join(directory, 'swingset.json');
  fs.writeFileSync(
    path.join(directory, 'bootstrap.js'),
    'export const buildRootObject = () => 1;\n',
  );
  let read = 0;
  for (let round = 0; round < rounds; round += 1) {
    const text = next();
    fs.writeFileSync(file, text);
    try {
      const config = loadConfig({ baseDir: directory, configFile: file });
      if (!Object.hasOwn(config.vats, config.bootstrap)) t.fail(`${text} has no vat to start`);
      read += 1;
    } catch (error) {
      insistOneLine(
        t,
        `seed ${seed}, round ${round}: ${JSON.stringify(text.slice(0, 400))}`,
        error,
      );
    }
  }
  t.true(read > rounds / 20, `${read} of ${rounds} were read`);
  t.is(/** @type {any} */ ({}).sourceSpec, undefined);
});

const statsFiles = [
  'block\tcranks\tactual_time\trss\n1\t200\t0.015\t1000000\n2\t400\t0.014\t1000001\n',
  'block\tbtime\tcranks\tdisk\tmem\n0\t1.5e-3\t7\t4096\t1\n1\t\t8\t4096\t2\n',
  'block\tsyscalls\tkernelObjects\n1\t-5\t1e9\n2\tNaN\t0\n',
  'a\r\n1\r\n2\r\n',
];

test('a nearly correct stats file is read, or refused in one line', t => {
  const { rounds, seed } = fuzzing(1500);
  const next = makeMutations(makeRandom(`${seed} stats`), statsFiles);
  const file = path.join(directory, 'stats-x.tsv');
  let read = 0;
  for (let round = 0; round < rounds; round += 1) {
    const text = next();
    fs.writeFileSync(file, text);
    const shown = `seed ${seed}, round ${round}: ${JSON.stringify(text.slice(0, 400))}`;
    try {
      const data = readStatsFile(file);
      for (const column of data.columns)
        if (data.rows[column].length !== data.length) t.fail(`${shown}: a column is short`);
      read += 1;
    } catch (error) {
      insistOneLine(t, shown, error);
    }
  }
  t.true(read > rounds / 20, `${read} of ${rounds} were read`);
});

const recorded = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    let count = 0;
    return Far('root', {
      async bootstrap() {
        const other = Far('other', { add: (n, list) => [n + 1, ...list] });
        await E(other).add(1, ['text', 2n, undefined]);
      },
      runBenchmarkRound() {
        count += 1;
        return count;
      },
    });
  };
`;

/** @type {(random: import('#testkit').Random, bytes: Uint8Array) => Uint8Array} */
const damage = (random, bytes) => {
  const at = random.below(bytes.length);
  switch (random.below(4)) {
    case 0: {
      const copy = Uint8Array.from(bytes);
      copy[at] ^= 1 << random.below(8);
      return copy;
    }
    case 1:
      return bytes.slice(0, at);
    case 2:
      return Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(random.below(bytes.length))]);
    default:
      return Uint8Array.from([...bytes, ...bytes.slice(at)]);
  }
};

test('a recording with a nearly correct transcript is resumed, or refused in one line', async t => {
  const { rounds, seed } = fuzzing(150);
  const random = makeRandom(`${seed} transcript`);
  const home = path.join(directory, 'recorded');
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'bootstrap.js'), recorded);
  const store = makeMemoryStore();
  const simulation = await makeSimulation(loadConfig({ baseDir: home }), { store });
  await simulation.run();
  for (let i = 0; i < 3; i += 1) {
    simulation.release(simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound'));
    await simulation.run();
  }
  const streams = store.streamNames().filter(name => name.startsWith('t.'));
  t.true(streams.length > 0);
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const name = random.pick(streams);
    const bytes = damage(random, store.readStream(name));
    const damaged = Object.freeze({
      ...store,
      readStream: (/** @type {string} */ stream) =>
        stream === name ? bytes : store.readStream(stream),
      streamChunks: (/** @type {string} */ stream) =>
        stream === name ? [bytes] : store.streamChunks(stream),
      streamLength: (/** @type {string} */ stream) =>
        stream === name ? bytes.length : store.streamLength(stream),
      commit: () => {},
      close: async () => {},
    });
    try {
      const resumed = await makeSimulation(undefined, { store: damaged, resume: true });
      await resumed.close();
    } catch (error) {
      refused += 1;
      insistOneLine(t, `seed ${seed}, round ${round}, ${name}`, error);
    }
  }
  t.true(refused > 0);
});

const isOfTable = /^(?:vat|p|n)\./;

/** @param {string} text */
const nested = text => text.repeat(65_000);
const deep = `${nested('[')}${nested(']')}`;

test('a state whose rows are not what they have to be is refused in one line', async t => {
  const home = path.join(directory, 'forged');
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'bootstrap.js'), recorded);
  fs.writeFileSync(
    path.join(home, 'swingset.json'),
    '{"bootstrap": "a", "vats": {"a": {"sourceSpec": "./bootstrap.js"}}, "devices": {"timer": {}}}',
  );
  const store = makeMemoryStore();
  const simulation = await makeSimulation(loadConfig({ baseDir: home }), { store });
  await simulation.run();
  const rows = [...store.entries('')].map(([key]) => key);
  for (const start of [
    'vat.v',
    'p.kp',
    'n.v',
    'host.bundle.',
    'host.device.timer',
    'kernel.profile',
  ]) {
    const row = rows.find(key => key.startsWith(start)) ?? t.fail(`there is no row ${start}`);
    for (const text of ['null', '5', '"', '{"a":1}', `${nested('{"a":')}1${nested('}')}`, deep]) {
      const forged = makeMemoryStore();
      const puts = new Map(rows.map(key => [key, Buffer.from(store.getBytes(key) ?? [])]));
      puts.set(String(row), Buffer.from(text));
      const appends = new Map(store.streamNames().map(name => [name, store.readStream(name)]));
      forged.commit({ puts, appends });
      try {
        const resumed = await makeSimulation(undefined, { store: forged, resume: true });
        await resumed.close();
        t.fail(`${row} was taken as ${text.slice(0, 20)}`);
      } catch (error) {
        insistOneLine(t, `${row} with ${text.slice(0, 20)}`, error);
        if (isOfTable.test(start) && !text.startsWith('{'))
          t.regex(String(error), RegExp(`row "${row}"`));
      }
    }
  }
});

/** Changes that another program may have made: rows by the beginnings of their keys; undefined deletes one. */
const wrongRows = /** @type {[start: string, change: (text: string) => string | undefined][]} */ ([
  ['n.v', () => undefined],
  ['n.d', () => undefined],
  ['c.v1.o+0', () => undefined],
  ['c.v1.o+0', text => `${text} x`],
  ['c.v1.o+0', text => text.replace('ko', 'kd')],
  ['host.bundle.', () => undefined],
  ['host.bundle.', text => text.replace(/"modules":\{/, '"modules":{"x":null,')],
  ['host.device.timer', text => text.replace('"timer"', '"__proto__"')],
  ['local.sourceUrls.', text => text.replace(/:"[^"]*"/, ':1')],
  ['device.d', () => undefined],
  ['host.bootstrapVat', text => `${text}x`],
  ...[
    { data: [] },
    { data: null },
    { data: { body: '#1' } },
    { refCount: -1 },
    { refCount: 1.5 },
    { state: 'open' },
    { decider: null },
    { subscribers: 'v1' },
  ].map(
    fields =>
      /** @type {const} */ (['p.kp', (/** @type {string} */ text) => withFields(text, fields)]),
  ),
  ...[
    { name: 1.5 },
    { source: ['ko20'] },
    { source: 'timer' },
    { isBuiltIn: 1 },
    { isBuiltIn: true },
    { parameterSlots: null },
    { options: null },
    { state: 'gone' },
    { incarnation: -1 },
  ].map(
    fields =>
      /** @type {const} */ (['vat.v1', (/** @type {string} */ text) => withFields(text, fields)]),
  ),
]);

/** @param {string} text @param {object} fields */
const withFields = (text, fields) => JSON.stringify({ ...JSON.parse(text), ...fields });

test('a state in which rows are missing, or hold something of another form, is refused in one line', async t => {
  const home = path.join(directory, 'wrong');
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'bootstrap.js'), recorded);
  fs.writeFileSync(
    path.join(home, 'swingset.json'),
    '{"bootstrap": "a", "vats": {"a": {"sourceSpec": "./bootstrap.js"}}, "devices": {"timer": {}}}',
  );
  const store = makeMemoryStore();
  const simulation = await makeSimulation(loadConfig({ baseDir: home }), { store });
  await simulation.run();
  const rows = [...store.entries('')].map(([key]) => key);
  const read = (/** @type {string} */ key) => Buffer.from(store.getBytes(key) ?? []);
  for (const [start, change] of wrongRows) {
    const row = rows.find(key => key.startsWith(start)) ?? t.fail(`there is no row ${start}`);
    const before = read(String(row)).toString();
    const after = change(before);
    t.not(after, before, start);
    const puts = new Map(rows.map(key => [key, read(key)]));
    if (after === undefined) puts.delete(String(row));
    else puts.set(String(row), Buffer.from(after));
    const forged = makeMemoryStore();
    forged.commit({
      puts,
      appends: new Map(store.streamNames().map(name => [name, store.readStream(name)])),
    });
    const shown = `${row}: ${after?.slice(0, 200)}`;
    const error = await t.throwsAsync(
      makeSimulation(undefined, { store: forged, resume: true }),
      { message: /damaged|there is no/ },
      shown,
    );
    insistOneLine(t, shown, error);
  }
});

const report = {
  ...{ profile: 'current', cranks: 7, controlCranks: 5, totalCranks: 9, ns: 1.5e9, clock: 'tsc' },
  workers: [{ number: 1, vats: 2, cranks: 3, batches: 4, busyNs: 5, waitingNs: 6 }],
  ...{ keepsAwake: true, workersWaitNs: 7, placement: { looks: 1, moves: 2, takenBack: 0 } },
  counters: { kernelObjects: { value: 33, up: 33, down: 0, max: 33 }, syscalls: { value: 1 } },
  benchmark: { rounds: 1, cranks: 2, ns: 5, delta: { syscalls: -1 }, results: ['fulfilled 1'] },
  ...{ bootstrapResult: 'fulfilled', activityHash: 'ab', reapCollections: { count: 1, ns: 5 } },
};

/** Copies of a value in which one part is another. @param {any} value @param {unknown} other @returns {Generator<unknown>} */
function* withOther(value, other) {
  yield other;
  if (typeof value !== 'object') return;
  for (const [name, part] of Object.entries(value)) {
    for (const changed of withOther(part, other)) {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      copy[/** @type {any} */ (name)] = changed;
      yield copy;
    }
  }
}

test('a nearly correct report is shown, or refused in one line', t => {
  const file = path.join(directory, 'report.json');
  let shown = 0;
  for (const other of [undefined, null, -1, 0.5, 1e300, '', 'x', [], [null], {}, { x: 1 }, true]) {
    for (const changed of withOther(report, other)) {
      const text = JSON.stringify(changed) ?? '';
      fs.writeFileSync(file, text);
      try {
        t.is(typeof formatReport(readReport(file)), 'string');
        shown += 1;
      } catch (error) {
        insistOneLine(t, text, error);
      }
    }
  }
  t.true(shown > 50, `${shown}`);
});
