// The command device of a host program: questions, answers and broadcasts, and what becomes of those that fail.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import { buildCommand, buildVatController, kunser } from '../index.js';

/** @param {import('ava').ExecutionContext} t */
const start = async t => {
  /** @type {unknown[]} */
  const heard = [];
  const command = buildCommand(body => {
    if (body === 'loud') throw Error('too loud');
    heard.push(body);
  });
  const c = await buildVatController(
    {
      bootstrap: 'bootstrap',
      defaultReapInterval: 'never',
      vats: {
        bootstrap: {
          sourceSpec: fileURLToPath(new URL('fixtures/commander.js', import.meta.url)),
        },
      },
      devices: { command: { sourceSpec: command.srcPath } },
    },
    [],
    {},
    { command: { ...command.endowments } },
  );
  t.teardown(c.shutdown);
  await c.run();
  /** @param {string} method @param {...unknown} args */
  const ask = async (method, ...args) => {
    const kpid = String(c.queueToVatRoot('bootstrap', method, args));
    await c.run();
    return kunser(c.kpResolution(kpid));
  };
  return { c, command, heard, ask };
};

test('questions are answered, by a value or a rejection', async t => {
  const { c, command } = await start(t);
  const answered = command.inboundCommand({ a: 1 });
  const refused = command.inboundCommand({ fails: true });
  await c.run();
  t.deepEqual(await answered, { got: { a: 1 } });
  await refused.then(
    () => t.fail(),
    reason => t.deepEqual(reason, { got: { fails: true } }),
  );
});

test.serial('a vat does not learn that its answer or broadcast fails at the host', async t => {
  const { c, command, heard, ask } = await start(t);
  const answered = command.inboundCommand({});
  await c.run();
  await answered;
  t.is(await ask('call', 'sendResponse', 0, false, 'again'), undefined, 'it has no effect');
  /** @type {string[]} */
  const printed = [];
  const { error } = console;
  console.error = (/** @type {unknown[]} */ ...args) =>
    void printed.push(args.map(String).join(' '));
  t.teardown(() => {
    console.error = error;
  });
  t.is(await ask('call', 'sendResponse', 99, false, 'nobody asked'), undefined);
  t.is(await ask('call', 'sendResponse', 'x', false, 1), undefined);
  t.is(await ask('call', 'sendBroadcast', 'loud'), undefined);
  t.is(await ask('call', 'sendBroadcast', { all: [1] }), undefined);
  t.is(await ask('callWithObject', 'sendBroadcast'), undefined);
  t.deepEqual(heard, [{ all: [1] }, {}]);
  t.is(printed.filter(line => line.includes('error during send')).length, 3, printed.join());
});

test.serial('a question that JSON cannot hold has no answer, and throws nothing', async t => {
  const { c, command } = await start(t);
  const { error } = console;
  console.error = () => {};
  t.teardown(() => {
    console.error = error;
  });
  const answered = command.inboundCommand([2n]).then(() => 'answered');
  await c.run();
  t.is(await Promise.race([answered, Promise.resolve('waits')]), 'waits');
  t.deepEqual(c.dump().log, [], 'no vat was asked');
});
