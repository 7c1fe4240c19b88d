import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const vat = (/** @type {string} */ imports) => `import { Far } from '@endo/far';
${imports}
export const buildRootObject = () => Far('bootstrap', { bootstrap() { console.log('TAKEN', got); } });
`;

const taken = /TAKEN|hunter2|root:x/;

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  moreOnEachNode: false,
  async more({ work, node, swingsetRunner }) {
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
    const statements = specifiers.flatMap(specifier => [
      `import got from '${specifier}';`,
      // Other ways of the compiler for the same look-up: for few.
      ...(/linked/.test(specifier)
        ? [`import * as got from '${specifier}';`, `export * from '${specifier}'; const got = 1;`]
        : []),
    ]);
    const file = path.join(vats, 'bootstrap.js');

    fs.writeFileSync(path.join(work, 'vats.json'), JSON.stringify(statements.map(vat)));
    const ran = await node('try-vats.js', ['vats.json', vats]);
    assert.equal(ran.code, 0, ran.stderr);
    assert(!taken.test(ran.stdout + ran.stderr), ran.stdout + ran.stderr);
    const refusals = JSON.parse(ran.stdout);
    assert.equal(refusals.length, statements.length);
    for (const [index, refusal] of refusals.entries()) {
      // A module that the system provides may be imported; there is nothing in it.
      if (/'ses'/.test(statements[index])) continue;
      assert.match(refusal ?? 'not refused', /^UserError: [^\n]+$/, statements[index]);
    }

    // The command's output for the first ones.
    for (const statement of statements.slice(0, 2)) {
      fs.writeFileSync(file, vat(statement));
      const args = ['vats', '--memdb', '--vatlog', '-', '--no-graphs'];
      const { code, stdout, stderr } = await swingsetRunner(args);
      const said = `${statement} ${stdout} ${stderr}`;
      assert(!taken.test(said), said);
      assert.equal(code, 2, said);
      assert.match(stderr, /^swingset-runner: [^\n]+\n$/, said);
    }
  },
};
