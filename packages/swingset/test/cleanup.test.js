// A run policy controls the deletion of entries of ended vats.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import { defaultCacheDir, makeMemoryStore, replayRecording } from '#host';
import { initializeSwingset, kser, makeSwingsetController } from '../index.js';
import { cellOf, initSwingStore } from '../swing-store.js';

const sourceSpec = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const exported = 12;

/** A run with an ended vat, whose objects the host holds. */
const startWithEnded = async (swingStore = initSwingStore()) => {
  const config = {
    bootstrap: 'bootstrap',
    defaultReapInterval: /** @type {const} */ ('never'),
    vats: {
      bootstrap: { sourceSpec: sourceSpec('bootstrap.js') },
      keeper: { sourceSpec: sourceSpec('vat-keeper.js') },
    },
  };
  await initializeSwingset(config, ['x'], swingStore.kernelStorage);
  const c = await makeSwingsetController(swingStore.kernelStorage);
  await c.run();
  for (let i = 0; i < exported; i += 1) c.queueToVatRoot('keeper', 'make', [`thing ${i}`]);
  await c.run();
  const vatId = c.vatNameToID('keeper');
  /** Ends the vat under a policy, which is what counts. @param {any} allowed */
  const end = async allowed => {
    await run(c, () => allowed);
    c.terminateVat(vatId, kser('done'));
  };
  return { ...swingStore, c, end };
};

/** @param {any} c @param {() => any} [allowCleanup] @param {(done: any) => boolean} [didCleanup] */
const run = async (c, allowCleanup, didCleanup = () => true) => {
  /** @type {Record<string, number>[]} */
  const cleaned = [];
  const policy = {
    ...(allowCleanup && { allowCleanup }),
    vatCreated: () => true,
    crankComplete: () => true,
    crankFailed: () => true,
    emptyCrank: () => true,
    didCleanup: (/** @type {any} */ { cleanups }) => {
      cleaned.push(cleanups);
      return didCleanup(cleanups);
    },
  };
  const cranks = await c.run(policy);
  return { cranks, cleaned };
};

/** @param {Record<string, number>[]} cleaned @param {string} kind */
const sum = (cleaned, kind) => cleaned.reduce((total, one) => total + one[kind], 0);

test('nothing is deleted while the policy forbids it, and the rest is deleted later', async t => {
  const { c, end } = await startWithEnded();
  await end(false);
  const forbidden = await run(c, () => false);
  t.deepEqual(forbidden.cleaned, []);
  t.deepEqual(await run(c, () => false), { cranks: 0, cleaned: [] }, 'the run is at rest');
  const { cleaned } = await run(c, () => true);
  t.true(sum(cleaned, 'exports') > exported);
  t.is(sum(cleaned, 'transcripts'), 1);
  t.deepEqual(await run(c), { cranks: 0, cleaned: [] });
});

test('a budget bounds the deletions of one crank, for each kind', async t => {
  const { c, end } = await startWithEnded();
  await end({ default: 5 });
  const { cleaned } = await run(c, () => ({ default: 3, exports: 5 }));
  t.true(cleaned.length > 2);
  for (const { exports, imports, promises, kv, total, snapshots, transcripts } of cleaned) {
    t.true(exports <= 5 && imports <= 3 && promises <= 3 && kv <= 3);
    t.is(total, exports + imports + promises + kv + snapshots + transcripts);
  }
  t.is(cleaned[0].exports, 5);
  t.is(sum(cleaned, 'exports'), exported + 1);
  t.is(sum(cleaned, 'transcripts'), 1);
});

test('a policy stops a run after any clean-up', async t => {
  const { c, end } = await startWithEnded();
  await end({ default: 1 });
  const budget = () => ({ default: 1 });
  const { cleaned } = await run(c, budget, () => false);
  t.is(cleaned.length, 1);
  t.true((await run(c, budget)).cleaned.length > exported);
});

test('a policy that returns nothing allows all deletions', async t => {
  const { c, end } = await startWithEnded();
  await end(false);
  await run(c, () => false);
  t.true(sum((await run(c, () => undefined)).cleaned, 'exports') > exported);
});

test('a run without a policy deletes the entries that an earlier policy kept', async t => {
  for (const go of ['run', 'step']) {
    const { c, end } = await startWithEnded();
    await end(false);
    await run(c, () => false);
    t.true((await c[/** @type {'run'} */ (go)]()) > 0, go);
  }
});

test('a wrong budget is refused, and the run goes on', async t => {
  const { c, end } = await startWithEnded();
  await end(false);
  for (const [budget, message] of /** @type {const} */ ([
    [
      'all',
      'the cleanup budget must be true, false, or an object with a number "default", got string',
    ],
    [5, 'the cleanup budget must be true, false, or an object with a number "default", got number'],
    [{ exports: 3 }, 'the cleanup budget has no number "default"'],
    [{ default: -1 }, 'the cleanup budget has "default": -1; a number from 0 is wanted'],
    [
      { default: 1, export: 3 },
      'the cleanup budget has no kind "export"; it has "default", "exports", "imports", "promises", "kv", "snapshots", "transcripts"',
    ],
  ]))
    await t.throwsAsync(
      run(c, () => budget),
      { name: 'UserError', message },
    );
  t.true(sum((await run(c, () => ({ default: Infinity }))).cleaned, 'exports') > exported);
});

test('a run under policies is resumed, and replayed from its recording', async t => {
  const { kernelStorage, hostStorage, c, end } = await startWithEnded();
  await end(false);
  await run(c, () => false);
  await hostStorage.commit();
  await c.shutdown();
  const again = await makeSwingsetController(kernelStorage);
  t.is((await run(again, () => false)).cranks, 0);
  const first = await run(
    again,
    () => ({ default: 4 }),
    () => false,
  );
  t.is(sum(first.cleaned, 'exports'), 4);
  await run(again, () => true);
  await hostStorage.commit();
  const hash = again.getActivityhash();
  const { store } = cellOf(kernelStorage);
  const replayed = await replayRecording(
    { ...makeMemoryStore(), ...store, close: async () => {} },
    { cacheDir: defaultCacheDir() },
  );
  t.is(replayed.difference, undefined);
  t.is(replayed.activityHash, hash);
});
