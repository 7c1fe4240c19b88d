// Transfers among many accounts, each a vat: few of them contend for the same ones, many hardly ever meet. A round is a batch
// of transfers that are all sent at once, between accounts that a fixed sequence of numbers picks.

import { E, Far } from '@endo/far';

const numberOf = (argv, name, usual) => {
  const given = argv.find(each => each.startsWith(`${name}=`));
  if (given === undefined) return usual;
  const value = Number(given.slice(name.length + 1));
  if (!Number.isSafeInteger(value) || value < 0)
    throw Error(`${name} must be a whole number, got ${given}`);
  return value;
};

export const buildRootObject = (_vatPowers, { argv = [] }) => {
  const count = numberOf(argv, 'accounts', 100);
  const transfers = numberOf(argv, 'transfers', 100);
  const work = numberOf(argv, 'work', 0);
  if (count < 2) throw Error(`accounts must be at least 2, got ${count}`);
  const accounts = [];
  let state = 1;

  const pick = bound => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };

  return Far('bootstrap', {
    async bootstrap(vats, devices) {
      const vatAdmin = await E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
      const vatParameters = { balance: 1_000, work };
      while (accounts.length < count) {
        const { root } = await E(vatAdmin).createVatByName('account', { vatParameters });
        accounts.push(root);
      }
    },

    async runBenchmarkRound() {
      const batch = Array.from({ length: transfers }, () => {
        const from = pick(count);
        const to = (from + 1 + pick(count - 1)) % count;
        return E(accounts[from]).transfer(accounts[to], 1 + pick(10));
      });
      const done = await Promise.all(batch);
      return `${done.filter(isDone => isDone).length} of ${transfers} transfers`;
    },

    async sum() {
      const balances = await Promise.all(accounts.map(account => E(account).balance()));
      return balances.reduce((sum, balance) => sum + balance, 0);
    },
  });
};
