// packages/README.md is true: the table of keys has all that a run leaves in its store and all that sources name, and each file
// that the page names is there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation, runRounds } from 'swingset-runner/internals';

const root = join(import.meta.dirname, '..');

/** Patterns for the parts of a key. @type {Record<string, string>} */
const parts = {
  KPID: 'kp\\d+',
  KREF: 'k[opd]\\d+',
  VREF: '[opd][+-]\\d+',
  VATID: 'v\\d+',
  DEVICEID: 'd\\d+',
  SEQ: '\\d{16}',
  PLACE: '\\d{10}',
  TIME: '\\d{16}',
  MICROSTEP: '\\d{16}',
  CHANNEL: '\\d{16}',
  NN: '[0-6]\\d',
  N: '\\d+',
  KEY: '.+',
  NAME: '.+',
  ID: '[^.]+',
};

const partNames = new RegExp(`\\b(?:${Object.keys(parts).join('|')})\\b`, 'g');

/**
 * The names in the first column of the tables under a heading, as patterns.
 *
 * @param {string} heading
 */
const readNames = heading => {
  const text = readFileSync(join(root, 'packages/README.md'), 'utf8');
  const section = text.split(/^## /m).find(each => each.startsWith(`${heading}\n`)) ?? '';
  const cells = [...section.matchAll(/^\| (`.*?) *\|/gm)].map(([, cell]) => cell);
  return cells
    .flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
    .map(name => {
      const pattern = name.replaceAll('.', '\\.').replace(partNames, part => parts[part]);
      return new RegExp(`^${pattern}$`);
    });
};

for (const [profile, demo] of /** @type {const} */ ([
  ['current', 'pingpong'],
  ['2020-09', 'pingpong'],
  ['current', 'reactors/account/vats.json'],
])) {
  test.serial(`every key of ${demo} under ${profile} is in the table of keys`, async t => {
    const names = readNames('What is stored');
    t.true(names.length > 25);
    const store = makeMemoryStore();
    const config = loadConfig({ baseDir: join(root, 'demos', demo) });
    const simulation = await makeSimulation(config, { store, profile });
    const found = new Set();
    const look = () => {
      for (const [key] of store.entries('')) found.add(key);
      for (const stream of store.streamNames()) found.add(stream);
    };
    // In the middle of the setup items are queued; at the end of a round a result is due for deletion.
    await simulation.runCranks(4);
    await simulation.commit();
    look();
    const rounds = demo === 'pingpong' ? 2 : 0;
    await runRounds(simulation, { rounds, blockSize: 2, onBlock: look });
    look();
    await simulation.close();
    const unknown = [...found].filter(key => !names.some(name => name.test(key)));
    t.deepEqual(unknown, []);
    t.true(found.size > 40);
  });
}

/** A constant that is a key, the begin of keys, or a stream. */
const declaredKey =
  /const \w*(?:Key|Prefix|Stream)\b[^;'`]*['`]((?:kernel|host|local)\.[A-Za-z.]+)/g;

test('every key that a source declares is in the table of keys', t => {
  const text = readFileSync(join(root, 'packages/README.md'), 'utf8');
  const files = ['kernel', 'host', 'cluster', 'swingset', 'observe'].flatMap(folder =>
    readdirSync(join(root, 'packages', folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.js') && !/(^|[\\/])test[\\/]/.test(file))
      .map(file => join(root, 'packages', folder, file)),
  );
  const declared = new Set(
    files.flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(declaredKey)].map(([, key]) => key),
    ),
  );
  t.true(declared.size > 15);
  const names = readNames('What is stored');
  const isListed = (/** @type {string} */ key) =>
    text.includes(`\`${key}`) || names.some(name => name.test(key));
  t.deepEqual(
    [...declared].filter(key => !isListed(key)),
    [],
  );
});

test('every file named in the design exists', t => {
  const pages = readdirSync(join(root, 'docs/design')).map(page => `docs/design/${page}`);
  const text = ['packages/README.md', ...pages]
    .map(page => readFileSync(join(root, page), 'utf8'))
    .join('\n');
  const named = [...text.matchAll(/`((?:[\w-]+\/)+)(?:([\w.-]+\.js)|\{([\w,-]+)\}\.js)`/g)].flatMap(
    ([, folder, file, several]) =>
      (file ? [file] : several.split(',').map(each => `${each}.js`)).map(each => folder + each),
  );
  t.true(named.length > 60);
  const missing = named.filter(
    file => !existsSync(join(root, 'packages', file)) && !existsSync(join(root, file)),
  );
  t.deepEqual(missing, []);
});
