// Vats drop references: they disavow presences and abandon exports.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import { initializeSwingset, kslot, krefOf, kunser, makeSwingsetController } from '../index.js';
import { initSwingStore } from '../swing-store.js';

const sourceSpec = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** @param {Record<string, any>} vats @param {any} [swingStore] */
const start = async (vats, swingStore = initSwingStore()) => {
  const config = {
    bootstrap: 'bootstrap',
    defaultReapInterval: /** @type {const} */ ('never'),
    vats: { bootstrap: { sourceSpec: sourceSpec('bootstrap.js') }, ...vats },
  };
  await initializeSwingset(config, ['x'], swingStore.kernelStorage);
  const controller = await makeSwingsetController(swingStore.kernelStorage);
  await controller.run();
  return controller;
};

/**
 * The result of a message to a vat's root.
 *
 * @param {any} c @param {string} vat @param {string} method @param {any[]} args
 */
const ask = async (c, vat, method, ...args) => {
  const kpid = c.queueToVatRoot(vat, method, args);
  await c.run();
  return c.kpStatus(kpid) === 'unresolved'
    ? 'unresolved'
    : kunser(c.kpResolution(kpid, { incref: false }));
};

/** The syscalls of a vat in all its cranks, of one kind. @param {any} c @param {string} name @param {string} kind */
const syscalls = (c, name, kind) => {
  const vatId = c.vatNameToID(name);
  const { state } = c.dump().vatTables.find((/** @type {any} */ table) => table.vatID === vatId);
  return state.transcript
    .flatMap((/** @type {any} */ entry) => entry.syscalls)
    .filter((/** @type {any} */ syscall) => syscall[0] === kind);
};

/** @param {any} c @param {string} kref */
const holdersOf = (c, kref) =>
  c
    .dump()
    .kernelTable.filter((/** @type {any} */ [entry]) => entry === kref)
    .map((/** @type {any} */ [, vatId, vref]) => `${vatId} ${vref}`);

const withDisavower = {
  maker: { sourceSpec: sourceSpec('letting-go/vat-maker.js') },
  holder: {
    sourceSpec: sourceSpec('letting-go/vat-disavower.js'),
    creationOptions: { enableDisavow: true },
  },
};

/** @param {any} [swingStore] */
const startDisavower = async swingStore => {
  const c = await start(withDisavower, swingStore);
  const thing = await ask(c, 'maker', 'make', 'thing');
  await ask(c, 'holder', 'keep', thing);
  return { c, thing };
};

test('a vat has the power to disavow only where its options say so', async t => {
  const { holder } = withDisavower;
  const c = await start({ holder, other: { sourceSpec: holder.sourceSpec } });
  t.is(await ask(c, 'holder', 'has'), 'function');
  t.is(await ask(c, 'other', 'has'), 'undefined');
});

test('a disavowed presence is dropped at once, and comes back as another object', async t => {
  const { c, thing } = await startDisavower();
  t.deepEqual(await ask(c, 'holder', 'isKept', thing), [true, 'known']);
  t.deepEqual(syscalls(c, 'holder', 'dropImports'), []);
  t.is(await ask(c, 'holder', 'drop'), undefined);
  t.is(syscalls(c, 'holder', 'dropImports').length, 1);
  t.is(await ask(c, 'holder', 'drop'), 'attempt to disavow unknown (an object)');
  t.like(await ask(c, 'holder', 'isKept', thing), [false]);
  t.is(syscalls(c, 'holder', 'dropImports').length, 1);
});

test('getStats() counts no syscalls by which vats let go, as in SwingSet', async t => {
  const { c } = await startDisavower();
  await ask(c, 'holder', 'drop');
  c.reapAllVats();
  await c.run();
  t.is(syscalls(c, 'holder', 'dropImports').length, 1);
  const stats = c.getStats();
  t.is(stats.syscallDropImports, 0);
  const kinds = Object.entries(stats).filter(([name]) => /^syscall[A-Z]/.test(name));
  t.is(
    stats.syscalls,
    kinds.reduce((sum, [, number]) => sum + number, 0),
  );
});

test('an object whose last holder disavows it is collected', async t => {
  const { c, thing } = await startDisavower();
  const kref = krefOf(thing);
  t.is(holdersOf(c, kref).length, 2);
  await ask(c, 'holder', 'drop');
  // One request goes to the holder, the next to the maker, who may drop it then.
  for (let i = 0; i < 3; i += 1) {
    c.reapAllVats();
    await c.run();
  }
  t.deepEqual(holdersOf(c, kref), []);
  t.like(syscalls(c, 'holder', 'dropImports'), { length: 1 });
});

for (const method of ['send', 'sendOnly', 'sendLater', 'give', 'pass', 'store'])
  test(`a vat that uses a disavowed presence is ended: ${method}`, async t => {
    const { c, thing } = await startDisavower();
    await ask(c, 'holder', 'drop');
    const answer = await ask(c, 'holder', method, ...(method === 'pass' ? [kslot('ko20')] : []));
    t.deepEqual(answer, Error('vat terminated'));
    t.throws(() => c.vatNameToID('holder'));
    t.deepEqual(holdersOf(c, krefOf(thing)).length, 1, 'the maker still has it');
  });

test('only imports that are not in virtual data can be disavowed', async t => {
  const { c, thing } = await startDisavower();
  const refused = (/** @type {string} */ kind, given = thing) =>
    ask(c, 'holder', 'dropBy', kind, given);
  t.is(await refused('own'), 'attempt to disavow unknown (an object)');
  t.is(await refused('text'), 'attempt to disavow unknown (a string)');
  t.is(await refused('record'), 'attempt to disavow unknown (an object)');
  const kpid = c.queueToVatRoot('maker', 'make', ['x']);
  const why = await refused('promise', kslot(String(kpid)));
  t.is(why, 'attempt to disavow non-object (an object)');
  await ask(c, 'holder', 'inBaggage', 'thing', thing);
  t.regex(await refused('thing'), /^attempt to disavow "o-\d+", which virtual data names$/);
  t.deepEqual(syscalls(c, 'holder', 'dropImports'), []);
});

test('the transcript restores a vat that disavowed a presence', async t => {
  const swingStore = initSwingStore();
  const { c, thing } = await startDisavower(swingStore);
  await ask(c, 'holder', 'drop');
  await swingStore.hostStorage.commit();
  await c.shutdown();
  const again = await makeSwingsetController(swingStore.kernelStorage);
  t.like(await ask(again, 'holder', 'isKept', thing), [false]);
  t.deepEqual(await ask(again, 'holder', 'give'), Error('vat terminated'));
});

const withAbandoner = {
  keeper: { sourceSpec: sourceSpec('letting-go/vat-disavower.js') },
  abandoner: {
    sourceSpec: sourceSpec('letting-go/vat-abandoner.js'),
    creationOptions: { enableSetup: true },
  },
};

/** @param {any} c */
const giveThing = async c => {
  const thing = await ask(c, 'abandoner', 'make');
  await ask(c, 'keeper', 'keep', thing);
  return { thing, kref: krefOf(thing) };
};

test('an abandoned export has no owner: messages to it are rejected, holders keep it', async t => {
  const c = await start(withAbandoner);
  const { thing, kref } = await giveThing(c);
  const abandoner = c.vatNameToID('abandoner');
  t.true(holdersOf(c, kref).includes(`${abandoner} o+7`));
  t.is(await ask(c, 'abandoner', 'abandon', ['o+7']), 'abandoned');
  t.deepEqual(
    holdersOf(c, kref).map((/** @type {string} */ text) => text.split(' ')[0]),
    [c.vatNameToID('keeper')],
  );
  t.deepEqual(await ask(c, 'keeper', 'send'), Error('vat terminated'));
  const sent = c.queueToVatObject(thing, 'who', []);
  await c.run();
  t.deepEqual(kunser(c.kpResolution(String(sent))), Error('vat terminated'));
});

test('an abandoned export that is exported again is another object', async t => {
  const c = await start(withAbandoner);
  const { kref } = await giveThing(c);
  await ask(c, 'abandoner', 'abandon', ['o+7']);
  const again = await ask(c, 'abandoner', 'make');
  t.not(krefOf(again), kref);
  await ask(c, 'keeper', 'keep', again);
  t.is(await ask(c, 'keeper', 'send'), 'taken');
});

test('a vat that abandons a wrong reference is ended', async t => {
  for (const vrefs of [['o+0'], ['o+99'], ['o-50'], ['p+5'], ['o+7', 'o+7'], ['nonsense']]) {
    const c = await start(withAbandoner);
    await giveThing(c);
    t.deepEqual(await ask(c, 'abandoner', 'abandon', vrefs), Error('vat terminated'), vrefs.join());
  }
});
