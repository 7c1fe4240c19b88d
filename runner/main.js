#!/usr/bin/env node
// The command `swingset-runner`. What went wrong is told here: a person's mistake in one line, a bug with its stack.

import { keepCompiledCode } from './compiled-code.js';

keepCompiledCode();
try {
  const { runCli } = await import('./cli.js');
  await runCli(process.argv.slice(2));
} catch (error) {
  const { tellFailure } = await import('./tell-failure.js');
  process.exitCode = await tellFailure(error);
}
