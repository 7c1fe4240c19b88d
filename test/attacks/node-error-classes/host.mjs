// The host's own errors, after a run.
import fs from 'node:fs';
import { loadConfig, makeMemoryStore, makeSimulation } from 'swingset-runner';

const sources = [
  () => Buffer.byteLength(1),
  () => fs.readFileSync(1n),
  () => new TextDecoder('no such encoding'),
  () => new URL('nowhere'),
  () => structuredClone(() => {}),
  () => new TextEncoder().encodeInto(1, 2),
  () => fs.openSync('/no/such/file'),
];

const simulation = await makeSimulation(loadConfig({ baseDir: import.meta.dirname }), {
  store: makeMemoryStore(),
});
await simulation.run();
for (const source of sources) {
  try {
    source();
  } catch (error) {
    console.log(`${error}`, error.note);
  }
}
await simulation.close();
console.log('done');
