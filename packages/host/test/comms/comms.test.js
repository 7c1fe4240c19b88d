// Comms between two kernels: what crosses, and that it arrives as what it was.

import '#testkit/lockdown.js';
import test from 'ava';
import { E, Far } from '#vat';
import { carry, makeMachine, makePair } from './comms-machines.js';

/** @import { Machine } from './comms-machines.js' */

/** @type {('current' | '2020-09')[]} */
const profiles = ['current', '2020-09'];

/**
 * A root on the left that holds what it is given of the right, and does what the test says.
 *
 * @param {(bot: any) => unknown} act
 */
const makeUser = act => {
  /** @type {any} */
  let bot;
  return Far('user', {
    take(/** @type {any} */ given) {
      bot = given;
    },
    act: () => act(bot),
  });
};

/**
 * Run the user's act, and carry strings until all is quiet.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {{ left: Machine, right: Machine }} machines
 */
const runAct = async (t, machines) => {
  const { left, right } = machines;
  const result = left.kernel.queueToVatRoot(left.vatId('user'), {
    body: `${left.kernel.profile.wire.start}["act",[]]`,
    slots: [],
  });
  await left.run();
  /** @type {string[]} */
  const strings = [];
  await carry(
    { left, right },
    { onString: (from, to, text) => strings.push(`${from} to ${to} ${text}`) },
  );
  for (const machine of [left, right]) {
    t.deepEqual(machine.faults, []);
    t.deepEqual(machine.audit(), []);
  }
  return { status: left.kernel.promiseStatus(result), strings };
};

for (const profile of profiles) {
  test(`${profile}: a message crosses, and its result comes back`, async t => {
    const bot = Far('bot', { encourage: (/** @type {string} */ name) => `well done, ${name}` });
    const machines = await makePair(
      { user: makeUser(it => E(it).encourage('user')) },
      { bot },
      profile,
    );
    const { status, strings } = await runAct(t, machines);
    const start = profile === 'current' ? '#' : '';
    t.deepEqual(strings, [
      `left to right 1:0:deliver:ro+0:rp-40;${start}["encourage",["user"]]`,
      `right to left 1:1:resolve:fulfill:rp+40;${start}"well done, user"`,
    ]);
    t.is(status.data?.body, `${start}"well done, user"`);
  });

  test(`${profile}: objects cross in both directions and keep their identity`, async t => {
    /** @type {unknown[]} */
    const seen = [];
    const bot = Far('bot', {
      meet: async (/** @type {any} */ guest) => {
        const badge = Far('badge', { owner: () => 'bot' });
        const same = await E(guest).hold(badge);
        seen.push(same === badge);
        return guest;
      },
    });
    const user = makeUser(async it => {
      const guest = Far('guest', {
        hold: async (/** @type {any} */ badge) => {
          seen.push(await E(badge).owner());
          return badge;
        },
      });
      return (await E(it).meet(guest)) === guest;
    });
    const { status } = await runAct(t, await makePair({ user }, { bot }, profile));
    t.deepEqual(seen, ['bot', true]);
    t.regex(status.data?.body ?? '', /true/);
  });

  test(`${profile}: a rejection crosses`, async t => {
    const bot = Far('bot', {
      fail: () => {
        throw Error('no mood');
      },
    });
    const user = makeUser(it => E(it).fail());
    const { status } = await runAct(t, await makePair({ user }, { bot }, profile));
    t.is(status.state, 'rejected');
    t.regex(status.data?.body ?? '', /no mood/);
  });

  test(`${profile}: messages to a result are sent before the result arrives`, async t => {
    const bot = Far('bot', {
      step: (/** @type {number} */ n) =>
        Far('step', { step: () => n + 1, next: () => Far('last', { value: () => n + 10 }) }),
    });
    const user = makeUser(it => E(E(E(it).step(5)).next()).value());
    const { status, strings } = await runAct(t, await makePair({ user }, { bot }, profile));
    t.deepEqual(
      strings.slice(0, 3).map(text => text.split(';')[0]),
      [
        'left to right 1:0:deliver:ro+0:rp-40',
        'left to right 2:0:deliver:rp-40:rp-41',
        'left to right 3:0:deliver:rp-41:rp-42',
      ],
    );
    t.regex(status.data?.body ?? '', /15/);
  });

  test(`${profile}: a promise crosses before and after it is settled, as an argument and in data`, async t => {
    /** @type {string[]} */
    const seen = [];
    const bot = Far('bot', {
      wait: async (/** @type {any} */ { early, settled, failed }) => {
        seen.push(await settled);
        seen.push(await failed.catch((/** @type {Error} */ error) => error.message));
        seen.push(await early);
        return { again: early };
      },
    });
    const user = makeUser(async it => {
      /** @type {(value: string) => void} */
      let resolve = () => {};
      const early = new Promise(resolver => (resolve = resolver));
      const settled = Promise.resolve('settled');
      const failed = Promise.reject(Error('failed'));
      await settled;
      const answer = E(it).wait({ early, settled, failed });
      await E(it)
        .wait({ early: 'x', settled: 'x', failed: Promise.reject(Error('y')) })
        .then(() => resolve('early'));
      return (await answer).again;
    });
    const { status } = await runAct(t, await makePair({ user }, { bot }, profile));
    t.deepEqual(seen.toSorted(), ['early', 'failed', 'settled', 'x', 'x', 'y'].toSorted());
    t.regex(status.data?.body ?? '', /early/);
  });

  test(`${profile}: promises whose data names each other cross`, async t => {
    const bot = Far('bot', {
      ring: () => {
        /** @type {any} */
        const kits = [0, 1].map(() => {
          /** @type {any} */
          const kit = {};
          kit.promise = new Promise(resolve => (kit.resolve = resolve));
          return kit;
        });
        kits[0].resolve({ name: 'first', other: kits[1].promise });
        kits[1].resolve({ name: 'second', other: kits[0].promise });
        return { start: kits[0].promise };
      },
    });
    const user = makeUser(async it => {
      const { start } = await E(it).ring();
      const first = await start;
      const second = await first.other;
      const again = await second.other;
      return `${first.name} ${second.name} ${again.name}`;
    });
    const { status } = await runAct(t, await makePair({ user }, { bot }, profile));
    t.regex(status.data?.body ?? '', /first second first/);
  });

  test(`${profile}: a promise decided by its receiver crosses`, async t => {
    // The result of one message is an argument of the next, which goes the other way.
    const bot = Far('bot', {
      ask: (/** @type {any} */ user) => {
        const answer = E(user).answer();
        return { answer, doubled: E(user).double(answer) };
      },
    });
    const user = makeUser(async it => {
      const me = Far('me', {
        answer: () => 21,
        double: async (/** @type {any} */ promise) => 2 * (await promise),
      });
      const { answer, doubled } = await E(it).ask(me);
      return [await answer, await doubled];
    });
    const { status } = await runAct(t, await makePair({ user }, { bot }, profile));
    t.regex(status.data?.body ?? '', /\[21,42\]/);
  });

  test(`${profile}: an object of a third machine crosses`, async t => {
    const left = await makeMachine({ user: makeUser(it => E(E(it).introduce()).who()) }, profile);
    /** @type {any} */
    let friend;
    const middle = await makeMachine(
      {
        host: Far('host', {
          take(/** @type {any} */ given) {
            friend = given;
          },
          introduce: () => friend,
        }),
      },
      profile,
    );
    const right = await makeMachine({ friend: Far('friend', { who: () => 'right' }) }, profile);
    await left.connect('middle');
    await middle.connect('left');
    await middle.connect('right');
    await right.connect('middle');
    await right.publish('middle', 0, 'friend');
    await middle.give('right', 0, 'host');
    await middle.publish('left', 0, 'host');
    await left.give('middle', 0, 'user');
    const machines = { left, middle, right };
    const result = left.kernel.queueToVatRoot(left.vatId('user'), {
      body: `${left.kernel.profile.wire.start}["act",[]]`,
      slots: [],
    });
    await left.run();
    await carry(machines);
    t.regex(left.kernel.promiseStatus(result).data?.body ?? '', /right/);
    for (const machine of Object.values(machines)) {
      t.deepEqual(machine.faults, []);
      t.deepEqual(machine.audit(), []);
    }
  });
}

test('a promise leaves the tables when its outcome is known on both sides', async t => {
  const bot = Far('bot', { echo: (/** @type {any} */ value) => ({ value }) });
  const user = makeUser(async it => {
    for (let i = 0; i < 20; i += 1) {
      await E(it).echo(Promise.resolve(i));
      await E(it).echo(E(it).echo(i));
    }
    return 'done';
  });
  const machines = await makePair({ user }, { bot });
  const { status } = await runAct(t, machines);
  t.is(status.data?.body, '#"done"');
  const [toRight] = machines.left.comms.nameCounts.remotes;
  const [toLeft] = machines.right.comms.nameCounts.remotes;
  // The object, and on the left the names that wait for an acknowledgement, which the right had no reason to send.
  t.is(toRight.outbound, 1);
  t.is(toLeft.outbound, 1);
  t.true(toRight.inbound < 8, `${toRight.inbound}`);
  t.true(toLeft.inbound < 8, `${toLeft.inbound}`);
  t.true(machines.left.comms.nameCounts.kernel < 4);
  t.true(machines.right.comms.nameCounts.kernel < 4);
});

test('a message that cannot cross is rejected with a reason, and the next one crosses', async t => {
  const bot = Far('bot', { hello: () => 'hello' });
  /** @type {any} */
  let comms;
  /** @type {any} */
  let it;
  const user = Far('user', {
    take(/** @type {any} */ given) {
      it = given;
    },
    takeComms(/** @type {any} */ given) {
      comms = given;
    },
    act: async () => {
      const told = [];
      for (const argument of [comms, Promise.resolve(comms)]) {
        told.push(
          await E(it)
            .hello(argument)
            .then(
              (/** @type {string} */ value) => value,
              (/** @type {Error} */ error) => error.message,
            ),
        );
      }
      return told;
    },
  });
  const machines = await makePair({ user }, { bot });
  await machines.left.call('user', 'takeComms', { vat: 'comms' });
  const { status } = await runAct(t, machines);
  t.is(
    status.data?.body,
    `#["the comms vat's own object \\"o+0\\" cannot be passed to another machine","hello"]`,
  );
});

test('a wrong call of comms is an error for its caller', async t => {
  const machine = await makeMachine({ user: makeUser(() => 0) });
  const ask = async (/** @type {string} */ method, /** @type {unknown[]} */ ...args) => {
    const { state, data } = await machine.call('comms', method, ...args);
    t.is(state, 'rejected');
    const parsed = JSON.parse(data?.body.slice(1) ?? '');
    return parsed['#error'];
  };
  const user = { vat: 'user' };
  t.is(
    await ask('addRemotes'),
    'comms has no method "addRemotes"; it has init, addRemote, addEgress, addIngress',
  );
  t.is(
    await ask('addRemote', 5),
    'addRemote: the name must be a text that is not empty, got number',
  );
  t.is(
    await ask('addRemote', 'a', 'x'),
    'addRemote: the transmitter is a string; it must be an object that messages can be sent to',
  );
  t.is(
    await ask('addRemote', 'a', { vat: 'comms' }, user),
    'addRemote: the transmitter is an object of the comms vat itself',
  );
  t.is(
    await ask('addEgress', 'a', 0, user),
    'addEgress: there is no remote "a"; add it with addRemote',
  );
  t.is((await machine.connect('a')).state, 'data');
  t.is(await ask('addRemote', 'a', user, user), 'addRemote: there is a remote "a" already');
  t.is(await ask('addEgress', 'b', 0, user), 'addEgress: there is no remote "b"; there are "a"');
  t.is(
    await ask('addEgress', 'a', -1, user),
    'addEgress: the index must be a whole number from 0 to 999999999999999, got -1',
  );
  t.is((await machine.call('comms', 'addEgress', 'a', 7, user)).state, 'data');
  t.is(
    await ask('addEgress', 'a', 7, { vat: 'wire' }),
    'addEgress: the index 7 is given to "a" already',
  );
  t.is(await ask('addEgress', 'a', 8, user), 'addEgress: "a" knows the object already');
  t.is(
    await ask('addIngress', 'a', 'x'),
    'addIngress: the index must be a whole number from 0 to 999999999999999, got string',
  );
  t.is((await machine.call('comms', 'addIngress', 'a', 3)).state, 'presence');
  t.is((await machine.call('comms', 'init')).state, 'data');
  t.deepEqual(machine.faults, []);
});
