// The folder that a person means by BASEDIR: the one they name, else a demo of the installed package, else none,
// and then the nearest that there is.

import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { quote, UserError } from '#model';

import { isFile, isFolder } from '../bundle/package-exports.js';
import { showPath } from '../bundle/source-path.js';
import { findNearestName } from './nearest-name.js';

/** @param {string} folder @returns {string[]} names of the folders in it, sorted */
const foldersIn = folder => {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
};

/** @param {string} folder */
const isRunnable = folder =>
  isFile(join(folder, 'swingset.json')) || isFile(join(folder, 'bootstrap.js'));

/**
 * @param {string} baseDir  as given
 * @param {string | undefined} demosDir
 * @returns {string | undefined}
 */
const findDemo = (baseDir, demosDir) => {
  if (demosDir === undefined) return undefined;
  const parts = baseDir.split(/[/\\]/).filter(part => part !== '' && part !== '.');
  // A demo's path may have several parts; nobody means a folder above the demos by `..`.
  if (parts.includes('..')) return undefined;
  for (let at = 0; at < parts.length; at += 1) {
    const folder = join(demosDir, ...parts.slice(at));
    if (isRunnable(folder)) return folder;
  }
  return undefined;
};

/**
 * @param {string} baseDir
 * @param {string | undefined} demosDir
 */
const suggest = (baseDir, demosDir) => {
  const parent = dirname(baseDir);
  const beside = foldersIn(resolve(parent)).map(name =>
    parent === '.' ? name : join(parent, name),
  );
  const demos = demosDir === undefined ? [] : foldersIn(demosDir);
  const ofPackage = demos.map(name => join('demos', name));
  const nearest = findNearestName(baseDir, [...beside, ...ofPackage]);
  // `pingpon` is near to the demo `pingpong`, wherever the demos are.
  const byName = nearest ?? findNearestName(basename(baseDir), demos);
  if (byName === undefined) {
    return ofPackage.length === 0 ? '' : `; the demos are ${ofPackage.map(quote).join(', ')}`;
  }
  return `; did you mean ${quote(nearest ?? join('demos', byName))}?`;
};

/**
 * @param {string} baseDir
 * @param {string} [demosDir]  of the installed package
 * @returns {{ folder: string, notices: string[] }}
 * @throws {UserError} if there is no such folder, with the nearest name
 */
export const findBaseDir = (baseDir, demosDir) => {
  const folder = resolve(baseDir);
  if (isFolder(folder)) return { folder, notices: [] };
  if (isFile(folder)) {
    throw new UserError(
      `${quote(baseDir)} is a file; name its folder, or give a config by --config`,
    );
  }
  const demo = findDemo(baseDir, demosDir);
  if (demo !== undefined) {
    const notice = `no directory ${quote(baseDir)} here; running the demo of that name from ${showPath(demo)}`;
    return { folder: demo, notices: [notice] };
  }
  throw new UserError(`no directory ${quote(baseDir)}${suggest(baseDir, demosDir)}`);
};
