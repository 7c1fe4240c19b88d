#!/usr/bin/env node
// The command `swingset-runner`. It reports failures: a user's mistake in one line, a bug with its
// stack.

import { readFileSync } from 'node:fs';
import { explainNode } from './node-version.js';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const tooOld = explainNode(process.versions.node, engines.node);
if (tooOld === undefined) {
  const { openModules } = await import('./open-modules.js');
  const args = process.argv.slice(2);
  const modules = openModules(args);
  try {
    const { handleClosedStreams, runCli } = await modules.loadCli();
    handleClosedStreams();
    await runCli(args);
  } catch (error) {
    const { tellFailure } = await modules.loadTellFailure();
    process.exitCode = await tellFailure(error);
  }
} else {
  console.error(tooOld);
  process.exitCode = 2;
}
