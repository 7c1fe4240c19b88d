// Output of vats: each error once, where it was made; and listings of the kernel's tables.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import {
  dumpKernel,
  loadConfig,
  makeMemoryStore,
  makeSimulation,
  makeVatOutput,
  parseError,
} from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { hasMethod } from '#host/vats/find-method.js';

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

/**
 * @param {import('ava').ExecutionContext} t
 * @param {Record<string, string>} vats  methods of their roots
 */
const makeProgram = (t, vats) => {
  const dir = temporaryDirectory(t, 'vat-output-test');
  for (const [file, methods] of Object.entries(vats)) {
    const source = `import { E, Far } from '@endo/far';
export const buildRootObject = () => Far('root', { ${methods} });\n`;
    fs.writeFileSync(path.join(dir, file), source);
  }
  return dir;
};

test('an error is shown once, in the vat that made it, however many vats it passes through', async t => {
  const baseDir = makeProgram(t, {
    'bootstrap.js': `async bootstrap(vats) {
      for (let i = 0; i < 3; i += 1) await E(vats.alice).pass(vats.bob).catch(() => {});
      throw Error('own');
    }`,
    'vat-alice.js': `pass(bob) { console.log('passing'); return E(bob).fail(); }`,
    'vat-bob.js': `fail() { throw TypeError('not here'); }`,
  });
  /** @type {string[]} */
  const errors = [];
  /** @type {string[]} */
  const log = [];
  /** @type {string[]} */
  const prints = [];
  const output = makeVatOutput({
    onError: text => errors.push(text),
    onLog: line => log.push(line),
    onPrint: line => prints.push(line),
  });
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    store: makeMemoryStore(),
    cacheDir,
    observer: output.observer,
  });
  await simulation.run();
  t.is(errors.length, 2);
  t.regex(errors[0], /^vat bob: .*vat-bob\.js:2:\d+: TypeError: not here$/);
  t.regex(errors[1], /^vat bootstrap: .*bootstrap\.js:4:\d+: Error: own$/);
  t.deepEqual(output.repeated(), [{ line: errors[0], count: 3 }]);
  t.is(output.findLine('TypeError', 'not here'), errors[0]);
  t.deepEqual(log, ['passing', 'passing', 'passing']);
  t.is(prints[0], 'vat alice: passing');

  const { data } = simulation.status(simulation.bootstrapResult);
  t.like(data && parseError(data), { name: 'Error', message: 'own' });
  await simulation.close();
});

test('both notations of an error are read, and nothing else', t => {
  const slots = /** @type {string[]} */ ([]);
  const error = { name: 'RangeError', message: 'far' };
  t.deepEqual(parseError({ body: '#{"#error":"far","errorId":"x","name":"RangeError"}', slots }), {
    ...error,
    errorId: 'x',
  });
  t.deepEqual(
    parseError({ body: '{"@qclass":"error","name":"RangeError","message":"far"}', slots }),
    error,
  );
  t.deepEqual(parseError({ body: '#{"#error":"!#sign","name":"Error"}', slots })?.message, '#sign');
  for (const body of ['#{"why":"data"}', '{"why":"data"}', '#null', '"vat terminated"', '#[]']) {
    t.is(parseError({ body, slots }), undefined);
  }
});

test('a listing has vats, objects, promises, c-lists and the queue', async t => {
  const baseDir = makeProgram(t, {
    'bootstrap.js': `bootstrap(vats) { E(vats.bob).go('x'.repeat(300)); return new Promise(() => {}); }`,
    'vat-bob.js': 'go() {}',
  });
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    store: makeMemoryStore(),
    cacheDir,
    profile: '2020-09',
  });
  t.regex(
    dumpKernel(simulation.kernel),
    /^queue\n {2}\(0, 0\) send to ko\d+: .*bootstrap.* → kp40$/m,
  );
  await simulation.step();
  const text = dumpKernel(simulation.kernel);
  t.regex(text, /^vats\n {2}v1 bob\n {2}v2 bootstrap\n {2}v3 vatAdmin \(built-in\)$/m);
  t.regex(text, /^objects\n {2}ko20 of v\d /m);
  t.regex(text, /^ {2}kp40 unresolved, decided by v2, \d references$/m);
  t.regex(text, /^c-list of v2\n( {2}k[opd]\d+ = [opd][+-]\d+\n)+/m);
  t.regex(text, /^ {2}\(0, 1\) send to ko\d+: .*x{20}… \(\d+ characters\) → kp41$/m);
  await simulation.close();
});

test('a method is found without running code of the object', t => {
  let ran = false;
  const trap = () => {
    ran = true;
    return undefined;
  };
  const proxy = new Proxy(
    { go() {} },
    { getOwnPropertyDescriptor: trap, getPrototypeOf: () => null },
  );
  t.false(hasMethod(proxy, 'go'));
  t.false(hasMethod(Object.create(proxy), 'go'));
  const getter = Object.defineProperty({}, 'go', { get: trap });
  t.false(hasMethod(getter, 'go'));
  t.false(ran);
  t.true(hasMethod({ go() {} }, 'go'));
  t.true(hasMethod(Object.create({ go() {} }), 'go'));
  t.false(hasMethod({ go: 1 }, 'go'));
  t.false(hasMethod(undefined, 'go'));
});
