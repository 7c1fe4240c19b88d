// Where compiled modules are kept if nobody says otherwise.

import { homedir } from 'node:os';
import { join } from 'node:path';

/** @param {Record<string, string | undefined>} [env] */
export const defaultCacheDir = (env = process.env) =>
  join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'swingset-runner');
