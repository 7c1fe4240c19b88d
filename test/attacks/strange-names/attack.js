import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const vat = `import { E, Far } from '@endo/far';
export const buildRootObject = () => Far('root', {
  async bootstrap(vats) {
    for (const name of Object.keys(vats)) if (!/^(vatAdmin|comms|vattp|timer)$/.test(name)) console.log(await E(vats[name]).hello());
  },
  hello: () => 'hello',
});
`;

const names = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../up',
  'a/b',
  'a.b',
  'v1',
  ' ',
  '\u001b[31m',
  'x'.repeat(3000),
  '\u202e',
  'kernel',
  'null',
  '0',
  '-1',
  '%00',
  '💥',
];

// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  inProcess: false,
  command: false,
  async more({ work, swingsetRunner }) {
    fs.mkdirSync(path.join(work, 'vats'));
    fs.writeFileSync(path.join(work, 'vats/root.js'), vat);
    const config = path.join(work, 'vats/swingset.json');
    const code = '{ "sourceSpec": "./root.js" }';
    const all = names.map(name => `${JSON.stringify(name)}: ${code}`).join(',\n');
    const sections = ['vats', 'bundles', 'devices'];
    for (const section of sections) {
      const more = section === 'vats' ? `,\n${all}` : '';
      const other = section === 'vats' ? '' : `, "${section}": { ${all} }`;
      fs.writeFileSync(
        config,
        `{ "bootstrap": "boot", "vats": { "boot": ${code}${more} }${other} }`,
      );
      const ran = await swingsetRunner([
        'vats',
        '--no-graphs',
        '--no-logall',
        '--no-stats',
        '--verbose',
        '--outdir',
        'out',
        '--init',
        '--slog',
        'x.slog',
        '--trace',
        'x.json',
      ]);
      const said = ran.stdout + ran.stderr;
      assert(!/this is a bug|^\s+at .*packages/m.test(said), said.slice(0, 1500));
      assert(!control.test(said), JSON.stringify(said.slice(0, 1500)));
      assert([0, 1, 2].includes(ran.code ?? -1), said.slice(0, 1500));
      if (ran.code === 2)
        assert(ran.stderr.length < 1000, `a line of ${ran.stderr.length} characters`);
      if (ran.code === 0) {
        const audited = await swingsetRunner(['audit', 'out']);
        assert.equal(audited.code, 0, audited.stderr);
      }
    }
    assert.equal(/** @type {any} */ ({}).sourceSpec, undefined);
    assert.deepEqual(
      fs.readdirSync(path.dirname(work)).filter(name => name === 'up'),
      [],
    );
  },
};
