// The vattp vat: numbers, acknowledgements, and connections without a mailbox.

import '#testkit/lockdown.js';
import test from 'ava';
import { E, Far } from '#vat';
import { buildRoot } from '#system-vats/vattp/index.js';
import { makeMachine } from './comms-machines.js';

/**
 * A vattp vat with a mailbox that writes down what it is told.
 *
 * @param {{ withMailbox?: boolean }} [options]
 */
const makeVattp = ({ withMailbox = true } = {}) => {
  /** @type {unknown[][]} */
  const told = [];
  const note =
    (/** @type {string} */ method) =>
    (/** @type {unknown[]} */ ...args) =>
      void told.push([method, ...args]);
  const device = Far('device', {
    add: note('add'),
    remove: note('remove'),
    ackInbound: note('ack'),
  });
  const vattp = /** @type {any} */ (buildRoot({ D: node => node }));
  if (withMailbox) vattp.registerMailboxDevice(device);
  /** @type {string[]} */
  const received = [];
  const receiver = Far('receiver', {
    receive: (/** @type {string} */ text) => void received.push(text),
  });
  return { vattp, told: () => told.splice(0), received, receiver };
};

test('strings are numbered, and removed when acknowledged', t => {
  const { vattp, told } = makeVattp();
  const { transmitter } = vattp.addRemote('bot');
  for (const text of ['a', 'b', 'c']) transmitter.transmit(text);
  t.deepEqual(told(), [
    ['add', 'bot', 1, 'a'],
    ['add', 'bot', 2, 'b'],
    ['add', 'bot', 3, 'c'],
  ]);
  vattp.deliverInboundAck('bot', 2);
  vattp.deliverInboundAck('bot', 1);
  vattp.deliverInboundAck('bot', 2n);
  t.deepEqual(told(), [
    ['remove', 'bot', 1],
    ['remove', 'bot', 2],
  ]);
  t.throws(() => vattp.deliverInboundAck('bot', 4), {
    message: '"bot" acknowledges 4 strings; 3 were sent to it',
  });
  t.throws(() => vattp.deliverInboundAck('stranger', 1), {
    message: '"stranger" acknowledges 1 strings; 0 were sent to it',
  });
  t.deepEqual(told(), []);
});

test('strings are delivered once each, in order', async t => {
  const { vattp, told, received, receiver } = makeVattp();
  const { setReceiver } = vattp.addRemote('bot');
  await setReceiver.setReceiver(receiver);
  await vattp.deliverInboundMessages('bot', [
    [1, 'a'],
    [2n, 'b'],
  ]);
  t.deepEqual(told(), [['ack', 'bot', 2]]);
  await vattp.deliverInboundMessages('bot', [
    [1, 'a'],
    [2, 'b'],
    [4, 'd'],
    [3, 'c'],
    [3, 'c'],
  ]);
  t.deepEqual(told(), [['ack', 'bot', 4]]);
  await vattp.deliverInboundMessages('bot', [[4, 'd']]);
  t.deepEqual(received, ['a', 'b', 'c', 'd']);
  await vattp.deliverInboundMessages('bot', [[7, 'a number may be left out']]);
  t.is(received.length, 5);
  t.throws(() => setReceiver.setReceiver(receiver), {
    message: 'the receiver of "bot" can be set only once',
  });
});

test('strings that arrive before a receiver is set wait, and are not acknowledged', async t => {
  const { vattp, told, received, receiver } = makeVattp();
  await vattp.deliverInboundMessages('bot', [[1, 'a']]);
  const { setReceiver } = vattp.addRemote('bot');
  await vattp.deliverInboundMessages('bot', [
    [1, 'a'],
    [2, 'b'],
  ]);
  t.deepEqual(told(), []);
  await setReceiver.setReceiver(receiver);
  t.deepEqual(received, ['a', 'b']);
  t.deepEqual(told(), [['ack', 'bot', 2]]);
});

test('a wrong call is an error and changes nothing', async t => {
  const { vattp, received, receiver } = makeVattp();
  const { transmitter, setReceiver } = vattp.addRemote('bot');
  await setReceiver.setReceiver(receiver);
  t.throws(() => vattp.addRemote('bot'), { message: 'vattp has a remote "bot" already' });
  t.throws(() => vattp.addRemote(5), {
    message: 'the name of a remote must be a text that is not empty, got number',
  });
  t.throws(() => transmitter.transmit(5), { message: 'transmit takes a string, got number' });
  t.throws(() => vattp.deliverInboundAck('bot', -1), {
    message: 'an acknowledgement must be a whole number from 0, got number',
  });
  for (const [messages, message] of [
    ['x', 'messages must be a list of [number, string], got string'],
    [[[1, 'a'], [2]], 'a message must be [number, string]'],
    [
      [
        [1, 'a'],
        ['2', 'b'],
      ],
      'the number of a message must be a whole number from 0, got string',
    ],
  ])
    await t.throwsAsync(vattp.deliverInboundMessages('bot', messages), {
      message: String(message),
    });
  t.deepEqual(received, []);
  const { transmitter: early } = makeVattp({ withMailbox: false }).vattp.addRemote('bot');
  t.throws(() => early.transmit('a'), {
    message: 'vattp has no mailbox device; call registerMailboxDevice(device) first',
  });
});

test('two machines find each other over a connection, without a mailbox', async t => {
  /** @type {string[]} */
  const strings = [];
  /** @type {any} */
  let ends;
  const network = Far('network', {
    /** Two hosts on one machine, and a connection from one to the other. */
    async start(/** @type {any} */ comms, /** @type {any} */ vattp) {
      const left = await E(vattp).makeNetworkHost('right', comms);
      const right = await E(vattp).makeNetworkHost('left', comms);
      /** @type {(own: any, other: any) => any} */
      const makeEnd = (own, other) =>
        Far('connection', {
          send: (/** @type {string} */ text) => {
            strings.push(text);
            return E(other).onReceive(own, text);
          },
        });
      const leftEnd = makeEnd('left', right.handler);
      const rightEnd = makeEnd('right', left.handler);
      await Promise.all([E(left.handler).onOpen(leftEnd), E(right.handler).onOpen(rightEnd)]);
      ends = { left, right, leftEnd };
    },
    async meet() {
      const { left, right } = ends;
      const address = await E(left.host).publish(Far('greeter', { greet: () => 'hello' }));
      const greeter = await E(right.host).lookup(address);
      const greeting = await E(greeter).greet();
      await E(left.handler).infoMessage('met');
      return [address, greeting];
    },
    async close() {
      const { left, leftEnd } = ends;
      await E(left.handler).onClose(leftEnd);
      return E(left.handler)
        .onReceive(leftEnd, 'x')
        .catch((/** @type {Error} */ error) => error.message);
    },
    again: () =>
      E(ends.left.handler)
        .onOpen(ends.leftEnd)
        .catch((/** @type {Error} */ error) => error.message),
  });
  const machine = await makeMachine({
    network,
    vattp: /** @type {any} */ (
      buildRoot({
        D: () => {
          throw Error('no devices here');
        },
      })
    ),
  });
  await machine.call('network', 'start', { vat: 'comms' }, { vat: 'vattp' });
  const { data } = await machine.call('network', 'meet');
  t.is(data?.body, '#["/alleged-name/right/egress/1","hello"]');
  t.true(strings.length > 3);
  t.is(
    (await machine.call('network', 'again')).data?.body,
    '#"the host \\"connection-1\\" has a connection already"',
  );
  t.is(
    (await machine.call('network', 'close')).data?.body,
    '#"the connection of \\"connection-1\\" is not open"',
  );
  t.deepEqual(machine.faults, []);
  t.deepEqual(machine.audit(), []);
});
