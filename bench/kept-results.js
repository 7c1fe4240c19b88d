// The latest results of each suite, as data in results/ and as tables in README.md.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatRows } from '#measure';
import { suiteNames } from './suite.js';

/** @import { Row } from '#measure' */

export const resultsFolder = fileURLToPath(new URL('results', import.meta.url));
const readme = fileURLToPath(new URL('README.md', import.meta.url));

const from = '<!-- results: written by `npm run bench -- --keep` -->';
const to = '<!-- end of results -->';

/** @param {string} suite */
const fileOf = suite => path.join(resultsFolder, `${suite}.json`);

/** @param {string} suite @returns {Row[]} */
const readResults = suite =>
  fs.existsSync(fileOf(suite)) ? JSON.parse(fs.readFileSync(fileOf(suite), 'utf8')) : [];

/** @param {Row[]} rows  of one suite and one run */
const describeResults = rows => {
  const [{ suite, machine, node, commit, params }] = rows;
  return [
    `### ${suite}`,
    '',
    `\`npm run bench -- ${suite}\`, commit ${commit}, node ${node}; ${machine}; ${params.noise}.`,
    '',
    '```text',
    formatRows(rows).trimEnd(),
    '```',
    '',
  ].join('\n');
};

/**
 * @param {string} suite
 * @param {Row[]} rows
 */
export const keepResults = (suite, rows) => {
  fs.mkdirSync(resultsFolder, { recursive: true });
  fs.writeFileSync(fileOf(suite), `${JSON.stringify(rows, undefined, 1)}\n`);
  const text = fs.readFileSync(readme, 'utf8');
  const start = text.indexOf(from);
  const end = text.indexOf(to);
  if (start < 0 || end < start) {
    throw Error(`bench/README.md lacks the marks ${from} and ${to}; put them back`);
  }
  const tables = suiteNames()
    .map(readResults)
    .filter(kept => kept.length > 0)
    .map(describeResults)
    .join('\n');
  fs.writeFileSync(readme, `${text.slice(0, start)}${from}\n\n${tables}\n${text.slice(end)}`);
};
