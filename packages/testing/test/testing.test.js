// testVat: a vat in a test, with a timer that the test advances.

import test from 'ava';

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { testVat } from '../index.js';

test.serial('methods of a vat and of its objects can be called', async t => {
  const { vat, log, close } = await testVat('../../../examples/bank/vat-bank.js');
  await vat.open('ann', 100n);
  await vat.open('bob', 0n);
  const account = await vat.account('ann');
  t.is(await account.pay('bob', 30n), 70n);
  t.is(await vat.balance('bob'), 30n);
  const error = await t.throwsAsync(account.pay('bob', 71n), { message: /ann has 70, less/ });
  t.regex(error.stack ?? '', /vat-bank\.js:\d+:\d+/);
  t.deepEqual(log(), ['vat: RangeError: ann has 70, less than 71']);
  await close();
});

const folder = directoryOfProcess('testing');
const alarm = join(folder, 'vat-alarm.js');
writeFileSync(
  alarm,
  `import { E, Far } from '@endo/far';
   export const buildRootObject = (_powers, { name }) => {
     const rung = [];
     const bell = Far('bell', { ring: () => 'ding' });
     return Far('alarm', {
       set: async (timer, seconds) => {
         const at = await E(timer).delay(seconds);
         console.log(name, 'rings at', at.absValue);
         rung.push(at.absValue);
       },
       every: (timer, seconds) =>
         E(timer).repeatAfter(seconds, seconds, Far('waker', { wake: at => void rung.push(at.absValue) })),
       bells: () => ({ list: [bell], best: bell }),
       isBell: it => it === bell,
       rung: () => [...rung],
       tell: other => E(other).rung(),
     });
   };`,
);

test.serial('time stands still until the test moves it on', async t => {
  const { vat, timer, log, close } = await testVat(alarm, { parameters: { name: 'mine' } });
  const done = vat.set(timer.service, 10n);
  await timer.advance('9 s');
  t.deepEqual(await vat.rung(), []);
  await timer.advance(1_000);
  await done;
  t.deepEqual(await vat.rung(), [10n]);
  await vat.every(timer.service, 1n);
  await timer.advance('3 s');
  t.deepEqual(await vat.rung(), [10n, 11n, 12n, 13n]);
  t.deepEqual(log(), ['vat: mine rings at 10n']);
  await t.throwsAsync(timer.advance('soon'), { message: /a duration like "10 s"/ });
  await close();
});

test.serial('objects are returned and passed within data', async t => {
  const { vat, vats, close } = await testVat(alarm, { vats: { second: alarm } });
  const { list, best } = await vat.bells();
  t.is(list[0], best);
  t.is(await best.ring(), 'ding');
  t.true(await vat.isBell(best));
  t.deepEqual(
    await vats.second.tell((await vat.bells()).best).catch(error => error.message),
    'target has no method "rung", has ["__getMethodNames__","ring"]',
  );
  await close();
});

test.serial('a missing file and a vat that does not start are reported', async t => {
  await t.throwsAsync(testVat('./vat-missing.js'), {
    message:
      /there is no vat file "\.\/vat-missing\.js": neither .*testing\/test\/vat-missing\.js nor /,
  });
  const broken = join(folder, 'vat-broken.js');
  writeFileSync(broken, `export const buildRootObject = () => { throw Error('no root'); };`);
  await t.throwsAsync(testVat(broken), {
    message: /^vat vat did not start: vat: Error: no root/,
  });
});

test('another realm, as in jest, is refused with an explanation', async t => {
  const program = join(folder, 'other-realm.mjs');
  const index = pathToFileURL(join(import.meta.dirname, '../../host/index.js')).href;
  writeFileSync(
    program,
    `import vm from 'node:vm';
     import { insistOwnRealm } from '${new URL('../loader/lockdown.js', index)}';
     insistOwnRealm(globalThis);
     try {
       insistOwnRealm(vm.runInNewContext('globalThis'));
     } catch (error) {
       console.log(error.message);
     }`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  t.regex(stdout, /jest.*node:test, ava or vitest/);
});

test.serial(
  'an object without a Far declaration is refused, with the position of its method, except with lenient',
  async t => {
    const file = join(folder, 'vat-undeclared.js');
    writeFileSync(
      file,
      `import { Far } from '@endo/far';
export const buildRootObject = () =>
  Far('root', {
    counter: () => ({ inc: () => 1 }),
    isMethod: it => typeof it,
  });`,
    );
    const { vat, close } = await testVat(file);
    const error = await t.throwsAsync(vat.counter(), {
      message: /Remotables must be explicitly declared/,
    });
    t.regex(error.stack ?? '', /vat-undeclared\.js:4:\d+/);
    await close();
    const old = await testVat(file, { lenient: true });
    const counter = await old.vat.counter();
    t.is(await counter.inc(), 1);
    await old.close();
  },
);
