// Writes the engine's CPU and allocation profiles of a run, for Chrome's developer tools.

import { closeSync, existsSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { UserError } from '#model';

/** @typedef {'cpu' | 'heap'} Kind */

/** @type {Record<Kind, { flag: string, shows: string, suffix: string }>} */
const kinds = {
  cpu: { flag: '--cpu-profile-output', shows: 'where the time went', suffix: '.cpuprofile' },
  heap: { flag: '--heap-profile-output', shows: 'what was allocated', suffix: '.heapprofile' },
};

/** @param {Kind} kind @param {string} file @param {unknown} error */
const sayUnwritable = (kind, file, error) =>
  new UserError(
    `${kinds[kind].flag}: ${file} cannot be written (${/** @type {Error} */ (error).message}); name another file`,
    { exitCode: 1, cause: error },
  );

/**
 * A run may take hours, so check before it that the files can be written. Existing files stay until
 * the end.
 *
 * @param {Record<Kind, string | undefined>} files
 * @throws {UserError}
 */
export const insistProfileFiles = files => {
  for (const kind of /** @type {Kind[]} */ (Object.keys(kinds))) {
    const file = files[kind];
    if (file === undefined) continue;
    try {
      const wasThere = existsSync(file);
      closeSync(openSync(file, 'a'));
      if (!wasThere) unlinkSync(file);
    } catch (error) {
      throw sayUnwritable(kind, file, error);
    }
  }
};

/**
 * @param {Record<Kind, string | undefined>} files
 * @param {(line: string) => void} tell  called for each written file
 * @returns {Promise<() => Promise<void>>} ends the profiles and writes them
 */
export const startEngineProfiles = async ({ cpu, heap }, tell) => {
  if (cpu === undefined && heap === undefined) return async () => {};
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  if (cpu !== undefined) {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  }
  if (heap !== undefined) await session.post('HeapProfiler.startSampling');

  /** @param {Kind} kind @param {string} file @param {object} profile */
  const write = (kind, file, profile) => {
    try {
      writeFileSync(file, JSON.stringify(profile));
    } catch (error) {
      throw sayUnwritable(kind, file, error);
    }
    const { shows, suffix } = kinds[kind];
    const hint = file.endsWith(suffix)
      ? "Chrome's developer tools show it"
      : `Chrome's developer tools show it if its name ends in ${suffix}`;
    tell(`${file}: ${shows}; ${hint}`);
  };

  return async () => {
    try {
      if (cpu !== undefined) write('cpu', cpu, (await session.post('Profiler.stop')).profile);
      if (heap !== undefined)
        write('heap', heap, (await session.post('HeapProfiler.stopSampling')).profile);
    } finally {
      session.disconnect();
    }
  };
};
