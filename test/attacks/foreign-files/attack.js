import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const vat = (/** @type {string} */ imports) => `import { Far } from '@endo/far';
${imports}
export const buildRootObject = () => Far('bootstrap', { bootstrap() { console.log('TAKEN', got); } });
`;

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  async more({ work, swingsetRunner }) {
    const vats = path.join(work, 'vats');
    fs.mkdirSync(vats);
    fs.mkdirSync(path.join(work, 'secret'));
    const json = path.join(work, 'secret/creds.json');
    const source = path.join(work, 'secret/creds.js');
    fs.writeFileSync(json, '{"password": "hunter2"}');
    fs.writeFileSync(source, 'export default "hunter2";\n');
    fs.writeFileSync(path.join(work, 'secret/hostname'), 'hunter2\n');
    fs.symlinkSync(json, path.join(vats, 'linked.json'));
    fs.symlinkSync(path.join(work, 'secret'), path.join(vats, 'folder'));
    fs.symlinkSync('/', path.join(vats, 'root'));
    fs.linkSync(json, path.join(vats, 'hard.json'));
    const specifiers = [
      '../secret/creds.json',
      '../secret/creds.js',
      '../secret/hostname',
      './linked.json',
      './folder/creds.json',
      './folder/../../secret/creds.json',
      `./root${json}`,
      `.${'/..'.repeat(40)}${json}`,
      json,
      `file://${json}`,
      './../secret/creds.json?x',
      '%2e%2e/secret/creds.json',
      './%2e%2e/secret/creds.json',
      './..\\\\secret\\\\creds.json',
      'folder/creds.json',
      '/proc/self/environ',
      '/etc/passwd',
      'data:text/javascript,export default 5',
      'node:fs',
      'fs',
      'lmdb',
      '#host',
      '#store',
      'swingset-runner',
      'swingset-runner/stats',
      'shim:@endo/far',
      'ses',
    ];
    for (const specifier of specifiers) {
      for (const statement of [
        `import got from '${specifier}';`,
        `import * as got from '${specifier}';`,
        `export * from '${specifier}'; const got = 1;`,
      ]) {
        // The second and third forms are other ways of the compiler for the same look-up: for few.
        if (!statement.startsWith('import got') && !/linked/.test(specifier)) continue;
        fs.writeFileSync(path.join(vats, 'bootstrap.js'), vat(statement));
        const { code, stdout, stderr } = await swingsetRunner([
          'vats',
          '--memdb',
          '--vatlog',
          '-',
          '--no-graphs',
        ]);
        const said = `${statement} ${stdout} ${stderr}`;
        // A module that the system provides may be imported; there is nothing in it.
        if (code === 0 && specifier === 'ses') continue;
        assert(!/TAKEN|hunter2|root:x/.test(said), said);
        assert.notEqual(code, 0, said);
        assert.match(stderr, /^swingset-runner: [^\n]+\n$/, said);
      }
    }
  },
};
