// The default folder of compiled modules.

import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The default cache folder of compiled sources: `swingset-runner` in `$XDG_CACHE_HOME`, else in `~/.cache`. The call
 * does not create it.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string} an absolute path
 */
export const defaultCacheDir = (env = process.env) =>
  join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'swingset-runner');
