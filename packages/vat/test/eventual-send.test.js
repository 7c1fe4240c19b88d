// The order of promise jobs decides the order of a vat's syscalls, so `E` is held against the library's by
// random programs: every call of a handler, every local call and every reaction must come in the same order.

import 'ses';
import '@endo/eventual-send/shim.js';
import '#testkit/lockdown.js';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import test from 'ava';
import fc from 'fast-check';
import { E as libraryE } from '@endo/eventual-send';
import { E, HandledPromise } from '../eventual-send/index.js';

const libraryHandledPromise = /** @type {any} */ (globalThis).HandledPromise;

/** @typedef {{ op: string, target: number, arg: number, depth: number }} Step */

/**
 * Run a program of eventual sends and list what happens in which order, and whether a message waited for its own result.
 *
 * @param {any} e
 * @param {any} Promised
 * @param {Step[]} steps
 */
const trace = async (e, Promised, steps) => {
  /** @type {string[]} */
  const log = [];
  /** @type {any[]} */
  const values = [];
  /** @type {(() => void)[]} */
  const settlers = [];
  let count = 0;
  let hasRing = false;

  const makeHandler = (/** @type {string} */ name) => ({
    applyMethod(/** @type {any} */ _o, /** @type {any} */ prop, /** @type {any[]} */ args) {
      log.push(`${name}.${String(prop)}(${args.length})`);
      return makePending(`${name}.r`);
    },
    get(/** @type {any} */ _o, /** @type {any} */ prop) {
      log.push(`${name} get ${String(prop)}`);
      return 5;
    },
  });
  const makePresence = (/** @type {string} */ name) => {
    let presence;
    new Promised(
      (/** @type {any} */ _r, /** @type {any} */ _j, /** @type {any} */ resolveWithPresence) => {
        presence = resolveWithPresence(makeHandler(name));
      },
    );
    return presence;
  };
  const makePending = (/** @type {string} */ name) => {
    const promise = new Promised((/** @type {any} */ resolve, /** @type {any} */ reject) => {
      settlers.push(
        () => resolve(harden({ name })),
        () => reject(harden(Error(name))),
        () => resolve(makePresence(`${name}!`)),
        () => resolve(values[count % values.length]),
      );
    }, makeHandler(name));
    promise.catch(() => {});
    return promise;
  };
  const makeLocal = (/** @type {string} */ name) =>
    harden({
      m(/** @type {any[]} */ ...args) {
        log.push(`${name}.m(${args.length})`);
        return args.length > 0 ? args[0] : name;
      },
      async later() {
        log.push(`${name}.later`);
        await null;
        log.push(`${name}.later again`);
        return name;
      },
      fail() {
        log.push(`${name}.fail`);
        throw Error(name);
      },
      p: 7,
    });
  const watch = (/** @type {any} */ promise) => {
    count += 1;
    const id = count;
    values.push(promise);
    promise.then(
      (/** @type {any} */ value) => log.push(`${id} ok ${typeof value}`),
      (/** @type {any} */ error) => {
        log.push(`${id} no ${error.name}`);
        if (/waits for its own result$/.test(error.message)) hasRing = true;
      },
    );
  };

  values.push(makePresence('A'), makeLocal('L'), makePending('P'), 3);
  const native = /** @type {any} */ ({});
  values.push(
    new Promise((resolve, reject) => Object.assign(native, { resolve, reject })),
    Promise.resolve(makeLocal('M')),
    Promise.reject(harden(Error('gone'))).catch(() => Promise.reject(harden(Error('gone too')))),
  );
  settlers.push(
    () => native.resolve(makePresence('N')),
    () => native.reject(harden(Error('native'))),
  );
  for (const promise of values.slice(-3)) promise.catch(() => {});

  const perform = (/** @type {Step} */ { op, target, arg, depth }) => {
    const x = values[target % values.length];
    const y = values[arg % values.length];
    switch (op) {
      case 'method':
        return watch(e(x).m(...[y, y, y].slice(0, depth)));
      case 'later':
        return watch(e(x).later());
      case 'fail':
        return watch(e(x).fail());
      case 'function':
        return watch(e(x)(1));
      case 'get':
        return watch(e.get(x).p);
      case 'when':
        return watch(e.when(x, (/** @type {any} */ v) => (log.push('when'), v)));
      case 'sendOnly':
        return void e.sendOnly(x).m(1);
      case 'chain':
        return watch(e(e(x).m(y)).m());
      case 'resolve':
        return watch(e.resolve(x));
      case 'settle':
        return settlers.length > 0 ? settlers.splice(arg % settlers.length, 1)[0]() : undefined;
      default:
        return watch(new Promised((/** @type {any} */ resolve) => resolve(x)));
    }
  };
  for (const step of steps) {
    perform(step);
    // Some steps are a job or a few after the ones before.
    for (let i = 0; i < step.depth - 1; i += 1) await null;
    if (step.depth > 0) log.push('--');
  }
  await new Promise(resolve => setImmediate(resolve));
  return { log, hasRing };
};

const arbStep = fc.record({
  op: fc.constantFrom(
    'method',
    'method',
    'later',
    'fail',
    'function',
    'get',
    'when',
    'sendOnly',
    'chain',
    'chain',
    'resolve',
    'settle',
    'settle',
    'new',
  ),
  target: fc.nat(20),
  arg: fc.nat(20),
  depth: fc.nat(3),
});

test('everything happens in the order in which @endo/eventual-send does it', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbStep, { minLength: 1, maxLength: 14 }), async steps => {
      const { log, hasRing } = await trace(E, HandledPromise, steps);
      // The library sends such a message again and again, within one turn of the engine's, and never comes back.
      fc.pre(!hasRing);
      const expected = await trace(libraryE, libraryHandledPromise, steps);
      t.deepEqual(log, expected.log);
    }),
    { numRuns: 1500 },
  );
});

test('a send to a presence reaches its handler in the next job', async t => {
  /** @type {string[]} */
  const log = [];
  let presence;
  new HandledPromise(
    (/** @type {any} */ _r, /** @type {any} */ _j, /** @type {any} */ resolveWithPresence) => {
      presence = resolveWithPresence({ applyMethod: () => log.push('send') });
    },
  );
  E(presence).m();
  Promise.resolve().then(() => log.push('after'));
  log.push('before');
  await null;
  await null;
  t.deepEqual(log, ['before', 'send', 'after']);
});

test('an error of a local call lists the methods of the target', async t => {
  const thing = harden({ a() {}, b: 1 });
  await t.throwsAsync(E(thing).c(), {
    message: 'target has no method "c", has ["a"]',
    instanceOf: TypeError,
  });
  await t.throwsAsync(E(thing)[Symbol.asyncIterator](), {
    message: 'target has no method "[Symbol(Symbol.asyncIterator)]", has ["a"]',
  });
  await t.throwsAsync(E(thing).b(), {
    message: 'invoked method "b" is not a function; it is a "number"',
  });
  await t.throwsAsync(E(undefined).c(), {
    message: 'Cannot deliver "c" to target; typeof target is "undefined"',
  });
  await t.throwsAsync(E(3)(), {
    message: 'Cannot invoke target as a function; typeof target is "number"',
  });
});

test('messages to a promise that is resolved to itself are rejected, sent before or after', async t => {
  /** @type {(value: unknown) => void} */
  let resolve = () => {};
  const promise = new HandledPromise((/** @type {any} */ take) => {
    resolve = take;
  });
  const early = E(promise).m();
  resolve(promise);
  await t.throwsAsync(early, { message: /^Chaining cycle/ });
  await t.throwsAsync(E(promise).m(), { message: /^Chaining cycle/ });
  await t.throwsAsync(promise, { message: /^Chaining cycle/ });
});

test('a promise that comes back to itself over another one rejects messages too', async t => {
  /** @type {(value: unknown) => void} */
  let resolve = () => {};
  const first = new HandledPromise((/** @type {any} */ take) => {
    resolve = take;
  });
  const second = new HandledPromise((/** @type {any} */ take) => take(first));
  resolve(second);
  await t.throwsAsync(E(first).m(), { message: /^Chaining cycle/ });
  await t.throwsAsync(E(second).m(), { message: /^Chaining cycle/ });
});

const waitsForItself = { message: /^Chaining cycle .* waits for its own result$/ };

test('a message to a promise that is resolved to the result of the message is rejected', async t => {
  /** @type {(value: unknown) => void} */
  let resolve = () => {};
  for (const handler of [undefined, { applyMethod: () => 1 }]) {
    const promise = new HandledPromise((/** @type {any} */ take) => {
      resolve = take;
    }, handler);
    const result = E(promise).m();
    resolve(result);
    await t.throwsAsync(result, waitsForItself);
    await t.throwsAsync(promise, waitsForItself);
    await t.throwsAsync(E(promise).m(), waitsForItself);
  }
});

test('messages that wait for the results of each other are rejected, also where one waits already', async t => {
  /** @type {(value: unknown) => void} */
  let resolve = () => {};
  const promise = new HandledPromise((/** @type {any} */ take) => {
    resolve = take;
  });
  const first = E(promise).m();
  const second = E(E(first).m()).m();
  await new Promise(done => setImmediate(done));
  resolve(second);
  await t.throwsAsync(first, waitsForItself);
  await t.throwsAsync(second, waitsForItself);
});

test('a message goes on over a thousand promises that are resolved one after the other', async t => {
  /** @type {((value: unknown) => void)[]} */
  const resolvers = [];
  const promises = Array.from(
    { length: 1000 },
    () => new HandledPromise((/** @type {any} */ take) => void resolvers.push(take)),
  );
  const result = E(promises[0]).m();
  for (let i = 0; i < 999; i += 1) {
    resolvers[i](promises[i + 1]);
    await null;
  }
  resolvers[999](harden({ m: () => 'there' }));
  t.is(await result, 'there');
});

test('arguments are hardened when they are sent', async t => {
  const inner = { x: 1 };
  E({ m() {} }).m([inner]);
  t.true(Object.isFrozen(inner));
});

test('a method taken off E(x) and called alone is refused in the words of the library', async t => {
  /** @param {any} Sender @param {unknown} recipient */
  const tell = async (Sender, recipient) => {
    const { m } = Sender(recipient);
    const { [Symbol.iterator]: only } = Sender.sendOnly(recipient);
    return [await t.throwsAsync(m()), t.throws(only)].map(String);
  };
  const tagged = { [Symbol.toStringTag]: 'Alleged: thing' };
  for (const recipient of [tagged, Promise.resolve(), { a: 1 }, 'text', undefined, null, 3n])
    t.deepEqual(await tell(E, recipient), await tell(libraryE, recipient));
  t.is(
    (await tell(E, tagged))[0],
    'Error: Unexpected receiver for ""m"" method of E("[Alleged: thing]")',
  );
});

test('a handler that lacks an operation is named with its methods, as by the library', async t => {
  /** @param {any} Promised */
  const tell = async Promised => {
    const handler = {
      applyMethod: () => 1,
      [Symbol.for('other')]: () => 2,
      notMethod: 3,
    };
    /** @type {string[]} */
    const texts = [];
    const note = (/** @type {Error} */ { name, message }) => void texts.push(`${name}: ${message}`);
    const presence = new Promised(
      (/** @type {any} */ _resolve, /** @type {any} */ _reject, /** @type {any} */ make) =>
        make(handler),
    );
    await Promised.get(presence, 'x').catch(note);
    const pending = new Promised(() => {}, handler);
    await Promised.get(pending, 'x').catch(note);
    return texts;
  };
  const [own, library] = await Promise.all([tell(HandledPromise), tell(libraryHandledPromise)]);
  t.is(own.length, 2);
  t.deepEqual(own, library);
});

test('promises of HandledPromise share a hidden class', t => {
  setFlagsFromString('--allow-natives-syntax');
  const haveSameMap = new Script('(a, b) => %HaveSameMap(a, b)').runInThisContext();
  const make = () => new HandledPromise(() => {});
  make();
  // Its first call compiles it.
  t.true(haveSameMap(make(), make()));
  setFlagsFromString('--no-allow-natives-syntax');
  t.is(Object.getPrototypeOf(make()), Promise.prototype);
});

test('promises of a subclass have its prototype', async t => {
  const Other = /** @type {any} */ (class extends HandledPromise {});
  const promise = new Other((/** @type {any} */ resolve) => resolve(1));
  t.is(Object.getPrototypeOf(promise), Other.prototype);
  t.is(await promise, 1);
});
