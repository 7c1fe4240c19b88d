// Devices' own nodes, inputs from the host, and devices that fail.

import test from 'ava';
import { audit } from '#kernel';
import { data, makeTestKernel, message, scriptedDevice } from '#testkit';
import { idle } from './device-programs.js';

test("a value from the host to a device is an input of the run; the device's messages come one microstep later", async t => {
  /** @type {string[]} */
  const told = [];
  const run = makeTestKernel({
    vats: {
      boot: (delivery, call, crank) => {
        if (crank === 1) call('callNow', 'd-70', 'keep', data(['o+1']));
        else if (delivery[0] === 'message')
          told.push(`${delivery[2].body} at ${run.state.now.timeNs}, ${run.state.now.microstep}`);
      },
    },
    devices: {
      device: scriptedDevice({
        methods: { keep: (powers, { slots }) => powers.set('listener', slots[0]) },
        input: (powers, said) => {
          powers.sendOnly(powers.get('listener') ?? '', message(said));
          powers.wakeAt(1000);
        },
      }),
    },
  });
  await run.run();
  run.kernel.deviceInput('d7', 'hello');
  t.deepEqual(audit(run.state), []);
  await run.run();
  run.kernel.deviceInput('d7', 'again');
  await run.run();
  t.deepEqual(told, ['#["hello",[]] at 0, 1', '#["again",[]] at 1000, 1']);
  t.deepEqual(
    run.kernel
      .inputs()
      .slice(1)
      .map(({ tag, kind, vat, data: said }) => [tag, kind, vat, said]),
    [
      [{ timeNs: 0, microstep: 0 }, 'physical', 'd7', 'hello'],
      [{ timeNs: 1000, microstep: 0 }, 'physical', 'd7', 'again'],
    ],
  );
  t.deepEqual(audit(run.state), []);
});

test('a vat that the host ends through a device has no transport any more', async t => {
  /** @type {string[]} */
  const closed = [];
  const run = makeTestKernel({
    vats: { boot: idle, zoe: idle },
    devices: {
      device: scriptedDevice({
        input: (powers, said) => void powers.endVat(said, true, { body: '#"out"', slots: [] }),
      }),
    },
    wrapTransport: (transport, vatId) => ({ ...transport, close: () => void closed.push(vatId) }),
  });
  await run.run();
  run.kernel.deviceInput('d7', 'v2');
  t.deepEqual(closed, ['v2']);
  t.false(run.state.vats.isRunning('v2'));
  t.deepEqual(audit(run.state), []);
  await run.run();
  t.true(run.kernel.isQuiet);
});

test('a device that names a reference that it does not have fails, and only a vat of 2020 gets the reason', async t => {
  t.plan(3);
  const run = makeTestKernel({
    profile: '2020-09',
    vats: {
      boot: (_delivery, call) => {
        const answer = call('callNow', 'd-70', 'tell', data());
        t.like(answer, { kind: 'throw' });
        t.regex(
          answer?.kind === 'throw' ? answer.data.body : '',
          /device device named \\"o-99\\", which is neither its own nor something that it was given/,
        );
      },
    },
    devices: {
      device: scriptedDevice({
        methods: { tell: powers => powers.sendOnly('o-99', message('x')) },
      }),
    },
  });
  await run.run();
  t.deepEqual(audit(run.state), []);
});
