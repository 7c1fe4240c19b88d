import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory } from './run-cli.js';

const library = new URL('../../packages/reactor/index.js', import.meta.url).href;

const program = `
  import { Reactor } from '${library}';
  class Worker extends Reactor {
    in = this.input();
    work = this.reaction({ triggers: this.in }, () => {});
  }
  export class main extends Reactor {
    workers = this.bank(6, Worker);
    start = this.reaction({ triggers: this.startup, effects: this.workers.port('in') }, () => {
      throw Error('this runs');
    });
  }
`;

const vats = {
  plain: `export const buildRootObject = () => ({ bootstrap() { throw Error('this runs'); } });`,
  plant: `
    import { Reactor } from 'swingset-runner/reactor';
    class Plant extends Reactor {
      command = this.input();
      measured = this.outputs(2);
      r = this.reaction({ triggers: [this.startup, this.command], effects: this.measured }, () => {
        throw Error('this runs');
      });
    }
    export const buildReactor = () => new Plant();
  `,
  log: `
    import { Reactor } from 'swingset-runner/reactor';
    class Log extends Reactor {
      values = this.inputs(2);
      command = this.output();
      tick = this.timer(0, '1 ms');
      ask = this.reaction({ triggers: this.tick, effects: this.command }, () => {});
      note = this.reaction({ triggers: this.values }, () => {});
    }
    export const buildReactor = () => new Log();
  `,
};
const connections = [
  { from: ['plant.measured[1]'], to: ['log.values[0]'] },
  { from: ['log.command'], to: ['plant.command'], after: '1 ms' },
];

/**
 * Write a swingset `plant` with all vats, or one.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {string} [cwd]
 * @param {string} [only]
 */
const swingset = (t, cwd = temporaryDirectory(t), only) => {
  const dir = path.join(cwd, 'plant');
  fs.mkdirSync(dir);
  const chosen = Object.entries(vats).filter(([name]) => only === undefined || name === only);
  for (const [name, source] of chosen) fs.writeFileSync(path.join(dir, `${name}.js`), source);
  const config = {
    bootstrap: 'plain',
    vats: Object.fromEntries(chosen.map(([name]) => [name, { sourceSpec: `./${name}.js` }])),
    ...(only === undefined && { connections }),
  };
  fs.writeFileSync(path.join(dir, 'swingset.json'), JSON.stringify(config));
  return cwd;
};

/** @param {import('ava').ExecutionContext} t */
const folder = t => {
  const cwd = temporaryDirectory(t);
  fs.writeFileSync(path.join(cwd, 'program.mjs'), program);
  return cwd;
};

test("diagram writes the format of the file's ending, and prints the file's name", async t => {
  const cwd = folder(t);
  for (const [name, start] of [
    ['a.svg', '<svg '],
    ['a.png', '\x89PNG'],
    ['a.pdf', '%PDF-'],
    ['a.mmd', 'flowchart LR'],
    ['a.md', '```mermaid\nflowchart LR'],
    ['a.json', '{\n "reactors"'],
    ['a.html', '<!doctype html>'],
  ]) {
    const { code, stdout, stderr } = await runCli(cwd, ['diagram', 'program.mjs', '-o', name]);
    t.is(code, 0, stderr);
    t.is(stdout, `${name}\n`);
    t.true(fs.readFileSync(path.join(cwd, name), 'latin1').startsWith(start), name);
  }
});

test('diagram without a file prints Mermaid; banks are one box or each its own', async t => {
  const cwd = folder(t);
  const one = await runCli(cwd, ['diagram', 'program.mjs']);
  t.regex(one.stdout, /workers\[0\.\.5\]: Worker × 6/);
  const each = await runCli(cwd, ['diagram', '--banks', 'program.mjs']);
  t.regex(each.stdout, /workers\[5\]: Worker"/);
});

test('diagram draws the reactors of a swingset, and runs none of them', async t => {
  const cwd = swingset(t);
  const { code, stdout, stderr } = await runCli(cwd, ['diagram', 'plant']);
  t.is(code, 0, stderr);
  t.is(stderr, '');
  t.regex(stdout, /"plant: vat · Plant · stage 0"/);
  t.regex(stdout, /"log: vat · Log · stages 0 to 1"/);
  t.regex(stdout, /\|"\[1\] → \[0\]"\|/);
  t.regex(stdout, /1 ms/);
  t.notRegex(stdout, /plain/);
  const outline = await runCli(cwd, ['diagram', 'plant/swingset.json', '-o', 'plant.json']);
  t.is(outline.code, 0, outline.stderr);
  const { vats, connections } = JSON.parse(fs.readFileSync(path.join(cwd, 'plant.json'), 'utf8'));
  t.deepEqual(
    vats.map((/** @type {any} */ { name }) => name),
    ['plant', 'log'],
  );
  t.deepEqual(connections, [
    {
      ...{ from: { vat: 'plant', port: 'measured' }, to: { vat: 'log', port: 'values' } },
      ...{ channels: 1, runs: [[1, 0, 1]], delayNs: null, isPhysical: false },
    },
    {
      ...{ from: { vat: 'log', port: 'command' }, to: { vat: 'plant', port: 'command' } },
      ...{ channels: 1, runs: [[0, 0, 1]], delayNs: 1_000_000, isPhysical: false },
    },
  ]);
});

test('diagram reports missing and wrong arguments', async t => {
  const cwd = folder(t);
  swingset(t, cwd, 'plain');
  for (const [args, text] of /** @type {[string[], RegExp][]} */ ([
    [[], /diagram needs a module that exports a reactor, or the directory of vats/],
    [['none.mjs'], /no file "none.mjs"; give a module that exports a reactor/],
    [['none'], /no directory "none"/],
    [['none.json'], /there is no config file "none.json"/],
    [['program.mjs', '-o', 'a.txt'], /its name says no format; end it in \.html, \.svg/],
    [['program.mjs', '-o', 'no/a.svg'], /"no\/a.svg" cannot be written \(ENOENT\)/],
  ])) {
    const { code, stderr } = await runCli(cwd, ['diagram', ...args]);
    t.true(code === 1 || code === 2);
    t.regex(stderr, text);
    t.is(stderr.trim().split('\n').length, 1);
  }
});

const talkers = {
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => Far('boot', {
      async bootstrap(vats) {
        const [one, two] = await Promise.all([E(vats.shop).makeTicket('a'), E(vats.shop).makeTicket('b')]);
        await E(vats.guest).take(one);
        await E(two).stamp();
        // A message to a promise counts for its sender, wherever it waited.
        await E(E(vats.shop).makeTicket('c')).stamp();
      },
    });
  `,
  'vat-shop.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = () =>
      Far('shop', { makeTicket: name => Far('ticket', { stamp: () => name }) });
  `,
  'vat-guest.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => {
      const kept = [];
      return Far('guest', {
        take(ticket) {
          kept.push(ticket);
          return E(ticket).stamp();
        },
      });
    };
  `,
};

/** @param {import('ava').ExecutionContext} t */
const talkingVats = t => {
  const cwd = temporaryDirectory(t);
  const dir = path.join(cwd, 'talk');
  fs.mkdirSync(dir);
  for (const [name, text] of Object.entries(talkers)) fs.writeFileSync(path.join(dir, name), text);
  return cwd;
};

test('diagram of vats without reactors runs them, and lists their references and messages', async t => {
  const cwd = talkingVats(t);
  const { code, stdout, stderr } = await runCli(cwd, ['diagram', 'talk', '-o', 'talk.json']);
  t.is(code, 0, stderr);
  t.is(stdout, 'talk.json\n');
  const { objects, held, messages, isOver } = JSON.parse(
    fs.readFileSync(path.join(cwd, 'talk.json'), 'utf8'),
  );
  t.true(isOver);
  t.deepEqual(
    objects
      .filter((/** @type {any} */ { isBuiltIn }) => !isBuiltIn)
      .map((/** @type {any} */ { name }) => name)
      .sort(),
    ['bootstrap', 'guest', 'shop'],
  );
  t.deepEqual(messages, [
    { from: 'host', to: 'bootstrap', method: 'bootstrap', count: 1 },
    { from: 'bootstrap', to: 'shop', method: 'makeTicket', count: 3 },
    { from: 'bootstrap', to: 'guest', method: 'take', count: 1 },
    { from: 'guest', to: 'shop', method: 'stamp', count: 1 },
    { from: 'bootstrap', to: 'shop', method: 'stamp', count: 2 },
  ]);
  const tickets = held.filter((/** @type {any} */ { iface }) => iface === 'ticket');
  t.true(
    tickets.some((/** @type {any} */ { holder, owner }) => holder === 'guest' && owner === 'shop'),
  );
});

test('the notice about a demo is printed once, though a swingset without reactors is started twice', async t => {
  const { stderr } = await runCli(temporaryDirectory(t), ['diagram', 'demos/justReply']);
  t.regex(stderr, /^no directory "demos\/justReply" here; running the demo [^\n]+\n$/);
});

test('a rejected bootstrap is reported, and the vats are drawn', async t => {
  const cwd = swingset(t, undefined, 'plain');
  const { code, stdout, stderr } = await runCli(cwd, ['diagram', 'plant']);
  t.is(code, 0);
  t.regex(stderr, /^plain: Error: this runs/m);
  t.regex(stdout, /"plain<br>vat · 2 deliveries"/);
});

test('a page of a diagram has the sources of its parts, at their lines', async t => {
  const cwd = talkingVats(t);
  fs.writeFileSync(path.join(cwd, 'program.mjs'), program);
  /** @param {string} name @param {string[]} args */
  const dataOf = async (name, args) => {
    const { code, stderr } = await runCli(cwd, ['diagram', ...args, '-o', name]);
    t.is(code, 0, stderr);
    const html = fs.readFileSync(path.join(cwd, name), 'utf8');
    t.notRegex(html, /<(script|link|img)[^>]*(src|href)=/);
    const found = /id="data">(.*)<\/script>/.exec(html);
    const { files, places } = JSON.parse(/** @type {RegExpExecArray} */ (found)[1]);
    return Object.entries(places).map(([id, [file, line]]) => {
      t.true(html.includes(`data-open="${id}"`));
      return `${file}: ${files[file].split('\n')[line - 1].trim()}`;
    });
  };
  const vatLines = await dataOf('talk.html', ['talk']);
  t.true(vatLines.includes('talk/vat-guest.js: export const buildRootObject = () => {'));
  t.true(
    vatLines.includes(
      "talk/vat-shop.js: Far('shop', { makeTicket: name => Far('ticket', { stamp: () => name }) });",
    ),
  );
  const lines = await dataOf('program.html', ['program.mjs']);
  t.true(lines.includes('program.mjs: class Worker extends Reactor {'));
  t.true(lines.includes('program.mjs: work = this.reaction({ triggers: this.in }, () => {});'));
});
