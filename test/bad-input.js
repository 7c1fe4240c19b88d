// The command with wrong input.

import path from 'node:path';

import { demosDir } from '../runner/test/run-cli.js';

export const quiet = ['--no-stats', '--no-graphs', '--no-logall'];

export const pingpong = path.join(demosDir, 'pingpong');

/** @param {string} stderr  that has one line and no stack */
export const isOneLine = stderr => /^swingset-runner: [^\n]+\n$/.test(stderr);
