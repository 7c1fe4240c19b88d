// Vats that are made, used and ended while the run is on, as their authors see it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import test from 'ava';

import { loadConfig, makeSimulation, openLmdbStore } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

import { bundleVat } from '#loader/bundle/index.js';
import { runVats } from './run-vats.js';

/** @typedef {import('./run-vats.js').VatsRun} VatsRun */
/** @typedef {'current' | '2020-09'} ProfileName */

const profiles = /** @type {const} */ (['current', '2020-09']);

const worker = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = ({ exitVat, exitVatWithFailure }, parameters) =>
    Far('worker', {
      echo: value => value,
      never: () => new Promise(() => {}),
      parameters: () => harden({ ...parameters }),
      hear: words => E(parameters.friend).hear(words),
      exit: info => exitVat(info),
      exitWithFailure: info => exitVatWithFailure(info),
      sendAndExit(other) {
        E(other).hear('before');
        exitVat('bye');
        E(other).hear('after');
      },
      dropAndExit(other) {
        E(other).hear('never said');
        exitVatWithFailure('bye');
      },
    });
`;

/** Modules that make no good vat. */
const bad = {
  engineError: `undefined.x; export const buildRootObject = () => {};`,
  throwing: `throw Error('top level'); export const buildRootObject = () => {};`,
  rootless: `export const other = 1;`,
  rootThrows: `export const buildRootObject = () => { throw RangeError('no root'); };`,
  rootRejects: `export const buildRootObject = async () => { throw Error('no root later'); };`,
  rootNever: `export const buildRootObject = () => new Promise(() => {});`,
  rootData: `export const buildRootObject = () => 7;`,
  rootExits: `
    import { Far } from '@endo/far';
    export const buildRootObject = ({ exitVat }) => {
      exitVat('at once');
      return Far('root', { hi: () => 'hi' });
    };
  `,
  rootFails: `
    import { Far } from '@endo/far';
    export const buildRootObject = ({ exitVatWithFailure }) => {
      exitVatWithFailure(Error('at once'));
      return Far('root', { hi: () => 'hi' });
    };
  `,
};

/** @param {string} body  of bootstrap, which has \`admin\`, \`make\`, \`tell\` */
const bootstrap = body => `
  import { E, Far } from '@endo/far';
  const isPlain = value => typeof value === 'object' && value !== null && !('then' in value);
  const show = value => {
    if (value instanceof Error) return value.name + ': ' + value.message;
    return isPlain(value) ? JSON.stringify(value, Object.keys(value).sort()) : String(value);
  };
  const tell = (what, promise) =>
    Promise.resolve(promise).then(
      value => console.log(what + ' gave ' + show(value)),
      error => console.log(what + ' failed with ' + show(error)),
    );
  export const buildRootObject = (_powers, parameters) => {
    const self = Far('bootstrap', {
      hear: words => console.log('heard ' + words),
      async bootstrap(vats, devices) {
        const admin = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
        const make = (...args) => E(admin).createVatByName('worker', ...args);
        ${body}
      },
    });
    return self;
  };
`;

/**
 * @param {string} body
 * @param {ProfileName} profile
 * @param {Parameters<typeof runVats>[1]} [options]
 */
const run = (body, profile, options) =>
  runVats({ bootstrap: bootstrap(body) }, { profile, bundles: { worker, ...bad }, ...options });

/** What bootstrap printed. @param {VatsRun} ran */
const said = ({ printed }) =>
  printed.map(line => {
    const [, text] = /^bootstrap: (.*)$/.exec(line) ?? [];
    return text ?? line;
  });

for (const profile of profiles) {
  /** What is said of an error of a device. @param {string} text */
  const ofDevice = text =>
    `failed with ${profile === 'current' ? 'Error: syscall.callNow failed: device.invoke failed, see logs for details' : text}`;

  test(`${profile}: a vat is made by the name of a bundle, and works`, async t => {
    const ran = await run(
      `
        const { root, adminNode } = await make();
        await tell('echo', E(root).echo('hi'));
        await tell('size', E(adminNode).adminData());
        const other = await make();
        console.log(other.root === root, other.adminNode === adminNode);
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    t.deepEqual(ran.errors, []);
    t.deepEqual(said(ran), [
      'echo gave hi',
      'size gave {"devices":0,"objects":1,"promises":0}',
      'false false',
    ]);
  });

  test(`${profile}: a vat is made from a bundle cap, and one bundle has one cap`, async t => {
    const ran = await run(
      `
        const cap = await E(admin).getNamedBundleCap('worker');
        const id = await E(admin).getBundleIDByName('worker');
        console.log(/^b1-[0-9a-f]{64}$/.test(id));
        console.log(cap === (await E(admin).getBundleCap(id)), cap === (await E(admin).waitForBundleCap(id)));
        await tell('cap', E.get(E(admin).createVat(cap)).root.then(root => E(root).echo('from a cap')));
        await tell('name', E(admin).getNamedBundleCap('none'));
        await tell('id', E(admin).getBundleCap('b1-00'));
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    t.deepEqual(said(ran), [
      'true',
      'true true',
      'cap gave from a cap',
      `name ${ofDevice('Error: the config has no bundle "none"; "bundles" names what can be made')}`,
      `id ${ofDevice('Error: there is no bundle with the id "b1-00"')}`,
    ]);
  });

  test(`${profile}: a vat is made from a bundle that is passed as data, ours or another tool's`, async t => {
    const folder = temporaryDirectory(t, 'dynamic-vats');
    const file = join(folder, 'vat-worker.js');
    writeFileSync(file, worker);
    const { bundle: ours } = await bundleVat(file);
    const rootOf = `{ buildRootObject: () => Far('foreign', { echo: value => value + ' abroad' }) }`;
    const text = `const { Far } = require('@endo/far');`;
    const bundles = {
      ours,
      getExport: {
        moduleFormat: 'getExport',
        source: `function getExport() { ${text} return ${rootOf}; }`,
      },
      nestedEvaluate: {
        moduleFormat: 'nestedEvaluate',
        source: `function getExportWithNestedEvaluate(filePrefix) { ${text} return ${rootOf}; }`,
      },
      endoScript: { moduleFormat: 'endoScript', source: `(() => { ${text} return ${rootOf}; })()` },
    };
    const ran = await run(
      `
        for (const [name, bundle] of Object.entries(parameters.bundles)) {
          const { root } = await E(admin).createVat(harden(bundle));
          await tell(name, E(root).echo(name));
        }
        // It is installed now: its id will do.
        const cap = await E(admin).getBundleCap(parameters.bundles.ours.id);
        await tell('again', E(E.get(E(admin).createVat(cap)).root).echo('again'));
      `,
      profile,
      { parameters: { bootstrap: { bundles } } },
    );
    t.is(ran.failure, undefined);
    t.deepEqual(
      [...said(ran)].sort(),
      [
        'ours gave ours',
        'getExport gave getExport abroad',
        'nestedEvaluate gave nestedEvaluate abroad',
        'endoScript gave endoScript abroad',
        'again gave again',
      ].sort(),
    );
  });

  test(`${profile}: what is no bundle makes no vat`, async t => {
    const ran = await run(
      `
        const given = {
          nothing: undefined, null: null, number: 3, text: 'worker', list: [], presence: self,
          noSource: { moduleFormat: 'getExport' },
          zip: { moduleFormat: 'endoZipBase64', endoZipBase64: '' },
          part: { format: 'swingset-runner-1' },
          changed: { format: 'swingset-runner-1', id: 'b1-00', entry: '.', modules: {} },
        };
        for (const [name, bundle] of Object.entries(given))
          await tell(name, E(admin).createVat(harden(bundle)));
        await tell('name', E(admin).createVatByName('nosuch'));
        await tell('no name', E(admin).createVatByName());
        await tell('vat', E.get(make()).root.then(root => E(root).echo('still here')));
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    const none = (/** @type {string} */ text) =>
      ofDevice(`TypeError: the bundle of a new vat ${text}`);
    t.deepEqual(said(ran), [
      ...['nothing', 'null', 'number', 'text', 'list'].map(
        name => `${name} ${none('is not a bundle: it has no "moduleFormat"')}`,
      ),
      profile === 'current'
        ? 'presence failed with Error: Vat Creation Error: createVat() requires a bundlecap'
        : `presence ${none('is not a bundle: it has no "moduleFormat"')}`,
      `noSource ${none('is a bundle without "source"')}`,
      `zip ${none('is a damaged archive: it has no end record of ZIP')}`,
      `part ${none('is not a whole bundle; make it again')}`,
      `changed ${none('was changed after it was made: its id "b1-00" does not fit')}`,
      `name ${ofDevice('Error: the config has no bundle "nosuch"; "bundles" names what can be made')}`,
      `no name ${ofDevice('Error: the config has no bundle undefined; "bundles" names what can be made')}`,
      'vat gave still here',
    ]);
  });

  test(`${profile}: a vat that does not start is told of, and nobody else is touched`, async t => {
    const names = Object.keys(bad).filter(name => !['rootExits', 'rootFails'].includes(name));
    const ran = await run(
      `
        for (const name of ${JSON.stringify(names)}) await tell(name, E(admin).createVatByName(name));
        const foreign = { moduleFormat: 'endoScript', source: '({' };
        await E(admin).createVat(harden(foreign)).catch(error => console.log(/^Vat Creation Error: /.test(error.message)));
        await tell('pipelined', E(E.get(E(admin).createVatByName('throwing')).root).hi());
        await tell('vat', E(E.get(make()).root).echo('still here'));
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    const error = 'failed with Error: Vat Creation Error:';
    const root =
      profile === 'current'
        ? 'buildRootObject returned a number; it must return Far(name, {methods})'
        : 'buildRootObject returned a number; it must return an object of methods';
    t.deepEqual(said(ran), [
      `engineError ${error} a TypeError made by the engine; its text is in the vat's console`,
      `throwing ${error} top level`,
      `rootless ${error} its module does not export buildRootObject(vatPowers, vatParameters)`,
      `rootThrows ${error} no root`,
      `rootRejects ${error} no root later`,
      `rootNever ${error} buildRootObject unresolved: it may wait only for what it does itself`,
      `rootData ${error} ${root}`,
      'true',
      `pipelined ${error} top level`,
      'vat gave still here',
    ]);
    t.true(
      ran.errors.some(text =>
        /^vat throwing: Error: top level\n.*bundle-throwing\.js:1/.test(text),
      ),
    );
  });

  test(`${profile}: a vat may end itself while it starts`, async t => {
    const ran = await run(
      `
        for (const name of ['rootExits', 'rootFails']) {
          try {
            const { root, adminNode } = await E(admin).createVatByName(name);
            await tell(name, E(adminNode).done());
            await tell('message', E(root).hi());
          } catch (error) {
            console.log(show(error));
          }
        }
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    const gone = 'message failed with Error: vat terminated';
    t.deepEqual(said(ran), [
      profile === 'current'
        ? 'rootExits failed with Error: vatAdminService rejecting attempt to perform "done"() on non-running vat "v6"'
        : 'rootExits gave at once',
      gone,
      ...(profile === 'current'
        ? ['Error: Vat Creation Error: it ended itself while it started']
        : ['rootFails failed with Error: at once', gone]),
    ]);
  });

  test(`${profile}: every option of a vat is taken, and what is none is refused`, async t => {
    const given = {
      name: { name: 'v.1_A-b' },
      description: { description: 'any text: "…"' },
      vatParameters: { vatParameters: { a: 1, list: ['x', null] } },
      enableSetup: { enableSetup: true },
      enablePipelining: { enablePipelining: true },
      local: { managerType: 'local' },
      xsnap: { managerType: 'xsnap' },
      metered: { metered: true },
      useTranscript: { useTranscript: true },
      reap: { reapInterval: 1, reapGCKrefs: 'never', neverReap: false, enableDisavow: false },
      unknown: { meter: 1 },
      bogus: { bogus: 1 },
      nodeOptions: { nodeOptions: ['-x'] },
      notCritical: { critical: false },
      wrongName: { name: 'a b' },
      numberName: { name: 1 },
      wrongManager: { managerType: 'wasm' },
      wrongFlag: { enablePipelining: 'yes' },
      wrongReap: { reapInterval: 0 },
      wrongParameters: { vatParameters: 'x' },
      noObject: 'x',
      null: null,
    };
    const ran = await run(
      `
        for (const [what, options] of Object.entries(parameters.given)) {
          const made = make(harden(options));
          await tell(what, E(E.get(made).root).parameters());
        }
        await tell('bigint', E(E.get(make({ reapInterval: 5n })).root).echo('fine'));
        await tell('too long', make({ name: 'x'.repeat(200) }).then(() => 'made', () => 'refused'));
      `,
      profile,
      { parameters: { bootstrap: { given } } },
    );
    t.is(ran.failure, undefined);
    const isCurrent = profile === 'current';
    const known =
      '"name", "description", "vatParameters", "enableSetup", "enablePipelining", "managerType", "critical", "metered", "useTranscript", "reapInterval", "reapGCKrefs", "neverReap", "enableDisavow"';
    const nameRule = 'at most 199 letters, digits, ".", "_" and "-"';
    t.deepEqual(
      [...said(ran)].sort(),
      [
        'name gave {}',
        'description gave {}',
        'vatParameters gave {"a":1,"list":["x",null]}',
        'enableSetup gave {}',
        'enablePipelining gave {}',
        'local gave {}',
        'xsnap gave {}',
        'metered gave {}',
        'useTranscript gave {}',
        'reap gave {}',
        ...(isCurrent
          ? [
              'unknown failed with Error: CreateVatOptions: vats are not metered here, so a vat takes no meter',
              'bogus failed with Error: CreateVatOptions: unknown options "bogus"',
              "nodeOptions failed with Error: CreateVatOptions: nodeOptions requires managerType='node-subprocess'",
              'notCritical gave {}',
              'wrongName failed with Error: CreateVatOptions: bad vat name "a b"',
              'numberName failed with Error: CreateVatOptions: name must be a string, got 1',
              'wrongManager failed with Error: CreateVatOptions: bad managerType "wasm"',
              'wrongFlag failed with Error: CreateVatOptions: enablePipelining must be a boolean, got "yes"',
              'wrongReap failed with Error: CreateVatOptions: reapInterval must be a whole number from 1, or "never", got 0',
              'wrongParameters failed with Error: CreateVatOptions: vatParameters must be an object, got "x"',
              'noObject failed with Error: CreateVatOptions: options must be an object, got "x"',
              'null failed with Error: CreateVatOptions: options must be an object, got null',
            ]
          : [
              `unknown failed with TypeError: a vat has no option "meter"; known are ${known}`,
              `bogus failed with TypeError: a vat has no option "bogus"; known are ${known}`,
              `nodeOptions failed with TypeError: a vat has no option "nodeOptions"; known are ${known}`,
              'notCritical gave {}',
              `wrongName failed with TypeError: option "name" of a vat must be ${nameRule}, got "a b"`,
              `numberName failed with TypeError: option "name" of a vat must be ${nameRule}, got 1`,
              'wrongManager failed with TypeError: option "managerType" of a vat must be one of "local", "worker", "xs-worker", "xsnap", "node-subprocess", "nodeWorker", "node-worker", got "wasm"',
              'wrongFlag failed with TypeError: option "enablePipelining" of a vat must be a boolean, got "yes"',
              'wrongReap failed with TypeError: option "reapInterval" of a vat must be a whole number from 1, or "never", got 0',
              'wrongParameters failed with TypeError: option "vatParameters" of a vat must be an object, got "x"',
              'noObject failed with TypeError: options of a vat must be an object, got "x"',
              'null failed with TypeError: options of a vat must be an object, got null',
            ]),
        'bigint gave fine',
        'too long gave refused',
      ].sort(),
    );
  });

  test(`${profile}: only who has the key makes a vat that the run cannot do without`, async t => {
    const ran = await run(
      `
        await tell('flag', make({ critical: true }));
        await tell('object', make({ critical: self }));
        const critical = await E(vats.vatAdmin).getCriticalVatKey();
        await tell('key', E(E.get(make({ critical })).root).echo('made'));
        await tell('none', E(E.get(make({ critical: undefined })).root).echo('made'));
      `,
      profile,
    );
    const refused =
      profile === 'current'
        ? 'failed with Error: invalid criticalVatKey'
        : 'failed with Error: the option "critical" of a vat takes the key that getCriticalVatKey() gives';
    t.deepEqual(said(ran), [
      `flag ${refused}`,
      `object ${refused}`,
      'key gave made',
      'none gave made',
    ]);
  });

  test(`${profile}: the end of a vat is told to who waits for it, before and after`, async t => {
    const ran = await run(
      `
        const { root, adminNode } = await make();
        tell('before', E(adminNode).done());
        tell('never', E(root).never());
        await tell('end', E(adminNode).terminateWithFailure(Error('enough')));
        await tell('after', E(adminNode).done());
        await tell('twice', E(adminNode).terminateWithFailure('again'));
        await tell('old name', E(adminNode).terminate('again'));
        await tell('size', E(adminNode).adminData());
        await tell('message', E(root).echo(1));
        await tell('upgrade', E(adminNode).upgrade());
        await tell('options', E(adminNode).changeOptions({}));
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    const refused = (/** @type {string} */ operation, /** @type {string} */ text) =>
      profile === 'current'
        ? `failed with Error: vatAdminService rejecting attempt to perform "${operation}"() on non-running vat "v6"`
        : text;
    const ended = 'failed with Error: vat v6 has ended already';
    t.deepEqual([...said(ran)].sort(), [
      `after ${refused('done', 'failed with Error: enough')}`,
      'before failed with Error: enough',
      'end gave undefined',
      'message failed with Error: vat terminated',
      'never failed with Error: vat terminated',
      `old name ${refused('terminate', ended)}`,
      `options ${refused('changeOptions', 'failed with Error: options of vats of the profile 2020-09 cannot be changed')}`,
      'size gave undefined',
      `twice ${refused('terminateWithFailure', ended)}`,
      `upgrade ${refused('upgrade', 'failed with Error: vats of the profile 2020-09 cannot be upgraded')}`,
    ]);
  });

  test(`${profile}: a vat may be ended twice, and before it has started`, async t => {
    const ran = await run(
      `
        const made = make();
        const { adminNode } = E.get(made);
        tell('first', E(adminNode).terminateWithFailure('one'));
        tell('second', E(adminNode).terminateWithFailure('two'));
        tell('message', E(E.get(made).root).echo(1));
        await tell('done', E(adminNode).done());
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    t.deepEqual([...said(ran)].sort(), [
      'done failed with one',
      'first gave undefined',
      'message failed with Error: vat terminated',
      profile === 'current'
        ? 'second failed with Error: vatAdminService rejecting attempt to perform "terminateWithFailure"() on non-running vat "v6"'
        : 'second gave undefined',
    ]);
  });

  test(`${profile}: messages go to the result of createVat before there is a vat`, async t => {
    const ran = await run(
      `
        const made = make();
        const { root } = E.get(made);
        tell('first', E(root).echo('one'));
        tell('second', E(root).echo('two'));
        await tell('third', E(root).echo('three'));
        await tell('it', made.then(vat => Object.keys(vat).join(' ')));
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    t.deepEqual(said(ran), [
      'first gave one',
      'second gave two',
      'third gave three',
      'it gave adminNode root',
    ]);
  });

  test(`${profile}: what a vat sends in the crank of its end is sent, unless that is dropped`, async t => {
    const ran = await run(
      `
        for (const method of ['sendAndExit', 'dropAndExit']) {
          const { root, adminNode } = await make();
          const done = tell('done', E(adminNode).done());
          await tell(method, E(root)[method](self));
          await done;
          await tell('message', E(root).echo(1));
        }
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    const isDropped = profile === 'current';
    const message = 'message failed with Error: vat terminated';
    t.deepEqual(said(ran), [
      'heard before',
      'heard after',
      'sendAndExit gave undefined',
      'done gave bye',
      message,
      ...(isDropped ? [] : ['heard never said']),
      isDropped ? 'dropAndExit failed with Error: vat terminated' : 'dropAndExit gave undefined',
      'done failed with bye',
      message,
    ]);
  });

  test(`${profile}: a vat ends with whatever it likes, also with a presence`, async t => {
    const ran = await run(
      `
        const ends = [undefined, { a: 1 }, Error('x'), self];
        for (const method of ['exit', 'exitWithFailure']) {
          for (const info of ends) {
            const { root, adminNode } = await make();
            const done = E(adminNode).done();
            E(root)[method](harden(info)).catch(() => {});
            await done.then(
              value => console.log('kept ' + (value === self ? 'self' : show(value))),
              reason => console.log('failed ' + (reason === self ? 'self' : show(reason))),
            );
          }
        }
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    const infos = ['undefined', '{"a":1}', 'Error: x', 'self'];
    t.deepEqual(said(ran), [
      ...infos.map(info => `kept ${info}`),
      ...infos.map(info => `failed ${info}`),
    ]);
  });

  test(`${profile}: nobody makes vats with anything but the device, or reports ends that did not happen`, async t => {
    const ran = await run(
      `
        const service = E(vats.vatAdmin).createVatAdminService(self);
        await tell('forged', E(service).createVatByName('worker'));
        const { root, adminNode } = await make();
        await E(vats.vatAdmin).newVatCallback('v99', {});
        await tell('meter', E(admin).createMeter(1n, 1n));
        await tell('vat', E(root).echo('alive'));
      `,
      profile,
    );
    t.deepEqual(said(ran), [
      'forged failed with Error: D() must be given a device node',
      'meter failed with Error: vats are not metered here, so there are no meters',
      'vat gave alive',
    ]);
  });

  test(`${profile}: a run with vats that come and go is the same, wherever it is resumed`, async t => {
    const body = `
      const made = [];
      for (let i = 0; i < 8; i += 1) made.push(await make({ name: 'w' + i % 2 }));
      const waiting = E(made[0].root).never();
      for (const { root } of made) E(root).echo(waiting).catch(() => {});
      tell('done', E(made[7].adminNode).done());
      E(made[1].root).exit('one');
      E(made[7].root).sendAndExit(self);
      await tell('end', E(made[0].adminNode).terminate('zero'));
      await tell('last', E(made[5].root).echo('alive'));
    `;
    const whole = await run(body, profile);
    t.is(whole.failure, undefined);
    t.deepEqual([...said(whole)].sort(), [
      'done gave bye',
      'end gave undefined',
      'heard after',
      'heard before',
      'last gave alive',
    ]);
    for (let stopAfter = 0; stopAfter < whole.cranks; stopAfter += 3) {
      const resumed = await run(body, profile, { stopAfter });
      t.is(resumed.failure, undefined);
      t.is(resumed.hash, whole.hash, `stopped after ${stopAfter}`);
      t.is(resumed.digest, whole.digest, `stopped after ${stopAfter}`);
      t.deepEqual(resumed.printed, whole.printed);
    }
  });
}

test('current: parameters of a vat may hold presences', async t => {
  const ran = await run(
    `
      const { root } = await make({ vatParameters: { friend: self } });
      await E(root).hear('a friend');
    `,
    'current',
  );
  t.is(ran.failure, undefined);
  t.deepEqual(said(ran), ['heard a friend']);
});

test('2020-09: parameters of a vat are data', async t => {
  const ran = await run(`await tell('it', make({ vatParameters: { friend: self } }));`, '2020-09');
  t.deepEqual(said(ran), [
    'it failed with Error: in profile 2020-09, vatParameters can only be data',
  ]);
});

for (const profile of profiles) {
  test(`${profile}: subscribers are notified in the order of their ids as texts, as in SwingSet`, async t => {
    const ran = await runVats(
      {
        bootstrap: bootstrap(`
          const workers = [];
          for (let i = 0; i < 7; i += 1) workers.push((await make({ name: 'w' + i })).root);
          let settle;
          const shared = new Promise(resolve => (settle = resolve));
          for (const worker of workers) await E(worker).listen(shared);
          settle('now');
        `),
      },
      {
        profile,
        bundles: {
          worker: `
            import { Far } from '@endo/far';
            export const buildRootObject = () =>
              Far('worker', {
                listen(promise) { Promise.resolve(promise).then(value => console.log(value)); },
              });
          `,
        },
      },
    );
    t.is(ran.failure, undefined);
    // They are v6 to v12, and the subscribers of one promise.
    t.deepEqual(
      ran.printed,
      [4, 5, 6, 0, 1, 2, 3].map(i => `w${i}: now`),
    );
  });
}

test('current: a durable object is no root, and an object that stands for no bundle makes no vat', async t => {
  const ran = await runVats(
    {
      bootstrap: bootstrap(`
        await tell('durable', E(admin).createVatByName('durable'));
        await tell('object', E(admin).createVat(Far('object', {})));
      `),
    },
    {
      profile: 'current',
      bundles: {
        worker,
        durable: `
          import { prepareSingleton } from '@agoric/vat-data';
          export const buildRootObject = (powers, parameters, baggage) =>
            prepareSingleton(baggage, 'root', { hi: () => 'hi' });
        `,
      },
    },
  );
  t.deepEqual(said(ran), [
    'durable failed with Error: Vat Creation Error: buildRootObject() must return ephemeral, not virtual/durable object',
    'object failed with Error: Vat Creation Error: createVat() requires a bundlecap',
  ]);
});

for (const profile of profiles) {
  for (const isStatic of [true, false]) {
    const title = isStatic ? 'of the config' : 'made in the run';
    test(`${profile}: a critical vat ${title} that fails stops the run at its last block`, async t => {
      const folder = temporaryDirectory(t, 'dynamic-vats');
      const body = isStatic
        ? `const { worker } = vats;`
        : `
          const critical = await E(vats.vatAdmin).getCriticalVatKey();
          const { root: worker } = await make({ critical });
        `;
      writeFileSync(
        join(folder, 'bootstrap.js'),
        bootstrap(`
          ${body}
          for (let i = 0; i < 5; i += 1) await tell('echo', E(worker).echo(i));
          await tell('end', E(worker).exitWithFailure(Error('the disk is full')));
        `),
      );
      writeFileSync(join(folder, 'vat-worker.js'), worker);
      const source = { sourceSpec: './vat-worker.js' };
      const config = {
        bootstrap: 'bootstrap',
        bundles: { worker: source },
        vats: {
          bootstrap: { sourceSpec: './bootstrap.js' },
          worker: { ...source, creationOptions: { critical: isStatic } },
        },
      };
      writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
      const open = (/** @type {boolean} */ create) =>
        openLmdbStore({ dir: join(folder, 'state'), durability: 'none', create });
      const message =
        'the critical vat worker ended, which ends the run at its last block: Error: the disk is full';

      /** @type {string[]} */
      const printed = [];
      const observer = {
        onConsole: (
          /** @type {string} */ _vat,
          /** @type {string} */ _level,
          /** @type {string} */ text,
        ) => void printed.push(text),
      };
      const first = await makeSimulation(loadConfig({ baseDir: folder }), {
        store: open(true),
        profile,
        observer,
      });
      await t.throwsAsync(first.run({ blockSize: 4 }), { name: 'UserError', message });
      t.deepEqual(printed, [
        'echo gave 0',
        'echo gave 1',
        'echo gave 2',
        'echo gave 3',
        'echo gave 4',
      ]);
      await t.throwsAsync(async () => first.commit());
      await first.close();

      // The state is whole, and comes to the same end.
      const second = await makeSimulation(undefined, {
        store: open(false),
        resume: true,
        observer,
      });
      t.is(second.cranks.all % 4, 0);
      await t.throwsAsync(second.run({ blockSize: 1 }), { name: 'UserError', message });
      await second.close();
    });
  }

  test(`${profile}: a critical vat that ends well stops the run too`, async t => {
    const ran = await run(
      `
        const critical = await E(vats.vatAdmin).getCriticalVatKey();
        const { root, adminNode } = await make({ critical });
        E(root).exit('done');
        await tell('it', E(adminNode).done());
      `,
      profile,
    );
    const info = profile === 'current' ? '#"done"' : '"done"';
    t.is(
      ran.failure,
      `the critical vat worker ended, which ends the run at its last block: ${info}`,
    );
    t.deepEqual(said(ran), []);
  });
}
