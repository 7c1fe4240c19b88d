// Folders with a config.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { loadConfig } from '../index.js';

/** @type {string[]} */
const folders = [];

test.after.always(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @param {Record<string, string>} files  written to a new folder */
export const writeFiles = files => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ssr-config-')));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

export const sources = { 'bootstrap.js': '', 'vat-a.js': '', 'vat-b.js': '' };

export const twoVats = {
  bootstrap: 'main',
  vats: { main: { sourceSpec: './bootstrap.js' }, a: { sourceSpec: 'vat-a.js' } },
};

/** @param {unknown} config @param {object} [options] */
export const loadOf = (config, options) => {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  const folder = writeFiles({ ...sources, 'swingset.json': text });
  return { folder, ...loadConfig({ baseDir: folder, ...options }) };
};

/** @param {object} part  put into the vat `a` */
export const withVat = part => ({ ...twoVats, vats: { ...twoVats.vats, a: part } });

/** @param {unknown[]} connections */
export const joined = (...connections) => ({ ...twoVats, connections });

export const ports = { from: 'main.out', to: 'a.in' };
