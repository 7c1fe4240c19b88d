// Mistakes of the vats and devices of a config, as a person sees them: each gets a clear line, ends at most what is at
// fault, and loses nothing that was committed.

import path from 'node:path';
import test from 'ava';

import { runCli, temporaryDirectory, vat, writeFiles } from '../runner/test/run-cli.js';

const quiet = ['--no-stats', '--no-graphs', '--no-logall', '--vatlog', '-'];

const profiles = ['current', '2020-09'];

/** @param {string} stderr  that has one line and no stack */
const isOneLine = stderr => /^swingset-runner: [^\n]+\n$/.test(stderr);

test('errors for an invalid bundle and a duplicate name give the place', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(cwd, {
    'bootstrap.js': vat('bootstrap() {}'),
    'list.json': '[1]',
    'torn.json': '{"moduleFormat": "getExport", "sour',
    'zip.json': '{"moduleFormat": "endoZipBase64", "endoZipBase64": ""}',
    'new.json': '{"moduleFormat": "wasm", "source": ""}',
  });
  const boot = '"bootstrap": {"sourceSpec": "./bootstrap.js"}';
  /** @type {[config: string, says: RegExp][]} */
  const mistakes = [
    [
      `{"bootstrap": "bootstrap", "vats": {${boot}},\n "bundles": {"b": {"bundle": {"source": "x"}}}}`,
      /swingset\.json: bundles\.b\.bundle is not a bundle: it has no "moduleFormat"$/m,
    ],
    [
      `{"bootstrap": "bootstrap", "vats": {${boot}}, "bundles": {"b": {"bundleSpec": "./list.json"}}}`,
      /list\.json is not a bundle: it has no "moduleFormat"$/m,
    ],
    [
      `{"bootstrap": "bootstrap", "vats": {${boot}}, "bundles": {"b": {"bundleSpec": "./torn.json"}}}`,
      /torn\.json:1:\d+: /,
    ],
    [
      `{"bootstrap": "bootstrap", "vats": {${boot}, "b": {"bundleSpec": "./zip.json"}}}`,
      /zip\.json is a damaged archive: it has no end record of ZIP$/m,
    ],
    [
      `{"bootstrap": "bootstrap", "vats": {${boot}, "b": {"bundleSpec": "./new.json"}}}`,
      /new\.json has the module format "wasm"; a vat can be made of /,
    ],
    [
      `{"bootstrap": "bootstrap", "vats": {${boot},\n  ${boot}}}`,
      /swingset\.json:2:3: the field "bootstrap" is there twice$/m,
    ],
  ];
  for (const [config, says] of mistakes) {
    writeFiles(cwd, { 'swingset.json': config });
    const { code, stderr } = await runCli(cwd, ['.']);
    t.regex(stderr, says);
    t.true(isOneLine(stderr), stderr);
    t.is(code, 2);
  }
});

const device = `
  export const buildRootDeviceNode = ({ setDeviceState, getDeviceState }) => harden({
    throws() { setDeviceState({ kept: true }); throw TypeError('out of order'); },
    throwsText() { throw 'only a text'; },
    promise: () => Promise.resolve(1),
    symbol: () => Symbol('x'),
    cycle() { const list = []; list.push(list); return list; },
    state: () => (getDeviceState() === undefined ? 'none' : 'kept'),
    fine: value => value,
  });
`;

const caller = `
  import { Far } from '@endo/far';
  export const buildRootObject = ({ D }) => Far('root', {
    bootstrap(vats, devices) {
      for (const method of ['throws', 'throwsText', 'promise', 'symbol', 'cycle', 'none']) {
        try {
          const given = D(devices.broken)[method]();
          console.log(method + ' gave ' + typeof given);
        } catch (error) {
          console.log(method + ' failed with ' + error.message);
        }
      }
      console.log(D(devices.broken).state() + ', ' + D(devices.broken).fine('fine'));
    },
  });
`;

for (const profile of profiles) {
  test(`${profile}: a device that throws or returns an invalid value causes an error in the calling vat`, async t => {
    const cwd = temporaryDirectory(t);
    writeFiles(path.join(cwd, 'work'), {
      'bootstrap.js': caller,
      'device.js': device,
      'swingset.json': JSON.stringify({
        bootstrap: 'bootstrap',
        vats: { bootstrap: { sourceSpec: './bootstrap.js' } },
        devices: { broken: { sourceSpec: './device.js' } },
      }),
    });
    const ran = await runCli(cwd, ['work', '--memdb', '--profile', profile, ...quiet]);
    t.is(ran.code, 0, ran.stderr);
    const lines = ran.stdout.split('\n').filter(line => / failed with |^kept|^none/.test(line));
    const told = /** @type {[string, RegExp][]} */ ([
      ['throws', /out of order/],
      ['throwsText', /only a text/],
      ['promise', /device broken cannot pass promises/],
      ['symbol', /./],
      ['cycle', /./],
      ['none', /device broken has no method "none"; it has "throws", /],
    ]);
    const hidden = 'syscall.callNow failed: device.invoke failed, see logs for details';
    for (const [i, [method, text]] of told.entries()) {
      t.true(lines[i].startsWith(`${method} failed with `), lines[i]);
      if (profile === 'current') t.is(lines[i], `${method} failed with ${hidden}`);
      t.regex(profile === 'current' ? ran.stderr : lines[i], text);
    }
    t.is(lines[6], 'kept, fine', 'the crank was kept, and with it what the device had changed');
    t.is(lines.length, 7);
  });

  test(`${profile}: all messages arrive if a vat sends very many in one crank`, async t => {
    const cwd = temporaryDirectory(t);
    writeFiles(path.join(cwd, 'work'), {
      'bootstrap.js': `
        import { E, Far } from '@endo/far';
        export const buildRootObject = () => {
          let heard = 0;
          return Far('root', {
            async bootstrap(vats) {
              const sent = [];
              for (let i = 0; i < 20000; i += 1) sent.push(E(vats.echo).hear(i));
              const answers = await Promise.all(sent);
              console.log(answers.every((answer, i) => answer === i), answers.length);
            },
          });
        };
      `,
      'vat-echo.js': vat('hear(i) { return i; }'),
    });
    const flags = ['--lmdb', '--durability', 'none', '--profile', profile, ...quiet];
    const ran = await runCli(cwd, ['work', ...flags]);
    t.is(ran.code, 0, ran.stderr);
    t.regex(ran.stdout, /^true 20000$/m);
    // Each is a message and a notify.
    t.regex(ran.stderr, /^setup: 40001 cranks in /m);
  });
}
