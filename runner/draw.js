// The drawing process of a run. It loads its modules from a pack of their own, as the command line
// does (packages/packed), so that it is ready before the run has ended.

import { openPack } from '#packed';

/** @type {string | undefined} */
const codeFolder = process.argv[2];
const pack = openPack('drawing', codeFolder);
if (pack !== undefined) process.once('exit', () => pack.code.save());
const { serveJobs } = /** @type {typeof import('#stats/draw/serve.js')} */ (
  await (pack === undefined
    ? import('#stats/draw/serve.js')
    : pack.modules.load('stats/draw/serve.js'))
);
await serveJobs(codeFolder);
