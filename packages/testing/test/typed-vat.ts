// A vat in TypeScript, whose messages have types by `E` of `@endo/far`. tsc checks the
// expectations: an expected error that does not occur is an error.

import { E, Far } from '@endo/far';

export interface Account {
  deposit(amount: bigint): bigint;
}

export interface Root {
  open(name: string): Account;
  openBy(other: Root, name: string, amount: bigint): Promise<bigint>;
}

export const buildRootObject = (): Root => {
  const open = (_name: string): Account => {
    let balance = 0n;
    return Far('account', { deposit: (amount: bigint) => (balance += amount) });
  };
  return Far('root', {
    open,
    async openBy(other: Root, name: string, amount: bigint) {
      const account = E(other).open(name);
      const balance: Promise<bigint> = E(account).deposit(amount);
      return balance;
    },
  });
};

/** Not called: only for the compiler. */
export const refused = (vats: Record<string, any>, account: Account) => {
  // E gives an untyped value a type.
  const opened = E<Root>(vats.bank).open('ann');
  // @ts-expect-error: an answer is a promise
  const balance: bigint = E(account).deposit(1n);
  // @ts-expect-error: a number is no bigint
  void E(account).deposit(1);
  // @ts-expect-error: there is no such method
  void E(account).deposti(1n);
  // @ts-expect-error: a name is a string
  void E<Root>(vats.bank).open(7);
  // @ts-expect-error: a presence has no methods of its own, and a promise neither
  void opened.deposit(1n);
  return balance;
};
