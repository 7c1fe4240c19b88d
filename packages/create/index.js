#!/usr/bin/env node
// `npm create swingset-runner NAME` runs `swingset-runner init NAME` before anything is installed.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const runner = dirname(createRequire(import.meta.url).resolve('swingset-runner/package.json'));
const args = [join(runner, 'runner/main.js'), 'init', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
process.exitCode = status ?? 1;
