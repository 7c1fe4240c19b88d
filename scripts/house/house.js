// The argument of every check of the house.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** @param {string[]} args @returns {string} @throws {Error} git fails */
const git = (...args) =>
  execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trimEnd();

/**
 * @typedef {object} House
 * @property {string} root
 * @property {readonly string[]} files  of the project, those that are not added to git yet included
 * @property {(...args: string[]) => string} git
 */

/** @returns {House} */
export const openHouse = () => ({
  root,
  git,
  files: git('ls-files', '-co', '--exclude-standard')
    .split('\n')
    .filter(file => existsSync(join(root, file))),
});
