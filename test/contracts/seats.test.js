// Proposals, and seats against a model: I3 and I6 of demos/contracts/README.md.

import 'ses';
import '@endo/eventual-send/shim.js';
import '#testkit/lockdown.js';
import test from 'ava';
import fc from 'fast-check';

const { Far } = await import('@endo/far');

/** Demos have no types. @type {(file: string) => Promise<any>} */
const load = file => import(new URL(`../../demos/contracts/${file}`, import.meta.url).href);

const { makeIssuerKit } = await load('money/issuer.js');
const { cleanProposal, isConserved, isOfferSafe } = await load('escrow/proposal.js');
const { makeSeats } = await load('escrow/seats.js');

const kits = { Asset: makeIssuerKit('moola'), Price: makeIssuerKit('simoleans') };
const keywords = /** @type {('Asset' | 'Price' | 'More')[]} */ (['Asset', 'Price', 'More']);

/** Two keywords have one brand. */
const kitOf = (/** @type {string} */ keyword) => (keyword === 'Price' ? kits.Price : kits.Asset);

const makePools = () => {
  const [moola, simoleans] = [kits.Asset, kits.Price].map(({ issuer, brand, math }) => ({
    issuer,
    brand,
    math,
    purse: issuer.makeEmptyPurse(),
  }));
  return { Asset: moola, Price: simoleans, More: moola };
};
const maths = { Asset: kits.Asset.math, Price: kits.Price.math, More: kits.Asset.math };

/** @typedef {Partial<Record<'Asset' | 'Price' | 'More', bigint>>} Values */

/** @param {Values} values */
const amountsOf = values =>
  harden(
    Object.fromEntries(
      Object.entries(values).map(([keyword, value]) => [
        keyword,
        { brand: kitOf(keyword).brand, value },
      ]),
    ),
  );

const values = fc.record(
  Object.fromEntries(keywords.map(keyword => [keyword, fc.bigInt({ min: 0n, max: 4n })])),
  { requiredKeys: [] },
);

test('a cleaned proposal has all parts, its keywords are sorted, and cleaning it again changes nothing', t => {
  const clean = cleanProposal(harden({ give: amountsOf({ Price: 1n, Asset: 2n }) }), maths);
  t.deepEqual(Object.keys(clean.give), ['Asset', 'Price']);
  t.deepEqual(clean.want, {});
  t.deepEqual(clean.exit, { onDemand: null });
  t.deepEqual(cleanProposal(clean, maths), clean);
});

test('offer safety: all that was given, or all that is wanted', t => {
  fc.assert(
    fc.property(values, values, values, (give, want, has) => {
      const covers = (/** @type {Values} */ side) =>
        Object.entries(side).every(
          ([keyword, least]) => /** @type {any} */ (has[keyword] ?? 0n) >= least,
        );
      const proposal = { give: amountsOf(give), want: amountsOf(want) };
      t.is(isOfferSafe(proposal, amountsOf(has), maths), covers(give) || covers(want));
    }),
  );
});

/** @param {Values[]} list */
const sums = list => {
  const sum = { moola: 0n, simoleans: 0n };
  for (const each of list) {
    sum.moola += (each.Asset ?? 0n) + (each.More ?? 0n);
    sum.simoleans += each.Price ?? 0n;
  }
  return sum;
};

test('conservation is by brand, and keywords of one brand count together', t => {
  const some = fc.array(values, { maxLength: 3 });
  fc.assert(
    fc.property(some, some, (before, after) => {
      const [had, has] = [sums(before), sums(after)];
      t.is(
        isConserved(before.map(amountsOf), after.map(amountsOf), maths),
        had.moola === has.moola && had.simoleans === has.simoleans,
      );
    }),
  );
});

/** Long enough for everything that is on its way between objects of this realm. */
const comeToRest = async () => {
  for (let i = 0; i < 60; i += 1) await null;
};

/**
 * @param {any[]} allocations
 * @param {{ from: number, to: number, keyword: string, as: string, value: bigint }} wish
 * @returns {[at: number, has: any][]}
 */
const trade = (allocations, { from, to, keyword, as, value }) => {
  const [one, other] = [from, to].map(at =>
    Object.fromEntries(
      Object.entries(allocations[at] ?? {}).map(([name, amount]) => [
        name,
        /** @type {any} */ (amount).value,
      ]),
    ),
  );
  one[keyword] = (one[keyword] ?? 0n) - value;
  other[as] = (other[as] ?? 0n) + value;
  return [
    [from, one],
    [to, other],
  ];
};

test('a reallocation happens to all of its seats, or to none', async t => {
  const offers = fc.array(fc.record({ give: values, want: fc.oneof(values, fc.constant({})) }), {
    minLength: 1,
    maxLength: 3,
  });
  /** Anything at all; or some of what one has for another, as trades are. */
  const changes = fc.oneof(
    fc.array(fc.tuple(fc.nat(4), values), { minLength: 1, maxLength: 3 }),
    fc.record({
      from: fc.nat(2),
      to: fc.nat(2),
      keyword: fc.constantFrom(...keywords),
      as: fc.constantFrom(...keywords),
      value: fc.bigInt({ min: 0n, max: 4n }),
    }),
  );
  let done = 0;
  await fc.assert(
    fc.asyncProperty(offers, fc.array(changes, { maxLength: 20 }), async (made, all) => {
      const pools = makePools();
      /** @type {object[]} */
      const admins = [];
      const seats = makeSeats(pools, {
        join: async (/** @type {object} */ seatAdmin) => void admins.push(seatAdmin),
        leave: () => {},
      });
      const given = made.map(({ give, want }) => ({
        give,
        want: Object.fromEntries(Object.entries(want).filter(([keyword]) => !(keyword in give))),
      }));
      /** @type {any[]} */
      const users = [];
      for (const { give, want } of given) {
        const payments = Object.fromEntries(
          Object.entries(amountsOf(give)).map(([keyword, amount]) => [
            keyword,
            kitOf(keyword).mint.mintPayment(amount),
          ]),
        );
        const proposal = cleanProposal(
          harden({ give: amountsOf(give), want: amountsOf(want) }),
          maths,
        );
        users.push(seats.add({ handle: {}, proposal, payments }));
        await comeToRest();
      }
      t.is(admins.length, given.length);
      const look = () => users.map(user => user.getCurrentAllocation());
      for (const wish of all) {
        const before = look();
        const each = Array.isArray(wish) ? wish : trade(before, wish);
        const named = each.map(
          ([at, has]) =>
            /** @type {[object, any]} */ ([admins[at] ?? Far('seat admin', {}), amountsOf(has)]),
        );
        try {
          seats.reallocate(harden(named));
        } catch {
          t.deepEqual(look(), before);
          continue;
        }
        done += 1;
        const after = look();
        t.true(isConserved(before, after, maths));
        each.forEach(([at, has]) => {
          t.like(after[at], amountsOf(has));
          t.true(isOfferSafe(users[at].getProposal(), after[at], maths));
        });
        const touched = each.map(([at]) => at);
        after.forEach((each, at) => {
          if (!touched.includes(at)) t.is(each, before[at]);
        });
      }
      const last = look();
      seats.exitAll();
      const payouts = await Promise.all(users.map(user => user.getPayouts()));
      for (const [at, payout] of payouts.entries()) {
        for (const [keyword, payment] of Object.entries(payout)) {
          const held = await kitOf(keyword).issuer.getAmountOf(payment);
          t.deepEqual(held, last[at][keyword]);
        }
      }
      for (const { purse } of Object.values(pools)) t.is(purse.getCurrentAmount().value, 0n);
    }),
    { numRuns: 200 },
  );
  t.true(done > 20, `${done} reallocations`);
});
