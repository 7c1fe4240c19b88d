// Finds the programs of the table.

import { readdirSync } from 'node:fs';

const directory = new URL('programs/', import.meta.url);

/** @typedef {{ what: import('./program.js').Program, file: string, url: URL }} Found  `file` within `programs/` */

/** @returns {Promise<Found[]>} by file, in the order of their exports */
export const loadPrograms = async () => {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.js'))
    .sort();
  /** @type {Found[]} */
  const found = [];
  for (const file of files) {
    const url = new URL(file, directory);
    const module = await import(url.href);
    for (const what of Object.values(module)) {
      if (typeof what === 'object' && what !== null && 'parts' in what)
        found.push({ what, file, url });
    }
  }
  return found;
};
