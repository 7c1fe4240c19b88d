// Runs the attack with the engine's collector, called by the host not at all, after each crank for what is young, and after each
// sixty-first for all.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { loadConfig, makeMemoryStore, makeSimulation } from 'swingset-runner';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const baseDir = import.meta.dirname;
const configFile = `${baseDir}/swingset.json`;

/** @param {number} every @param {object} kind  of collection */
const run = async (every, kind) => {
  let cranks = 0;
  const log = [];
  const simulation = await makeSimulation(loadConfig({ baseDir, configFile }), {
    store: makeMemoryStore(),
    observer: { onConsole: (vat, _level, text) => log.push(`${vat}: ${text}`) },
    crankObserver: {
      applied() {
        cranks += 1;
        if (cranks % every === 0) collect(kind);
      },
    },
  });
  await simulation.run();
  console.log(simulation.activityHash(), JSON.stringify(log));
  await simulation.close();
};

await run(Infinity, {});
await run(1, { type: 'minor' });
await run(61, { type: 'major' });
