// Every directory here is an attack; README.md says how they are run and judged.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';

import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { judgeAttack, judgeEnd } from './harness/judge.js';
import { startsProcesses } from './harness/one-way.js';
import { endAttackProcesses } from './harness/processes.js';
import { inTurn } from './harness/turns.js';

/** @import { Attack } from './harness/attack-types.js' */

const here = import.meta.dirname;
const major = Number(process.versions.node.split('.')[0]);

/** @param {string | undefined} range */
const includesThisNode = range => {
  if (range === undefined) return false;
  const [, sign, version] = /^(>=|<)(\d+)$/.exec(range) ?? [];
  if (sign === undefined) throw TypeError(`notOn is ">=24" or "<24", not "${range}"`);
  return sign === '<' ? major < Number(version) : major >= Number(version);
};

const names = fs
  .readdirSync(here, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && entry.name !== 'harness')
  .map(({ name }) => name)
  .sort();

const attacks = await Promise.all(
  names.map(async name => {
    const directory = path.join(here, name);
    const file = path.join(directory, 'attack.js');
    /** @type {{ default: Attack }} */
    const { default: attack } = await import(pathToFileURL(file).href);
    return { name, directory, attack };
  }),
);

for (const [index, { name, directory, attack }] of attacks.entries()) {
  const isWhole = startsProcesses(index);
  const judge = (/** @type {import('ava').ExecutionContext} */ t) =>
    inTurn(() => judgeAttack(directory, attack, temporaryDirectory(t), { isWhole }));
  if (attack.stillWorks === undefined || includesThisNode(attack.notOn)) {
    test(`${name} fails`, async t => {
      await t.notThrowsAsync(judge(t));
    });
  } else {
    test(`${name} still works: ${attack.stillWorks}`, async t => {
      const error = await t.throwsAsync(judge(t));
      if (error === undefined) t.log('the attack fails now: take off its mark "stillWorks"');
      else t.log(error.message.slice(0, 300));
    });
  }
}

test.after.always(
  'nothing printed by itself, nor ended, where attacks shared a process',
  async () => {
    for (const ran of await endAttackProcesses()) judgeEnd(ran);
  },
);

test('there are attacks', t => t.true(names.length > 0));
