// `node scripts/house/skipped.js LOG REQUIREMENT …`: tests that ava skipped though what they need is there. CI names what it
// has installed; other tests may be skipped, and CI lists them.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How skipped tests are known that need something, by the name of what they need. */
const needs = new Map([
  ['chromium', /^test › (browser|charts-page|diagram-page|matrix-page|site|examples) › /],
  ['nats-server', /\(needs nats-server: /],
  ['arm64', /^test › arm64 › /],
  ['cc', /no C compiler \(cc\)|where the package has no file, one is compiled/],
]);

/**
 * @param {string} log  what ava wrote, with or without colours
 * @param {readonly string[]} present  what is there
 * @returns {string[]} titles of tests that had to run
 * @throws {Error} a requirement that no test has
 */
export const findWronglySkipped = (log, present) => {
  const patterns = present.map(name => {
    const pattern = needs.get(name);
    if (pattern === undefined)
      throw Error(`no test needs "${name}"; there are ${[...needs.keys()].join(', ')}`);
    return pattern;
  });
  // eslint-disable-next-line no-control-regex
  const plain = log.replace(/\x1b\[[0-9;]*m/g, '');
  return [...plain.matchAll(/^ +- \[skip\] (.+)$/gm)]
    .map(([, title]) => title.trim())
    .filter(title => patterns.some(pattern => pattern.test(title)));
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, ...present] = process.argv.slice(2);
  for (const title of findWronglySkipped(readFileSync(file, 'utf8'), present)) console.log(title);
}
