// Finds out whether this process has the processor for a part of the time only, as containers often do: then time that a thread
// spends waiting actively is taken from the others.

import fs from 'node:fs';
import path from 'node:path';

/** Where Linux shows control groups, of version 2 and of version 1. */
const root = '/sys/fs/cgroup';

/** @param {string} file */
const readIfThere = file => {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** @param {string} group  a path @returns {string[]} it and those above it */
const withThoseAbove = group =>
  group === '/' ? ['/'] : [group, ...withThoseAbove(path.dirname(group))];

/**
 * @param {{ rootDir?: string, groups?: string }} [options]  for tests: in place of /sys/fs/cgroup, and the text of
 *   /proc/self/cgroup
 * @returns {string | undefined} `FILE: TEXT`, the first limit that is found; undefined if there is none, or no such system
 */
export const cpuQuota = ({
  rootDir = root,
  groups = readIfThere('/proc/self/cgroup') ?? '',
} = {}) => {
  for (const line of groups.split('\n')) {
    const [, controllers, group] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (group === undefined) continue;
    const isSecond = controllers === '';
    if (!isSecond && !controllers.split(',').includes('cpu')) continue;
    for (const one of withThoseAbove(path.posix.normalize(group))) {
      const file = isSecond
        ? path.join(rootDir, one, 'cpu.max')
        : path.join(rootDir, 'cpu', one, 'cpu.cfs_quota_us');
      const text = readIfThere(file);
      const isLimit = isSecond ? !text?.startsWith('max') : Number(text) > 0;
      if (text !== undefined && isLimit) return `${file}: ${text}`;
    }
  }
  return undefined;
};
