import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'ava';

import { findCacheDir, defaultCacheDir } from '../cache-dir.js';

test('the folder of caches is that of SWINGSET_RUNNER_CACHE_DIR, else the user cache of the system', t => {
  t.is(findCacheDir({}), undefined);
  t.is(findCacheDir({ SWINGSET_RUNNER_CACHE_DIR: '' }), undefined);
  t.is(findCacheDir({ SWINGSET_RUNNER_CACHE_DIR: 'here' }), resolve('here'));
  t.is(defaultCacheDir({}), join(homedir(), '.cache/swingset-runner'));
  t.is(defaultCacheDir({ XDG_CACHE_HOME: '/caches' }), '/caches/swingset-runner');
  const both = { XDG_CACHE_HOME: '/caches', SWINGSET_RUNNER_CACHE_DIR: '/own' };
  t.is(defaultCacheDir(both), '/own');
});
