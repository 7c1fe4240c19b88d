import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import fc from 'fast-check';
// @ts-expect-error pdfkit comes without types
import PDFDocument from 'pdfkit';
import { Federate, Program, Reactor, outlineOf } from '#reactor';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { htmlDiagram, makeScene, mermaidDiagram, outlineOfModule, svgDiagram } from '../index.js';
import { layOut } from '../layout.js';
import { sizeOfItem } from '../sizes.js';
import { textWidth } from '../text-width.js';
import * as programs from './programs.js';

/** @import { Box, VatsOutline } from '../scene.js' */
/** @import { Area } from '../layout.js' */

/** @param {string} name */
const outline = name =>
  outlineOf(new Program(new /** @type {any} */ (programs)[name](), { fast: true }));

/** Two vats that send numbers to and fro, one way with a delay. @returns {VatsOutline} */
const vats = () => {
  const clock = { nowNs: () => 0 };
  const vat = (/** @type {string} */ name, /** @type {number} */ stage) => {
    const federate = new Federate(new programs.Twice(/** @type {any} */ (null)), { clock });
    federate.setStages(() => stage);
    return { name, outline: outlineOf(federate) };
  };
  return {
    vats: [vat('alice', 0), vat('bob', 1)],
    connections: [
      { from: { vat: 'alice', port: 'out' }, to: { vat: 'bob', port: 'in' } },
      {
        from: { vat: 'bob', port: 'out' },
        to: { vat: 'alice', port: 'in' },
        delayNs: 5e6,
        isPhysical: true,
      },
    ],
  };
};

const names = Object.keys(programs).filter(name => name !== 'Twice');

for (const name of names) {
  test(`${name}: in the SVG every part is within its box and overlaps no neighbour`, async t => {
    const scene = makeScene(outline(name));
    const { areas, width, height, links } = await layOut(scene);
    const areaOf = (/** @type {{ id: string }} */ { id }) => /** @type {Area} */ (areas.get(id));
    const check = (/** @type {Box} */ box) => {
      const outer = areaOf(box);
      const inner = [...box.boxes, ...box.items].map(areaOf);
      for (const area of inner) {
        t.true(area.x >= outer.x && area.x + area.width <= outer.x + outer.width, box.id);
        t.true(area.y >= outer.y && area.y + area.height <= outer.y + outer.height, box.id);
      }
      inner.forEach((a, i) => {
        for (const b of inner.slice(i + 1)) {
          const apart =
            a.x + a.width <= b.x ||
            b.x + b.width <= a.x ||
            a.y + a.height <= b.y ||
            b.y + b.height <= a.y;
          t.true(apart, box.id);
        }
      });
      box.boxes.forEach(check);
    };
    scene.boxes.forEach(check);
    t.is(links.length, scene.links.length);
    for (const { lines } of links) t.true(lines.length > 0);
    t.true(width > 0 && height > 0);
  });
}

test('the same program gives the same picture', async t => {
  t.is(await svgDiagram(outline('Nested')), await svgDiagram(outline('Nested')));
});

test('the picture in the README is up to date', async t => {
  const file = path.join(import.meta.dirname, '../example.svg');
  t.is(fs.readFileSync(file, 'utf8'), await svgDiagram(outline('Loop')));
});

test('a diagram shows reactors, ports, levels, deadlines, delays, timers and actions', async t => {
  const pipeline = await svgDiagram(outline('Pipeline'));
  for (const text of [
    'source',
    'Filter',
    'level 3',
    'deadline 5 ms',
    '1 ms, every 10 ms',
    'shutdown',
  ]) {
    t.true(pipeline.includes(text), text);
  }
  t.regex(await svgDiagram(outline('Loop')), />1 ms</);
  t.regex(await svgDiagram(outline('ForkJoin')), /Worker × 8.*delay 3 ms/s);
  t.regex(await svgDiagram(outline('Recursion')), /spacing 10 ms, drop/);
  t.regex(await svgDiagram(outline('TrafficLight')), /initial mode.*>history</s);
});

test('vats are boxes with their stages and connections', async t => {
  const svg = await svgDiagram(vats());
  t.regex(svg, />alice</);
  t.regex(svg, /vat · Twice · stages 0 to 1|vat · Twice · stage 1/);
  t.regex(svg, /stage 1, level/);
  t.regex(svg, />physical, 5 ms</);
  const mermaid = mermaidDiagram(vats());
  t.regex(mermaid, /subgraph v1_r0\["bob: vat · Twice/);
  t.regex(mermaid, /v0_r0_p1 ==> v1_r0_p0/);
  t.regex(mermaid, /v1_r0_p1 -\.->\|"physical, 5 ms"\| v0_r0_p0/);
});

test('the error for a connection with an unknown name lists the known names', t => {
  const { vats: both } = vats();
  const to = { vat: 'bob', port: 'in' };
  t.throws(
    () => makeScene({ vats: both, connections: [{ from: { vat: 'eve', port: 'out' }, to }] }),
    {
      message: 'a connection names the vat "eve"; the vats are alice, bob',
    },
  );
  t.throws(
    () => makeScene({ vats: both, connections: [{ from: { vat: 'alice', port: 'x' }, to }] }),
    { message: 'a connection names alice.x; the ports of alice are in, out' },
  );
});

test('the Mermaid text of a pipeline', t => {
  t.snapshot(mermaidDiagram(outline('Pipeline')));
});

test('names with special characters of XML and Mermaid are shown unchanged', async t => {
  class Main extends Reactor {
    constructor() {
      super();
      /** @type {any} */ (this)['<&"#;`'] = this.output();
    }
  }
  const made = outlineOf(new Program(new Main(), { fast: true }));
  t.regex(await svgDiagram(made), />&lt;&amp;&quot;#;`</);
  t.regex(mermaidDiagram(made), /\(\["#60;#38;#34;#35;#59;#96;"\]\)/);
});

test('a name that a vat chose shows in one direction and without control characters', async t => {
  const name = 'left\u202eright\u001b[31m\n# forged';
  const Named = { [name]: class extends Reactor {} }[name];
  class Container extends Reactor {
    [name] = new Named(this);
  }
  const made = outlineOf(new Program(new Container(), { fast: true }));
  for (const text of [await svgDiagram(made), mermaidDiagram(made), await htmlDiagram(made)]) {
    t.false(['\u202e', '\u001b'].some(sign => text.includes(sign)));
    t.true(text.includes('left\\u202Eright\\u001B'));
  }
  t.notRegex(mermaidDiagram(made), /^# forged/m);
});

test('boxes are sized for the font of the pictures', t => {
  const ruler = new PDFDocument({ autoFirstPage: false });
  const font = (/** @type {string} */ weight) =>
    path.join(import.meta.dirname, `../../../stats/fonts/Inter-${weight}.ttf`);
  fc.assert(
    fc.property(fc.stringMatching(/^[!-~]$/), fc.boolean(), (letter, isBold) => {
      ruler.font(font(isBold ? 'SemiBold' : 'Regular'), 1000);
      t.true(Math.abs(textWidth(letter, 1000, isBold) - ruler.widthOfString(letter)) <= 1, letter);
    }),
  );
  const item = {
    id: 'x',
    kind: /** @type {const} */ ('reaction'),
    label: 'name',
    notes: [],
    about: '',
  };
  t.true(sizeOfItem({ ...item, label: 'a longer name' }).width > sizeOfItem(item).width);
});

/** @param {import('ava').ExecutionContext} t @param {string} text */
const moduleOf = (t, text) => {
  const dir = temporaryDirectory(t, 'diagram');
  const file = path.join(dir, 'program.js');
  const library = new URL('../../reactor/index.js', import.meta.url).href;
  fs.writeFileSync(file, `import { Program, Reactor } from '${library}';\n${text}`);
  fs.writeFileSync(path.join(dir, 'package.json'), '{ "type": "module" }');
  return file;
};

for (const [what, text] of Object.entries({
  'a class called main': 'export class main extends Reactor {}',
  'a function buildReactor':
    'export const buildReactor = async (powers, { x }) => new Reactor(null, powers, x);',
  'a program': 'export default new Program(new Reactor(), { fast: true });',
  'the only reactor': 'export const n = 5; export class Only extends Reactor {}',
})) {
  test(`the program of a module is ${what}`, async t => {
    const { reactors } = await outlineOfModule(moduleOf(t, text));
    t.is(reactors.length, 1);
  });
}

for (const [what, text, message] of [
  [
    'no reactor',
    'export const n = 5;',
    /has no reactor among its exports \(n\); export the main one as "main"/,
  ],
  [
    'two',
    'export class A extends Reactor {} export class B extends Reactor {}',
    /has 2 reactors \(A, B\)/,
  ],
  [
    'something else',
    'export const main = () => 5;',
    /main of ".*" returned no reactor; export a class/,
  ],
  [
    'what throws',
    'export const main = () => { throw Error("no"); };',
    /main of ".*" cannot be made: no$/,
  ],
  ['no module', 'export const = 5;', /cannot be loaded: /],
  [
    'a cycle',
    `export class main extends Reactor {
      i = this.input(); 
      a = new (class A extends Reactor { i = this.input(); o = this.output(); r = this.reaction({ triggers: this.i, effects: this.o }, () => {}); })(this);
      w = this.connect(this.a.o, this.a.i);
    }`,
    /^zero-delay cycle: a\.r → a\.o → a\.i → a\.r; break it/,
  ],
]) {
  test(`a module with ${what} gives an error of one line`, async t => {
    const error = await t.throwsAsync(outlineOfModule(moduleOf(t, /** @type {string} */ (text))));
    t.regex(error.message, /** @type {RegExp} */ (message));
    t.is(error.name, 'UserError');
  });
}

test('a page shows only scripts of the program, and none outside of its folders', async t => {
  const dir = temporaryDirectory(t);
  fs.mkdirSync(path.join(dir, 'vats'));
  const entry = path.join(dir, 'vats/vat-spy.js');
  const named = "const it = 'secret';\n";
  fs.writeFileSync(
    entry,
    "import './near.js'; import '../out.js'; import './key.txt';\nexport const x = 1;\n",
  );
  fs.writeFileSync(path.join(dir, 'out.js'), named);
  fs.writeFileSync(path.join(dir, 'vats/key.txt'), named);
  const outline = {
    objects: ['spy', 'other'].map(name => ({ name, deliveries: 1, isBuiltIn: false })),
    held: [{ holder: 'other', owner: 'spy', iface: 'secret', count: 1 }],
    ...{ messages: [], cranks: 1, isOver: true },
  };
  const options = { entries: new Map([['spy', entry]]), root: path.join(dir, 'vats') };
  t.false((await htmlDiagram(outline, options)).includes('const it'));
  fs.writeFileSync(path.join(dir, 'vats/near.js'), named);
  const { places } = JSON.parse(
    /** @type {RegExpExecArray} */ (
      /id="data">(.*)<\/script>/.exec(await htmlDiagram(outline, options))
    )[1],
  );
  t.deepEqual(places, { v0: ['vat-spy.js', 2], v0_i0: ['near.js', 1] });
});

test('a diagram of many vats reads each of them a few times', t => {
  const many = 500;
  const names = Array.from({ length: many }, (_, i) => `holder${i}`);
  const outline = {
    objects: ['bank', ...names].map(name => ({ name, deliveries: 1, isBuiltIn: false })),
    held: names.map(holder => ({ holder, owner: 'bank', iface: 'account', count: 1 })),
    messages: names.map(from => ({ from, to: 'bank', method: 'pay', count: 1 })),
    ...{ cranks: 1, isOver: true },
  };
  const key = Symbol.iterator;
  const own = /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(Array.prototype, key)
  );
  let read = 0;
  /** @this {any[]} */
  const counted = function* counted() {
    for (let i = 0; i < this.length; i += 1) {
      read += 1;
      yield this[i];
    }
  };
  let text;
  // Lists that are copied are read; a copy for each holder would read half of many ** 2.
  Object.defineProperty(Array.prototype, key, { ...own, value: counted });
  try {
    text = mermaidDiagram(outline);
  } finally {
    Object.defineProperty(Array.prototype, key, own);
  }
  t.is(text.match(/-\.->/g)?.length, many);
  t.true(read < 60 * many, `${read} reads of ${many} vats`);
});
