// The drawing process, from its sources.

import { serveJobs } from './serve.js';

await serveJobs(process.argv[2]);
