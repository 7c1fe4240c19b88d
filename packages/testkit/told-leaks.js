// Loaded in each process of a test file (ava.config.js). A file whose tests have ended, and whose process does not, would stop
// ava for minutes and be named by nobody: it is told here with what holds it, and ended.

import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import test, { registerCompletionHandler } from 'ava';

/** How long connections and processes that a test has ended may take to go. The longest is a server's time for an answer, 5 s. */
const graceMs = 20_000;

registerCompletionHandler(() => {
  const timer = setTimeout(() => {
    const held = process.getActiveResourcesInfo().filter(name => name !== 'Timeout');
    const file = path.relative(process.cwd(), fileURLToPath(test.meta.file));
    process.stderr.write(`held open after its tests: ${file}: ${[...new Set(held)].join(', ')}\n`);
    process.exit();
  }, graceMs);
  timer.unref();
});
