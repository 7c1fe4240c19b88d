// Deliveries that the kernel foresees for transports far away come as they were foreseen.

import test from 'ava';
import { data, makeRandomProgram, makeTestKernel, message, runRandomProgram } from '#testkit';
import { alice, atFirst, idle } from './overlap-programs.js';

/** @import { CrankResult, Transport } from '#kernel' */
/** @import { Delivery, Tag } from '#model' */
/** @import { React, TestKernel, TestKernelOptions } from '#testkit' */

/** @param {Tag} tag @param {Delivery} delivery */
const show = ({ timeNs, microstep }, delivery) => JSON.stringify([timeNs, microstep, delivery]);

/**
 * Compare each delivery with the one that was foreseen for its vat, behind a crank without effect.
 *
 * @param {() => TestKernel['kernel'] | undefined} findKernel
 */
const makeWatch = findKernel => {
  /** Foreseen deliveries, by vat, in order. @type {Map<string, string[]>} */
  const foreseen = new Map();
  const seen = { count: 0 };
  /** @type {string[]} */
  const wrong = [];
  /** @param {Transport} transport @param {string} vatId @returns {Transport} */
  const wrap = (transport, vatId) => {
    const note = (/** @type {CrankResult} */ result) => {
      const { fault, syscalls, answers } = result;
      if (fault !== null || syscalls.length > 0 || answers.length > 0) foreseen.delete(vatId);
      return result;
    };
    return {
      begin(delivery, answer, when) {
        const given = show(when, delivery);
        const expected = foreseen.get(vatId)?.shift();
        if (expected !== undefined) {
          seen.count += 1;
          if (given !== expected) wrong.push(`${vatId} gets ${given}, not ${expected}`);
        }
        if ((foreseen.get(vatId) ?? []).length === 0) {
          const later = findKernel()?.laterDeliveries(vatId, when) ?? [];
          foreseen.set(
            vatId,
            later.map(each => show(each.item, each.delivery)),
          );
        }
        transport.begin(delivery, answer, when);
      },
      finish() {
        const result = transport.finish();
        return result instanceof Promise ? result.then(note) : note(result);
      },
      close() {
        foreseen.delete(vatId);
        transport.close();
      },
    };
  };
  return { wrap, wrong, seen };
};

test('random vats get the deliveries that were foreseen', async t => {
  let total = 0;
  for (let seed = 1; seed <= 40; seed += 1) {
    /** @type {TestKernel['kernel'] | undefined} */
    let kernel;
    const { wrap, wrong, seen } = makeWatch(() => kernel);
    await runRandomProgram(makeRandomProgram(`later ${seed}`), {
      wrapTransport: wrap,
      blockSize: () => 5,
      onBlock: running => {
        kernel = running;
      },
    });
    t.deepEqual(wrong, [], `seed ${seed}`);
    total += seen.count;
  }
  t.true(total > 20, `${total} deliveries were foreseen`);
});

/**
 * The kinds of the deliveries foreseen behind each of a vat's.
 *
 * @param {TestKernelOptions['vats']} vats
 * @param {string} name  of the vat
 * @param {Partial<TestKernelOptions>} [options]
 */
const foreseenFor = async (vats, name, options = {}) => {
  /** @type {string[]} */
  const found = [];
  /** @type {TestKernel} */
  const running = makeTestKernel({
    ...{ vats, ...options },
    wrapTransport: (transport, vatId) => ({
      ...transport,
      begin(delivery, answer, when) {
        if (vatId === running.vatId(name)) {
          const later = running.kernel.laterDeliveries(vatId, when);
          found.push([delivery, ...later.map(each => each.delivery)].map(([kind]) => kind).join());
        }
        transport.begin(delivery, answer, when);
      },
    }),
  });
  await running.run();
  return found;
};

/** @type {React} */
const answers = (delivery, call) => {
  if (delivery[0] === 'message' && delivery[3] !== null)
    call('resolve', [[delivery[3], false, data()]]);
};

/** Sends three messages to alice, and one to itself between the last two; waits for the answers. */
const asksThrice = atFirst(call => {
  for (const [result, to] of /** @type {const} */ ([
    ['p+5', alice],
    ['p+6', alice],
    ['p+7', alice],
  ])) {
    call('send', to, message('ask'), result);
    call('subscribe', result);
  }
});

test('answers of one tag are foreseen behind the first', async t => {
  // Alice resolves all at one tag, since her three cranks have one.
  const found = await foreseenFor({ boot: asksThrice, alice: answers }, 'boot');
  t.deepEqual(found, ['message', 'notify,notify,notify', 'notify,notify', 'notify']);
});

test('a message that brings a name is not foreseen', async t => {
  const found = await foreseenFor(
    {
      boot: atFirst(call => {
        call('send', alice, message('plain'), null);
        call('send', alice, message('plain'), null);
        call('send', alice, message('with a name', ['o+7']), null);
        call('send', alice, message('plain'), null);
      }),
      alice: idle,
    },
    'alice',
  );
  t.deepEqual(found, ['message,message', 'message', 'message,message', 'message']);
});

/** Alice gets a message, boot another, and alice a second one. */
const acrossBoot = atFirst(call => {
  call('send', alice, message('first'), null);
  call('send', 'o+0', message('between'), null);
  call('send', alice, message('second'), null);
});

test('a delivery behind an item of another vat is foreseen', async t => {
  const found = await foreseenFor({ boot: acrossBoot, alice: idle }, 'alice');
  t.deepEqual(found, ['message,message', 'message']);
});

test('nothing is foreseen for a vat with a device behind an item of another vat', async t => {
  const device = () => ({ kind: /** @type {const} */ ('return'), data: data() });
  const found = await foreseenFor(
    {
      // The second vat has the device before.
      boot: (_delivery, call, crank) => {
        if (crank === 1) {
          call('send', alice, message('device', ['d-70']), null);
          call('send', 'o+0', message('later'), null);
        } else if (crank === 2) {
          call('send', alice, message('first'), null);
          call('send', 'o+0', message('between'), null);
          call('send', alice, message('second'), null);
        }
      },
      alice: idle,
    },
    'alice',
    { devices: { device } },
  );
  t.deepEqual(found, ['message', 'message', 'message']);
});
