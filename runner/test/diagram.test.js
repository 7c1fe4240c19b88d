import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory } from './run-cli.js';

const library = new URL('../../packages/reactor/index.js', import.meta.url).href;

const program = `
  import { Reactor } from '${library}';
  class Worker extends Reactor {
    in = this.input();
    work = this.reaction({ triggers: this.in }, () => {});
  }
  export class main extends Reactor {
    workers = this.bank(6, Worker);
    start = this.reaction({ triggers: this.startup, effects: this.workers.port('in') }, () => {
      throw Error('this runs');
    });
  }
`;

/** @param {import('ava').ExecutionContext} t */
const folder = t => {
  const cwd = temporaryDirectory(t);
  fs.writeFileSync(path.join(cwd, 'program.mjs'), program);
  return cwd;
};

test('diagram writes what the ending of the file says, and names it', async t => {
  const cwd = folder(t);
  for (const [name, start] of [
    ['a.svg', '<svg '],
    ['a.png', '\x89PNG'],
    ['a.pdf', '%PDF-'],
    ['a.mmd', 'flowchart LR'],
    ['a.md', '```mermaid\nflowchart LR'],
    ['a.json', '{\n "reactors"'],
  ]) {
    const { code, stdout, stderr } = await runCli(cwd, ['diagram', 'program.mjs', '-o', name]);
    t.is(code, 0, stderr);
    t.is(stdout, `${name}\n`);
    t.true(fs.readFileSync(path.join(cwd, name), 'latin1').startsWith(start), name);
  }
});

test('diagram without a file prints Mermaid; banks are one box or each its own', async t => {
  const cwd = folder(t);
  const one = await runCli(cwd, ['diagram', 'program.mjs']);
  t.regex(one.stdout, /workers\[0\.\.5\]: Worker × 6/);
  const each = await runCli(cwd, ['diagram', '--banks', 'program.mjs']);
  t.regex(each.stdout, /workers\[5\]: Worker"/);
});

test('diagram says what it needs', async t => {
  const cwd = folder(t);
  for (const [args, text] of /** @type {[string[], RegExp][]} */ ([
    [[], /diagram needs a module that exports a reactor, and a file to write/],
    [['none.mjs'], /no file "none.mjs"; give a module that exports a reactor/],
    [['.'], /"\." is a directory; diagram takes a module/],
    [['program.mjs', '-o', 'a.txt'], /its name says no format; end it in \.svg/],
    [['program.mjs', '-o', 'no/a.svg'], /"no\/a.svg" cannot be written \(ENOENT\)/],
  ])) {
    const { code, stderr } = await runCli(cwd, ['diagram', ...args]);
    t.true(code === 1 || code === 2);
    t.regex(stderr, text);
    t.is(stderr.trim().split('\n').length, 1);
  }
});
