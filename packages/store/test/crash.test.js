// After a loss of power the store opens with the state of a committed block, at least as new as the last one
// reported durable. Tested on every kind of disk image that the writes of a real run can leave: see crash-disk.js.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { UserError } from '#model';
import { makeMemoryStore, openLmdbStore, storeDigest } from '#store';
import { makeCrashDisk, readEvents } from './crash-disk.js';
import {
  blockOf,
  fastDirectory,
  makeRandom,
  startMachineAnew,
  temporaryDirectory,
} from './helpers.js';

/** @import { Durability } from '#store' */
/** @import { DiskEvent } from './crash-disk.js' */

const here = import.meta.dirname;

/** Another seed tries other crashes: `STORE_CRASH_SEED=7 STORE_CRASH_IMAGES=5000 npx ava ...`. */
const testSeed = Number(process.env.STORE_CRASH_SEED ?? 1);
const images = Number(process.env.STORE_CRASH_IMAGES ?? 100);

/** Small enough for a checkpoint every few blocks, on one size; never, on the other. */
const logSizes = [20_000, 10_000_000];

/**
 * How a process is started that is recorded: with a library that sees every call of the system where there is a C compiler,
 * and with one that sees Node's elsewhere.
 *
 * @typedef {{ args: string[], env: Record<string, string> }} Recorder
 */

/** @returns {Recorder | undefined} */
const findCompiledRecorder = () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'store-test-'));
  process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
  const file = path.join(dir, 'record-disk.so');
  const source = path.join(here, 'record-disk.c');
  const args = ['-shared', '-fPIC', '-O1', '-w', '-o', file, source, '-ldl', '-lpthread'];
  const built = spawnSync('cc', args, { encoding: 'utf8' });
  return built.status === 0
    ? { args: [], env: { LD_PRELOAD: file, UV_USE_IO_URING: '0' } }
    : undefined;
};

const compiled = findCompiledRecorder();

/** @type {Recorder} */
const ofNode = { args: ['--import', path.join(here, 'record-disk.js')], env: {} };

/** @type {[string, Recorder | undefined][]} */
const recorders = [
  ['compiled', compiled],
  ['JavaScript', ofNode],
];

/** The compiled recorder sees most cases, so the other one checks fewer images. @param {Recorder} recorder */
const imagesOf = recorder =>
  recorder === ofNode && compiled !== undefined ? Math.ceil(images / 5) : images;

/** @type {(title: string, run: (t: import('ava').ExecutionContext, recorder: Recorder) => Promise<void>) => void} */
const testRecorded = (title, run) => {
  for (const [name, recorder] of recorders) {
    if (recorder === undefined)
      test.skip(`${title} (${name} recorder): no C compiler (cc) to build it`, () => {});
    else test(`${title} (${name} recorder)`, t => run(t, recorder));
  }
};

/**
 * @param {import('ava').ExecutionContext} t
 * @param {Recorder} recorder
 * @param {{ dir: string, durability: Durability, seed: number, blocks: number, logBytes: number,
 *   mode: 'create' | 'resume', end?: 'close' }} run  `dir` lies in a directory of its own
 */
const record = (t, recorder, { dir, durability, seed, blocks, logBytes, mode, end }) => {
  const base = path.dirname(dir);
  const marks = path.join(base, 'marks');
  const trace = path.join(base, 'trace');
  const settings = [dir, marks, durability, seed, blocks, logBytes, mode, end ?? ''].map(String);
  const program = [...recorder.args, path.join(here, 'run-blocks.js'), ...settings];
  const ran = spawnSync(process.execPath, program, {
    encoding: 'utf8',
    env: { ...process.env, ...recorder.env, RECORD_DIR: base, RECORD_FILE: trace },
  });
  t.is(ran.signal, 'SIGKILL', ran.stderr);
  const events = readEvents(trace).filter(event => event.path !== trace);
  for (const file of [marks, trace]) fs.rmSync(file);
  return { events, marks };
};

/** Digest of the state after each block: those of `first` up to `turn`, then those of `second`. */
const digestsOf = (
  /** @type {number} */ first,
  /** @type {number} */ turn,
  /** @type {number} */ second,
  /** @type {number} */ last,
) => {
  const store = makeMemoryStore();
  const digests = [''];
  for (let n = 1; n <= last; n += 1) {
    store.commit(blockOf(n <= turn ? first : second, n));
    digests.push(storeDigest(store));
  }
  return digests;
};

/**
 * Follow a record to random moments and hand out the image of a crash at each.
 *
 * @param {object} options
 * @param {DiskEvent[]} options.events
 * @param {string} options.marks
 * @param {string} options.dir
 * @param {string | undefined} options.before  directory with the files as they were when the record began
 * @param {string} options.target
 * @param {number} options.count
 * @param {(limit: number) => number} options.random
 * @param {(crash: { dir: string, durable: number, begun: number, label: string }) => Promise<void>} check
 */
const forEachCrash = async ({ events, marks, dir, before, target, count, random }, check) => {
  const moments = Array.from({ length: count }, () => random(events.length + 1)).sort(
    (a, b) => a - b,
  );
  const disk = makeCrashDisk(dir);
  if (before !== undefined) {
    for (const name of fs.readdirSync(before)) {
      disk.addFile(name, fs.readFileSync(path.join(before, name)));
    }
  }
  let durable = 0;
  let begun = 0;
  let next = 0;
  for (const moment of moments) {
    for (; next < moment; next += 1) {
      const event = events[next];
      disk.follow(event);
      if (event.path === marks && event.kind === 'written') {
        const [, word, number] = /** @type {RegExpExecArray} */ (
          /^(durable|begin) (\d+)\n$/.exec(event.data.toString())
        );
        if (word === 'durable') durable = Number(number);
        else begun = Number(number);
      }
    }
    begun = Math.max(begun, durable);
    const image = path.join(target, 'image');
    fs.mkdirSync(image);
    disk.after(image, random);
    startMachineAnew(image);
    const label = `crash after event ${moment} of ${events.length}, seed ${testSeed}`;
    await check({ dir: image, durable, begun, label });
    fs.rmSync(image, { recursive: true });
  }
};

/**
 * The block whose state an image holds; 0 if it holds none.
 *
 * @param {{ dir: string, durable: number, begun: number, label: string }} crash
 * @param {string[]} digests
 */
const checkImage = async ({ dir, durable, begun, label }, digests) => {
  let store;
  try {
    store = openLmdbStore({ dir, durability: 'none', create: false });
  } catch (error) {
    if (
      error instanceof UserError &&
      /no saved state|only the beginning of one/.test(error.message) &&
      durable === 0
    )
      return 0;
    throw Error(`${label}: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
  const block = Number(store.get('block'));
  if (block < durable || block > begun) {
    throw Error(`${label}: block ${block} found, ${durable} was reported durable, ${begun} begun`);
  }
  if (storeDigest(store) !== digests[block]) {
    throw Error(`${label}: the state is not that of block ${block}`);
  }
  // The state that was found is now in LMDB, after a clean close.
  await store.close();
  const again = openLmdbStore({ dir, durability: 'none', create: false });
  if (storeDigest(again) !== digests[block]) throw Error(`${label}: reopened, not block ${block}`);
  await again.close();
  return block;
};

for (const durability of /** @type {Durability[]} */ (['commit', 'group', 'none'])) {
  for (const logBytes of logSizes) {
    testRecorded(
      `power lost with durability ${durability}, log of ${logBytes} bytes`,
      async (t, recorder) => {
        const base = temporaryDirectory(t, fastDirectory);
        const target = temporaryDirectory(t, fastDirectory);
        const dir = path.join(base, 'db');
        const blocks = 40;
        const { events, marks } = record(t, recorder, {
          dir,
          durability,
          seed: testSeed,
          blocks,
          logBytes,
          mode: 'create',
          end: 'close',
        });
        // (How many there are is up to the machine: in the background, one sync takes whatever blocks are waiting.)
        t.true(
          events.some(({ kind }) => kind === 'syncDone'),
          'syncs were recorded',
        );
        const digests = digestsOf(testSeed, blocks, testSeed, blocks);
        const random = makeRandom(testSeed);
        const found = new Set();
        await forEachCrash(
          { events, marks, dir, before: undefined, target, count: imagesOf(recorder), random },
          async crash => {
            found.add(await checkImage(crash, digests));
          },
        );
        t.true(
          found.size > Math.min(10, imagesOf(recorder) / 8),
          `only ${found.size} different states were found`,
        );
        t.log(
          `${imagesOf(recorder)} images, ${found.size} different states, ${events.length} events`,
        );
      },
    );
  }
}

testRecorded(
  'power lost twice: what the first crash left is not taken for later blocks',
  async (t, recorder) => {
    const base = temporaryDirectory(t, fastDirectory);
    const target = temporaryDirectory(t, fastDirectory);
    const random = makeRandom(testSeed + 1000);
    const dir = path.join(base, 'db');
    const firstRun = {
      dir,
      durability: /** @type {Durability} */ ('none'),
      seed: testSeed,
      blocks: 30,
    };
    const first = record(t, recorder, { ...firstRun, logBytes: 10_000_000, mode: 'create' });
    fs.rmSync(dir, { recursive: true });
    const firstDigests = digestsOf(testSeed, 30, testSeed, 30);
    let seconds = 0;
    await forEachCrash(
      { ...first, dir, before: undefined, target, count: recorder === ofNode ? 40 : 100, random },
      async crash => {
        const before = path.join(base, 'before');
        fs.cpSync(crash.dir, before, { recursive: true });
        fs.cpSync(crash.dir, dir, { recursive: true });
        const turn = await checkImage(crash, firstDigests);
        if (turn > 0 && seconds < (recorder === ofNode ? 3 : 8)) {
          const durability = /** @type {Durability} */ (['commit', 'group', 'none'][random(3)]);
          const logBytes = logSizes[random(2)];
          // A seed determines the bytes: the second run writes those of the first, in the same places.
          const seed = testSeed + random(2);
          const run = { dir, durability, seed, blocks: 6, logBytes };
          const second = record(t, recorder, { ...run, mode: 'resume' });
          const digests = digestsOf(testSeed, turn, seed, turn + 6);
          const inner = path.join(target, 'second');
          fs.mkdirSync(inner);
          await forEachCrash(
            {
              ...second,
              dir,
              before,
              target: inner,
              count: Math.ceil(imagesOf(recorder) / 5),
              random,
            },
            async again => {
              const durable = Math.max(again.durable, turn);
              const begun = Math.max(again.begun, turn);
              await checkImage({ ...again, durable, begun }, digests);
            },
          );
          fs.rmSync(inner, { recursive: true });
          seconds += 1;
        }
        fs.rmSync(before, { recursive: true });
        fs.rmSync(dir, { recursive: true, force: true });
      },
    );
    t.true(seconds >= 2, `${seconds} second crashes`);
  },
);

testRecorded('a store that reports blocks durable too early is found out', async (t, recorder) => {
  const base = temporaryDirectory(t, fastDirectory);
  const target = temporaryDirectory(t, fastDirectory);
  const dir = path.join(base, 'db');
  const { events, marks } = record(t, recorder, {
    dir,
    durability: 'none',
    seed: testSeed,
    blocks: 20,
    logBytes: logSizes[0],
    mode: 'create',
  });
  const digests = digestsOf(testSeed, 20, testSeed, 20);
  const random = makeRandom(testSeed);
  let found = 0;
  await forEachCrash(
    { events, marks, dir, before: undefined, target, count: 50, random },
    async crash => {
      // The claim of durability `commit`: every block but the one under way.
      const durable = Math.max(crash.begun - 1, 0);
      await checkImage({ ...crash, durable }, digests).catch(() => {
        found += 1;
      });
    },
  );
  t.true(found > 10);
});

test('a process killed at any moment loses no committed block', async t => {
  const base = temporaryDirectory(t);
  const random = makeRandom(testSeed + 2000);
  const digests = digestsOf(testSeed, 3000, testSeed, 3000);
  for (const durability of /** @type {Durability[]} */ (['commit', 'group', 'none'])) {
    const dir = path.join(base, durability);
    const marks = path.join(base, `marks-${durability}`);
    let last = 0;
    for (let round = 0; round < 3; round += 1) {
      const settings = [
        dir,
        marks,
        durability,
        testSeed,
        1000,
        200_000,
        last === 0 ? 'create' : 'resume',
      ];
      const sizeOf = () => fs.statSync(marks, { throwIfNoEntry: false })?.size ?? 0;
      const enough = sizeOf() + 20 + random(8000);
      const program = [path.join(here, 'run-blocks.js'), ...settings.map(String)];
      const child = spawn(process.execPath, program, { stdio: ['ignore', 'ignore', 'inherit'] });
      const ended = new Promise(resolve => child.once('exit', (_code, signal) => resolve(signal)));
      while (sizeOf() < enough && child.exitCode === null && child.signalCode === null) {
        await delay(2);
      }
      child.kill('SIGKILL');
      t.is(await ended, 'SIGKILL');
      const begun = Math.max(
        last,
        ...[...fs.readFileSync(marks, 'latin1').matchAll(/begin (\d+)\n/g)].map(found =>
          Number(found[1]),
        ),
      );
      t.true(begun > 0);
      const store = openLmdbStore({ dir, durability: 'none', create: false });
      const block = Number(store.get('block'));
      // The one that was begun last may or may not be in; all before it were committed.
      t.true(block === begun || block === begun - 1, `block ${block} of ${begun}`);
      t.is(storeDigest(store), digests[block]);
      await store.close();
      last = block;
    }
  }
});
