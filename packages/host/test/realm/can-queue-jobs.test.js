// A vat's source and what it is given tell whether it can queue promise jobs. A vat that can must never be taken for one that
// cannot: its jobs would run cranks later.

import test from 'ava';
import { Fail } from '#model';
import { canQueueJobs, globalsOfJobs } from '#loader/bundle/can-queue-jobs.js';
import { compileModule } from '#loader/bundle/compile-module.js';
import { bundleVat, importBundle, prepareBundle } from '#loader/bundle/index.js';
import { ensureLockdown } from '#loader/lockdown.js';
import { reactorModule } from '#host/vats/reactor-runtime.js';
import { runAll, write } from '../reactors/run-reactors.js';

test.before(() => ensureLockdown());

/** @param {string} text */
const isFlagged = async text => (await compileModule(text, 'x.js')).canQueueJobs;

const plain = [
  'export const f = () => { const promise = 1; return promise; };',
  'export class A { #p = 1; get then() { return this.#p; } *walk() { yield 1; } }',
  "export const text = 'async () => await Promise.resolve()'; // async, Promise",
  'export const f = list => { for (const x of list) f(x); };',
  'export const f = () => ({ async: 1, await: 2 });',
];
for (const text of plain)
  test(`cannot queue a job: ${text}`, async t => t.false(await isFlagged(text)));

const jobs = [
  'export const f = async () => {};',
  'export async function f() {}',
  'export async function* f() { yield 1; }',
  'export const o = { async m() {} };',
  'export class A { async m() {} }',
  'export class A { static async *m() {} }',
  'export const f = async g => { for await (const x of g) f(x); };',
  'export const f = () => Promise.resolve();',
  "export const f = () => import('x');",
  'export const f = () => HandledPromise.applyMethod;',
  "export const f = () => globalThis['Pro' + 'mise'];",
  "export const f = () => Function('return Pro' + 'mise');",
  'export const { evaluate } = new Compartment();',
  "export const f = (0, eval)('1');",
  'export const f = () => class extends Promise {};',
  'export const f = () => \\u0050romise.resolve();',
];
for (const text of jobs) test(`may queue a job: ${text}`, async t => t.true(await isFlagged(text)));

test('every node of the tree is visited', t => {
  /** @param {any} inner */
  const wrap = inner => ({
    type: 'Program',
    start: 0,
    end: 0,
    body: [{ type: 'X', deep: { type: 'Y', list: [null, inner] } }],
  });
  t.true(canQueueJobs(wrap({ type: 'Identifier', name: 'Promise' })));
  t.true(canQueueJobs(wrap({ type: 'AwaitExpression' })));
  t.false(canQueueJobs(wrap({ type: 'Identifier', name: 'promise' })));
});

/**
 * @param {import('ava').ExecutionContext} t
 * @param {string} source
 */
const prepare = async (t, source) => {
  const { vats } = write(t, { vats: { it: source } });
  const { bundle } = await bundleVat(/** @type {string} */ (vats.it.sourceFile));
  return prepareBundle(bundle);
};

const reactor = "import { Reactor } from 'swingset-runner/reactor';\n";

const wholes = /** @type {const} */ ([
  ['of reactors alone', `${reactor}export const buildReactor = () => new Reactor();`, true],
  ['with a root object', `${reactor}export const buildRootObject = () => ({});`, false],
  ['that may be a raw one', `${reactor}export default () => {};`, false],
  [
    'that imports a module which makes promises',
    `${reactor}import { E } from '@endo/far';\nexport const buildReactor = () => new Reactor(E);`,
    false,
  ],
]);
for (const [what, source, expected] of wholes)
  test(`a vat ${what} is ${expected ? '' : 'not '}known to be synchronous`, async t => {
    t.is((await prepare(t, source)).isSynchronous, expected);
  });

/** All that can be reached by properties and prototypes. @param {unknown[]} from @returns {Map<object, string>} */
const reachable = from => {
  /** @type {Map<object, string>} */
  const found = new Map();
  /** @type {[unknown, string][]} */
  const waiting = from.map((value, i) => [value, `${i}`]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, path] = next;
    if (Object(value) !== value || found.has(/** @type {object} */ (value))) continue;
    const object = /** @type {object} */ (value);
    found.set(object, path);
    waiting.push([Reflect.getPrototypeOf(object), `${path}.__proto__`]);
    for (const key of Reflect.ownKeys(object)) {
      const {
        value: held,
        get,
        set,
      } = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(object, key));
      for (const part of [held, get, set]) waiting.push([part, `${path}.${String(key)}`]);
    }
  }
  return found;
};

/** Sources of promises that must not be found. */
const sources = () => {
  const asyncFunction = async () => {};
  const asyncGenerator = async function* none() {};
  return new Map(
    /** @type {[object, string][]} */ ([
      [Promise, 'Promise'],
      [Promise.prototype, 'Promise.prototype'],
      [Reflect.getPrototypeOf(asyncFunction), 'the prototype of async functions'],
      [Reflect.getPrototypeOf(asyncGenerator), 'the prototype of async generators'],
      [Reflect.getPrototypeOf(asyncGenerator.prototype), 'their methods'],
    ]),
  );
};

test('without the detected globals, a vat reaches nothing that makes a promise', async t => {
  const { vats } = write(t, {
    vats: {
      it: `${reactor}import * as all from 'swingset-runner/reactor';
        class Main extends Reactor {
          out = this.output();
          tick = this.timer(0, '1 ms');
          act = this.action();
          r = this.reaction({ triggers: [this.tick, this.startup], effects: [this.out, this.act] }, () => {
            this.out.set(1);
            this.act.schedule(1);
          });
        }
        export const reach = [all, new Main(), globalThis, (function* () {})()];
        export const buildReactor = powers => { console.log('powers', powers, main); return main; };
        const main = new Main();`,
    },
  });
  const { loadReactorRuntime } = await import('#host/vats/reactor-runtime.js');
  const { supervisors, HandledPromise, hardenForVat, makeVatDataParts, makeWeakCollections } =
    await import('#vat');
  const { shim, observedBy } = await loadReactorRuntime();
  const { bundle } = await bundleVat(/** @type {string} */ (vats.it.sourceFile));
  const { VatData } = makeVatDataParts('it');
  /** @type {unknown[]} */
  const shown = [];
  const { namespace, compartment } = await importBundle(bundle, {
    name: 'it',
    shims: { [reactorModule]: shim },
    endowments: { HandledPromise, VatData, harden: hardenForVat },
    inherited: makeWeakCollections(),
  });
  // Its powers, and its reactors when they have run.
  const supervisor = supervisors.smallcaps({
    vatId: 'v1',
    vatPowers: { testLog: () => {}, VatData },
    onSentError: error => t.fail(String(error)),
    makeProgram: observedBy(undefined),
    buildReactor: powers => {
      shown.push(powers);
      const main = namespace.buildReactor(powers);
      shown.push(main);
      return main;
    },
    lenient: true,
    buildRoot: () => harden({ bootstrap: () => {} }),
  });
  const settled = () => new Promise(resolve => setImmediate(resolve));
  const at = { timeNs: 0, microstep: 0, stage: 0 };
  const answer = () => Fail`it asks for nothing`;
  supervisor.begin(['startVat', { body: '#{}', slots: [] }], answer, at);
  await settled();
  t.is(supervisor.finish().fault, null);
  supervisor.begin(['react', [], false, [0]], answer, at);
  await settled();
  t.is(supervisor.finish().fault, null);
  t.is(shown.length, 2);

  const globals = Reflect.ownKeys(compartment.globalThis)
    .filter(name => !globalsOfJobs.has(String(name)))
    .map(name => compartment.globalThis[name]);
  const [all, main, , generator] = namespace.reach;
  const found = reachable([...globals, all, main, generator, ...shown]);
  t.true(found.size > 1000, `${found.size}`);
  t.true(found.has(/** @type {object} */ (shim.Reactor)));
  for (const [value, name] of sources()) t.is(found.get(value), undefined, name);
  // A vat without a root object has no virtual data, so that watching a promise throws.
  const throwing = new Set([VatData.providePromiseWatcher, VatData.watchPromise]);
  for (const call of throwing) t.throws(call, { message: /are for vats .* that export buildRoot/ });
  for (const [value, path] of found)
    if (typeof value === 'function' && !throwing.has(/** @type {any} */ (value)))
      t.notRegex(value.name, /async|promise/i, path);
  // The walk finds them where they are.
  const withAll = reachable([compartment.globalThis, async () => {}]);
  for (const value of [Promise, Promise.prototype]) t.true(withAll.has(value));
});

const ticking = `
  tick = this.timer('1 ms', '1 ms');
  n = 0;
  say = what => console.log(this.util.getElapsedLogicalTime() / 1e6, what);
`;

const instants = [1, 2, 3, 4, 5, 6, 7, 8];

/** @param {string} vat */
const inTurn = vat => instants.flatMap(ms => [`${vat}: ${ms} reaction`, `${vat}: ${ms} job`]);

test('the jobs of a reaction run before the next reaction, in any way that a vat may have come to a promise', async t => {
  const other = {
    vats: {
      maker: `${reactor}
        import { E, Far } from '@endo/far';
        class Maker extends Reactor {
          out = this.output();
          r = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set({ p: new Promise(() => {}) }));
        }
        export const buildReactor = () => new Maker();`,
      // Without the word: of what it is given.
      taker: `${reactor}
        class Taker extends Reactor {
          in = this.input();
          ${ticking}
          given;
          take = this.reaction({ triggers: this.in }, () => void (this.given = this.in.get().p));
          r = this.reaction({ triggers: this.tick }, () => {
            const { constructor } = this.given ?? {};
            this.say('reaction');
            if (constructor) constructor.resolve().then(() => this.say('job'));
          });
        }
        export const buildReactor = () => new Taker();`,
    },
    // Delayed, since a vat that waits for values at its own tag does not go on by itself.
    connections: [{ from: 'maker.out', to: 'taker.in', after: '0 ms' }],
    timeout: '8 ms',
  };
  const given = await runAll(t, other);
  t.deepEqual(given.printed, inTurn('taker'));
  const own = await runAll(t, {
    vats: {
      own: `${reactor}
        class Own extends Reactor {
          ${ticking}
          r = this.reaction({ triggers: this.tick }, () => void this.goOn());
          async goOn() {
            this.say('reaction');
            await null;
            this.say('job');
          }
        }
        export const buildReactor = () => new Own();`,
    },
    timeout: '8 ms',
  });
  t.deepEqual(own.printed, inTurn('own'));
});

test('a method of a vat without a root may keep what settles its result, and settle it in a reaction', async t => {
  const { printed } = await runAll(t, {
    vats: {
      asks: `${reactor}
        import { E } from '@endo/far';
        class Asks extends Reactor {
          in = this.input();
          r = this.reaction({ triggers: this.in }, () => {
            E(this.in.get()).ask().then(answer => console.log('answer', answer));
          });
        }
        export const buildReactor = () => new Asks();`,
      answers: `${reactor}
        class Answers extends Reactor {
          out = this.output();
          ${ticking}
          settle = () => {};
          object = harden({ ask: () => ({ then: resolve => { this.settle = resolve; } }) });
          give = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(this.object));
          r = this.reaction({ triggers: this.tick }, () => {
            this.n += 1;
            this.say('tick');
            if (this.n === 3) this.settle(this.n);
          });
        }
        export const buildReactor = () => new Answers();`,
    },
    connections: [{ from: 'answers.out', to: 'asks.in' }],
    timeout: '8 ms',
    // The module of `Far` brings modules along that can queue jobs.
    lenient: true,
  });
  const ticks = instants.map(ms => `answers: ${ms} tick`);
  t.deepEqual(
    printed.filter(line => line.includes('tick')),
    ticks,
  );
  t.true(printed.includes('asks: answer 3'));
});
