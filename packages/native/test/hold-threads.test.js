// The engine's threads are held on one of two cores, the main thread is not, nor are threads that are started later.

import { execFileSync } from 'node:child_process';
import test from 'ava';
import { openCounters } from '../index.js';

const program = `
  import fs from 'node:fs';
  import { Worker } from 'node:worker_threads';
  import { holdThreads } from ${JSON.stringify(new URL('../index.js', import.meta.url))};
  const list = () => fs.readdirSync('/proc/self/task').map(Number);
  const coresOf = thread => /Cpus_allowed_list:\\s*(.*)/.exec(fs.readFileSync('/proc/self/task/' + thread + '/status', 'utf8'))[1];
  const start = () => new Worker('setInterval(() => {}, 1000)', { eval: true });
  const all = coresOf(process.pid);
  const atStart = list();
  const { isHeld, holdStarted } = holdThreads();
  const afterwards = start();
  const free = list().filter(thread => !atStart.includes(thread)).map(coresOf);
  const before = list();
  const started = holdStarted(start);
  const held = list().filter(thread => !before.includes(thread)).map(coresOf);
  const engine = atStart.filter(thread => thread !== process.pid).map(coresOf);
  console.log(JSON.stringify({ isHeld, all, main: coresOf(process.pid), engine, free, held }));
  await Promise.all([afterwards.terminate(), started.terminate()]);
`;

const run = () =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
  );

const { cores, origin } = openCounters();
const ifLinux = process.platform === 'linux' && origin !== 'javascript' ? test : test.skip;

ifLinux("the engine's threads leave one of two cores to the main thread", t => {
  const { isHeld, all, main, engine, free, held } = run();
  t.is(isHeld, cores.length === 2);
  t.is(main, all);
  t.true(engine.length > 0);
  t.is(free.length, 1);
  t.is(held.length, 1);
  const wanted = isHeld ? String(cores[1]) : all;
  for (const found of [...engine, ...held]) t.is(found, wanted);
  // It could inherit the cores of the main thread only.
  t.is(free[0], all);
});
