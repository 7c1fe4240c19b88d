// A program that closes its simulation while a thread is within a function of the engine that cannot be ended.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const host = new URL('../../public.js', import.meta.url).href;

const files = {
  'swingset.json': JSON.stringify({
    bootstrap: 'alice',
    vats: { alice: { sourceSpec: './alice.js', creationOptions: { limits: { crankMs: 100 } } } },
  }),
  'alice.js': `import { Far } from '@endo/far';
    export const buildRootObject = () => Far('alice', {
      bootstrap() {
        console.log('now');
        Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);
      },
    });`,
  'main.mjs': `import { loadConfig, makeMemoryStore, makeSimulation } from '${host}';
    const store = makeMemoryStore();
    const simulation = await makeSimulation(loadConfig({ baseDir: import.meta.dirname }), {
      store: { ...store, close: async () => console.log('store closed') },
    });
    simulation.run();
    setTimeout(async () => {
      await simulation.close();
      console.log('closed');
      await new Promise(setImmediate);
      process.kill(process.pid, 'SIGKILL');
    }, 1000);`,
};

test('a thread that cannot be ended does not keep close() from returning', async t => {
  const folder = temporaryDirectory(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  /** @type {{ stdout: string, stderr: string }} */
  const { stdout, stderr } = await new Promise(resolve => {
    const options = { timeout: 100_000, killSignal: /** @type {const} */ ('SIGKILL') };
    execFile(process.execPath, [path.join(folder, 'main.mjs')], options, (_error, out, err) => {
      resolve({ stdout: out, stderr: err });
    });
  });
  t.is(stdout, 'store closed\nclosed\n', stderr);
  t.regex(stderr, /a vat keeps its thread within a function of the engine/);
});
