#!/usr/bin/env node
// The command `swingset-runner`. What went wrong is told here: a person's mistake in one line, a bug with its stack.

import { runCli } from './cli.js';
import { tellFailure } from './tell-failure.js';

try {
  await runCli(process.argv.slice(2));
} catch (error) {
  process.exitCode = await tellFailure(error);
}
