// Vats whose creation in the run fails: what is undone, and what is reported.

import test from 'ava';
import { audit } from '#kernel';
import { data, dumpTables, message, scriptedDevice } from '#testkit';
import { startOf, profiles, makeRun, withoutBoot, idle } from './births.js';

test('a device cannot make a vat when the host calls it, and the call leaves no trace', async t => {
  let resets = 0;
  const { run } = makeRun(
    'current',
    () => {},
    { alice: idle },
    {
      devices: {
        maker: scriptedDevice({
          input: (powers, said) => {
            powers.set('said', said);
            powers.wakeAt(5);
            powers.handOut(said);
            if (said === 'make')
              powers.createVat({
                name: 'x',
                source: 'alice',
                parameters: data(),
                pipelining: false,
                options: {},
              });
          },
          reset: () => void (resets += 1),
        }),
      },
    },
  );
  await run.run();
  const before = dumpTables(run.state);
  t.throws(() => run.kernel.deviceInput('d7', 'make'), {
    message: 'device d7 can make vats only in a crank, not when the host calls it',
  });
  t.is(resets, 1);
  t.deepEqual(dumpTables(run.state), before);
  t.is(run.state.vatstore.get('d7', 'said'), undefined);
  t.deepEqual(run.kernel.takeHandedOut(), []);
  t.is(run.kernel.inputs().length, 1, 'it is no input of the run');
  t.deepEqual(audit(run.state), []);
});

for (const profile of profiles) {
  test(`${profile}: a vat that a device ends in the vat's own crank finishes the crank, and then ends`, async t => {
    const { run, log } = makeRun(
      profile,
      call => {
        call('send', 'o-50', message('before', ['o+1']), 'p+5');
        const end = { body: 'v1 badly', slots: ['o+2'] };
        t.like(call('callNow', 'd-70', 'end', end), { data: { body: 'true' } });
        t.like(call('callNow', 'd-70', 'end', end), { data: { body: 'false' } }, 'once');
        call('vatstoreSet', 'key', 'value');
        call('send', 'o-50', message('after', ['o+0', 'o+3']), null);
      },
      {},
    );
    await run.run(1);
    t.false(run.state.vats.isRunning('v1'));
    t.deepEqual(audit(run.state), []);
    await run.run();
    t.deepEqual(withoutBoot(log), [
      'vatAdmin: #["before",["$0"]] o-50',
      'vatAdmin: #["after",["$0","$1"]] o-51,o-52',
      `vatAdmin: ${startOf(profile)}["vatTerminated",["v1",true,"badly"]] o-53`,
    ]);
    t.deepEqual(run.faults, []);
    t.deepEqual([...run.kernel.transcript('v1')], []);
    t.deepEqual(audit(run.state), []);
    run.kernel.commit();
    t.is(run.store.streamLength('t.v1.0'), 0);
  });

  test(`${profile}: a vat that a device ends in a crank that is dropped ends by its own fault`, async t => {
    const { run, log } = makeRun(
      profile,
      call => {
        call('callNow', 'd-70', 'end', { body: 'v1 well', slots: [] });
        return 'it fails';
      },
      {},
    );
    await run.run();
    t.deepEqual(run.faults, [['v1', 'it fails']]);
    t.is(log.filter(line => line.includes('vatTerminated')).length, 1);
    t.true(log.some(line => line.includes('it fails')));
    t.deepEqual(audit(run.state), []);
  });
}

test('a vat that a device ends while its new incarnation starts is upgraded, and then ends', async t => {
  const madeBy = (/** @type {import('#kernel').DevicePowers} */ powers) => powers.get('made') ?? '';
  const device = scriptedDevice({
    methods: {
      make: powers => {
        const given = { name: 'x', source: 'old', pipelining: false, options: {} };
        powers.set('made', powers.createVat({ ...given, parameters: data() }));
        powers.wakeAt(5);
      },
      end: powers => void powers.endVat(madeBy(powers), false, data()),
    },
    wake: powers => {
      const upgrade = { id: 'u1', source: 'new', message: 'why' };
      powers.upgradeVat(madeBy(powers), upgrade, data(['d+0']));
    },
  });
  const { run, log } = makeRun(
    'current',
    call => void call('callNow', 'd-70', 'make', data()),
    { old: idle, new: (_delivery, call) => void call('callNow', 'd-70', 'end', data()) },
    { devices: { maker: device } },
  );
  await run.run();
  t.deepEqual(withoutBoot(log), [
    'old starts #[]',
    'vatAdmin: #["newVatCallback",["v3",{"rootObject":"$0.Alleged: undefined"}]] o-50',
    'new starts #["$0"] d-70',
    'vatAdmin: #["vatUpgradeCallback",["u1",true,"#undefined",1]]',
    'vatAdmin: #["vatTerminated",["v3",false,[]]]',
  ]);
  run.kernel.commit();
  t.deepEqual(
    run.kernel.vats().map(({ vatId }) => vatId),
    ['v1', 'v2'],
  );
  t.deepEqual(audit(run.state), []);
});
