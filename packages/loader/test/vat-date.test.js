// The `Date` of vats equals the engine's in a process whose zone is UTC, except for its parser, and does not depend on
// the machine's zone.

import test from 'ava';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';

// This process runs in UTC, so that the engine's answers can be compared with those of vats.
process.env.TZ = 'UTC';

test.before(() => ensureLockdown());

const makeVatDate = () => makeVatCompartment({ name: 'x' }).globalThis.Date;

/** @param {string} code */
const evaluate = code => makeVatCompartment({ name: 'x' }).evaluate(code);

const time = fc.oneof(
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
  fc.integer({ min: -1e13, max: 1e13 }),
  fc.constantFrom(NaN, 0, -1, 8.64e15, -8.64e15, 8.64e15 + 1, 951782400000),
);

const part = fc.oneof(
  fc.integer({ min: -100, max: 100 }),
  fc.constantFrom(NaN, 1.5, 1e9, undefined, '7'),
);

test("reading methods return what the engine's return in UTC", t => {
  const VatDate = makeVatDate();
  const names = Object.getOwnPropertyNames(VatDate.prototype).filter(
    name => !/^set|^constructor$/.test(name),
  );
  t.true(names.length >= 30);
  fc.assert(
    fc.property(time, ms => {
      for (const name of names) {
        const [own, engines] = [VatDate, Date].map(Class => {
          try {
            return Reflect.apply(Class.prototype[name], new Class(ms), []);
          } catch (error) {
            return /** @type {Error} */ (error).name;
          }
        });
        t.is(own, engines, `${name} of ${ms}`);
      }
      for (const hint of ['default', 'number', 'string'])
        t.is(new VatDate(ms)[Symbol.toPrimitive](hint), new Date(ms)[Symbol.toPrimitive](hint));
    }),
  );
});

test("changing methods have the effect of the engine's in UTC", t => {
  const VatDate = makeVatDate();
  const names = Object.getOwnPropertyNames(VatDate.prototype).filter(name => /^set/.test(name));
  t.true(names.length > 14);
  fc.assert(
    fc.property(
      time,
      fc.array(part, { maxLength: 4 }),
      fc.constantFrom(...names),
      (ms, args, name) => {
        const [own, engines] = [new VatDate(ms), new Date(ms)];
        t.is(own[name](...args), /** @type {any} */ (engines)[name](...args), name);
        t.is(own.getTime(), engines.getTime(), name);
      },
    ),
    { numRuns: 1000 },
  );
});

test('a date made from parts is in UTC', t => {
  const VatDate = makeVatDate();
  fc.assert(
    fc.property(fc.array(part, { minLength: 2, maxLength: 8 }), args => {
      t.is(new VatDate(...args).getTime(), new Date(.../** @type {[any]} */ (args)).getTime());
      t.is(VatDate.UTC(...args), Date.UTC(.../** @type {[any]} */ (args)));
    }),
  );
});

test('a text that the engine can parse is parsed as the engine does in UTC', t => {
  const VatDate = makeVatDate();
  const iso = fc.date({ noInvalidDate: true }).map(date => date.toISOString());
  const usual = { min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true };
  const usualIso = fc.date(usual).map(date => date.toISOString());
  const zones = fc.constantFrom('', ' Z', ' UTC', ' GMT', ' +0200', ' GMT-0330', ' EST', '+05:30');
  const clock = fc.constantFrom('', ' 10:20', ' 10:20:30', ' 1:02:03 PM', ' 12:00 am', ' 24:00:00');
  const dates = fc.constantFrom(
    'Jan 2, 2020',
    '2 January 2020',
    'Thu, 02 Jan 2020',
    'Thu Jan 02 2020',
    '1/2/2020',
    '2020/1/2',
    'Feb 31 2021',
    '12/31/99',
    '13/1/2020',
    '2 Jan 49',
    'February 29, 2020',
    'Jan 0 2020',
  );
  const common = fc.tuple(dates, clock, zones).map(([date, at, zone]) => date + (at && at + zone));
  const cut = fc
    .tuple(usualIso, fc.constantFrom(4, 7, 10, 16, 19))
    .map(([text, length]) => text.slice(0, length));
  const shown = fc.date({
    min: new Date('0100-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        iso,
        common,
        cut,
        shown.map(String),
        shown.map(date => date.toUTCString()),
      ),
      text => {
        t.is(new VatDate(text).getTime(), new Date(text).getTime(), text);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a formatted date parses to the same date', t => {
  const VatDate = makeVatDate();
  fc.assert(
    fc.property(fc.integer({ min: -8.64e12, max: 8.64e12 }), seconds => {
      const date = new VatDate(seconds * 1000);
      t.is(VatDate.parse(date.toISOString()), seconds * 1000);
      // These formats read years below 100 as others.
      if (Math.abs(date.getFullYear()) < 100) return;
      t.is(VatDate.parse(date.toString()), seconds * 1000, String(date));
      t.is(VatDate.parse(date.toUTCString()), seconds * 1000);
    }),
  );
});

/** @type {[string, unknown][]} */
const said = [
  ['new Date(2020, 0, 1).getTime()', 1577836800000],
  ['new Date("2020-01-01T00:00").getTime()', 1577836800000],
  ['new Date("2020-01-01 00:00").getTime()', 1577836800000],
  ['Date.parse("2020-01-01T00:00+09:00")', 1577836800000 - 32400000],
  ['Date.parse("yesterday")', NaN],
  ['Date.parse("-000000-01-01T00:00Z")', NaN],
  ['new Date(0).getTimezoneOffset()', 0],
  ['new Date(NaN).getTimezoneOffset()', NaN],
  ['String(new Date(0))', 'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)'],
  [
    'new Date(0).toLocaleString("de", { timeZone: "Asia/Tokyo" })',
    'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)',
  ],
  ['new Date({ [Symbol.toPrimitive]: () => "1970-01-02" }).getTime()', 86400000],
  ['new Date({ valueOf: () => 7, toString: () => 8 }).getTime()', 7],
  ['new Date(new Date(5)).getTime()', 5],
  ['new Date(undefined).getTime()', NaN],
  ['new Date(null).getTime()', 0],
  ['JSON.stringify(new Date(0))', '"1970-01-01T00:00:00.000Z"'],
  ['new Date(1) - new Date(0) + `${+new Date(3)}`', '13'],
  ['Object.prototype.toString.call(new Date(0))', '[object Date]'],
  ['new (class Mine extends Date { get x() { return this.getHours(); } })(2020, 1, 1, 5).x', 5],
  ['Reflect.construct(Date, [2020, 0, 1]).getHours()', 0],
  ['new (new Date(0).constructor)(2020, 0, 1).getTime()', 1577836800000],
  ['new (Object.getPrototypeOf(new Date(0)).constructor)(0) instanceof Date', true],
  ['new Compartment().evaluate("new Date(2020, 0, 1).getTime()")', 1577836800000],
  ['new Compartment().evaluate("Date") === Date', true],
  ['Function.prototype.call.call(Date.prototype.getHours, new Date(2020, 0, 1, 3))', 3],
  [
    'function Old() {} Old.prototype = Object.create(Date.prototype); Old.prototype.constructor = Old; new Old().constructor === Old',
    true,
  ],
  ['const d = new Date(0); d.toString = () => "mine"; `${d}`', 'mine'],
  ['const held = Object.freeze(new Date(0)); held.setTime(5); held.getTime()', 5],
];
for (const [code, value] of said)
  test(`in a vat: ${code}`, t => t.deepEqual(evaluate(code), value));

const refused = [
  ['Date.now()', 'secure mode Calling %SharedDate%.now() throws'],
  ['new Date()', 'secure mode Calling new %SharedDate%() with no arguments throws'],
  ['Date()', 'secure mode Calling %SharedDate% constructor as a function throws'],
  [
    'Reflect.construct(Date, [], Object)',
    'secure mode Calling new %SharedDate%() with no arguments throws',
  ],
];
for (const [code, message] of refused)
  test(`refused in a vat: ${code}`, t => {
    t.throws(() => evaluate(code), { name: 'TypeError', message });
  });

for (const code of [
  'Date.prototype.getHours.call({})',
  'Date.prototype.toString.call({})',
  'new Date(1n)',
  'new Date(Symbol("x"))',
  'new Date({ valueOf: () => ({}), toString: () => ({}) })',
  'Date.prototype.setYear.call({}, 1)',
  'Date.prototype.getHours = 1',
])
  test(`a TypeError in a vat: ${code}`, t => {
    t.throws(() => evaluate(code), { name: 'TypeError' });
  });

test("the host's dates are in the host's zone, and a vat's are not, wherever it runs", t => {
  const moduleUrl = (/** @type {string} */ path) =>
    JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    const { ensureLockdown } = await import(${moduleUrl('../lockdown.js')});
    await ensureLockdown();
    const { makeVatCompartment } = await import(${moduleUrl('../compartment/index.js')});
    const vat = makeVatCompartment({ name: 'x' });
    const code = 'const d = new Date(2020, 6, 1); [d.getTime(), d, d.toLocaleString("de"), d.getTimezoneOffset(), Date.parse("Jul 1 2020 3:00")].join()';
    console.log(new Date(2020, 6, 1).getTime());
    console.log(vat.evaluate(code));
    console.log(vat.evaluate('c => new Compartment().evaluate(c)')(code));
  `;
  const [tokyo, york] = ['Asia/Tokyo', 'America/New_York'].map(TZ => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, TZ, LC_ALL: TZ === 'Asia/Tokyo' ? 'de_DE.UTF-8' : 'C' },
    });
    t.is(stderr, '');
    return stdout.trim().split('\n');
  });
  t.is(tokyo[0], '1593529200000');
  t.is(york[0], '1593576000000');
  const expected =
    '1593561600000,Wed Jul 01 2020 00:00:00 GMT+0000 (Coordinated Universal Time),Wed Jul 01 2020 00:00:00 GMT+0000 (Coordinated Universal Time),0,1593572400000';
  t.deepEqual(tokyo.slice(1), [expected, expected]);
  t.deepEqual(york.slice(1), [expected, expected]);
});

test('a date is shown by the console as Node shows it', t => {
  /** @type {string[]} */
  const lines = [];
  const vat = makeVatCompartment({ name: 'x', write: (_level, text) => lines.push(text) });
  vat.evaluate('console.log(new Date(0), [new Date(NaN)])');
  t.deepEqual(lines, ['1970-01-01T00:00:00.000Z [ Invalid Date ]']);
});
