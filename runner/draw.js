// The drawing process of a run. It loads its modules from a pack of their own, as the command line
// does (packed/), so that it is ready before the run has ended.

import { openChartPack } from './packed/index.js';

/** @type {string | undefined} */
const codeFolder = process.argv[2];
const pack = openChartPack(codeFolder);
const { serveJobs } = /** @type {typeof import('#stats/draw/serve.js')} */ (
  await (pack === undefined ? import('#stats/draw/serve.js') : pack.load('stats/draw/serve.js'))
);
await serveJobs(codeFolder);
