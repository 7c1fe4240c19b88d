// The owner of a lock, as text, and whether that process is still there. Within a namespace of processes its number and start
// tell this. Containers that share a volume have namespaces of their own, where a number means another process or none:
// there a named pipe tells it, which the owner keeps open for reading, since the system closes it with the process.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readBoot } from './log-head.js';

/**
 * @typedef {object} Owner
 * @property {number} pid  in its namespace
 * @property {string} start  in clock ticks since that of the machine; empty if unknown
 * @property {string} boot  of the machine; empty if unknown
 * @property {string} namespace  of processes; empty if the system has none, or it is unknown
 * @property {string} pipe  name of the pipe, beside the lock; empty if there is none
 */

/** The namespace of the system itself, which Linux gives a fixed number. */
const systemNamespace = '4026531836';

/**
 * The start of a process, in clock ticks since that of the machine; empty if unknown.
 *
 * @param {number} pid
 */
const startOf = pid => {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may hold anything; the start is the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
};

const readNamespace = () => {
  try {
    return /\d+/.exec(fs.readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
};

/**
 * A pipe that is open for as long as this process lives.
 *
 * @param {string} file  absent
 * @returns {(() => void) | undefined} closes and removes it; undefined: there is no way to make one here
 */
const holdPipe = file => {
  const { O_RDONLY, O_NONBLOCK } = fs.constants;
  if (spawnSync('mkfifo', [file], { stdio: 'ignore' }).status !== 0) return undefined;
  const remove = () => fs.rmSync(file, { force: true });
  try {
    const fd = fs.openSync(file, O_RDONLY | O_NONBLOCK);
    return () => {
      fs.closeSync(fd);
      remove();
    };
  } catch (error) {
    remove();
    throw error;
  }
};

/**
 * Removes the pipe of an owner that is gone. The lock came with the state, so it may name any file: only a pipe is removed.
 *
 * @param {Owner | undefined} owner
 * @param {string} dir  of its lock
 */
export const removePipe = (owner, dir) => {
  if (owner === undefined || owner.pipe === '') return;
  const file = path.join(dir, owner.pipe);
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFIFO()) fs.rmSync(file, { force: true });
};

/** @param {string} file @returns {boolean} whether a process has the pipe open */
const isPipeHeld = file => {
  const { O_WRONLY, O_NONBLOCK } = fs.constants;
  try {
    if (!fs.statSync(file).isFIFO()) return false;
    fs.closeSync(fs.openSync(file, O_WRONLY | O_NONBLOCK));
    return true;
  } catch (error) {
    // ENXIO: nobody reads. Without permission nobody knows.
    return !['ENXIO', 'ENOENT'].includes(`${/** @type {NodeJS.ErrnoException} */ (error).code}`);
  }
};

/**
 * Present this process as an owner. In a container it makes a pipe.
 *
 * @param {string} dir  of the lock
 * @param {string} name  of the pipe, if there is one; nobody else uses it
 * @param {Pick<Owner, 'namespace'>} [known]  the namespace, for tests
 * @returns {{ owner: Owner, release: () => void }}
 */
export const presentSelf = (dir, name, { namespace } = { namespace: readNamespace() }) => {
  const isContainer = namespace !== '' && namespace !== systemNamespace;
  const release = isContainer ? holdPipe(path.join(dir, name)) : undefined;
  const { pid } = process;
  const pipe = release === undefined ? '' : name;
  const owner = { pid, start: startOf(pid), boot: readBoot(), namespace, pipe };
  return { owner, release: release ?? (() => {}) };
};

/** @param {Owner} owner @returns {string} the content of a lock */
export const formatOwner = ({ pid, start, boot, namespace, pipe }) =>
  `${pid} ${start} ${boot} ${namespace} ${pipe}\n`;

/**
 * @param {string} text
 * @returns {Owner | undefined} undefined: it was cut short by a crash, or names no process. Earlier versions wrote number and start only.
 */
export const parseOwner = text => {
  // The number 0 would stand for all processes beside this one.
  const found = /^([1-9]\d*) (\d*)(?: ([\w-]*) (\d*) ([\w.-]*))?\n$/.exec(text);
  if (!found) return undefined;
  const [, pid, start, boot = '', namespace = '', pipe = ''] = found;
  return { pid: Number(pid), start, boot, namespace, pipe };
};

/** @param {Owner} owner */
const isProcessThere = ({ pid, start }) => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process lives and belongs to another user.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false;
  }
  const found = startOf(pid);
  return start === '' || found === '' || found === start;
};

/**
 * @param {Owner} owner
 * @param {string} dir  of its lock
 * @param {Pick<Owner, 'namespace'>} [known]  the namespace of this process, for tests
 * @returns {'here' | 'elsewhere' | 'unknown' | 'gone'}  `elsewhere`: in another namespace; `unknown`: it may be there
 */
export const findOwner = (owner, dir, { namespace } = { namespace: readNamespace() }) => {
  const boot = readBoot();
  if (owner.boot !== '' && boot !== '' && owner.boot !== boot) return 'gone';
  const isOther = owner.namespace !== '' && namespace !== '' && owner.namespace !== namespace;
  if (!isOther) return isProcessThere(owner) ? 'here' : 'gone';
  if (owner.pipe === '') return 'unknown';
  return isPipeHeld(path.join(dir, owner.pipe)) ? 'elsewhere' : 'gone';
};
