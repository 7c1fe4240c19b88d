// Finds the file of a vat by the test's path: beside the test's own file, or in the working
// directory.

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quote, UserError } from '#model';

/** This folder. */
const here = dirname(fileURLToPath(import.meta.url));

/**
 * Find the calling file in the frames of an error's stack: the first one outside this folder.
 *
 * @param {string} frames
 * @returns {string | undefined}
 */
export const findCaller = frames => {
  for (const line of frames.split('\n')) {
    const [, url] = /((?:file:\/\/|\/)[^\s()]+?):\d+:\d+\)?$/.exec(line) ?? [];
    if (url === undefined) continue;
    const file = url.startsWith('file:') ? fileURLToPath(url.replace(/\?.*$/, '')) : url;
    if (dirname(file) !== here) return file;
  }
  return undefined;
};

/** @param {string[]} places */
const describeMissing = places =>
  places.length === 1 ? `${places[0]} does not exist` : `neither ${places.join(' nor ')} exists`;

/**
 * @param {string | URL} given
 * @param {string | undefined} caller  file of the test
 * @returns {string} absolute
 * @throws {UserError} if there is no such file
 */
export const findVatFile = (given, caller) => {
  if (given instanceof URL) return fileURLToPath(given);
  if (typeof given !== 'string')
    throw new UserError(`testVat takes the path of a vat's file, got ${quote(given)}`);
  if (given.startsWith('file:')) return fileURLToPath(given);
  const places = [
    ...(caller === undefined ? [] : [resolve(dirname(caller), given)]),
    resolve(given),
  ];
  const found = places.find(place => existsSync(place));
  if (found !== undefined) return found;
  throw new UserError(
    `there is no vat file ${quote(given)}: ${describeMissing([...new Set(places)])}; a URL works too: new URL('./vat-bank.js', import.meta.url)`,
  );
};
