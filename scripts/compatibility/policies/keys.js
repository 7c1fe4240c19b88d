// Compares the keys of the store between two calls of `run()`.

import { bundleIds, nameOfBundle } from './slog-lines.js';

/** Keys that differ by design (packages/swingset/README.md), or that `counters/` compares. */
const differing = [
  /^(activityhash|crankNumber|kernelStats|local\.kernelStats|versionNextBundle)$/,
  /^(namedBundleID|bundle|kernel(Bundle)?|vatAdminRootKref|initialized|host)\b/,
  // Devices count from other numbers, and vatAdmin asks its device for fewer nodes.
  /^(d\d+|kd\d*)\./,
  // VatAdmin has another code, and vats' stores other entries.
  /^v2\./,
  /^v\d+\.(vs\.|source$|reapDirt$)/,
  // Positions of queues are compared as lengths by `counters/`.
  /^(gcActions|reapQueue)$/,
];

/** Keys that differ once SwingSet has retired an object at once. */
const ofObjects = [
  /^ko\d+\./,
  /^ko\.nextID$/,
  /^v\d+\.c\.k?o/,
  /^v\d+\.o\.nextID$/,
  /^pinnedObjects$/,
];

/** @param {string} text @param {boolean} areNumbered  whether objects have the same numbers */
const withoutIds = (text, areNumbered) => {
  const stripped = text.replaceAll(bundleIds, '').replaceAll(nameOfBundle, '');
  return areNumbered ? stripped : stripped.replaceAll(/\bko\d+\b/g, 'ko');
};

/**
 * Whether messages to promises are still to be routed. Here they wait for their promises already, or share their outcomes.
 *
 * @param {Keys} keys  of SwingSet
 */
const isRouting = keys =>
  Object.entries(keys).some(
    ([key, value]) => /^acceptanceQueue\.\d+$/.test(key) && /^kp/.test(JSON.parse(value).target),
  );

/** @param {Keys} keys  of SwingSet @param {Keys} ours */
const hasRetired = (keys, ours) =>
  Object.keys(ours).some(key => /^ko\d+\.owner$/.test(key) && keys[key] === undefined);

/** @typedef {Record<string, string>} Keys */

/**
 * @param {number} seed
 * @param {readonly Keys[]} theirs
 * @param {readonly Keys[]} ours
 * @returns {{ isEqual: boolean, compared: number }} whether they are the same, in how many calls; if not, the first differences
 *   are printed
 */
export const compareKeys = (seed, theirs, ours) => {
  let areNumbered = true;
  let compared = 0;
  for (const [at, keys] of theirs.entries()) {
    const here = ours[at] ?? {};
    if (hasRetired(keys, here)) areNumbered = false;
    const left = areNumbered ? differing : [...differing, ...ofObjects];
    if (isRouting(keys)) continue;
    compared += 1;
    const different = [...new Set([...Object.keys(keys), ...Object.keys(here)])]
      .filter(key => !left.some(pattern => pattern.test(key)))
      .filter(
        key =>
          withoutIds(keys[key] ?? '', areNumbered) !== withoutIds(here[key] ?? '', areNumbered),
      );
    if (different.length === 0) continue;
    console.log(`program ${seed}: keys differ behind call ${at + 1} of run():`);
    for (const key of different.slice(0, 20)) {
      console.log(`  ${key}: SwingSet: ${keys[key]}`);
      console.log(`  ${key}: here:     ${here[key]}`);
    }
    return { isEqual: false, compared };
  }
  return { isEqual: true, compared };
};
