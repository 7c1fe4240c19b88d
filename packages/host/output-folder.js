// Where a run's output goes if nobody says where: a folder that is called like the directory of the vats. Directories of
// the same name do not share one: each folder has a mark that names the directory it belongs to.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { quote, UserError } from '#model';
import { isFolder, lookUpBaseDir } from '#config';

export const outputRoot = 'swingset-out';

const markName = '.run-of';

/**
 * @param {string} folder
 * @returns {string | undefined} the directory that it belongs to, absolute; none if it belongs to nobody, or to a
 *   directory that is not there any more
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
 * A directory may have several configs: one that is not called `swingset.json` is a part of the name.
 *
 * @param {string | undefined} configFile
 */
const suffixOf = configFile => {
  const name = configFile === undefined ? '' : basename(configFile).replace(/\.json$/, '');
  return name === '' || name === 'swingset' ? '' : `-${name}`;
};

/**
 * The default name of a run: that of its directory, and of its config if that has a name of its own.
 *
 * @param {{ baseDir: string, configFile?: string }} config
 */
export const nameRun = ({ baseDir, configFile }) => namesOf(baseDir, suffixOf(configFile))[0];

/**
 * The name and the folder of a run among those of other directories: the folder that belongs to its directory, or else the
 * first that belongs to no other.
 *
 * @param {{ baseDir: string, configFile?: string }} config
 * @returns {{ name: string, folder: string, notices: string[] }}  `notices`: why the name is longer than one would think
 * @throws {UserError} if all belong to others
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
 * @param {string} folder  that is there
 * @param {string} baseDir  absolute; whose it is from now on
 */
export const markOutputFolder = (folder, baseDir) => {
  if (ownerOf(folder) !== baseDir) writeFileSync(join(folder, markName), `${baseDir}\n`);
};

/**
 * The folders in which something may be that a run has written.
 *
 * @param {string} path  such a folder, its name, or the directory of what was run
 * @param {string} [demosDir]  where a directory that does not exist is looked for
 * @returns {string[]} the likeliest first
 */
export const outputFoldersOf = (path, demosDir) => {
  const baseDir = lookUpBaseDir(path, demosDir);
  const found = baseDir === undefined ? undefined : findOutputFolder({ baseDir }).folder;
  // A path that names a folder of the output may mean it, whoever it belongs to.
  const isName = !isFolder(resolve(path)) && basename(path) === path;
  const folders = [
    path.replace(/(?<=.)\/+$/, ''),
    ...(found === undefined ? [] : [found]),
    ...(baseDir === undefined || isName ? [join(outputRoot, basename(resolve(path)))] : []),
  ];
  return [...new Set(folders)];
};

/** @param {string} dir */
export const hasDatabase = dir => {
  const file = join(dir, 'data.mdb');
  return existsSync(file) && statSync(file).size > 0;
};

/**
 * @param {string[]} folders  of output, or databases themselves
 * @returns {string | undefined} the first database among them
 */
export const findDatabase = folders =>
  folders.flatMap(folder => [folder, join(folder, 'state')]).find(hasDatabase);
