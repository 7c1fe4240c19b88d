// Lets V8's own threads, which compile and collect, go behind the thread that runs vats. On a machine of two cores four
// of them compile at once at the beginning of a run, and that thread gets less than half a core without this.

import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Node starts four threads of V8, and one for its delayed tasks, before it runs any code; their numbers come first. */
const engineThreads = 5;

/**
 * The steps of `nice` by which they go behind. Each step leaves four fifths of the processor time that a thread gets of
 * a busy core. With many steps they get next to none while other programs keep all cores busy, and vats run in code
 * that is not optimised (docs/v8-in-a-locked-down-realm.md).
 */
const stepsBehind = 4;

const leastPriority = 19;

let isDone = false;

/**
 * Lower the priority of V8's threads, once in a process; they cannot be raised again. Only Linux has priorities of
 * threads; elsewhere, and where the process may not see its threads, nothing changes.
 */
export const setThreadPriority = () => {
  if (isDone || process.platform !== 'linux') return;
  isDone = true;
  try {
    const ids = readdirSync('/proc/self/task').map(Number);
    const others = ids.filter(id => id !== process.pid).toSorted((one, other) => one - other);
    const priority = Math.min(getPriority(process.pid) + stepsBehind, leastPriority);
    for (const id of others.slice(0, engineThreads)) setPriority(id, priority);
  } catch {
    // They keep their priority.
  }
};
