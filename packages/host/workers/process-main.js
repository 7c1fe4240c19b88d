// The program of a process for one vat with a memory limit: it loads run-process.js, which has what it does. It is not a
// thread, since the engine ends the whole process if a thread's isolate has no room for one large object (a growing array,
// the table of a Map, a string).

import { openProgram } from './open-program.js';

/** @import { ProcessStart } from './run-process.js' */

const [, , given] = process.argv;
// `Fail` would load more modules than the rest.
if (given === undefined) throw Error('this is the program of a process for a vat');
/** @type {ProcessStart} */
const start = JSON.parse(given);
const { program, keepCode } = await openProgram(
  start.cacheDir,
  'run-process.js',
  () => import('./run-process.js'),
);
await program.runProcess(start, keepCode);
