// The slog tells what the kernel did: line by line beside what an observer of its own has seen.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation, makeSlog, runRounds, StopRun } from '#host';
import { makeRandomProgram, runRandomProgram } from '#testkit';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { JsonBytes } from '#observe/slog/json-bytes.js';

/** @import { CrankObserver, Flight } from '#kernel' */

const demos = path.join(import.meta.dirname, '../../../../demos');
const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

const makeCollector = () => {
  let text = '';
  let pieces = 0;
  return {
    write: (/** @type {Uint8Array} */ lines) => {
      text += Buffer.from(lines).toString();
      pieces += 1;
    },
    read: () => {
      if (text === '') return [];
      if (!text.endsWith('\n')) throw Error('a line is cut off');
      return text
        .slice(0, -1)
        .split('\n')
        .map(line => JSON.parse(line));
    },
    countPieces: () => pieces,
  };
};

/**
 * One of the two forms that a slog has put together.
 *
 * @param {unknown} value
 * @param {0 | 1} side  krefs or vrefs
 * @returns {unknown}
 */
const takeSide = (value, side) => {
  if (typeof value === 'string') {
    return /^k[opd]\d+ [opd][-+]\S+$/.test(value) ? value.split(' ')[side] : value;
  }
  if (Array.isArray(value)) return value.map(each => takeSide(each, side));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, takeSide(each, side)]),
  );
};

/** The fields of a flight, as the slog has to tell them. @param {Flight} flight */
const tell = ({ item, plan, result, applied, deviceSends, births, ...rest }) => ({
  kind: item.kind ?? 'start',
  timeNs: item.timeNs,
  microstep: item.microstep,
  vatId: rest.vatId || item.vatId,
  deliveries: plan === null ? undefined : [plan.kernelDelivery, plan.vatDelivery],
  asked: result?.syscalls ?? [],
  applied: applied.filter((_, place) => !deviceSends.includes(place)),
  deviceSends: deviceSends.map(place => applied[place]),
  births: [...births],
  answers: result?.answers ?? [],
  outcome: rest.outcome,
  fault: rest.fault ?? undefined,
});

/** These fields, read from a line of the slog. @param {any} line */
const tellLine = line => ({
  kind: line.kind,
  timeNs: line.timeNs ?? 0,
  microstep: line.microstep,
  vatId: line.vatID ?? '',
  deliveries: line.delivery && [takeSide(line.delivery, 0), takeSide(line.delivery, 1)],
  asked: takeSide(line.syscalls ?? [], 1),
  applied: line.syscalls ?? [],
  deviceSends: line.deviceSends ?? [],
  births: line.births ?? [],
  answers: line.answers ?? [],
  outcome: line.outcome ?? 'kept',
  fault: line.fault,
});

test('the slog of a random program has every crank, in krefs and in vrefs', async t => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const out = makeCollector();
    const slog = makeSlog({ write: out.write });
    /** @type {any[]} */
    const seen = [];
    /** @type {CrankObserver} */
    const crankObserver = {
      ...slog.crankObserver,
      applied: flight => {
        slog.crankObserver.applied?.(flight);
        seen.push(JSON.parse(JSON.stringify(tell(flight))));
      },
    };
    const program = makeRandomProgram(`slog ${seed}`);
    await runRandomProgram(program, { crankObserver });
    slog.flush();
    const cranks = out.read().filter(({ type }) => type === 'crank');
    t.is(cranks.length, seen.length);
    cranks.forEach((line, i) => {
      const told = tellLine(line);
      const { applied, ...expected } = seen[i];
      const { applied: pairs, ...found } = told;
      t.deepEqual(JSON.parse(JSON.stringify(found)), expected, `seed ${seed}, crank ${i}`);
      const own = [...pairs.slice(0, applied.length), ...(line.birthSyscalls ?? [])];
      t.deepEqual(takeSide(own, 0), applied, `seed ${seed}, crank ${i}`);
      t.deepEqual(pairs.slice(applied.length), expected.asked.slice(applied.length));
      t.true(Number.isSafeInteger(line.ns) && line.ns >= 0);
      t.is(Number.isSafeInteger(line.vatNs), line.delivery !== undefined);
    });
  }
});

test('texts are JSON whatever is in them, and numbers whole', t => {
  const out = new JsonBytes(1);
  const texts = [
    '',
    '"',
    '\\"\\',
    'a\nb\t\u0000',
    'déjà vu',
    '\u{1F600}',
    '\ud800 alone',
    '\u007f',
  ];
  const numbers = [0, 7, 9, 10, 99, 100, 12_345, 999_999_999_999, Number.MAX_SAFE_INTEGER, -3];
  out.ascii('[');
  for (const text of texts) {
    out.string(text);
    out.ascii(',');
  }
  for (const number of numbers) {
    out.integer(number);
    out.ascii(',');
  }
  out.json({ last: 'é'.repeat(1000) });
  out.ascii(']');
  const text = Buffer.from(out.view()).toString();
  t.is(text, JSON.stringify([...texts, ...numbers, { last: 'é'.repeat(1000) }]));
});

test('the slog is written when 64 KB are full, when a block is committed late, and at the end', async t => {
  const out = makeCollector();
  const slog = makeSlog({ write: out.write });
  const simulation = await makeSimulation(loadConfig({ baseDir: path.join(demos, 'pingpong') }), {
    store: makeMemoryStore(),
    cacheDir,
    crankObserver: slog.crankObserver,
    onKernel: slog.begin,
  });
  await runRounds(simulation, { rounds: 200 });
  slog.flush();
  slog.flush();
  const lines = out.read();
  t.is(lines.filter(({ type }) => type === 'crank').length, simulation.cranks.all);
  t.true(lines.filter(({ type }) => type === 'commit').length > 200);
  t.true(out.countPieces() > 5 && out.countPieces() < 100, String(out.countPieces()));
  await simulation.close();
});

test('the name of a dynamic vat is in its first crank', async t => {
  const out = makeCollector();
  const slog = makeSlog({ write: out.write });
  const baseDir = temporaryDirectory(t, 'slog-test');
  fs.cpSync(path.join(demos, 'justReply'), baseDir, { recursive: true });
  const simulation = await makeSimulation(loadConfig({ baseDir, indirect: true }), {
    store: makeMemoryStore(),
    cacheDir,
    crankObserver: slog.crankObserver,
    onKernel: slog.begin,
  });
  await runRounds(simulation, { rounds: 0 });
  slog.flush();
  const [head, ...lines] = out.read();
  const named = lines.filter(({ name }) => name !== undefined);
  t.true(named.length >= 2);
  for (const { vatID } of named) t.false(vatID in head.vats);
  t.is(new Set(named.map(({ vatID }) => vatID)).size, named.length);
  await simulation.close();
});

test('reactions are cranks, and quiet ones are one entry', async t => {
  const out = makeCollector();
  const slog = makeSlog({ write: out.write });
  const baseDir = temporaryDirectory(t, 'slog-test');
  const start = `import { Far } from '@endo/far';
import { Reactor } from 'swingset-runner/reactor';
export const buildRootObject = () => Far('root', { bootstrap() {} });\n`;
  fs.writeFileSync(
    path.join(baseDir, 'counter.js'),
    `${start}class Counter extends Reactor {
      out = this.output();
      tick = this.timer(0, '1 ms');
      count = 0;
      step = this.reaction({ triggers: this.tick, effects: this.out }, () => {
        this.count += 1;
        if (this.count % 10 === 0) this.out.set(this.count);
      });
    }
    export const buildReactor = () => new Counter();\n`,
  );
  fs.writeFileSync(
    path.join(baseDir, 'reader.js'),
    `${start}class Reader extends Reactor {
      in = this.input();
      read = this.reaction({ triggers: this.in }, () => {});
    }
    export const buildReactor = () => new Reader();\n`,
  );
  const config = {
    bootstrap: 'counter',
    vats: { counter: { sourceSpec: './counter.js' }, reader: { sourceSpec: './reader.js' } },
    connections: [{ from: 'counter.out', to: 'reader.in' }],
    reactors: { timeout: '99 ms' },
  };
  fs.writeFileSync(path.join(baseDir, 'swingset.json'), JSON.stringify(config));
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    store: makeMemoryStore(),
    cacheDir,
    crankObserver: slog.crankObserver,
    onKernel: slog.begin,
  });
  await simulation.run();
  slog.flush();
  const lines = out.read().filter(({ type }) => type === 'crank' || type === 'quiet');
  let last = 0;
  for (const { type, crankNum, tags } of lines) {
    last += type === 'quiet' ? tags.length : 1;
    t.is(crankNum, last);
  }
  t.is(last, simulation.cranks.all);
  const quiet = lines.filter(({ type }) => type === 'quiet').flatMap(({ tags }) => tags);
  t.true(quiet.length >= 80, String(quiet.length));
  t.true(quiet.every(([timeNs]) => timeNs % 1_000_000 === 0));
  const loud = lines.filter(({ kind }) => kind === 'react');
  const sets = loud.flatMap(({ syscalls = [] }) => syscalls);
  t.is(sets.length, 10);
  t.deepEqual(sets[0].slice(0, 2), ['setPort', 0]);
  await simulation.close();
});

test('an interrupted crank is marked as unfinished', async t => {
  const out = makeCollector();
  const slog = makeSlog({ write: out.write });
  const broken = () => {
    throw new StopRun(Error('the observer breaks off'));
  };
  const simulation = await makeSimulation(loadConfig({ baseDir: path.join(demos, 'justReply') }), {
    store: makeMemoryStore(),
    cacheDir,
    crankObserver: { ...slog.crankObserver, delivered: broken },
    onKernel: slog.begin,
  });
  await t.throwsAsync(runRounds(simulation, { rounds: 0 }), { message: 'the observer breaks off' });
  slog.flush();
  const last = out.read().at(-1);
  t.is(last.outcome, 'unfinished');
  t.is(last.crankNum, 1);
  t.deepEqual(last.delivery[0], 'startVat');
});
