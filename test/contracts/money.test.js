// Amounts against sets and numbers, and an issuer against a ledger that is a Map: I1 and I5 of demos/contracts/README.md.

import 'ses';
import '@endo/eventual-send/shim.js';
import '#testkit/lockdown.js';
import test from 'ava';
import fc from 'fast-check';

const { Far } = await import('@endo/far');

/** Demos have no types. @type {(file: string) => Promise<any>} */
const load = file => import(new URL(`../../demos/contracts/${file}`, import.meta.url).href);

const { makeAmountMath } = await load('money/amounts.js');
const { makeIssuerKit } = await load('money/issuer.js');

const brand = Far('brand', {});
const nat = makeAmountMath(brand, 'nat');
const set = makeAmountMath(brand, 'set');
const objects = harden([Far('a', {}), Far('b', {}), Far('c', {})]);

/** @type {(value: bigint) => any} */
const amount = value => harden({ brand, value });

test('amounts of numbers are added and subtracted', t => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n }), (left, right) => {
      t.is(nat.add(amount(left), amount(right)).value, left + right);
      t.is(nat.isGTE(amount(left), amount(right)), left >= right);
      t.is(nat.isEqual(amount(left), amount(right)), left === right);
      if (left >= right) t.is(nat.subtract(amount(left), amount(right)).value, left - right);
      else t.throws(() => nat.subtract(amount(left), amount(right)), { instanceOf: RangeError });
    }),
  );
  t.true(nat.isEmpty(nat.empty));
  t.false(nat.isEmpty(amount(1n)));
});

test('a value that is no amount of the brand is refused', t => {
  const other = Far('brand', {});
  for (const [bad, message] of [
    [harden({ brand: other, value: 1n }), 'an amount is of another brand'],
    [harden({ brand, value: 1 }), 'a value must be a bigint, got number'],
    [harden({ brand, value: -1n }), 'a value must be 0 or more, got one below 0'],
    [null, 'an amount is a record of brand and value, got object'],
    [1n, 'an amount is a record of brand and value, got bigint'],
    [Promise.resolve(), 'an amount is of another brand'],
  ])
    t.throws(() => nat.coerce(bad), { message: String(message) });
  t.throws(() => set.make(harden([{ id: 1 }, { id: 1 }])), {
    message: 'a value must not have an element twice',
  });
  t.throws(() => set.make(harden({})), { message: 'a value must be a list, got object' });
  t.throws(() => set.make(harden([Promise.resolve()])), { message: 'a set cannot hold a promise' });
  t.throws(() => makeAmountMath(brand, /** @type {any} */ ('gold')), { instanceOf: TypeError });
});

/** Elements of sets that look like each other. */
const element = fc.oneof(
  fc.record({ id: fc.constantFrom(0, 1, '0', '1', 0n, 1n, true, null, undefined) }),
  fc.record({ object: fc.constantFrom(0, 1, 2) }),
  fc.constantFrom(
    { a: 'x', b: 'y' },
    { a: 'x&b=y' },
    { a: 'x","b":"y' },
    { a: [1, 2] },
    { a: [[1], 2] },
  ),
);

/** Replaces numbers by objects, and makes a key that compares as the elements should. */
const makeElement = (/** @type {any} */ given, isTurned = false) => {
  const fields = Object.entries(given).map(([key, value]) => [
    key,
    key === 'object' ? objects[value] : value,
  ]);
  return harden(Object.fromEntries(isTurned ? fields.reverse() : fields));
};
const keyOf = (/** @type {any} */ given) =>
  fc.stringify(Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1))));

test('amounts of sets are compared as sets, whatever the order of fields', t => {
  const elements = fc.uniqueArray(element, { selector: keyOf, maxLength: 6 });
  fc.assert(
    fc.property(elements, elements, (left, right) => {
      const [one, two] = [
        set.make(harden(left.map(each => makeElement(each)))),
        set.make(harden(right.map(each => makeElement(each, true)))),
      ];
      const [a, b] = [left, right].map(list => new Set(list.map(keyOf)));
      t.is(
        set.isGTE(one, two),
        [...b].every(key => a.has(key)),
      );
      const isApart = [...b].every(key => !a.has(key));
      if (isApart) t.is(set.add(one, two).value.length, a.size + b.size);
      else t.throws(() => set.add(one, two), { message: /twice/ });
      if ([...b].every(key => a.has(key)))
        t.is(set.subtract(one, two).value.length, a.size - b.size);
      else t.throws(() => set.subtract(one, two), { instanceOf: RangeError });
    }),
  );
});

/** A step with some of the existing assets; numbers choose among them. */
const step = fc.record({
  kind: fc.constantFrom(
    ...[
      'mint',
      'deposit',
      'withdraw',
      'burn',
      'claim',
      'split',
      'combine',
      'purse',
      'depositPurse',
    ],
  ),
  purse: fc.nat(),
  payments: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  value: fc.bigInt({ min: 0n, max: 9n }),
  expected: fc.option(fc.bigInt({ min: 0n, max: 9n }), { nil: undefined }),
});

test('an issuer keeps its books as a ledger would, whatever is asked of it', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
      /** The ledger, as the issuer reports it. @type {Map<object, bigint>} */
      const told = new Map();
      const { mint, issuer, math } = makeIssuerKit(
        'gold',
        'nat',
        (/** @type {object} */ asset, /** @type {any} */ now) =>
          now === undefined ? told.delete(asset) : told.set(asset, now.value),
      );
      const make = (/** @type {bigint | undefined} */ value) =>
        value === undefined ? undefined : math.make(value);
      /** Everything that ever was, and the model. @type {any[]} */
      const payments = [mint.mintPayment(math.make(5n))];
      const purses = [issuer.makeEmptyPurse()];
      /** @type {Map<object, bigint>} */
      const model = new Map([
        [payments[0], 5n],
        [purses[0], 0n],
      ]);
      let supply = 5n;
      const holds = (/** @type {object} */ asset) => model.get(asset) ?? 0n;
      /** @param {Promise<any> | (() => any)} done @param {boolean} isRight @param {(made: any) => void} then */
      const expect = async (done, isRight, then) => {
        let made;
        try {
          made = await (typeof done === 'function' ? done() : done);
        } catch (error) {
          t.false(isRight, /** @type {Error} */ (error).message);
          return;
        }
        t.true(isRight);
        then(made);
      };
      const add = (/** @type {any} */ payment, /** @type {bigint} */ value) => {
        t.false(model.has(payment));
        payments.push(payment);
        model.set(payment, value);
      };
      for (const { kind, purse: p, payments: chosen, value, expected } of steps) {
        const purse = purses[p % purses.length];
        const some = chosen.map(i => payments[i % payments.length]);
        const [one] = some;
        const isLive = model.has(one);
        const isAsExpected = expected === undefined || expected === holds(one);
        t.is(await issuer.isLive(one), isLive);
        if (kind === 'mint') {
          add(mint.mintPayment(math.make(value)), value);
          supply += value;
        } else if (kind === 'purse') {
          purses.push(issuer.makeEmptyPurse());
          model.set(/** @type {object} */ (purses.at(-1)), 0n);
        } else if (kind === 'deposit') {
          await expect(
            () => purse.deposit(one, make(expected)),
            isLive && isAsExpected,
            () => {
              model.set(purse, holds(purse) + holds(one));
              model.delete(one);
            },
          );
        } else if (kind === 'depositPurse') {
          await expect(
            () => purse.deposit(purses[0]),
            false,
            () => {},
          );
          await expect(issuer.burn(purses[0]), false, () => {});
        } else if (kind === 'withdraw') {
          await expect(
            () => purse.withdraw(math.make(value)),
            holds(purse) >= value,
            made => {
              model.set(purse, holds(purse) - value);
              add(made, value);
            },
          );
        } else if (kind === 'burn') {
          await expect(issuer.burn(one, make(expected)), isLive && isAsExpected, made => {
            t.is(made.value, holds(one));
            supply -= holds(one);
            model.delete(one);
          });
        } else if (kind === 'claim') {
          await expect(issuer.claim(one, make(expected)), isLive && isAsExpected, made => {
            add(made, holds(one));
            model.delete(one);
          });
        } else if (kind === 'split') {
          await expect(issuer.split(one, make(value)), isLive && holds(one) >= value, made => {
            add(made[0], value);
            add(made[1], holds(one) - value);
            model.delete(one);
          });
        } else {
          const total = some.reduce((sum, each) => sum + holds(each), 0n);
          const isRight =
            some.every(each => model.has(each)) &&
            new Set(some).size === some.length &&
            (expected === undefined || expected === total);
          await expect(issuer.combine(some, make(expected)), isRight, made => {
            for (const each of some) model.delete(each);
            add(made, total);
          });
        }
        t.is(mint.getSupply().value, supply);
        t.is(
          [...told.values()].reduce((sum, each) => sum + each, 0n),
          supply,
        );
        t.deepEqual(told, model);
      }
    }),
    { numRuns: 60 },
  );
});

test('a used payment is worthless to everybody', async t => {
  const { mint, issuer, math } = makeIssuerKit('gold');
  const purse = issuer.makeEmptyPurse();
  const payment = mint.mintPayment(math.make(3n));
  purse.getDepositFacet().receive(payment);
  const message = 'this gold payment was used before, or it is not one of this issuer';
  t.throws(() => purse.deposit(payment), { message });
  await t.throwsAsync(issuer.claim(payment), { message });
  await t.throwsAsync(issuer.burn(payment), { message });
  await t.throwsAsync(issuer.getAmountOf(payment), { message });
  t.false(await issuer.isLive(payment));
  t.is(purse.getCurrentAmount().value, 3n);
});
