// The raw form of the tables has everything that a commit writes.

import test from 'ava';

import { makeKernel, rawTables } from '#kernel';
import { makeMemoryStore } from '#store';
import { makeRandom, makeRandomProgram, runRandomProgram, sha256 } from '#testkit';

/** Keys that stand for others, or are the store's own. */
const replaced = [
  'schema',
  /^kernel\.(figures|counters)(\.names)?$/,
  /^hash\.(chain|tail\.\d\d)$/,
  /^local\./,
];

/** @param {string} key */
const isReplaced = key =>
  replaced.some(each => (typeof each === 'string' ? each === key : each.test(key)));

test('a running state and its store have the same raw tables, with every key of the store', async t => {
  let items = 0;
  for (let seed = 0; seed < 20; seed += 1) {
    const program = makeRandomProgram(`raw tables ${seed}`);
    const random = makeRandom(seed);
    let blocks = 0;
    const { store } = await runRandomProgram(program, {
      blockSize: () => 1 + random.below(20),
      onBlock(kernel) {
        blocks += 1;
        if (blocks % 5 !== 0) return;
        const raw = rawTables(kernel.state);
        items += raw.filter(([key]) => key.startsWith('q.')).length;
        const loaded = makeKernel(program.profile, {
          store: kernel.state.store,
          sha256,
          onVatFault: () => {},
        });
        loaded.load();
        t.deepEqual(rawTables(loaded.state), raw);
        const stored = new Map(kernel.state.store.entries(''));
        const keys = [...stored.keys()].filter(key => !isReplaced(key));
        const made = raw.filter(([key]) => !/^kernel\.(figures|counters)\.|^hash$/.test(key));
        t.deepEqual(
          made.map(([key]) => key),
          keys,
        );
        for (const [key, value] of made) t.is(stored.get(key), value);
      },
    });
    await store.close();
  }
  t.true(items > 0);
});

test('the raw tables have values of the host that are not committed yet', async t => {
  const { store } = await runRandomProgram(makeRandomProgram('host values'));
  const kernel = makeKernel('current', { store, sha256, onVatFault: () => {} });
  kernel.setHostValue('host.new', '1');
  kernel.setHostValue('local.new', '2');
  const raw = new Map(rawTables(kernel.state));
  t.is(raw.get('host.new'), '1');
  t.false(raw.has('local.new'));
  kernel.setHostValue('host.new', undefined);
  t.false(new Map(rawTables(kernel.state)).has('host.new'));
});

test('the raw tables of a large state are read, too', t => {
  const kernel = makeKernel('current', {
    ...{ store: makeMemoryStore(), sha256, onVatFault: () => {} },
  });
  const vat = { name: 'a', source: '', parameters: '#[]', isBuiltIn: true, pipelining: false };
  kernel.initialise({ vats: [{ ...vat, options: {} }], devices: [], bootstrap: '' });
  // More than a call may have arguments.
  const count = 150_000;
  for (let i = 0; i < count; i += 1) kernel.queueToVatRoot('v1', { body: '#[]', slots: [] });
  const raw = rawTables(kernel.state);
  t.is(raw.filter(([key]) => key.startsWith('q.')).length, count);
});
