// The figures that SwingSet published on 2020-09-30, for comparison; published.json names their source.

import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Published
 * @property {string} source
 * @property {string} units
 * @property {string[]} notes
 * @property {{ name: string, demo: string, argv: string[], cranks: number, ns: number }[]} demos  `demo`: its name here
 * @property {Record<string, { rounds: number, cranks: number, ns: number, perRound: Record<string, number> }>} benchmarks
 */

/** @type {Published | undefined} */
let published;

/** @returns {Published} */
export const loadPublished = () => {
  published ??= /** @type {Published} */ (
    JSON.parse(readFileSync(new URL('published.json', import.meta.url), 'utf8'))
  );
  return published;
};
