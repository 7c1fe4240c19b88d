// Starts processes that end with this one, however it ends: by a signal that cannot be handled, too, and with a closed
// terminal. They are in process groups of their own, so that a terminal's signals reach this process alone.

import { spawn } from 'node:child_process';
import process from 'node:process';

/** @import { ChildProcess } from 'node:child_process' */

/**
 * The shell becomes the program. A process beside it reads a pipe, which the system closes when this process ends, and
 * then kills the program, removes its directory, and kills the group. While it waits it holds the group's number, so that
 * no other group is killed. If the program ends first, this process writes to the pipe, and removes the directory itself.
 */
const script = `
dir=$1; shift
{
  if [ -z "$(cat)" ]; then
    kill -9 $$
    [ -z "$dir" ] || rm -rf "$dir" || { sleep 1; rm -rf "$dir"; }
  fi
  kill -9 -$$
} <&3 >/dev/null 2>&1 &
exec "$@" 3<&-`;

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ dir?: string }} [options]  `dir`: a directory that is removed if this process ends before the program, except
 *   on Windows
 * @returns {ChildProcess}  with its standard error as a stream, and no other one; its `pid` is the program's
 */
export const startBoundProcess = (file, args, { dir = '' } = {}) => {
  if (process.platform === 'win32')
    return spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const child = spawn('/bin/sh', ['-c', script, 'sh', dir, file, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const pipe = /** @type {import('node:stream').Writable} */ (child.stdio[3]);
  // Nobody reads any more if somebody else has killed the group.
  pipe.on('error', () => {});
  child.once('exit', () => pipe.end('.'));
  return child;
};
