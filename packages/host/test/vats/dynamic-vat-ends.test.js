// How vats end that are made while the run is on, and that a run with them is the same wherever it is resumed.

import test from 'ava';
import { profiles, run, said } from './dynamic-vats.js';

for (const profile of profiles) {
  test(`${profile}: calls of done() before and after a vat's end get its reason`, async t => {
    const ran = await run(
      `
        const { root, adminNode } = await make();
        tell('before', E(adminNode).done());
        tell('never', E(root).never());
        await tell('end', E(adminNode).terminateWithFailure(Error('enough')));
        await tell('after', E(adminNode).done());
        await tell('twice', E(adminNode).terminateWithFailure('again'));
        await tell('message', E(root).echo(1));
        await tell('upgrade', E(adminNode).upgrade());
        await tell('options', E(adminNode).changeOptions({}));
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    const refused = (/** @type {string} */ operation, /** @type {string} */ text) =>
      profile === 'current'
        ? `failed with Error: vatAdminService rejecting attempt to perform "${operation}"() on non-running vat "v6"`
        : text;
    t.deepEqual([...said(ran)].sort(), [
      `after ${refused('done', 'failed with Error: enough')}`,
      'before failed with Error: enough',
      'end gave undefined',
      'message failed with Error: vat terminated',
      'never failed with Error: vat terminated',
      `options ${refused('changeOptions', 'failed with Error: options of vats of the profile 2020-09 cannot be changed')}`,
      `twice ${refused('terminateWithFailure', 'gave undefined')}`,
      `upgrade ${refused('upgrade', 'failed with Error: vats of the profile 2020-09 cannot be upgraded')}`,
    ]);
  });

  test(`${profile}: a vat may be ended twice, and before it has started`, async t => {
    const ran = await run(
      `
        const made = make();
        const { adminNode } = E.get(made);
        tell('first', E(adminNode).terminateWithFailure('one'));
        tell('second', E(adminNode).terminateWithFailure('two'));
        tell('message', E(E.get(made).root).echo(1));
        await tell('done', E(adminNode).done());
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    t.deepEqual([...said(ran)].sort(), [
      'done failed with one',
      'first gave undefined',
      'message failed with Error: vat terminated',
      profile === 'current'
        ? 'second failed with Error: vatAdminService rejecting attempt to perform "terminateWithFailure"() on non-running vat "v6"'
        : 'second gave undefined',
    ]);
  });

  test(`${profile}: messages go to the result of createVat before there is a vat`, async t => {
    const ran = await run(
      `
        const made = make();
        const { root } = E.get(made);
        tell('first', E(root).echo('one'));
        tell('second', E(root).echo('two'));
        await tell('third', E(root).echo('three'));
        await tell('it', made.then(vat => Object.keys(vat).join(' ')));
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    t.deepEqual(said(ran), [
      'first gave one',
      'second gave two',
      'third gave three',
      'it gave adminNode root',
    ]);
  });

  test(`${profile}: messages of a vat's last crank are sent, unless the crank is dropped`, async t => {
    const ran = await run(
      `
        for (const method of ['sendAndExit', 'dropAndExit']) {
          const { root, adminNode } = await make();
          const done = tell('done', E(adminNode).done());
          await tell(method, E(root)[method](self));
          await done;
          await tell('message', E(root).echo(1));
        }
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    const isDropped = profile === 'current';
    const message = 'message failed with Error: vat terminated';
    t.deepEqual(said(ran), [
      'heard before',
      'heard after',
      'sendAndExit gave undefined',
      'done gave bye',
      message,
      ...(isDropped ? [] : ['heard never said']),
      isDropped ? 'dropAndExit failed with Error: vat terminated' : 'dropAndExit gave undefined',
      'done failed with bye',
      message,
    ]);
  });

  test(`${profile}: a vat ends with any value, also a presence`, async t => {
    const ran = await run(
      `
        const ends = [undefined, { a: 1 }, Error('x'), self];
        for (const method of ['exit', 'exitWithFailure']) {
          for (const info of ends) {
            const { root, adminNode } = await make();
            const done = E(adminNode).done();
            E(root)[method](harden(info)).catch(() => {});
            await done.then(
              value => console.log('kept ' + (value === self ? 'self' : show(value))),
              reason => console.log('failed ' + (reason === self ? 'self' : show(reason))),
            );
          }
        }
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    const infos = ['undefined', '{"a":1}', 'Error: x', 'self'];
    t.deepEqual(said(ran), [
      ...infos.map(info => `kept ${info}`),
      ...infos.map(info => `failed ${info}`),
    ]);
  });

  test(`${profile}: of two exits in a crank one counts: the last today, the first in 2020`, async t => {
    const twice = `
      import { Far } from '@endo/far';
      export const buildRootObject = ({ exitVat, exitVatWithFailure }) =>
        Far('root', {
          leave: () => { exitVat('one'); exitVat('two'); },
          mend: () => { exitVatWithFailure('one'); exitVat('two'); return 'kept'; },
          fail: () => { exitVat('one'); exitVatWithFailure('two'); return 'kept'; },
        });
    `;
    const ran = await run(
      `
        for (const method of ['leave', 'mend', 'fail']) {
          const { root, adminNode } = await E(admin).createVatByName('twice');
          const done = E(adminNode).done();
          await tell(method, E(root)[method]());
          await tell(method + ' done', done);
        }
      `,
      profile,
      { bundles: { twice } },
    );
    t.is(ran.failure, undefined);
    t.deepEqual(
      said(ran),
      profile === 'current'
        ? [
            'leave gave undefined',
            'leave done gave two',
            'mend gave kept',
            'mend done gave two',
            'fail failed with Error: vat terminated',
            'fail done failed with two',
          ]
        : [
            'leave gave undefined',
            'leave done gave one',
            'mend gave kept',
            'mend done failed with one',
            'fail gave kept',
            'fail done gave one',
          ],
    );
  });

  test(`${profile}: only the device makes vats, and only real ends are reported`, async t => {
    const ran = await run(
      `
        const service = E(vats.vatAdmin).createVatAdminService(self);
        await tell('forged', E(service).createVatByName('worker'));
        const { root, adminNode } = await make();
        await E(vats.vatAdmin).newVatCallback('v99', {});
        await tell('meter', E(E(admin).createMeter(1n, 1n)).setThreshold(2n));
        await tell('vat', E(root).echo('alive'));
      `,
      profile,
    );
    t.deepEqual(said(ran), [
      'forged failed with Error: D() must be given a device node',
      profile === 'current'
        ? 'meter gave undefined'
        : 'meter failed with Error: vats are not metered here, so there are no meters with a limit',
      'vat gave alive',
    ]);
  });

  test(`${profile}: a run with dynamic vats is the same, wherever it is resumed`, async t => {
    const body = `
      const made = [];
      for (let i = 0; i < 8; i += 1) made.push(await make({ name: 'w' + i % 2 }));
      const waiting = E(made[0].root).never();
      for (const { root } of made) E(root).echo(waiting).catch(() => {});
      tell('done', E(made[7].adminNode).done());
      E(made[1].root).exit('one');
      E(made[7].root).sendAndExit(self);
      await tell('end', E(made[0].adminNode).terminateWithFailure('zero'));
      await tell('last', E(made[5].root).echo('alive'));
    `;
    const whole = await run(body, profile);
    t.is(whole.failure, undefined);
    t.deepEqual([...said(whole)].sort(), [
      'done gave bye',
      'end gave undefined',
      'heard after',
      'heard before',
      'last gave alive',
    ]);
    for (let stopAfter = 0; stopAfter < whole.cranks; stopAfter += 3) {
      const resumed = await run(body, profile, { stopAfter });
      t.is(resumed.failure, undefined);
      t.is(resumed.hash, whole.hash, `stopped after ${stopAfter}`);
      t.is(resumed.digest, whole.digest, `stopped after ${stopAfter}`);
      t.deepEqual(resumed.printed, whole.printed);
    }
  });
}

test('an admin node of 2020-09 has also terminate() and adminData()', async t => {
  const ran = await run(
    `
      const { adminNode } = await make();
      await tell('end', E(adminNode).terminate('enough'));
      await tell('again', E(adminNode).terminate('again'));
      await tell('size', E(adminNode).adminData());
    `,
    '2020-09',
  );
  t.is(ran.failure, undefined);
  t.deepEqual(said(ran), ['end gave undefined', 'again gave undefined', 'size gave undefined']);
});

test('adminData() counts what the kernel of 2020 counted', async t => {
  const ran = await run(
    `
      const { root, adminNode } = await make();
      const tellData = async () =>
        console.log(JSON.stringify(await E(adminNode).adminData()));
      await tellData();
      await E(root).echo(harden({ m() {} }));
      await E(root).echo(Promise.resolve(1));
      await tellData();
    `,
    '2020-09',
  );
  t.is(ran.failure, undefined);
  t.deepEqual(said(ran), [
    '{"objectCount":0,"promiseCount":0,"deviceCount":0,"transcriptCount":0}',
    '{"objectCount":1,"promiseCount":3,"deviceCount":0,"transcriptCount":3}',
  ]);
});

test('an admin node has the methods of SwingSet', async t => {
  const ran = await run(
    `
      const { adminNode } = await make();
      console.log((await E(adminNode).__getMethodNames__()).join());
    `,
    'current',
  );
  t.deepEqual(said(ran), [
    '__getInterfaceGuard__,__getMethodNames__,changeOptions,done,terminateWithFailure,upgrade',
  ]);
});

test('errors that a device passes on have the same ids in a run that was resumed', async t => {
  const body = `
    for (const name of ['first', 'second']) {
      const { adminNode } = await make();
      const done = tell(name, E(adminNode).done());
      await tell('end', E(adminNode).terminateWithFailure(Error(name)));
      await done;
    }
  `;
  const whole = await run(body, 'current');
  t.is(whole.failure, undefined);
  for (let stopAfter = 0; stopAfter < whole.cranks; stopAfter += 4) {
    const { hash, digest } = await run(body, 'current', { stopAfter });
    t.deepEqual([hash, digest], [whole.hash, whole.digest], `stopped after ${stopAfter}`);
  }
});
