// Mistakes that newcomers make in a config or a folder of vats, and what each is told. None passes in silence.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { loadConfig } from '#config';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const root = "import { Far } from '@endo/far';\nexport const buildRootObject = () => Far('b', {});";
const bootstrap = { sourceSpec: 'bootstrap.js' };

/** A folder with a config. @param {object | string} config @returns {Record<string, string>} */
const withConfig = config => ({
  'bootstrap.js': root,
  'swingset.json':
    typeof config === 'string'
      ? config
      : JSON.stringify({ bootstrap: 'bootstrap', vats: { bootstrap }, ...config }),
});

/** The config of a vat whose source is given. @param {string} sourceSpec */
const ofSource = sourceSpec => withConfig({ vats: { bootstrap: { sourceSpec } } });

/** @type {[title: string, files: Record<string, string>, told: RegExp][]} */
const mistakes = [
  ['a slip in a source', ofSource('bootstarp.js'), /no file .*; did you mean "bootstrap\.js"\?$/],
  ['a space behind a source', ofSource('bootstrap.js '), /no file ".*\.js "; did you mean/],
  [
    'a misspelt limit',
    withConfig({
      vats: { bootstrap: { ...bootstrap, creationOptions: { limits: { heapMb: 64 } } } },
    }),
    /limits must be an object with "crankMs", .*, got \{"heapMb":64\}$/,
  ],
  ['a directory as a source', ofSource('./'), /sourceSpec is "\.\/", but .* is a directory/],
  ['a URL as a source', ofSource('https://x.org/a.js'), /sources are files; save it/],
  ['a path of Windows', ofSource('.\\vats\\a.js'), /write "\/" between the parts of a path$/],
  [
    'a vat without a name',
    withConfig({ vats: { bootstrap, '': bootstrap } }),
    /vats has an empty name; give it one$/,
  ],
  [
    'a vat twice',
    withConfig('{ "vats": { "a": {}, "a": {} } }'),
    /swingset\.json:1:\d+: the field "a" is there twice$/,
  ],
  ['a comment', withConfig('{ // vats\n}'), /swingset\.json:1:3: not JSON: expected the name/],
  ['vats in a list', withConfig({ vats: [bootstrap] }), /vats must be an object, got a list$/],
  [
    'a source in the place of a vat',
    withConfig({ vats: { bootstrap: 'bootstrap.js' } }),
    /vats\.bootstrap must be an object, got "bootstrap\.js"$/,
  ],
  [
    'a bootstrap that is no vat',
    withConfig({ bootstrap: 'boot' }),
    /bootstrap names no vat: "boot"/,
  ],
  [
    'a device of no kind',
    withConfig({ devices: { clock: {} } }),
    /devices\.clock has no code; give it one of/,
  ],
  [
    'a delay without a unit',
    withConfig({ connections: [{ from: 'a.x', to: 'b.y', after: '10' }] }),
    /connections\[0\]\.after is "10", without a unit; write "10 ms"/,
  ],
  [
    'a critical vat that may fail',
    withConfig({
      vats: { bootstrap: { ...bootstrap, creationOptions: { critical: true, mayFail: true } } },
    }),
    /creationOptions has both "critical" and "mayFail"/,
  ],
  [
    'another ending of bootstrap',
    { 'bootstrap.mjs': root },
    /call "bootstrap\.mjs" "bootstrap\.js"/,
  ],
  ['bootstrap as a vat', { 'vat-bootstrap.js': root }, /call "vat-bootstrap\.js" "bootstrap\.js"/],
];

/** @param {import('ava').ExecutionContext} t @param {Record<string, string>} files */
const load = (t, files) => {
  const baseDir = temporaryDirectory(t);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(baseDir, name)), { recursive: true });
    writeFileSync(join(baseDir, name), text);
  }
  return loadConfig({ baseDir });
};

for (const [title, files, told] of mistakes) {
  test(`${title} is told with what to do`, t => {
    t.throws(() => load(t, files), { name: 'UserError', message: told });
  });
}

test('a file that was probably meant to be a vat is reported', t => {
  const meant = ['Vat-a.js', 'vat-b.mjs', 'vatC.js', 'vat_d.ts'];
  const others = ['vat-e.js', 'vat-e.d.ts', 'vats.js', 'vatican.js', 'vat-list.json', 'README.md'];
  const files = Object.fromEntries([...meant, ...others].map(name => [name, root]));
  const { vats, notices } = load(t, { 'bootstrap.js': root, ...files });
  t.deepEqual(Object.keys(vats).sort(), ['bootstrap', 'e']);
  const names = ['vat-a.js', 'vat-b.js', 'vat-C.js', 'vat-d.ts'];
  t.deepEqual(
    notices.map(notice => notice.replace(/^.*\//, '')).sort(),
    meant.map((name, i) => `${name} is no vat by its name; one would be "${names[i]}"`).sort(),
  );
});
