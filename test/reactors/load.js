// Finds the programs of the table.

import { readdirSync } from 'node:fs';

const directory = new URL('programs/', import.meta.url);

/** @typedef {{ what: import('./program.js').Program, file: string }} Found  `file` within `programs/` */

/** @returns {Promise<Found[]>} by file, in the order of their exports */
export const loadPrograms = async () => {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.js'))
    .sort();
  /** @type {Found[]} */
  const found = [];
  for (const file of files) {
    const module = await import(new URL(file, directory).href);
    for (const what of Object.values(module)) {
      if (typeof what === 'object' && what !== null && 'parts' in what) found.push({ what, file });
    }
  }
  return found;
};
