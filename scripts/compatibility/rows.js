// The findings about foreign programs, kept in the tree: one file a suite, with the commit of the programs.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `equal` to the real kernel's; `exception`: it differs as a document says; `runs`: it ends, and was compared with nothing.
 *
 * @typedef {'equal' | 'exception' | 'runs' | 'differs' | 'refused' | 'fails'} Verdict
 */

/** @typedef {{ name: string, result: Verdict, reason?: string }} Row */

/** @typedef {{ commit?: string, rows: Row[] }} Kept */

const folder = join(import.meta.dirname, '../../test/reference/compatibility');

/** @param {string} suite @returns {Kept | undefined} */
export const readRows = suite => {
  const file = join(folder, `${suite}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};

/** @param {string} suite @param {Kept} kept */
export const writeRows = (suite, kept) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${suite}.json`), `${JSON.stringify(kept, null, 1)}\n`);
};

/** @param {string} directory @returns {string | undefined} of the checkout, if git knows it */
export const findCommit = directory => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: directory, stdio: 'pipe' })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
};
