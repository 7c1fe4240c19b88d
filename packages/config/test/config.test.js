import test from 'ava';
import { join } from 'node:path';
import { loadConfig } from '../index.js';
import { writeFiles, sources, twoVats, loadOf, withVat, joined, ports } from './config-folder.js';

test('without a config the files of the folder are the vats, in the order of their names, bootstrap last', t => {
  const folder = writeFiles({
    'vat-zoe.js': '',
    'vat-Bob.js': '',
    'bootstrap.js': '',
    'vat-alice.js': '',
    'vat-two-words.js': '',
    'vatlike.js': '',
    'vat-x.txt': '',
    'README.md': '',
  });
  const config = loadConfig({ baseDir: folder });
  t.deepEqual(Object.keys(config.vats), ['Bob', 'alice', 'two-words', 'zoe', 'bootstrap']);
  t.deepEqual(config.vats.alice, {
    sourceFile: join(folder, 'vat-alice.js'),
    parameters: {},
    creationOptions: {},
  });
  t.is(config.bootstrap, 'bootstrap');
  t.deepEqual(config.vats.bootstrap.parameters, { argv: [] });
  t.deepEqual([config.bundles, config.devices, config.notices], [{}, {}, []]);
  t.is(config.configFile, undefined);
  t.is(config.baseDir, folder);
});

test('a swingset.json is read instead, and its vats keep their order', t => {
  const folder = writeFiles({
    ...sources,
    'node_modules/dep/package.json': '{ "name": "dep", "exports": { "./vat.js": "./src/vat.js" } }',
    'node_modules/dep/src/vat.js': '',
    'made/bundle.json': JSON.stringify({ moduleFormat: 'getExport', source: 'function f() {}' }),
    'swingset.json': JSON.stringify({
      $comment: 'for people',
      bootstrap: 'main',
      defaultReapInterval: 'never',
      defaultReapGCKrefs: 20,
      pinBootstrapRoot: true,
      bundleCachePath: 'cache',
      vats: {
        z: { sourceSpec: 'dep/vat.js', parameters: { n: 1 } },
        main: { sourceSpec: './bootstrap.js', creationOptions: { critical: true } },
        a: { bundleSpec: 'made/bundle.json' },
        b: { bundleName: 'bee', creationOptions: { enableSetup: true, reapInterval: 5 } },
        c: { bundle: { moduleFormat: 'endoScript', source: '({})' } },
      },
      bundles: { bee: { sourceSpec: 'vat-b.js' } },
      devices: { d: { sourceSpec: 'vat-a.js', creationOptions: { unendowed: true } } },
      benchmarkDriver: { sourceSpec: 'vat-b.js' },
    }),
  });
  const config = loadConfig({ baseDir: folder, argv: ['7'] });
  t.deepEqual(Object.keys(config.vats), ['z', 'main', 'a', 'b', 'c']);
  const { z, main, a, b, c } = config.vats;
  t.deepEqual(z, {
    sourceFile: join(folder, 'node_modules/dep/src/vat.js'),
    parameters: { n: 1 },
    creationOptions: {},
  });
  t.deepEqual(main.parameters, { argv: ['7'] });
  t.deepEqual(main.creationOptions, { critical: true });
  t.is(a.bundle?.foreign?.moduleFormat, 'getExport');
  t.is(c.bundle?.foreign?.source, '({})');
  t.deepEqual([b.bundleName, b.creationOptions], ['bee', { enableSetup: true, reapInterval: 5 }]);
  t.deepEqual(config.bundles, { bee: { sourceFile: join(folder, 'vat-b.js') } });
  t.deepEqual(config.devices.d.creationOptions, { unendowed: true });
  t.is(config.benchmarkDriver?.sourceFile, join(folder, 'vat-b.js'));
  t.is(config.defaultReapInterval, 'never');
  t.is(config.defaultReapGCKrefs, 20);
  t.true(config.pinBootstrapRoot);
  t.is(config.bundleCachePath, join(folder, 'cache'));
  t.is(config.configFile, join(folder, 'swingset.json'));
  // A notice names a field without effect.
  t.deepEqual(
    config.notices.map(notice => /: (\S+) is ignored: /.exec(notice)?.[1]),
    ['benchmarkDriver', undefined],
  );
});

test('a config can be named, as an option or in place of the folder', t => {
  const folder = writeFiles({ ...sources, 'other.json': JSON.stringify(twoVats) });
  const file = join(folder, 'other.json');
  for (const options of [{ configFile: file }, { baseDir: file }]) {
    const config = loadConfig(options);
    t.is(config.configFile, file);
    t.is(config.baseDir, folder);
    t.deepEqual(Object.keys(config.vats), ['main', 'a']);
  }
  const elsewhere = writeFiles(sources);
  const config = loadConfig({ baseDir: elsewhere, configFile: file });
  t.is(config.baseDir, elsewhere);
  t.is(config.vats.a.sourceFile, join(folder, 'vat-a.js'), 'relative to the config');
});

test('a file beside the config is found without a package of its name', t => {
  const { vats, folder } = loadOf(twoVats);
  t.is(vats.a.sourceFile, join(folder, 'vat-a.js'));
});

test('arguments of the command line win over those in the config', t => {
  const config = structuredClone(twoVats);
  /** @type {any} */ (config.vats.main).parameters = { argv: ['config'], other: 1 };
  t.deepEqual(loadOf(config).vats.main.parameters, { argv: ['config'], other: 1 });
  t.deepEqual(loadOf(config, { argv: ['line'] }).vats.main.parameters, {
    argv: ['line'],
    other: 1,
  });
});

test('a field without effect here gives a notice, not an error', t => {
  const { notices } = loadOf({
    ...twoVats,
    coreProposals: ['x'],
    exportStorageSubtrees: ['a.b'],
    clearStorageSubtrees: [],
    snapshotInitial: 3,
    snapshotInterval: 100,
    defaultManagerType: 'xs-worker',
    bundleFormat: 'nestedEvaluate',
    includeDevDependencies: true,
    loopboxSenders: ['a'],
    relaxDurabilityRules: true,
    vats: {
      main: {
        sourceSpec: 'bootstrap.js',
        creationOptions: { managerType: 'local', metered: false, enableDisavow: true },
      },
      a: {
        sourceSpec: 'vat-a.js',
        creationOptions: { managerType: 'xsnap', metered: true, nodeOptions: ['--inspect'] },
      },
    },
  });
  t.deepEqual(
    notices.map(notice => notice.replace(/^.*swingset\.json: /, '')),
    [
      'coreProposals is ignored: it is for chains only',
      'exportStorageSubtrees is ignored: it is for chains only',
      'clearStorageSubtrees is ignored: it is for chains only',
      'snapshotInitial is ignored: a vat is brought back from its transcript, not from a snapshot',
      'snapshotInterval is ignored: a vat is brought back from its transcript, not from a snapshot',
      'defaultManagerType is ignored: "xs-worker" runs as "local"',
      'bundleFormat is ignored: sources are always bundled in the format of the runner',
      'vats.a.creationOptions.managerType is ignored: "xsnap" runs as "local"',
      'vats.a.creationOptions.metered is ignored: vats are not metered',
      'vats.a.creationOptions.nodeOptions is ignored: every vat runs in this process',
    ].sort(
      (left, right) =>
        notices.findIndex(n => n.endsWith(left)) - notices.findIndex(n => n.endsWith(right)),
    ),
  );
});

test('every field and option of 2020 and of today is known', t => {
  const code = { sourceSpec: 'vat-a.js' };
  const config = loadOf({
    bootstrap: 'main',
    bundles: { b: code },
    devices: { d: { ...code, parameters: {}, creationOptions: { unendowed: true } } },
    defaultManagerType: 'local',
    includeDevDependencies: false,
    bundleFormat: 'endoZipBase64',
    bundleCachePath: 'bundles',
    defaultReapInterval: 'never',
    defaultReapGCKrefs: 20,
    relaxDurabilityRules: false,
    snapshotInitial: 2,
    snapshotInterval: 200,
    pinBootstrapRoot: true,
    loopboxSenders: ['x'],
    benchmarkDriver: code,
    coreProposals: [],
    exportStorageSubtrees: [],
    clearStorageSubtrees: [],
    vats: {
      main: { sourceSpec: 'bootstrap.js' },
      a: {
        bundleName: 'b',
        parameters: { x: 1 },
        creationOptions: {
          enableSetup: true,
          enablePipelining: true,
          managerType: 'node-subprocess',
          critical: true,
          useTranscript: false,
          reapInterval: 1,
          reapGCKrefs: 'never',
          enableDisavow: false,
          nodeOptions: [],
          metered: false,
          enableInternalMetering: true,
        },
      },
      c: { ...code, creationOptions: { neverReap: true } },
    },
  });
  t.is(config.vats.a.creationOptions.enableSetup, true);
  t.true(config.bundleCachePath?.endsWith('/bundles'));
});

/** @param {object} more  fields of a connection */
const withConnection = more => joined(ports, { ...ports, ...more });

const isPort = 'must be a port as "vat.port" or "vat.port[0]", or ';

const isItem = `${isPort}{ "interleaved": [ports] }, got`;

/** @type {Record<string, [config: unknown, message: string]>} */
const mistakes = {
  'not JSON': [
    '{\n  "vats": {\n    "a": {},\n  }\n}',
    ':4:3: not JSON: expected another field after the ",", got }',
  ],
  'an empty file': ['', ':1:1: not JSON: expected a value, got the end of the file'],
  'no object': ['[]', ' must be an object, got a list'],
  'a field given twice': ['{ "vats": {},\n  "vats": {} }', ':2:3: the field "vats" is there twice'],
  'an unknown field': [
    { ...twoVats, vatz: {} },
    ' has the unknown field "vatz"; did you mean "vats"?',
  ],
  'an unknown field of a vat': [
    withVat({ sourcespec: 'vat-a.js' }),
    ': vats.a has the unknown field "sourcespec"; did you mean "sourceSpec"?',
  ],
  'an unknown field that is near to none': [
    withVat({ sourceSpec: 'vat-a.js', x: 1 }),
    ': vats.a has the unknown field "x"; known are "sourceSpec", "bundleSpec", "bundle", "bundleName", "parameters", "creationOptions", "reapInterval"',
  ],
  'an unknown option': [
    withVat({ sourceSpec: 'vat-a.js', creationOptions: { enableSetpu: true } }),
    ': vats.a.creationOptions has the unknown option "enableSetpu"; did you mean "enableSetup"?',
  ],
  'an unknown field of a device': [
    { ...twoVats, devices: { d: { sourceSpec: 'vat-a.js', parameter: {} } } },
    ': devices.d has the unknown field "parameter"; did you mean "parameters"?',
  ],
  'an option of vats on a device': [
    { ...twoVats, devices: { d: { sourceSpec: 'vat-a.js', creationOptions: { critical: true } } } },
    ': devices.d.creationOptions has the unknown option "critical"; known are "unendowed"',
  ],
  'a bundle hash': [
    withVat({ bundleHash: 'abc' }),
    ': vats.a has "bundleHash"; a bundle is named by "bundleName" or read by "bundleSpec"',
  ],
  'connections that are no list': [
    { ...twoVats, connections: ports },
    ': connections must be a list of connections, got {"from":"main.out","to":"a.in"}',
  ],
  'a connection that is none': [
    joined(ports, ['main.out', 'a.in']),
    ': connections[1] must be an object with "from" and "to", got a list',
  ],
  'a connection with half': [
    joined({ to: 'a.in' }),
    ': connections[0] has no "from"; it needs both "from" and "to"',
  ],
  'a connection with the other half': [
    joined({ from: 'main.out' }),
    ': connections[0] has no "to"; it needs both "from" and "to"',
  ],
  'a connection of interleaved ports alone': [
    joined({ interleaved: ['main.out'] }),
    ': connections[0] has "interleaved"; it belongs in "from" or "to": { "from": { "interleaved": [ports] }, "to": … }',
  ],
  'a connection with a slip': [
    joined({ form: 'main.out', to: 'a.in' }),
    ': connections[0] has the unknown field "form"; did you mean "from"?',
  ],
  'another slip in a connection': [
    withConnection({ physicall: true }),
    ': connections[1] has the unknown field "physicall"; did you mean "physical"?',
  ],
  'a connection with a field that is near to none': [
    withConnection({ delay: '1 ms' }),
    ': connections[1] has the unknown field "delay"; known are "from", "to", "after", "physical", "repeat", "partial"',
  ],
  'a flag of a connection that is none': [
    withConnection({ physical: 'yes' }),
    ': connections[1].physical must be true or false, got "yes"',
  ],
  'a connection from a number': [
    withConnection({ from: 5 }),
    `: connections[1].from ${isPort}a list of ports, got 5`,
  ],
  'a connection from nothing': [
    withConnection({ from: '' }),
    `: connections[1].from ${isPort}a list of ports, got ""`,
  ],
  'a connection from no ports': [
    withConnection({ from: [] }),
    ': connections[1].from is an empty list; name at least one port, or take the connection out',
  ],
  'a connection to a list of numbers': [
    withConnection({ to: ['a.in', 5] }),
    `: connections[1].to[1] ${isItem} 5`,
  ],
  'a connection to a list in a list': [
    withConnection({ to: [['a.in']] }),
    `: connections[1].to[0] ${isItem} a list`,
  ],
  'ports that are interleaved, with a slip': [
    withConnection({ to: { interleave: ['a.in'] } }),
    ': connections[1].to has the unknown field "interleave"; did you mean "interleaved"?',
  ],
  'an object for a port': [
    withConnection({ to: [{}] }),
    ': connections[1].to[0] has no "interleaved"; an object there is { "interleaved": [ports] }',
  ],
  'one interleaved port without a list': [
    withConnection({ to: { interleaved: 'a.in' } }),
    ': connections[1].to.interleaved must be a list of strings, got "a.in"',
  ],
  'no interleaved ports': [
    withConnection({ to: ['a.in', { interleaved: [] }] }),
    ': connections[1].to[1].interleaved is an empty list; name at least one port, or take the connection out',
  ],
  'a delay without a unit': [
    withConnection({ after: 5 }),
    ': connections[1].after is 5, without a unit; write "5 ms", or with another of ns, us, ms, s, min, h and d',
  ],
  'a delay without a unit, as text': [
    withConnection({ after: '0.5' }),
    ': connections[1].after is "0.5", without a unit; write "0.5 ms", or with another of ns, us, ms, s, min, h and d',
  ],
  'a delay below 0': [
    withConnection({ after: -5 }),
    ': connections[1].after must be a duration such as "10 ms", got -5',
  ],
  'a delay with an unknown unit': [
    withConnection({ after: '3 fortnights' }),
    ': connections[1].after: "3 fortnights" is not a duration; write a number and ns, us, ms, s, min, h or d, at most 104 days',
  ],
  'a timeout without a unit': [
    { ...twoVats, reactors: { timeout: 60 } },
    ': reactors.timeout is 60, without a unit; write "60 ms", or with another of ns, us, ms, s, min, h and d',
  ],
  'a timeout that is no duration': [
    { ...twoVats, reactors: { timeout: 'soon' } },
    ': reactors.timeout: "soon" is not a duration; write a number and ns, us, ms, s, min, h or d, at most 104 days',
  ],
  'a timeout for each vat': [
    { ...twoVats, reactors: { timeout: { a: '1 s' } } },
    ': reactors.timeout must be a duration such as "10 ms", got {"a":"1 s"}',
  ],
  'reactors with a slip': [
    { ...twoVats, reactors: { timeot: '1 s' } },
    ': reactors has the unknown field "timeot"; did you mean "timeout"?',
  ],
  'no bootstrap': [
    { vats: twoVats.vats },
    ' has no "bootstrap"; it names the vat that starts, one of "main", "a"',
  ],
  'a bootstrap that is no vat': [
    { ...twoVats, bootstrap: 'mian' },
    ': bootstrap names no vat: "mian"; did you mean "main"?',
  ],
  'no vats': [{ bootstrap: 'a' }, ' has no "vats"; a simulation needs one at least'],
  'a vat without code': [
    withVat({ parameters: {} }),
    ': vats.a has no code; give it one of "sourceSpec", "bundleSpec", "bundle", "bundleName"',
  ],
  'a source in the place of a bundle': [
    withVat({ bundleSpec: 'vat-a.js' }),
    ': vats.a.bundleSpec is "vat-a.js", a source and no bundle in JSON; name it by "sourceSpec"',
  ],
  'a vat with two codes': [
    withVat({ sourceSpec: 'vat-a.js', bundleName: 'x' }),
    ': vats.a has both "sourceSpec" and "bundleName"; it takes one',
  ],
  'a bundle that names a bundle': [
    { ...twoVats, bundles: { x: { bundleName: 'y' } } },
    ': bundles.x has the unknown field "bundleName"; known are "sourceSpec", "bundleSpec", "bundle"',
  ],
  'a bundle name that names none': [
    { ...withVat({ bundleName: 'boomr' }), bundles: { boomer: { sourceSpec: 'vat-b.js' } } },
    ': vats.a.bundleName names no bundle: "boomr"; did you mean "boomer"?',
  ],
  'a source that is not there': [
    withVat({ sourceSpec: './carol.js' }),
    ': vats.a.sourceSpec is "./carol.js", but there is no file FOLDER/carol.js',
  ],
  'a bundle that is no archive': [
    withVat({ bundle: { moduleFormat: 'endoZipBase64', endoZipBase64: '' } }),
    ': vats.a.bundle is a damaged archive: it has no end record of ZIP',
  ],
  'a wrong type': [{ ...twoVats, vats: 3 }, ': vats must be an object, got 3'],
  'a wrong type inside': [
    withVat({ sourceSpec: ['vat-a.js'] }),
    ': vats.a.sourceSpec must be a string that is not empty, got a list',
  ],
  'a wrong option': [
    withVat({ sourceSpec: 'vat-a.js', creationOptions: { enableSetup: 'yes' } }),
    ': vats.a.creationOptions.enableSetup must be true or false, got "yes"',
  ],
  'a reap interval of 0': [
    { ...twoVats, defaultReapInterval: 0 },
    ': defaultReapInterval must be a whole number from 1, or "never", got 0',
  ],
  'an unknown manager': [
    { ...twoVats, defaultManagerType: 'docker' },
    ': defaultManagerType must be one of "local", "worker", "xs-worker", "xsnap", "node-subprocess", "nodeWorker", "node-worker", got "docker"',
  ],
  'options that contradict each other': [
    withVat({ sourceSpec: 'vat-a.js', creationOptions: { neverReap: true, reapInterval: 3 } }),
    ': vats.a.creationOptions has both "neverReap" and "reapInterval"; a vat takes one',
  ],
};

for (const [what, [config, message]] of Object.entries(mistakes)) {
  test(`${what}: one line with the place in the config`, t => {
    const text = typeof config === 'string' ? config : JSON.stringify(config);
    const folder = writeFiles({ ...sources, 'swingset.json': text });
    const error = t.throws(() => loadConfig({ baseDir: folder }), { name: 'UserError' });
    t.is(error?.message, `${folder}/swingset.json${message.replace('FOLDER', folder)}`);
  });
}

test('an error names a config file that does not exist', t => {
  t.throws(() => loadConfig({ configFile: 'nowhere/swingset.json' }), {
    name: 'UserError',
    message: 'there is no config file "nowhere/swingset.json"',
  });
});
