// The reason with which a vat ends itself is a part of the kernel's message to vatAdmin. A raw vat may give any text.

import test from 'ava';
import { makeTestKernel, message } from '#testkit';

/** @typedef {'current' | '2020-09'} ProfileName */

const unreadable = '"a value that cannot be read"';

/**
 * The reports to vatAdmin of a vat that ends itself.
 *
 * @param {ProfileName} profile
 * @param {string} body  of its reason
 * @param {string[]} [slots]
 */
const toldOf = async (profile, body, slots = []) => {
  /** @type {[body: string, slots: string][]} */
  const told = [];
  const run = makeTestKernel({
    profile,
    vats: {
      // The roots' order is vatAdmin, zoe.
      boot: (_delivery, call, crank) => {
        if (crank === 1) call('send', 'o-51', message('end'), null);
      },
      zoe: (delivery, call) => {
        if (delivery[0] === 'message') call('exit', false, { body, slots });
      },
      vatAdmin: delivery => {
        if (delivery[0] === 'message') told.push([delivery[2].body, delivery[2].slots.join()]);
      },
    },
  });
  await run.run();
  const start = profile === 'current' ? '#' : '';
  const head = `${start}["vatTerminated",["v`;
  return told
    .filter(([text]) => text.startsWith(head))
    .map(([text, named]) => [text.slice(`${head}1",false,`.length, -2), named]);
};

/** @type {[title: string, profile: ProfileName, body: string, text: string][]} */
const reasons = [
  ['a string', 'current', '#"done"', '"done"'],
  ['what ends the message', 'current', '#1]],["vatTerminated",["v1",true,1', unreadable],
  ['what adds an argument', 'current', '#1,"$0"', unreadable],
  ['nothing', 'current', '#', unreadable],
  ['no body at all', 'current', '', unreadable],
  ['a string in the notation of 2020', 'current', '"$0"', '"!$0"'],
  ['a number in the notation of 2020', 'current', '-1.5', '-1.5'],
  ['a record in the notation of 2020', 'current', '{"@qclass":"NaN"}', unreadable],
  ['a reference without a slot', 'current', '#"$9"', unreadable],
  ['no constant', 'current', '#["#none"]', unreadable],
  ['a string that is escaped', 'current', '#"!$9"', '"!$9"'],
  ['an error', 'current', '#{"#error":"no","name":"Error"}', '{"#error":"no","name":"Error"}'],
  ['an error without a name', 'current', '#{"#error":"no"}', unreadable],
  ['a reference without a slot', '2020-09', '{"@qclass":"slot","index":0}', unreadable],
  ['a record', '2020-09', '{"@qclass":"NaN"}', '{"@qclass":"NaN"}'],
  ['what ends the message', '2020-09', '1]],[', unreadable],
  ['smallcaps', '2020-09', '#"done"', unreadable],
];

for (const [title, profile, body, text] of reasons) {
  test(`${profile}: vatAdmin is told of ${title}: ${body}`, async t => {
    t.deepEqual(await toldOf(profile, body), [[text, '']]);
  });
}

test('an object in a reason that cannot be read is left out', async t => {
  t.deepEqual(await toldOf('current', '#"$0.Alleged: it"', ['o+7']), [
    ['"$0.Alleged: it"', 'o-50'],
  ]);
  t.deepEqual(await toldOf('current', '"$0.Alleged: it"', ['o+7']), [['"!$0.Alleged: it"', '']]);
});
