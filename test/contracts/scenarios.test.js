// Stories of offers and contracts that go wrong, told in vats (test/fixtures/contracts/vat-scenarios.js). Everyone else's
// assets are where they belong.

import os from 'node:os';
import path from 'node:path';

import test from 'ava';

import { loadConfig, makeSimulation } from '#host';
import { makeMemoryStore } from '#store';

const baseDir = new URL('../fixtures/contracts', import.meta.url).pathname;
const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

/**
 * Capdata's text of plain data, read.
 *
 * @param {string} body
 */
const readData = body =>
  JSON.parse(body.slice(1), (_key, value) => {
    if (typeof value !== 'string') return value;
    if (/^[+-]\d+$/.test(value)) return BigInt(value);
    if (value === '#undefined') return undefined;
    return value.replace(/^!/, '');
  });

/**
 * Tell a story in a run of its own.
 *
 * @param {string} name
 * @param {...unknown} args
 * @returns {Promise<any>} what was seen
 */
const tell = async (name, ...args) => {
  /** The last line about each currency. @type {Map<string, string[]>} */
  const ledgers = new Map();
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    store: makeMemoryStore(),
    cacheDir,
    observer: {
      onConsole: (_vatName, _level, text) => {
        const [kind, currency, ...figures] = text.split(' ');
        if (kind === 'ledger') ledgers.set(currency, figures);
      },
    },
  });
  try {
    await simulation.run();
    const result = simulation.queueToVatRoot('scenarios', name, args);
    await simulation.run();
    for (const [currency, [total, supply]] of ledgers)
      if (total !== supply) throw Error(`${name}: ${total} ${currency} there, ${supply} minted`);
    const { state, data } = simulation.status(result);
    if (state !== 'data' || data === null) throw Error(`${name}: ${state} ${data?.body}`);
    return readData(data.body);
  } finally {
    await simulation.close();
  }
};

const usedBefore = (/** @type {string} */ what) =>
  `this ${what} payment was used before, or it is not one of this issuer`;
const accepted =
  'The offer has been accepted. Once the contract has been completed, please check your payout';
const threeMoola = { Asset: 3n, Price: 0n };

test.serial('a proposal that is wrong is refused with a reason, and takes nothing', async t => {
  t.deepEqual(await tell('refusedOffers'), {
    'another brand': 'an amount is of another brand',
    'below nothing': 'a value must be 0 or more, got one below 0',
    'a number': 'a value must be a bigint, got number',
    'no amount': 'an amount is a record of brand and value, got bigint',
    'another keyword': '"want" names Cost; the keywords are Asset,Price',
    'a keyword of all objects': '"want" names toString; the keywords are Asset,Price',
    'given and wanted': 'Asset is both given and wanted',
    'another field': 'a proposal has "give", "want" and "exit", got also when',
    'no exit': '"exit" must be a record, got null',
    'an unknown exit': '"exit" has one of onDemand,waived,afterDeadline, got never',
    'two exits': '"exit" has one of onDemand,waived,afterDeadline, got onDemand,waived',
    'no deadline': '"exit.afterDeadline" must have a timer and a deadline',
    'give is a list': '"give" must be a record, got copyArray',
    'no proposal': 'a proposal must be a record, got null',
    'no payment': 'there is no payment for Asset',
    'no payments': 'the payments must be a record, got null',
    'a payment too much': 'there is a payment for Price, which the proposal does not give',
    payment: 1n,
    invitationIsLive: true,
  });
});

test.serial('an invitation is used once, by its holder, and cannot be forged', async t => {
  t.deepEqual(await tell('invitations'), {
    forged: usedBefore('invitation'),
    nothing: usedBefore('invitation'),
    'a payment': usedBefore('invitation'),
    two: 'an offer takes a payment of one invitation, this is one of 2',
    'one that was combined': usedBefore('invitation'),
    'one that was claimed': usedBefore('invitation'),
    'twice at once': ['fulfilled', usedBefore('invitation')],
    kept: 1n,
    back: { Asset: 1n, Price: 0n },
  });
});

test.serial('when one payment of two is refused, both come back', async t => {
  t.deepEqual(await tell('oneOfTwoIsRefused'), {
    result: 'a simoleans payment does not hold what was expected',
    payouts: { Asset: 3n, Price: 4n },
    aliased: usedBefore('moola'),
    ofAliased: { Asset: 3n, More: 'nothing' },
    exited: true,
  });
});

test.serial('an issuer that does not answer holds up nothing but its own paper', async t => {
  t.deepEqual(await tell('issuerDoesNotAnswer'), {
    isHanging: true,
    back: 3n,
    result: 'the seat has exited before all payments were in',
    takenResult: 'kept',
    cannot: 'this offer cannot be withdrawn on demand; its proposal said so',
    backOfTaken: 3n,
    paperIsOut: true,
  });
});

test.serial('a payment may come late, or never, or be a broken promise', async t => {
  t.deepEqual(await tell('latePayments'), {
    before: true,
    result: 'Order Added',
    back: { Asset: 1n, Price: 0n },
    never: ['Asset', 'Price'],
    lost: 'there is no money',
    lostPayout: 'there is no money',
  });
});

/** An attempt of a contract, what the trader learns of it, and whether it ends the seat. */
const tries = /** @type {const} */ ([
  ['steal', 'a seat would have neither what it gave nor what it wants', true],
  ['make', 'the allocations together would be more or less than before', true],
  ['lose', 'the allocations together would be more or less than before', true],
  ['twice', 'a seat is there twice', true],
  ['other', 'a seat has exited, or is not one of this instance', true],
  ['shape', 'a reallocation is a list of pairs of a seat and its allocation', true],
  ['keyword', 'an allocation names toString; the keywords are Asset,More,Paper,Price', true],
  ['negative', 'a value must be 0 or more, got one below 0', true],
  ['silent', 'no answer', false],
  ['fail', 'the contract does not like this offer', true],
  ['exit', 'fine', true],
  ['exitAndFail', 'gone', true],
  ['shutdown', 'vat terminated', true],
  ['end', 'vat terminated', true],
]);

for (const [what, said, exited] of tries) {
  test.serial(`a contract that tries "${what}" gets nothing, and loses nobody's`, async t => {
    const seen = await tell('rogueContract', what);
    t.deepEqual(
      { said: seen.said, exited: seen.exited, payouts: seen.payouts },
      { said, exited, payouts: [threeMoola, threeMoola] },
    );
  });
}

test.serial('after the end of a contract there are no further offers', async t => {
  t.deepEqual(await tell('afterTheEnd'), {
    offer: 'No further offers are accepted',
    payment: 1n,
    invitation: 'vat terminated',
    facet: 'there is no such instance',
    waiting: { Asset: 1n, Price: 0n },
  });
});

test.serial('an instance with invalid terms is refused', async t => {
  t.deepEqual(await tell('failingStarts'), {
    'throws at its start': 'the contract cannot start',
    'has no facets': 'what a contract starts with must be a record, got undefined',
    'a false issuer': 'an issuer is not the one of its brand',
    'an unknown kind': 'a brand\'s amounts are of kind "nat" or "set", got gold',
    'a second issuer of a brand': 'a brand has another issuer here',
    'no issuer': 'target has no method "getBrand", has []',
    'no keyword': 'a keyword is a capital letter and up to 29 letters and digits, not "asset"',
    'no installation': 'there is no such installation',
    'the instance is its own': true,
  });
});

test.serial('a deadline ends an offer, and one that cannot be kept has passed', async t => {
  t.deepEqual(await tell('deadlines'), {
    result: 'Order Added',
    booked: 1,
    cannot: 'this offer cannot be withdrawn on demand; its proposal said so',
    expired: true,
    left: 0,
    payouts: Array(4).fill({ Asset: 1n, Price: 0n }),
  });
});

test.serial('at the exchange, the first that fits trades, and the withdrawn do not', async t => {
  t.deepEqual(await tell('exchange'), {
    resting: [3, 0, 6],
    said: accepted,
    otherSaid: 'Order Added',
    after: [2, 1, 8],
    buyer: { Asset: 2n, Price: 1n },
    cheap: { Asset: 0n, Price: 3n },
    gone: { Asset: 2n, Price: 0n },
    wrong: 'an offer gives Asset and wants Price, or the other way round, not Asset for ',
    ofWrong: { Asset: 1n },
    rest: [
      { Asset: 2n, Price: 0n },
      { Asset: 2n, Price: 0n },
      { Asset: 0n, Price: 9n },
    ],
  });
});

test.serial('the exchange publishes its book when it changes', async t => {
  t.deepEqual(await tell('notifier'), {
    pending: true,
    sells: 1,
    back: { Asset: 1n, Price: 0n },
  });
});

/** Kind of offer, asset, price; result; payouts of the first and the second. */
const swaps = /** @type {const} */ ([
  [['buy', 2n, 3n], 'fine', [0n, 3n], [2n, 0n]],
  [['buy', 1n, 5n], 'fine', [1n, 3n], [1n, 2n]],
  [['buy', 2n, 2n], 'the offer gives less than the price', [2n, 0n], [0n, 2n]],
  [['buy', 3n, 3n], 'the offer wants more than the asset', [2n, 0n], [0n, 3n]],
  [['sell', 2n, 3n], 'the offer must give Price and want Asset', [2n, 0n], [2n, 0n]],
]);

for (const [second, said, one, two] of swaps) {
  test.serial(`a swap of 2 for 3 is answered by ${second.join(' ')}: ${said}`, async t => {
    const [first, other] = [one, two].map(([Asset, Price]) => ({ Asset, Price }));
    t.deepEqual(await tell('swap', ['sell', 2n, 3n], [...second]), {
      said,
      one: first,
      two: other,
      closed: 'there is no such instance',
    });
  });
}

test.serial('a swap ends when its first offer is wrong or withdrawn', async t => {
  t.deepEqual(await tell('swap', ['buy', 2n, 3n]), {
    said: 'the offer must give Asset and want Price',
    one: { Asset: 0n, Price: 3n },
  });
  t.deepEqual(await tell('swap', ['sell', 2n, 3n]), {
    one: { Asset: 2n, Price: 0n },
    late: 'No further offers are accepted',
    kept: 5n,
  });
});

test.serial(
  'a trader whose partner breaks off gets everything back, and can trade again',
  async t => {
    t.deepEqual(await tell('brokenTrade'), { seen: ['bob is gone', 'bob is gone'], resting: 0 });
  },
);
