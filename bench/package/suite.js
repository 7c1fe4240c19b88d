// Measures a user's download: the package, and an install into an empty folder.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { spreadOf } from '#measure';
import { npmEnvironment } from '#testkit/npm-environment.js';
import { withTemporaryFolder } from '../process.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * @param {string} cwd
 * @param {string} command
 * @param {string[]} args
 */
const run = async (cwd, command, ...args) => {
  const options = {
    cwd,
    env: npmEnvironment,
    maxBuffer: 1 << 26,
    encoding: /** @type {const} */ ('utf8'),
  };
  return (await promisify(execFile)(command, args, options)).stdout;
};

/** @param {string} dir @returns {number} bytes of all files below, links left out */
const sizeOf = dir => {
  let bytes = 0;
  for (const entry of fs.readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += fs.statSync(path.join(entry.parentPath, entry.name)).size;
  }
  return bytes;
};

/** @param {string} modules  a folder `node_modules`, as npm leaves it */
const installedPackages = modules => {
  const lock = JSON.parse(fs.readFileSync(path.join(modules, '.package-lock.json'), 'utf8'));
  return Object.entries(
    /** @type {Record<string, { dev?: boolean, version: string }>} */ (lock.packages),
  )
    .filter(([, { dev }]) => dev !== true)
    .map(([place, { version }]) => ({ place, version }));
};

/**
 * Pack a copy, since packing writes types beside the sources.
 *
 * @param {string} dir
 * @param {boolean} small  without types
 */
const pack = async (dir, small) => {
  const copy = path.join(dir, 'copy');
  const listed = await run(root, 'git', 'ls-files', '-co', '--exclude-standard');
  for (const file of listed.trim().split('\n')) {
    const from = path.join(root, file);
    if (fs.existsSync(from)) fs.cpSync(from, path.join(copy, file));
  }
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const flags = small ? ['--ignore-scripts'] : [];
  if (!small) await run(copy, 'npm', 'run', 'prepack');
  const output = await run(copy, 'npm', 'pack', '--json', ...flags, '--pack-destination', dir);
  // Scripts of the package may have printed something before.
  const [packed] = JSON.parse(output.slice(output.indexOf('[\n')));
  return packed;
};

/** @type {Suite} */
export default {
  about: 'the size of the package, and of what an empty folder gets with it',
  run: ({ small }) =>
    withTemporaryFolder('package', async dir => {
      const packed = await pack(dir, small);
      const modules = path.join(small ? root : path.join(dir, 'user'), 'node_modules');
      if (!small) {
        const user = path.dirname(modules);
        fs.mkdirSync(user);
        fs.writeFileSync(path.join(user, 'package.json'), '{ "private": true }\n');
        const tarball = path.join(dir, packed.filename);
        await run(user, 'npm', 'install', '--ignore-scripts', '--prefer-offline', tarball);
      }
      const packages = installedPackages(modules);
      const bytes = small
        ? packages.reduce((sum, { place }) => sum + sizeOf(path.join(root, place)), 0)
        : sizeOf(modules);

      /** @type {(name: string, unit: string, value: number) => Figure} */
      const figure = (name, unit, value) => ({
        name,
        unit,
        ...spreadOf([value]),
        params: { version: packed.version },
      });
      // Our own files change with every commit; a change of the other packages must be noticed.
      const others = packages.filter(({ place }) => !place.endsWith('/swingset-runner'));
      const lines = others.map(({ place, version }) => `${place}@${version}`).sort();
      return {
        figures: [
          figure('the tarball', 'bytes', packed.size),
          figure('unpacked', 'bytes', packed.unpackedSize),
          figure('files in it', 'files', packed.entryCount),
          figure('installed in an empty folder, with dependencies', 'bytes', bytes),
          figure('packages it depends on, directly or not', 'packages', others.length),
        ],
        digest: createHash('sha256').update(lines.join('\n')).digest('hex'),
      };
    }),
};
