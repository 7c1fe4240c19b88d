// The engine's own profiles of a run, for Chrome's developer tools: where the time went, and what was allocated.

import { writeFileSync } from 'node:fs';
import { UserError } from '#model';

/**
 * @param {{ cpu: string | undefined, heap: string | undefined }} files
 * @returns {Promise<() => Promise<void>>} ends the profiles and writes them
 */
export const startEngineProfiles = async ({ cpu, heap }) => {
  if (cpu === undefined && heap === undefined) return async () => {};
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  if (cpu !== undefined) {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  }
  if (heap !== undefined) await session.post('HeapProfiler.startSampling');
  return async () => {
    if (cpu !== undefined) write(cpu, (await session.post('Profiler.stop')).profile);
    if (heap !== undefined) write(heap, (await session.post('HeapProfiler.stopSampling')).profile);
    session.disconnect();
  };
};

/** @param {string} file @param {object} profile */
const write = (file, profile) => {
  try {
    writeFileSync(file, JSON.stringify(profile));
  } catch (error) {
    throw new UserError(
      `profile ${file}: cannot write it (${/** @type {Error} */ (error).message})`,
    );
  }
};
