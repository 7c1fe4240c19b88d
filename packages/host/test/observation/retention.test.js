// Retention groups objects by holder, owner and interface, with their age, and names rings across vats.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { loadConfig, makeSimulation, openLmdbStore, readStoredRetention, runRounds } from '#host';
import { makeMemoryStore } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { readInterfaceNames } from '#host/reports/interface-names.js';
import { findRetention } from '#host/reports/retention.js';
import { findGroups } from '#host/reports/strong-groups.js';

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

/** @param {string} body */
const vat = body =>
  `import { E, Far } from '@endo/far';\nexport const buildRootObject = () => { ${body} };\n`;

/** Each round, alice and bob get one object of each other's, which hold each other, and bob keeps a loose one. */
const program = {
  'bootstrap.js': vat(`let vats;
    return Far('root', {
      bootstrap(all) { vats = all; },
      runBenchmarkRound() { return E(vats.alice).meet(vats.bob); },
    });`),
  'vat-alice.js': vat(`const kept = [];
    return Far('root', {
      async meet(bob) {
        let other;
        const mine = Far('left hand', { take(it) { other = it; } });
        await E(bob).shake(mine);
        kept.push(Far('never sent', {}));
        await E(bob).keep(Far('gift', {}));
      },
    });`),
  'vat-bob.js': vat(`const gifts = [];
    return Far('root', {
      shake(theirs) { return E(theirs).take(Far('right hand', { theirs() { return theirs; } })); },
      keep(it) { gifts.push(it); },
    });`),
};

/** @param {string} dir */
const writeProgram = dir => {
  for (const [name, text] of Object.entries(program)) fs.writeFileSync(path.join(dir, name), text);
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test(`${profile}: groups have holder, owner, interface, number and age`, async t => {
    const dir = temporaryDirectory(t);
    writeProgram(dir);
    const store = makeMemoryStore();
    const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
      store,
      cacheDir,
      profile,
    });
    await runRounds(simulation, { rounds: 5 });
    const { vats, groups, unheld, rings, stored } = findRetention(simulation.kernel, store);

    const find = (/** @type {string} */ holder, /** @type {string} */ iface) =>
      groups.find(group => group.holder === holder && group.iface === iface);
    t.like(find('bob', 'left hand'), { owner: 'alice', count: 5, onlyRecognised: 0 });
    t.like(find('bob', 'gift'), { owner: 'alice', count: 5 });
    t.like(find('alice', 'right hand'), { owner: 'bob', count: 5 });
    t.is(find('alice', 'never sent'), undefined);
    const gifts = find('bob', 'gift');
    const hands = find('bob', 'left hand');
    t.true((hands?.ageDeliveries ?? 0) > (gifts?.ageDeliveries ?? 0));
    t.true(Number(gifts?.newest.slice(2)) > Number(gifts?.oldest.slice(2)));
    t.like(
      groups.find(({ holder, owner }) => holder === 'config' && owner === 'alice'),
      { count: 1 },
    );
    t.deepEqual(unheld, []);

    const bob = vats.find(({ name }) => name === 'bob');
    t.is(bob?.imports, 10);
    t.is(bob?.exports, 6);
    t.true(Number(bob?.transcriptBytes) > 0);

    // The roots are the config's: bootstrap is in no ring.
    t.deepEqual(
      rings.map(ring => ring.vats),
      [['alice', 'bob']],
    );
    t.deepEqual(
      rings[0].links.map(({ holder, owner, iface, count }) => [holder, owner, iface, count]).sort(),
      [
        ['alice', 'bob', 'right hand', 5],
        ['bob', 'alice', 'gift', 5],
        ['bob', 'alice', 'left hand', 5],
      ],
    );
    t.is(stored['c-lists'].keys > 16, true);
    t.true(stored.transcripts.bytes > 0);
    await simulation.close();
  });
}

test('a database gives the same as the running simulation, and holding in one direction makes no ring', async t => {
  const dir = temporaryDirectory(t);
  writeProgram(dir);
  fs.writeFileSync(
    path.join(dir, 'vat-bob.js'),
    vat(
      `const all = []; return Far('root', { shake(it) { all.push(it); }, keep(it) { all.push(it); } });`,
    ),
  );
  const place = { dir: path.join(dir, 'state'), durability: /** @type {const} */ ('none') };
  const store = openLmdbStore({ ...place, create: true });
  const simulation = await makeSimulation(loadConfig({ baseDir: dir }), { store, cacheDir });
  await runRounds(simulation, { rounds: 3 });
  const running = findRetention(simulation.kernel, store);
  await simulation.close();
  const again = openLmdbStore({ ...place, create: false });
  t.deepEqual(await readStoredRetention(again), running);
  await again.close();
  t.deepEqual(running.rings, []);
});

test('names of interfaces are read in both notations, and any body is accepted', t => {
  /** @param {string} body @param {string[]} slots */
  const namesIn = (body, slots) => {
    /** @type {[string, string][]} */
    const found = [];
    readInterfaceNames({ body, slots }, (slot, name) => found.push([slot, name]));
    return found;
  };
  t.deepEqual(namesIn('#{"a":"$1.Alleged: purse","b":["$0","!$0.no"],"c":"&0"}', ['o+1', 'o-2']), [
    ['o-2', 'purse'],
  ]);
  t.deepEqual(
    namesIn(
      '[{"@qclass":"slot","iface":"Alleged: purse","index":0},"$0.no"]'.replace(',"$0.no"', ''),
      ['o+1'],
    ),
    [['o+1', 'purse']],
  );
  t.deepEqual(namesIn('#"$7.far"', ['o+1']), []);
  t.notThrows(() => namesIn('#{', ['o+1']));
  t.notThrows(() => namesIn(`#${'['.repeat(100_000)}${']'.repeat(100_000)}`, ['o+1']));
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), body => {
      namesIn(body, ['o+1']);
      namesIn(`#${body}`, ['o+1']);
    }),
  );
});

test('groups consist of nodes that reach each other', t => {
  const graph = fc.integer({ min: 1, max: 9 }).chain(size =>
    fc.record({
      size: fc.constant(size),
      edges: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 25 }),
    }),
  );
  fc.assert(
    fc.property(graph, ({ size, edges }) => {
      const nodes = Array.from({ length: size }, (_, i) => `v${i}`);
      /** By the definition: Warshall's closure. */
      const reaches = nodes.map(() => nodes.map(() => false));
      for (const [from, to] of edges) reaches[from][to] = true;
      for (let via = 0; via < size; via += 1)
        for (let from = 0; from < size; from += 1)
          for (let to = 0; to < size; to += 1)
            if (reaches[from][via] && reaches[via][to]) reaches[from][to] = true;
      const expected = new Set(
        nodes
          .map((_, i) => nodes.filter((__, k) => i === k || (reaches[i][k] && reaches[k][i])))
          .filter(group => group.length > 1)
          .map(group => group.join(' ')),
      );
      const found = findGroups(nodes, node =>
        edges.filter(([from]) => `v${from}` === node).map(([, to]) => `v${to}`),
      );
      t.deepEqual(
        found.map(group => group.join(' ')),
        [...expected],
      );
    }),
  );
  const chain = Array.from({ length: 50_000 }, (_, i) => `v${i}`);
  const next = (/** @type {string} */ node) => [`v${(Number(node.slice(1)) + 1) % chain.length}`];
  t.is(findGroups(chain, next)[0].length, chain.length);
});
