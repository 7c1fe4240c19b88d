// Vats can be debugged where they are written: a breakpoint that is set by a source's file and line stops in the vat.

import test from 'ava';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const demo = new URL('../../../../demos/pingpong/', import.meta.url);
const bob = new URL('vat-bob.js', demo);

const lines = readFileSync(bob, 'utf8').split('\n');
/** @param {string} text @returns {number} its line, from 1 */
const lineOf = text => lines.findIndex(line => line.includes(text)) + 1;

/** The debugger, on a thread of its own: it goes on when the thread with the vats is stopped. */
const watcher = `
  const { Session } = require('node:inspector');
  const { parentPort, workerData } = require('node:worker_threads');
  const session = new Session();
  session.connectToMainThread();
  const stops = [];
  const urls = new Map();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params: { callFrames: [frame] } }) => {
    const { functionName, location: { scriptId, lineNumber }, callFrameId } = frame;
    const url = urls.get(scriptId);
    const expression = 'callerName';
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression }, (_, { result }) => {
      stops.push({ functionName, url, line: lineNumber + 1, callerName: result.value });
      session.post('Debugger.resume');
    });
  });
  parentPort.on('message', () => parentPort.postMessage(stops));
  session.post('Debugger.enable', () => {
    const { url, lines } = workerData;
    let left = lines.length;
    for (const line of lines) {
      session.post('Debugger.setBreakpointByUrl', { url, lineNumber: line - 1 }, error => {
        left -= 1;
        if (error || left === 0) parentPort.postMessage(error ?? 'ready');
      });
    }
  });
`;

/** @param {number[]} breakpoints  lines */
const debug = breakpoints => {
  const script = `
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
    const watcher = new Worker(${JSON.stringify(watcher)}, {
      eval: true,
      execArgv: [],
      workerData: ${JSON.stringify({ url: bob.href, lines: breakpoints })},
    });
    const [ready] = await once(watcher, 'message');
    if (ready !== 'ready') throw Error(JSON.stringify(ready));
    const config = loadConfig({ baseDir: ${JSON.stringify(fileURLToPath(demo))} });
    const simulation = await makeSimulation(config, { store: makeMemoryStore() });
    await simulation.run();
    simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
    await simulation.run();
    await simulation.close();
    watcher.postMessage('done');
    const [stops] = await once(watcher, 'message');
    console.log(JSON.stringify(stops));
    await watcher.terminate();`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
    timeout: 60_000,
  });
  return JSON.parse(said);
};

test("a breakpoint in a vat's file is hit, at its line, with the author's names", t => {
  const inHello = lineOf('makeContact(caller, callerName);');
  const inPing = lineOf('console.log(`bob: ping');
  t.deepEqual(debug([inHello, inPing]), [
    { functionName: 'hello', url: bob.href, line: inHello, callerName: 'alice' },
    { functionName: 'ping', url: bob.href, line: inPing, callerName: 'alice' },
  ]);
});
