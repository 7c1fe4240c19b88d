// Finds the directory or config file that a person names: first among their own files, then among the demos of the
// installed package. If there is neither, the error suggests the nearest name.

import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { explainFileError, findNearestName, quote, UserError } from '#model';

import { isFile, isFolder } from './package-exports.js';
import { showPath } from './source-path.js';

/** Demos that an error lists when no name is near; it counts the others. */
const mostDemos = 5;

/** @param {string} folder @returns {string[]} names of the folders in it, sorted; empty if it cannot be read */
const foldersIn = folder => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
};

/** @param {string} folder */
export const isRunnable = folder =>
  isFile(join(folder, 'swingset.json')) ||
  isFile(join(folder, 'bootstrap.js')) ||
  isFile(join(folder, 'bootstrap.ts'));

/**
 * The folders in a folder that can be run. The folders in one that cannot be run are searched, too, one level deep.
 *
 * @param {string} folder
 * @returns {string[]} relative to it
 */
export const runnableIn = folder =>
  foldersIn(folder).flatMap(name => {
    if (isRunnable(join(folder, name))) return [name];
    return foldersIn(join(folder, name))
      .map(inner => join(name, inner))
      .filter(path => isRunnable(join(folder, path)));
  });

/**
 * @param {string} given  a path
 * @param {string | undefined} demosDir
 * @param {(path: string) => boolean} isMeant
 * @returns {string | undefined}
 */
const findAmongDemos = (given, demosDir, isMeant) => {
  if (demosDir === undefined) return undefined;
  const parts = given.split(/[/\\]/).filter(part => part !== '' && part !== '.');
  // A demo's path may have several parts, but `..` never leads to a demo.
  if (parts.includes('..')) return undefined;
  for (let at = 0; at < parts.length; at += 1) {
    const path = join(demosDir, ...parts.slice(at));
    if (isMeant(path)) return path;
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
  const demos = demosDir === undefined ? [] : runnableIn(demosDir);
  const shown = (/** @type {string} */ demo) => join('demos', demo);
  const nearest = findNearestName(baseDir, [...beside, ...demos.map(shown)]);
  if (nearest !== undefined) return `; did you mean ${quote(nearest)}?`;
  // Compare with the demos' own names, too: `pingpon` is near `pingpong`, wherever the demos lie.
  const lastName = findNearestName(
    basename(baseDir),
    demos.map(demo => basename(demo)),
  );
  const byName = findNearestName(baseDir, demos) ?? demos.find(demo => basename(demo) === lastName);
  if (byName !== undefined) return `; did you mean ${quote(shown(byName))}?`;
  if (demos.length === 0) return '';
  const first = demos.slice(0, mostDemos).map(shown).map(quote).join(', ');
  const more = demos.length > mostDemos ? ` and ${demos.length - mostDemos} more` : '';
  return `; the demos are ${first}${more}`;
};

/**
 * Insist that a path that does not name a file or directory fails for the reason that there is none.
 *
 * @param {string} given
 * @throws {UserError} if it leads through a directory that may not be searched, or links in a circle
 */
const insistReachable = given => {
  try {
    statSync(given, { throwIfNoEntry: false });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOTDIR')
      throw explainFileError(error, given);
  }
};

/**
 * @param {string} file  as given
 * @param {string} [demosDir]  of the installed package
 * @returns {{ file: string | undefined, notices: string[] }} absolute path of the config, `undefined` if there is none
 */
export const findConfigFile = (file, demosDir) => {
  if (isFile(resolve(file))) return { file: resolve(file), notices: [] };
  insistReachable(file);
  const ofDemo = findAmongDemos(file, demosDir, isFile);
  if (ofDemo === undefined) return { file: undefined, notices: [] };
  const notice = `no file ${quote(file)} here; running the demo's, ${showPath(ofDemo)}`;
  return { file: ofDemo, notices: [notice] };
};

/**
 * @param {string} baseDir
 * @param {string} [demosDir]  of the installed package
 * @returns {string | undefined} absolute path of the directory, else of a demo that can be run
 * @throws {UserError} if the path may not be followed
 */
export const lookUpBaseDir = (baseDir, demosDir) => {
  if (isFolder(resolve(baseDir))) return resolve(baseDir);
  insistReachable(baseDir);
  return findAmongDemos(baseDir, demosDir, isRunnable);
};

/**
 * @param {string} baseDir
 * @param {string} [demosDir]  of the installed package
 * @returns {{ folder: string, notices: string[] }}
 * @throws {UserError} if there is no such folder; it suggests the nearest name
 */
export const findBaseDir = (baseDir, demosDir) => {
  const folder = resolve(baseDir);
  if (isFolder(folder)) return { folder, notices: [] };
  insistReachable(baseDir);
  if (isFile(folder)) {
    throw new UserError(
      `${quote(baseDir)} is a file; name its folder, or give a config by --config`,
    );
  }
  const demo = findAmongDemos(baseDir, demosDir, isRunnable);
  if (demo !== undefined) {
    const notice = `no directory ${quote(baseDir)} here; running the demo of that name from ${showPath(demo)}`;
    return { folder: demo, notices: [notice] };
  }
  const group = findAmongDemos(baseDir, demosDir, path => runnableIn(path).length > 0);
  if (group !== undefined) throw new UserError(`${quote(baseDir)} ${nameInner(group, baseDir)}`);
  if (baseDir.startsWith('file:'))
    throw new UserError(
      `no directory ${quote(baseDir)}; give a path and no URL, as fileURLToPath() of node:url makes one`,
    );
  throw new UserError(`no directory ${quote(baseDir)}${suggest(baseDir, demosDir)}`);
};

/** @param {string} folder  with folders that can be run @param {string} shown  what the person calls it */
export const nameInner = (folder, shown) => {
  const names = runnableIn(folder).map(name => quote(join(shown, name)));
  return names.length === 1
    ? `cannot be run itself; name its folder that can: ${names[0]}`
    : `holds several folders that can be run; name one of them: ${names.join(', ')}`;
};
