// Strings that are nearly those of another comms vat, given to one that is in the midst of things: each is taken or refused,
// nothing is thrown, and the other machine's next right string is taken as before. SWINGSET_RUNNER_FUZZ_ROUNDS asks for more.

import '#testkit/lockdown.js';
import test from 'ava';
import { fuzzing, makeMutations, makeRandom } from '#testkit';
import { formatString, parseString } from '#system-vats/comms/wire.js';
import { makeLoneComms } from './comms-machines.js';
import { receive } from './comms-scene.js';

/** @import { Syscall } from '#model' */

const corpus = [
  '1:0:deliver:ro+0:rp-71:rp-70;#["note",["&0"]]',
  '1:0:deliver:ro+0::ro-5;#["look",["$0.Alleged: thing"]]',
  '1:1:deliver:ro+20:rp-72:ro+0:rp-70:ro-6;#["go",["$0","&1","$2"]]',
  '1:0:resolve:fulfill:rp+40;#3',
  '1:2:resolve:fulfill:rp+40:ro-7;#"$0"',
  '1:0:resolve:reject:rp+40;#{"#error":"no","name":"Error"}\nresolve:fulfill:rp+41:rp-80;#"&0"',
  '1:0:resolve:fulfill:rp-70:rp-71;#["&0"]\nresolve:fulfill:rp-71:rp-70;#["&0"]',
  '1:0:deliver:rp+40:rp-73;#["m",[{"@qclass":"slot","index":0}]]',
  '2:1:deliver:ro+0:;[{"@qclass":"undefined"},[]]',
  '1:1:gc:dropExport:ro+20\ngc:retireExport:ro+20\ngc:retireImport:ro-5',
];

/** A comms vat that has published an object, was sent one, and has sent two messages. */
const makeScene = () => {
  const { deliver } = makeLoneComms();
  /** @type {(target: string, body: unknown, slots: string[], result: string | null) => Syscall[]} */
  const send = (target, body, slots, result) =>
    deliver(['message', target, { body: `#${JSON.stringify(body)}`, slots }, result]);
  send('o+0', ['addRemote', ['bot', '$0', '$1']], ['o-50', 'o-51'], 'p-60');
  send('o+0', ['addEgress', ['bot', 0, '$0']], ['o-60'], 'p-61');
  send('o+0', ['addIngress', ['bot', 5]], [], 'p-62');
  send('o+11', ['look', ['$0', '&1']], ['o-61', 'p-64'], 'p-63');
  return deliver;
};

/** Only what the vat holds may be named in what it asks of the kernel. @param {Syscall[]} syscalls */
const namesOf = syscalls =>
  JSON.stringify(syscalls)
    .match(/"[op][+-]\d+"/g)
    ?.map(name => name.slice(1, -1)) ?? [];

test('a nearly correct string is accepted or refused, and the next correct one is accepted', t => {
  const { rounds, seed } = fuzzing(1500);
  const random = makeRandom(`${seed} comms`);
  const next = makeMutations(random, corpus);
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const deliver = makeScene();
    const texts = Array.from({ length: 1 + random.below(4) }, next);
    const shown = `seed ${seed}, round ${round}: ${JSON.stringify(texts).slice(0, 600)}`;
    /** @type {Syscall[]} */
    let syscalls = [];
    try {
      for (const text of texts) syscalls = deliver(receive(text));
    } catch (error) {
      t.fail(`${shown} throws ${error}`);
    }
    if (JSON.stringify(syscalls).includes('comms refused a string')) refused += 1;
    for (const name of namesOf(syscalls)) {
      // References that a message of the remote's could have told the kernel: imports that comms was given.
      if (/^o-/.test(name) && !['o-50', 'o-51', 'o-60', 'o-61'].includes(name))
        t.fail(`${shown} names ${name}`);
    }
    const after = [];
    for (const seq of [1, 2, 3, 4, 5, 6, 7, 8]) {
      // It may have acknowledged one string or two, and cannot take that back.
      const text = `${seq}:${1 + (seq % 2)}:deliver:ro+0:;#["hello",[]]`;
      after.push(JSON.stringify(deliver(receive(text))));
    }
    if (!after.some(said => said.includes('hello')))
      t.fail(`${shown} ends the conversation: ${after.join(' ').slice(0, 900)}`);
  }
  t.true(refused > rounds / 10 && refused < rounds, `${refused} of ${rounds} were refused`);
});

test('a parsed string is encoded as an equivalent one', t => {
  const { rounds, seed } = fuzzing(10_000);
  const next = makeMutations(makeRandom(`${seed} wire`), corpus);
  let taken = 0;
  for (let round = 0; round < rounds; round += 1) {
    const text = next();
    let parsed;
    try {
      parsed = parseString(text);
    } catch (error) {
      if (/** @type {Error} */ (error).constructor.name === 'Refusal') continue;
      t.fail(`${JSON.stringify(text.slice(0, 300))} throws ${error}`);
      continue;
    }
    taken += 1;
    const again = parseString(formatString(parsed));
    if (JSON.stringify(again) !== JSON.stringify(parsed))
      t.fail(`${JSON.stringify(text.slice(0, 300))} becomes ${formatString(again).slice(0, 300)}`);
  }
  t.true(taken > rounds / 20, `${taken} of ${rounds}`);
});
