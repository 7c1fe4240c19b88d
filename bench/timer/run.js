// A run with many wake-ups, in a process of its own: first all are set, then all happen. Started by
// suite.js.

import fs from 'node:fs';
import path from 'node:path';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { answer, withTemporaryFolder } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {number} size  the number of wake-ups
 * @property {boolean} sameTime
 * @property {'current' | '2020-09'} profile  in 2020-09 the device stores the waiting wake-ups, not
 *   the vat
 */

/** @typedef {{ setMs: number, wakeMs: number, activityHash: string }} RunResult */

/** Wake-ups set per crank, so that no crank is unusually large. */
const together = 100;

const bootstrap = `
import { E, Far } from '@endo/far';
export const buildRootObject = () => {
  let timer;
  let woken = 0;
  const handler = Far('handler', { wake() { woken += 1; } });
  return Far('root', {
    async bootstrap(vats, devices) {
      timer = await E(vats.timer).createTimerService(devices.timer);
    },
    set(from, to, sameTime) {
      const last = 4_294_967_291;
      for (let i = from; i < to; i += 1) {
        E(timer).setWakeup(sameTime ? last : 1 + ((i * 2_654_435_761) % last), handler);
      }
    },
    getWoken: () => woken,
  });
};
`;

const config = {
  bootstrap: 'bootstrap',
  vats: { bootstrap: { sourceSpec: 'bootstrap.js' } },
  devices: { timer: { parameters: { unit: '1 us' } } },
};

await answer((/** @type {RunOptions} */ { size, sameTime, profile }) =>
  withTemporaryFolder('timer', async dir => {
    fs.writeFileSync(path.join(dir, 'bootstrap.js'), bootstrap);
    fs.writeFileSync(path.join(dir, 'swingset.json'), JSON.stringify(config));
    const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
      store: makeMemoryStore(),
      engineFlags: 'speed',
      profile,
    });
    await simulation.run();

    const setStart = performance.now();
    for (let from = 0; from < size; from += together) {
      const to = Math.min(from + together, size);
      simulation.release(simulation.queueToVatRoot('bootstrap', 'set', [from, to, sameTime]));
      await simulation.run({ untilNs: 0 });
    }
    const setMs = performance.now() - setStart;

    const wakeStart = performance.now();
    await simulation.run();
    const wakeMs = performance.now() - wakeStart;

    const count = simulation.queueToVatRoot('bootstrap', 'getWoken');
    await simulation.run();
    const { data } = simulation.status(count);
    if (data?.body.replace('#', '') !== String(size))
      throw Error(`${data?.body} of ${size} were woken`);
    /** @type {RunResult} */
    const result = { setMs, wakeMs, activityHash: simulation.activityHash() };
    await simulation.close();
    return result;
  }),
);
