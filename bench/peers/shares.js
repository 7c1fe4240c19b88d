// Tells which packages take the time of a run: a profile of a whole process, by the files of its samples.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The part of a program that a file is of: `@endo/patterns`, whichever copy, or a package of this repository.
 *
 * @param {string} url  empty for the engine
 * @param {string} name  of the function
 */
export const partOf = (url, name) => {
  if (url === '') return name.startsWith('(') ? name.slice(1, -1) : 'the engine';
  if (url.startsWith('node:')) return 'Node';
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (installed !== null) return installed[1];
  const own =
    /\/packages\/(kernel|vat|host|store|model|loader|schedule|system-vats|reactor)\//.exec(url);
  return own === null ? 'code of vats' : `${own[1]} (ours)`;
};

/** Shares below this are told as one. */
const leastShare = 0.01;

/**
 * @param {string} name  of the program
 * @param {(flags: string[]) => { setupMs: number }} run  runs it in a process with these flags of Node; what it does before
 *   `setupMs` is left out
 */
export const tellShares = (name, run) => {
  const dir = mkdtempSync(join(tmpdir(), 'bench-shares-'));
  try {
    const { setupMs } = run(['--cpu-prof', `--cpu-prof-dir=${dir}`]);
    const [file] = readdirSync(dir);
    /** @type {{ nodes: { id: number, callFrame: { url: string, functionName: string } }[], samples: number[], timeDeltas: number[] }} */
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(dir, file), 'utf8'));
    const parts = new Map(
      nodes.map(({ id, callFrame: { url, functionName } }) => [id, partOf(url, functionName)]),
    );
    /** @type {Map<string, number>} */
    const taken = new Map();
    let total = 0;
    let elapsedUs = 0;
    samples.forEach((id, i) => {
      elapsedUs += timeDeltas[i];
      const part = /** @type {string} */ (parts.get(id));
      if (part === 'idle' || elapsedUs < setupMs * 1000) return;
      total += timeDeltas[i];
      taken.set(part, (taken.get(part) ?? 0) + timeDeltas[i]);
    });
    console.log(`${name}: shares of the main thread's time in rounds`);
    const sorted = [...taken].sort(([, left], [, right]) => right - left);
    for (const [part, us] of sorted)
      if (us / total >= leastShare) console.log(`  ${((100 * us) / total).toFixed(1)} % ${part}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};
