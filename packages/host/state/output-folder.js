// Chooses the default folder of a run's output, named after the directory of the vats. Directories of one name do not
// share a folder: each folder has a mark file that names its directory.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { explainFileError, isDiskFull, quote, UserError } from '#model';
import { isFolder, lookUpBaseDir } from '#config';
import { lockDirectory } from '#store/directory-lock.js';

export const outputRoot = 'swingset-out';

const markName = '.run-of';

const lockName = '.run-lock';

/**
 * @param {string} folder
 * @returns {string | undefined} absolute path of the directory that owns it; undefined if there is none, or it no
 *   longer exists
 */
const ownerOf = folder => {
  const mark = join(folder, markName);
  const owner = existsSync(mark) ? readFileSync(mark, 'utf8').trimEnd() : undefined;
  return owner !== undefined && isFolder(owner) ? owner : undefined;
};

/**
 * `vats`, `my-vats`, `home-my-vats`, and so on for `/home/my/vats`.
 *
 * @param {string} baseDir  absolute
 * @param {string} suffix
 */
const namesOf = (baseDir, suffix) => {
  let name = basename(baseDir) || 'run';
  const names = [`${name}${suffix}`];
  for (let above = dirname(baseDir); basename(above) !== ''; above = dirname(above)) {
    name = `${basename(above)}-${name}`;
    names.push(`${name}${suffix}`);
  }
  return names;
};

/**
 * The suffix for a config that is not called `swingset.json`, since a directory may have several configs.
 *
 * @param {string | undefined} configFile
 */
const suffixOf = configFile => {
  const name = configFile === undefined ? '' : basename(configFile).replace(/\.json$/, '');
  return name === '' || name === 'swingset' ? '' : `-${name}`;
};

/**
 * The default name of a run: its directory's name, with the config's unless that is `swingset.json`.
 *
 * @param {{ baseDir: string, configFile?: string }} config
 */
export const nameRun = ({ baseDir, configFile }) => namesOf(baseDir, suffixOf(configFile))[0];

/**
 * Find the name and folder of a run: the folder that its directory owns, or else the first without an owner.
 *
 * @param {{ baseDir: string, configFile?: string }} config
 * @returns {{ name: string, folder: string, notices: string[] }}  `notices`: the reason for a longer name
 * @throws {UserError} if other directories own all of them
 */
export const findOutputFolder = ({ baseDir, configFile }) => {
  const folders = namesOf(baseDir, suffixOf(configFile)).map(name => {
    const folder = join(outputRoot, name);
    return { name, folder, owner: ownerOf(folder) };
  });
  const found =
    folders.find(({ owner }) => owner === baseDir) ??
    folders.find(({ owner }) => owner === undefined);
  const [{ folder: usual, owner }] = folders;
  if (found === undefined) {
    throw new UserError(
      `${usual} holds a run of ${quote(owner)}, and folders of longer names those of others; choose another folder with --outdir`,
    );
  }
  const { name, folder } = found;
  if (folder === usual || owner === undefined) return { name, folder, notices: [] };
  const notice = `${usual} holds a run of ${quote(owner)}; this one is in ${folder}`;
  return { name, folder, notices: [notice] };
};

/**
 * @param {string} folder  must exist
 * @param {string} baseDir  absolute path of its new owner
 */
export const markOutputFolder = (folder, baseDir) => {
  if (ownerOf(folder) !== baseDir) writeFileSync(join(folder, markName), `${baseDir}\n`);
};

/**
 * Keep other runs from writing into a folder until this one has ended: their rows would be mixed with its own.
 *
 * @param {string} folder  must exist
 * @returns {() => void} releases it
 * @throws {UserError} if a living process writes into it, or this one cannot
 */
export const lockOutputFolder = folder => {
  try {
    return lockDirectory(folder, {
      name: lockName,
      refuse: (dir, owner) =>
        `${dir}: the run of ${owner} writes its files into this directory; wait for it to end, or choose another with --outdir`,
    });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (UserError.is(error) || code === undefined) throw error;
    throw new UserError(
      `${folder}: a run cannot write its files there (${code}); ${isDiskFull(error) ? 'make room, or ' : ''}choose another place with --outdir`,
      { exitCode: 1, cause: error },
    );
  }
};

/**
 * The folders that may have a run's output.
 *
 * @param {string} path  such a folder, its name, or the directory of the program
 * @param {string} [demosDir]  a directory that does not exist is searched here
 * @returns {string[]} the likeliest first
 */
export const outputFoldersOf = (path, demosDir) => {
  const baseDir = lookUpBaseDir(path, demosDir);
  const found = baseDir === undefined ? undefined : findOutputFolder({ baseDir }).folder;
  // A plain name may mean a folder of the output, whatever its owner.
  const isName = !isFolder(resolve(path)) && basename(path) === path;
  const folders = [
    path.replace(/(?<=.)\/+$/, ''),
    ...(found === undefined ? [] : [found]),
    ...(baseDir === undefined || isName ? [join(outputRoot, basename(resolve(path)))] : []),
  ];
  return [...new Set(folders)];
};

/**
 * Whether there is a database, which may be damaged.
 *
 * @param {string} dir
 * @returns {boolean}
 * @throws {UserError} if the directory may not be searched
 */
export const hasDatabase = dir => {
  try {
    return statSync(join(dir, 'data.mdb'), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOTDIR') return false;
    throw explainFileError(error);
  }
};

/**
 * @param {string[]} folders  of output, or databases themselves
 * @returns {string | undefined} the first database among them
 */
export const findDatabase = folders =>
  folders.flatMap(folder => [folder, join(folder, 'state')]).find(hasDatabase);
