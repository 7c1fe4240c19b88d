// Checks sizes that the linter does not see: lines of files that are not modules, and files of a folder.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @import { House } from './house.js' */

const mostLines = 500;

const mostFiles = 60;

/** A file with code that the linter does not read. */
const isOtherCode = /\.(ts|css|html|c|h|sh)$/;

/** A file that is not ours, or is data. */
const isForeign = /(^|\/)(fixtures|vendored\/files|snapshots|prebuilt|reference)\//;

/**
 * @param {House} house
 * @returns {string[]} problems
 */
export const checkSizes = ({ root, files }) => {
  const ours = files.filter(file => !isForeign.test(file));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const file of ours) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  const full = [...counts].filter(([, count]) => count > mostFiles);
  return [
    ...full.map(([folder, count]) => `${folder}: ${count} files; ${mostFiles} are the most`),
    ...ours
      .filter(file => isOtherCode.test(file))
      .map(file => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1 }))
      .filter(({ lines }) => lines > mostLines)
      .map(({ file, lines }) => `${file}: ${lines} lines; ${mostLines} are the most`),
  ];
};
