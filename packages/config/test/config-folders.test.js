// Errors for folders, bundles and files that are missing or have a wrong form.

import test from 'ava';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { loadConfig, parseJson } from '../index.js';
import { writeFiles, sources, twoVats, loadOf, withVat, joined, ports } from './config-folder.js';

test('an error names a bundle file that is not JSON', t => {
  const folder = writeFiles({
    ...sources,
    'b.json': '{',
    'swingset.json': JSON.stringify(withVat({ bundleSpec: 'b.json' })),
  });
  t.throws(() => loadConfig({ baseDir: folder }), {
    message: `${folder}/b.json:1:2: not JSON: expected the name of a field in double quotes, got the end of the file`,
  });
});

test('paths are found from the folder as it is named, or from the folder that it links to', t => {
  const config = {
    bootstrap: 'main',
    vats: { main: { sourceSpec: '../shared/main.js' }, a: { sourceSpec: '../other' } },
    sourceRoots: ['../shared'],
  };
  const folder = writeFiles({
    'real/vats/swingset.json': JSON.stringify(config),
    'real/shared/main.js': '',
    'real/other.js': '',
    'linked/other.js': '',
  });
  const link = join(folder, 'linked', 'vats');
  symlinkSync(join(folder, 'real', 'vats'), link);
  const loaded = loadConfig({ baseDir: link });
  t.is(loaded.vats.main.sourceFile, join(folder, 'real', 'shared', 'main.js'));
  t.is(loaded.vats.a.sourceFile, join(folder, 'linked', 'other.js'));
  t.deepEqual(loaded.sourceRoots, [link, join(folder, 'real', 'shared')]);
  mkdirSync(join(folder, 'linked', 'shared'));
  t.deepEqual(loadConfig({ baseDir: link }).sourceRoots, [link, join(folder, 'linked', 'shared')]);
});

test('the error for a folder without vats names the files it needs', t => {
  const folder = writeFiles({ 'vat-a.js': '' });
  t.throws(() => loadConfig({ baseDir: folder }), {
    name: 'UserError',
    message: `${folder} has neither "swingset.json" nor "bootstrap.js" (or "bootstrap.ts"); name a folder that has one, or a config with --config`,
  });
});

test('two vats of one name are refused', t => {
  const folder = writeFiles({ 'bootstrap.js': '', 'vat-bootstrap.js': '' });
  t.throws(() => loadConfig({ baseDir: folder }), {
    message: `${folder} has both "bootstrap.js" and "vat-bootstrap.js"; there is one vat "bootstrap"`,
  });
});

test('a file in place of a folder is refused with the right form', t => {
  const folder = writeFiles(sources);
  t.throws(() => loadConfig({ baseDir: join(folder, 'vat-a.js') }), {
    message: `"${folder}/vat-a.js" is a file; name its folder, or give a config by --config`,
  });
});

test('a missing folder is searched among the demos, with a notice', t => {
  const demosDir = writeFiles({ 'tablehockey/bootstrap.js': '', 'deep/er/bootstrap.js': '' });
  for (const baseDir of [
    'demos/tablehockey',
    'tablehockey',
    './demos/tablehockey/',
    'somewhere/demos/tablehockey',
  ]) {
    const config = loadConfig({ baseDir, demosDir });
    t.is(config.baseDir, join(demosDir, 'tablehockey'));
    t.deepEqual(config.notices, [
      `no directory "${baseDir}" here; running the demo of that name from ${demosDir}/tablehockey`,
    ]);
  }
  t.is(loadConfig({ baseDir: 'demos/deep/er', demosDir }).baseDir, join(demosDir, 'deep/er'));
});

test('the error for an unknown folder suggests the nearest name', t => {
  const demosDir = writeFiles({ 'tablehockey/bootstrap.js': '', 'chain/bootstrap.js': '' });
  const here = writeFiles({ 'mine/bootstrap.js': '' });
  /** @type {[string, string][]} */
  const cases = [
    ['demos/tablehocke', 'no directory "demos/tablehocke"; did you mean "demos/tablehockey"?'],
    ['tablehokcey', 'no directory "tablehokcey"; did you mean "demos/tablehockey"?'],
    [join(here, 'mnie'), `no directory "${here}/mnie"; did you mean "${here}/mine"?`],
    [
      '../tablehockey/../no-such-folder',
      'no directory "../tablehockey/../no-such-folder"; the demos are "demos/chain", "demos/tablehockey"',
    ],
  ];
  for (const [baseDir, message] of cases) {
    t.throws(() => loadConfig({ baseDir, demosDir }), { name: 'UserError', message });
  }
  t.throws(() => loadConfig({ baseDir: 'quite-unknown' }), {
    message: 'no directory "quite-unknown"',
  });
});

test('a demo in a folder of demos is found, and so is a config of it', t => {
  const config = '{ "bootstrap": "a", "vats": { "a": { "sourceSpec": "bootstrap.js" } } }';
  const demosDir = writeFiles({
    'tablehockey/bootstrap.js': '',
    'games/chess/bootstrap.js': '',
    'games/chess/fast.json': config,
    'games/shared.js': '',
  });
  t.is(loadConfig({ baseDir: 'games/chess', demosDir }).baseDir, join(demosDir, 'games/chess'));
  for (const options of [
    { baseDir: 'demos/games/chess/fast.json' },
    { configFile: 'games/chess/fast.json' },
  ]) {
    const { baseDir, configFile, notices } = loadConfig({ ...options, demosDir });
    t.is(baseDir, join(demosDir, 'games/chess'));
    t.is(configFile, join(demosDir, 'games/chess/fast.json'));
    t.regex(notices[0], /^no file ".*fast.json" here; running the demo's, /);
  }
  /** @type {[string, string][]} */
  const cases = [
    ['games/ches', 'no directory "games/ches"; did you mean "demos/games/chess"?'],
    ['chss', 'no directory "chss"; did you mean "demos/games/chess"?'],
    ['games', '"games" cannot be run itself; name its folder that can: "games/chess"'],
    ['games/chess/slow.json', 'there is no config file "games/chess/slow.json"'],
  ];
  for (const [baseDir, message] of cases)
    t.throws(() => loadConfig({ baseDir, demosDir }), { name: 'UserError', message });
  const games = join(demosDir, 'games');
  t.throws(() => loadConfig({ baseDir: games, demosDir }), {
    message: `${games} cannot be run itself; name its folder that can: "${games}/chess"`,
  });
});

test('JSON is read and refused as by the engine', t => {
  const text = fc.oneof(
    fc.json(),
    fc.json().chain(json =>
      // One character taken away, doubled or replaced.
      fc
        .tuple(fc.nat(json.length), fc.constantFrom('', ',', '"', '}', '[', '\\', '0', ' '))
        .map(([at, put]) => json.slice(0, at) + put + json.slice(at + 1)),
    ),
  );
  fc.assert(
    fc.property(text, json => {
      /** @type {unknown} */
      let expected;
      try {
        expected = JSON.parse(json);
      } catch {
        const error = t.throws(() => parseJson(json, 'x.json'), { name: 'UserError' });
        return /^x\.json:\d+:\d+: /.test(error?.message ?? '');
      }
      try {
        t.deepEqual(parseJson(json, 'x.json'), expected);
      } catch (error) {
        return /is there twice$/.test(/** @type {Error} */ (error).message);
      }
      return true;
    }),
    { numRuns: 300 },
  );
});

test('connections are read as they stand, with their delays in nanoseconds', t => {
  const { wiring } = loadOf({
    ...joined(
      ports,
      { ...ports, after: 0 },
      { ...ports, after: '0' },
      { ...ports, after: '1.5 ms', physical: true },
      { from: { interleaved: ['main.x', 'main.y'] }, to: ['a.x', { interleaved: ['a.y'] }] },
      { ...ports, repeat: true, partial: false },
    ),
    reactors: { timeout: 0 },
  });
  t.deepEqual(wiring, {
    timeoutNs: 0,
    connections: [
      ports,
      { ...ports, afterNs: 0 },
      { ...ports, afterNs: 0 },
      { ...ports, afterNs: 1_500_000, physical: true },
      { from: { interleaved: ['main.x', 'main.y'] }, to: ['a.x', { interleaved: ['a.y'] }] },
      { ...ports, repeat: true },
    ],
  });
});

test('JSON that is nested too deeply is refused, not followed', t => {
  t.throws(() => parseJson('['.repeat(100_000), 'x.json'), {
    name: 'UserError',
    message:
      'x.json:1:1002: not JSON: expected at most 1000 levels of nesting, got [[[[[[[[[[[[[[[[[[[[',
  });
});

test("vats that come with the system are named by the paths that they had in SwingSet's package", t => {
  const specs = {
    '@agoric/swingset-vat/src/vats/comms/index.js': 'comms',
    '@agoric/swingset-vat/src/vats/comms': 'comms',
    '@agoric/swingset-vat/src/vats/vattp/vat-vattp.js': 'vattp',
    '@agoric/swingset-vat/src/vats/vat-tp': 'vattp',
  };
  for (const [sourceSpec, builtIn] of Object.entries(specs)) {
    const vats = { ...twoVats.vats, other: { sourceSpec } };
    t.deepEqual(loadOf({ ...twoVats, vats }).vats.other, {
      builtIn,
      parameters: {},
      creationOptions: {},
    });
  }
  const vats = { ...twoVats.vats, other: { sourceSpec: '@agoric/swingset-vat/src/vats/zoe.js' } };
  t.throws(() => loadOf({ ...twoVats, vats }), { message: /there is no file/ });
});

test('JSON may have strings of any length', t => {
  // The engine's stack for regular expressions ends at some sixteen million repetitions.
  const value = { plain: 'x'.repeat(20_000_000), escaped: '\n'.repeat(9_000_000) };
  t.is(JSON.stringify(parseJson(JSON.stringify(value), 'x.json')), JSON.stringify(value));
});

test('a vat may be called __proto__', t => {
  const folder = writeFiles({ 'bootstrap.js': '', 'vat-__proto__.js': '' });
  t.deepEqual(Object.keys(loadConfig({ baseDir: folder }).vats), ['__proto__', 'bootstrap']);
});
