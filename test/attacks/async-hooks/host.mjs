// A host program with async hooks of the kind that is its argument.
import assert from 'node:assert/strict';
import { AsyncLocalStorage, createHook, executionAsyncId } from 'node:async_hooks';
import { loadConfig, makeMemoryStore, makeSimulation } from 'swingset-runner';

const [kind] = process.argv.slice(2);
const storage = new AsyncLocalStorage();
const secret = { password: 'of the host' };
let inits = 0;
const init = () => {
  inits += 1;
};
const hooks = {
  none: undefined,
  init: { init },
  all: { init, before() {}, after() {}, destroy() {}, promiseResolve() {} },
  before: { before() {} },
  resolve: { promiseResolve() {} },
  destroy: { destroy() {} },
  late: { init },
  observer: { init },
};

const enable = () => hooks[kind] && createHook(hooks[kind]).enable();

const work = async () => {
  const lines = [];
  let calls = 0;
  const onConsole = (name, _level, text) => {
    lines.push(`${name}: ${text}`);
    calls += 1;
    if (kind === 'observer' && calls === 1) {
      enable();
      storage.run(secret, () => {});
    }
    // The host's own context is there in its callbacks.
    if (kind === 'storage') assert.equal(storage.getStore(), secret);
  };
  const simulation = await makeSimulation(loadConfig({ baseDir: import.meta.dirname }), {
    store: makeMemoryStore(),
    observer: { onConsole },
  });
  if (kind === 'late') enable();
  await simulation.run();
  simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
  await simulation.run();
  console.log(lines.join('\n'));
  console.log(simulation.activityHash());
  await simulation.close();
};

if (kind !== 'late' && kind !== 'observer') enable();
if (kind === 'storage') await storage.run(secret, work);
else await work();

// The host's hooks are as they were.
const before = inits;
const promise = Promise.resolve().then(() => executionAsyncId());
const id = await promise;
if (hooks[kind]?.init) assert(inits > before, 'the hooks are gone');
if (hooks[kind] !== undefined) assert(id > 0, 'the ids are gone');
if (kind === 'storage')
  await storage.run(secret, async () => {
    await null;
    assert.equal(storage.getStore(), secret);
  });
