// What a commit costs.
//
//   node bench/store/main.js [--blocks N] [--dir DIR] [--json FILE]
//
// DIR is where the databases go for the time of the run; the default is the system's folder for such files.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { measureCommits, parameters } from './commit-cost.js';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '10000' },
    dir: { type: 'string', default: os.tmpdir() },
    json: { type: 'string' },
  },
});
const blocks = Number(values.blocks);
const dir = fs.mkdtempSync(path.join(values.dir, 'bench-store-'));
try {
  const { rows, digest } = await measureCommits({ dir, blocks });
  const context = {
    machine: `${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores, ${os.arch()}`,
    node: process.version,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    params: { blocks, ...parameters },
  };
  console.log(`${'µs a commit'.padEnd(56)}${'n'.padStart(6)}    median       min       max`);
  for (const row of /** @type {any[]} */ (rows)) {
    const figures = [row.median, row.min, row.max].map(us => us.toFixed(1).padStart(10)).join('');
    console.log(`${row.name.padEnd(56)}${String(row.n).padStart(6)}${figures}`);
  }
  console.log(`contents ${digest.slice(0, 16)}`);
  if (values.json) {
    const text = JSON.stringify(
      rows.map(row => ({ ...row, ...context })),
      undefined,
      1,
    );
    fs.writeFileSync(values.json, `${text}\n`);
  }
} finally {
  fs.rmSync(dir, { recursive: true, force: true });
}
