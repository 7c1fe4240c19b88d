import test from 'ava';
import { spawnSync } from 'node:child_process';

import { ensureLockdown, getStackFrames, isLockedDown } from '#loader/lockdown.js';

const lockdownUrl = new URL('../../../loader/lockdown.js', import.meta.url).href;
const testkitUrl = new URL('../../../testkit/lockdown.js', import.meta.url).href;

/** @param {string} text  a module */
const run = text =>
  spawnSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' });

test.serial('a realm is hardened once; the second call does nothing', async t => {
  t.false(isLockedDown());
  await ensureLockdown();
  t.true(isLockedDown());
  await t.notThrowsAsync(ensureLockdown());
  t.is(typeof harden, 'function');
});

test.serial('vats cannot see a stack; the host can', async t => {
  await ensureLockdown();
  const thrown = new Compartment().evaluate(
    '(() => { try { null.x; } catch (error) { return error; } })()\n//# sourceURL=file:///author/vat-x.js',
  );
  t.is(thrown.stack, '');
  t.regex(getStackFrames(thrown), /at .*\(?file:\/\/\/author\/vat-x\.js:1:\d+/);
});

test.serial('code written before hardening still runs: assignment to inherited names', async t => {
  await ensureLockdown();
  class Old extends Error {}
  Old.prototype.toString = () => 'old';
  const record = {};
  record.toString = () => 'own';
  t.is(`${record}`, 'own');
  t.is(String(new Old()), 'old');
});

test('a realm hardened by another program is used unchanged', t => {
  const { status, stdout, stderr } = run(`
    import ${JSON.stringify(testkitUrl)};
    import { ensureLockdown, getStackFrames } from ${JSON.stringify(lockdownUrl)};
    await ensureLockdown();
    const error = new Compartment().evaluate(
      '(() => { try { null.x; } catch (e) { return e; } })()\\n//# sourceURL=file:///author/vat-x.js');
    console.log(/vat-x.js:1:/.test(getStackFrames(error)));
  `);
  t.is(stderr, '');
  t.is(status, 0);
  t.is(stdout, 'true\n');
});

test("the host's console and uncaught errors are Node's own", t => {
  const { status, stdout, stderr } = run(`
    import { ensureLockdown } from ${JSON.stringify(lockdownUrl)};
    await ensureLockdown();
    console.log('hello %s', 'x', { a: [1] });
    throw Error('a bug of the host');
  `);
  t.is(stdout, 'hello x { a: [ 1 ] }\n');
  t.regex(stderr, /a bug of the host/);
  t.notRegex(stderr, /SES_UNCAUGHT/);
  t.is(status, 1);
});

test('a stack is read before lockdown as well', t => {
  const { stdout } = run(`
    import { getStackFrames } from ${JSON.stringify(lockdownUrl)};
    console.log(getStackFrames(Error('x')).split('\\n')[0].trim().slice(0, 3) === 'at ');
    console.log([getStackFrames('no error')]);
  `);
  t.is(stdout, "true\n[ '' ]\n");
});

/** @param {string} policies  installs them */
const rejecting = policies => `
  import { installRejectionPolicy } from ${JSON.stringify(lockdownUrl)};
  ${policies}
  Promise.reject(Error('of nobody'));
  setTimeout(() => console.log('alive'), 5);
`;

test('a rejection that no policy claims ends the process, as a bug of the host should', t => {
  const { status, stdout, stderr } = run(
    rejecting('installRejectionPolicy(() => { console.log("asked"); return false; });'),
  );
  t.is(stdout, 'asked\n');
  t.regex(stderr, /of nobody/);
  t.not(status, 0);
});

test('policies are asked in turn until one claims the rejection', t => {
  const { status, stdout } = run(
    rejecting(`
      installRejectionPolicy(() => { console.log('first'); return false; });
      installRejectionPolicy(reason => { console.log('second', reason.message); });
      installRejectionPolicy(() => { console.log('third'); });
    `),
  );
  t.is(stdout, 'first\nsecond of nobody\nalive\n');
  t.is(status, 0);
});

test('a removed policy is not asked, and without policies Node handles rejections itself', t => {
  const { status, stdout } = run(
    rejecting(`
      const remove = installRejectionPolicy(() => { console.log('never'); });
      remove();
      remove();
      console.log(process.listenerCount('unhandledRejection'), process.listenerCount('rejectionHandled'));
    `),
  );
  t.is(stdout, '0 0\n');
  t.not(status, 0);
});

test('a promise whose constructor throws does not end the host either', t => {
  const { status, stdout } = run(`
    import { installRejectionPolicy } from ${JSON.stringify(lockdownUrl)};
    installRejectionPolicy(() => {});
    const hostile = Promise.reject(Error('x'));
    Object.defineProperty(hostile, 'constructor', { get() { throw Error('hostile'); } });
    setTimeout(() => console.log('alive'), 5);
  `);
  t.is(status, 0);
  t.is(stdout, 'alive\n');
});

test('a claimed rejection does not fail a test runner that listens too', async t => {
  const { installRejectionPolicy } = await import('#loader/lockdown.js');
  /** @type {unknown[]} */
  const seen = [];
  const remove = installRejectionPolicy(reason => {
    seen.push(reason);
  });
  Promise.reject('only for the policy');
  await new Promise(resolve => setTimeout(resolve, 5));
  remove();
  t.deepEqual(seen, ['only for the policy']);
});
