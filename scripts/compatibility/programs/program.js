// A program for either kernel: a folder with `bootstrap.js`, `vat-NAME.js` for other vats, `bundle-NAME.js` for vats that are
// made during the run, and `calls.js`, which exports what the host does.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The host sends a message to the bootstrap vat's root, asks all vats for their dead references, or begins anew from the state,
 * and then runs to the end of the queue.
 *
 * @typedef {[method: string, ...args: unknown[]] | 'reap' | 'restart'} Call
 */

const folders = new URL('../../../test/fixtures/swingset-programs/', import.meta.url);

/** @param {string} name  of a program @returns {string} */
export const folderOf = name => new URL(name, folders).pathname;

/** @returns {string[]} names of all programs */
export const listPrograms = () =>
  readdirSync(folders, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** @param {string} folder @returns {Promise<Call[]>} */
export const readCalls = async folder =>
  (await import(pathToFileURL(join(folder, 'calls.js')).href)).calls;

/** @param {Call} call */
const showCall = call =>
  typeof call === 'string'
    ? call
    : JSON.stringify(call, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value));

/**
 * @param {readonly Call[]} calls
 * @param {readonly (readonly string[])[]} rounds  lines of the bootstrap, and of each call
 * @returns {string} as it is kept
 */
export const showRounds = (calls, rounds) =>
  rounds
    .map((lines, round) =>
      [`# ${round === 0 ? 'bootstrap' : showCall(calls[round - 1])}`, ...lines, ''].join('\n'),
    )
    .join('');

/** @param {string} folder */
export const configOf = folder => {
  const find = (/** @type {RegExp} */ pattern) =>
    Object.fromEntries(
      readdirSync(folder).flatMap(file => {
        const name = pattern.exec(file)?.[1];
        return name === undefined ? [] : [[name, { sourceSpec: join(folder, file) }]];
      }),
    );
  return {
    bootstrap: 'bootstrap',
    defaultReapInterval: /** @type {const} */ ('never'),
    // Otherwise a vat is asked after a number of drops and retirements.
    defaultReapGCKrefs: /** @type {const} */ ('never'),
    vats: { ...find(/^(bootstrap)\.js$/), ...find(/^vat-(.*)\.js$/) },
    bundles: find(/^bundle-(.*)\.js$/),
  };
};
