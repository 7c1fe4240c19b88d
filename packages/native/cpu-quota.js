// Finds out whether this process has a quota of processor time, as containers often do: then a thread that waits
// actively takes time from the others.

import fs from 'node:fs';
import path from 'node:path';

/** The path of Linux's control groups, of version 2 and of version 1. */
const root = '/sys/fs/cgroup';

/** @param {string} file */
const readIfThere = file => {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** @param {string} group  a path @returns {string[]} the group and those above it */
const withThoseAbove = group =>
  group === '/' ? ['/'] : [group, ...withThoseAbove(path.dirname(group))];

/**
 * @param {{ rootDir?: string, groups?: string }} [options]  for tests: replacements of /sys/fs/cgroup and of the text
 *   of /proc/self/cgroup
 * @returns {string | undefined} `FILE: TEXT`, the first limit found; undefined if there is none, or no control groups
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
