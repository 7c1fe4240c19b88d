// The demos of reactors: each command of their READMEs prints what stands below it, in every way of running it.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';

import { demoDirectory, readDemo } from './compare/load.js';
import { runProgram } from './compare/run.js';
import { atEveryCrank, compareWays } from './compare/ways.js';
import { runCli, temporaryDirectory } from '../runner/test/run-cli.js';

const demos = fs
  .readdirSync(demoDirectory('reactors'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** It would take seconds to resume them after every crank. */
const isLong = new Set(['deadline', 'pingpong']);

/** @param {string} demo */
const commandsOf = demo =>
  [
    ...readDemo(`reactors/${demo}`, 'README.md').matchAll(
      /^```console\n\$ (.*)\n((?:.*\n)*?)```/gm,
    ),
  ].map(([, command, output]) => ({ command, lines: output.trimEnd().split('\n') }));

const runs = demos.flatMap(demo => commandsOf(demo).map(shown => ({ demo, ...shown })));

for (const { demo, command, lines } of runs) {
  test.serial(`${command} prints what its README says`, async t => {
    const [, place] = /^swingset-runner demos\/(\S+) --vatlog -$/.exec(command) ?? [];
    t.true(place.startsWith(`reactors/${demo}`));
    const program = /** @type {const} */ ({ directory: demoDirectory(place), profile: 'current' });
    const { log, differences } = await runProgram(program);
    t.deepEqual(log, lines);
    t.deepEqual(differences, []);
    t.deepEqual(await compareWays(program, isLong.has(demo) ? {} : atEveryCrank), []);
  });
}

test('a demo of reactors and its configs are found by name from any folder', async t => {
  const cwd = temporaryDirectory(t);
  const flags = ['--memdb', '--no-graphs', '--no-stats', '--vatlog', '-'];
  for (const place of ['reactors/timelimit', 'demos/reactors/timelimit/vats.json']) {
    const { stdout, code } = await runCli(cwd, [place, ...flags]);
    t.is(code, 0);
    t.true(stdout.startsWith('shutdown at (10000000000 ns, 0); 11 numbers came, in order\n'));
  }
});

test('the README of every demo of reactors shows each config, and the demo is in the list', t => {
  const list = readDemo('reactors', 'README.md');
  for (const demo of demos) {
    t.true(list.includes(`| \`${demo}\` `), demo);
    const configs = fs
      .readdirSync(demoDirectory(`reactors/${demo}`))
      .filter(name => name.endsWith('.json'));
    const shown = commandsOf(demo).map(({ command }) => command.split(' ')[1]);
    const wanted = configs.map(name =>
      path.join('demos/reactors', demo, name === 'swingset.json' ? '' : name).replace(/\/$/, ''),
    );
    t.deepEqual(shown.sort(), wanted.sort());
  }
});

test('a program prints the same in one vat and in several', t => {
  const byText = new Map();
  for (const { demo, command, lines } of runs) {
    const program = `${demo}${/same-time/.exec(command) ?? ''}`;
    byText.set(program, [...(byText.get(program) ?? []), lines.join('\n')]);
  }
  for (const [program, texts] of byText) t.is(new Set(texts).size, 1, program);
});
