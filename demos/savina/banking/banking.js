import { Reactor, interleaved } from 'swingset-runner/reactor';
import { benchmark, insist, Runner, slicesOf } from '../common/benchmark.js';
import { PseudoRandom } from '../common/pseudo-random.js';

/** The transactions of an iteration, each from one account to one behind it. */
const drawTransactions = ({ accounts, transactions }) => {
  const random = new PseudoRandom(123_456);
  return Array.from({ length: transactions }, () => {
    const from = random.nextBelow(Math.floor(accounts / 10) * 8);
    const to = from + Math.max(1, random.nextBelow(accounts - from));
    return { from, to, amount: random.nextDouble() * 1000 };
  });
};

/** Has a queue of transactions for each account, and sends the first of each queue at a microstep. */
class Teller extends Reactor {
  start = this.input();
  finished = this.output();
  reset = this.output();
  end = this.output();
  next = this.action();

  constructor(container, parameters) {
    super(container);
    const { accounts } = parameters;
    this.recipient = this.outputs(accounts);
    this.amount = this.outputs(accounts);
    this.balances = this.inputs(accounts);
    this.received = this.inputs(accounts);
    let queues = [];
    let round = 0;

    this.reaction({ triggers: this.start, effects: [this.reset, this.next] }, () => {
      queues = Array.from({ length: accounts }, () => []);
      for (const transaction of drawTransactions(parameters)) {
        queues[transaction.from].push(transaction);
      }
      round = 0;
      this.reset.set(true);
      this.next.schedule();
    });

    this.reaction(
      { triggers: this.next, effects: [this.recipient, this.amount, this.next, this.end] },
      () => {
        let isEmpty = true;
        for (let i = 0; i < accounts; i += 1) {
          if (round >= queues[i].length) continue;
          const { to, amount } = queues[i][round];
          this.recipient.set(i, to);
          this.amount.set(i, amount);
          isEmpty = false;
        }
        round += 1;
        if (isEmpty) this.end.set(true);
        else this.next.schedule();
      },
    );

    this.reaction(
      { triggers: this.balances, sources: this.received, effects: this.finished },
      () => {
        this.finished.set({
          total: this.balances.values().reduce((sum, balance) => sum + balance, 0),
          received: this.received.values().reduce((sum, count) => sum + count, 0),
        });
      },
    );
  }
}

/** Pays what the teller says to another account. */
class Account extends Reactor {
  reset = this.input();
  recipient = this.input();
  amount = this.input();
  end = this.input();
  balance = this.output();
  received = this.output();

  constructor(container, { accounts, initial }) {
    super(container);
    this.debit = this.outputs(accounts);
    this.credit = this.inputs(accounts);
    let balance = initial;
    let received = 0;

    this.reaction({ triggers: this.reset }, () => {
      balance = initial;
      received = 0;
    });

    this.reaction({ triggers: this.amount, sources: this.recipient, effects: this.debit }, () => {
      const amount = this.amount.get();
      balance -= amount;
      this.debit.set(this.recipient.get(), amount);
    });

    this.reaction({ triggers: this.credit }, () =>
      this.credit.forEachPresent(amount => {
        balance += amount;
        received += 1;
      }),
    );

    this.reaction({ triggers: this.end, effects: [this.balance, this.received] }, () => {
      this.balance.set(balance);
      this.received.set(received);
    });
  }
}

class Banking extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const teller = new Teller(this, parameters);
    const accounts = this.bank(parameters.accounts, Account, parameters);
    this.connect([runner.start, teller.finished], [teller.start, runner.finished]);
    this.connect(teller.reset, accounts.port('reset'), { repeat: true });
    this.connect(teller.end, accounts.port('end'), { repeat: true });
    this.connect(teller.recipient, accounts.port('recipient'));
    this.connect(teller.amount, accounts.port('amount'));
    this.connect(accounts.port('balance'), teller.balances);
    this.connect(accounts.port('received'), teller.received);
    this.connect(accounts.port('debit'), interleaved(accounts.port('credit')));
  }
}

const check = ({ total, received }, { accounts, transactions, initial }) => {
  insist(received === transactions, () => `${received} of ${transactions} transactions came`);
  // Sums of many numbers differ in their last digits by the order of adding.
  const expected = accounts * initial;
  insist(Math.abs(total / expected - 1) < 1e-9, () => `${total} is left of ${expected}`);
  return `${received} transactions`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { accounts: 1_000, transactions: 50_000, initial: 1_000_000 },
  sizes: { accounts: { from: 10, to: 10_000 } },
  check,
  main: Banking,
  parts: {
    teller: Teller,
    account: slicesOf(Account, ({ accounts }) => accounts, [['debit', 'credit']]),
  },
});
