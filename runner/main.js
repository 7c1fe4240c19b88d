#!/usr/bin/env node
// The command `swingset-runner`. What went wrong is told here: a person's mistake in one line, a bug with its stack.

import { readFileSync } from 'node:fs';
import { explainNode } from './node-version.js';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const tooOld = explainNode(process.versions.node, engines.node);
if (tooOld === undefined) {
  const { keepCompiledCode } = await import('./compiled-code.js');
  keepCompiledCode();
  try {
    const { runCli } = await import('./cli.js');
    await runCli(process.argv.slice(2));
  } catch (error) {
    const { tellFailure } = await import('./tell-failure.js');
    process.exitCode = await tellFailure(error);
  }
} else {
  console.error(tooOld);
  process.exitCode = 2;
}
