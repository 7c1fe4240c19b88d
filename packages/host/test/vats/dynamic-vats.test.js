// Vats that are made, used and ended while the run is on, as their authors see it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { bundleVat } from '#loader/bundle/index.js';
import { profiles, worker, bad, run, said } from './dynamic-vats.js';

for (const profile of profiles) {
  /** The text for an error of a device. @param {string} text */
  const ofDevice = text =>
    `failed with ${profile === 'current' ? 'Error: syscall.callNow failed: device.invoke failed, see logs for details' : text}`;

  test(`${profile}: a vat is made by the name of a bundle, and works`, async t => {
    const ran = await run(
      `
        const { root, adminNode } = await make();
        await tell('echo', E(root).echo('hi'));
        ${profile === 'current' ? '' : "await tell('size', E(adminNode).adminData());"}
        const other = await make();
        console.log(other.root === root, other.adminNode === adminNode);
      `,
      profile,
    );
    t.is(ran.failure, undefined);
    t.deepEqual(ran.errors, []);
    t.deepEqual(said(ran), [
      'echo gave hi',
      ...(profile === 'current'
        ? []
        : ['size gave {"deviceCount":0,"objectCount":0,"promiseCount":1,"transcriptCount":1}']),
      'false false',
    ]);
  });

  test(`${profile}: objects of vatAdmin have the method of kinds today, and had not in 2020`, async t => {
    const ran = await run(
      `
        const { adminNode } = await make();
        for (const [what, object] of Object.entries({ admin: await admin, adminNode }))
          await tell(what, E(object).__getInterfaceGuard__());
      `,
      profile,
    );
    const answer =
      profile === 'current'
        ? 'gave undefined'
        : 'failed with TypeError: target["__getInterfaceGuard__"] does not exist';
    t.deepEqual(
      said(ran).map(line => line.replace(/, has .*/, '')),
      [`admin ${answer}`, `adminNode ${answer}`],
    );
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

  test(`${profile}: a value that is not a bundle makes no vat`, async t => {
    const ran = await run(
      `
        const given = {
          nothing: undefined, null: null, number: 3, text: 'worker', list: [], presence: self,
          noSource: { moduleFormat: 'getExport' },
          zip: { moduleFormat: 'endoZipBase64', endoZipBase64: '' },
          part: { format: 'swingset-runner-1' },
          changed: { format: 'swingset-runner-1', id: 'b1-00', entry: '.', modules: { '.': { source: '', type: 'js', imports: {} } } },
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
      ...['nothing', 'null', 'number', 'text', 'list'].map(name =>
        profile === 'current'
          ? `${name} failed with Error: createVat(bundle) does not look like a bundle`
          : `${name} ${none('is not a bundle: it has no "moduleFormat"')}`,
      ),
      profile === 'current'
        ? 'presence failed with Error: Vat Creation Error: createVat() requires a bundlecap'
        : `presence ${none('is not a bundle: it has no "moduleFormat"')}`,
      `noSource ${none('is a bundle without "source"')}`,
      `zip ${none('is a damaged archive: it has no end record of ZIP')}`,
      `part ${none('is not a whole bundle; make it again')}`,
      `changed ${none('was changed after it was made: its id "b1-00" does not fit')}`,
      `name ${ofDevice('Error: the config has no bundle "nosuch"; "bundles" names what can be made')}`,
      profile === 'current'
        ? 'no name failed with Error: createVatByName() requires bundleName to be a string'
        : `no name ${ofDevice('Error: the config has no bundle undefined; "bundles" names what can be made')}`,
      'vat gave still here',
    ]);
  });

  test(`${profile}: a vat that does not start is reported, and other vats are not affected`, async t => {
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
    // SwingSet of today makes an error of the error's text, and tells the text of that.
    const error = `failed with Error: Vat Creation Error:${profile === 'current' ? ' Error:' : ''}`;
    const root =
      profile === 'current'
        ? 'TypeError: buildRootObject returned a number; it must return Far(name, {methods})'
        : 'Error: cannot serialize non-objects like 7';
    // A promise is no root of 2020, unless it is hardened.
    const promised =
      profile === 'current'
        ? [
            'Error: no root later',
            'buildRootObject unresolved: it may wait only for what it does itself',
          ]
        : Array(2).fill('Error: cannot serialize non-frozen objects like [object Promise]');
    t.deepEqual(said(ran), [
      `engineError ${error} TypeError: a TypeError made by the engine; its text is in the vat's console`,
      `throwing ${error} Error: top level`,
      `rootless ${error} Error: vat source bundle lacks buildRootObject() function`,
      `rootThrows ${error} RangeError: no root`,
      `rootRejects ${error} ${promised[0]}`,
      `rootNever ${error} ${promised[1]}`,
      `rootData ${error} ${root}`,
      'true',
      `pipelined ${error} Error: top level`,
      'vat gave still here',
    ]);
    t.true(
      ran.errors.some(text =>
        /^vat throwing: Error: top level\n.*bundle-throwing\.js:1/.test(text),
      ),
    );
  });

  test(`${profile}: a vat that ends itself while it starts has not started`, async t => {
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
    const unconnected = 'Error: Vat Creation Error: TypeError: vatSyscallHandler is not a function';
    t.deepEqual(
      said(ran),
      profile === 'current'
        ? ['Error: Vat Creation Error: at once', 'Error: Vat Creation Error: Error: at once']
        : [unconnected, unconnected],
    );
  });

  test(`${profile}: every option of a vat is accepted, and an unknown one is refused`, async t => {
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
      noReap: { reapInterval: 0 },
      wrongReap: { reapInterval: -1 },
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
      '"name", "description", "vatParameters", "enableSetup", "enablePipelining", "managerType", "critical", "metered", "useTranscript", "reapInterval", "reapGCKrefs", "neverReap", "enableDisavow", "limits"';
    const nameRule = 'at most 199 letters, digits, ".", "_" and "-"';
    t.deepEqual(
      [...said(ran)].sort(),
      [
        'name gave {}',
        'vatParameters gave {"a":1,"list":["x",null]}',
        'enablePipelining gave {}',
        'local gave {}',
        'xsnap gave {}',
        'useTranscript gave {}',
        'noReap gave {}',
        ...(isCurrent
          ? [
              'unknown gave {}',
              ...['description', 'metered'].map(
                option =>
                  `${option} failed with Error: CreateVatOptions: unknown options "${option}"`,
              ),
              'reap failed with Error: CreateVatOptions: unknown options "enableDisavow,neverReap,reapGCKrefs"',
              'enableSetup failed with Error: Vat Creation Error: Error: Error: vat source bundle lacks (default) setup() function',
              'bogus failed with Error: CreateVatOptions: unknown options "bogus"',
              "nodeOptions failed with Error: CreateVatOptions: nodeOptions requires managerType='node-subprocess'",
              'notCritical gave {}',
              'wrongName failed with Error: CreateVatOptions: bad vat name "a b"',
              'numberName failed with Error: CreateVatOptions: name must be a string, got 1',
              'wrongManager failed with Error: CreateVatOptions: bad managerType "wasm"',
              'wrongFlag failed with Error: CreateVatOptions: enablePipelining must be a boolean, got "yes"',
              'wrongReap gave {}',
              'bigint failed with Error: CreateVatOptions: reapInterval must be a number, got 5n',
              'wrongParameters gave {"0":"x"}',
              'noObject failed with Error: CreateVatOptions: options must be an object, got "x"',
              'null failed with Error: CreateVatOptions: options must be an object, got null',
            ]
          : [
              ...['enableSetup', 'description', 'metered', 'reap'].map(name => `${name} gave {}`),
              'bigint gave fine',
              `unknown failed with TypeError: a vat has no option "meter"; known are ${known}`,
              `bogus failed with TypeError: a vat has no option "bogus"; known are ${known}`,
              `nodeOptions failed with TypeError: a vat has no option "nodeOptions"; known are ${known}`,
              'notCritical gave {}',
              `wrongName failed with TypeError: option "name" of a vat must be ${nameRule}, got "a b"`,
              `numberName failed with TypeError: option "name" of a vat must be ${nameRule}, got 1`,
              'wrongManager failed with TypeError: option "managerType" of a vat must be one of "local", "worker", "xs-worker", "xsnap", "node-subprocess", "nodeWorker", "node-worker", got "wasm"',
              'wrongFlag failed with TypeError: option "enablePipelining" of a vat must be a boolean, got "yes"',
              'wrongReap failed with TypeError: option "reapInterval" of a vat must be a whole number, or "never", got -1',
              'wrongParameters failed with TypeError: option "vatParameters" of a vat must be an object, got "x"',
              'noObject failed with TypeError: options of a vat must be an object, got "x"',
              'null failed with TypeError: options of a vat must be an object, got null',
            ]),
        'too long gave refused',
      ].sort(),
    );
  });

  test(`${profile}: only a holder of the key makes a critical vat`, async t => {
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
}

test('current: options of a vat that are falsy count as not set, and intervals may be any number', async t => {
  const ran = await run(
    `
      const falsy = { enableSetup: null, enablePipelining: 0, useTranscript: '', reapInterval: NaN };
      for (const [option, value] of Object.entries(falsy))
        await tell(option, E(E.get(make({ [option]: value })).root).echo('fine'));
      for (const reapInterval of [1.5, 2 ** 60, Infinity])
        await tell(reapInterval, E(E.get(make({ reapInterval })).root).echo('fine'));
      for (const reapInterval of ['never', 5n, {}])
        await tell(typeof reapInterval, make(harden({ reapInterval })));
      await tell('name', make({ name: 0 }));
    `,
    'current',
  );
  const refused = (/** @type {string} */ got) =>
    `failed with Error: CreateVatOptions: reapInterval must be a number, got ${got}`;
  t.deepEqual(said(ran), [
    ...['enableSetup', 'enablePipelining', 'useTranscript', 'reapInterval'].map(
      option => `${option} gave fine`,
    ),
    ...[1.5, 2 ** 60, Infinity].map(interval => `${interval} gave fine`),
    `string ${refused('"never"')}`,
    `bigint ${refused('5n')}`,
    `object ${refused('{}')}`,
    'name failed with Error: CreateVatOptions: name must be a string, got 0',
  ]);
});

test('current: meters keep what they are given, consume nothing, and what is no meter is ignored', async t => {
  const ran = await run(
    `
      const meter = await E(admin).createUnlimitedMeter();
      await tell('meter', E(meter).get());
      await E(meter).addRemaining(5n);
      await E(meter).setThreshold(5n);
      await tell('notifier', E(meter).getNotifier());
      await tell('metered', E(E.get(make({ meter })).root).echo('runs'));
      const limited = await E(admin).createMeter(1000n, 10n);
      const show = async () => {
        const { remaining, threshold } = await E(limited).get();
        return [typeof remaining, Number(remaining), Number(threshold)].join();
      };
      await tell('limited', show());
      await E(limited).addRemaining(5n);
      await E(limited).setThreshold(2000);
      await tell('limited', show());
      await tell('limited', E(E.get(make({ meter: limited })).root).echo('runs'));
      await tell('limited', show());
      for (const bad of [-1n, 'x', undefined, 1.5]) {
        await tell('added', E(limited).addRemaining(bad));
        await tell('threshold', E(limited).setThreshold(bad));
        await tell('created', E(admin).createMeter(bad, 1n));
        await tell('created', E(admin).createMeter(1n, bad));
      }
      await tell('created', E(admin).createMeter(5, 1n));
      await tell('other', E(E.get(make({ meter: Far('meter', {}) })).root).echo('runs'));
    `,
    'current',
  );
  t.deepEqual(said(ran), [
    'meter gave {"remaining":"unlimited","threshold":0}',
    'notifier failed with Error: not implemented, see #7234',
    'metered gave runs',
    'limited gave bigint,1000,10',
    'limited gave bigint,1005,2000',
    'limited gave runs',
    'limited gave bigint,1005,2000',
    ...[
      'RangeError: -1 is negative',
      'TypeError: x is a string but must be a bigint or a number',
      'TypeError: undefined is a undefined but must be a bigint or a number',
      'RangeError: 1.5 is not a safe integer',
    ].flatMap(text =>
      ['added', 'threshold', 'created', 'created'].map(call => `${call} failed with ${text}`),
    ),
    'created failed with Error: syscall.callNow failed: device.invoke failed, see logs for details',
    'other gave runs',
  ]);
});

test('current: an id that no bundle can have is refused by the device, and nobody waits for it', async t => {
  const refused =
    'failed with Error: syscall.callNow failed: device.invoke failed, see logs for details';
  const ran = await run(
    `
      const wrong = ['b0-' + 'a'.repeat(128), 'b1-' + 'A'.repeat(128), 'b1-' + 'a'.repeat(127)];
      for (const id of wrong) {
        await tell('get', E(admin).getBundleCap(id));
        await tell('wait', E(admin).waitForBundleCap(id));
      }
      await tell('right', E(admin).getBundleCap('b1-' + 'a'.repeat(128)));
    `,
    'current',
  );
  t.is(ran.failure, undefined);
  t.deepEqual(said(ran), [
    ...Array(3)
      .fill([`get ${refused}`, `wait ${refused}`])
      .flat(),
    `right failed with Error: bundleID not yet installed: b1-${'a'.repeat(128)}`,
  ]);
});
