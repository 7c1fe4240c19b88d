// A message that began on a thread ahead of its turn is taken back when something comes before it that nobody could foresee:
// the thread's vat is then as if it had never begun.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { loadConfig, makeReport, makeSimulation, runRounds } from '#host';
import { makeMemoryStore, storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** Messages that bob gets before he may be asked for his dead references, and imports that make him due. */
const [enoughMessages, enoughImports] = [10_000, 120];

const sources = {
  // Alice tells carol at the next microstep, while bob's crank is still to be applied. Bob becomes due by what he imports
  // in it, and then carol is asked, too, before her message.
  bootstrap: `import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    let vats;
    return Far('bootstrap', {
      bootstrap(given) {
        vats = given;
        E(vats.carol).say('one');
        for (let i = 0; i < ${enoughMessages}; i += 1) E.sendOnly(vats.bob).take();
      },
      runBenchmarkRound() {
        E(vats.alice).tell(vats.carol);
        E.sendOnly(vats.bob).take(Array.from({ length: ${enoughImports} }, (_, i) => Far(\`f\${i}\`, {})));
      },
    });
  };`,
  alice: `import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('alice', { tell: carol => void E.sendOnly(carol).say('two') });`,
  bob: `import { Far } from '@endo/far';
  export const buildRootObject = () => {
    const taken = [];
    return Far('bob', { take: (things = []) => void taken.push(things) });
  };`,
  carol: `import { Far } from '@endo/far';
  export const buildRootObject = () => {
    let said = 0;
    return Far('carol', { say(text) { said += 1; console.log(text, said); return said; } });
  };`,
};

/** @param {string} baseDir @param {string[]} elsewhere  vats on threads @param {number} workers */
const run = async (baseDir, elsewhere, workers) => {
  const config = loadConfig({ baseDir });
  for (const [name, vat] of Object.entries(config.vats))
    vat.creationOptions = {
      ...vat.creationOptions,
      managerType: elsewhere.includes(name) ? 'worker' : 'local',
    };
  const store = makeMemoryStore();
  /** @type {string[]} */
  const said = [];
  const simulation = await makeSimulation(config, {
    ...{ store, profile: 'current', workers, workerDelays: 1 },
    observer: { onConsole: (vat, _level, text) => said.push(`${vat} ${text}`) },
  });
  await runRounds(simulation, { rounds: 1 });
  const { takenBack } = simulation.kernel.lookAheadCounts;
  // Each thread has collections of its own.
  const {
    ns: _ns,
    machine: _machine,
    benchmark: _benchmark,
    reapCollections: _collections,
    ...report
  } = makeReport(simulation.kernel);
  await simulation.close();
  return { takenBack, outcome: { report, said, digest: storeDigest(store) } };
};

test('a message that began on a thread is taken back, and the run is the same', async t => {
  const baseDir = temporaryDirectory(t);
  for (const [name, source] of Object.entries(sources))
    fs.writeFileSync(path.join(baseDir, `${name === 'bootstrap' ? '' : 'vat-'}${name}.js`), source);
  const vats = Object.fromEntries(
    Object.keys(sources).map(name => [
      name,
      {
        sourceSpec: `${name === 'bootstrap' ? '' : 'vat-'}${name}.js`,
        ...(name === 'carol' && { creationOptions: { reapInterval: 2 } }),
      },
    ]),
  );
  const config = { bootstrap: 'bootstrap', vats };
  fs.writeFileSync(path.join(baseDir, 'swingset.json'), JSON.stringify(config));
  // Not bob: a thread waits at random behind each of his messages.
  for (const elsewhere of [['carol'], ['alice', 'carol']]) {
    const whole = await run(baseDir, elsewhere, 0);
    t.deepEqual(whole.outcome.said, ['carol one 1', 'carol two 2']);
    t.is(whole.takenBack, 0);
    const { takenBack, outcome } = await run(baseDir, elsewhere, 2);
    t.deepEqual(outcome, whole.outcome, elsewhere.join());
    t.is(takenBack, 1, elsewhere.join());
  }
});
