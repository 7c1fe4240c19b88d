// Writes and bundles sources for tests.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundleVat, importBundle } from '../bundle/index.js';

/** @typedef {Record<string, string>} Files  texts by relative path */

/** @type {string[]} */
export const folders = [];

export const cacheDir = mkdtempSync(join(tmpdir(), 'ssr-cache-'));

/** @param {Files} files  written to a new folder */
export const writeFiles = files => {
  const folder = mkdtempSync(join(tmpdir(), 'ssr-bundle-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

/** @param {Files} files */
export const bundleOf = async (files, entry = 'vat-x.js') => {
  const folder = writeFiles(files);
  const made = await bundleVat(join(folder, entry), { cacheDir });
  return { folder, ...made };
};

/** @param {Files} files @param {object} [options] */
export const importOf = async (files, options = {}) => {
  const { folder, bundle, sourceUrls } = await bundleOf(files);
  const { namespace, compartment } = await importBundle(bundle, {
    name: 'x',
    cacheDir,
    sourceUrls,
    ...options,
  });
  return { folder, namespace, compartment };
};
