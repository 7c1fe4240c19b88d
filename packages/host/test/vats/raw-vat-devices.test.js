// Raw vats that decide promises, call devices, or break rules.

import test from 'ava';
import { runVats } from './run-vats.js';
import { profiles, caller, today, converse } from './raw-vats.js';

test('a raw vat that pipelines is sent messages for promises that it decides', async t => {
  const run = await runVats(
    {
      raw: today(`
        console.log(method, target, result);
        if (method === 'last') syscall.resolve([[result, false, kser('all')]]);
      `),
      bootstrap: caller("await tell('last', E(E(E(raw).first()).second()).last());"),
    },
    { creationOptions: { raw: { enableSetup: true, enablePipelining: true } } },
  );
  t.deepEqual(run.printed, [
    'raw: first o+0 p-60',
    'raw: second p-60 p-61',
    'raw: last p-61 p-62',
    'bootstrap: last gave all',
  ]);
});

for (const profile of profiles) {
  test(`${profile}: a raw vat is made while running, with parameters, and ended for a wrong slot`, async t => {
    const run = await runVats(
      {
        bootstrap: `
          import { E, Far } from '@endo/far';
          export const buildRootObject = ({ D }) => Far('bootstrap', {
            async bootstrap({ vatAdmin }, devices) {
              const service = E(vatAdmin).createVatAdminService(devices.vatAdmin);
              const source = ${JSON.stringify(`function setup(syscall, state, helpers, { vatParameters }) {
                console.log(JSON.stringify(vatParameters));
                return {
                  deliver(target, method, args, result) {
                    if (method === 'bad') syscall.send('o-999', 'x', { body: '[]', slots: [] });
                    else syscall.fulfillToData(result, args);
                  },
                };
              }`)};
              const { root, adminNode } = await E(service).createVat(
                { moduleFormat: 'getExport', source: '() => ({ default: ' + source + '})' },
                { enableSetup: true, vatParameters: { a: 1 } },
              );
              console.log(await E(root).echo(1n));
              await E(root).bad().catch(error => console.log(error.message));
              await E(adminNode).done().catch(error => console.log(typeof error.message));
              return 'done';
            },
          });
        `,
      },
      { profile },
    );
    t.is(run.failure, undefined);
    t.deepEqual(run.printed, [
      `${run.printed[0].split(':')[0]}: {"a":1}`,
      'bootstrap: [ 1n ]',
      'bootstrap: vat terminated',
      'bootstrap: string',
    ]);
    t.regex(run.result, /^data #?"done"$/);
  });
}

for (const profile of profiles) {
  test(`${profile}: a message that a raw vat of 2020's form cannot be called with is rejected`, async t => {
    const run = await runVats(
      {
        raw: `
          export default syscall => ({
            deliver(target, method, args, result) {
              console.log(method, args.body);
              if (result) syscall.fulfillToData(result, { body: '"alive"', slots: [] });
            },
            notifyFulfillToData() {}, notifyFulfillToPresence() {}, notifyReject() {},
          });
        `,
        attacker: `
          let next = 1;
          export default syscall => ({
            deliver(target, method, args, result) {
              for (const body of ['#7', '#not json', '#["x"', '["\\u0001",[]]', '', '#', '["\\\\x",[]]']) {
                syscall.send(args.slots[0], { body, slots: [] }, \`p+\${next}\`);
                syscall.subscribe(\`p+\${next}\`);
                syscall.send(args.slots[0], { body, slots: [] });
                next += 1;
              }
              syscall.fulfillToData(result, { body: '1', slots: [] });
            },
            notifyFulfillToData(p, data) { console.log('fulfilled', data.body); },
            notifyFulfillToPresence() {},
            notifyReject(p, data) {
              const { name, message } = JSON.parse(data.body);
              console.log(name, message);
            },
          });
        `,
        bootstrap: caller(`
          await E(vats.attacker).go(raw);
          await tell('it', E(raw).hi());
        `),
      },
      {
        profile,
        creationOptions: { raw: { enableSetup: true }, attacker: { enableSetup: true } },
      },
    );
    t.is(run.failure, undefined);
    t.deepEqual(run.errors, []);
    const refusal = 'attacker: TypeError the body of a message must be ["method", [arguments]]';
    t.is(run.printed.filter(line => line === refusal).length, 7, run.printed.join('\n'));
    t.true(run.printed.includes('bootstrap: it gave alive'));
  });
}

test('a list of holes is refused at its first hole, however long it is', async t => {
  const deliver = `
    const holes = new Array(2 ** 32 - 1);
    const said = [];
    const attempt = act => { try { act(); said.push('done'); } catch (error) { said.push(error.name); } };
    attempt(() => syscall.resolve(holes));
    attempt(() => syscall.resolve([holes]));
    attempt(() => syscall.dropImports(holes));
    attempt(() => syscall.send('o+0', { body: '#[]', slots: holes }));
    attempt(() => syscall.resolve(new Proxy([], { get: () => NaN })));
    attempt(() => syscall.resolve(new Proxy([], { get: () => ({ valueOf: () => 3 }) })));
    attempt(() => syscall.callNow('d-70', '\\ud800', { body: '#[]', slots: [] }));
    syscall.resolve([[result, false, kser(said)]]);
  `;
  const run = await converse(`console.log(...(await E(raw).go()));`, deliver, 'current');
  t.is(run.failure, undefined);
  t.deepEqual(run.printed, [`bootstrap: ${'TypeError '.repeat(7).trim()}`]);
});
