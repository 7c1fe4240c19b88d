// Where compiled modules are kept if nobody says otherwise.

import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder in which compiled sources are kept when no other is named: `swingset-runner` in `$XDG_CACHE_HOME`, else in
 * `~/.cache`. Nothing is made there yet.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string} an absolute path
 */
export const defaultCacheDir = (env = process.env) =>
  join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'swingset-runner');
