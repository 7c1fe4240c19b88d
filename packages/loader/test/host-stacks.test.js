// A host program outside of this package, in a process of its own: it sees the stacks of its own errors, and no vat sees one.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const loader = pathToFileURL(join(import.meta.dirname, '../lockdown.js')).href;

/**
 * @param {import('ava').ExecutionContext} t
 * @param {string} body  of a program whose realm is locked down; its first line is line 3
 */
const runProgram = (t, body) => {
  const file = join(temporaryDirectory(t), 'program.mjs');
  writeFileSync(
    file,
    `import { ensureLockdown, getStackFrames, insistOwnRealm } from '${loader}';\nawait ensureLockdown();\n${body}\n`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  const withoutFolder = (/** @type {string} */ text) =>
    text.replace(/file:\S*\/program/g, 'program');
  return { status, stdout: withoutFolder(stdout), stderr: withoutFolder(stderr) };
};

test('a host program prints its own errors with their places', t => {
  const { status, stdout } = runProgram(
    t,
    `console.log(TypeError('plain'));
try { null.x; } catch (error) { console.log('caught', error); }
console.log('%s and %d', 'text', 5);
console.log(Object.assign(Error('with a code'), { code: 'E_CODE' }));
console.log(Error('outer', { cause: Error('inner') }));`,
  );
  t.is(status, 0);
  t.regex(stdout, /^TypeError: plain\n {4}at program\.mjs:3:\d+\n/);
  t.regex(stdout, /\ncaught TypeError: Cannot read .*\n {4}at program\.mjs:4:\d+\n/);
  t.true(stdout.includes('\ntext and 5\n'));
  t.regex(stdout, /Error: with a code\n {4}at program\.mjs:6:\d+/);
  t.true(stdout.includes('E_CODE'));
  t.true(stdout.includes('inner'));
  t.false(stdout.includes('{}'));
});

for (const [title, body] of [
  ['thrown', "const slip = () => { throw Error('a slip'); };\nslip();"],
  ['rejected', "const slip = async () => { throw Error('a slip'); };\nawait slip();"],
  ['thrown in a timer', "setTimeout(() => {\n throw Error('a slip'); });"],
])
  test(`an error that is ${title} and not caught is shown with its place`, t => {
    const { status, stderr } = runProgram(t, body);
    t.is(status, 1);
    t.regex(stderr, /Error: a slip\n {4}at .*program\.mjs:[34]:\d+/);
  });

test('a program that handles what is not caught prints nothing of ours', t => {
  const { status, stdout, stderr } = runProgram(
    t,
    "process.on('uncaughtException', ({ message }) => console.log('mine: ' + message));\nthrow Error('a slip');",
  );
  t.deepEqual([status, stdout, stderr], [0, 'mine: a slip\n', '']);
});

test('code in a compartment sees no stack, whoever made the error and whoever reads it first', t => {
  const { status, stdout } = runProgram(
    t,
    `const seen = [];
let kept;
const stackOf = error => error.stack;
const thrower = () => { throw Error('of the host'); };
const c = new Compartment({ see: value => void seen.push(value), stackOf, thrower, keep: e => { kept = e; } });
c.evaluate(\`
  try { null.x; } catch (error) { see(error.stack); }
  try { throw TypeError('made'); } catch (error) { stackOf(error); see(error.stack); }
  try { thrower(); } catch (error) { stackOf(error); see(error.stack); }
  try { [1].map(() => JSON.parse('{')); } catch (error) { see(error.stack); }
  class Own extends Error { get name() { see('ran'); return 'x'; } }
  see(new Own('y').stack);
  const deep = n => { if (n === 0) null.x; return deep(n - 1); };
  try { deep(60); } catch (error) { see(error.stack); }
\`);
c.evaluate("Promise.resolve('{').then(JSON.parse).catch(error => { keep(error); see(error.stack); })");
await new Promise(resolve => setTimeout(resolve, 20));
seen.push(stackOf(kept));
console.log(JSON.stringify(seen));
console.log(stackOf(Error('mine')).includes('program'));`,
  );
  t.is(status, 0);
  const [seen, frames] = stdout.trim().split('\n');
  t.deepEqual(JSON.parse(seen), ['', '', '', '', '', '', '', '']);
  t.is(frames, 'true');
});

test('an error of this package has no stack in the realm, and its frames are read as before', t => {
  const { stdout } = runProgram(
    t,
    `let error;
try { insistOwnRealm({ Array: class {} }); } catch (thrown) { error = thrown; }
console.log(JSON.stringify([error.name, error.stack, getStackFrames(error).includes('lockdown.js')]));`,
  );
  t.is(stdout, '["UserError","",true]\n');
});

test('a program may set a hook of its own for a while, which sees no frame of the engine', t => {
  const { stdout } = runProgram(
    t,
    `const before = Error.prepareStackTrace;
const thrown = () => { try { new Compartment().evaluate('null.x\\n//# sourceURL=file:///a/vat.js'); } catch (error) { return error; } };
const tell = error => getStackFrames(error).includes('file:///a/vat.js:1:');
console.log(tell(thrown()), thrown().stack === '', Error.prepareStackTrace === before);
let sites;
Error.prepareStackTrace = (error, all) => { sites = all; return 'mine'; };
console.log(Error('x').stack, typeof sites[0].getFileName(), sites[0].getThis, tell(thrown()));
Error.prepareStackTrace = before;
console.log(tell(thrown()), thrown().stack === '', Error('x').stack.includes('program'));`,
  );
  t.is(stdout, 'true true true\nmine string undefined true\ntrue true true\n');
});
