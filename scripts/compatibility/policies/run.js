// Runs a random program through the host API of SwingSet or of this kernel: `node run.js there|here SOURCES BUNDLES ROUNDS SEED`. Run
// policies end the run at random cranks. It prints a line of JSON: the slog, with what the policies were told in entries
// of the type `host`, and the keys of the store at each end.

import { makeRandom } from '../../../test/fixtures/deliveries/random.js';
import { loadKernel } from '../counters/open.js';
import { isAboutObjects } from './slog-lines.js';

const [where, sources, bundlesFile, rounds, seedText] = process.argv.slice(2);
const seed = Number(seedText);
const open = await loadKernel(where, sources, bundlesFile);

/** @type {object[]} */
const slog = [];
/** @param {unknown[]} told */
const tell = (...told) => void slog.push({ type: 'host', told });
/** Whether the last crank counts. */
let isCounted = true;
const { controller, kvStore } = await open(seed, entry => {
  // SwingSet's entries have whole bundles.
  slog.push({ ...entry, vatSourceBundle: undefined });
  if (entry.type === 'crank-start') isCounted = !isAboutObjects(entry);
});
const random = makeRandom(seed);

/** In every second program entries of ended vats are deleted. */
const hasBudget = seed % 2 === 0;

/** @param {number} most  cranks until the policy ends the run */
const makePolicy = most => {
  let left = most;
  /** @param {string} name */
  const answer = name => (/** @type {unknown} */ details) => {
    if (!isCounted) return true;
    tell(name, details);
    left -= 1;
    return left > 0;
  };
  return {
    vatCreated: answer('vatCreated'),
    crankComplete: answer('crankComplete'),
    crankFailed: answer('crankFailed'),
    // Routing is no crank here, and other entries are left of ended vats.
    ...{ emptyCrank: () => true, didCleanup: () => true },
    allowCleanup: () => (hasBudget ? { default: 5 } : false),
    isEnd: () => left <= 0,
  };
};

const readKeys = () => {
  /** @type {Record<string, string>} */
  const keys = {};
  for (let key = kvStore.getNextKey(''); key !== undefined; key = kvStore.getNextKey(key))
    keys[key] = kvStore.get(key);
  return keys;
};

/** At each end of `run()`. @type {Record<string, string>[]} */
const keys = [];
// The system's own vats start without cranks of their own here, so the first run has no policy.
await controller.run();
for (let round = 0; round <= Number(rounds); round += 1) {
  if (round > 0) controller.queueToVatRoot('bootstrap', 'round', [], 'ignore');
  for (let isEnd = true; isEnd;) {
    const policy = makePolicy(1 + random(random(3) > 0 ? 20 : 200));
    await controller.run(policy);
    isEnd = policy.isEnd();
    tell('run ends', isEnd);
    keys.push(readKeys());
  }
}
await controller.shutdown();
const text = JSON.stringify({ seed, slog, keys }, (_key, value) =>
  typeof value === 'bigint' ? Number(value) : value,
);
process.stdout.write(`\n${text}\n`, () => process.exit(0));
