// A thread that sends everything back.

import { parentPort } from 'node:worker_threads';

parentPort?.on('message', message => parentPort?.postMessage(message));
