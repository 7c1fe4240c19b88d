// Every command of docs/exit-codes.md is run, in its order, and ends with the code that the page says.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory } from '../runner/test/run-cli.js';
import { loadCommands } from '../runner/cli.js';

const page = readFileSync(new URL('../docs/exit-codes.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `([^`]+)` +\| (\d+) +\|/gm)].map(([, command, code]) => ({
  command,
  code: Number(code),
}));

/** Root objects of the bootstrap vats, by folder. */
const folders = {
  good: 'bootstrap() {}, runBenchmarkRound() {}',
  loses: 'bootstrap() {}',
  fails: "bootstrap() { throw Error('no'); }",
  waits: 'bootstrap: () => new Promise(() => {})',
  rounds: "bootstrap() {}, runBenchmarkRound() { throw Error('no'); }",
};

/** Folders whose runs would be drawn, which takes most of their time. */
const runs = new Set(['good', 'fails', 'waits', 'rounds', 'loses', 'broken']);

test('commands exit with the codes on the page', async t => {
  const cwd = temporaryDirectory(t);
  for (const [name, methods] of Object.entries(folders)) {
    mkdirSync(join(cwd, name));
    writeFileSync(
      join(cwd, name, 'bootstrap.js'),
      `import { Far } from '@endo/far';
       export const buildRootObject = () => Far('bootstrap', { ${methods} });`,
    );
  }
  mkdirSync(join(cwd, 'broken'));
  for (const file of ['broken/bootstrap.js', 'loses/vat-bob.js'])
    writeFileSync(join(cwd, file), "throw Error('no');");
  for (const { command, code } of rows) {
    const args = command.split(' ');
    const { code: ended, stderr } = await runCli(cwd, [
      ...args,
      ...(runs.has(args[0]) ? ['--no-graphs'] : []),
    ]);
    t.is(ended, code, `${command}\n${stderr}`);
    if (code !== 0) t.regex(stderr, /\S/, `${command} says nothing`);
  }
});

test('the page has every command', async t => {
  const first = new Set(rows.map(({ command }) => command.split(' ')[0]));
  const names = Object.keys(await loadCommands()).filter(name => name !== 'run');
  t.deepEqual(
    names.filter(name => !first.has(name)),
    [],
  );
});
