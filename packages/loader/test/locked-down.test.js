import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';

const root = new URL('../../../', import.meta.url);

/** A host program of SwingSet locks its realm down first, by `@endo/init`, whose console is frozen. */
const program = `
  import '@endo/init';
  import { makeMarshal } from '@endo/marshal';
  import { ensureLockdown } from './packages/loader/index.js';
  const isFrozen = Object.isFrozen(console);
  await ensureLockdown();
  makeMarshal().toCapData(Error('unwanted'));
  console.log('wanted', isFrozen);
`;

test('a realm that @endo/init locked down is used as it is, and libraries do not print there', async t => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: root },
  );
  t.is(stdout, 'wanted true\n');
  t.is(stderr, '');
});
